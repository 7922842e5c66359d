"""Lines of ships' moves that a play-by-play lacks, or has in another impulse than the one that calls for them: each is
found once, and what follows is judged as if they stood where they belong."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from referee.core.hexgrid import true_range
from referee.core.play import ShipInPlay
from referee.core.ship import ShipClass
from referee.formats.sfbol import Fact, Fired, ImpulseBegun
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_course import Leg
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_speeds import SpeedsMade
from referee.sources.sfbol_untold import Stand, next_places

NO_LINE = 0
"""What stands between the lines has none of its own."""


class LineLost(NamedTuple):
    """A move of which there is no line: the ship, the first line that shows it, where the move leads, and why that is
    known."""

    line: int
    ship: str
    at: int
    to: Stand
    speed: int
    shown: str


class OutOfPlace(NamedTuple):
    """A line, `at` some place, of a move that another impulse calls for than the one in which it stands."""

    line: int
    ship: str
    at: int
    called: int
    speed: int


class InDoubt(NamedTuple):
    """From here on it is not sure where a ship stands, and why; where nothing says why, it is sure again."""

    line: int
    ship: str
    why: str = ""


class OutOfSight(NamedTuple):
    """A ship moves while lines are missing: where it is is not known till a line says so."""

    line: int
    ship: str


class SpeedAgain(NamedTuple):
    """A ship is told of again, and its speed is still known."""

    line: int
    ship: str
    at: int
    speed: int


class Cut(NamedTuple):
    """A piece that is missing between two impulses: the line the next one begins in, and what is left out."""

    line: int
    turn: int
    impulse: int
    left_out: int


TOLD_EACH = 8
"""Of so many impulses that begin, at most one leaves others out before it where a log tells each of them."""
Stray = (LineLost, OutOfPlace, InDoubt, OutOfSight, SpeedAgain)
"""What is no fact of the log."""
Happened = OutOfSight | SpeedAgain | Fact | LineLost | OutOfPlace | InDoubt
Row = tuple[ImpulseBegun, Sequence[Happened]]
Moment = tuple[int, int]


class _Move(NamedTuple):
    """A ship's move as it is told: when, in which line, and the moves before it of which there is none."""

    at: Moment
    line: int
    leg: Leg


