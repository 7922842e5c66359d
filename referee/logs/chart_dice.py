"""Dice on the damage chart of a log: those no shot waited for, as they fell first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.adjudicator.declared_fire import Declared
from referee.logs.dice_owners import Throw
from referee.rulebooks.base import Rulebook


def first_fallen(throws: Iterable[Throw], orders: Iterable[Declared]) -> Iterator[Throw]:
    """Dice no shot waited for, as they fell first: of such as were taken back and rolled again the first, none
    of those nobody rolled again. A die too many of whoever fired, before any for the damage chart, is a slip."""
    speakers = {order.speaker for order in orders}
    undone: list[Throw] = []
    begun = False
    for throw in throws:
        if throw.undone is not None:
            if begun or throw.player not in speakers:
                undone.append(throw)
            continue
        begun = True
        alike = (earlier for earlier in undone if _is_rolled_again(earlier, throw))
        first = next(alike, None)
        if first is not None:
            undone.remove(first)
        yield first or throw


def _is_rolled_again(first: Throw, then: Throw) -> bool:
    same = (first.count, first.sides, first.player) == (then.count, then.sides, then.player)
    return same and not first.void and then.step > (first.undone or 0)


def chart_dice(rulebook: Rulebook) -> tuple[int, int]:
    """How many dice of how many sides a point on the damage chart takes."""
    count, _, sides = str(rulebook.table("damage_chart")["dice"]).partition("d")
    return int(count), int(sides)


def on_chart(rulebook: Rulebook, throws: Iterable[Throw]) -> tuple[int, ...]:
    """The totals of dice rolled on the damage chart, point by point."""
    count, sides = chart_dice(rulebook)
    totals: list[int] = []
    throws = tuple(throws)
    if any(throw.void for throw in throws):
        return ()
    for throw in throws:
        if throw.sides in (None, sides) and throw.count % count == 0:
            faces = throw.faces
            whole = [sum(faces[n : n + count]) for n in range(0, len(faces), count)]
            totals += whole or ([throw.total] if throw.count == count else [])
    return tuple(totals)
