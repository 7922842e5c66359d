"""A volley of a record: its order entry, and what it does."""

from __future__ import annotations

from typing import Any

import pytest

from referee.adjudicator.record_volley import entry_of_due, marks_of, resolve_said, volley_entry
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.game import DueVolley
from referee.core.hexgrid import Offset
from referee.core.volley import VolleyOrder
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import FED, entries, state

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
SHIELD = load_ship(FED).shields[1]


def said(points: int, choose: str = "protect-weapons", picks: dict[int, str] | None = None) -> dict[str, Any]:
    _, data = volley_entry("B", "a", VolleyOrder(points, 1), choose, picks or {})
    found: dict[str, Any] = data["volley"]
    return found


def test_an_entry_says_what_strikes() -> None:
    origins = ((6, Offset(0, 3)),)
    kind, data = volley_entry("B", "a", VolleyOrder(6, 1, origins=origins), "file", {2: "PH-1/A"})
    assert (kind, data["text"], data["player"]) == ("order", ["B: hit 6 on 1"], "a")
    struck = data["volley"]
    assert (struck["points"], struck["shield"], struck["origins"]) == (6, 1, [[6, 0, 3]])
    assert struck["picks"] == {"hit_2": "PH-1/A"}


def test_what_is_inside_already_is_on_no_shield() -> None:
    _, data = volley_entry("B", "a", VolleyOrder(3, internal=True), "protect-weapons", {})
    assert data["text"] == ["B: hit 3 inside"] and "shield" not in data["volley"]


def test_a_volley_that_is_due_is_its_owners() -> None:
    due = DueVolley(7, 1, "B", 4, 1)
    now = state(entries())
    _, data = entry_of_due(now, due, VolleyOrder(4, 1))
    assert (data["player"], data["volley"]["of"]) == ("b", [7, 1])
    assert data["volley"]["choose"] == "protect-weapons"
    assert entry_of_due(now, due, VolleyOrder(4, 1), "a")[1]["player"] == "a"


def struck(volley: dict[str, Any], *dice: int) -> list[dict[str, Any]]:
    """What a volley does to B in a game that has just begun, with the dice it needs and no more."""
    thrown = ScriptedDice(dice)
    marks = marks_of(volley, resolve_said(BOOK, load_ship, state(entries()), volley, thrown))
    thrown.finish()
    assert {mark["ship"] for mark in marks} == {"B"}
    return marks


def test_a_shield_takes_what_it_can() -> None:
    shield = {"ship": "B", "event": "shield_hit", "shield": 1, "points": SHIELD}
    assert struck(said(SHIELD)) == [shield]
    assert [mark["event"] for mark in struck(said(SHIELD + 1), 3)] == ["shield_hit", "box_destroyed"]


def test_a_box_that_was_picked_is_taken_where_it_may_be() -> None:
    """A pick that the rules refuse keeps no roll from being resolved."""
    inside, die = SHIELD + 1, 3
    by_policy = struck(said(inside), die)
    assert struck(said(inside, "file", {1: "no such box"}), die) == by_policy


def test_a_policy_that_is_none_is_refused() -> None:
    for choose in ("cleverly", "file"):  # A file without picks says nothing.
        with pytest.raises(BadInput) as refused:
            struck(said(1, choose))
        assert f"--choose {choose} cannot be recorded" in refused.value.reason
