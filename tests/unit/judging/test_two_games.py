"""Two games side by side: each verb says which of them it answers for, and refuses what is the other's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

DUEL = ROOT / "examples" / "trek" / "duel.json"


@pytest.mark.parametrize("verb", [("volley", "--damage", "5", "--shield", "1"), ("odds", "--damage", "5")])
def test_ships_with_an_ssd_know_no_kind(referee: Run, verb: tuple[str, ...]) -> None:
    ran = referee(verb[0], "standard/klingon-d7", *verb[1:], "--seed", "a", "--kind", "beam")
    assert ran.code == 2 and "--rulebook trek" in ran.err


def test_check_by_another_rulebook_is_refused(referee: Run) -> None:
    ran = referee("check", DUEL, "--rulebook", "sfb-cadet")
    assert ran.code == 2 and "is a file of trek" in ran.err
    ran = referee("check", ROOT / "examples" / "duel" / "constellation.csv", "--rulebook", "trek")
    assert ran.code == 2 and "trek has no energy forms" in ran.err
    ran = referee("check", ROOT / "examples" / "duel" / "duel.vsav", "--rulebook", "trek")
    assert ran.code == 2 and "trek has no energy forms" in ran.err


@pytest.mark.parametrize(
    "asked",
    [
        ("form", "blank", "trek/lancer"),
        ("volley", "trek/lancer", "--damage", "1", "--shield", "1", "--rulebook", "sfb-cadet"),
        ("odds", "trek/lancer", "--damage", "1", "--rulebook", "sfb-cadet", "--shield", "1"),
        ("fire", "trek/lancer", "--weapons", "all", "--target", "trek/shade", "--rulebook", "sfb-cadet"),
    ],
)
def test_a_ship_of_one_game_is_none_of_the_other(referee: Run, asked: tuple[str, ...]) -> None:
    ran = referee(*asked)
    assert ran.code == 2 and "trek/lancer is a ship of trek, without SSD or energy form" in ran.err


def test_a_folder_may_be_of_the_other_game(referee: Run) -> None:
    Path("referee.toml").write_text('rulebook = "trek"\n', encoding="utf-8")
    referee("config", "trust", "referee.toml")
    assert "trek/lancer" in referee("show", "lancer").out
    assert "standard/klingon-d7" in referee("show", "standard/klingon-d7").out
    assert referee("volley", "shade", "--damage", "9", "--shield", "2", "--seed", "a").code == 0
    assert referee("odds", "--damage", "9").code == 0
    assert referee("show", "bastoin").code == 2
    ran = referee("volley", "standard/klingon-d7", "--damage", "9", "--shield", "2", "--seed", "a")
    assert ran.code == 2 and "no ship standard/klingon-d7 in trek" in ran.err
    assert referee("check", DUEL).code == 0
    assert referee("game", "new", "g.jsonl", "--players", "alpha,beta", "--setup", DUEL, "--alone").code == 0


def test_records_of_one_game_have_no_use_for_what_is_the_others(referee: Run) -> None:
    ran = referee("game", "new", "h.jsonl", "--players", "alpha,beta", "--setup", DUEL)
    assert ran.code == 2 and "--setup with sfb-cadet" in ran.err and not Path("h.jsonl").exists()
    solo = ROOT / "examples" / "games" / "solo-duel.jsonl"
    ran = referee("game", "status", solo, "--as", "fed")
    assert ran.code == 2 and "nothing in this game is secret to one side" in ran.err
    assert referee("show", solo).out == referee("game", "status", solo).out


def test_words_for_rolls_are_a_rulebooks_own(referee: Run) -> None:
    assert referee("roll", "skill", "--rulebook", "sfb-cadet", "--seed", "a").code == 2


def test_the_ships_of_both_are_listed(referee: Run) -> None:
    listed = referee("ship", "list", "--json").json
    ids = {ship["id"]: ship["rulebook"] for ship in listed["ships"]}
    assert ids["trek/shade"] == "trek" and ids["standard/klingon-d7"] == "sfb-standard"
