"""A line that is not understood, or that the rulebooks do not have, and may explain it: then nothing is held against a ship."""

from __future__ import annotations

from random import Random

import pytest

from tests.conftest import mostly_long
from tests.unit.sources.sfbol_judged import duel, errors, judged, said, written
from tests.unit.sources.test_sfbol_games import FIRE, MOVES, SET_UP

SECOND = ["Kharg fires Phaser-2 #2 (FX) at Sabre (Range: 10)", "Skylark Rolls 1d6: 1"]
MORE = [*FIRE[:4], "Damage: 6/0/0/0/0/0 (Total: 6)", "Remaining Shield: 24/24/20/20/20/24", FIRE[6]]
LESS = [*FIRE[:6], *FIRE[6:], *SECOND, *FIRE[3:5], "Remaining Shield: 26/24/18/20/20/24", "Impulse 1.3:"]


def assert_in_doubt(lines: list[str], at: int, line: str, key: str) -> None:
    """Without the line it is an error; with it, at its place, it is undecided and the line is named."""
    assert {one for one, _ in errors(judged([*SET_UP, *lines]))} == {key}
    report = judged([*SET_UP, *lines[:at], line, *lines[at:]])
    assert not errors(report) and report.verdict == "cannot-tell", report.findings
    (found,) = said(report, key)
    assert found.severity == "undecided" and f"line {len(SET_UP) + at + 1}" in found.message


@pytest.mark.parametrize(
    "line",
    [
        "Kharg fires ADD #1 at Sabre, 4 points",
        "Kharg hits Sabre with an ADD",
        "4 more points of damage",
        "Sabre is struck by a mine",
        "Kharg activates ESG radius 0 - 20 pts",
    ],
)
def test_damage_that_a_line_before_it_may_explain(line: str) -> None:
    assert_in_doubt(MORE, 3, line, "E2.4/stated")


@pytest.mark.parametrize(
    "line",
    [
        "Sabre raises 4 ECM",
        "Kharg performs erratic maneuvers",
        "Kharg has 2 ECCM",
        "Electronic warfare is on",
    ],
)
@pytest.mark.parametrize("at", [0, 2])
def test_damage_by_a_die_that_may_be_shifted(line: str, at: int) -> None:
    assert_in_doubt(MORE, at, line, "E2.4/stated")


@pytest.mark.parametrize(
    "line", ["Sabre takes 2 points on shield 3", "Shield 3 is hit", "Kharg activates ESG radius 0 - 20 pts"]
)
def test_shields_that_a_line_since_may_have_changed(line: str) -> None:
    assert_in_doubt(LESS, 6, line, "D4.1/stated")


@pytest.mark.parametrize(
    "line",
    [
        "Kharg takes 2 points on shield 3",
        "Skylark: Sabre takes 2 points on shield 3",
        "<Bob> Sabre takes 2 points on shield 3",
        "Sabre is well flown",
        "Sabre activates ESG radius 0 - 20 pts",
    ],
)
def test_what_another_ship_suffers_or_somebody_says_explains_nothing(line: str) -> None:
    assert {key for key, _ in errors(judged([*SET_UP, *LESS[:6], line, *LESS[6:]]))} == {"D4.1/stated"}


def test_shields_that_were_stated_since_are_not_in_doubt_for_an_older_line() -> None:
    """The line may explain the first statement, not the one after it."""
    before = [*SET_UP, *FIRE[:3], "Sabre takes 2 points on shield 3", *FIRE[3:]]
    after = [*SECOND, *FIRE[3:5], "Remaining Shield: 26/24/18/20/20/24", "Impulse 1.3:"]
    assert errors(judged([*before, *after])) == {("D4.1/stated", len(before) + 5)}


def test_fire_two_impulses_ago_explains_no_damage_now() -> None:
    old = [*SET_UP, "Impulse 1.1:", "Kharg hits Sabre with an ADD", "Impulse 1.2:", "Impulse 1.3:"]
    assert {key for key, _ in errors(judged([*old, *MORE[1:6], "Impulse 1.4:"]))} == {"E2.4/stated"}


@pytest.mark.parametrize(
    "line",
    [
        "Sabre has tractored Kharg",
        "Kharg was displaced by Sabre",
        "Kharg announces emergency deceleration",
        "Kharg decelerates",
    ],
)
def test_a_ship_that_a_line_may_have_held_need_not_move(line: str) -> None:
    moves = [*SET_UP, *MOVES, line, "Impulse 1.8:", "Sabre has moved to 2012", "Impulse 1.9:"]
    report = judged(moves)
    assert not errors(report) and report.verdict == "cannot-tell"
    for other in (
        "Sabre is a fine ship",
        "Skylark: I would tractor Kharg now",
        "<Bob> Kharg must decelerate",
    ):
        without = [other if one == line else one for one in moves]
        assert errors(judged([*without[:3], "Skylark Rolls 1d6: 1", *without[3:]])) == {("C1.4/missed", 10)}


@pytest.mark.parametrize("line", ["Impulse 1.4", "impulse 1.4:", "Impulse 1,4:", "Impulse 1.4: Bob is away"])
def test_a_line_that_may_begin_an_impulse_leaves_open_when_all_is_till_the_next(line: str) -> None:
    lines = [*SET_UP, "Impulse 1.3:", line, *MOVES[1:], "Impulse 1.5:"]
    report = judged(lines)
    assert not errors(report) and report.verdict == "cannot-tell"
    without = [*SET_UP, "Impulse 1.3:", "Kharg waits", *MOVES[1:], "Impulse 1.5:"]
    assert "C1.4" in {key for key, _ in errors(judged(without))}
    # From the next impulse on all is sure again.
    late = [*lines, "Kharg has moved to 2018", "Impulse 1.6:"]
    assert ("C1.4", len(lines) + 1) in errors(judged(late))


