"""One game of a play-by-play as events for the one table."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.core.account import FILED, Account, Coverage
from referee.core.finding import SURE, Certainty, Perhaps
from referee.core.forms import EnergyForm
from referee.core.gameorders import way_between
from referee.core.hexgrid import true_range
from referee.core.once import Same
from referee.core.ship import ShipClass
from referee.formats.sfbol import (
    Added,
    DamageSaid,
    Destroyed,
    FieldActivated,
    Fired,
    ImpulseBegun,
    Moved,
    Turned,
    Unread,
)
from referee.formats.sfbol_games import PlayedGame
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_anew import set_up_anew
from referee.sources.sfbol_astray import Excuses
from referee.sources.sfbol_clock import speeds_known
from referee.sources.sfbol_course import (
    SLIPPED,
    TAKEN_BACK,
    Leg,
    courses_of,
    grid_of,
    impulses_of,
    is_slip,
    legs_of,
    moves_in,
    on_a_map,
    put_right,
    reading_told,
    way_of,
)
from referee.sources.sfbol_fire import may_begin
from referee.sources.sfbol_lost_lines import Happened, MovesAstray, Row, Stray
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_seekers import LAST_LINE, Flight, Launches
from referee.sources.sfbol_speeds import SpeedsMade, calls_of
from referee.sources.sfbol_strays import StraysTold
from referee.sources.sfbol_unread import outside_note
from referee.sources.sfbol_wrong_names import renamed

NO_FORM = "a play-by-play has no energy forms; give one with --form SHIP=FILE"
COVERAGE = Coverage(
    energy=NO_FORM,
    damage="which boxes are lost inside a ship is not in a play-by-play",
    steps="a play-by-play does not tell the steps of an impulse: the order of its lines does",
)
Forms = Mapping[str, EnergyForm]
"""Energy forms given beside a log, by the name of the ship."""


class Telling(StraysTold):
    """One game being told: `account` is what it tells, `findings` what is said of it beside."""

    def __init__(
        self,
        game: PlayedGame,
        names: Names,
        file: str,
        rulebook: Rulebook,
        classes: Mapping[str, ShipClass],
        forms: Forms,
        targets: Mapping[str, str],
    ) -> None:
        super().__init__(file, rulebook, classes, names, targets)
        self.game = game
        self.cut = game.cut
        self.forms = forms
        self.on_the_spot: list[int] = []
        """The lines in which ships turn where they stand."""
        self.acts: dict[int, str | Flight] = {}
        """What moves in each line, a ship by its name, where no line may be of two units."""
        self.missing: set[str] = set()
        """Ships of which it is not known where they are."""
        self.speeds_open: dict[int, tuple[int, ...]] = {}
        """The speeds that fit the moves so far, by the event that says the first of them."""
        self.account = self._account()

    def _account(self) -> Account:
        self.anew = set_up_anew(self.game.facts, self.names)
        courses = courses_of(self.game.facts, self.names)
        grid = grid_of(courses.values())
        self.findings += reading_told(grid, self.file, self.game.first)
        self.misfaced = {}
        self.legs: dict[str, dict[int, Leg]] = {}
        far: list[int] = []
        for name, rows in courses.items():
            self.legs[name] = legs_of(rows, grid, self.misfaced, far)
        facts, misnamed = renamed(self.game.facts, self.legs, far, grid, self.file)
        if misnamed:
            self.game, self.misfaced = self.game._replace(facts=facts), {}
            for name, rows in courses_of(facts, self.names).items():
                self.legs[name] = legs_of(rows, grid, self.misfaced, [])
        self.findings += misnamed
        self.findings += put_right(self.legs, self.file)
        self.launches = Launches(self.rulebook, self.classes, self.names, grid)
        self._told_fire(self.game.facts)
        self.moves = {line: name for name in self.classes for line in moves_in(self.legs[name])}
        """The lines in which ships move that are known, and which ship does."""
        for flight in self.launches.flights(self.game.facts):
            self.legs[flight.name] = flight.legs
        self.rows = impulses_of(self.game.facts)
        facts, out_of_order = self.game.facts, self.game.out_of_order
        self.excuses = Excuses(facts, self.rows, self.names, grid, self.of, out_of_order)
        first = next((fact for fact in self.game.facts if isinstance(fact, ImpulseBegun)), None)
        self.before = facts if first is None else facts[: facts.index(first)]
        self.fresh = first is None or (
            first.turn == 1 and (first.impulse == 1 or any(isinstance(f, Added) for f in self.before))
        )
        """Does the log begin with the game?"""
        self.start = (1, 1) if self.fresh or first is None else (first.turn, first.impulse)
        self.launches.find_untold(self.rows)
        self.launches.find_slow(calls_of(Same(self.rulebook)), self.of)
        self.made = SpeedsMade(self.rulebook, self.rows, self.names, self.moves, self.start)
        self._enter()
        self.played: Sequence[Row] = self.rows
        """The impulses as they are judged: with moves that are lost, and those that stand in another, put right."""
        if not self.anew and not self.names.put_twice:
            before = {name: self.speeds.get(name) for name in self.classes}
            speeds = speeds_known(self.made, before, self.start[0])
            astray = MovesAstray(
                self.rulebook, self.classes, self.rows, self.legs, self.moves, self.made, speeds
            )
            self.played = astray.put_right(self.names)
            self._say_cuts(astray.cuts)
        self._play()
        self._still_flying()
        for name, form in self.forms.items():
            seq = self._put(FILED, {"ship": name, "form": form}, 0)
            self.events[seq] = replace(self.events[seq], at=form.place, sure=SURE)
        self.findings += self.weapons.findings(self.file)
        self.findings += self.launches.findings(self.file)
        self.findings += outside_note("turns on the spot", self.on_the_spot, self.file)
        for mode, lines in self.in_other_modes.items():
            self.findings += outside_note(f"shots that reach so far only in {mode} mode", lines, self.file)
        coverage = replace(
            COVERAGE, energy="" if self.forms else NO_FORM, seekers=self.launches.flights_untold
        )
        return Account(tuple(self.events), coverage, self.file)

    def _enter(self) -> None:
        """The first entry, and the ships as they stand before the first impulse."""
        options = {
            name: self.rulebook.option(name) for name in self.rulebook.options if self.rulebook.option(name)
        }
        self._put(
            "genesis",
            {
                "format": 1,
                "fold": 2,
                "rulebook": self.rulebook.id,
                "players": list(self.players.values()) or ["player"],
                "dice": {"mode": "seed"},
                "options": options,
                "from": {
                    "file": self.file,
                    "sha256": "",
                    "lines": 10**12,
                    "turn": self.start[0],
                    "impulse": self.start[1],
                },
            },
            self.game.first,
        )
        for unread in self.before:
            if isinstance(unread, Unread):
                self.haze.takes(unread)
        put = {
            fits[0]: fact
            for fact in self.before
            if isinstance(fact, Added)
            if len(fits := self.names.means(fact.name)) == 1
        }
        set_up = {fact.line for fact in self.before}
        self.speeds: dict[str, int | None] = {}
        for name, ship in self.classes.items():
            self.shields[name] = dict(ship.shields)
            data: dict[str, Any] = {"ship": name, "class": ship.id, "player": self.players[name]}
            fact = put.get(name)
            if fact is not None:
                # A ship may be moved and turned before play begins: it stands where it stood last.
                leg = self.legs[name][max(self.legs[name].keys() & set_up)]
                if on_a_map(leg.hex):
                    data["at"] = f"{leg.hex}{leg.facing}"
                    self.here[name] = leg.hex, leg.facing
                else:
                    self._undecided(
                        "NOTE/hex", f"{leg.hex} is on no map: where it stands is not known", name, fact.line
                    )
                if twin := self.names.put_twice.get(name):
                    self._may_be_two(name, twin.line)
                elif fact.speed is not None:
                    data["speed"] = str(fact.speed)
                self.speeds[name] = None if twin else fact.speed
            if fact is None or not self.fresh:
                data["midway"] = True
            self._put("ship", data, fact.line if fact else self.game.first)

    # -- turns and impulses ------------------------------------------------------------------

    def _play(self) -> None:
        last = self.rows[-1][0] if self.rows else None
        reached = before = 0
        plain = not self.anew and self.launches.known.keys().isdisjoint(self.classes)
        known = self.launches.known
        acts = self.acts
        if plain:
            acts.update(self.moves)
            acts.update(self.launches.moved_at)
        for begun, facts in self.played:
            begun_at, turn, impulse = begun
            goes_on = turn == self.moment[0] and reached < impulse <= self.of
            if not facts and goes_on and not known and begun is not last:
                reached, before = impulse, begun_at
                continue
            if known:
                self._flights_until(begun)
            if turn != self.moment[0]:
                for number in range(self.moment[0] + 1 if self.moment[0] else turn, turn + 1):
                    self._begin(number, begun)
                reached = 0
            if impulse > self.of or impulse < reached:
                self._say_no_impulse(begun, reached)
            elif (facts or begun is last) and (self.moment[1] or 0) < impulse:
                self._step((turn, impulse, self._steps[0]), begun_at)
                if self.passing:
                    self.doubt, self.passing = SURE, False
            if impulse > reached:
                reached = impulse
            self.haze.since, before = before, begun_at
            self.ending = begun is last
            if not facts:
                continue
            units = [acts.get(fact[0], "") for fact in facts]
            if "" not in units:
                self.to_move = sum(isinstance(unit, str) for unit in units) if known else 0
                for unit, fact in zip(units, facts, strict=True):
                    self._goes(unit, fact[0])
            else:
                self._impulse(facts)
                self._settle(facts)
            for fact in facts if known and begun is not last else ():
                for name in self.launches.over_at(fact.line):
                    self._leaves(name, fact.line)

    def _goes(self, unit: str | Flight, line: int) -> None:
        """A ship moves, or something launched."""
        if isinstance(unit, str):
            self._to(unit, self.legs[unit][line], line)
            self.to_move -= 1
        else:
            self._seeker_moves(unit, line)

    def _begin(self, turn: int, begun: ImpulseBegun) -> None:
        """A turn begins: forms, then the speeds its moves come to."""
        self._step(self.rulebook.offers.moments(self.rulebook, turn)[0], begun.line)
        for name in self.classes:
            for column in self.forms[name].allocations if name in self.forms else ():
                if column.turn == turn:
                    self._file(name, column, begun.line)
        for name in self.classes:
            if name in self.dead or name in self.missing or name in self.twins:
                continue
            made, line = self.made.of_turn(name, turn, self.speeds.get(name), turn == self.start[0])
            if made.speed is not None:
                seq = self._order(name, "speed", {"ship": name, "speed": made.speed}, begun.line)
                if made.may_be:
                    self.speeds_open[seq] = made.may_be
            elif self.speeds.get(name) is not None:
                self._forget_speed(name, begun.line)
            if made.doubt:
                self._say_no_speed(name, turn, made.why, line)
            self.speeds[name] = made.speed

    def _forget_speed(self, name: str, line: int) -> None:
        """The table takes a ship to be as fast as in the turn before: one that is put down anew has no speed."""
        if name in self.here:
            hex, facing = self.here[name]
            for to in ("", f"{hex}{facing}"):
                self._order(name, "place", {"ship": name, "to": to}, line)

    def _impulse(self, facts: Sequence[Happened]) -> None:
        moves, anew = self.moves, self.anew
        # What stands after a line that may begin an impulse waits for nobody before it.
        begins = {fact.line for fact in facts if fact.__class__ is Unread and may_begin(fact.text)}
        moving = [fact.line for fact in facts if fact.line in moves]
        self.to_move = bisect_left(moving, min(begins, default=LAST_LINE))
        blocks = [
            block
            for fact in facts
            if fact.__class__ is DamageSaid
            if (block := self.fire.blocks.get(fact.line))
        ]
        self.unfired = {}
        for block in blocks:
            if not block.is_of_fire:
                self.unfired.setdefault(block.ship, []).append(block)
        for fact in facts:
            if anew and fact.line in anew:
                self._say_anew(anew[fact.line], fact.line)
            if unit := self.acts.get(fact.line):
                self._goes(unit, fact.line)
            elif isinstance(fact, (Moved, Turned, Added)):
                self._stands(fact)
            elif isinstance(fact, Fired):
                self._fires(fact)
            elif isinstance(fact, DamageSaid):
                if (block := self.fire.blocks.get(fact.line)) and block.ship in self.classes:
                    self._struck(block)
            elif isinstance(fact, Destroyed):
                self._destroyed(fact)
            elif isinstance(fact, FieldActivated):
                self.haze.activates(fact)
            elif isinstance(fact, Unread):
                for name in self.names.may_have_moved(fact.text):
                    self._out_of_sight(name, fact.line)
                self._not_understood(fact)
                if fact.line in begins:
                    self.to_move = len(moving) - bisect_right(moving, fact.line)
            elif isinstance(fact, Stray):
                self._astray(fact)

    def _stands(self, fact: Moved | Turned | Added) -> None:
        name = fact.name if isinstance(fact, Added) else fact.ship
        fits = self.names.means(name)
        if len(fits) > 1 and not isinstance(fact, Added):
            for unit in fits:
                self._out_of_sight(unit, fact.line)
        elif fits and fits[0] in self.launches.known:
            self._seeker(fits[0], fact)
        elif fits and fits[0] in self.classes and (leg := self.legs[fits[0]].get(fact.line)):
            self._to(fits[0], leg, fact.line)
        self.to_move -= fact.line in self.moves

    def _to(self, name: str, leg: Leg, line: int) -> None:
        """A ship comes to stand somewhere. Most do so by a move from where they are known to stand, with nothing in
        doubt, and that is told at once."""
        hex, facing, how, sure = leg[:4]
        stood, impulse = self.here.get(name), self.moment[1]
        doubted = sure is not SURE or self.dead or self.unsure or self.twins
        way = None
        if stood is not None and impulse is not None and not doubted and how in ("moved", "turned"):
            before, faced = stood
            if faced and facing and on_a_map(hex):
                odd = before.column % 2
                way = way_of(hex.column - before.column, hex.row - before.row, odd, faced, facing)
        if way is None:
            self._comes_to(name, leg, line)
        else:
            self.here[name] = hex, facing
            self._order(name, "move", {"ship": name, "way": way}, line)
        if line in self.misfaced and name not in self.dead:
            self._faces_otherwise(name, leg, line)
        if name in self.here and stood is not None:
            if leg.turned_from:
                self._turns_untold(name, stood[0], leg, line)
            elif leg.misplaced is not None:
                self._misplaced(name, stood[0], leg.misplaced, leg, line)

    def _comes_to(self, name: str, leg: Leg, line: int) -> None:
        if name in self.dead:
            if leg.sure is SURE and leg.how in ("moved", "turned", SLIPPED):
                self._acts_when_dead(name, line, "moves")
            elif leg.how != TAKEN_BACK:
                self._after_its_end(name, line, "moves")
            return
        if not on_a_map(leg.hex):
            self._undecided("NOTE/hex", f"{leg.hex} is on no map: where it stands is not known", name, line)
            self._out_of_sight(name, line)
            return
        if leg.how == TAKEN_BACK:
            return
        was, now = self.here.get(name), (leg.hex, leg.facing)
        self.here[name] = now
        self.missing.discard(name)
        way = None
        if was is not None and was[1] and leg.facing and leg.how in ("moved", "turned"):
            way = way_between(was, now) if self.moment[1] is not None else None
        if way is None and was == now:
            return
        # A move from where a ship stands only perhaps is as sure as that.
        sure: Certainty = leg.sure if leg.sure is not SURE else self.unsure.pop(name, SURE)
        if leg.sure is not SURE:
            self.unsure[name] = leg.sure
        if leg.how == "put" and was is not None:
            sure = Perhaps("it is put on the map again, and no reason is given")
            self._may_be_two(name, line)
            self._forget_speed(name, line)
            return
        if sure is SURE and name in self.twins:
            sure = self.twins[name]
        elif leg.how == SLIPPED and was is not None and true_range(was[0], leg.hex) <= 1:
            sure = Perhaps("a sideslip, which the rules of this game do not have")
        elif leg.how == "turned" and was is not None and was[0] == leg.hex:
            sure = Perhaps(
                "it may be a high energy or a tactical turn, which the rules of this game do not have"
            )
            self.on_the_spot.append(line)
        if way is not None:
            self._order(name, "move", {"ship": name, "way": way}, line, sure)
        else:
            slips = leg.how == SLIPPED and was is not None and was[1] == leg.facing and is_slip(was, leg.hex)
            place = {"ship": name, "to": f"{leg.hex}{leg.facing}"}
            self._order(name, "place", place, line, sure, **({"slipped": True} if slips else {}))

    def _destroyed(self, fact: Destroyed) -> None:
        fits = self.names.means(fact.ship)
        if len(fits) != 1 or fits[0] in self.dead:
            return
        if fits[0] in self.classes:
            later = self._goes_on_after(fits[0], fact.line)
            if later and fits[0] not in self.damaged:
                self._said_destroyed(fits[0], fact.line, later)
                self._forget_speed(fits[0], fact.line)
                return
            if fits[0] not in self.damaged:
                sentence = "it is destroyed, and no damage to it was recorded before"
                self._undecided("NOTE/destroyed", sentence, fits[0], fact.line)
            self._taken(
                f"{fits[0]} is destroyed",
                [{"ship": fits[0], "event": "ship_destroyed", "by_rule": ""}],
                fact.line,
            )
            self.dead[fits[0]] = self.moment[:2]
        elif fits[0] in self.launches.known:
            self.launches.shot_down(fits[0])
            self._leaves(fits[0], fact.line)

    def _goes_on_after(self, name: str, line: int) -> int:
        """The first line in which a ship moves in a later impulse than that of a line; 0 where it does not."""
        over = next((begun.line for begun, _ in self.rows if begun.line > line), LAST_LINE)
        return next((moved for moved in moves_in(self.legs[name]) if moved > over), 0)
