"""What is said openly beside what is sealed and not opened is asked about; a ship whose move is sealed is not the mover."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.play.desk import Desk
from referee.play.openly import beside_sealed

THREE = (
    "Hood=cadet/federation-ca:ann@1010C",
    "War=cadet/klingon-d6:bob@1211F",
    "Hero=cadet/federation-ca:ann@1012B",
)


def begun(tmp_path: Path, speed: int, count: int = 2) -> Desk:
    path = str(tmp_path / "duel.jsonl")
    given = [part for ship in THREE[:count] for part in ("--ship", f"{ship}/{speed}")]
    new = ["game", "new", path, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*new, *given]) == 0
    desk = Desk(path)
    desk.say("; ".join(f"{ship.partition('=')[0]} s {speed}" for ship in THREE[:count]))
    desk.next()
    return desk


@pytest.fixture
def moving(tmp_path: Path) -> Desk:
    desk = begun(tmp_path, 16)
    assert desk.sight.movers == ("Hood", "War")
    return desk


@pytest.fixture
def firing(tmp_path: Path) -> Desk:
    return begun(tmp_path, 12, 3)


def test_a_ship_whose_move_is_sealed_is_not_the_mover(moving: Desk) -> None:
    moving.seal("Hood", "l")
    assert (moving.mover, moving.only) == ("", "") and not moving.ways()
    answer = moving.say("a")
    assert answer.error == "nobody moves in impulse 1; `o` opens what is sealed"
    assert "`o` opens: Hood's moves" in moving.whose


def test_its_open_move_is_asked_about_first(moving: Desk) -> None:
    moving.seal("Hood", "l")
    before = len(moving.game.entries)
    answer = moving.say("h a")
    assert answer.pending == "h a" and len(moving.game.entries) == before
    assert answer.lines[-1].startswith("Hood's moves are sealed and not opened, and Hood moves openly")
    assert moving.let_stand().entered and not moving.game.state.fouls


def test_what_is_against_a_rule_as_well_is_asked_about_by_itself(moving: Desk) -> None:
    moving.say("h l; w l")
    moving.next()
    moving.seal("Hood", "a")
    assert not moving.say("h l").findings
    answer = moving.let_stand()
    assert answer.pending == "h l" and [finding.rule for finding in answer.findings] == ["C3.2"]
    assert moving.let_stand("so it was").entered and [foul.rule for foul in moving.game.state.fouls] == [
        "C3.2"
    ]


def test_a_move_of_another_ship_is_not(moving: Desk) -> None:
    moving.seal("War", "a")
    assert moving.mover == "Hood" and moving.say("a").entered


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("hood f ph1a w", "Hood's fire is sealed and not opened, and Hood fires openly"),
        ("hood h", "Hood's fire is sealed and not opened, and Hood holds fire openly"),
        ("hero f ph1a w", "Hood's fire is sealed and not opened, and Hero fires openly"),
        ("w f ph2a hood", "Hood's fire is sealed and not opened, and War fires openly"),
    ],
)
def test_open_fire_beside_sealed_fire_is_asked_about(firing: Desk, order: str, says: str) -> None:
    assert firing.seal("Hood", "f ph1a w").entered
    answer = firing.say(order)
    assert answer.pending == order and answer.lines[-1].startswith(says), answer
    assert not any("PH-1" in line for line in answer.lines)


def test_holding_fire_beside_anothers_is_not(firing: Desk) -> None:
    firing.seal("Hood", "f ph1a w")
    assert firing.say("w h").entered


def test_once_it_is_opened_nothing_is_asked(firing: Desk) -> None:
    firing.seal("Hood", "f ph1a w")
    firing.open_all()
    assert firing.let_stand().entered
    assert firing.say("w f ph2a hood").entered


def test_what_is_no_order_is_not_asked_about(firing: Desk) -> None:
    firing.seal("Hood", "f ph1a w")
    assert beside_sealed(firing.game, "") == "" and beside_sealed(firing.game, "War: speed x") == ""
    assert firing.say("what").error
