"""Damage that was marked on the display of another ship than the one it struck (D4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.adjudicator.hits_on_ship import Strike
from referee.adjudicator.repairs import Marking
from referee.core.frozen import frozen

Strikes = Mapping[str, Sequence[Strike]]
Marks = Mapping[str, Sequence[Marking]]


@frozen
class Mismarked:
    """Marks on one ship's display that are another's: what struck it, and what was marked elsewhere."""

    struck: str
    strike: Strike
    marked: str
    marks: tuple[Marking, ...]


def mismarked(strikes: Strikes, marks: Marks) -> Iterator[Mismarked]:
    """What was marked on a ship that nothing struck, in the impulse in which just so many points struck another
    that shows none of them. `strikes` and `marks` are those of ships whose displays show their shields."""
    taken: set[tuple[str, int]] = set()
    for struck, row in strikes.items():
        for strike in row:
            if not strike.points or strike.why or _marked_since(strike, row, marks[struck]):
                continue
            for other in marks:
                own = [mark for mark in marks[other] if (other, mark.step) not in taken]
                found = _meant(strike, strikes.get(other, ()), own) if other != struck else ()
                if found:
                    taken |= {(other, mark.step) for mark in found}
                    yield Mismarked(struck, strike, other, found)
                    break


def _marked_since(strike: Strike, strikes: Sequence[Strike], marks: Sequence[Marking]) -> bool:
    """Was anything marked on the ship before it was struck again?"""
    again = min((other.step for other in strikes if other.step > strike.step), default=None)
    return any(mark.step > strike.step and (again is None or mark.step < again) for mark in marks)


def _meant(strike: Strike, strikes: Sequence[Strike], marks: Sequence[Marking]) -> tuple[Marking, ...]:
    """The marks on a ship, in the impulse of a strike at another, that come to just its points and are for
    nothing that struck the ship itself; none where they are taken off again."""
    own = [other for other in strikes if other.points or other.why]
    if any(other.when == strike.when for other in own):
        return ()
    found = tuple(mark for mark in marks if mark.step > strike.step and mark.when == strike.when)
    if not found or sum(map(_lost, found)) != strike.points:
        return ()
    earlier = max((other.step for other in own if other.step < found[0].step), default=None)
    waits = earlier is not None and not any(earlier < mark.step < found[0].step for mark in marks)
    restored = any(_restores(mark) for mark in marks if mark.step >= found[0].step)
    return () if waits or restored else found


def _lost(mark: Marking) -> int:
    shields = sum(
        max(0, left - mark.after.shields.get(number, 0)) for number, left in mark.before.shields.items()
    )
    return shields + len(mark.after.destroyed - mark.before.destroyed)


def _restores(mark: Marking) -> bool:
    stronger = any(mark.after.shields.get(n, 0) > left for n, left in mark.before.shields.items())
    return stronger or bool(mark.before.destroyed - mark.after.destroyed)
