"""What the desk asks for and says is what holds at the table: called moves, who may fire, who is awaited."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.live.read_out import map_words
from referee.play.desk import Desk
from referee.play.whose import movers_in
from tests.conftest import ROOT

FORMS = ROOT / "examples" / "by_mail"
PAIR = (
    "Constellation=cadet/federation-ca:ann@1010D/16",
    "Destruction=cadet/klingon-d6:ben@1014A/16",
)


def begun(tmp_path: Path, *ships: str, players: str = "ann,ben") -> Desk:
    path = str(tmp_path / "duel.jsonl")
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", path, "--players", players, "--umpire", "ump", "--dice", "physical", *given]
    assert run(new) == 0
    return Desk(path)


@pytest.fixture
def filed(tmp_path: Path) -> Desk:
    """The guide's game, with both forms filed openly: they say speeds 13 and 12."""
    desk = begun(tmp_path, *PAIR)
    for name in ("constellation", "destruction"):
        assert desk.file_form(str(FORMS / f"{name}.csv")).entered
    return desk


# -- called moves ------------------------------------------------------------------------


def called(desk: Desk) -> Desk:
    """On to the first impulse that calls a ship."""
    for _ in range(6):
        if movers_in(desk.game):
            break
        assert desk.next().entered
    return desk


def test_called_moves_are_not_passed_over_where_only_forms_say_the_speeds(filed: Desk) -> None:
    called(filed)
    at, movers = filed.sight.impulse, ", ".join(filed.sight.movers)
    answer = filed.next()
    assert (answer.entered, answer.pending) == (False, "next")
    assert answer.lines == (f"still to move: {movers}",)
    assert filed.sight.impulse == at


def test_a_turn_is_not_played_to_its_end_without_a_move(filed: Desk) -> None:
    for _ in range(18):
        filed.next()
        filed.take_back()
    assert filed.sight.turn == 1 and filed.mover


def test_a_table_that_keeps_its_moves_elsewhere_goes_on_by_a_word(filed: Desk) -> None:
    called(filed)
    at = filed.sight.impulse or 0
    filed.next()
    assert filed.let_stand().entered and filed.sight.impulse == at + 1


def test_once_a_ship_has_moved_what_is_left_out_is_an_error_as_before(filed: Desk) -> None:
    called(filed)
    for _ in filed.sight.movers:
        assert filed.say("a").entered
    assert filed.next().entered
    called(filed)
    answer = filed.next()
    assert answer.pending == "next" and answer.findings[0].rule == "C1.4"


# -- sealed moves ------------------------------------------------------------------------


def test_who_has_moved_is_not_awaited_to_seal_a_move(tmp_path: Path) -> None:
    desk = begun(tmp_path, *PAIR)
    assert desk.say("c s 16\nd s 16").entered
    desk.next()
    assert desk.seal("Constellation", "l").entered
    seals = "Destruction's moves of impulse 1 to be sealed, if any"
    assert ("ben", seals) in desk.sight.awaited
    assert desk.say("d a") and desk.game.state.ships["Destruction"].unit.moved_on == 1
    assert ("ben", seals) not in desk.sight.awaited


# -- who may fire ------------------------------------------------------------------------


def test_a_weapon_out_of_reach_of_the_nearest_enemy_may_fire_at_another(tmp_path: Path) -> None:
    """Photons do not reach a ship beside; phasers are fired already, so that only the photons make the ship ready."""
    ships = (
        "Alpha=cadet/federation-ca:ann@1011D/1",
        "Bravo=cadet/klingon-d6:ben@1013A/1",
        "Crow=cadet/klingon-d6:cleo@1012B/1",
    )
    desk = begun(tmp_path, *ships, players="ann,ben,cleo")
    assert desk.say("a s 1\nb s 1\nc s 1").entered
    desk.next()
    if desk.pending:
        desk.let_stand()
    assert desk.sight.impulse == 1
    alpha = desk.sight.ship("Alpha")
    offered = {(shot.mark, shot.target) for shot in desk.shots("Alpha")}
    seen = {(each.mark, target) for each in alpha.weapons if each.may for target in each.targets}
    assert {("PHOT/A", "Bravo"), ("PH-1/A", "Crow")} <= seen == offered
    assert ("PHOT/A", "Crow") not in seen


