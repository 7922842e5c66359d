"""Moves that a unit made, as the places before and after show, and of which a play-by-play has no line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.core.gameorders import after
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.core.orders import Way

Stand = tuple[Hex, str]
"""A hex, and how a unit faces in it."""
MOST_LOST = 2
"""The moves whose lines may be lost between two places."""
_WAYS: tuple[Way, ...] = ("ahead", "left", "right")
_TO_A_SIDE: tuple[Way, ...] = ("left", "right")


def courses_between(start: Stand, hex: Hex, how: str, stated: str) -> list[tuple[Stand, ...]]:
    """The places that a unit comes to on its way to a hex, that one among them, where a line tells only its last move:
    `how` it was made, and how it is `stated` to face then, if it is. Those with the fewest turns come first; none where
    one move leads there, or more lines would be lost than may be."""
    far = true_range(start[0], hex)
    if not 1 < far <= MOST_LOST + 1 or not start[1]:
        return []
    found = [
        (*way, last)
        for way in _ways(start, hex, far - 1)
        for last in _last(way[-1], how, stated)
        if last[0] == hex
    ]
    return sorted(found, key=lambda places: _turns(start, places))


def _ways(start: Stand, hex: Hex, moves: int) -> Iterator[tuple[Stand, ...]]:
    """The ways of so many moves after which a hex is one farther."""
    for way in _WAYS:
        place = after(*start, way)
        if true_range(place[0], hex) != moves:
            continue
        if moves == 1:
            yield (place,)
        else:
            yield from ((place, *rest) for rest in _ways(place, hex, moves - 1))


def _last(start: Stand, how: str, stated: str) -> list[Stand]:
    """Where the move that a line tells may lead."""
    if how not in ("moved", "turned"):
        return []
    if stated:
        return [place for way in _WAYS if (place := after(*start, way))[1] == stated]
    return [after(*start, way) for way in (_TO_A_SIDE if how == "turned" else _WAYS[:1])]


def _turns(start: Stand, places: tuple[Stand, ...]) -> int:
    """How often a unit turns on a way."""
    facings = [start[1], *(facing for _, facing in places)]
    return sum(now != before for before, now in pairwise(facings))


def next_places(start: Stand) -> list[Stand]:
    """Where a move leads a unit, straight ahead first; nowhere where it is not known how it faces."""
    return [after(*start, way) for way in _WAYS] if start[1] else []


def turned_to(facing: str, went: str) -> str:
    """How a unit faces that went a way to one side of that ahead, if it turned; nothing where no turn leads there."""
    sixths = (FACINGS.index(went) - FACINGS.index(facing)) % len(FACINGS) if went and facing else 0
    return went if sixths in (1, len(FACINGS) - 1) else ""
