"""Where things lie as seen from a ship: shields struck, arcs, and what stands between."""

from __future__ import annotations

from typing import Literal

from referee.core.hexgrid import Hex, Offset, relative_offset, struck_shields, true_range

SIDES = 6
Shadow = Literal["clear", "edge", "shadow"]
_CORNERS = ((2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2))
"""The corners of a hex from its centre, in thirds."""


def shields_towards(hex: Hex, facing: str, other: Hex) -> tuple[int, ...]:
    """The shields of a ship that face another hex: one, or two on a corner, none in the same hex.

    The core counts shields clockwise from the bow; here 1 is the front left one, so the bow is 2.
    """
    offset = relative_offset(hex, facing, other)
    return tuple(sorted(number % SIDES + 1 for number in struck_shields(offset)))


def shadow(start: Hex, end: Hex, obstacles: frozenset[Hex]) -> Shadow:
    """Does the line from centre to centre pass through an obstacle, or only along its edge?"""
    found: Shadow = "clear"
    for hex in obstacles - {start, end}:
        if true_range(start, hex) + true_range(hex, end) != true_range(start, end):
            continue
        sides = sorted(_sides_of_line(start.offset_to(end), start.offset_to(hex)))
        if sides[0] < 0 < sides[-1]:
            return "shadow"
        if sides.count(0) > 1:
            found = "edge"
    return found


def _sides_of_line(line: Offset, hex: Offset) -> list[int]:
    """On which side of a line each corner of a hex lies, by the sign; in thirds of a hex."""
    return [line.x * (3 * hex.z + z) - line.z * (3 * hex.x + x) for x, z in _CORNERS]
