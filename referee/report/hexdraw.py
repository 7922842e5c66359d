"""Hexes and what stands in them as parts of an SVG picture."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from referee.core.hexgrid import FACINGS, Hex

SIDE = 26.0
"""Length of a hex side, in pixels."""

Point = tuple[float, float]
HALF = SIDE * sqrt(3) / 2
"""Half of a hex's height, in pixels."""


def hex_middle(hex: Hex) -> tuple[float, float]:
    """The middle of a hex: columns side by side, odd ones half a hex higher."""
    return hex.column * 1.5 * SIDE, (hex.row * 2 + (hex.column % 2 == 0)) * HALF


def side_by_side(count: int) -> tuple[list[Point], float]:
    """Where so many counters stand in one hex, from its middle, and how large they are drawn there."""
    if count < 2:
        return [(0.0, 0.0)] * count, 1.0
    if count == 2:
        return [(-9.0, 0.0), (9.0, 0.0)], 0.8
    out, scale = 0.46 * SIDE, max(0.3, 1.9 / (count + 0.3))
    turns = [2 * pi * n / count - pi / 2 for n in range(count)]
    return [(out * cos(turn), out * sin(turn)) for turn in turns], min(scale, 0.62)


def hex_side(middle: Point, facing: int) -> tuple[Point, Point]:
    """The ends of the side of a hex that lies in a facing, counted from A as 0."""
    x, y = middle
    first, last = (
        (x + SIDE * cos(turn), y + SIDE * sin(turn))
        for turn in (pi / 3 * (facing - 2), pi / 3 * (facing - 1))
    )
    return first, last


def hexagon(middle: tuple[float, float], kind: str) -> str:
    """A hex as a polygon of a class of the style."""
    x, y = middle
    left, right, near, far = (
        f"{x - SIDE / 2:.1f}",
        f"{x + SIDE / 2:.1f}",
        f"{x - SIDE:.1f}",
        f"{x + SIDE:.1f}",
    )
    top, bottom, level = f"{y - HALF:.1f}", f"{y + HALF:.1f}", f"{y:.1f}"
    corners = f"{far},{level} {right},{bottom} {left},{bottom} {near},{level} {left},{top} {right},{top}"
    return f'<polygon class="{kind}" points="{corners}"/>'


def hex_number(name: str, middle: tuple[float, float]) -> str:
    """A hex's name, low enough for a unit to stand above it."""
    x, y = middle
    return f'<text x="{x:.1f}" y="{y + HALF - 3:.1f}">{name}</text>'


def arrowhead(middle: tuple[float, float], facing: str, kind: str, size: float) -> str:
    """An arrowhead in the middle of a hex that points as a facing does; its size is in sides."""
    x, y = middle
    angle = pi / 3 * FACINGS.index(facing) - pi / 2
    tips = (
        (size, 0.0),
        (-size * 0.9, size * 0.6),
        (-size * 0.5, 0.0),
        (-size * 0.9, -size * 0.6),
    )
    turned = (
        (x + SIDE * (a * cos(angle) - b * sin(angle)), y + SIDE * (a * sin(angle) + b * cos(angle)))
        for a, b in tips
    )
    return f'<polygon class="{kind}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in turned)}"/>'
