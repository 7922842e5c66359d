"""Exact odds: against icepool, against samples, and its budget."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from referee.adjudicator.policies import POLICY_NAMES
from referee.chances.alike import grouped_weights, groups_of
from referee.chances.exact import BeyondBudget
from referee.chances.forecast import Forecast, Sampling
from referee.chances.weights import exact_weights
from tests.conftest import mostly_long
from tests.unit.chances.volleys import SHIPS, chi_square_p, damaged, inquiry

CADET = [ship for ship in SHIPS if ship.startswith("cadet/")]


@pytest.mark.parametrize(
    ("ship", "points"),
    mostly_long(
        [("romulan-we", 13), ("klingon-d6", 43), ("federation-ca", 25)],
        lambda ship, points: ship == "klingon-d6",
    ),
)
def test_cadet_chart_equals_icepool(ship: str, points: int) -> None:
    """The same distribution of all that is left together, exactly, from an independent exact tool walking
    the printed chart; 43 points are a box more than that ship has."""
    pytest.importorskip("icepool")
    from benchmarks.odds_agreement import icepool_states, our_states

    forecast = Forecast(inquiry(f"cadet/{ship}", points))
    theirs, ours = icepool_states(forecast, points), our_states(forecast)
    assert ours == theirs
    assert sum(ours.values()) == 1
    assert (() in ours) is (points == 43)
    weights = list(exact_weights(forecast.asker))[-1]
    assert Fraction(weights.destroyed, weights.total) == theirs.get((), 0)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("ship", "points", "part", "policy", "direction"),
    [
        ("standard/klingon-d7", 5, 0.0, "protect-weapons", "row:A"),
        ("standard/klingon-d7", 9, 0.0, "spread", "RR"),
        ("standard/romulan-kr", 8, 0.5, "protect-power", "row:D"),
        ("standard/gorn-ca", 9, 0.6, "spread", "L"),
        ("standard/federation-ca", 8, 0.4, "random", "row:C"),
        ("cadet/kzinti", 25, 0.0, "spread", "row:A"),
        ("cadet/hydran", 20, 0.3, "protect-weapons", "row:A"),
    ],
)
def test_samples_agree(ship: str, points: int, part: float, policy: str, direction: str) -> None:
    """Every mean within four standard errors, and no distribution out of line."""
    asked = inquiry(ship, points, policy=policy, internal=True, directions=((None, direction),))
    asked = replace(asked, state=damaged(asked.ship, Random(ship), part))
    forecast = Forecast(asked)
    exact, sampled = forecast.exact(), forecast.sampled(Sampling("agreement", 1 << 19))
    for name, _ in exact.facts.quantities:
        truth, counted = exact.count(name), sampled.count(name)
        if truth.deviation:
            error = truth.deviation / counted.total**0.5
            assert abs(float(counted.mean_left - truth.mean_left)) < 4 * error, name
        else:
            assert counted.mean_left == truth.mean_left
        assert chi_square_p(truth, counted) > 1e-4, name


def test_a_curve_ends_where_the_volley_does() -> None:
    """Every prefix of a curve is the volley of so many points."""
    curve = Forecast(inquiry("standard/klingon-d6", 6, curve=True)).exact()
    for points in (0, 3, 6):
        alone = Forecast(inquiry("standard/klingon-d6", points)).exact()
        assert curve.weights[points].left == alone.weights[-1].left
    sampled = Forecast(inquiry("standard/klingon-d6", 6, curve=True)).sampled(Sampling("a", 1000))
    shorter = Forecast(inquiry("standard/klingon-d6", 4)).sampled(Sampling("a", 1000))
    assert sampled.weights[4].left[0] == shorter.weights[-1].left[0]


def test_budget() -> None:
    """Beyond its states an exact answer is refused, and by itself the question is sampled."""
    forecast = Forecast(inquiry("standard/klingon-d7", 25))
    with pytest.raises(BeyondBudget, match="needs more than 5000 states from point"):
        forecast.exact(5000)
    assert forecast.by_itself(Sampling("a", 1000)).method == "sampled"
    assert Forecast(inquiry("cadet/klingon-d6", 40)).by_itself(Sampling("a")).method == "exact"
    assert Forecast(inquiry("standard/klingon-d7", 7)).by_itself(Sampling("a")).method == "exact"


def test_destruction() -> None:
    """Points beyond all boxes destroy the ship for certain."""
    found = Forecast(inquiry("cadet/klingon-d6", 200)).exact()
    assert found.destroyed == 1
    sampled = Forecast(inquiry("standard/orion-lr", 200)).sampled(Sampling("a", 5000))
    assert sampled.destroyed == 1
    assert sampled.power.mean_left < 3


def test_fast_allocation_goes_one_way() -> None:
    """Fast damage of scenario 4 rolls no dice: the odds are what happens."""
    asked = inquiry("cadet/klingon-d6", 5)
    asked = replace(asked, rulebook=asked.rulebook.with_options({"damage": "fast"}))
    found = Forecast(asked).by_itself(Sampling("a"))
    assert found.method == "exact"
    assert found.weapons.mean_lost == 1
    assert sum(count.mean_lost for count in found.systems.values()) == 5


def test_weapon_fire_is_a_mixture() -> None:
    """Damage that varies gives the weighed mean of the odds of each amount, exactly and sampled."""
    alone = {n: Forecast(inquiry("standard/romulan-we", n, shield=1)).exact() for n in (20, 26, 33)}
    asked = replace(
        inquiry("standard/romulan-we", 33, shield=1), fire="test", hits=((20, 1), (26, 3), (33, 2))
    )
    forecast = Forecast(asked)
    mixed = forecast.exact()
    names = [name for name, _ in mixed.facts.quantities]
    for name in names:
        start = mixed.count(name).start
        means = [
            (alone[n].count(name).mean_left if name in dict(alone[n].facts.quantities) else Fraction(start))
            * weight
            for n, weight in asked.hits
        ]
        if name not in ("armor",):
            assert mixed.count(name).mean_left == sum(means, Fraction(0)) / 6, name
    armor = sum((alone[n].count("armor").mean_lost * weight for n, weight in asked.hits), Fraction(0)) / 6
    assert mixed.count("armor").mean_lost == armor
    sampled = forecast.sampled(Sampling("a", 1 << 19))
    for name in names:
        truth = mixed.count(name)
        error = truth.deviation / 2**9.5
        assert abs(float(sampled.count(name).mean_left - truth.mean_left)) <= 4.2 * error, name


@pytest.mark.parametrize(("ship", "points"), [("romulan-we", 6), ("klingon-d6", 4), ("orion", 9)])
def test_a_random_owner_in_groups(ship: str, points: int) -> None:
    """Counting boxes by group gives the same chances as telling every pool apart."""
    asker = Forecast(inquiry(f"cadet/{ship}", points, policy="random")).asker
    groups = groups_of(asker)
    assert len(groups) < len(asker.pools)
    for one, other in zip(
        grouped_weights(asker, groups, every=True), exact_weights(asker, every=True), strict=True
    ):
        assert Fraction(one.destroyed, one.total) == Fraction(other.destroyed, other.total)
        for ours, theirs in zip(one.left, other.left, strict=True):
            assert [Fraction(n, one.total) for n in ours] == [Fraction(n, other.total) for n in theirs]
    assert groups_of(Forecast(inquiry("standard/klingon-d7", 5, policy="random")).asker) == ()


@pytest.mark.parametrize("ship", mostly_long(CADET, lambda ship: ship in CADET[::3]))
def test_the_cadet_chart_is_always_exact(ship: str) -> None:
    """Whatever the damage and the policy."""
    for policy in POLICY_NAMES:
        for points in (12, 30, 70):
            found = Forecast(inquiry(ship, points, policy=policy)).by_itself(Sampling("a"))
            assert found.method == "exact", (policy, points)
            lost = sum((count.mean_lost for count in found.systems.values()), Fraction(0))
            assert lost == 12 or points > 12
            assert found.destroyed == (points == 70) or points == 30
