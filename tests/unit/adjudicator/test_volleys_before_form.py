"""Volleys that were rolled before the form of their ship was shown, and what the form says of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee.adjudicator.volleys_before_form import SecretVolleys
from referee.core.finding import Finding
from referee.core.gamefold import fold_game
from referee.record.reading import read
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.conftest import ROOT

DUEL = read(ROOT / "examples" / "games" / "cadet-duel.jsonl")
"""Its forms are shown as each turn ends, when the dice have long fallen."""


@pytest.fixture(scope="module")
def rolled() -> SecretVolleys:
    """All volleys of the duel, taken as a reader of the record takes them."""
    book = load_rulebook("sfb-cadet").with_options({"impulses": "16", "reinforcement": "true"})
    kept = SecretVolleys(book, load_ship)
    for n, entry in enumerate(DUEL):
        if entry.type == "events":
            kept.take(entry, fold_game(DUEL[:n], load_ship))
    return kept


def forms() -> Iterator[tuple[str, int, dict[str, Any]]]:
    for entry in DUEL:
        if entry.type == "reveal":
            body = entry.data["body"]
            yield body["ship"], body["turn"], dict(body["form"])


def against(rolled: SecretVolleys, more: dict[str, Any]) -> list[Finding]:
    """What is found where each form says what it said, and more."""
    return [one for ship, turn, form in forms() for one in rolled.shown(ship, turn, form | more)]


def test_forms_that_pay_for_what_was_rolled(rolled: SecretVolleys) -> None:
    assert list(forms()) and against(rolled, {}) == []


def test_reinforcement_that_was_bought_and_not_counted(rolled: SecretVolleys) -> None:
    found = against(rolled, {"line_12": {"line": "12", "amount": "6"}})
    assert found and {one.subject for one in found} <= {"Constellation", "Destruction"}
    assert all(one.turn and one.expected != one.found for one in found)
