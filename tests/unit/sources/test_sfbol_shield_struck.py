"""Damage stated of a shield that the fire cannot reach: one finding, at the line that names the shield."""

from __future__ import annotations

import pytest

from tests.unit.sources.sfbol_judged import judged, said
from tests.unit.sources.test_sfbol_flights import ALL, FIRE, HEAD, flown
from tests.unit.sources.test_sfbol_strikes import on_shield

SHIPS = [line for line in HEAD if "D001" not in line]
TWO = [FIRE[0], FIRE[0].replace("#1", "#2"), "Skylark Rolls 1d6: 1, 1"]
OVER = "Impulse 1.2:"
BOTH = [
    "Allocation of damage for: Sabre",
    "Damage: 3/0/3/0/0/0 (Total: 6)",
    "Remaining Shield: 27/24/17/20/20/24",
]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([*FIRE, *on_shield(1, 3, "27/24/20/20/20/24")], 0),
        ([*FIRE, *on_shield(3, 3, "30/24/17/20/20/24")], 7),
        ([*TWO, *on_shield(3, 6, "30/24/14/20/20/24")], 8),
        ([*TWO, *on_shield(3, 6, "24/24/20/20/20/24")], 8),
        ([*TWO, *BOTH], 8),
    ],
    ids=[
        "the facing one",
        "another",
        "another, by two shots",
        "a slip: the facing one is the less for it",
        "two",
    ],
)
def test_a_shield_that_does_not_face_the_fire_is_found_where_it_is_stated(
    lines: list[str], line: int
) -> None:
    report = judged([*SHIPS, *lines, OVER])
    found = [(one.key, one.severity, one.location.line) for one in report.findings if one.severity != "note"]
    assert found == ([("E1.4/stated", "error", line)] if line else [])


def test_what_is_left_of_the_other_shield_goes_on_from_what_is_stated() -> None:
    """The shield that was struck by mistake is not accused again."""
    again = [line.replace("#1", "#2") for line in FIRE]
    lines = [
        *FIRE,
        *on_shield(3, 3, "30/24/17/20/20/24"),
        *again,
        *on_shield(1, 3, "27/24/17/20/20/24"),
        OVER,
    ]
    report = judged([*SHIPS, *lines])
    assert [one.location.line for one in said(report, "E1.4/stated")] == [7]
    assert [one.key for one in report.findings if one.severity != "note"] == ["E1.4/stated"]


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([*SHIPS, *FIRE, *on_shield(1, 3, "30/24/17/20/20/24")], 8),
        ([*flown(*ALL), *on_shield(1, 12, "30/24/8/20/20/24")], 15),
    ],
    ids=["fire", "a drone"],
)
def test_damage_of_the_right_shield_that_is_taken_from_another_is_found(lines: list[str], line: int) -> None:
    report = judged([*lines, "Impulse 1.6:" if "D001" in lines[3] else OVER])
    assert [(one.key, one.location.line) for one in report.findings if one.severity == "error"] == [
        ("D4.1/stated", line)
    ]
