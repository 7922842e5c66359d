"""A second geometry of the hex map, by centres and angles, to hold the exact one against.

Hexes have flat tops and sides of length 1; column CC stands 1½ to the right of the one before, and
even columns half a hex lower.
"""

from __future__ import annotations

from collections import deque
from math import atan2, degrees, hypot, isclose, sqrt

HEIGHT = sqrt(3)
SECTORS = {
    "RF": (0, 60),
    "R": (60, 120),
    "RR": (120, 180),
    "LR": (180, 240),
    "L": (240, 300),
    "LF": (300, 360),
}
CENTRED = {"FH": 0, "RP": 60, "RH": 180, "LP": 300}

Place = tuple[int, int]


def centre(place: Place) -> tuple[float, float]:
    column, row = place
    return 1.5 * column, HEIGHT * (row + (0.5 if column % 2 == 0 else 0))


def bearing(origin: Place, facing: str, other: Place) -> float:
    """Degrees clockwise from the bow."""
    (x, y), (to_x, to_y) = centre(origin), centre(other)
    return (degrees(atan2(to_x - x, y - to_y)) - 60 * "ABCDEF".index(facing)) % 360


def within(angle: float, start: float, end: float) -> bool:
    """Is an angle between two others going clockwise, both included?"""
    span, past = (end - start) % 360 or 360, (angle - start) % 360
    return past <= span or isclose(past, span, abs_tol=1e-6) or isclose(past, 360, abs_tol=1e-6)


def bears(arc: str, angle: float) -> bool:
    if arc in CENTRED:
        return within(angle, CENTRED[arc] - 90, CENTRED[arc] + 90)
    if arc.startswith("row:"):
        along = 60 * "ABCDEF".index(arc[4])
        return within(angle, along - 1e-4, along + 1e-4)
    return within(angle, *SECTORS[arc])


def shields(angle: float) -> tuple[int, ...]:
    return tuple(n + 1 for n in range(6) if within(angle, 60 * n - 30, 60 * n + 30))


def neighbours(place: Place) -> list[Place]:
    column, row = place
    near = ((column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    x, y = centre(place)
    return [p for p in near if isclose(hypot(centre(p)[0] - x, centre(p)[1] - y), HEIGHT, abs_tol=1e-6)]


def distances(start: Place, far: int) -> dict[Place, int]:
    """Every hex up to so many steps away, with the steps it takes to walk there."""
    steps, walk = {start: 0}, deque([start])
    while walk:
        here = walk.popleft()
        if steps[here] == far:
            continue
        for there in neighbours(here):
            if there not in steps:
                steps[there] = steps[here] + 1
                walk.append(there)
    return steps