def test_impulses_that_there_are_not_are_said_once_with_their_count() -> None:
    beyond = ["Impulse 1000.1:", "Impulse 1000.2:", "Impulse 1.65:", "Impulse 0.1:"]
    report = judged([*SET_UP, "Impulse 1.1:", *beyond])
    (found,) = said(report, "NOTE/impulse")
    assert found.message.startswith("4 lines name impulses that there are not") and not said(
        report, "NOTE/unread"
    )
    assert found.location.line == len(SET_UP) + 2 and report.verdict == "cannot-tell"
    assert said(judged([*SET_UP, "Impulse 1000.1:"]), "NOTE/impulse")[0].message.startswith(
        "1 line names an impulse that there is not"
    )


@pytest.mark.parametrize(
    "line",
    [
        "<Bob> Kharg has moved to 1012",
        "Skylark: Sabre has been destroyed",
        "Bob says: Kharg fires Phaser-2 #2 (FX) at Sabre (Range: 10)",
        "Skylark: Kharg Rolls 1d6: 6",
        "<Bob> D9 (Type:Klingon Drone) has been added at 2020, D9 was launched by Kharg",
    ],
)
def test_what_somebody_says_is_no_play(line: str) -> None:
    report = judged([*SET_UP, *FIRE[:-1], line, FIRE[-1]])
    assert report.verdict == "legal" and len(said(report, "NOTE/chat")) == 1


SHOTS = [
    "Impulse 1.1:",
    *(f"Kharg fires Phaser-2 #{n} (FX) at Sabre (Range: 10)" for n in (1, 2)),
    *(f"Sabre fires Phaser-1 #{n} (FX) at Kharg (Range: 10)" for n in (1, 2)),
]
BLOCK = [
    "Allocation of damage for: Sabre",
    "Damage: 4/0/0/0/0/0 (Total: 4)",
    "Remaining Shield: 26/24/20/20/20/24",
]


def test_a_player_may_be_called_as_the_ship_of_the_other() -> None:
    """Two volleys of as many shots: whose dice they are is sure only where a ship was seen to throw its own."""
    lines = [*SET_UP, *SHOTS, "Sabre Rolls 1d6: 1, 1", "Kharg Rolls 1d6: 6, 6", *BLOCK, "Impulse 1.2:"]
    report = judged(lines)
    assert not errors(report)
    assert any("line 9 may be of a player" in one.message for one in said(report, "E2.4/stated"))
    own = ["Kharg fires Disruptor #A (FA) at Sabre using Standard mode (Range: 10)", "Kharg Rolls 1d6: 6"]
    seen = [*lines[:-1], "Impulse 1.2:", *own, "Impulse 1.3:"]
    assert ("E2.4/stated", 11) in errors(judged(seen))


LAUNCHED = {
    (1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1, PH-1/2 at Kharg"),
    (1, 24): ("Kharg: launch DRN/1 at Sabre", "Kharg: fire DISR/A, DISR/B at Sabre"),
    **{(1, impulse): ("Kharg DRN/1 t1: ahead",) for impulse in range(25, 29)},
}
LEGAL = written(duel(({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20}), LAUNCHED), own_names=False)
NOT_UNDERSTOOD = (
    "Kharg tractors Sabre",
    "Sabre raises 3 ECM",
    "IKV Kharg does a HET",
    "Turn ended",
    "4 points damage",
    "Sabre has docked",
    "D001(1).1.24 has lost lock",
    "Kharg fires 3 points",
    "Kharg Rolls 1d6:",
    "Remaining Shield: 1/2",
    "Impulse 1.5",
    "USS Sabre has moved to 10",
    "Sabre: hello",
    "Kharg (Type:Klingon D7 has been added",
)
MISSPELT = (
    ("has ", "hass "),
    ("Impulse", "Impuls"),
    ("fires", "fire"),
    ("Rolls", "Roll"),
    ("Damage:", "Damge:"),
)
MISSPELT += (("Remaining", "Remaning"), ("Allocation of", "Alocation of"))


@pytest.mark.parametrize("seed", mostly_long(range(200), lambda seed: seed < 8))
def test_no_line_that_is_not_understood_makes_a_legal_game_illegal(seed: int) -> None:
    random, lines = Random(seed), list(LEGAL)
    for _ in range(random.randint(1, 6)):
        lines.insert(random.randrange(len(lines)), random.choice(NOT_UNDERSTOOD))
    report = judged(lines)
    assert not errors(report) and report.verdict == "cannot-tell"


@pytest.mark.parametrize("n", mostly_long(range(len(LEGAL)), lambda n: n % 17 == 0))
def test_no_line_that_is_misspelt_makes_a_legal_game_illegal(n: int) -> None:
    lines = list(LEGAL)
    for right, wrong in MISSPELT:
        lines[n] = lines[n].replace(right, wrong)
    report = judged(lines)
    assert not errors(report) and report.verdict == "cannot-tell", report.findings


def test_the_game_they_are_put_into_is_legal() -> None:
    assert judged(LEGAL).verdict == "legal"
