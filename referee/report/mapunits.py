"""The units of a map picture: counters that stand beside each other in a hex, struck shields, and names out of their way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from math import cos, pi, sin

from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex
from referee.core.positions import UnitShown
from referee.core.safe import safe_line
from referee.report.hexdraw import HALF, SIDE, Point, arrowhead, side_by_side

_LETTER, _LINE = 6.7, 12.0
"""Pixels that a letter of a name is wide, and a name high."""
_REACH = 0.62 * SIDE


@frozen
class Box:
    """A part of the picture that something stands in."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Does it cover any of another?"""
        across = self.left < other.right and self.right > other.left
        return across and self.top < other.bottom and self.bottom > other.top

    def covers(self, other: Box) -> float:
        """How much of another it covers, in square pixels."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


@frozen
class _Standing:
    unit: UnitShown
    middle: Point
    scale: float

    @property
    def box(self) -> Box:
        x, y = self.middle
        reach = 0.5 * SIDE * self.scale * (1.0 if self.unit.kind == "ship" else 0.5)
        return Box(x - reach, y - reach, x + reach, y + reach)


def units_svg(
    units: Sequence[UnitShown],
    at: Callable[[Hex], Point],
    side: Mapping[str, int],
    struck: Mapping[str, Sequence[int]],
    frame: Box,
) -> tuple[list[str], list[Box]]:
    """Units with their names, what a seeker goes after, and the shields that were struck. And where the names
    stand."""
    there = _placed(units, at)
    shields = [
        (standing, number, _shield(standing, number))
        for standing in there
        for number in struck.get(standing.unit.name, ())
    ]
    taken = [*(standing.box for standing in there), *(_around(ends) for _, _, ends in shields)]
    names = list(_names(there, taken, frame))
    return [*_counters(there, shields, side), *(text for text, _ in names)], [box for _, box in names]


def _counters(
    there: Sequence[_Standing],
    shields: Sequence[tuple[_Standing, int, tuple[Point, Point]]],
    side: Mapping[str, int],
) -> Iterator[str]:
    where = {standing.unit.name: standing.middle for standing in there}
    for standing in there:
        if standing.unit.target in where:
            yield f'<polyline class="aim" points="{points((standing.middle, where[standing.unit.target]))}"/>'
    for standing, number, ends in shields:
        yield (
            f'<polyline class="struck" points="{points(ends)}">'
            f"<title>shield {number} of {shown_name(standing.unit.name)} struck</title></polyline>"
        )
    for standing in there:
        yield f"<g><title>{_shown(_tip(standing.unit), 160)}</title>{_counter(standing, side[standing.unit.side])}</g>"


def _names(there: Sequence[_Standing], taken: Sequence[Box], frame: Box) -> Iterator[tuple[str, Box]]:
    full = list(taken)
    for standing in there:
        x, y, anchor, box = _free(standing, full, frame)
        full.append(box)
        style = f' style="text-anchor: {anchor}"' if anchor != "start" else ""
        yield (
            f'<text class="name" x="{x:.1f}" y="{y:.1f}"{style}>{shown_name(standing.unit.name)}</text>',
            box,
        )


def number_box(middle: Point) -> Box:
    """Where a hex's number stands in it."""
    x, y = middle
    return Box(x - 11, y + HALF - 10, x + 11, y + HALF - 3)


def shown_name(name: str) -> str:
    """A unit's name as it stands beside it."""
    return _shown(name, 24)


def points(row: Sequence[Point]) -> str:
    """Points of a line, as a picture has them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in row)


def _shown(text: str, most: int) -> str:
    return escape(safe_line(text, most))


def _placed(units: Sequence[UnitShown], at: Callable[[Hex], Point]) -> list[_Standing]:
    """The units where they are drawn: several in a hex beside each other, and smaller."""
    crowd: dict[Hex, list[UnitShown]] = {}
    for unit in units:
        if unit.hex is not None:
            crowd.setdefault(unit.hex, []).append(unit)
    placed = {}
    for hex, together in crowd.items():
        x, y = at(hex)
        shifts, scale = side_by_side(len(together))
        for unit, (dx, dy) in zip(together, shifts, strict=True):
            placed[id(unit)] = _Standing(unit, (x + dx, y + dy), scale)
    return [placed[id(unit)] for unit in units if id(unit) in placed]


def _counter(standing: _Standing, side: int) -> str:
    """A ship as a large arrowhead, a seeker as a small one; a unit whose facing is not known as a ring."""
    if standing.unit.facing is None:
        x, y = standing.middle
        return f'<circle class="s{side}" cx="{x:.1f}" cy="{y:.1f}" r="{8 * standing.scale:.1f}"/>'
    size = 0.52 * standing.scale if standing.unit.kind == "ship" else 0.26 * max(standing.scale, 0.75)
    return arrowhead(standing.middle, standing.unit.facing, f"s{side}", size)


def _tip(unit: UnitShown) -> str:
    parts = [unit.name, unit.at, unit.side, f"speed {unit.speed}" if unit.speed else ""]
    parts += [f"after {unit.target}"] if unit.target else []
    if unit.state is not None:
        parts.append("shields " + ", ".join(f"{n}: {left}" for n, left in sorted(unit.state.shields.items())))
    return "; ".join(filter(None, parts))


def _shield(standing: _Standing, number: int) -> tuple[Point, Point]:
    """The ends of a shield: the side of the hex it covers."""
    x, y = standing.middle
    facing = FACINGS.index(standing.unit.facing) if standing.unit.facing else 0
    angle, out = pi / 3 * (facing + number - 1) - pi / 2, 0.8 * SIDE * standing.scale
    first, last = ((x + out * cos(angle + turn), y + out * sin(angle + turn)) for turn in (-pi / 7, pi / 7))
    return first, last


def _around(ends: Sequence[Point]) -> Box:
    across, down = zip(*ends, strict=True)
    return Box(min(across) - 3, min(down) - 3, max(across) + 3, max(down) + 3)


def _free(standing: _Standing, taken: Sequence[Box], frame: Box) -> tuple[float, float, str, Box]:
    """Where a name covers least of what stands there already: beside its counter, else below or above it."""
    x, y = standing.middle
    wide = _LETTER * len(safe_line(standing.unit.name, 24))
    reach = _REACH * standing.scale
    ways = (
        (x + reach, y - 6, "start"),
        (x + reach, y + 5, "start"),
        (x - reach, y - 6, "end"),
        (x - reach, y + 5, "end"),
        (x, y + reach + _LINE + 2, "middle"),
        (x, y - reach - 5, "middle"),
        (x + reach, y + 17, "start"),
        (x - reach, y + 17, "end"),
        (x + 1.5 * reach, y - 17, "start"),
        (x - 1.5 * reach, y - 17, "end"),
        (x, y + 2 * reach + 2 * _LINE, "middle"),
        (x, y - 2 * reach - _LINE, "middle"),
    )
    best: tuple[float, tuple[float, float, str, Box]] | None = None
    for left, base, anchor in ways:
        begin = left - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        box = Box(begin, base - _LINE + 2, begin + wide, base + 2)
        covered = sum(box.covers(other) for other in taken) + wide * _LINE - box.covers(frame)
        if best is None or covered < best[0] - 1e-6:
            best = covered, (left, base, anchor, box)
    assert best is not None
    return best[1]
