"""trek-55, what damage strikes: the exact odds against every combination of dice, thrown one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.charts import OUTPOST_CHART, charts_of
from referee.rulebooks.trek.located import location_odds

CHARTS = charts_of(load_rulebook("trek"))


@pytest.mark.parametrize("halve", [True, False])
@pytest.mark.parametrize(("kind", "groups"), [("beam", [12]), ("missile", [12]), ("plasma", [5, 5, 2])])
@pytest.mark.parametrize("shield", [1, 2, 4, 0])
def test_odds_are_those_of_every_throw(kind: str, groups: list[int], shield: int, halve: bool) -> None:
    chart = "HB" if shield else OUTPOST_CHART
    table = CHARTS.location["HB"][shield] if shield else CHARTS.outpost
    struck: Counter[str] = Counter()
    points: Counter[str] = Counter()
    throws = list(product(range(1, 11), repeat=len(groups)))
    for throw in throws:
        parts: set[str] = set()
        for die, group in zip(throw, groups, strict=True):
            cell = table[die]
            left = group // 2 if halve and cell.half else group
            names = cell.effect.split("+")
            for place, name in enumerate(names):
                share = left if len(names) == 1 else (left - left // 2 if place == 0 else left // 2)
                points[name] += share
            parts |= set(names)
        struck.update(parts)
    found = location_odds(CHARTS, chart, shield, kind, 12, halve=halve, halving="down")
    assert {row.part: row.chance for row in found} == {
        part: Fraction(count, len(throws)) for part, count in struck.items()
    }
    assert {row.part: row.mean for row in found} == {
        part: Fraction(points[part], len(throws)) for part in struck
    }
