"""Seekers that are told to be where no move leads them: held against them where nothing in the log may explain it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import errors, judged, said
from tests.unit.sources.test_sfbol_flights import DRONE, flown, hits

__all__ = ["own_folder", "referee"]

Moves = Sequence[tuple[int, int | str]]
LEAP: Moves = ((2, 2019), (3, 2017), (4, 2016))
ASTERN: Moves = ((2, 2019), (3, "2120C"), (4, "2219B"))
OVER = "Impulse 1.5:"
LINE = 8
"""That of the second move."""


def told(moves: Moves = LEAP) -> list[str]:
    return [*flown(*moves), *(hits(12, 18) if moves is LEAP else ()), OVER]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("moves", "message"),
    [(LEAP, "2019A to 2017A is 2 hexes"), (ASTERN, "2019A to 2120C, and no turn of 60 degrees leads there")],
)
def test_two_hexes_in_an_impulse_and_a_turn_of_120_degrees_are_found_once(moves: Moves, message: str) -> None:
    report = judged(told(moves))
    (found,) = said(report, "F2.0")
    assert errors(report) == {("F2.0", LINE)} and found.message == message


def test_a_seeker_put_down_in_another_hex_than_that_of_its_ship_is_found_once() -> None:
    lines = told(((2, 2118), (3, 2117), (4, 2016)))
    lines[3] = lines[3].replace("added at 2020", "added at 2119")
    report = judged(lines)
    assert errors(report) == {("F2.0", 4)} and len(said(report, "F2.0")) == 1
    assert said(report, "F2.0")[0].message == "put down in 2119, Kharg launched it from 2020"


@pytest.mark.parametrize(
    "line",
    [
        "something happens",
        f"{DRONE} is displaced",
        "Sabre tractors a drone",
        "Impulse 1,3:",
        "D001 has moved to 2018",
        f"{DRONE} has turned to N",
    ],
)
def test_a_line_between_may_explain_a_leap(line: str) -> None:
    for moves in (LEAP, ASTERN):
        lines = told(moves)
        report = judged([*lines[: LINE - 2], line, *lines[LINE - 2 :]])
        assert not errors(report) and report.verdict == "cannot-tell"
    assert errors(judged([*lines[: LINE - 2], "<Bob> oh", *lines[LINE - 2 :]])) == {("F2.0", LINE + 1)}


def test_what_was_said_before_explains_no_leap_but_for_what_may_hold_it() -> None:
    lines = told()
    before = [*lines[:5], "something happens", *lines[5:]]
    assert errors(judged(before)) == {("F2.0", LINE + 1)}
    assert not errors(judged([*lines[:5], "a tractor beam holds a drone", *lines[5:]]))


def test_what_slips_or_is_told_of_late_is_no_leap() -> None:
    slipped = judged([line.replace("moved to 2120C", "side-slipped to 2120") for line in told(ASTERN)])
    assert "error" not in {one.severity for one in said(slipped, "F2.0") if one.location.line == LINE}
    late = told()
    del late[late.index("Impulse 1.3:")]
    late.insert(late.index(f"{DRONE} has moved to 2017"), "Impulse 1.4:")
    report = judged(late)
    assert "is 2 hexes" not in "".join(one.message for one in report.findings if one.severity == "error")


def test_a_ship_that_stands_there_in_the_same_impulse_may_have_launched_it_before_it_moved() -> None:
    ship = "Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 32"
    lines = [ship, *flown(*((n, 2021 - n) for n in range(2, 5)))[1:], OVER]
    at = lines.index("Impulse 1.1:") + 1
    lines.insert(at, "Kharg has moved to 2019")
    launched = [one for one in said(judged(lines), "F2.0") if "put down" in one.message]
    assert [one.severity for one in launched] == ["undecided"]


def test_a_record_takes_a_leap_and_its_foul(referee: Run) -> None:
    Path("game.log").write_text("\n".join(told()) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, "--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben").code == 0
    ran = referee("check", "game.jsonl", "--json")
    assert {(one["key"], one["impulse"]) for one in ran.findings("error")} == {("F2.0", 3)}
