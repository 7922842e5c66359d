"""Phasers fired in chat against what the form says was fired, and what is carried over (H6.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.unit.formats.vassal.game_logs import LogWriter
from tests.unit.logs.test_logs_chat import CA, WE, Check, check, game, played

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


@pytest.mark.parametrize("written", ["0", "", "2"])
def test_what_was_fired_is_not_carried_over(check: Check, written: str) -> None:
    writer = LogWriter(game(turns=2))
    forms = {(name, turn): {} for name in (CA, WE) for turn in (1, 2)}
    forms[CA, 1] = {"Phasrecharge": "3", "PhasFired": written}
    played(writer, (1, 5, "Ann", FIRE), forms=forms)  # type: ignore[arg-type]
    ledger = next(one for one in check(writer).json["ledgers"] if (one["ship"], one["turn"]) == (CA, 1))
    assert ledger["carried"]["capacitor"] == "1"


# -- by batteries (B3.0-21) --------------------------------------------------------------


def by_battery(
    check: Check, text: str = FIRE, *, row: str = "", fired: str = "", then: str = "1", cut: bool = False
) -> list[tuple[str, str]]:
    """A capacitor of 1, two batteries charged, and phasers said to fire in turn 1; what is found of it."""
    writer = LogWriter(game(turns=2))
    forms = {(name, turn): {} for name in (CA, WE) for turn in (1, 2)}
    forms[CA, 1] = {"Phasrecharge": "1", "Total Used": "1", "BttyUsedInTurn": row, "PhasFired": fired}
    forms[CA, 2] = {"Btty Avail": then}
    (step,) = played(writer, (1, 5, "Ann", text), forms=forms)  # type: ignore[arg-type]
    if cut:
        del writer.steps[step + 2 :]
    return [
        (f["severity"], f["key"]) for f in check(writer).findings() if f["key"] in ("E2.21", "B3.0-5", "H6.1")
    ]


@pytest.mark.parametrize("row", ["", "0"])
def test_a_battery_that_fires_a_phaser_is_written_down_as_the_turn_ends(check: Check, row: str) -> None:
    assert by_battery(check, cut=True, row=row) == [("note", "E2.21")]
    assert by_battery(check, row="1") == []


def test_a_battery_used_and_never_written_down_is_gone_all_the_same(check: Check) -> None:
    assert by_battery(check) == [("warning", "E2.21")]
    assert by_battery(check, fired="2") == [("warning", "E2.21")]
    assert ("error", "B3.0-5") in by_battery(check, then="2")


def test_no_more_than_the_batteries_hold(check: Check) -> None:
    """Three phasers take both; a form that says one was used, or none, is held to that."""
    three = "!fire PH-1A, PH-1B, PH-1C at WE Ship1"
    assert by_battery(check, three, then="0") == [("warning", "E2.21")]
    assert ("error", "E2.21") in by_battery(check, three, row="1")
    assert ("error", "E2.21") in by_battery(check, row="0")


@pytest.mark.parametrize(("lost", "wrong"), [(1, False), (0, True)])
def test_a_charged_battery_that_was_destroyed_is_not_there_to_be_used(
    check: Check, lost: int, wrong: bool
) -> None:
    """Two charged, one box destroyed while both were, and one used: none is left (B3.0-5)."""
    writer = LogWriter(game(turns=1))
    forms = {(CA, 1): {"Phasrecharge": "1", "Total Used": "1", "BttyUsedInTurn": "1"}, (WE, 1): {}}
    played(writer, (1, 5, "Ann", FIRE), forms=forms)
    old = writer.display_states(CA)
    writer.left[CA]["Battery"] -= lost
    writer.log(writer.change(f"{writer.ids[CA]}9", old, writer.display_states(CA)))
    writer.game = replace(writer.game, speeds={**writer.game.speeds, (CA, 2): 0})
    writer.form(CA, 2)
    writer.write(CA, 2, {"Btty Avail": "0"})
    writer.advance((2, 1, 0), (2, 2, 0))
    found = [(f["severity"], f["key"]) for f in check(writer).findings() if f["key"] == "B3.0-5"]
    assert (("error", "B3.0-5") in found) is wrong


# -- by order ----------------------------------------------------------------------------


def ordered(
    check: Check, *said: tuple[int, str], row: str = "", cut: bool = False, then: str = "1"
) -> list[tuple[str, str]]:
    """A capacitor of 1, two batteries charged, and what chat orders of them in turn 1; what is found of it."""
    writer = LogWriter(game(turns=2))
    forms = {(name, turn): {} for name in (CA, WE) for turn in (1, 2)}
    forms[CA, 1] = {"Phasrecharge": "1", "Total Used": "1", "BttyUsedInTurn": row}
    forms[CA, 2] = {"Btty Avail": then}
    steps = played(writer, *((1, impulse, "Ann", text) for impulse, text in said), forms=forms)  # type: ignore[arg-type]
    if cut:
        del writer.steps[steps[-1] + 2 :]
    ran = check(writer)
    assert ran.err == "" and "battery" not in str(ran.json["not_checked"])
    keys = ("E2.21", "B3.0-5", "H6.1", "B3.0-21/ordered", "NOTE/order")
    return [(f["severity"], f["key"]) for f in ran.findings() if f["key"] in keys]


FEED = "!battery 1 for PH-1B"


def test_a_battery_that_was_ordered(check: Check) -> None:
    assert ordered(check, (4, FEED), (5, FIRE), cut=True) == [], "it was said, and the turn goes on"
    assert ordered(check, (4, FEED), (5, FIRE), row="1") == []
    assert ordered(check, (4, FEED), (5, FIRE)) == [("warning", "E2.21")], "never written down"
    assert ("error", "B3.0-5") in ordered(check, (4, FEED), (5, FIRE), then="2")


def test_more_batteries_ordered_than_are_charged(check: Check) -> None:
    three = "!battery 3 for PH-1A, PH-1B, PH-1C"
    assert ordered(check, (4, three), cut=True) == [("error", "B3.0-21/ordered")]
    twice = ((3, "!battery 2 for PH-1A, PH-1B"), (4, FEED))
    assert ordered(check, *twice, cut=True) == [("error", "B3.0-21/ordered")]


def test_a_battery_for_a_weapon_the_ship_has_not(check: Check) -> None:
    assert ordered(check, (4, "!battery 1 for PH-1Z"), cut=True) == [("undecided", "NOTE/order")]
    assert ordered(check, (4, "!battery 1 for PHOT-A"), cut=True) == [("undecided", "B3.0-21/ordered")]
