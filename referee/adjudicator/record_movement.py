"""The movement of a game record, judged entry by entry as it is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from referee.adjudicator.check import Moment, timed
from referee.adjudicator.tracker import Track
from referee.core.account import Account, Event
from referee.core.board import LoadShip
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.game import EntryLike, GameState
from referee.core.gameorders import after, unit_entering
from referee.core.location import Location
from referee.core.once import Same
from referee.core.orders import Advance
from referee.core.play import Move, ShipInPlay, When, placed
from referee.core.takenover import first_moment, has_to_move, position
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.core.stretch import Stretch, TurnStart


class GameCourse(Forked):
    """The ships of a record as they move: feed it every entry that stands, in order.

    From the first speed or move ordered on all ships on the map are asked for their moves. Where none is ever
    ordered, and a form that is filed says the speed, the moves may be made on a table: that is undecided. The
    first `taken` lines are of a file that the game was taken from. The orders it carries out `alone` nobody else does.
    """

    alone: frozenset[str] = frozenset()

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, file: str = "", taken: int = 0) -> None:
        self.rulebook = rulebook
        self.load_ship = load_ship
        self.place = Location(file=file)
        self.track = Track(rulebook, (), at_once=True)
        self.moment: Moment = (0, None, "")
        self._step = rulebook.offers.step_of("Advance")
        self.on_speeds: list[Finding] = []
        """What was found of speeds alone, where it is told apart from what was found of moves."""
        self._findings_taken = 0
        self._taken = taken
        self._filed: set[str] = set()
        """The ships whose speed of the turn a form says, in a record that holds no moves so far."""
        self._over: list[int] = []
        """The impulses of the turn that are over."""
        self.made: dict[int, Mapping[tuple[str, int | None], str]] = {}
        """How each ship moved in an impulse, by turn."""
        self._sealed: dict[tuple[str, int, int | None], str] = {}

    def to_take(self, events: Iterable[Event]) -> Iterable[Event]:
        """Of the events of an account those that are to be judged."""
        return events

    def take(self, entry: EntryLike) -> list[Finding]:
        """What the rules of movement say against an entry."""
        does = self.takes.get(entry.type)
        if does is None:
            return []
        # No file that a game is taken from tells whether its moves were sealed.
        self.track.seals_shown = entry.seq > self._taken
        found = list(does(self, entry))
        if len(self.track.findings) == self._findings_taken:
            return found
        new = self.track.findings[self._findings_taken :]
        self._findings_taken = len(self.track.findings)
        return [*found, *new]

    def report(self) -> Report:
        """All that was found, checked and not checked of the movement."""
        return self.track.report()

    @property
    def to_move(self) -> tuple[str, ...]:
        """The ships that are called in this impulse, take part, and have not moved in it."""
        return self.track.to_move if self.moment[2] == self._step else ()

    def only(self, movers: Callable[[], Collection[str] | None] | None) -> None:
        """Of the ships that have not moved in an impulse only some will, where that is known: for the others
        nobody needs to wait (C1.3). That they do not move is found when it is over."""
        self.track.movers = movers

    @property
    def is_plain(self) -> bool:
        """Are all ships asked for their moves, by orders in the open?"""
        return self.track.all_take_part and not self._filed and not self._sealed

    def run(self, stretch: Stretch) -> None:
        """A stretch in which ships move, against which there is nothing."""
        made = {(data["move"]["ship"], data["impulse"]): data["move"]["way"] for _, data in stretch.moves}
        if made:
            self._moved(stretch.moves[0][1]["turn"], made)
        self._over += stretch.over
        if stretch.step is not None:
            data = stretch.step.data
            self.moment = data["turn"], data["impulse"], data["step"]
        self.track.run(stretch)

    def begin(self, start: TurnStart) -> None:
        """A turn begins, against which there is nothing, nor against the speeds said in it."""
        _, impulse, step = self.moment
        over = step == self._step or (impulse or 0) < self.track.movement.of
        self._over.clear()
        self.moment = start.step.data["turn"], None, start.step.data["step"]
        self.track.begin(self.moment[0], start.speeds, over=over)

    def _moved(self, turn: int, made: Mapping[tuple[str, int | None], str]) -> None:
        """How ships moved. What a fork of this holds of the turn stays as it is."""
        self.made[turn] = {**self.made.get(turn, {}), **made}

    def _at(self, entry: EntryLike) -> Location:
        return Location(self.place.file, record_line=entry.seq + 1)

    def _ship(self, entry: EntryLike) -> Iterable[Finding]:
        unit = unit_entering(entry.data)
        self.track.units[unit.name] = unit
        self.track.classes[unit.name] = self.load_ship(unit.class_id)
        self.track.stand_aside(unit.name)
        return ()

    def _gone(self, entry: EntryLike) -> Iterable[Finding]:
        """A ship that is destroyed moves no more."""
        for event in entry.data.get("events", ()):
            if event.get("event") == "ship_destroyed":
                self.track.remove(event["ship"])
        return ()

    def _ruling(self, entry: EntryLike) -> Iterable[Finding]:
        """A ship stands where it was ruled to, and nothing is judged of how it came there."""
        put = entry.data.get("place")
        if put and not put["to"]:
            self.track.remove(put["ship"])
        elif put:
            named = self.rulebook.named
            rule = named.movement if put["ship"] in self.track.units else named.seekers
            if put["ship"] in self.track.units:
                hex, facing = position(put["to"])
                self.track.put(put["ship"], hex, facing, to_move=has_to_move(put))
            reason = f"it stands at {put['to']} by the ruling #{entry.seq}: how it came there is not judged"
            self.track.not_checked[NotChecked(rule, reason, put["ship"])] = None
        return self._gone(entry)

    def _seal(self, entry: EntryLike) -> Iterable[Finding]:
        """A sealed move holds for its impulse, whenever before that it was sealed; one sealed after the move
        settles nothing, nor do sealed orders of another kind."""
        data = entry.data
        if data["kind"] != "moves" or data.get("impulse") is None:
            return ()
        at = data["turn"], data["impulse"]
        self._sealed[(data["ship"], *at)] = data["digest"]
        if at == self.moment[:2] and (data["ship"], at[1]) not in self.made.get(at[0], ()):
            self._seals_hold(data["ship"])
        return ()

    def _seals_hold(self, *names: str) -> None:
        for name in names or (tuple(self.track.units) if self._sealed else ()):
            unit = self.track.units.get(name)
            code = self._sealed.get((name, *self.moment[:2]), "")
            if unit is not None and unit.sealed != code:
                self.track.seal(name, code)

    def _order(self, entry: EntryLike) -> Iterable[Finding]:
        data, place = entry.data, self._at(entry)
        if "speed" in data:
            self._all_take_part(place)
            name = data["speed"]["ship"]
            self._say_speed(name, data["speed"]["speed"], place)
            return timed(self.rulebook, self.moment, "speed", name, None)
        if "place" in data:
            return self._place(data["place"], place, slipped=data.get("slipped") is True)
        if "move" not in data:
            return ()
        name = data["move"]["ship"]
        if name not in self.track.units:  # Destroyed: the fold refuses it.
            return ()
        self._all_take_part(place)
        order = Advance(name, data["move"]["way"], location=place)
        when = When(self.moment[0], self.moment[1])
        self._moved(self.moment[0], {(name, self.moment[1]): data["move"]["way"]})
        self.track.move(move_made(self.track.units[name], order, when))
        return timed(self.rulebook, self.moment, "movement", name, None)

    def _place(self, stated: Mapping[str, Any], place: Location, *, slipped: bool) -> Iterable[Finding]:
        """A ship that a file shows elsewhere than a move would lead is judged as if it had moved there."""
        if stated["ship"] not in self.track.units:  # A seeker, or a ship that was destroyed.
            return ()
        self._all_take_part(place)
        name, (hex, facing) = stated["ship"], position(stated["to"])
        unit, when = self.track.units[name], When(self.moment[0], self.moment[1])
        if hex is None or unit.hex is None:
            self.track.units[name] = replace(placed(unit, hex, facing, when.impulse), speed=None)
            self.track.stand_aside(name)
            self.track.excuse(name)
            return ()
        if hex != unit.hex:
            move = Move(name, when, unit.hex, hex, unit.facing, facing, place, slipped=slipped)
            self.track.move(move)
            outside = self.moment[1] is None  # the file does not tell when
            return () if outside else timed(self.rulebook, self.moment, "movement", name, None)
        self.track.units[name] = placed(unit, hex, facing, when.impulse)
        facings = unit.facing or "", facing or ""
        if not all(facings):
            return ()
        about = About(name, when.turn, when.impulse, place)
        early = self.rulebook.offers.seen_moves.turned_early(self.rulebook, about, facings, None)
        return [early] if early else ()

    def _form(self, entry: EntryLike) -> Iterable[Finding]:
        if "speed" in entry.data:
            name = entry.data["ship"]
            self._say_speed(name, entry.data["speed"], self._at(entry))
            if name in self.track.units and entry.seq > self._taken and not self.track.taking_part:
                self.track.ask(name)
                self._filed.add(name)
        return ()

    def _all_take_part(self, place: Location) -> None:
        """From now on the moves are in the record: those of ships that a form says the speed of are missing
        from the impulses of the turn that are over."""
        if self.track.all_take_part and not self._filed:
            return
        for name, unit in self.track.units.items():
            if unit.hex is not None:
                self.track.take_part(name)
        late = [name for name in self.track.units if name in self._filed]
        for impulse in self._over if late else ():
            self.track.left_out(impulse, late, place)
        self._filed.clear()

    def _say_speed(self, name: str, speed: int, place: Location) -> None:
        if name not in self.track.units:  # Destroyed: the fold refuses it.
            return
        self.track.set_speed(name, speed)
        self.track.judge_speeds({name: place})

    def _step_on(self, entry: EntryLike) -> Iterable[Finding]:
        data = entry.data
        to: Moment = (data["turn"], data.get("impulse"), data.get("step", ""))
        place = self._at(entry)
        track = self.track
        for turn, impulse, step in self._passed(to):
            if impulse != track.impulse or turn != track.turn:
                self._enter(turn, impulse)
            if step == self._step:
                track.end_impulse(place)
                self._over += [impulse] if impulse is not None else []
        self._enter(to[0], to[1])
        before, self.moment = self.moment, to
        if to[:2] != before[:2]:
            self._seals_hold()
        return ()

    def _enter(self, turn: int, impulse: int | None) -> None:
        if turn != self.track.turn:
            self.track.begin_turn(turn)
            self._filed.clear()
            self._over.clear()
        if impulse is not None and impulse != self.track.impulse:
            self.track.begin_impulse(impulse)

    def _passed(self, to: Moment) -> Sequence[Moment]:
        """The moments that moving on leaves behind. Whoever leaps over turns is told so by other rules."""
        before = self.moment
        if not before[0] or not self.track.asking:
            return ()
        rulebook = Same(self.rulebook)
        row, places = _moments_of(rulebook, before[0])
        first = places.get(before, 0)
        if to[0] == before[0]:
            return row[first : places.get(to, len(row))]
        # The moments of the next turn follow those of this one.
        after, others = _moments_of(rulebook, before[0] + 1)
        return row[first:] + after[: others.get(to, len(after))]

    takes: Mapping[str, Callable[[Any, EntryLike], Iterable[Finding]]] = {
        "ship": _ship,
        "events": _gone,
        "ruling": _ruling,
        "taken": _gone,
        "seal": _seal,
        "order": _order,
        "form": _form,
        "step": _step_on,
    }


@lru_cache(maxsize=64)
def _moments_of(rulebook: Same[Rulebook], turn: int) -> tuple[list[Moment], dict[Moment, int]]:
    """The moments of a turn, and where in their row each is."""
    row: list[Moment] = rulebook.held.offers.moments(rulebook.held, turn)
    return row, {moment: n for n, moment in enumerate(row)}


def move_made(unit: ShipInPlay, order: Advance, when: When) -> Move:
    """The move an order makes: turn, then one hex ahead (C3.1)."""
    if unit.hex is None or unit.facing is None:
        raise BadInput(f"{unit.name} is nowhere", hint="place it first")
    hex, facing = after(unit.hex, unit.facing, order.way)
    return Move(unit.name, when, unit.hex, hex, unit.facing, facing, order.location)


def movers_known(
    entries: Iterable[EntryLike], undone: Container[int], *, to_end: bool
) -> Callable[[Any], Collection[str] | None]:
    """Tells the ships that move in an impulse, as `movers_of`; which they are is looked up when it is first asked."""
    known = cache(lambda: movers_of(entries, undone, to_end=to_end))
    return lambda moment: known().get(moment)


def movers_of(
    entries: Iterable[EntryLike], undone: Container[int], *, to_end: bool = False
) -> dict[Any, set[str]]:
    """The ships that moved in each impulse that is over, by turn and impulse; of what is told `to_end`, in the last too."""
    now: Any = (0, None)
    moved: dict[Any, set[str]] = {}
    for entry in entries:
        if entry.seq in undone:
            continue
        if entry.type == "step":
            now = entry.data["turn"], entry.data.get("impulse")
            moved.setdefault(now, set())
        elif move := _moves(entry):
            moved.setdefault(now, set()).add(move["ship"])
    return {at: names for at, names in moved.items() if to_end or at != now}


def _moves(entry: EntryLike) -> Mapping[str, Any] | None:
    """What an entry says of a ship that comes to stand elsewhere by it."""
    data = entry.data
    put: Mapping[str, Any] | None = data.get("place") if entry.type in ("order", "ruling") else None
    if put and has_to_move(put):
        return None
    return put or (data.get("move") if entry.type == "order" else None)


def start_of(account: Account) -> When:
    """From when on it is told what fired: where the first turn that is told is no first one, what did before is not."""
    if account.kept:
        return first_moment(account.genesis)
    turns = (event.data["turn"] for event in account.events if event.type == "step")
    return When(next(filter(None, turns), 1), 1)


def speed_counted(state: GameState, name: str, turn: int) -> int | None:
    """The speed a ship said for a turn, or moves at in its impulses without a word, where others said theirs."""
    ship = state.ships[name]
    if turn in ship.speeds:
        return ship.speeds[turn]
    known = any(turn in other.speeds for other in state.ships.values())
    speed = ship.unit.speed
    counts = known and turn == state.turn and state.impulse is not None
    return int(speed) if counts and speed is not None else None
