"""How fast ships moved: a play-by-play tells no speeds, they are what the moves of a turn come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from referee.core.frozen import frozen
from referee.core.once import Same
from referee.formats.sfbol import Added, Destroyed, Fact, ImpulseBegun, Moved, Turned, Unread
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_names import Names

MOST_AMISS = 2
"""Calls in which moves may differ from a speed's for it to be that speed all the same."""
MOVES_FOR_EACH = 3
"""The moves that must fit for each that does not."""


@frozen
class SpeedMade:
    """The speed the moves of a turn come to; None where they do not tell, and why."""

    speed: int | None
    why: str = ""
    doubt: bool = False
    """Do the moves fit no one speed?"""
    may_be: tuple[int, ...] = ()
    """All speeds that fit, where it is only one of several."""


@lru_cache(maxsize=16)
def calls_of(rulebook: Same[Rulebook]) -> Mapping[int, int]:
    """The impulses on which each speed is called, as bits: bit 1 is impulse 1."""
    movement = rulebook.held.offers.movement(rulebook.held)
    return {
        speed: sum(1 << impulse for impulse in movement.chart.called(speed))
        for speed in sorted(movement.speeds)
    }


def speed_made(
    calls: Mapping[int, int], moved: int, seen: int, before: int | None, *, whole: bool
) -> SpeedMade:
    """The speed at which a ship moved on the impulses `moved`, of those `seen`; `before` is its speed till then. Of a
    turn that is not `whole` several speeds may fit: it may be any, and the one before is tried first, or the nearest."""
    fits_all = [speed for speed, called in calls.items() if called & seen == moved]
    if len(fits_all) == 1:
        return SpeedMade(fits_all[0])
    if fits_all and before is None:
        return SpeedMade(None, "the turn is not over, and its moves so far fit several speeds")
    if fits_all:
        fits_all.sort(key=lambda speed: abs(speed - (before or 0)))
        return SpeedMade(fits_all[0], may_be=tuple(fits_all))
    amiss = {speed: (called & seen ^ moved).bit_count() for speed, called in calls.items()}
    least = min(amiss.values())
    best = [speed for speed, off in amiss.items() if off == least]
    if before in best:
        best = [before]
    fits = moved.bit_count() - least
    if (
        (whole or best == [before])
        and len(best) == 1
        and least <= MOST_AMISS
        and fits >= MOVES_FOR_EACH * least
    ):
        return SpeedMade(best[0])
    nearest = (
        f"speed {best[0]} fits best, but for {least}"
        if len(best) == 1
        else f"speeds {', '.join(map(str, best[:4]))} fit alike"
    )
    return SpeedMade(None, f"its moves fit no one speed: {nearest}", doubt=True)


def steady_speeds(
    calls: Mapping[int, int],
    moved: Iterable[tuple[int, int]],
    first: tuple[int, int],
    last: tuple[int, int],
    of: int,
) -> list[int]:
    """The speeds whose calls are all impulses of `of` in a turn in which something moved, after one moment and up to
    another."""
    made: dict[int, int] = {}
    for turn, impulse in moved:
        made[turn] = made.get(turn, 0) | 1 << impulse
    rows = []
    for turn in range(first[0], last[0] + 1):
        seen = (2 << (min(last[1], of) if turn == last[0] else of)) - (
            2 << (first[1] if turn == first[0] else 0)
        )
        rows.append((seen, made.get(turn, 0) & seen))
    return [speed for speed, called in calls.items() if all(called & seen == went for seen, went in rows)]


