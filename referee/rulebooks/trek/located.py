"""What damage that comes through a shield is likely to strike (trek-55), exactly, before any die."""

from __future__ import annotations

from fractions import Fraction

from referee.core.frozen import frozen
from referee.rulebooks.trek.charts import OUTPOST_CHART, Charts
from referee.rulebooks.trek.damage import location_groups, split
from referee.rulebooks.trek.shooting import halved


@frozen
class PartStruck:
    """One part of a ship: the chance that it is struck at all, and the mean points that reach it."""

    part: str
    chance: Fraction
    mean: Fraction


def location_odds(
    charts: Charts, chart: str, shield: int, kind: str, points: int, *, halve: bool, halving: str
) -> tuple[PartStruck, ...]:
    """Every part that the table of a shield names, the likeliest first. Fractions, no sampling.

    Each group of points is one roll (trek-55), an entry of two parts is divided between them (trek-58),
    and `halve` says whether entries marked x1/2 halve the damage. Points are as they reach the part:
    damage control (trek-59), the pick of a weapon (trek-66) and what a ship lacks are not counted.
    Raises KeyError for a chart or shield there is not.
    """
    rows = charts.outpost if chart == OUTPOST_CHART else charts.location[chart][shield]
    groups = location_groups(charts, kind, points)
    faces: dict[str, int] = {}
    means: dict[str, Fraction] = {}
    for cell in rows.values():
        parts = cell.effect.split("+")
        for part in parts:
            faces[part] = faces.get(part, 0) + 1
        for group in groups:
            done = halved(group, halving) if halve and cell.half else group
            shares = split(charts, done) if len(parts) > 1 else [done]
            for part, share in zip(parts, shares, strict=True):
                means[part] = means.get(part, Fraction(0)) + Fraction(share, len(rows))
    missed = {part: (1 - Fraction(count, len(rows))) ** len(groups) for part, count in faces.items()}
    struck = [PartStruck(part, 1 - missed[part], means.get(part, Fraction(0))) for part in faces]
    return tuple(sorted(struck, key=lambda row: (-row.chance, -row.mean, row.part)))
