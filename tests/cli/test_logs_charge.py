"""Phasers fired in chat against what the form says was fired, and what is carried over (H6.1)."""

from __future__ import annotations

import pytest

from tests.cli.test_logs_chat import CA, WE, Check, check, game, played
from tests.unit.vassal.game_logs import LogWriter

__all__ = ["check"]
FIRE = "!fire PH-1A, PH-1B at WE Ship1"


def fired(check: Check, written: str, turns: int = 2) -> list[tuple[str, str]]:
    writer = LogWriter(game(turns=turns))
    forms = {(name, turn): {} for name in (CA, WE) for turn in range(1, turns + 1)}
    forms[CA, 1] = {"Phasrecharge": "3", "PhasFired": written}
    played(writer, (1, 5, "Ann", FIRE), forms=forms)  # type: ignore[arg-type]
    ran = check(writer)
    assert ran.err == ""
    return [(f["severity"], f["message"]) for f in ran.findings() if f["key"] == "H6.1"]


@pytest.mark.parametrize("written", ["2", ""])
def test_what_was_fired_or_nothing(check: Check, written: str) -> None:
    assert fired(check, written) == []


def test_less_than_was_fired(check: Check) -> None:
    assert fired(check, "0") == [("error", "2 points of phasers were fired, the form says 0")]


def test_more_than_was_fired_may_have_been_said_otherwise(check: Check) -> None:
    assert fired(check, "3") == [("undecided", "2 points of phasers were fired, the form says 3")]


@pytest.mark.parametrize("written", ["0", "", "2"])
def test_what_was_fired_is_not_carried_over(check: Check, written: str) -> None:
    writer = LogWriter(game(turns=2))
    forms = {(name, turn): {} for name in (CA, WE) for turn in (1, 2)}
    forms[CA, 1] = {"Phasrecharge": "3", "PhasFired": written}
    played(writer, (1, 5, "Ann", FIRE), forms=forms)  # type: ignore[arg-type]
    ledger = next(one for one in check(writer).json["ledgers"] if (one["ship"], one["turn"]) == (CA, 1))
    assert ledger["carried"]["capacitor"] == "1"
