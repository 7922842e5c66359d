"""What seekers do where they end: the strike that a log states, held against table and course, and the one it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import errors, judged, line_of, said
from tests.unit.sources.test_sfbol_flights import ALL, DRONE, FIRE, flown, hits
from tests.unit.sources.test_sfbol_targets import judged as judged_at

__all__ = ["own_folder", "referee"]

MISSED = ["Kharg fires Disruptor #A (FA) at Sabre using Standard mode (Range: 4)", "Skylark Rolls 1d6: 6"]
OVER = "Impulse 1.6:"


def told(lines: list[str]) -> tuple[str, list[tuple[str, int | None]]]:
    """The verdict on a log, and what is undecided in it."""
    report = judged(lines)
    open_ = [(one.key, one.location.line) for one in report.findings if one.severity == "undecided"]
    return str(report.verdict), open_


def on_shield(shield: int, points: int, left: str) -> list[str]:
    struck = "/".join(str(points if n == shield else 0) for n in range(1, 7))
    return [hits(0, 0)[0], f"Damage: {struck} (Total: {points})", f"Remaining Shield: {left}"]


@pytest.mark.parametrize("rest", [[], [OVER], [OVER, "Impulse 1.7:"]])
def test_a_seeker_that_reaches_its_target_with_nothing_stated_after_it_is_named(rest: list[str]) -> None:
    lines = [*flown(*ALL), *rest]
    assert told(lines) == ("cannot-tell", [("NOTE/seeker", 12)])
    assert told([*flown(*ALL), *hits(12, 18), *rest]) == ("legal", [])
    assert told([*flown(*ALL), f"{DRONE} has been destroyed", *rest]) == ("legal", [])


def test_a_seeker_that_is_shot_at_may_be_gone_by_that() -> None:
    shot = [FIRE[0].replace("Kharg", "Sabre").replace("at Sabre", f"at {DRONE}"), "Bob Rolls 1d6: 1"]
    shot[0] = shot[0].replace("Phaser-2 #1 (FX)", "Phaser-1 #1 (FH)").replace("Range: 4", "Range: 2")
    lines = [*flown(*ALL[:2]), *shot, "Impulse 1.4:", "Impulse 1.5:"]
    assert told(lines) == ("legal", [])
    assert told([*flown(*ALL[:2]), "Impulse 1.4:", "Impulse 1.5:"]) == ("cannot-tell", [("NOTE/seeker", 8)])


def test_the_points_of_a_strike_are_those_of_the_table() -> None:
    wrong = judged([*flown(*ALL), *hits(13, 17), OVER])
    assert errors(wrong) == {("F2.0", 14)}
    (found,) = said(wrong, "F2.0")
    assert "13 points on shield 1" in found.message and f"{DRONE} 12 on shield 1" in found.message
    other = judged([*flown(*ALL), *hits(24, 6), OVER])
    assert not errors(other) and "of another kind" in said(other, "F2.0")[0].message


def test_the_shield_a_seeker_strikes_is_the_one_it_came_in_on() -> None:
    lines = [*flown(*ALL), *on_shield(3, 12, "30/24/8/20/20/24"), OVER]
    assert errors(judged(lines)) == {("F2.0", 14)}


def test_a_strike_of_a_seeker_that_may_be_hurt_or_elsewhere_is_undecided() -> None:
    shot = [
        f"Sabre fires Phaser-1 #1 (FH) at {DRONE} (Range: 1)",
        "Bob Rolls 1d6: 6",
    ]
    lines = flown(*ALL)
    report = judged([*lines[:-2], shot[0], *lines[-2:], *hits(5, 25), OVER])
    assert not errors(report) and "was fired at in line 11" in said(report, "F2.0")[0].message
    report = judged([*lines[:-2], *shot, *lines[-2:], *hits(5, 25), OVER])
    assert errors(report) == {("F2.0/destroyed", 14)}
    unread = judged([*lines, "Kharg fires 3 mines", *hits(15, 15), OVER])
    assert not errors(unread) and "line 13 is not understood" in said(unread, "F2.0")[0].message


def test_damage_of_a_seeker_that_was_not_told_to_come_into_the_hex_is_not_checked() -> None:
    report = judged([*flown(*ALL[:3]), *hits(12, 18), "Impulse 1.5:"])
    assert not errors(report) and report.verdict == "cannot-tell"
    report = judged([*flown(*ALL[:3]), "Impulse 1.5:", *hits(12, 18), "Impulse 1.6:"])
    assert not errors(report) and report.verdict == "cannot-tell"
    assert any("is not checked" in one.message for one in said(report, "NOTE/seeker"))


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        (((2, "2019D"), (3, 2018), (4, 2017), (5, 2016)), 6),
        (((2, 2019), (3, "2018C"), (4, 2017), (5, 2016)), 8),
    ],
)
def test_a_seeker_that_faces_wrongly_is_named_once(moves: tuple[tuple[int, int], ...], line: int) -> None:
    """And it did move."""
    lines = [*flown(*moves), *hits(12, 18), f"Impulse 1.{moves[-1][0] + 1}:"]
    assert told(lines) == ("cannot-tell", [("F2.0", line)]) and not errors(judged(lines))


def test_an_impulse_in_which_a_seeker_stands_is_found_once() -> None:
    headers = [f"Impulse 1.{n}:" for n in range(3, 7)]
    report = judged([*flown((2, 2019)), *headers, f"{DRONE} has moved to 2018", "Impulse 1.7:"])
    assert [(one.impulse, one.location.line) for one in said(report, "F2.0")] == [(3, 8), (4, 9), (5, 10)]


@pytest.mark.parametrize("place", [5, 7, 9, 11, 13])
def test_a_volley_that_missed_has_no_part_in_a_later_strike(place: int) -> None:
    """In an impulse before, or in that of the strike."""
    lines = [*flown(*ALL), *hits(12, 18), OVER]
    lines[place - 1 : place - 1] = MISSED
    assert told(lines) == ("legal", [])
    hit = [line.replace("6", "1") if "Rolls" in line else line for line in lines]
    report = judged(hit)
    assert report.verdict == "cannot-tell", report.findings


def test_a_strike_says_nothing_of_the_shield_that_earlier_fire_would_strike() -> None:
    lines = [*flown(*ALL), *on_shield(3, 12, "30/24/8/20/20/24"), OVER]
    lines[6:6] = MISSED
    assert errors(judged(lines)) == {("F2.0", 16)}


INTO_IT = [
    "Kharg (Type:Klingon D7) has been added at 2020, direction D, speed 2",
    "Sabre (Type:Federation CA) has been added at 2024, direction A, speed 31",
    "Impulse 1.1:",
    *MISSED,
    "Impulse 1.2:",
    "Sabre has moved to 2023A",
    f"{DRONE} (Type:Klingon Drone) has been added at 2020, direction D, was launched by Kharg",
    "Impulse 1.3:",
    "Sabre has moved to 2022A",
    f"{DRONE} has moved to 2021D",
    "Impulse 1.4:",
    "Sabre has moved to 2021A",
    *hits(12, 18),
    "Impulse 1.5:",
    "Sabre has moved to 2020A",
]


def test_a_ship_may_come_into_the_hex_of_a_seeker_after_fire_that_missed(referee: Run) -> None:
    assert told(INTO_IT) == ("legal", [])
    Path("game.log").write_text("\n".join(INTO_IT) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, "--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben").code == 0
    assert referee("check", "game.jsonl").code == 0


TWIN = DRONE.replace("D001", "D002")


def two(*moves: tuple[int, int]) -> list[str]:
    """A log in which two drones, of two ships, fly together."""
    lines = [
        line
        for line in flown(*moves)
        for line in ((line, line.replace(DRONE, TWIN)) if DRONE in line else (line,))
    ]
    twin = next(n for n, line in enumerate(lines) if line.startswith(TWIN))
    lines[twin] = lines[twin].replace("launched by Kharg", "launched by Drakh")
    return ["Drakh (Type:Klingon D7) has been added at 2020, direction A, speed 0", *lines]


TARGETS = (f"{DRONE}=Sabre", f"{TWIN}=Sabre")


@pytest.mark.parametrize(
    ("lines", "open_"),
    [
        ([*hits(24, 6)], []),
        ([*hits(12, 18), *hits(12, 6)], []),
        ([f"{TWIN} has been destroyed", *hits(12, 18)], []),
        ([*hits(12, 18), f"{TWIN} has been destroyed"], []),
        ([*hits(12, 18)], ["F2.0"]),
    ],
)
def test_of_two_seekers_that_reach_a_ship_both_strike(lines: list[str], open_: list[str]) -> None:
    report = judged_at([*two(*ALL), *lines, OVER], *TARGETS)
    assert not errors(report), report.findings
    assert [one.key for one in report.findings if one.severity == "undecided"] == open_
    assert all("not all of them strike" in one.message for one in said(report, "F2.0"))


def test_a_second_seeker_flies_on_where_one_strikes() -> None:
    lines = [*two(*ALL), *hits(12, 18), OVER, f"{TWIN} has moved to 2015", "Impulse 1.7:"]
    report = judged_at(lines, *TARGETS)
    assert errors(report) == {("F2.0", line_of(lines, f"{TWIN} has moved to 2015"))}
    assert "has reached its target" in " ".join(one.message for one in said(report, "F2.0"))


def test_a_sum_that_is_not_that_of_the_warhead_is_an_error() -> None:
    right = hits(12, 18)
    wrong = [line.replace("Total: 12", "Total: 13") for line in right]
    assert told([*flown(*ALL), *right, OVER]) == ("legal", [])
    report = judged([*flown(*ALL), *wrong, OVER])
    assert [
        (one.key, one.severity, one.location.line) for one in report.findings if one.severity != "note"
    ] == [("F2.0", "error", 14)]


def test_a_seeker_that_moves_in_the_impulse_of_its_launch_is_one_error() -> None:
    later = flown((2, 2018), (3, 2017), (4, 2016))[len(flown()) :]
    early = [*flown(), f"{DRONE} has moved to 2019", *later, *hits(12, 18), "Impulse 1.5:"]
    report = judged(early)
    assert [(one.key, one.location.line) for one in report.findings if one.severity == "error"] == [
        ("F2.0", 5)
    ]
    assert "in the impulse of its launch" in said(report, "F2.0")[0].message


def test_fire_at_a_seeker_of_the_own_side_says_whom_to_fire_at() -> None:
    own = [f"Kharg fires Phaser-2 #1 (FX) at {DRONE} (Range: 2)", "Skylark Rolls 1d6: 6"]
    report = judged([*flown(*ALL[:2]), *own, "Impulse 1.4:"])
    (found,) = said(report, "D1.0")
    assert found.severity == "error" and found.expected == "a target of another side"


@pytest.mark.parametrize("false", ["2318", "2016"])
def test_a_false_hex_of_a_seeker_is_one_error_at_its_line(false: str) -> None:
    """It is followed from the hex that its next move begins in, and its strike is judged."""
    lines = flown(*ALL)
    lines[7] = lines[7].replace("2018", false)
    report = judged([*lines, *hits(12, 18), OVER])
    found = [(one.key, one.severity, one.location.line) for one in report.findings if one.severity != "note"]
    assert found == [("F2.0", "error", 8)], report.findings


def test_points_that_neither_of_two_seekers_scores_are_held_against_both() -> None:
    (found,) = said(judged_at([*two(*ALL), *hits(13, 17), OVER], *TARGETS), "F2.0")
    assert found.severity == "error"
    assert found.expected == f"{DRONE} 12 on shield 1 or {TWIN} 12 on shield 1"
