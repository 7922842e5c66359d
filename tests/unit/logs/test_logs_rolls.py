"""Rolls of a log that are not what they seem, found at their step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.core.finding import Severity
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.game import read_save
from referee.formats.vassal.logged import read_log
from referee.formats.vassal.module import DiceButton, read_module
from referee.logs.rolls import judge_rolls
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import LogWriter, module_bytes
from tests.unit.logs.test_logs_lock_on import Check, check, hurt, say

__all__ = ["check"]
SAID = "NOTE/roll-only-said"


def fired(said: str, shown: str, player: str = "Ann", *, button: str = "1d6") -> tuple[LogWriter, int]:
    """A phaser fired, chat and the button's property of its roll; the step of the roll."""
    writer = hurt(sensors=6)
    say(writer, "!fire PH-1/1 at D7 Ship1")
    chat = lv.Chat(f"*** {button} = {said} *** <{player}>")
    return writer, writer.log(chat, lv.MutableProperty(f"{button}_result", "1", shown, "Module"))


def found(ran: Ran) -> list[tuple[str, str, int | None]]:
    assert ran.err == ""
    keys = (
        "NOTE/die",
        "NOTE/two-rolls",
        "NOTE/dice-by-stranger",
        "NOTE/typed-roll",
        "NOTE/dice-by-other",
        SAID,
    )
    told = [(f["severity"], f["key"], f["location"].get("step")) for f in ran.findings()]
    return [item for item in told if item[1] in keys or item[1] == "E1.1"]


@pytest.mark.parametrize("face", ["1", "6"])
def test_a_roll_that_can_be(check: Check, face: str) -> None:
    assert found(check(fired(face, face)[0])) == []


@pytest.mark.parametrize("face", ["0", "7", "9", "99999", "x", ""])
def test_faces_no_die_has(check: Check, face: str) -> None:
    writer, step = fired(face, face)
    ran = check(writer)
    assert found(ran) == [("undecided", "NOTE/die", step)]


def test_a_total_two_dice_cannot_show(check: Check) -> None:
    writer, step = fired("13", "13", button="2d6")
    assert ("undecided", "NOTE/die", step) in found(check(writer))


def test_dice_of_somebody_else(check: Check) -> None:
    writer, step = fired("3", "3", "Mallory")
    assert found(check(writer)) == [
        ("warning", "NOTE/dice-by-stranger", step),
        ("note", "NOTE/dice-by-other", step),
    ]
    writer, step = fired("3", "3", "Ben")
    assert found(check(writer)) == [("note", "NOTE/dice-by-other", step)]


def test_a_button_of_the_module_is_sure_of_its_dice() -> None:
    writer, step = fired("9", "9")
    save = read_save(writer.finish(), "game.vlog")
    module = replace(read_module(module_bytes(), "game.vmod"), dice=(DiceButton("1d6", 1, 6, 0, ""),))
    logged = read_log(save, module)
    (wrong,) = judge_rolls(logged, module, save.players)
    assert (wrong.severity, wrong.key, wrong.location.step) == (Severity.ERROR, "NOTE/die", step)
    raised = replace(module, dice=(DiceButton("1d6", 1, 6, 3, ""),))
    assert list(judge_rolls(logged, raised, save.players)) == []


def test_a_report_of_dice_that_no_button_made(check: Check) -> None:
    """Every other roll of the button sets its result."""
    writer, _ = fired("3", "3")
    step = writer.log(lv.Chat("*** 1d6 = 1 *** <Ann>"))
    assert found(check(writer)) == [("warning", SAID, step)]


def test_reports_of_buttons_that_are_not_known_to_set_anything(check: Check) -> None:
    """In a log whose dice all are told in chat alone, and of a button the module does not have."""
    writer = hurt(sensors=6)
    say(writer, "!fire PH-1/1 at D7 Ship1")
    step = writer.log(lv.Chat("*** 1d6 = 3 *** <Ann>"))
    assert found(check(writer)) == []
    save = read_save(writer.finish(), "game.vlog")
    module = read_module(module_bytes(), "game.vmod")
    assert list(judge_rolls(read_log(save, module), module, save.players)) == []
    dice = replace(module, dice=(DiceButton("1d6", 1, 6, 0, ""),))
    (told,) = judge_rolls(read_log(save, dice), dice, save.players)
    assert (told.severity, told.key, told.location.step) == (Severity.WARNING, SAID, step)
