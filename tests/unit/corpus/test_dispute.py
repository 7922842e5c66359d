"""A dispute becomes a case by five answers, and is refused where it holds names or more than one fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.formats.schemas import hold_against
from tests.cli.conftest import Ran, Run, own_folder, referee

__all__ = ["own_folder", "referee"]

TURNED_TWICE = """# Bob's game
impulses 8
ship One = cadet/federation-ca at 0111A speed 8
turn 1
impulse 1
  One: right
impulse 2
  One: right
"""
FORM = "Ship,Constellation\nTurn,1\nWarp Power,17\nMovement,8\n"
NO_FORM = ("--ship", "-", "--option", "-")


def added(referee: Run, text: str, *more: str, name: str = "two.txt") -> Ran:
    """What `corpus add` makes of a file."""
    Path(name).write_text(text, encoding="utf-8")
    return referee("corpus", "add", name, "--says", "two turns in a row", "-o", "case.json", *more)


def test_orders_become_a_case_that_runs(referee: Run, own_folder: Path) -> None:
    ran = added(referee, TURNED_TWICE, "--rule", "C3.2", "--verdict", "illegal", *NO_FORM)
    assert ran.code == 0, ran
    document = json.loads(Path("case.json").read_bytes())
    hold_against(document, "corpus-cases", "case.json")
    assert "Bob" not in json.dumps(document)
    again = referee("corpus", "run", "--cases", "case.json", "--json")
    assert again.code == 0 and again.json["counts"]["passed"] == 1


def test_a_form_becomes_a_case_without_its_ships_name(referee: Run, own_folder: Path) -> None:
    more = (
        "--rule",
        "B3.0-1",
        "--verdict",
        "illegal",
        "--ship",
        "cadet/federation-ca",
        "--option",
        "previous_speed=8",
    )
    assert added(referee, FORM, *more, name="form.csv").code == 0
    case = json.loads(Path("case.json").read_bytes())["cases"][0]
    assert case["input"]["form"]["rows"] == [["Turn", "1"], ["Warp Power", "17"], ["Movement", "8"]]
    assert case["options"] == {"previous_speed": "8"}


def test_a_ruling_that_is_not_ours_is_a_case_all_the_same(referee: Run, own_folder: Path) -> None:
    ran = added(referee, TURNED_TWICE, "--rule", "C3.2", "--verdict", "legal", *NO_FORM)
    assert ran.code == 1 and "you hold it legal; this program rules it illegal" in ran.out
    assert referee("corpus", "run", "--cases", "case.json").code == 1


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        (TURNED_TWICE.replace("One", "Bob"), "C3.2", "holds a name: 'Bob'"),
        (TURNED_TWICE.replace("speed 8", "speed 8 side Alice"), "C3.2", "holds a name: 'Alice'"),
        (TURNED_TWICE, "C1.1", "more than the one fault: C3.2"),
        (TURNED_TWICE + "impulse 3\n  One: right\n", "C3.2", "more than the one fault: C3.2 has 2"),
        (TURNED_TWICE + "hello there\n", "C3.2", "line 9"),
        (TURNED_TWICE, "Q9.9", "has no rule 'Q9.9'"),
    ],
)
def test_what_is_no_case_is_refused(referee: Run, own_folder: Path, text: str, rule: str, why: str) -> None:
    ran = added(referee, text, "--rule", rule, "--verdict", "illegal", *NO_FORM)
    assert ran.code == 2 and why in ran.err and not Path("case.json").exists(), ran


@pytest.mark.parametrize("row", ["Captain Bob,3\n", "Life Support,Bob\n"])
def test_a_form_with_a_name_in_it_is_refused(referee: Run, own_folder: Path, row: str) -> None:
    more = ("--rule", "B3.0-1", "--verdict", "illegal", "--ship", "cadet/federation-ca", "--option", "-")
    ran = added(referee, FORM + row, *more, name="form.csv")
    assert ran.code == 2 and "Bob" in ran.err and not Path("case.json").exists(), ran


def test_an_answer_that_is_missing_is_asked_for_by_name(referee: Run, own_folder: Path) -> None:
    ran = added(referee, TURNED_TWICE, "--verdict", "illegal", *NO_FORM)
    assert ran.code == 2 and "--rule" in ran.err


def test_run_says_what_is_open(referee: Run, own_folder: Path) -> None:
    ran = referee("corpus", "run", "--rule", "E1.2", "-o", "statement.html")
    assert ran.code == 0 and "complies with all" in Path("statement.html").read_text("utf-8")
    assert referee("corpus", "run", "--rule", "Q9").code == 2
    assert referee("corpus", "run", "--adapter", "no-such-program-here", "--rule", "E1.2").code == 2
