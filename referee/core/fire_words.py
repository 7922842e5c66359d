"""What fire does, in the words of every screen, command and report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.core.naming import how_many


def struck_text(ship: str, points: int, shield: int | None) -> str:
    """Points that are still to be marked on a ship."""
    return f"{ship} is struck for {how_many(points, 'point')} on #{shield}"


def seeker_hit_text(seeker: str, points: int, gone: bool, by: str = "") -> str:
    """Points on a seeker on its way."""
    return f"{how_many(points, 'point')} on {seeker}{by}{', which is gone' if gone else ''}"


def boxes_text(boxes: Iterable[str]) -> str:
    """Boxes as players count them: `2 lab, PH-1/A`."""
    names = Counter(map(box_name, boxes)).items()
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in names)


def box_name(box: str) -> str:
    """A box as players say it: `forward hull`; a weapon by its mark."""
    system = box.partition("/")[0]
    return box if system.upper() == system else system.replace("_", " ")
