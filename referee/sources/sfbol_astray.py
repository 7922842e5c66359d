"""What in a play-by-play may explain that a seeker comes where no move leads, or is put down in another hex than that of
its ship: where anything may, nothing is held against it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from referee.core.finding import SURE, Certainty, Perhaps
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.formats.sfbol import Fact, ImpulseBegun, Moved, Turned, Unread
from referee.sources.sfbol_course import SLIPPED, Grid, Leg
from referee.sources.sfbol_haze import is_aside, is_chat, players_of
from referee.sources.sfbol_names import TOGETHER, Names, stems_of
from referee.sources.sfbol_seekers import Flight

Rows = Sequence[tuple[ImpulseBegun, Sequence[Fact]]]
_BESIDE = (0, 1, 5)
"""Sixths of a circle from the facing of a unit to the hexes that it may enter, if it slips too."""


class Excuses:
    """What may explain a strange move, by line; `of` is the number of impulses of a turn. Impulses begin `out_of_order` in
    some lines: when they do is not sure."""

    def __init__(
        self,
        facts: Sequence[Fact],
        rows: Rows,
        names: Names,
        grid: Grid,
        of: int,
        out_of_order: Sequence[int] = (),
    ) -> None:
        self._rows, self._of = rows, of
        self._begun = [begun.line for begun, _ in rows]
        self._no_reading = grid.fits <= grid.otherwise
        """Do no moves of ships tell how the hexes lie?"""
        self._unread: list[int] = []
        """Lines that are not understood, and no chat, or of a name that may be of any unit."""
        self._holding: list[int] = []
        """Those of them that have a word for what one ship does to the movement of another."""
        if names.launched:
            self._read(facts, names)
            self._unread = sorted({*self._unread, *out_of_order})

    def _read(self, facts: Sequence[Fact], names: Names) -> None:
        known, players = names.types.keys() | names.launched.keys(), players_of(facts, names)
        meant = {name: names.means(name) for name in names.written}
        unclear = {name for name, units in meant.items() if len(units) > 1 or known.isdisjoint(units)}
        for fact in facts:
            if isinstance(fact, Unread):
                if not is_chat(fact, players) and not is_aside(fact, names):
                    self._unread.append(fact.line)
                    if not TOGETHER.isdisjoint(stems_of(fact.text)):
                        self._holding.append(fact.line)
            elif unclear and isinstance(fact, (Moved, Turned)) and fact.ship in unclear:
                self._unread.append(fact.line)

    def of_move(self, flight: Flight, was: tuple[Hex, str], leg: Leg, line: int) -> Certainty:
        """How sure it is that a seeker that stood somewhere did wrong by the leg that a line tells."""
        if flight.doubted is not SURE:
            return flight.doubted
        why = (
            self._between(flight.told_at, line)
            or self._held(flight.line, line)
            or self._not_the_next_impulse(flight.told_at, line)
        )
        if not why and self._no_reading and _shifted(was[0], leg.hex) <= 1:
            why = "no ship's moves tell how the hexes lie"
        if not why and (flight.slipped or leg.how == SLIPPED):
            why = "it may have slipped, which the rules of this game do not have"
        if not why and leg.hex == was[0]:
            why = "it may only be told again how it faces"
        if not why and any(was[0].step(way) == leg.hex for way in _ways((was[1], flight.faces))):
            why = "it may have slipped, or only the facing may be wrong"
        return Perhaps(why) if why else SURE

    def of_launch(
        self, flight: Flight, hex: Hex, legs: Mapping[int, Leg], before: Sequence[Flight]
    ) -> Certainty:
        """How sure it is that a seeker was put down in another hex than that of its ship, of which these are the `legs`;
        `before` was launched by it till then."""
        if flight.doubted is not SURE:
            return flight.doubted
        first, last = self._bounds(flight.line)
        lines = list(legs)
        n = bisect_right(lines, flight.line)
        stood_at = lines[n - 1] if n else 0
        around = lines[max(bisect_left(lines, first) - 1, 0) : bisect_right(lines, last)]
        if any(legs[line].hex == hex for line in around):
            return Perhaps("its ship stands there in the same impulse")
        if n < len(lines) and legs[lines[n]].hex == hex and self._is_gap_after(flight.line):
            return Perhaps("its ship comes there next, and impulses are left out of the log")
        if any(
            "drone" not in other.type.casefold() and "plasma" not in other.type.casefold() for other in before
        ):
            return Perhaps("something else that its ship launched may have launched it")
        why = self._between(stood_at, flight.line) or self._held(0, flight.line)
        return Perhaps(why) if why else SURE

    def _bounds(self, line: int) -> tuple[int, int]:
        """The first line of the impulse of a line, and the last."""
        n = bisect_right(self._begun, line)
        first = self._begun[n - 1] if n else 0
        return first, (self._begun[n] - 1 if n < len(self._begun) else line)

    def _between(self, before: int, line: int) -> str:
        """Why a line between one and the end of the impulse of another may explain it; nothing where none does."""
        n = bisect_right(self._unread, before)
        _, last = self._bounds(line)
        if n == len(self._unread) or self._unread[n] > max(last, line):
            return ""
        return f"line {self._unread[n]} is not understood, and may explain it"

    def _held(self, before: int, line: int) -> str:
        """Why a line from one to another may have held or carried it."""
        n = bisect_right(self._holding, before)
        held = n < len(self._holding) and self._holding[n] < line
        return f"line {self._holding[n]} is not understood, and may have moved it" if held else ""

    def _not_the_next_impulse(self, before: int, line: int) -> str:
        """Why what is told in two lines may be more than the way of one impulse."""
        n, m = bisect_right(self._begun, before) - 1, bisect_right(self._begun, line) - 1
        if n < 0 or m == n:
            return "two lines of this impulse are of it"
        if m > n + 1 or self._is_gap_after(before):
            return "the last line of it is more than one impulse ago"
        return ""

    def _is_gap_after(self, line: int) -> bool:
        """Are impulses left out of the log after that of a line?"""
        n = bisect_right(self._begun, line)
        if not 0 < n < len(self._rows):
            return True
        (_, turn, impulse), now = self._rows[n - 1][0], self._rows[n][0]
        return (now.turn, now.impulse) != ((turn, impulse + 1) if impulse < self._of else (turn + 1, 1))


def _shifted(start: Hex, end: Hex) -> int:
    """How far a hex is from another by the other reading of the hexes."""
    return true_range(Hex(start.column + 1, start.row), Hex(end.column + 1, end.row))


def _ways(facings: Sequence[str]) -> set[str]:
    """The ways a unit may enter a hex that faces so."""
    there = [FACINGS.index(facing) for facing in facings if facing]
    return {FACINGS[(n + sixths) % len(FACINGS)] for n in there for sixths in _BESIDE}
