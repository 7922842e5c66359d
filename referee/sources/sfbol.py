"""A play-by-play of the closed online client as accounts: each game in it as events for the one table.

Lines tell places, fire, dice and damage. Speeds, the racks of launches and the ends of flights they do not: what can be
concluded is concluded here, with how sure it is, and the rest is said not to be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.account import Account, Coverage, Event
from referee.core.errors import BadInput
from referee.core.finding import SURE, Certainty, Finding, Perhaps, Severity
from referee.core.forms import EnergyAllocation
from referee.core.frozen import frozen
from referee.core.gameorders import after
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.orders import WAYS
from referee.core.ship import Mount, ShipClass
from referee.formats.sfbol import (
    Added,
    DamageSaid,
    Destroyed,
    Fact,
    FieldActivated,
    Fired,
    ImpulseBegun,
    Moved,
    PlayedGame,
    Turned,
    Unread,
    read_play,
)
from referee.sources.asked import Asked, note
from referee.sources.sfbol_course import SLIPPED, Grid, Leg, Row, grid_of, legs_of
from referee.sources.sfbol_names import Names, class_by_map, classes_called, given_for, hold_ships_named
from referee.sources.sfbol_seekers import Flight, Launches
from referee.sources.sfbol_speeds import calls_of, speed_made
from referee.sources.sfbol_unread import outside, unread_lines
from referee.sources.sfbol_volleys import Block, Fire, fire_of
from referee.sources.sfbol_weapons import Weapons

if TYPE_CHECKING:
    from referee.rulebooks.base import Rulebook

NO_FORM = "a play-by-play has no energy forms; one may be given beside it, with --form SHIP=FILE"
COVERAGE = Coverage(
    energy=NO_FORM,
    damage="which boxes are lost inside a ship is not in a play-by-play",
    steps="a play-by-play does not tell the steps of an impulse: the order of its lines does",
)
LATEST = 999
"""The last turn a game is followed to."""


@frozen
class GameTold:
    """One game of a log: its lines, what is said of them, and its account if any ship of it is known here."""

    first: int
    last: int
    findings: tuple[Finding, ...]
    account: Account | None = None
    rulebook: Rulebook | None = None
    classes: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    lines: int = 0
    turns: int = 0
    throwers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Who threw the dice of each ship, where nobody else's they can have been."""


def games_told(data: bytes, file: str, asked: Asked, forms: Forms | None = None) -> Iterator[GameTold]:
    """The games of a log, one by one. Raises BadInput for what cannot be read, and for `--ship` of a ship it has not."""
    if any("=" in given for given in asked.ships):
        hold_ships_named(asked, (Names(game.facts, file) for game in read_play(data, file)), file)
    for game in read_play(data, file):
        yield _Telling(game, file, asked, forms or {}).told()


Forms = Mapping[str, Sequence[EnergyAllocation]]
"""Energy forms given beside a log, by the name of the ship as the player writes it."""


Rows = list[tuple[ImpulseBegun, list[Fact]]]


def impulses_of(facts: Iterable[Fact]) -> Rows:
    """The impulses of a game, each with what is told of it. What stands before the first is set-up."""
    rows: Rows = []
    for fact in facts:
        if isinstance(fact, ImpulseBegun):
            if not rows or (rows[-1][0].turn, rows[-1][0].impulse) != (fact.turn, fact.impulse):
                rows.append((fact, []))
        elif rows:
            rows[-1][1].append(fact)
    return rows


def _usual(file: str) -> str:
    """The rulebook of a ship that several have, where the player says none: the client's Cadet games are called so."""
    return "sfb-cadet" if "cadet" in Path(file).name.casefold() else "sfb-standard"


def _key(line: str) -> str:
    number, _, part = line.partition(":")
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in part.lower())
    return f"line_{number}" + (f"_{name}" if part else "")


