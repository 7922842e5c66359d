"""Rolls for lock-on in the chat of a log: a ship with damaged sensors is judged by what it rolled."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import (
    BIG_FED,
    BIG_KLINGON,
    NAME,
    Game,
    LogWriter,
    Placed,
    module_bytes,
)

CA, D6 = "CA Ship0", "D7 Ship1"
HURT = replace(BIG_FED, boxes=(*BIG_FED.boxes, ("Sensor", 6)))
Check = Callable[..., Ran]


def hurt(sensors: int = 4, apart: int = 4) -> LogWriter:
    """A cruiser with lost sensors, in impulse 5, the Klingon ahead of it."""
    ships = {CA: Placed(HURT, Hex(40, 30), "D", 8), D6: Placed(BIG_KLINGON, Hex(40, 30 + apart), "A", 8)}
    speeds = dict.fromkeys(((CA, 1), (D6, 1)), 8)
    written = {(CA, 1): {"Phasrecharge": "2", "Disr A": "", "Total Used": "10"}}
    writer = LogWriter(Game(ships, 1, speeds, (), written), at=(1, 5, 3))
    writer.left[CA]["Sensor"] = sensors
    for name in ships:
        writer.form(name, 1)
    writer.steps.clear()
    writer._start = writer.start()
    return writer


def say(writer: LogWriter, text: str, player: str = "Ann") -> int:
    return writer.log(lv.Chat(f"<{player}> - {text}"))


def roll(writer: LogWriter, face: int, player: str = "Ann") -> int:
    return writer.log(
        lv.Chat(f"*** 1d6 = {face} *** <{player}>"),
        lv.MutableProperty("1d6_result", "1", str(face), "Module"),
    )


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(writer: LogWriter, *options: str) -> Ran:
        path, vmod = tmp_path / "game.vlog", tmp_path / "other.vmod"
        path.write_bytes(writer.finish())
        vmod.write_bytes(module_bytes())
        named = "--ship", f"{CA}=standard/federation-ca", "--ship", f"{D6}=standard/klingon-d7"
        return referee("check", path, "--json", "--module", vmod, *named, *options)

    return once


def reasons(ran: Ran, rule: str) -> list[str]:
    return [item["reason"] for item in ran.json["not_checked"] if item["rule"] == rule]


def wrong(ran: Ran) -> list[tuple[str, Any]]:
    return [(f["key"], f["location"].get("step")) for f in ran.findings() if f["severity"] == "error"]


UNKNOWN = ["whether lock-on was rolled is not known; it is taken as held"]


@pytest.mark.parametrize("line", ["!lock on D7 Ship1 2", "!lock on D7: rolled 2", "!CA Ship0: lock-on D7 2"])
def test_a_roll_that_was_said(check: Check, line: str) -> None:
    writer = hurt()
    say(writer, line)
    say(writer, "!fire PH-1/1 at D7 Ship1")
    ran = check(writer)
    assert reasons(ran, "D6.11") == [] and "NOTE/order" not in {f["key"] for f in ran.findings()}
    orders = [event["what"] for event in ran.json["events"] if event["kind"] == "order"]
    assert orders == ["lock on D7 Ship1 2", "fire PH-1/1 at D7 Ship1"]


def test_a_roll_on_the_table_and_the_dice_of_the_fire(check: Check) -> None:
    """The die after `lock` is the sensors' and no shot's; without lock-on the range counts double."""

    def hits_for(face: int) -> str:
        writer = hurt(sensors=3)
        say(writer, "!lock on D7 Ship1")
        roll(writer, face)
        say(writer, "!fire PH-1/1 at D7 Ship1")
        roll(writer, 2)
        step = say(writer, "PH-1/1 hits for 99")
        ran = check(writer)
        assert reasons(ran, "D6.11") == [] and reasons(ran, "E1.1") == []
        (found,) = (
            f for f in ran.findings() if f["severity"] == "error" and f["location"].get("step") == step
        )
        return str(found["expected"])

    assert hits_for(3) == hits_for(1) != hits_for(4) == hits_for(6)


def test_a_line_of_the_modules_own(check: Check) -> None:
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, "orders": {"lock_on": ["Locking on"]}}
    Path("map.json").write_text(json.dumps(said))
    writer = hurt()
    say(writer, "Locking on: D7 Ship1 2")
    say(writer, "!fire PH-1/1 at D7 Ship1")
    assert reasons(check(writer, "--map", "map.json"), "D6.11") == []
    assert reasons(check(writer), "D6.11") == UNKNOWN


def test_lock_on_on_nobody(check: Check) -> None:
    writer = hurt()
    steps = [say(writer, "!lock on"), say(writer, "!lock on Enterprise 3")]
    found = [f["location"]["step"] for f in check(writer).findings() if f["key"] == "NOTE/order"]
    assert found == steps


# -- taken back --------------------------------------------------------------------------


def shot_after(writer: LogWriter) -> int:
    say(writer, "!fire PH-1/1 at D7 Ship1")
    roll(writer, 2)
    return say(writer, "PH-1/1 hits for 99")


def hits_for(ran: Ran, step: int) -> str:
    assert ran.err == ""
    (found,) = (f for f in ran.findings() if f["severity"] == "error" and f["location"].get("step") == step)
    return str(found["expected"])


def odd(ran: Ran) -> list[tuple[str, Any]]:
    keys = "NOTE/order", "NOTE/undo-over-dice"
    return [(f["key"], f["location"].get("step")) for f in ran.findings() if f["key"] in keys]


@pytest.mark.parametrize("undo", ["!undo", "!UNDO", "! undo", "!CA Ship0: undo"])
def test_a_lock_taken_back_is_not_tried(check: Check, undo: str) -> None:
    """The die that falls later is the shot's."""
    writer = hurt(sensors=3)
    say(writer, "!lock on D7 Ship1")
    say(writer, undo)
    step = shot_after(writer)
    ran = check(writer)
    assert odd(ran) == [] and reasons(ran, "E1.1") == [] and reasons(ran, "D6.11") == UNKNOWN
    plain = hurt(sensors=3)
    unlocked = shot_after(plain)
    assert hits_for(ran, step) == hits_for(check(plain), unlocked)


