"""Figures of a log that others contradict: the one is the error that the next ones do not bear out; and modes of fire that
the rulebooks here do not have."""

from __future__ import annotations

import pytest

from tests.unit.sources.sfbol_judged import errors, judged, said

STAND = [
    "Kharg (Type:Klingon D7) has been added at 2040, direction A, speed 0",
    "Sabre (Type:Federation CA) has been added at 2030, direction D, speed 0",
]


def struck(impulse: int, mount: int, die: int, points: str, left: str) -> list[str]:
    total = sum(map(int, points.split("/")))
    return [
        f"Impulse 1.{impulse}:",
        f"Kharg fires Phaser-2 #{mount} (FX) at Sabre (Range: 10)",
        f"Skylark Rolls 1d6: {die}",
        "Allocation of damage for: Sabre",
        f"Damage: {points} (Total: {total})",
        f"Remaining Shield: {left}",
    ]


@pytest.mark.parametrize("first", [29, 31, 27])
def test_a_false_figure_of_a_shield_is_the_error_where_the_next_one_bears_out_the_sum(first: int) -> None:
    """And the right one after it is not."""
    lines = [
        *STAND,
        *struck(2, 1, 1, "2/0/0/0/0/0", f"{first}/24/20/20/20/24"),
        *struck(3, 2, 1, "2/0/0/0/0/0", "26/24/20/20/20/24"),
        "Impulse 1.4:",
    ]
    assert errors(judged(lines)) == {("D4.1/stated", 8)}
    lines[7] = "Remaining Shield: 28/24/20/20/20/24"
    assert judged(lines).verdict == "legal"


def test_a_figure_that_the_next_one_goes_on_from_may_be_reinforcement() -> None:
    lines = [
        *STAND,
        *struck(2, 1, 1, "2/0/0/0/0/0", "29/24/20/20/20/24"),
        *struck(3, 2, 1, "2/0/0/0/0/0", "27/24/20/20/20/24"),
        "Impulse 1.4:",
    ]
    report = judged(lines)
    assert not errors(report) and report.verdict == "cannot-tell"


# -- modes ---------------------------------------------------------------------------------


def point_blank(at: str, weapon: str, mode: str, die: int, points: int) -> list[str]:
    reach = 0 if at == "2040" else 1
    left = "/".join(map(str, (30 - points, 22, 15, 13, 15, 22)))
    firer, target = ("Sabre", "Kharg") if "Photon" in weapon else ("Kharg", "Sabre")
    if target == "Sabre":
        left = "/".join(map(str, (30 - points, 24, 20, 20, 20, 24)))
    return [
        STAND[0],
        STAND[1].replace("2030", at),
        "Impulse 1.2:",
        f"{firer} fires {weapon} #A (FA) at {target} using {mode} mode (Range: {reach})",
        f"{firer} Rolls 1d6: {die}",
        f"Allocation of damage for: {target}",
        f"Damage: {points}/0/0/0/0/0 (Total: {points})",
        f"Remaining Shield: {left}",
        "Impulse 1.3:",
    ]


@pytest.mark.parametrize("mode", ["Overloaded", "Standard"])
@pytest.mark.parametrize(
    ("at", "weapon", "die", "points"),
    [("2039", "Photon", 6, 16), ("2040", "Photon", 3, 16), ("2040", "Disruptor", 6, 10)],
)
def test_an_overload_within_the_least_range_is_outside_and_no_error(
    at: str, weapon: str, mode: str, die: int, points: int
) -> None:
    """Whatever it says of its mode: no other reaches."""
    report = judged(point_blank(at, weapon, mode, die, points))
    assert report.verdict == "legal" and len(said(report, "NOTE/outside")) == 1


def test_what_an_overload_is_said_to_score_is_held_against_the_dice_all_the_same() -> None:
    assert errors(judged(point_blank("2039", "Photon", "Overloaded", 6, 17)))


def test_no_mode_reaches_farther_than_the_table() -> None:
    lines = point_blank("2040", "Photon", "Standard", 1, 8)
    far = [
        line.replace("2040, direction D", "2009, direction D").replace("(Range: 0)", "(Range: 31)")
        for line in lines
    ]
    assert ("E4.0/range", 4) in errors(judged(far))
