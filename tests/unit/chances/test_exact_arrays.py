"""Exact odds with arrays are those with a dictionary, whole number by whole number."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.chances import exact_arrays, weights
from referee.chances.exact import BeyondBudget, Weights
from referee.chances.forecast import Forecast, Sampling
from tests.unit.chances.volleys import damaged, inquiry


def _both(monkeypatch: pytest.MonkeyPatch, forecast: Forecast) -> tuple[list[Weights], list[Weights]]:
    with_dictionary = list(weights.exact_weights(forecast.asker, every=True))
    with monkeypatch.context() as patched:
        patched.setattr(weights, "ARRAYS_FROM", 20)
        with_arrays = list(weights.exact_weights(forecast.asker, every=True))
    return with_arrays, with_dictionary


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("ship", "points", "part", "policy", "direction"),
    [
        ("standard/klingon-d7", 8, 0.0, "protect-weapons", "row:A"),
        ("standard/romulan-kr", 8, 0.5, "protect-power", "row:D"),
        ("standard/gorn-ca", 9, 0.7, "spread", "L"),
        ("standard/federation-ca", 14, 0.9, "protect-weapons", "RR"),
        ("cadet/kzinti", 12, 0.3, "spread", "row:A"),
    ],
)
def test_arrays_equal_the_dictionary(
    monkeypatch: pytest.MonkeyPatch, ship: str, points: int, part: float, policy: str, direction: str
) -> None:
    """After every point; ships with few boxes left are destroyed on the way."""
    asked = inquiry(ship, points, policy=policy, internal=True, directions=((None, direction),))
    forecast = Forecast(replace(asked, state=damaged(asked.ship, Random(ship), part)))
    with_arrays, with_dictionary = _both(monkeypatch, forecast)
    assert with_arrays == with_dictionary
    assert len(with_arrays) == forecast.asker.scored + 1
    assert bool(with_arrays[-1].destroyed) is (part == 0.9)


def test_a_volley_from_two_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells after the direction changes are those of the new one."""
    asked = inquiry("standard/klingon-d7", 8, internal=True, directions=((4, "row:A"), (4, "row:D")))
    forecast = Forecast(asked)
    assert len(forecast.asker.directions) == 2
    with_arrays, with_dictionary = _both(monkeypatch, forecast)
    assert with_arrays == with_dictionary


def test_entries_that_depend_on_much_of_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table would be too large every situation is looked up by itself."""
    monkeypatch.setattr(exact_arrays, "_TABLE_BITS", 2)
    with_arrays, with_dictionary = _both(monkeypatch, Forecast(inquiry("standard/klingon-d7", 7)))
    assert with_arrays == with_dictionary


def test_states_with_one_sorting_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two states are never taken for one: without good multipliers nothing is answered."""
    monkeypatch.setattr(weights, "ARRAYS_FROM", 20)
    monkeypatch.setattr(exact_arrays, "_MULTIPLIERS", (0, 0, 0, 0))
    with pytest.raises(BeyondBudget, match="cannot tell two states apart"):
        Forecast(inquiry("standard/klingon-d7", 7)).exact()


def test_the_budget_holds_for_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """More states than allowed are refused, and sampled where nobody insists."""
    monkeypatch.setattr(weights, "ARRAYS_FROM", 20)
    forecast = Forecast(inquiry("standard/klingon-d7", 9))
    with pytest.raises(BeyondBudget, match="needs more than 5000 states from point 7 on"):
        forecast.exact(5000)


@pytest.mark.long
@pytest.mark.parametrize("ship", ["klingon-d7", "federation-ca", "gorn-ca"])
def test_fifteen_points_within_samples(ship: str) -> None:
    """Means of many states lie where samples do."""
    forecast = Forecast(inquiry(f"standard/{ship}", 15))
    counted, sampled = forecast.exact(), forecast.sampled(Sampling("many", 1 << 19))
    for name, _ in counted.facts.quantities:
        truth = counted.count(name)
        error = 5 * truth.deviation / 2**9.5 + 1e-9
        assert abs(float(sampled.count(name).mean_left - truth.mean_left)) <= error, name


def test_icepool_says_the_same() -> None:
    """The standard chart by icepool, which walks it as a plain script does: every chance is the same."""
    pytest.importorskip("icepool")
    from benchmarks.odds_agreement import icepool_standard

    theirs = icepool_standard("klingon-d7", 5)
    ours = Forecast(inquiry("standard/klingon-d7", 5, internal=True, directions=((None, "row:A"),))).exact()
    for system, count in ours.systems.items():
        for n in range(count.start + 1):
            assert count.chance_lost(n) == theirs.get(system, {0: 1}).get(n, 0), (system, n)
