"""What a table says in words: what is asked of it, and what it tells an umpire who has nothing but its own words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.cli.main import run
from tests.unit.live.test_plain import GAME, NEAR, NEW, folder, spoken

__all__ = ["folder"]


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("turn mode?", "C3.3  Turn mode at a speed"),
        ("C3.3?", "C3.3  Turn mode at a speed"),
        ("when may a ship turn?", "C3.1  Turn 60 degrees, then move"),
        ("order of movement ?", "C1.3  Order of movement"),
        ("armed photon holds", "E4.22  Holding photon torpedoes"),
        ("photon torpdo", "torpdo: did you mean torpedo or torpedoes?"),
    ],
)
@pytest.mark.parametrize("word", ["explain", "x"])
def test_a_question_in_words_finds_its_rule(asked: str, first: str, word: str) -> None:
    told = spoken(f"{word} {asked}").splitlines()
    assert told[told.index(first) - 1].endswith(">"), told


def test_of_many_rules_it_is_said_how_one_is_told_whole() -> None:
    assert "explain C3.3 tells the first of them" in spoken("explain turn mode")


def test_a_clock_out_of_time_says_how_it_works() -> None:
    said = spoken("c s 13", "w s 12", "n", "clock 1", "clock 1:30")
    assert "not understood: no form" not in said
    assert (
        "no form is awaited now, and the clock is for energy forms: once one is, `clock 1` gives 1 minutes"
        in said
    )
    assert "not understood: clock 1:30; whole minutes, as clock 5; clock 0 stops it" in said


def test_rulings_are_all_listed() -> None:
    said = spoken("rule one", "rule two", "rule three", "rule four", "rulings")
    told = [line for line in said.splitlines() if line.startswith("ruling #")]
    assert [line.split()[-1] for line in told] == ["one", "two", "three", "four"]


def test_an_undo_counts_the_notes_and_rulings_that_go_with_it() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "w a", "note he said so", "rule it stands", "u to 7", "y")
    assert ": 3 entries, 1 note and 1 ruling among them" in said
    assert "goes: #9    note: uma: he said so" in said and "taken back: #9    note: uma: he said so" in said


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("fire", "type: SHIP: fire PH-1/A, PHOT/B at TARGET, in short `SHIP f ...`"),
        ("f", "f [SHIP]       what may be fired, with the odds"),
        ("clock", "clock [MINUTES]: begin the clock for forms"),
        ("dice", "t: those asked for now only"),
        ("zork", "no help on zork: ? lists what may be typed"),
    ],
)
def test_help_with_a_word_says_what_to_type(word: str, told: str) -> None:
    for asks in ("?", "help"):
        said = spoken(f"{asks} {word}")
        assert told in said and "no order" not in said


def test_help_says_that_t_throws() -> None:
    for line in spoken("?").splitlines():
        if line.startswith(("n  ", "dice typed")):
            assert " t" in line.replace(":", " ").replace(",", " "), line


FIRE = (*NEAR, "c f ph1a w", "n")


def test_dice_are_thrown_from_now_on_also_where_the_game_has_them_by_hand() -> None:
    assert "dice: 1d6 for" in spoken(*FIRE)
    begin_again()
    said = spoken(*FIRE[:-1], "dice program", "n")
    assert "dice: 1d6 for" not in said and "Constellation PH-1/A at War: range" in said
    begin_again()
    said = spoken(*FIRE, "d", "t", "n", "d")
    assert "thrown by the program from now on; `t` throws those asked for now" in said
    assert "dice are typed in from now on" in said


def begin_again() -> None:
    Path(GAME).unlink()
    shutil.rmtree("duel.secrets", ignore_errors=True)
    assert run(NEW) == 0


def test_what_stays_undecided_is_said_before_the_move_and_not_behind_it() -> None:
    Path(GAME).unlink()
    twins = ("Saratoga=cadet/federation-ca:ann@1010A/16", "Texas=cadet/federation-ca:bob@1005D/16")
    ships = [part for ship in twins for part in ("--ship", ship)]
    assert run(["game", "new", GAME, "--players", "ann,bob", "--dice", "physical", *ships]) == 0
    said = spoken("s s 16", "t s 16", "n", "a").splitlines()
    moved = said.index("order: Saratoga: ahead")
    undecided = [n for n, line in enumerate(said) if line.startswith("undecided [C1.3]")]
    assert len(undecided) == 1 and undecided[0] < moved


def test_fire_is_not_sealed_once_its_dice_are_asked_for() -> None:
    said = spoken(*FIRE, "secret w", "f ph2a c", "why")
    assert "sealed: fire" not in said and "the fire in impulse 10 is over; nothing was sealed" in said
