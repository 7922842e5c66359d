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
from referee.play.audit import wrong_lines
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
    assert answer.lines == (
        "ruled: War stands at 1214E, its move of the impulse: both had agreed",
        "has it still to move: `u`, then accept War 1214E to move",
    )
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
            assert "War stands at 1214E, its move of the impulse: both had agreed" in said, command
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
    count = desk.count
    answer = desk.accept("w", "1214E")
    assert answer.pending and answer.lines == ("ann and bob: do all agree?",) and desk.count == count
    assert desk.word_asked == "ann and bob: do all agree? Enter: all agree"
    assert desk.let_stand().entered and desk.count == count + 1
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
        (("--umpire", "uma"), {"place": {"ship": "War", "to": "", "move": "made"}}, "has no move there"),
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


# -- its move of the impulse ---------------------------------------------------------------


def test_what_is_accepted_says_that_it_is_the_move_and_how_to_say_otherwise(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    answer = desk.accept("w", "1111D", "noted wrongly")
    assert answer.lines == (
        "ruled: War stands at 1111D, its move of the impulse: noted wrongly",
        "has it still to move: `u`, then accept War 1111D to move",
    )
    assert any("its move of the impulse" in text for _, text in desk.happened())


def test_a_ship_that_has_still_to_move_moves_yet(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    moved = desk.game.state.ships["War"].unit.moved
    answer = desk.accept("w", "1111D", "to move noted wrongly")
    assert answer.lines == ("ruled: War stands at 1111D, and has still to move: noted wrongly",)
    assert desk.whose == "War moves" and desk.game.state.ships["War"].unit.moved == moved
    assert [finding.rule for finding in desk.next().findings] == ["C1.4"]
    assert desk.say("w a").entered and desk.mover == ""
    assert desk.next().entered
    assert not [found for _, found in table_of(open_game(desk.path)).found if found.severity.value == "error"]


def test_what_it_went_straight_ahead_is_then_not_known(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("w", "1111D", "to move")
    assert desk.say("w l").entered
    report = table_of(open_game(desk.path)).report()
    assert ("C3.2", "War") in {(item.key, item.subject) for item in report.not_checked}


def test_a_ship_that_is_not_called_has_no_move_to_make(tmp_path: Path) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    before = len(desk.game.entries)
    assert "no move to make" in desk.accept("c", "1018A", "to move").error
    assert len(desk.game.entries) == before


@pytest.mark.parametrize("move", ["", "later", True])
def test_a_move_is_made_or_to_come(tmp_path: Path, move: Any) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    with pytest.raises(RefereeError, match="malformed"):
        ruled(desk.path, place=AT | {"move": move})


# -- fire whose dice have not fallen -------------------------------------------------------


def firing(tmp_path: Path, *fire: str, rolls: bool = True) -> Desk:
    """Two ships at speed 12, which is not called in impulse 1, fire at each other."""
    path = str(tmp_path / "duel.jsonl")
    ships = ["Hood=cadet/federation-ca:ann@1010C/12", "War=cadet/klingon-d6:bob@1211F/12"]
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", path, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*new, *given]) == 0
    desk = Desk(path)
    desk.say("h s 12; w s 12")
    desk.next()
    for order in fire:
        assert desk.say(order).entered, order
    if rolls:
        desk.next()
        assert desk.asks
    return desk


FIRE = ("hood f ph1a,c w", "w f disra,disrb hood")


@pytest.mark.parametrize("rolls", [False, True])
@pytest.mark.parametrize(
    ("fire", "where", "rule", "subject"),
    [
        (FIRE, "0808C", "D2.2", "Hood PH-1/C"),
        (FIRE, "3535F", "E3.0", "War DISR/A, War DISR/B"),
        (("hood f ph1a w on 1",), "1310C", "E1.4", "Hood"),
    ],
)
def test_fire_declared_is_judged_from_where_its_ship_or_target_is_put(
    tmp_path: Path, fire: tuple[str, ...], where: str, rule: str, subject: str, rolls: bool
) -> None:
    desk = firing(tmp_path, *fire, rolls=rolls)
    before = len(desk.game.entries)
    answer = desk.accept("w", where, "it stood there")
    assert answer.pending and len(desk.game.entries) == before
    found = {(each.rule, each.subject) for each in answer.findings}
    assert (rule, subject) in found, found
    assert all(f"since War stands at {where}" in each.message for each in answer.findings)
    assert all("take the fire back" in each.fix for each in answer.findings)


def test_it_is_let_stand_with_its_foul_and_found_by_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = firing(tmp_path, *FIRE)
    desk.accept("w", "0808C", "it stood there")
    assert desk.let_stand("seen by all").entered
    assert [entry.type for entry in desk.game.entries[-3:]] == ["ruling", "foul", "ruling"]
    desk.faces("1 1 1 1")
    foul = next(entry.data for entry in desk.game.entries if entry.type == "foul")
    assert (foul["player"], foul["subject"], foul["rule"]) == ("ann", "Hood PH-1/C", "D2.2")
    assert not wrong_lines(desk.game)
    capsys.readouterr()
    assert run(["check", desk.path]) == 1
    assert "[D2.2] Hood PH-1/C" in capsys.readouterr().out


def test_a_foul_that_is_left_out_there_is_noticed(tmp_path: Path) -> None:
    desk = firing(tmp_path, *FIRE)
    ruled(desk.path, place={"ship": "War", "to": "0808C"})
    assert [line for line, _ in wrong_lines(open_game(desk.path))] == [len(desk.game.entries)]


def test_once_the_fire_is_taken_back_it_is_declared_from_there(tmp_path: Path) -> None:
    desk = firing(tmp_path, *FIRE)
    desk.accept("w", "0808C")
    desk.take_back()
    while desk.unrolled or desk.asks:
        assert desk.undo().entered
    assert desk.accept("w", "0808C").entered
    assert not any("finding" in line for line in desk.say("hood f ph1a w").lines) and desk.unrolled


def test_fire_that_is_legal_from_there_too_is_not_asked_about(tmp_path: Path) -> None:
    desk = firing(tmp_path, "hood f ph1a w")
    assert desk.accept("w", "1310E").entered


def test_fire_that_would_strike_a_corner_from_there_is_declared_anew(tmp_path: Path) -> None:
    desk = firing(tmp_path, "hood f ph1a w")
    answer = desk.accept("w", "1109F")
    assert "corner" in answer.error and "declare it from there" in answer.error


def test_fire_of_another_impulse_is_not_judged_again(tmp_path: Path) -> None:
    desk = firing(tmp_path, "hood f ph1a w")
    desk.faces("1")
    desk.next()
    assert desk.accept("w", "3535F").entered


# -- what is not checked -------------------------------------------------------------------


def test_check_names_a_ship_that_stands_by_a_ruling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = in_impulse_1(tmp_path, "--umpire", "uma")
    desk.accept("w", "1214E", "both had agreed")
    seq = desk.game.entries[-1].seq
    capsys.readouterr()
    assert run(["check", desk.path]) == 0
    said = capsys.readouterr().out
    assert f"War: it stands at 1214E by the ruling #{seq}: how it came there is not judged" in said
    desk.undo()
    run(["check", desk.path])
    assert "how it came there" not in capsys.readouterr().out
