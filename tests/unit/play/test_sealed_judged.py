"""Moves and fire are judged as they are sealed, by what the table shows then, and only their player reads what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.play.desk import Desk
from referee.play.game_file import open_game
from referee.play.sealed_judged import against_sealed


def begun(tmp_path: Path, hood: str = "1010C", war: str = "1313F", speed: int = 16) -> Desk:
    path = str(tmp_path / "duel.jsonl")
    ships = [
        f"Hood=cadet/federation-ca:ann@{hood}/{speed}",
        f"War=cadet/klingon-d6:bob@{war}/{speed}",
    ]
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", path, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*new, *given]) == 0
    desk = Desk(path)
    desk.say(f"h s {speed}; w s {speed}")
    desk.next()
    return desk


@pytest.fixture
def turned(tmp_path: Path) -> Desk:
    """Both turned left in impulse 1, and may not again in impulse 2."""
    desk = begun(tmp_path)
    desk.say("h l; w l")
    desk.next()
    return desk


@pytest.fixture
def firing(tmp_path: Path) -> Desk:
    """Nobody moves in impulse 1: fire may be declared."""
    return begun(tmp_path, war="1211F", speed=12)


def said(desk: Desk, answer: object) -> str:
    """All that stands on the screen for everybody."""
    return f"{answer} {desk.whose} {desk.pending}"


def test_a_move_against_the_rules_is_not_sealed_and_only_its_player_reads_why(turned: Desk) -> None:
    before = len(turned.game.entries)
    answer = turned.seal("Hood", "l")
    assert answer.pending and len(turned.game.entries) == before and not turned.sealed
    assert answer.lines == ("what Hood seals is against the rules, and was not sealed",)
    assert not answer.findings and "C3.2" not in said(turned, answer) and "left" not in said(turned, answer)
    assert [finding.rule for finding in turned.unseen.findings] == ["C3.2"]
    assert turned.unseen.findings[0].fix


def test_another_is_written_in_its_place(turned: Desk) -> None:
    turned.seal("Hood", "l")
    turned.take_back()
    assert turned.seal("Hood", "a").entered and turned.sealed == {"Hood"} and not turned.unseen.findings


def test_it_is_let_stand_and_then_asked_about_in_the_open(turned: Desk) -> None:
    turned.seal("Hood", "l")
    answer = turned.let_stand("he wants it so")
    assert answer.entered and turned.sealed == {"Hood"} and "left" not in said(turned, answer)
    assert turned.game.entries[-1].data["text"] == "he wants it so"
    turned.seal("War", "a")
    assert turned.open_all().pending
    assert turned.let_stand("his risk").entered
    assert [foul.rule for foul in turned.game.state.fouls] == ["C3.2"]
    assert turned.game.state.ships["Hood"].unit.moved_on == 2


def test_a_weapon_that_is_sealed_twice_is_not(firing: Desk) -> None:
    answer = firing.seal("Hood", "f ph1a w; f ph1a w")
    assert answer.pending and firing.unseen.findings and not firing.sealed


def test_fire_out_of_its_arc_is_not_sealed(tmp_path: Path) -> None:
    desk = begun(tmp_path, war="0808C", speed=12)
    answer = desk.seal("Hood", "f ph1c w")
    assert answer.pending and [finding.rule for finding in desk.unseen.findings] == ["D2.2"]
    assert "PH-1" not in said(desk, answer)
    assert desk.let_stand().entered


def test_fire_that_a_corner_leaves_open_is_said_so_at_once(tmp_path: Path) -> None:
    desk = begun(tmp_path, war="1210E", speed=12)
    assert desk.seal("Hood", "f ph1a w").error == "nothing was sealed"
    assert "corner" in desk.unseen.error
    assert desk.seal("Hood", "f ph1a w on 1").entered or desk.seal("Hood", "f ph1a w on 2").entered


def test_fire_is_not_judged_while_ships_have_still_to_move(tmp_path: Path) -> None:
    desk = begun(tmp_path, war="0808C")
    assert desk.sight.movers
    assert desk.seal("Hood", "f ph1c w").entered


def test_the_order_of_movement_is_not_broken_by_sealing(turned: Desk) -> None:
    """War moves after Hood, and seals before it."""
    assert turned.sight.movers == ("Hood", "War")
    assert turned.seal("War", "a").entered


def test_what_is_against_it_is_told(turned: Desk) -> None:
    game = open_game(turned.path)
    assert [finding.rule for finding in against_sealed(game, "Hood", ["left"], "moves")] == ["C3.2"]
    assert not against_sealed(game, "Hood", ["ahead"], "moves")
