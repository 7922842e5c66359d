"""Turns as they are seen to go by, on the one table."""

from __future__ import annotations

from typing import Any

import pytest

from referee.adjudicator.table import GameTable
from referee.adjudicator.turns_seen import SeenTurns
from referee.core.account import (
    SURE,
    TURN_PLAYED,
    TURN_RUN,
    TURNED_BACK,
    TURNS_PASSED,
    Certainty,
    Event,
    Perhaps,
)
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_ship
from tests.unit.adjudicator.test_fire_seen import BOOK, account

Found = list[tuple[str, str, int | None]]


def told(kind: str, data: dict[str, Any], sure: Certainty = SURE) -> Found:
    table = GameTable(BOOK, load_ship, account())
    event = Event(9, kind, data, at=Location("g.vlog", step=30), when=When(3, 2), sure=sure)
    found = table.take(event)
    assert isinstance(table.beside.turns, SeenTurns)
    return [(one.key, one.severity.value, one.location.step) for one in found]


@pytest.mark.parametrize(("filed", "found"), [(True, []), (False, [("B3.0/filed", "undecided", 30)])])
def test_who_moves_has_filed_a_form(filed: bool, found: Found) -> None:
    data = {"ship": "Hood", "turn": 3, "deeds": ("moves",), "filed": filed, "rulebook": BOOK}
    assert told(TURN_PLAYED, data) == found


@pytest.mark.parametrize(
    ("last", "sure", "found"),
    [(2, SURE, []), (1, SURE, "error"), (1, Perhaps("nothing but chat tells the time"), "undecided")],
)
def test_no_turn_is_passed_over(last: int, sure: Certainty, found: str | list[str]) -> None:
    wrong = [(BOOK.named.turns_in_order, found, 30)] if found else []
    assert told(TURNS_PASSED, {"last": last, "to": 3}, sure) == wrong


def test_a_clock_that_ran_through_a_turn_leaves_it_undecided() -> None:
    ((_, severity, step),) = told(TURN_RUN, {"last": 1, "turn": 2})
    assert (severity, step) == ("undecided", 30)


def test_who_fights_as_it_faces_the_wrong_way_and_turns_back_breaks_a_rule() -> None:
    data = {"ship": "Hood", "facings": ("A", "B"), "later": "impulse 4", "fought": "fire in step 32"}
    ((_, severity, step),) = told(TURNED_BACK, data)
    assert (severity, step) == ("error", 30)
