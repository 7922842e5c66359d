"""Logs that do not tell how seekers move: of none in the game, or of one of several."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.finding import Report
from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import errors, judged, said
from tests.unit.sources.test_sfbol_flights import ALL, DRONE, FIRE, HEAD, flown, hits

__all__ = ["own_folder", "referee"]

LATER = [f"Impulse 1.{n}:" for n in range(2, 12)]
DEAD = f"{DRONE} has been destroyed"
SHOT = [f"Sabre fires Phaser-1 #1 (FH) at {DRONE} (Range: 1)", "Bob Rolls 1d6: 1"]
OTHER = "D002(1).2.1"
AGAIN = ["Impulse 2.1:", next(line for line in HEAD if DRONE in line).replace(DRONE, OTHER)]
"""Another launch, in the next turn."""


def untold(report: Report) -> list[str]:
    """The reasons for which flights were not checked."""
    return [item.reason for item in report.not_checked if "seeker" in item.reason]


@pytest.mark.parametrize(
    "told",
    [
        [],
        [*LATER[:4], *hits(12, 18)],
        [*LATER[:3], *SHOT],
        [*LATER[:3], *SHOT, DEAD],
        [*LATER[:8], DEAD],
        [*LATER[:3], *FIRE, *hits(15, 15)],
    ],
)
def test_flights_are_not_judged_where_no_line_of_the_game_tells_a_move_of_any_seeker(told: list[str]) -> None:
    rest = [line for line in LATER if line not in told]
    report = judged([*HEAD, *told, *rest])
    assert not errors(report) and not said(report, "F2.0") and not said(report, "NOTE/seeker")
    (why,) = untold(report)
    assert "the flights of 1 seeker launched" in why


def test_all_of_them_are_counted_once() -> None:
    report = judged([*HEAD, *LATER, *AGAIN, "Impulse 2.2:"])
    (why,) = untold(report)
    assert report.verdict == "legal" and "2 seekers" in why


def test_more_strikes_than_seekers_are_not_explained() -> None:
    twice = [*hits(12, 18), LATER[4], *hits(12, 6)]
    assert judged([*HEAD, *LATER[:4], *twice, *LATER[5:]]).verdict == "cannot-tell"
    again = [*AGAIN, "Impulse 2.2:", *hits(12, 6), "Impulse 2.3:"]
    assert judged([*HEAD, *LATER[:4], *hits(12, 18), *LATER[4:], *again]).verdict == "legal"
    assert judged([*HEAD, *LATER[:3], DEAD, LATER[3], *hits(12, 18), *LATER[4:]]).verdict == "cannot-tell"


def test_a_seeker_that_need_not_move_yet_is_not_named() -> None:
    assert not untold(judged(HEAD)) and not untold(judged([*HEAD, DEAD, *LATER]))
    assert untold(judged([*HEAD, *LATER]))


def test_a_launch_is_judged_all_the_same() -> None:
    lines = [line.replace("added at 2020A", "added at 2119A") for line in HEAD]
    assert errors(judged([*lines, *LATER])) == {("F2.0", 4)}


def test_one_of_several_that_never_moves_is_undecided_and_named_once() -> None:
    flight = flown(*ALL)
    lines = [*flight, *hits(12, 18), "Impulse 1.6:", *AGAIN, "Impulse 2.2:", "Impulse 2.3:"]
    for more in ([], [DEAD.replace(DRONE, OTHER)], [line.replace(DRONE, OTHER) for line in SHOT]):
        report = judged([*lines, *more, "Impulse 2.4:"])
        assert report.verdict == "cannot-tell" and not errors(report) and not untold(report)
        (found,) = said(report, "NOTE/flights")
        assert OTHER in found.message and "no line tells a move of it" in found.message


def test_one_that_moves_and_misses_a_move_is_accused_as_before() -> None:
    moves = ((2, 2019), (3, 2018), (5, 2017), (6, 2016))
    lines = [*flown(*moves), "Impulse 1.7:", *AGAIN, "Impulse 2.2:"]
    assert {key for key, _ in errors(judged(lines))} == {"F2.0"}


def test_each_game_of_a_file_is_taken_by_itself() -> None:
    told = [*flown(*ALL), *hits(12, 18), "Impulse 1.6:"]
    report = judged([*told, *HEAD, *LATER, *told])
    assert report.verdict == "legal" and len(untold(report)) == 1


def test_a_record_says_that_flights_are_not_in_the_log(referee: Run) -> None:
    Path("game.log").write_text("\n".join([*HEAD, *LATER]) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    made = referee(*new, "--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben")
    assert made.code == 0 and "no line tells a move of a seeker" in made.out + made.err
    assert not referee("check", "game.jsonl", "--json").findings("error")
