"""Orders without their `!` and dice that belong to no order: named, not passed over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import NAME, LogWriter
from tests.unit.logs.test_logs_notes import Check, begun, check, impulses, rolled

__all__ = ["check"]


def say(writer: LogWriter, text: str) -> int:
    return writer.log(lv.Chat(f"<Ann> - {text}"))


def noted(ran: Ran) -> list[tuple[Any, str]]:
    assert ran.err == ""
    return [(f["location"]["step"], f["found"]) for f in ran.findings("note") if f["key"] == "NOTE/no-order"]


def loose(ran: Ran) -> list[str]:
    return [item["reason"] for item in ran.json["not_checked"] if item["rule"] == "E1.1"]


def for_nothing(*steps: int) -> list[str]:
    return [f"the dice of steps {', '.join(map(str, steps))} are for no fire declared"]


@pytest.mark.parametrize("text", ["fire PH-1A at D6 Ship1", "CA Ship0: Fire PH-1A, PH-1B at D6"])
def test_fire_without_its_mark(check: Check, text: str) -> None:
    writer = begun()
    impulses(writer, 1, 1, 3)
    line = say(writer, text)
    die = rolled(writer, 3)
    impulses(writer, 1, 4, 4)
    ran = check(writer)
    assert noted(ran) == [(line, text)]
    assert loose(ran) == for_nothing(die)


@pytest.mark.parametrize(
    "text",
    [
        "fire at will",
        "fire PH-1Z at D6 Ship1",
        "fire PH-1A at Enterprise",
        "shall I fire PH-1A at D6 Ship1?",
        "fire when you are ready, I look at D6",
    ],
)
def test_talk_of_fire(check: Check, text: str) -> None:
    writer = begun()
    impulses(writer, 1, 1, 3)
    say(writer, text)
    impulses(writer, 1, 4, 4)
    assert noted(check(writer)) == []


def test_the_die_of_an_order_that_was_not_understood(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 3)
    say(writer, "!fire PH-1A at Enterprise")
    die = rolled(writer, 3)
    impulses(writer, 1, 4, 4)
    assert loose(check(writer)) == for_nothing(die)


def test_dice_in_later_impulses_than_fire_that_missed(check: Check) -> None:
    """A phaser at range 14 that rolls a 6 does nothing: no die is rolled on the chart."""
    writer = begun()
    impulses(writer, 1, 1, 3)
    say(writer, "!fire PH-1A at D6 Ship1")
    rolled(writer, 6)
    impulses(writer, 1, 4, 5)
    die = rolled(writer, 2)
    impulses(writer, 1, 6, 6)
    assert loose(check(writer)) == for_nothing(die)


def test_dice_that_were_taken_back_belong_to_nothing_and_are_warned_of(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 3)
    rolled(writer, 6)
    writer.log(lv.Undo(True), lv.MutableProperty("1d6_result", "6", "1", "Module"), lv.Undo(False))
    impulses(writer, 1, 4, 4)
    ran = check(writer)
    assert loose(ran) == [] and [f["key"] for f in ran.findings("warning")] == ["NOTE/dice-taken-back"]


def test_orders_that_begin_as_a_map_says(check: Check) -> None:
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, "orders": {"prefix": "->"}}
    Path("map.json").write_text(json.dumps(said))
    writer = begun()
    impulses(writer, 1, 1, 3)
    line = say(writer, "!fire PH-1A at D6 Ship1")
    impulses(writer, 1, 4, 4)
    ran = check(writer, options=("--json", "--map", "map.json"))
    assert noted(ran) == [(line, "!fire PH-1A at D6 Ship1")]
    assert "begins with ->" in ran.findings("note")[0]["message"]
