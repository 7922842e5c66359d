"""Several games in one file: what tells one from the next, and what is said where nothing does."""

from __future__ import annotations

import pytest

from referee.formats.sfbol_games import parts_of
from tests.unit.sources.sfbol_judged import duel, errors, judged, said, written
from tests.unit.sources.test_sfbol_games import ACTS, FIRE, SET_UP

ALLOCATION = ["Kharg has started Energy Allocation", "Kharg has finished Energy Allocation"]
DRONE = "D001(1).1.2 (Type:Klingon Drone) has been added at 2020A, D001(1).1.2 was launched by Kharg"


def games(*parts: list[str]) -> list[int]:
    """The first lines of the games in a file."""
    text = "\n".join(line for part in parts for line in part) + "\n"
    return [part.first for part in parts_of(text.encode(), "x")]


def test_one_turn_games_are_told_apart_by_their_set_up() -> None:
    one = written(duel([{"Kharg": 8, "Sabre": 12}], ACTS, last=20))
    two = written(duel([{"Kharg": 12, "Sabre": 8}], ACTS, last=32))
    assert games(one, two, one) == [1, len(one) + 1, len(one) + len(two) + 1]
    assert judged([*one, *two, *one]).verdict == "legal"
    n = next(n for n, line in enumerate(two) if "Range:" in line)
    two[n] = two[n].rpartition("Range:")[0] + "Range: 99)"
    assert errors(judged([*one, *two, *one])) == {("D1.4/stated", len(one) + n + 1)}


@pytest.mark.parametrize("end", [FIRE, FIRE[:-1]])
@pytest.mark.parametrize("set_up", [SET_UP, [*SET_UP, *ALLOCATION], ALLOCATION])
def test_an_impulse_that_is_over_begins_another_game_after_a_set_up(
    end: list[str], set_up: list[str]
) -> None:
    first = [*SET_UP, *end]
    assert games(first, set_up, FIRE) == [1, len(first) + 1]


def test_what_was_played_or_said_last_is_of_the_game_before() -> None:
    last = [DRONE, "Kharg does a High Energy Turn", "<Bob> good game"]
    first = [*SET_UP, *FIRE, *last]
    assert games(first, SET_UP, FIRE) == [1, len(first) + 1]


def test_an_impulse_that_is_over_without_a_set_up_leaves_all_that_follows_undecided() -> None:
    """The second game fires the same phaser in the same turn: nobody knows that it is no second shot."""
    assert games(SET_UP, FIRE, FIRE) == [1]
    report = judged([*SET_UP, *FIRE, *FIRE])
    (found,) = said(report, "NOTE/clock")
    assert found.severity == "undecided" and found.location.line == len(SET_UP) + len(FIRE) + 1
    assert "another game may begin here" in found.message
    assert [one.severity for one in said(report, "E2.23")] == ["undecided"]
    assert report.verdict == "cannot-tell" and not errors(report)
    # Within one impulse the second shot is an error, as ever.
    shot = [*FIRE[1:-1], *FIRE[1:]]
    assert {key for key, _ in errors(judged([*SET_UP, FIRE[0], *shot]))} == {"E2.23"}


def test_one_ship_that_comes_late_begins_no_game() -> None:
    late = "Klaa (Type:Klingon D6) has been added at 3010, direction E, speed 8"
    assert games([*SET_UP, *FIRE, late, "Impulse 1.3:", "Impulse 1.4:"]) == [1]
    assert games([*SET_UP, *FIRE, late, "Impulse 1.1:"]) == [1]


OTHERS = [line.replace("Kharg", "Klaa").replace("Sabre", "Hood") for line in SET_UP]


@pytest.mark.parametrize(
    ("set_up", "why"), [(SET_UP, "all ships are put on the map again"), (OTHERS, "other ships are put")]
)
def test_a_set_up_in_the_midst_of_a_game_may_begin_another(set_up: list[str], why: str) -> None:
    lines = [*SET_UP, *FIRE, *set_up, "Impulse 2.1:", "Impulse 2.2:"]
    report = judged(lines)
    (found,) = said(report, "NOTE/game")
    assert found.severity == "undecided" and found.message.startswith(why)
    assert found.location.line == len(SET_UP) + len(FIRE) + 1
    assert report.verdict == "cannot-tell" and not errors(report)


def test_ships_that_join_others_that_play_on_begin_none() -> None:
    joined = [*SET_UP, *FIRE, *OTHERS, "Impulse 1.4:", "Sabre has moved to 2011", "Kharg has moved to 2019"]
    assert not said(judged([*joined, "Impulse 1.5:"]), "NOTE/game")
