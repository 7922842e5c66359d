"""A ship stands by a ruling where it stood on the table: one entry, with its right, judged like any other."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.core.errors import BadInput, IntegrityFailure, RefereeError
from referee.play.append import append
from referee.play.desk import Desk
from referee.play.game_file import game_of, open_game
from referee.play.table import standing_table, table_of
from tests.conftest import ROOT
from tests.node import NODE, needs_node
from tests.unit.play.test_desk import begun

AT = {"ship": "War", "to": "1214E"}


def in_impulse_1(tmp_path: Path, *more: str) -> Desk:
    """Two ships at speed 16, which both move in impulse 1; the first of them has."""
    desk = begun(tmp_path, *more)
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    return desk


def ruled(path: str, **data: Any) -> None:
    append(path, lambda _: [("ruling", {"by": "uma", "text": "there", "place": AT} | data)])


def test_a_ship_stands_where_the_umpire_accepts_it(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    assert desk.whose == "War moves"
    answer = desk.accept("w", "1214E", "both had agreed")
    assert answer.lines == ("ruled: War stands at 1214E: both had agreed",)
    assert desk.game.state.ships["War"].position == "1214E" and not desk.game.state.fouls
    assert desk.mover == ""  # It is its move of the impulse.
    assert desk.next().lines[-1] == "turn 1, impulse 2, move ships"
    assert desk.whose == "Constellation moves, then War"
    desk.say("a")
    assert desk.say("a").entered  # It goes on from there.
    assert desk.game.state.ships["War"].unit.hex == standing_table(desk.game).course.track.units["War"].hex


def test_a_ship_that_moved_already_is_not_asked_again_and_counts_no_second_move(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.say("a")
    before = desk.game.state.ships["War"].unit.moved
    desk.accept("War", "1012A")
    assert desk.game.state.ships["War"].unit.moved == before == 1
    assert desk.mover == "" and desk.next().entered


def test_a_ship_that_is_turned_in_its_hex_has_still_to_move(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("War", "1010C")
    assert desk.game.state.ships["War"].position == "1010C"
    assert desk.whose == "War moves"


def test_a_record_with_it_is_judged_told_and_checked_by_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("w", "1214E", "both had agreed")
    desk.next()
    path = desk.path
    capsys.readouterr()
    for command in (["check", path], ["game", "status", path], ["game", "replay", path], ["game", "report", path],
                    ["record", "verify", path], ["dice", "verify", path], ["record", "sync", path, path]):  # fmt: skip
        assert run(command) == 0, command
        said = capsys.readouterr().out
        if command[1] in ("replay", "report", "status"):
            assert "War stands at 1214E: both had agreed" in said, command
    assert run(["game", "status", path, "--json"]) == 0
    state = json.loads(capsys.readouterr().out)
    assert any("War stands at 1214E" in one["text"] for one in state["rulings"])
    page = tmp_path / "game.html"
    assert run(["replay", path, "-o", str(page)]) == 0 and "1214" in page.read_text(encoding="utf-8")
    assert not [found for _, found in table_of(open_game(path)).found if found.severity.value == "error"]


@needs_node
def test_another_program_finds_its_signature(tmp_path: Path) -> None:
    assert NODE is not None
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("w", "1214E")
    verify = [NODE, str(ROOT / "examples" / "verify_record.mjs"), desk.path]
    assert subprocess.run(verify, capture_output=True, timeout=60, check=False).returncode == 0


def test_players_without_an_umpire_agree_to_it(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path)
    assert desk.accept("w", "1214E").entered
    assert desk.game.entries[-1].data["agreed_by"] == ["ann", "bob"]
    assert desk.game.state.ships["War"].position == "1214E"


@pytest.mark.parametrize(
    ("more", "data", "why"),
    [
        (("--umpire", "uma"), {"by": "bob"}, "bob does not rule here"),
        ((), {"by": "ann"}, "has not agreed"),
        ((), {"by": "ann", "agreed_by": ["ann"]}, "bob has not agreed"),
        (("--umpire", "uma"), {"place": {"ship": "Nobody", "to": "1214E"}}, "no ship"),
        (("--umpire", "uma"), {"place": {"ship": "War", "to": "1214"}}, "put nowhere"),
        (("--umpire", "uma"), {"place": {"ship": "War", "to": ""}}, "put nowhere"),
        (("--umpire", "uma"), {"place": {"ship": "War", "to": "zz"}}, "zz"),
        (("--umpire", "uma"), {"place": {"ship": "War"}}, "malformed"),
        (("--umpire", "uma"), {"place": {}}, "malformed"),
        (("--umpire", "uma"), {"place": "1214E"}, "object"),
    ],
)
def test_what_nobody_may_rule_is_not_entered(
    tmp_path: Path, more: tuple[str, ...], data: dict[str, Any], why: str
) -> None:
    desk = in_impulse_1(tmp_path, *more)
    before = len(desk.game.entries)
    with pytest.raises(RefereeError, match=why):
        ruled(desk.path, **data)
    assert len(desk.game.entries) == before


def test_an_order_does_not_put_a_ship_anywhere(tmp_path: Path) -> None:
    """Only what is taken from a file tells it so."""
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    order = {"text": ["War: there"], "player": "uma", "turn": 1, "impulse": 1, "place": AT}
    with pytest.raises((BadInput, IntegrityFailure), match="of no file"):
        append(desk.path, lambda _: [("order", order)])


def test_it_is_taken_back_and_brought_back(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("w", "1214E", "swept along")
    desk.note("who was it")
    assert "who was it" in desk.undo().lines[0]
    assert "swept along" in desk.undo().lines[0]
    assert desk.game.state.ships["War"].position == "1010D" and desk.whose == "War moves"
    desk.redo()
    assert desk.game.state.ships["War"].position == "1214E" and desk.mover == ""
    whole = game_of("elsewhere", desk.game.entries)
    assert whole.state.ships == desk.game.state.ships


def test_what_moved_from_there_rests_on_it(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("w", "1214E")
    put = desk.game.entries[-1].seq
    desk.next()
    desk.say("a")
    data = {"target": put, "reason": "no", "agreed_by": ["uma"]}
    with pytest.raises(RefereeError, match="first"):
        append(desk.path, lambda _: [("undo", data)])


@pytest.mark.parametrize("where", ["1010D", "1214", "far away"])
def test_what_stands_there_already_or_is_no_place_is_said(tmp_path: Path, where: str) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    before = len(desk.game.entries)
    assert desk.accept("w", where).error and len(desk.game.entries) == before
