"""Orders for a ship, and drags of it, by a player who does not play it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import LogWriter
from tests.unit.logs.test_logs_lock_on import CA, D6, Check, check, hurt, roll, say

__all__ = ["check"]
_OF_THE_FORM = ("B3.0-20/sum",)
"""What is wrong with the form these games begin with."""


def orders(ran: Ran) -> list[tuple[str, str, int]]:
    assert ran.err == ""
    return [(f["severity"], f["subject"], f["location"]["step"]) for f in by_key(ran, "NOTE/order")]


def by_key(ran: Ran, key: str) -> list[dict[str, Any]]:
    return [f for f in ran.findings() if f["key"] == key]


@pytest.mark.parametrize(
    "text",
    [
        f"!{D6}: fire PH-2/1 at {CA}",
        f"!{D6}: ahead",
        f"!{D6}: speed 4",
        f"!{D6}: cloak",
        f"!{D6}: lock on {CA} 3",
    ],
)
def test_an_order_for_the_other_players_ship_is_named_and_not_taken(check: Check, text: str) -> None:
    writer = hurt(sensors=6)
    step = say(writer, text)
    ran = check(writer)
    assert orders(ran) == [("undecided", "Ann", step)]
    assert {f["key"] for f in ran.findings() if f["severity"] != "note"} == {"NOTE/order", *_OF_THE_FORM}
    own = hurt(sensors=6)
    say(own, text, "Ben")
    assert orders(check(own)) == []


def errors(ran: Ran) -> list[str]:
    return [f["key"] for f in ran.findings("error")]


def test_an_umpire_and_a_question_are_answered(check: Check) -> None:
    writer = hurt(sensors=6)
    say(writer, f"!{D6}: fire PH-2/1 at {CA}", "Umpire")
    say(writer, f"!{D6}: status")
    assert orders(check(writer)) == []


def test_a_hit_said_by_the_other_player_is_compared_or_named(check: Check) -> None:
    writer = hurt(sensors=6)
    step = say(writer, f"!{D6}: hit 10 on 1")
    assert orders(check(writer)) == [("undecided", "Ann", step)]
    writer = hurt(sensors=6)
    say(writer, f"!fire PH-1/1 at {D6}")
    roll(writer, 3)
    step = say(writer, f"!{D6}: hit 30 on 1")
    ran = check(writer)
    assert orders(ran) == []
    assert [f["location"]["step"] for f in by_key(ran, "D4.22")] == [step]


def dragged(writer: LogWriter, player: str) -> int:
    leaf = writer.move_leaf(CA, Hex(40, 30), Hex(40, 31))
    return writer.log(lv.MovePiece(*(getattr(leaf, name) for name in _PLACES), lv.Secret(f"secret-{player}")))  # type: ignore[call-arg]


_PLACES = "id", "map", "x", "y", "under", "old_map", "old_x", "old_y", "old_under"


def test_a_drag_by_the_other_player_is_noted(check: Check) -> None:
    writer = hurt(sensors=6)
    step = dragged(writer, "Ben")
    (found,) = by_key(check(writer), "NOTE/dragged-by-other")
    assert (found["severity"], found["location"]["step"]) == ("note", step)
    assert found["message"] == f"Ben moved it in step {step}; Ann plays it"
    writer = hurt(sensors=6)
    dragged(writer, "Ann")
    assert by_key(check(writer), "NOTE/dragged-by-other") == []


def test_who_wrote_a_sheet_is_not_told(check: Check) -> None:
    told = "who wrote a form or marked a display is not known by a log"

    def lacking(writer: LogWriter) -> bool:
        return told in [item["reason"] for item in check(writer).json["not_checked"]]

    writer = hurt(sensors=6)
    assert not lacking(writer)
    writer.write(CA, 1, {"Gen Reinf": "1"})
    assert lacking(writer)
