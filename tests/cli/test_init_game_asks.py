"""`init game` on a terminal: a few questions, each with a default."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.onaterminal import Typed
from tests.conftest import mostly_long

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")


def test_enter_alone_begins_a_game(referee: Run, own_folder: Path) -> None:
    run = Typed("init", "game")
    run.answer("Rulebook [sfb-cadet]: ", "")
    run.answer("Scenario [4]: ", "")
    run.answer("Who plays [alice,bob]: ", "")
    run.answer("With the optional ships [no]: ", "")
    run.answer("Dice [peer]: ", "")
    run.answer("File [game.jsonl]: ", "")
    assert run.end() == 0, run.shown
    assert "next: referee game join game.jsonl --as alice" in run.shown
    status = referee("game", "status", "game.jsonl")
    assert status.code == 0 and "Constellation" in status.out
    assert referee("game", "join", "game.jsonl", "--as", "alice").code == 0


def test_wrong_answers_are_asked_again(referee: Run, own_folder: Path) -> None:
    (own_folder / "there.jsonl").write_text("mine")
    run = Typed("init", "game", "duel.jsonl")
    run.answer("Rulebook [sfb-cadet]: ", "standart")
    run.until("there is no standart")
    run.answer("Rulebook [sfb-cadet]: ", "sfb-standard")
    run.answer("Scenario [7]: ", "none")
    run.answer("Who plays [alice,bob]: ", "Alice!")
    run.until("a-z, 0-9 and _")
    run.answer("Who plays [alice,bob]: ", "alice,bob")
    run.answer("The ship of alice", "Kestrel")
    run.until("is no NAME=SHIP")
    run.answer("The ship of alice", "Kestrel=standard/klingon-d7")
    run.answer("Where it starts, and how fast [1010D/8]: ", "9999Z")
    run.until("Where it starts")
    run.answer("[1010D/8]: ", "2812B/12")
    run.answer("The ship of bob", "")
    run.answer("Where it starts, and how fast [1025A/8]: ", "")
    run.answer("Dice [peer]: ", "seed")
    run.answer("A text that makes the practice dice [practice]: ", "")
    run.answer("File [duel.jsonl]: ", "there.jsonl")
    run.until("is there already")
    run.answer("File [duel.jsonl]: ", "")
    assert run.end() == 0, run.shown
    assert "next: referee game status duel.jsonl" in run.shown
    assert (
        "Kestrel (standard/klingon-d7, alice) at 2812B, speed 12"
        in referee("game", "status", "duel.jsonl").out
    )


@pytest.mark.parametrize("scenario", mostly_long("12356", lambda scenario: scenario == "5"))
def test_every_scenario_is_begun_by_its_defaults(referee: Run, own_folder: Path, scenario: str) -> None:
    run = Typed("init", "game")
    run.answer("Rulebook", "")
    run.answer("Scenario [4]: ", scenario)
    run.answer("Who plays [alice,bob]: ", "alice")
    while "File [game.jsonl]: " not in run.shown:
        run.answer("]: ", "")
    assert run.end() == 0, run.shown
    assert referee("record", "verify", "game.jsonl").code == 0


def test_who_leaves_has_written_nothing(own_folder: Path) -> None:
    for key in ("q\n", "\x04", "\x03"):
        run = Typed("init", "game")
        run.answer("Rulebook", "")
        run.until("Scenario [4]: ")
        run.press(key.encode())
        assert run.end() == 130 and "Traceback" not in run.shown, run.shown
    assert not list(own_folder.iterdir())


def test_without_a_terminal_options_say_it(referee: Run, own_folder: Path) -> None:
    assert "Dakota" in referee("init", "game").out
    ships = ("--ship", "A=cadet/federation-ca:ann@1010D/8", "--ship", "B=cadet/klingon-d6:bob@1025A/8")
    assert "name the record" in referee("init", "game", *ships).err
    ran = referee("init", "game", *ships, "--record", "g.jsonl", "--players", "ann,bob", "--dice", "solo")
    assert ran.code == 0 and "awaited" in ran.out, ran.err
    assert "B (cadet/klingon-d6, bob)" in referee("game", "status", "g.jsonl").out