def moved(tmp_path: Path) -> Desk:
    """Both have moved in the first impulse."""
    desk = begun(tmp_path, *PAIR)
    assert desk.say("c s 16\nd s 16").entered
    desk.next()
    assert desk.say("a").entered and desk.say("a").entered
    return desk


def test_who_holds_fire_is_not_awaited_to_fire(tmp_path: Path) -> None:
    desk = moved(tmp_path)
    assert "may still fire: Constellation, Destruction" in desk.whose
    assert desk.say("c h").entered
    assert "may still fire: Destruction" in desk.whose and "Constellation" in desk.fire_said
    assert desk.say("d h").entered
    assert "may still fire" not in desk.whose
    desk.undo()
    assert "may still fire: Destruction" in desk.whose


def test_who_held_fire_and_fires_is_told(tmp_path: Path) -> None:
    desk = moved(tmp_path)
    assert desk.say("c h").entered
    answer = desk.say("c f ph1a d")
    assert answer.entered and "Constellation held fire in this impulse, and fires after all" in answer.lines
    assert not [line for line in desk.say("c f ph1b d").lines if "after all" in line]


def test_commands_say_what_comes_when_all_have_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    desk = moved(tmp_path)
    for command in (["status", desk.path], ["say", desk.path, "Constellation: fire PH-1/A at Destruction"]):
        assert run(["game", *command]) == 0
        assert "may still fire: " in capsys.readouterr().out
    desk.say("d h")
    capsys.readouterr()
    assert run(["game", "resolve", desk.path]) == 0
    assert "may still fire: " not in capsys.readouterr().out
    desk = moved(other)
    desk.say("c h\nd h")
    capsys.readouterr()
    for command in (["status", desk.path], ["resolve", desk.path]):
        assert run(["game", *command]) == 0
        assert "go on" in capsys.readouterr().out


# -- the edge of the map -----------------------------------------------------------------


def at_the_edge(tmp_path: Path) -> Desk:
    ships = ("Constellation=cadet/federation-ca:ann@0110F/16", PAIR[1])
    desk = begun(tmp_path, *ships)
    assert desk.say("c s 16\nd s 16").entered
    desk.next()
    return desk


def test_an_open_map_is_said_as_the_game_begins_and_as_a_ship_leaves_its_hexes(tmp_path: Path) -> None:
    desk = begun(tmp_path, "Constellation=cadet/federation-ca:ann@0110F/16", PAIR[1])
    assert any("the map is open" in line for line in desk.told_at_first)
    assert desk.say("c s 16\nd s 16").entered
    desk.next()
    assert desk.told_at_first == ()
    said = {}
    for _ in range(3):
        while desk.mover:
            name = desk.mover
            said.setdefault(name, []).append(any("the map is open" in line for line in desk.say("a").lines))
        desk.next()
    assert said["Constellation"] == [True, False, False] and not any(said["Destruction"])


def test_a_map_with_an_edge_is_not_called_open(tmp_path: Path) -> None:
    path = str(tmp_path / "edge.jsonl")
    given = [part for ship in PAIR for part in ("--ship", ship)]
    assert run(["game", "new", path, "--players", "ann,ben", "--option", "map=0101-4230", *given]) == 0
    assert Desk(path).told_at_first == ()


def test_a_ship_beyond_the_hexes_is_named_and_is_accepted_there(tmp_path: Path) -> None:
    desk = at_the_edge(tmp_path)
    assert desk.say("c a").entered
    at = desk.sight.ship("Constellation").at
    assert at.startswith("00")
    assert desk.accept("c", "-412E").entered
    assert desk.sight.ship("Constellation").at == "-412E"
    words = "Constellation (ann) off the map, 5 hexes beyond 0112, facing E"
    assert any(words in line for line in map_words(desk.sight))
    assert any("Constellation: range " in line for line in map_words(desk.sight))
    assert Desk(desk.path).sight.ship("Constellation").at == "-412E"
    assert desk.accept("c", "-109F").entered and desk.say("c s 16") is not None
    assert "not a hex" in desk.accept("c", "-4x").error
