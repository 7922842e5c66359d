"""Odds of any volley: chances add up, boxes are conserved, more damage is never better."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from referee.chances.document import odds_document
from referee.chances.exact import BeyondBudget
from referee.chances.forecast import Forecast, Inquiry, Sampling
from tests.conftest import examples
from tests.unit.chances.volleys import any_inquiry

SEEDS = st.integers(0, 10_000)


def _few_points(seed: int, most: int) -> Inquiry:
    from dataclasses import replace

    asked = any_inquiry(Random(seed))
    points = 1 + seed % most
    order = replace(asked.order, points=points, shield=None, internal=True, origins=asked.order.origins[:1])
    return replace(asked, order=order, curve=True)


@examples(30)
@given(SEEDS)
def test_every_point_costs_a_box_or_the_ship(seed: int) -> None:
    """On average as many boxes are lost as points scored, but those that destroy the ship or come after."""
    forecast = Forecast(_few_points(seed, 6))
    try:
        found = forecast.exact(20_000)
    except BeyondBudget:
        return
    for at, points in enumerate(found.facts.points):
        weights = found.weights[at]
        assert all(sum(row) == weights.total for row in weights.left)
        inside = dict(found.facts.quantities).keys() - {"armor"}
        names = [name for name, _ in found.facts.printed if name in inside]
        lost = sum((found.count(name, at).mean_lost for name in names), Fraction(0))
        assert lost <= points
        if not weights.destroyed:
            assert lost == points
    losses = [found.count("power", at).mean_lost for at in range(len(found.weights))]
    assert losses == sorted(losses)


@examples(10)
@given(SEEDS)
def test_samples_add_up(seed: int) -> None:
    forecast = Forecast(any_inquiry(Random(seed)))
    if not forecast.asker.rows:
        return
    found = forecast.sampled(Sampling(str(seed), 4096))
    weights = found.weights[-1]
    assert weights.total == 4096
    assert all(sum(row) == 4096 for row in weights.left)
    document = odds_document(found)
    for chances in document["distribution"].values():
        assert abs(sum(chances.values()) - 1) < 1e-9
    assert all(0 <= chance <= 1 for chance in document["weapons"]["lost"].values())
    assert document["digest"] == forecast.sampled(Sampling(str(seed), 4096)).digest()
