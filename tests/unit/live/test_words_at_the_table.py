"""What a table says in words: what is asked of it, and what it tells an umpire who has nothing but its own words."""

from __future__ import annotations

import pytest

from tests.unit.live.test_plain import folder, spoken

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