def test_undo_takes_back_the_lock_and_not_the_order_before_it(check: Check) -> None:
    writer = hurt(sensors=3)
    say(writer, "!cloak")
    say(writer, "!lock on D7 Ship1")
    say(writer, "!undo")
    ran = check(writer)
    assert odd(ran) == [] and any(r["rule"].startswith("G13") for r in ran.json["not_checked"]), ran.json


def test_a_lock_taken_back_when_its_die_had_fallen_stands(check: Check) -> None:
    writer = hurt(sensors=3)
    say(writer, "!lock on D7 Ship1")
    roll(writer, 6)
    undo = say(writer, "!undo")
    say(writer, "!lock on D7 Ship1")
    roll(writer, 1)
    step = shot_after(writer)
    ran = check(writer)
    assert odd(ran) == [("NOTE/undo-over-dice", undo)]
    failed = hurt(sensors=3)
    say(failed, "!lock on D7 Ship1 6")
    doubled = shot_after(failed)
    assert hits_for(ran, step) == hits_for(check(failed), doubled)


@pytest.mark.parametrize("slip", [False, True], ids=["its die", "another button's"])
def test_the_die_of_a_lock_that_is_undone_stands_but_for_a_slip(check: Check, slip: bool) -> None:
    """A failed try is not rolled again; dice of another kind are no try."""
    writer = hurt(sensors=3)
    say(writer, "!lock on D7 Ship1")
    button, face = ("1d10", "9") if slip else ("1d6", "6")
    prop = f"{button}_result"
    writer.log(lv.Chat(f"*** {button} = {face} *** <Ann>"), lv.MutableProperty(prop, "1", face, "Module"))
    writer.log(lv.Undo(True), lv.MutableProperty(prop, face, "1", "Module"), lv.Undo(False))
    roll(writer, 1)
    step = shot_after(writer)
    plain = hurt(sensors=3)
    say(plain, f"!lock on D7 Ship1 {1 if slip else 6}")
    known = shot_after(plain)
    assert hits_for(check(writer), step) == hits_for(check(plain), known)


def test_a_lock_said_with_its_roll_and_taken_back(check: Check) -> None:
    writer = hurt(sensors=3)
    say(writer, "!lock on D7 Ship1 5")
    undo = say(writer, "!undo")
    say(writer, "!lock on D7 Ship1 2")
    say(writer, "!fire PH-1/1 at D7 Ship1")
    ran = check(writer)
    assert odd(ran) == [("NOTE/undo-over-dice", undo)] and reasons(ran, "D6.11") == []


def test_fire_taken_back_when_its_die_had_fallen(check: Check) -> None:
    writer = hurt(sensors=6)
    say(writer, "!fire PH-1/1 at D7 Ship1")
    roll(writer, 6)
    undo = say(writer, "!undo")
    say(writer, "!fire PH-1/2 at D7 Ship1")
    roll(writer, 1)
    assert odd(check(writer)) == [("NOTE/undo-over-dice", undo)]
    before = hurt(sensors=6)
    say(before, "!fire PH-1/1 at D7 Ship1")
    say(before, "!undo")
    roll(before, 6)
    assert odd(check(before)) == []