class _Telling:
    """One game being told."""

    def __init__(self, game: PlayedGame, file: str, asked: Asked, forms: Forms) -> None:
        self.game, self.file, self.asked = game, file, asked
        self.names = Names(game.facts, file)
        self.findings: list[Finding] = []
        self.events: list[Event] = []
        self.book: Rulebook | None = None
        self.classes: dict[str, ShipClass] = {}
        self.here: dict[str, tuple[Hex, str]] = {}
        self.dead: set[str] = set()
        self.missing: set[str] = set()
        """Ships of which it is not known where they are."""
        self.moment: tuple[int, int | None, str] = (0, None, "")
        self.shields: dict[str, dict[int, int]] = {}
        self.fired: list[tuple[int, str, str]] = []
        self._seen_shields: set[str] = set()
        self.fire_at: dict[int, int] = {}
        """The event of each shot, by its line."""
        self.forms = {self._ship_of_form(name): rows for name, rows in forms.items()}

    def _ship_of_form(self, said: str) -> str:
        exact = [name for name in self.names.ships if folded(name) == folded(said)]
        fits = exact or list(self.names.means(said))
        return fits[0] if len(fits) == 1 else said

    def told(self) -> GameTold:
        """The game, told."""
        self._know_ships()
        self.findings += unread_lines(self.game.facts, self.names, self.file)
        self.findings += outside(self.game.facts, self.names, self.file)
        account = self._account() if self.classes and self.book is not None else None
        turns = max((fact.turn for fact in self.game.facts if isinstance(fact, ImpulseBegun)), default=0)
        return GameTold(
            self.game.first,
            self.game.last,
            tuple(self.findings),
            account,
            self.book,
            {name: ship.id for name, ship in self.classes.items()},
            tuple(self.names.ships),
            self.game.lines,
            turns,
            self.fire.throwers if account is not None else {},
        )

    # -- ships -----------------------------------------------------------------------------

    def _know_ships(self) -> None:
        from referee.rulebooks.registry import load_ship
        from referee.sources.saves import map_of
        from referee.sources.settings import rulebook_in_force
        from referee.sources.ship_files import ship_asked_for

        wanted = self.asked.settings.rulebook
        says = map_of(self.asked)
        mapped = {**{ship.name or ship.counter: ship.ship for ship in says.ships}, **says.classes} if says else {}
        book = wanted or (says.rulebook if says else "")
        open_: dict[str, tuple[ShipClass, ...]] = {}
        for name in self.names.ships:
            type = self.names.types.get(name, "")
            if given := given_for(name, self.asked, self.names):
                self.classes[name] = ship_asked_for(given, wanted)
            elif id := class_by_map(name, type, mapped):
                self.classes[name] = load_ship(id)
            else:
                open_[name] = classes_called(name, type, book)
        known = {ship.rulebook for ship in self.classes.values()}
        if not book and len(known) == 1:
            book = next(iter(known))
        for name, classes in open_.items():
            fits = [one for one in classes if not book or one.rulebook == book]
            if not book and len({one.rulebook for one in classes}) > 1:
                fits = [one for one in classes if one.rulebook == _usual(self.file)]
            if len(fits) == 1:
                self.classes[name] = fits[0]
            else:
                self.findings.append(self._which_class(name, classes))
        books = {ship.rulebook for ship in self.classes.values()}
        if not wanted and len(books) > 1:
            both = " and ".join(f"{name} ({ship.rulebook})" for name, ship in list(self.classes.items())[:4])
            raise BadInput(f"ships of several rulebooks: {both}", file=self.file, hint="say --rulebook")
        if self.classes:
            self.book = self._with_impulses(rulebook_in_force(wanted or books.pop(), self.asked.settings, lenient=True))

    def _with_impulses(self, book: Rulebook) -> Rulebook:
        """The rulebook on the chart the log is played by, where the player does not say."""
        last = max((fact.impulse for fact in self.game.facts if isinstance(fact, ImpulseBegun)), default=0)
        said = "impulses" in self.asked.settings.options or "impulses" in self.asked.settings.house.options
        if said or "impulses" not in book.options or last <= int(book.option("impulses")):
            return book
        most = [value for value in book.options["impulses"].values if int(value) >= last]
        return book.with_options({"impulses": most[0]}) if most else book

    def _which_class(self, name: str, classes: Sequence[ShipClass]) -> Finding:
        choices = ", ".join(found.id for found in classes[:6])
        type = self.names.types.get(name, "")
        return Finding(
            "NOTE/ship",
            Severity.UNDECIDED,
            "which class this ship is cannot be told: what it does is not judged"
            + (f": it may be {choices}" if choices else f" ({type})" if type else ""),
            name,
            location=Location(self.file, line=self.game.first),
            fix=f'say --ship "{name}={classes[0].id if classes else "standard/klingon-d7"}"',
        )

    # -- the account -----------------------------------------------------------------------

    def _account(self) -> Account:
        assert self.book is not None
        courses = self._courses()
        grid = grid_of(courses.values())
        self._say_reading(grid)
        self.legs: dict[str, Mapping[int, Leg]] = {name: legs_of(rows, grid) for name, rows in courses.items()}
        self.weapons = Weapons(self.book, self.classes)
        self.launches = Launches(self.book, self.classes, self.names, grid)
        self.fire = fire_of(self.game.facts, self.names)
        self._say_doubts()
        for flight in self.launches.flights(self.game.facts):
            self.legs[flight.name] = flight.legs
        self.calls = calls_of(self.book)
        self.of = int(self.book.option("impulses"))
        self._enter()
        self._play()
        self.findings += self.weapons.findings(self.file)
        self.findings += self.launches.findings(self.file)
        return Account(tuple(self.events), COVERAGE if not self.forms else replace(COVERAGE, energy=""), self.file)

    def _courses(self) -> dict[str, list[Row]]:
        """What is told of each ship's places, in its order."""
        rows: dict[str, list[Row]] = {name: [] for name in self.names.ships}
        turn = impulse = 0
        for fact in self.game.facts:
            if isinstance(fact, ImpulseBegun):
                turn, impulse = fact.turn, fact.impulse
            elif isinstance(fact, Added | Moved | Turned):
                fits = self.names.means(fact.name if isinstance(fact, Added) else fact.ship)
                if len(fits) == 1 and fits[0] in rows:
                    rows[fits[0]].append((turn, impulse, fact))
        return rows

    def _say_reading(self, grid: Grid) -> None:
        if not grid.moves:
            return
        how = "with even columns half a hex lower, as on the map"
        if grid.shift:
            how = "with odd columns half a hex lower, so that what is said here counts columns one higher than the log"
        told = f"hexes are read {how}: {grid.fits} of {grid.moves} moves are one hex so, {grid.otherwise} the other way"
        self.findings.append(note("hexes", told, "", location=Location(self.file, line=self.game.first)))

    def _say_doubts(self) -> None:
        for said in self.fire.without_mounts[:1]:
            count = len(self.fire.without_mounts)
            told = f"which weapons fire is not told of {count} volleys, only how many: they are not judged"
            self.findings.append(note("volleys", told, "", location=Location(self.file, line=said.line)))

    def _put(self, kind: str, data: dict[str, Any], line: int, sure: Certainty = SURE) -> int:
        seq = len(self.events)
        self.events.append(Event(seq, kind, data, at=Location(self.file, line=line or None), sure=sure))
        return seq

    def _order(self, name: str, kind: str, said: dict[str, Any], line: int, sure: Certainty = SURE) -> int:
        turn, impulse, _ = self.moment
        at: dict[str, Any] = {"turn": turn} | ({} if impulse is None else {"impulse": impulse})
        return self._put("order", {"text": [], "player": self.players.get(name, ""), **at, kind: said}, line, sure)

    def _enter(self) -> None:
        """The first entry, and the ships as they stand before the first impulse."""
        assert self.book is not None
        first = next((fact for fact in self.game.facts if isinstance(fact, ImpulseBegun)), None)
        before = [fact for fact in self.game.facts if first is None or fact.line < first.line]
        fresh = first is None or first.turn == 1 and (first.impulse == 1 or any(isinstance(f, Added) for f in before))
        self.start = (1, 1) if fresh or first is None else (first.turn, first.impulse)
        self.players = {name: f"player{n}" for n, name in enumerate(self.classes, 1)}
        options = {name: self.book.option(name) for name in self.book.options if self.book.option(name)}
        self._put(
            "genesis",
            {
                "format": 1,
                "fold": 2,
                "rulebook": self.book.id,
                "players": list(self.players.values()) or ["player"],
                "dice": {"mode": "seed"},
                "options": options,
                "from": {"file": self.file, "sha256": "", "lines": 10**12, "turn": self.start[0], "impulse": self.start[1]},
            },
            self.game.first,
        )
        put = {fits[0]: fact for fact in before if isinstance(fact, Added) if len(fits := self.names.means(fact.name)) == 1}
        self.speeds: dict[str, int | None] = {}
        for name, ship in self.classes.items():
            self.shields[name] = dict(ship.shields)
            data: dict[str, Any] = {"ship": name, "class": ship.id, "player": self.players[name]}
            fact = put.get(name)
            if fact is not None:
                leg = self.legs[name][fact.line]
                data["at"] = f"{leg.hex}{leg.facing}"
                self.here[name] = leg.hex, leg.facing
                if fact.speed is not None:
                    data["speed"] = str(fact.speed)
                self.speeds[name] = fact.speed
            if fact is None or not fresh:
                data["midway"] = True
            self._put("ship", data, fact.line if fact else self.game.first)

    # -- turns and impulses ------------------------------------------------------------------

    def _play(self) -> None:
        rows = impulses_of(self.game.facts)
        last = rows[-1][0] if rows else None
        for begun, facts in rows:
            if begun.turn > LATEST:
                told = f"turn {begun.turn} is more than a game is followed to"
                raise BadInput(told, file=self.file, place=f"line {begun.line}")
            if begun.turn != self.moment[0]:
                for turn in range(self.moment[0] + 1 if self.moment[0] else begun.turn, begun.turn + 1):
                    self._begin(turn, begun, rows)
            if begun.impulse <= self.of and (self.moment[1] or 0) < begun.impulse:
                self._step((begun.turn, begun.impulse, self._steps[0]), begun.line)
            self._impulse(facts)
            self._settle(facts[-1].line if facts else begun.line)
            for fact in facts if begun is not last else ():
                for name in self.launches.over_at(fact.line):
                    self._leaves(name, fact.line)

    @property
    def _steps(self) -> list[str]:
        assert self.book is not None
        steps: list[str] = self.book.descriptor["sequence_of_play"]["impulse"]
        return steps

    def _step(self, to: tuple[int, int | None, str], line: int) -> None:
        turn, impulse, step = self.moment = to
        self._put("step", {"turn": turn, "step": step} | ({} if impulse is None else {"impulse": impulse}), line)

    def _begin(self, turn: int, begun: ImpulseBegun, rows: Rows) -> None:
        """A turn begins: forms, then the speeds its moves come to."""
        assert self.book is not None
        self._step(self.book.procedure("moments")(self.book, turn)[0], begun.line)
        for name in self.classes:
            for form in self.forms.get(name, ()):
                if form.turn == turn:
                    self._file(name, form, begun.line)
        for name in self.classes:
            if name in self.dead or name in self.missing:
                continue
            made = self._speed(name, turn, rows)
            if made is not None:
                self._order(name, "speed", {"ship": name, "speed": made}, begun.line)
            self.speeds[name] = made

    def _file(self, name: str, form: EnergyAllocation, line: int) -> None:
        data = {
            "ship": name,
            "turn": form.turn,
            "player": self.players[name],
            "form": {_key(row): {"line": row, "amount": str(entry.amount)} for row, entry in sorted(form.entries.items())},
        }
        seq = self._put("form", data, line)
        self.events[seq] = replace(self.events[seq], at=form.place)

    def _speed(self, name: str, turn: int, rows: Rows) -> int | None:
        """The speed a ship's moves of a turn come to; None where they do not tell."""
        of = [(begun, facts) for begun, facts in rows if begun.turn == turn]
        if not of:
            return self.speeds.get(name)
        whole = rows[-1][0].turn != turn or of[-1][0].impulse >= self.of
        moved, gone, begun_at = 0, 0, 0
        for begun, facts in of:
            for fact in facts:
                if isinstance(fact, Moved | Turned | Added | Destroyed):
                    named = fact.name if isinstance(fact, Added) else fact.ship
                    fits = self.names.means(named)
                    if name in fits and len(fits) > 1:
                        return None
                    if fits != (name,):
                        continue
                    if isinstance(fact, Destroyed):
                        gone = begun.impulse
                    elif isinstance(fact, Added):
                        begun_at = begun.impulse
                    elif fact.line in self.legs[name]:
                        moved |= 1 << begun.impulse
        last = self.of if whole else of[-1][0].impulse
        if not whole and not moved >> last & 1:
            last -= 1
        if gone:
            last = min(last, gone if moved >> gone & 1 else gone - 1)
        seen = sum(1 << impulse for impulse in range(begun_at + 1, last + 1))
        made = speed_made(self.calls, moved & seen, seen, self.speeds.get(name), whole=whole and not gone)
        if made.doubt:
            place = Location(self.file, line=of[0][0].line)
            told = f"its speed of turn {turn} cannot be told: {made.why}; its calls are not judged"
            self.findings.append(
                Finding("NOTE/speed", Severity.UNDECIDED, told, name, turn, location=place, fix="give its energy form: --form")
            )
        return made.speed

    def _reach(self, kind: str, line: int) -> None:
        """On, within the impulse, to the step of a kind of thing; never back, and not while ships have still to move."""
        assert self.book is not None
        turn, impulse, step = self.moment
        if impulse is None or self.to_move:
            return
        steps = self._steps
        wanted = self.book.descriptor["sequence_of_play"]["steps_of"][kind]
        ahead = [one for one in steps[steps.index(step) :] if one in wanted] if step in steps else []
        if ahead and ahead[0] != step:
            self._step((turn, impulse, ahead[0]), line)

    def _impulse(self, facts: Sequence[Fact]) -> None:
        self.to_move = sum(self._is_ship_move(fact) for fact in facts)
        for fact in facts:
            if isinstance(fact, Moved | Turned | Added):
                self._stands(fact)
            elif isinstance(fact, Fired):
                self._fires(fact)
            elif isinstance(fact, DamageSaid):
                if (block := self.fire.blocks.get(fact.line)) and block.ship in self.classes:
                    self._struck(block)
            elif isinstance(fact, Destroyed):
                self._destroyed(fact)

    def _is_ship_move(self, fact: Fact) -> bool:
        if not isinstance(fact, Moved | Turned):
            return False
        fits = self.names.means(fact.ship)
        return len(fits) == 1 and fits[0] in self.classes and fact.line in self.legs.get(fits[0], {})

    def _stands(self, fact: Moved | Turned | Added) -> None:
        name = fact.name if isinstance(fact, Added) else fact.ship
        fits = self.names.means(name)
        moves = self._is_ship_move(fact)
        if len(fits) > 1 and not isinstance(fact, Added):
            for one in fits:
                self._out_of_sight(one, fact.line)
        elif fits and fits[0] in self.launches.known:
            self._seeker(fits[0], fact)
        elif fits and fits[0] in self.classes and (leg := self.legs[fits[0]].get(fact.line)):
            self._to(fits[0], leg, fact.line)
        self.to_move -= moves

    def _out_of_sight(self, name: str, line: int) -> None:
        """A line may be of a ship: where it is now is not known."""
        if name in self.classes and name not in self.dead and name in self.here:
            self._order(name, "place", {"ship": name, "to": ""}, line)
            del self.here[name]
            self.missing.add(name)

    def _to(self, name: str, leg: Leg, line: int) -> None:
        if name in self.dead:
            self._after_its_end(name, line, "moves")
            return
        if not leg.hex.column or leg.hex.column > 99:
            return
        was = self.here.get(name)
        self.here[name] = leg.hex, leg.facing
        self.missing.discard(name)
        if was == (leg.hex, leg.facing):
            return
        sure: Certainty = leg.sure
        if leg.how == SLIPPED:
            sure = Perhaps("a sideslip, which the rules of this game do not have")
        way = None
        if was is not None and was[1] and self.moment[1] is not None and leg.how in ("moved", "turned"):
            way = next((way for way in WAYS if after(*was, way) == (leg.hex, leg.facing)), None)
        if way is not None:
            self._order(name, "move", {"ship": name, "way": way}, line, sure)
        else:
            self._order(name, "place", {"ship": name, "to": f"{leg.hex}{leg.facing}"}, line, sure)

    def _after_its_end(self, name: str, line: int, does: str) -> None:
        turn, impulse, _ = self.moment
        told = f"it {does}, and was destroyed before"
        place = Location(self.file, line=line)
        self.findings.append(Finding("NOTE/destroyed", Severity.UNDECIDED, told, name, turn, impulse, place))

    # -- fire --------------------------------------------------------------------------------

    def _fires(self, fact: Fired) -> None:
        firers, targets = self.names.means(fact.ship), self.names.means(fact.target)
        if len(firers) != 1 or len(targets) != 1:
            return
        firer, target = firers[0], targets[0]
        seeker = self.launches.known.get(target)
        if firer not in self.classes or firer not in self.here or self.moment[1] is None:
            return
        if firer in self.dead or target in self.dead:
            self._after_its_end(firer if firer in self.dead else target, fact.line, "fires" if firer in self.dead else "is fired at")
            return
        if target not in self.classes and (seeker is None or not seeker.flying):
            return
        if target in self.classes and target not in self.here:
            return
        mount, sure = self.weapons.mount(firer, fact)
        if mount is None:
            return
        self._reach("fire", fact.line)
        said: dict[str, Any] = {"ship": firer, "weapons": [mount.id], "target": target}
        if target in self.classes and (shield := self.fire.shield.get(fact.line)):
            said["shield"] = shield
        seq = self._order(firer, "fire", said, fact.line, sure)
        self.fire_at[fact.line] = seq
        self.fired.append((seq, firer, mount.id))
        self._put("stated", {"what": "range", "fire": seq, "range": fact.range}, fact.line)

    def _struck(self, block: Block) -> None:
        """Damage stated of a ship: held against the dice, and the shields against what was left."""
        if block.ship in self.dead:
            self._after_its_end(block.ship, block.line, "is damaged")
            return
        place = Location(self.file, line=block.line)
        turn, impulse, _ = self.moment
        if sum(block.damage) != block.total:
            told = f"the damage by shield adds up to {sum(block.damage)}, and {block.total} is stated in all"
            self.findings.append(Finding("NOTE/sum", Severity.UNDECIDED, told, block.ship, turn, impulse, place))
        shots = [(self.fire_at.get(shot.line), roll, self.weapons.mode(shot)) for shot, roll in block.shots]
        if block.shots and all(seq is not None for seq, _, _ in shots):
            said = {"what": "damage", "ship": block.ship, "shots": shots, "total": block.total}
            self._put("stated", said, block.line)
        elif not self.launches.strikes(block.ship, self.here, (turn, impulse)):
            why = block.why or "a shot of it is not judged here"
            told = f"{block.total} points are stated, and what they come of cannot be told: {why}"
            self.findings.append(Finding("NOTE/unexplained-volley", Severity.UNDECIDED, told, block.ship, turn, impulse, place))
        if block.left:
            self._left(block)

    def _left(self, block: Block) -> None:
        known = self.shields[block.ship]
        stated = dict(enumerate(block.left, 1))
        odd = [n for n in known if not block.damage[n - 1] and stated[n] != known[n]]
        if block.ship not in self._seen_shields and len(odd) > 1:
            told = f"shields {', '.join(map(str, odd))} were never struck, and are not those of {self.classes[block.ship].name}: is it that class?"
            place = Location(self.file, line=block.left_line)
            self.findings.append(Finding("NOTE/ship", Severity.UNDECIDED, told, block.ship, location=place, fix=f'say --ship "{block.ship}=CLASS"'))
        else:
            said = {"what": "shields", "ship": block.ship, "damage": list(block.damage), "left": list(block.left)}
            self._put("stated", said, block.left_line)
        self._seen_shields.add(block.ship)
        marks = []
        for n, left in stated.items():
            printed = self.classes[block.ship].shields.get(n, 0)
            left = min(left, printed)
            if left != known.get(n, left):
                event, points = ("shield_hit", known[n] - left) if left < known[n] else ("shield_restored", left - known[n])
                marks.append({"ship": block.ship, "event": event, "shield": n, "points": points})
                known[n] = left
        if marks:
            self._taken(f"{block.ship}: its shields as stated", marks, block.left_line)

    def _taken(self, text: str, events: list[dict[str, Any]], line: int, **parts: Any) -> None:
        turn, impulse, step = self.moment
        at: dict[str, Any] = {"turn": turn, "step": step} | ({} if impulse is None else {"impulse": impulse})
        self._put("taken", {"text": text, "events": events, **at, **parts}, line)

    def _settle(self, line: int) -> None:
        """The dice of an impulse's fire fell on the client."""
        if self.fired:
            events = [{"ship": ship, "event": "weapon_fired", "weapon": mark} for _, ship, mark in self.fired]
            self._taken("the dice of this fire fell on the client", events, line, fire=[seq for seq, _, _ in self.fired])
        self.fired = []

    def _destroyed(self, fact: Destroyed) -> None:
        fits = self.names.means(fact.ship)
        if len(fits) != 1 or fits[0] in self.dead:
            return
        if fits[0] in self.classes:
            self._taken(f"{fits[0]} is destroyed", [{"ship": fits[0], "event": "ship_destroyed", "by_rule": ""}], fact.line)
            self.dead.add(fits[0])
        elif fits[0] in self.launches.known:
            self._leaves(fits[0], fact.line)

    # -- seekers -----------------------------------------------------------------------------

    def _seeker(self, name: str, fact: Moved | Turned | Added) -> None:
        flight = self.launches.known[name]
        if isinstance(fact, Added):
            self._launched(flight, fact)
        elif flight.flying and (leg := flight.legs.get(fact.line)):
            self._reach("seekers' movement", fact.line)
            was = flight.here
            flight.here = leg.hex, leg.facing or (was[1] if was else "A")
            way = next((way for way in WAYS if was and after(*was, way) == flight.here), None)
            if way is not None:
                self._order(flight.owner, "seeker", {"name": name, "way": way}, fact.line, flight.sure)
            elif was != flight.here:
                to = f"{flight.here[0]}{flight.here[1]}"
                self._order(flight.owner, "place", {"ship": name, "to": to}, fact.line, flight.sure)
                self.launches.off_course(flight, fact.line, *self.moment[:2])

    def _launched(self, flight: Flight, fact: Added) -> None:
        mount = self.launches.begin(flight, self.moment, self.here, self.dead)
        if mount is None or self.moment[1] is None:
            return
        self._reach("launch", fact.line)
        if not flight.flying:
            event = {"ship": flight.owner, "event": "weapon_fired", "weapon": mount.id}
            self._taken(f"{flight.owner} launched {mount.id}", [event], fact.line)
            return
        said = {
            "ship": flight.owner,
            "weapon": mount.id,
            "type": mount.type,
            "target": flight.target,
            "facing": flight.here[1] if flight.here else "A",
            "name": flight.name,
        }
        self._order(flight.owner, "launch", said, fact.line, flight.sure)

    def _leaves(self, name: str, line: int) -> None:
        flight = self.launches.known[name]
        if flight.flying:
            flight.flying = False
            self.launches.landed(flight, self.here, self.moment[:2])
            self._taken(f"{name} is gone", [], line, seekers=[name])
