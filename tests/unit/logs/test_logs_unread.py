"""Commands of a log that cannot be read, and ships put off the map: named, and no other ship blamed."""

from __future__ import annotations

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import LogWriter
from tests.unit.logs.test_logs_lock_on import CA, Check, check, hurt

__all__ = ["check"]


def unread(ran: Ran) -> list[tuple[str, int]]:
    assert ran.err == ""
    return [
        (f["message"], f["location"]["step"]) for f in ran.findings("undecided") if f["key"] == "NOTE/unread"
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("M/42/Space/100/100/null/Space/90/90/null/x", "a move of a piece that is not there"),
        ("M/42/Space/abc/100/null/Space/90/90/null/x", "a move that is not written as VASSAL does"),
        ("D/42/abc/def", "a change of a piece that is not there"),
        ("D/", "a change of a piece that is not written as VASSAL does"),
        ("+/", "a new piece that is not written as VASSAL does"),
        ("TURNTurnTracker0\tgarbage", "a turn tracker set to what it cannot show"),
        ("UNDO\ttrue", "an undo that does not begin or does not end"),
        ("UNDO\tfalse", "an undo that does not begin or does not end"),
        ("UNDO\tperhaps", "an undo that is not written as VASSAL does"),
    ],
)
def test_a_step_that_cannot_be_read_is_named(check: Check, text: str, what: str) -> None:
    writer = hurt(sensors=6)
    step = writer.log(text)
    assert unread(check(writer)) == [(f"it has {what}: left out", step)]


def test_a_command_of_a_modules_own_is_none_of_ours(check: Check) -> None:
    writer = hurt(sensors=6)
    writer.log("MYMODULE\tpaint it red")
    assert unread(check(writer)) == []


def test_a_display_whose_state_is_broken_is_left_as_it_was(check: Check) -> None:
    writer = hurt(sensors=6)
    step = writer.log(lv.ChangePiece(f"{writer.ids[CA]}9", "abc", "def"))
    ran = check(writer)
    assert unread(ran) == [("it has a change of a piece that leaves out what its traits say: left out", step)]
    assert [f for f in ran.findings() if f["key"].startswith("D4")] == []


def test_a_ship_is_not_blamed_for_a_move_that_cannot_be_read(check: Check) -> None:
    writer = hurt(sensors=6)
    step = writer.log(f"M/{writer.ids[CA]}/Space/abc/100/null/Space/90/90/null/x")
    goes(writer, Hex(40, 30), Hex(40, 32))
    ran = check(writer)
    assert unread(ran)[0][1] == step
    assert [f["key"] for f in ran.findings("error") if f["key"].startswith("C")] == []
    assert "C1.1" in [f["key"] for f in ran.findings("undecided")]


def goes(writer: LogWriter, old: Hex, new: Hex) -> int:
    return writer.log(writer.move_leaf(CA, old, new))


def test_a_ship_that_comes_back_from_nowhere(check: Check) -> None:
    writer = hurt(sensors=6)
    there = writer.move_leaf(CA, Hex(40, 30), Hex(40, 31))
    id, old_x, old_y = writer.ids[CA], there.old_x, there.old_y
    left = writer.log(lv.MovePiece(id, "Space", -9999, 5, "null", "Space", old_x, old_y, "null"))
    back = writer.log(lv.MovePiece(id, "Space", there.x, there.y, "null", "Space", -9999, 5, "null"))
    ran = check(writer)
    (found,) = (f for f in ran.findings("error") if f["key"] == "C1.1/continues")
    assert (found["subject"], found["location"]["step"]) == (CA, back)
    assert f"step {left}" in found["message"]
    assert "the speed is not known" not in [item["reason"] for item in ran.json["not_checked"]]
