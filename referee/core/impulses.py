"""The impulse chart: on which impulses of a turn a unit of some speed moves (C1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from referee.core.frozen import frozen
from referee.core.once import Same


def moves_on(speed: int, impulse: int, of: int) -> bool:
    """Does a unit that moves `speed` hexes in a turn of `of` impulses move on this one?

    Its hexes are spread evenly and as late as they can be: it moves whenever the whole number of
    hexes it should have moved by now grows.
    """
    return impulse * speed // of > (impulse - 1) * speed // of


def called_impulses(speed: int, of: int) -> tuple[int, ...]:
    """The impulses of a turn on which a unit moves, by the formula."""
    return tuple(impulse for impulse in range(1, of + 1) if moves_on(speed, impulse, of))


@frozen
class ImpulseChart:
    """A printed chart: the speeds called on each impulse, impulse 1 first."""

    of: int
    speeds: tuple[frozenset[int], ...]

    def calls(self, speed: int, impulse: int) -> bool:
        """Is a unit of this speed called to move on this impulse?"""
        return 0 < impulse <= self.of and speed in self.speeds[impulse - 1]

    def called(self, speed: int) -> tuple[int, ...]:
        """The impulses on which a unit of this speed is called."""
        return _called(Same(self), speed)


@lru_cache(maxsize=1 << 10)
def _called(chart: Same[ImpulseChart], speed: int) -> tuple[int, ...]:
    return tuple(n for n, speeds in enumerate(chart.held.speeds, 1) if speed in speeds)


def chart_from_table(charts: Mapping[str, Any], of: int) -> ImpulseChart:
    """The chart of so many impulses from the table `movement`, its `charts`. Raises KeyError for others."""
    return _chart(Same(charts), of)


@lru_cache(maxsize=16)
def _chart(charts: Same[Mapping[str, Any]], of: int) -> ImpulseChart:
    rows = charts.held[str(of)]["speeds_by_impulse"]
    return ImpulseChart(of, tuple(frozenset(rows[str(impulse)]) for impulse in range(1, of + 1)))