class SpeedsMade:
    """The speeds of a game's ships, by turn: `moves` has the lines in which ships move, and which ship does; `start` is
    the turn and impulse the log begins in."""

    def __init__(
        self,
        rulebook: Rulebook,
        rows: Sequence[tuple[ImpulseBegun, Sequence[Fact]]],
        names: Names,
        moves: Mapping[int, str],
        start: tuple[int, int] = (1, 1),
    ) -> None:
        self._calls = calls_of(Same(rulebook))
        self._start = start
        self._of = int(rulebook.option("impulses"))
        self._names, self._moves = names, moves
        self._first: dict[int, int] = {}
        self._last: dict[int, int] = {}
        self._moved: dict[tuple[int, str], int] = {}
        self._gone: dict[tuple[int, str], int] = {}
        self._came: dict[tuple[int, str], int] = {}
        self._doubt: set[tuple[int, str]] = set()
        self._made: dict[tuple[str, int, int | None, bool], SpeedMade] = {}
        for (line, turn, impulse), facts in rows:
            if turn not in self._first:
                self._first[turn] = line
            self._last[turn] = impulse
            if facts:
                self._see(turn, impulse, facts)
        self._end = rows[-1][0].turn if rows else 0

    def _see(self, turn: int, impulse: int, facts: Iterable[Fact]) -> None:
        moves, moved, launched = self._moves, self._moved, self._names.launched
        for fact in facts:
            if name := moves.get(fact[0]):
                about = turn, name
                moved[about] = moved.get(about, 0) | 1 << impulse
                continue
            if isinstance(fact, Moved) and fact.ship in launched:
                continue
            if isinstance(fact, Unread):
                self._doubt.update((turn, name) for name in self._names.may_have_moved(fact.text))
            if not isinstance(fact, (Moved, Turned, Added, Destroyed)):
                continue
            fits = self._names.means(fact.name if isinstance(fact, Added) else fact.ship)
            if len(fits) != 1:
                self._doubt.update((turn, name) for name in fits)
            elif isinstance(fact, Destroyed):
                self._gone[turn, fits[0]] = impulse
            elif isinstance(fact, Added):
                self._came[turn, fits[0]] = impulse

    def of_turn(self, name: str, turn: int, before: int | None, stated: bool) -> tuple[SpeedMade, int]:
        """The speed a ship's moves of a turn come to, `before` being the one till then, and the turn's first line. Where
        it is `stated` for this turn, a turn that is not over does not tell otherwise."""
        asked = name, turn, before, stated
        if asked not in self._made:
            self._made[asked] = self._of_turn(*asked)
        return self._made[asked], self._first.get(turn, 0)

    def amiss(self, name: str, turn: int, speed: int) -> int:
        """The impulses of a turn in which a ship of some speed is called and does not move, or moves and is not called,
        as bits; none where not all of its moves may be told."""
        if turn not in self._last or (turn, name) in self._doubt:
            return 0
        seen, _ = self._seen(name, turn)
        return (self._calls.get(speed, 0) ^ self._moved.get((turn, name), 0)) & seen

    def calls(self, speed: int, impulse: int) -> bool:
        """Does an impulse call a speed?"""
        return bool(self._calls.get(speed, 0) >> impulse & 1)

    @property
    def turns(self) -> Iterable[int]:
        """The turns that are told."""
        return self._last

    def _of_turn(self, name: str, turn: int, before: int | None, stated: bool) -> SpeedMade:
        if turn not in self._last or (turn, name) in self._doubt:
            return SpeedMade(before if turn not in self._last else None)
        if stated and not self._is_whole(turn) and before is not None:
            return SpeedMade(before)
        seen, whole = self._seen(name, turn)
        return speed_made(self._calls, self._moved.get((turn, name), 0) & seen, seen, before, whole=whole)

    def _is_whole(self, turn: int) -> bool:
        """Is a turn over?"""
        return turn != self._end or self._last[turn] >= self._of

    def _seen(self, name: str, turn: int) -> tuple[int, bool]:
        """The impulses of a turn in which the moves of a ship are told, as bits, and whether they are all."""
        about = turn, name
        moved, whole = self._moved.get(about, 0), self._is_whole(turn)
        last = self._of if whole else self._last[turn]
        if not whole and not moved >> last & 1:
            last -= 1
        if gone := self._gone.get(about, 0):
            whole = False
            last = min(last, gone if moved >> gone & 1 else gone - 1)
        came = self._came.get(about, 0)
        if turn == self._start[0] and self._start[1] > 1:
            whole, came = False, max(came, self._start[1] - 1)
        return max(0, (1 << last + 1) - (1 << came + 1)), whole
