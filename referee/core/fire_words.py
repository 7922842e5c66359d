"""Fire in the words of every screen, command and report: a shot, a volley, the boxes it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.core.combat import ShotResult, rolls_that_hit
from referee.core.naming import how_many


def shot_text(
    shot: str, came: str, range: int | None, counts_as: int | None, needed: int | None, die: int | None
) -> str:
    """A shot (`War PH-1/A at Kestrel`): its range, what it needed, the die, and what came of it."""
    facts = []
    if range is not None:
        facts.append(f"range {range}" + (f" (counts as {counts_as})" if counts_as != range else ""))
    facts += [f"needs {rolls_that_hit(needed)}"] if needed is not None else []
    facts += [f"die {die}"] if die is not None else []
    return ": ".join(filter(None, (shot, ", ".join(facts), came)))


def shot_line(result: ShotResult, *, on_ship: bool) -> str:
    """A shot in words; a seeker has no shields."""
    shot = " at ".join(filter(None, (f"{result.firer} {result.weapon}".strip(), result.target)))
    came = shot_came_to(result.hit, result.damage, result.shield if on_ship else None, result.needed)
    return shot_text(shot, came, result.true_range, result.effective_range, result.needed, result.roll)


def shot_came_to(hit: bool, damage: int, shield: int | None, needed: int | None) -> str:
    """Hit or miss, the points, and the shield they strike; a seeker has none."""
    if damage:
        return f"hit, {how_many(damage, 'point')}{f' on #{shield}' if shield else ''}"
    return "no damage" if hit or needed is None else "miss"


def volley_text(
    ship: str,
    points: int,
    shield: int | None,
    took: Iterable[str],
    inside: str,
    destroyed: bool,
    by: str = "",
) -> str:
    """A volley: whose it is, what `took` points off it, and what came through."""
    on = (f" on #{shield}" if shield else "") + (f" from {by}" if by else "")
    parts = ", ".join((*took, inside or "nothing inside"))
    return f"{ship}: {how_many(points, 'point')}{on}: {parts}{'; destroyed' * destroyed}"


def struck_text(ship: str, points: int, shield: int | None) -> str:
    """Points that are still to be marked on a ship."""
    return f"{ship} is struck for {how_many(points, 'point')} on #{shield}"


def seeker_hit_text(seeker: str, points: int, gone: bool, by: str = "") -> str:
    """Points on a seeker on its way."""
    of = f" from {by}" if by else ""
    return f"{how_many(points, 'point')} on {seeker}{of}{', which is gone' if gone else ''}"


def inside_text(boxes: Sequence[str]) -> str:
    """The boxes that came through: `3 inside: 2 lab, PH-1/A`."""
    return f"{len(boxes)} inside: {boxes_text(boxes)}" if boxes else ""


def boxes_text(boxes: Iterable[str]) -> str:
    """Boxes as players count them: `2 lab, PH-1/A`."""
    names = Counter(map(box_name, boxes)).items()
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in names)


def box_name(box: str) -> str:
    """A box as players say it: `forward hull`; a weapon by its mark."""
    system = box.partition("/")[0]
    return box if system.upper() == system else system.replace("_", " ")
