"""By a ruling a seeker stands where it stood on the table, and a ship whose player leaves is out of the game."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from referee import check
from referee.cli.main import run
from referee.core.errors import RefereeError
from referee.live.plain import PlainTable
from referee.live.screen.page import TablePage
from referee.live.screen.styled import plain
from referee.play.append import append
from referee.play.audit import wrong_lines
from referee.play.desk import Desk
from referee.play.game_file import open_game
from tests.unit.live.keys import pressed, typed

SHIPS = {"Hood": "cadet/federation-ca:ann@1020A/8", "War": "cadet/klingon-d6:ben@1010D/8"}
SEEKER = "War DRN/1 t1"


def begun(tmp_path: Path, *more: str) -> Desk:
    """Both ships at speed 8, ten hexes apart; War has launched a drone at Hood in impulse 2."""
    path = str(tmp_path / "game.jsonl")
    given = [part for name, stands in SHIPS.items() for part in ("--ship", f"{name}={stands}")]
    made = [
        "game",
        "new",
        path,
        "--players",
        "ann,ben",
        "--umpire",
        "uma",
        "--dice",
        "physical",
        *given,
        *more,
    ]
    assert run(made) == 0
    desk = Desk(path)
    assert desk.say("h s 8; w s 8").entered
    on_to(desk, 2)
    return desk


def on_to(desk: Desk, impulse: int) -> None:
    """Goes on to an impulse; all ships go ahead."""
    while desk.sight.impulse != impulse or desk.mover:
        if desk.mover:
            assert desk.say(f"{desk.mover}: ahead").entered
            continue
        answer = desk.next()
        assert answer.entered, answer


def launched(tmp_path: Path) -> Desk:
    desk = begun(tmp_path)
    assert desk.say("w la drn1 h").entered
    return desk


def spoken(desk: Desk, *lines: str) -> str:
    out = io.StringIO()
    PlainTable(desk, io.StringIO("".join(f"{line}\n" for line in lines)), out).run()
    return out.getvalue()


def found(desk: Desk) -> list[str]:
    return [f"{each.key} {each.subject} {each.message}" for each in check(desk.path).findings]


# -- seekers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["War DRN/1 t1", "war drn/1 t1", "war drn"])
def test_a_seeker_stands_where_the_umpire_accepts_it(tmp_path: Path, said: str) -> None:
    desk = launched(tmp_path)
    at = desk.count
    assert f"ruled: {SEEKER} stands at 1014D: a sleeve swept it along" in spoken(
        desk, f"accept {said} 1014D a sleeve swept it along"
    )
    desk = Desk(desk.path)
    seeker = desk.game.state.seekers[SEEKER]
    assert f"{seeker.hex}{seeker.facing}" == "1014D"
    assert desk.game.entries[at].data["place"] == {"ship": SEEKER, "to": "1014D"}
    on_to(desk, 6)
    assert not [line for line in found(desk) if line.startswith("F2.0")], "it is not blamed for the jump"
    report = check(desk.path)
    assert ("F2.0", SEEKER) in {(item.key, item.subject) for item in report.not_checked}
    assert not wrong_lines(desk.game)


def test_it_flies_on_from_there_and_strikes(tmp_path: Path) -> None:
    desk = launched(tmp_path)
    hood = desk.game.state.ships["Hood"].unit.hex
    assert desk.accept(SEEKER, f"{hood.step('A')}D").entered
    while desk.game.state.seekers.get(SEEKER) is not None:
        if desk.mover:
            desk.say(f"{desk.mover}: ahead")
        assert desk.next().entered
    assert not [line for line in found(desk) if line.startswith(("F2.0", "error"))]


def test_that_is_taken_back_as_one_act(tmp_path: Path) -> None:
    desk = launched(tmp_path)
    before = desk.game.state.seekers[SEEKER]
    desk.accept(SEEKER, "1014D")
    assert desk.undo().entered and desk.game.state.seekers[SEEKER] == before
    assert desk.redo().entered and str(desk.game.state.seekers[SEEKER].hex) == "1014"


def test_behind_w_too(tmp_path: Path) -> None:
    page = TablePage(launched(tmp_path))
    pressed(page, ("w", *typed("war drn/1 t1 1014D"), "enter"))
    assert f"{SEEKER} stands at 1014D" in "\n".join(plain(row) for row in page.rows(120, 40))


# -- where no distance in play leads -----------------------------------------------------------


def test_a_hex_beyond_any_map_is_asked_about(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    count = desk.count
    said = spoken(desk, "accept h 9999A")
    assert "hexes from 10" in said and "is it so?" in said and "not entered; stand [RULING], or x" in said
    assert Desk(desk.path).count == count
    desk = Desk(desk.path)
    assert desk.accept("h", "9999A", "the map is large").pending
    assert desk.let_stand().entered
    assert desk.game.state.ships["Hood"].position == "9999A"
    assert desk.game.entries[count].data["text"] == "the map is large"


# -- out of the game ---------------------------------------------------------------------------


def test_a_ship_whose_player_leaves_is_taken_out(tmp_path: Path) -> None:
    desk = launched(tmp_path)
    said = spoken(desk, "accept w out ben went home")
    assert "ruled: War has left the map, and is out of the game: ben went home" in said
    desk = Desk(desk.path)
    assert desk.sight.ship("War").gone == "has left the map"
    on_to(desk, 8)
    assert [line.partition(" ")[0] for line in found(desk) if "War" in line] == []
    assert "War: has left the map" in spoken(desk, "ships")
    assert not wrong_lines(desk.game)
    assert "is out of the game already" in desk.accept("w", "1010A").error


def test_that_is_taken_back_too(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    before = desk.game.state.ships["War"]
    assert desk.accept("w", "out").entered and desk.undo().entered
    assert desk.game.state.ships["War"] == before


def test_by_the_scenario_it_has_disengaged(tmp_path: Path) -> None:
    path = str(tmp_path / "five.jsonl")
    new = ("init", "game", "--scenario", "5", "--record", path, "--players", "ann,ben", "--umpire", "uma")
    assert run([*new, "--dice", "physical"]) == 0
    desk = Desk(path)
    assert desk.accept("des", "out", "ben went home").entered
    assert desk.sight.over == "the game is over, Federation has won: the Destruction has disengaged"


def test_fire_that_waits_for_its_dice_comes_first(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    assert desk.say("h f ph1a w").entered
    assert "fire waits for its dice" in desk.accept("w", "out").error


def test_a_seeker_is_not_taken_out_by_a_ruling(tmp_path: Path) -> None:
    desk = launched(tmp_path)
    assert "is no ship" in desk.accept(SEEKER, "out").error
    for to, more in (("", {}), ("1014", {}), ("1014D", {"move": "made"})):
        ruling = {"by": "uma", "text": "there", "place": {"ship": SEEKER, "to": to} | more}
        with pytest.raises(RefereeError):
            append(desk.path, lambda _, ruling=ruling: [("ruling", ruling)])
    assert open_game(desk.path).state.seekers[SEEKER]


# -- a seeker has no shields -------------------------------------------------------------------


def test_a_drone_is_not_hit_on_a_shield(tmp_path: Path) -> None:
    desk = launched(tmp_path)
    assert desk.accept(SEEKER, "1017D").entered
    assert desk.say("h f ph1a war drn/1 t1").entered and desk.next().asks
    (shot,) = (line for line in desk.faces("1").lines if "PH-1/A at" in line)
    assert shot.endswith("points") and " on #" not in shot
