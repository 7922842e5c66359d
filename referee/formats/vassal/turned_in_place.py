"""Counters that were turned without moving and turned back later: in which steps they faced the wrong way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.core.frozen import frozen
from referee.formats.vassal.course import Change, Stand


@frozen
class TurnInPlace:
    """A counter turned in an impulse in which it did not move, and turned back, or to the facing it moved with, in
    a later one: `first` is the first turn, `back` the one that ended it. It truly stood as `true` says."""

    first: Change
    back: Change
    true: Stand

    def covers(self, step: int) -> bool:
        """Did the counter face the wrong way after a step?"""
        return self.first.step <= step < self.back.step


def turns_in_place(changes: Iterable[Change]) -> Iterator[TurnInPlace]:
    """The turns in place among the changes of a counter, in order. One that it moved along with is none."""
    run: list[Change] = []
    hop: Change | None = None
    for change in changes:
        if change.before.hex == change.after.hex:
            # What is turned after a move, in its impulse, is a turn of that move.
            if hop is None or hop.clock.moment != change.clock.moment:
                run.append(change)
            continue
        yield from _turns_in_place(run, change)
        run, hop = [], change
    yield from _turns_in_place(run, None)


def _turns_in_place(run: Sequence[Change], move: Change | None) -> Iterator[TurnInPlace]:
    """The turns in place among the turns in a hex that a `move` ends."""
    if len(run) < 2:
        return
    true, first = run[0].before, None
    called = move.clock.moment if move and move.after.hex is not None else None
    for change in run:
        away = change.after.facing != true.facing
        if first is None:
            first = change if away else None
            continue
        here, there = first.clock.moment, change.clock.moment
        if away and (there != called or there == here):
            continue
        if None not in (true.hex, true.facing, here, there) and here != there:
            yield TurnInPlace(first, change, true)
        if away:
            return  # that is the turn of the move
        first = None
