"""Fire that is sealed: who fires nothing seals that, and none is opened while another is still to be sealed."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.play.desk import Desk
from referee.play.game_file import open_game


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Both have moved in impulse 1, and are in range."""
    path = str(tmp_path / "game.jsonl")
    ships = ["Constellation=cadet/federation-ca:ann@1010D/16", "Destruction=cadet/klingon-d6:ben@1014A/16"]
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", path, "--players", "ann,ben", "--umpire", "ump", "--dice", "physical"]
    assert run([*new, *given]) == 0
    desk = Desk(path)
    desk.say("c s 16; d s 16")
    desk.next()
    for _ in desk.sight.movers:
        desk.say("a")
    return desk


@pytest.mark.parametrize("line", ["hold fire", "h", "d: hold fire", "Destruction: hold fire"])
def test_no_fire_is_sealed_as_fire_is(desk: Desk, line: str) -> None:
    fires, holds = desk.seal("Constellation", "f ph1a d"), desk.seal("Destruction", line)
    assert fires.entered and holds.entered, holds
    assert holds.lines == (fires.lines[0].replace("Constellation", "Destruction"),)
    assert "still seal" not in desk.whose and "hold" not in desk.whose
    answer = desk.open_all()
    assert "opened: fire of Destruction: hold fire" in answer.lines and answer.entered, answer
    assert desk.game.state.fire_held == {"Destruction"} and len(desk.game.state.fire) == 1
    assert "may still fire" not in desk.whose
    assert desk.open_all().error.startswith("nothing is sealed for now")


def test_sealed_fire_is_not_opened_while_another_may_still_be_sealed(desk: Desk) -> None:
    desk.seal("Constellation", "f ph1a d")
    answer = desk.open_all()
    assert answer.pending == "open" and not answer.entered
    assert answer.lines[-1].startswith("the fire is still to be sealed, or held, of Destruction: ")
    assert not any("PH-1" in text for text in (*answer.lines, desk.whose))
    assert desk.let_stand("both want it open").entered
    assert [order.ship for order in desk.game.state.fire] == ["Constellation"]


@pytest.mark.parametrize("first", ["d h", "d f ph2a c"])
def test_who_has_said_it_openly_is_not_awaited(desk: Desk, first: str) -> None:
    assert desk.say(first).entered
    desk.seal("Constellation", "f ph1a d")
    assert "still seal" not in desk.whose
    assert desk.open_all().entered


def test_a_command_that_opens_says_who_would_choose_knowing_it(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.seal("Constellation", "f ph1a d")
    show = ["reveal", "--game", desk.path, "--kind", "fire", "--ship", "Constellation"]
    assert run(show) == 0
    assert "the fire is still to be sealed, or held, of Destruction" in capsys.readouterr().err
    assert open_game(desk.path).entries[-1].type == "reveal"
