"""Boxes of a ship whose owner is asked for each: typed by number with the dice, in the record with them (D4.223)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.core.errors import IntegrityFailure
from referee.play.append import append
from referee.play.desk import Desk
from referee.play.game_file import open_game
from tests.unit.play.test_desk import begun


def struck(tmp_path: Path, dice: str = "physical") -> Desk:
    """War is struck inside for four points, and its owner is asked for boxes."""
    desk = begun(tmp_path, "--umpire", "uma", *(("--seed", "s") if dice == "seed" else ()), dice=dice)
    assert desk.choose("War", "ask").lines == ("War: its owner is asked for each box",)
    desk.next()
    return desk


def hit(desk: Desk, points: int = 20) -> None:
    said = desk.say(f"w hit {points} on 1")
    assert said.entered or desk.let_stand().entered


def test_a_box_is_asked_for_as_its_point_is_scored(tmp_path: Path) -> None:
    desk = struck(tmp_path)
    hit(desk)
    assert "for each of 4 points inside" in desk.asks
    answer = desk.faces("4 3 65")
    while desk.box is not None:
        box = desk.box
        assert answer.asks == desk.asks == f"War is asked: hit {box.n}, {desk.asks.partition(', ')[2]}"
        assert len(set(box.boxes)) == len(box.boxes) > 1
        answer = desk.pick(box.boxes[-1])
        assert answer.entered
    result = next(entry for entry in desk.game.entries if entry.type == "result")
    assert result.data["picked_by"] == "bob" and result.data["picks"]
    lost = desk.game.state.ships["War"].state.destroyed
    assert set(result.data["picks"].values()) <= set(lost)
    assert len(lost) == 4
    assert run(["check", desk.path]) in (0, 1)
    assert run(["record", "verify", desk.path]) == 0
    assert not list(tmp_path.rglob("picks-*.json"))


def test_what_was_chosen_is_kept_where_the_desk_is_killed(tmp_path: Path) -> None:
    desk = struck(tmp_path)
    hit(desk)
    desk.faces("4365")
    first = desk.box
    assert first is not None
    desk.faces("2")
    again = Desk(desk.path)
    assert again.box is None or again.box.n > first.n
    while again.box is not None:
        again.faces("1")
    assert first.boxes[1] in again.game.state.ships["War"].state.destroyed


def test_the_program_throws_on_after_each_box(tmp_path: Path) -> None:
    desk = struck(tmp_path, "seed")
    hit(desk, 26)
    asked = 0
    while desk.box is not None:
        asked += 1
        assert desk.pick("1").entered
    assert asked and desk.game.dice.open_roll is None
    assert sum(entry.type == "result" for entry in desk.game.entries) == 1


def test_a_box_that_was_not_offered_is_refused(tmp_path: Path) -> None:
    desk = struck(tmp_path)
    hit(desk)
    desk.faces("4365")
    assert desk.pick("bridge of sighs").error
    assert desk.faces("99").error


def test_nobody_else_picks_the_boxes(tmp_path: Path) -> None:
    desk = struck(tmp_path)
    hit(desk)
    desk.faces("4365")
    game = desk.game
    roll = game.dice.open_roll
    assert roll is not None
    data: dict[str, Any] = {
        "roll": roll.number,
        "declaration": roll.declaration,
        "dice": [{"count": 2, "sides": 6, "faces": [4, 3]}],
        "entered_by": "ann",
        "picks": {"hit_1": "lab/1"},
        "picked_by": "ann",
    }
    with pytest.raises((IntegrityFailure, Exception), match="does not play War"):
        append(desk.path, lambda _: [("result", data)])


def test_the_commands_ask_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = struck(tmp_path)
    hit(desk)
    path = desk.path
    assert run(["dice", "enter", path, *"4365", "--as", "ann"]) == 0
    assert "which box? (1 " in capsys.readouterr().out
    assert run(["game", "status", path, "--json"]) == 0
    waits = json.loads(capsys.readouterr().out)["awaited"]
    assert any("which box?" in str(wait) for wait in waits)
    while Desk(path).box is not None:
        assert run(["game", "choose", path, "War", "1", "--as", "bob"]) == 0
    assert open_game(path).dice.open_roll is None


def test_the_boxes_drawn_are_those_that_the_volley_has_left_so_far(tmp_path: Path) -> None:
    desk = struck(tmp_path)
    hit(desk)
    desk.faces("4365")
    box = desk.box
    assert box is not None
    drawn, _ = desk.ssd("War")
    assert drawn.state.shields[1] == 0 and desk.game.state.ships["War"].state.shields[1] == 16
    desk.pick(box.boxes[-1])
    assert desk.box is not None
    drawn, _ = desk.ssd("War")
    assert box.boxes[-1] in drawn.state.destroyed and box.boxes[-1] not in desk.box.boxes
    other, _ = desk.ssd("Constellation")
    assert other == desk.game.state.ships["Constellation"]


def test_one_wrong_box_is_taken_back_alone(tmp_path: Path) -> None:
    desk = struck(tmp_path)
    hit(desk)
    desk.faces("4365")
    asked = [desk.asks]
    desk.pick("1")
    asked.append(desk.asks)
    desk.pick("1")
    count = len(desk.game.entries)
    for again in reversed(asked):
        answer = desk.unpick()
        assert answer.entered and desk.asks == again
    assert not desk.picked and desk.unpick().error
    assert len(desk.game.entries) == count


def test_a_box_is_not_chosen_anew_once_the_program_has_thrown_on(tmp_path: Path) -> None:
    desk = struck(tmp_path, "seed")
    hit(desk, 26)
    desk.pick("1")
    assert desk.box is not None and not desk.picked and desk.unpick().error
