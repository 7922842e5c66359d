"""The statistics of dice, against values from tables and sums done by hand."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest

from referee.record.rolls import DeclaredRoll
from referee.record.stats import (
    binomial_p,
    binomial_range,
    chi_square_p,
    dice_stats,
    uniform_p,
    uniform_p_exact,
    upper_gamma,
)


@pytest.mark.parametrize(
    ("value", "degrees", "p"),
    [
        (3.841459, 1, 0.05),
        (11.07050, 5, 0.05),
        (16.91898, 9, 0.05),
        (123.2252, 99, 0.05),
        (20.51501, 5, 0.001),
    ],
)
def test_chi_square_as_in_tables(value: float, degrees: int, p: float) -> None:
    assert chi_square_p(value, degrees) == pytest.approx(p, rel=1e-5)


def test_upper_gamma_has_its_closed_forms() -> None:
    for x in (0.0, 0.1, 1.0, 5.0, 30.0, 200.0):
        assert upper_gamma(1, x) == pytest.approx(math.exp(-x), rel=1e-11)
        assert upper_gamma(0.5, x) == pytest.approx(math.erfc(math.sqrt(x)), rel=1e-11)
        assert upper_gamma(3, x) == pytest.approx(math.exp(-x) * (1 + x + x * x / 2), rel=1e-11)


def test_binomial_by_hand() -> None:
    half = Fraction(1, 2)
    assert binomial_p(0, 4, half) == pytest.approx(2 / 16)
    assert binomial_p(1, 4, half) == pytest.approx(10 / 16)
    assert binomial_p(2, 4, half) == pytest.approx(1)
    assert binomial_range(4, half) == (0, 4)
    assert binomial_range(100, Fraction(1, 6)) == (10, 24)
    inside = sum(math.comb(100, k) * 5 ** (100 - k) for k in range(10, 25)) / 6**100
    assert 0.95 <= inside < 0.97


@pytest.mark.parametrize(("sides", "dice"), [(2, 5), (3, 6), (6, 4)])
def test_the_exact_p_counts_every_outcome(sides: int, dice: int) -> None:
    outcomes = [Counter(faces) for faces in itertools.product(range(sides), repeat=dice)]
    squares = [sum(n * n for n in outcome.values()) for outcome in outcomes]
    for outcome, value in list(zip(outcomes, squares, strict=True))[:: max(1, len(outcomes) // 50)]:
        counts = [outcome[face] for face in range(sides)]
        share = sum(other >= value for other in squares) / len(squares)
        assert uniform_p_exact(counts) == pytest.approx(share)


def test_exact_and_chi_square_agree_for_thirty_dice() -> None:
    counts = [10, 4, 4, 4, 4, 4]
    assert uniform_p(counts) == pytest.approx(uniform_p_exact(counts), abs=0.03)


def roll(number: int, who: str, faces: list[int], sides: int = 6, **more: object) -> DeclaredRoll:
    dice = ({"for": "x", "count": len(faces), "sides": sides, "faces": faces},)
    fields: dict[str, object] = {"status": "resolved", "dice": dice, "source": "peer"} | more
    return DeclaredRoll(number, who, "00" * 32, 2, str(fields.pop("source")), (), **fields)  # type: ignore[arg-type]


def test_statistics_by_player_die_and_source() -> None:
    rolls = [
        roll(1, "alice", [1, 2, 3, 4, 5, 6]), roll(2, "alice", [6, 6]), roll(3, "bob", [10], 10),
        roll(4, "alice", [1], source="physical"), roll(5, "alice", [1, 1, 1], status="void"),
        roll(6, "alice", [1], status="forfeited"),
    ]  # fmt: skip
    stats = dice_stats(rolls)
    assert [(s.player, s.sides, s.source, s.dice) for s in stats] == [
        ("alice", 6, "peer", 8), ("alice", 6, "physical", 1), ("bob", 10, "peer", 1),
    ]  # fmt: skip
    alice = stats[0]
    assert [face.count for face in alice.faces] == [1, 1, 1, 1, 1, 3]
    assert (alice.mean, alice.exact) == (Fraction(33, 8), True)
    assert alice.mean_low < 3.5 < alice.mean_high
    assert all(face.low <= face.count <= face.high for face in alice.faces)
    assert stats[2].p == pytest.approx(1)
    assert dice_stats([]) == []


def test_a_game_of_many_dice_is_quick_and_loaded_dice_show() -> None:
    loaded = dice_stats([roll(1, "alice", [6, 1, 2, 3, 4, 5, 6, 6] * 1000)])[0]
    assert not loaded.exact
    assert loaded.p < 1e-9
    assert loaded.faces[5].p < 1e-9
    assert loaded.faces[5].count > loaded.faces[5].high
