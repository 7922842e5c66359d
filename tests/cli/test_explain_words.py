"""`explain` finds rules by words, best first; for words that no rule has it names those most like them."""

from __future__ import annotations

import pytest

from referee.core.wordsearch import best, stem, strange, words_of
from tests.cli.conftest import Run


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("words", "first"),
    [
        (("turn", "mode"), "C3.3"),
        (("turn mode",), "C3.3"),
        (("overloaded photon range",), "E4.0/range"),
        (("Shield", "Reinforcement"), "B3.0-13"),
        (("holding photon torpedoes",), "E4.22"),
        (("armed photon holds",), "E4.22"),
        (("order of movement",), "C1.3"),
        (("photon",), "E4.21"),
        (("speed",), "C1.4/speed"),
        (("robot photon",), "ROBOT-7"),
        (("feedback",), ""),
    ],
)
def test_words_find_rules_best_first(referee: Run, words: tuple[str, ...], first: str) -> None:
    ran = referee("explain", *words)
    if not first:
        assert ran.code in (0, 2)
        return
    assert ran.code == 0 and ran.out.split()[0] == first, ran.out
    assert f"more: referee explain {first}" in ran.out
    found = referee("explain", *words, "--json").json["rules"]
    assert [row["key"] for row in found] == [line.split()[0] for line in ran.out.splitlines() if "  " in line]
    assert all(row["rule"] and row["title"] for row in found)


def test_a_number_is_told_whole_as_before(referee: Run) -> None:
    assert referee("explain", "C3.3").out.startswith("C3.3  Turn mode at a speed")
    assert "no rule B9.9; did you mean" in referee("explain", "B9.9").err


def test_strange_words_get_those_like_them(referee: Run) -> None:
    ran = referee("explain", "photon", "torpdo")
    assert ran.code == 0 and "torpdo: did you mean torpedo" in ran.err and "photon" in ran.out
    alone = referee("explain", "phton")
    assert alone.code == 2 and "phton: did you mean photon" in alone.err and alone.err.count("\n") == 1
    none = referee("explain", "zzz", "qqq")
    assert none.code == 2 and "zzz: no word like it" in none.err


def test_of_one_rulebook_only(referee: Run) -> None:
    rows = referee("explain", "cloak", "--rulebook", "trek", "--json").json["rules"]
    assert rows and all(row["rulebooks"] == ["trek"] for row in rows)


def test_the_words_that_count() -> None:
    texts = [
        ("Photon torpedoes", "Two turns of arming."),
        ("Phasers", "A phaser fires; photons do not."),
        ("Turn", ""),
    ]
    assert best("photons", texts)[0] == 0
    assert best("the of", texts) == [] and best("", texts) == []
    assert strange("photns fire", texts) == [("photns", ["photons", "photon"])]
    assert stem("turning") == stem("turned") == stem("turns") == "turn"
    assert words_of("LF+RF at-start 2.5") == ["lf", "rf", "at-start", "at", "start", "2.5", "2", "5"]