class MovesAstray:
    """Finds the lines of moves that are lost or out of place, and puts right the impulses of a game; `speeds` has those
    of each ship, by turn, as far as its moves tell them for certain."""

    def __init__(
        self,
        rulebook: Rulebook,
        classes: Mapping[str, ShipClass],
        rows: Sequence[tuple[ImpulseBegun, list[Fact]]],
        legs: Mapping[str, Mapping[int, Leg]],
        moves: Mapping[int, str],
        made: SpeedsMade,
        speeds: Mapping[str, Mapping[int, int]],
    ) -> None:
        self._movement: Any = rulebook.offers.movement(rulebook)
        self._classes, self._legs, self._moves, self._made = classes, legs, moves, made
        self._rows, self._speeds = rows, speeds
        self._places = {(begun.turn, begun.impulse): n for n, (begun, _) in enumerate(rows)}
        self._new: dict[int, list[Happened]] = {}
        """The impulses that are put right, by their place in the row."""
        self._of = int(rulebook.option("impulses"))
        self._found_again: set[tuple[str, int]] = set()
        """The first moves of ships after missing pieces, by their lines."""
        self._lines: dict[str, list[int]] = {}
        """The lines of each ship's places."""
        self.cuts: list[Cut] = []
        """The pieces of the log that are missing."""

    def put_right(self, names: Names) -> Sequence[Row]:
        """The impulses of the game, as they are judged."""
        self._names = names
        if len(self._places) < len(self._rows) or sorted(self._places) != list(self._places):
            return self._rows  # The clock goes back, and that is said.
        missed_by: dict[str, list[Moment]] = {}
        turns = list(self._made.turns)
        for name, of_turn in self._speeds.items():
            missed = {
                (turn, impulse)
                for turn, speed in of_turn.items()
                if (amiss := self._made.amiss(name, turn, speed))
                for impulse in range(1, amiss.bit_length())
                if amiss >> impulse & 1 and self._made.calls(speed, impulse)
            }
            open_turns = len(of_turn) < len(turns)
            if missed or open_turns or any(leg.lost for leg in self._legs[name].values()):
                missed_by[name] = sorted(missed)
        if missed_by:
            self._find_cuts(missed_by)
        for name, left in missed_by.items():
            self._of_ship(name, self._speeds[name], left)
        if not self._new:
            return self._rows
        return [(begun, self._new.get(n, facts)) for n, (begun, facts) in enumerate(self._rows)]

    def _of_ship(self, name: str, speeds: Mapping[int, int], missed: list[Moment]) -> None:
        made = self._moves_of(name)
        pairs = self._pairs(made, speeds, missed)
        for move, to in pairs:
            self._shift(name, move, to, speeds[to[0]])
        met = {to for _, to in pairs}
        missed = [at for at in missed if at not in met]
        for before, after in zip([None, *made], [*made, None], strict=True):
            since = before.at if before else (0, 0)
            until = after.at if after else (10**9, 0)
            open_ = missed[bisect_right(missed, since) : bisect_left(missed, until)]
            if after is not None and (name, after.line) in self._found_again:
                continue
            if after is not None and after.leg.lost:
                self._leap(name, before, after, open_, speeds)
            elif after is None and open_:
                self._never_moves_again(name, before, open_, speeds)

    def _moves_of(self, name: str) -> list[_Move]:
        """The moves that are told of a ship, in their order."""
        legs = self._legs[name]
        return [
            _Move((begun.turn, begun.impulse), fact.line, legs[fact.line])
            for begun, facts in self._rows
            for fact in facts
            if self._moves.get(fact.line) == name
        ]

    def _pairs(
        self, made: Sequence[_Move], speeds: Mapping[int, int], missed: Sequence[Moment]
    ) -> list[tuple[_Move, Moment]]:
        """Moves in impulses that do not call for them, each with the impulse that does and in which none is told: no
        other move lies between."""
        pairs: list[tuple[_Move, Moment]] = []
        by_turn: dict[int, list[Moment]] = {}
        for at in missed:
            by_turn.setdefault(at[0], []).append(at)
        for n, move in enumerate(made):
            turn, impulse = move.at
            before = made[n - 1].at if n else (0, 0)
            after = made[n + 1].at if n + 1 < len(made) else (10**9, 0)
            twice = move.at in (before, after)
            if turn not in speeds or (not twice and self._made.calls(speeds[turn], impulse)):
                continue
            open_ = by_turn.get(turn, [])
            early = [at for at in open_ if move.at < at < after]
            late = [at for at in open_ if before < at < move.at]
            # Of two moves in one impulse the last is early, or the first is late.
            to = late[-1] if late else early[0] if early else None
            if to is not None and not move.leg.lost:
                open_.remove(to)
                pairs.append((move, to))
        return pairs

    # -- missing pieces ----------------------------------------------------------------------

    def _find_cuts(self, missed_by: dict[str, list[Moment]]) -> None:
        """Finds where impulses are left out in which ships moved: what they are called for there is not held against
        them."""
        now = [(begun.turn, begun.impulse) for begun, _ in self._rows]
        out = [n for n in range(len(now) - 1) if self._between(now[n], now[n + 1])]
        if len(out) * TOLD_EACH > len(now):
            return
        moves = {name: self._moves_of(name) for name in missed_by}
        excused: dict[str, set[Moment]] = {name: set() for name in missed_by}
        for n in out:
            around = {name: _around(made, now[n + 1]) for name, made in moves.items()}
            leaps = {name for name, (_, after) in around.items() if after and self._leaps(name, after)}
            if not leaps:
                continue
            line, turn, impulse = self._rows[n + 1][0]
            self.cuts.append(Cut(line, turn, impulse, self._between(now[n], now[n + 1])))
            for name, (before, after) in around.items():
                missed = missed_by[name]
                left_out = missed[bisect_left(missed, now[n]) : bisect_left(missed, now[n + 1])]
                if left_out or name in leaps:
                    self._out_of_sight(name, n, before, after)
                    excused[name].update(left_out)
        for name, left_out_of in excused.items():
            missed_by[name] = [at for at in missed_by[name] if at not in left_out_of]

    def _leaps(self, name: str, move: _Move) -> bool:
        """Does a move lead farther than one hex from where a ship was told to be?"""
        stood = self._stood(name, move.line)
        return stood is not None and true_range(stood[0], move.leg.hex) > 1

    def _between(self, before: Moment, after: Moment) -> int:
        """The impulses between two moments."""
        return (after[0] - before[0]) * self._of + after[1] - before[1] - 1

    def _out_of_sight(self, name: str, n: int, before: _Move | None, after: _Move | None) -> None:
        """A ship is out of sight from its last move before a missing piece to the first one after it."""
        begun, _ = self._rows[n]
        facts = self._facts((begun.turn, begun.impulse))
        line = before.line if before is not None else 0
        k = next((k + 1 for k, fact in enumerate(facts) if fact.line == line), 0)
        facts.insert(k, OutOfSight(NO_LINE, name))
        if after is None:
            return
        self._found_again.add((name, after.line))
        speed = self._speeds[name].get(after.at[0])
        if speed is not None:
            facts = self._facts(after.at)
            k = next(k for k, fact in enumerate(facts) if fact.line == after.line)
            facts.insert(k + 1, SpeedAgain(NO_LINE, name, after.line, speed))

    # -- impulses put right ------------------------------------------------------------------

    def _facts(self, at: Moment) -> list[Happened]:
        n = self._places[at]
        if n not in self._new:
            self._new[n] = list(self._rows[n][1])
        return self._new[n]

    def _shift(self, name: str, move: _Move, to: Moment, speed: int) -> None:
        """A line goes to the impulse that calls for the move; in between it is not sure where the ship stands."""
        if to not in self._places:
            return
        here = self._facts(move.at)
        n = next(n for n, fact in enumerate(here) if fact.line == move.line)
        fact = here[n]
        out = OutOfPlace(NO_LINE, name, move.line, to[1], speed)
        why = f"its move of line {move.line} stands in another impulse than the one that calls for it"
        here[n : n + 1] = [out, InDoubt(NO_LINE, name, why)] if to > move.at else [out]
        there = self._facts(to)
        k = self._place_in(there, name, to[0], speed)
        there[k:k] = [fact] if to > move.at else [fact, InDoubt(NO_LINE, name, why)]

    def _place_in(self, facts: Sequence[Happened], name: str, turn: int, speed: int) -> int:
        """Where the move of a ship comes among those of an impulse."""
        own = self._rating(name, speed)
        last = 0
        for n, fact in enumerate(facts):
            other = fact.ship if isinstance(fact, LineLost) else self._moves.get(fact.line)
            if other is None or other == name:
                continue
            others = self._speeds[other].get(turn)
            theirs = self._rating(other, others) if others is not None else None
            if own is not None and theirs is not None and own < theirs:
                return n
            last = n + 1
        return last

    def _rating(self, name: str, speed: int) -> Any:
        return self._movement.rating(
            self._classes[name], ShipInPlay(name, self._classes[name].id, speed=speed)
        )

    def _lose(self, name: str, at: Moment, to: Stand, speed: int, shown: str) -> None:
        if at in self._places:
            n = self._places[at]
            line = self._rows[n + 1][0].line if n + 1 < len(self._rows) else self._rows[n][0].line
            facts = self._facts(at)
            k = self._place_in(facts, name, at[0], speed)
            facts[k:k] = [LineLost(NO_LINE, name, line, to, speed, shown)]

    def _leap(
        self,
        name: str,
        before: _Move | None,
        after: _Move,
        missed: Sequence[Moment],
        speeds: Mapping[int, int],
    ) -> None:
        """A ship is told to be where several moves lead from where it stood. Where it was called for as many as have no
        line, these are taken to be lost; else nobody knows when it went."""
        lost = after.leg.lost
        if len(missed) == len(lost) and all(at[0] in speeds for at in missed):
            where = self._stood(name, after.line)
            by_range = self._borne_out(name, missed[0], after.line, where, lost) if where else 0
            for at, to in zip(missed, lost, strict=True):
                ranged = f", and the range of line {by_range} is that from there:" if by_range else ":"
                shown = f"line {after.line} has it where that move leads{ranged} only its line may be missing"
                self._lose(name, at, to, speeds[at[0]], shown)
        elif before is not None:
            why = f"line {after.line} shows that it moved meanwhile, and no line says so"
            facts, n = self._at(before)
            facts.insert(n + 1, InDoubt(NO_LINE, name, why))
            facts, n = self._at(after)
            facts.insert(n, InDoubt(NO_LINE, name))

    def _at(self, move: _Move) -> tuple[list[Happened], int]:
        """The impulse a move stands in, and its place there; the first where its line stands in another one."""
        facts = self._facts(move.at)
        return facts, next((n for n, fact in enumerate(facts) if fact.line == move.line), 0)

    def _never_moves_again(
        self, name: str, before: _Move | None, missed: Sequence[Moment], speeds: Mapping[int, int]
    ) -> None:
        """No move is told of a ship where it is called, nor any later: the range of a shot may tell that it moved."""
        at = missed[0]
        line = self._rows[self._places[at]][0].line if at in self._places else 0
        where = self._stood(name, line) if line else None
        if where is None:
            return
        for place in next_places(where) if len(missed) == 1 else ():
            if by_range := self._borne_out(name, at, 10**9, where, (place,)):
                shown = f"the range of line {by_range} is that from where the move leads: only its line may be missing"
                self._lose(name, at, place, speeds[at[0]], shown)
                return
        why = f"impulse {at[1]} calls for a move of it, and no line tells one"
        self._facts(at).insert(0, InDoubt(NO_LINE, name, why))

    def _stood(self, name: str, line: int) -> Stand | None:
        """Where a ship was told to be before a line."""
        if name not in self._lines:
            self._lines[name] = sorted(self._legs[name])
        n = bisect_left(self._lines[name], line)
        leg = self._legs[name][self._lines[name][n - 1]] if n else None
        return None if leg is None else (leg.hex, leg.facing)

    def _borne_out(self, name: str, since: Moment, until: int, was: Stand, lost: Sequence[Stand]) -> int:
        """The first line of a shot whose range is that from one of the places a ship came to, and from where it was is
        not; 0 where there is none, or one that says otherwise."""
        found = 0
        for reach, line, other in self._shots(name, since, until):
            stands = self._stood(other, line)
            if stands is None:
                continue
            from_there = {true_range(place[0], stands[0]) for place in lost}
            stayed = true_range(was[0], stands[0])
            if reach in from_there and reach != stayed:
                found = found or line
            elif reach == stayed and reach not in from_there:
                return 0
        return found

    def _shots(self, name: str, since: Moment, until: int) -> Iterator[tuple[int, int, str]]:
        """The ranges that are stated of shots of a ship, or at it: each with its line and the other ship."""
        for _, facts in self._rows[self._places.get(since, 0) :]:
            for fact in facts:
                if fact.line >= until:
                    return
                if isinstance(fact, Fired):
                    units = [self._names.means(each) for each in (fact.ship, fact.target)]
                    named = [fits[0] for fits in units if len(fits) == 1]
                    others = [each for each in named if each != name and each in self._legs]
                    if name in named and len(others) == 1:
                        yield fact.range, fact.line, others[0]


def _around(made: Sequence[_Move], at: Moment) -> tuple[_Move | None, _Move | None]:
    """The last of some moves before a moment, and the first from then on."""
    n = bisect_left(made, at, key=lambda move: move.at)
    return made[n - 1] if n else None, made[n] if n < len(made) else None
