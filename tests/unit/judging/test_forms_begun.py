"""`referee check` of forms in files that are not filled in yet: told as begun, neither faulted nor called legal."""

from __future__ import annotations

from json import dumps
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run

POWER = (
    "Ship,standard/klingon-d7",
    "Turn,1,2,3",
    "Warp Power,30,30,30",
    "Impulse Power,5,5,5",
    "Reactor Power,4,4,4",
)
HOUSE = ("Life Support,1,,", "Fire Control,1,,", "Shields,2,,")
BEGUN = "NOTE/begun"


def checked(referee: Run, *rows: str) -> Ran:
    Path("form.csv").write_text("\n".join(rows) + "\n")
    return referee("check", "form.csv", "--json")


def begun(ran: Ran) -> list[str]:
    return [item["reason"] for item in ran.json["not_checked"] if "only begun" in item["reason"]]


@pytest.mark.parametrize("total", ["39,39,39", ",,"])
@pytest.mark.parametrize("used", ["0,0,0", ",,"])
def test_power_and_no_spending_is_a_form_only_begun(referee: Run, total: str, used: str) -> None:
    rows = (*POWER, f"Total Power,{total}", "Life Support,,,", "Movement,,,", f"Total Used,{used}")
    ran = checked(referee, *rows)
    assert ran.code == 0 and ran.json["verdict"] == "cannot-tell" and ran.findings("error", "warning") == []
    assert [(f["key"], f["turn"]) for f in ran.findings("undecided")] == [(BEGUN, 1)]
    assert begun(ran) == ["turns 1, 2, 3 are only begun: its spending is not filled in"]
    assert referee("check", "form.csv", "--strict").code == 1


def test_rows_of_names_and_no_figures_are_no_legal_form(referee: Run) -> None:
    ran = checked(
        referee, "Ship,standard/klingon-d7", "Turn,1,2", "Warp Power,,", "Life Support,,", "Movement,,"
    )
    assert ran.json["verdict"] == "cannot-tell" and [f["key"] for f in ran.findings("undecided")] == [BEGUN]
    assert "no turn of the form is filled in" in str(ran.json["not_checked"])


def test_turns_to_come_do_not_count_against_the_one_filled_in(referee: Run) -> None:
    ran = checked(referee, *POWER, *HOUSE, "Movement,10,,", "Total Used,14,0,0")
    assert ran.json["verdict"] == "legal" and ran.findings("undecided") == []
    assert begun(ran) == ["turns 2, 3 are only begun: its spending is not filled in"]


def test_a_turn_between_is_judged_as_it_stands(referee: Run) -> None:
    """Nobody leaves out a turn: what is blank in it was not paid."""
    ran = checked(referee, *POWER, "Life Support,1,,1", "Fire Control,1,,1", "Shields,2,,2", "Movement,10,,5")
    assert [(f["rule"], f["turn"]) for f in ran.findings("error")] == [("B3.0-7", 2)] and begun(ran) == []


def test_nothing_written_as_0_is_a_finished_form(referee: Run) -> None:
    rows = ("Ship,standard/klingon-d7", "Turn,1", "Warp Power,30", "Impulse Power,5", "Reactor Power,4")
    ran = checked(
        referee, *rows, "Life Support,0", "Fire Control,0", "Shields,0", "Movement,0", "Total Used,0"
    )
    assert ran.code == 1 and [f["rule"] for f in ran.findings("error")] == ["B3.0-7"] and begun(ran) == []


def test_figures_that_are_there_are_judged_all_the_same(referee: Run) -> None:
    rows = ("Ship,standard/klingon-d7", "Turn,1", "Warp Power,40", "Impulse Power,5", "Reactor Power,4")
    ran = checked(referee, *rows, "Life Support,", "Movement,")
    assert ran.code == 1 and [(f["rule"], f["location"]["cell"]) for f in ran.findings("error")] == [
        ("B3.0-1", "B3")
    ]


@pytest.mark.parametrize(("lines", "verdict"), [({}, "cannot-tell"), ({"7": 0, "14": 0}, "illegal")])
def test_a_json_form(referee: Run, lines: dict[str, int], verdict: str) -> None:
    turn = {"turn": 1, "lines": {"1": 30, "2": 5, "3": 4, **lines}}
    form = {"schema": "referee/energy-allocation/1", "ship": "standard/klingon-d7", "turns": [turn]}
    Path("form.json").write_text(dumps(form))
    assert referee("check", "form.json", "--json").json["verdict"] == verdict


def test_in_a_game(referee: Run) -> None:
    ship = "One=standard/klingon-d7:ann@2020A/8"
    new = referee(
        "game", "new", "g.jsonl", "--players", "ann", "--ship", ship, "--alone", "--rulebook", "sfb-standard"
    )
    assert new.code == 0, new.err
    made = referee("form", "blank", "standard/klingon-d7", "-o", "form.csv")
    ran = referee("check", "form.csv", "--game", "g.jsonl", "--ship", "One", "--json")
    assert made.code == 0 and ran.findings("error") == [] and ran.json["verdict"] == "cannot-tell", ran
    assert begun(ran)
