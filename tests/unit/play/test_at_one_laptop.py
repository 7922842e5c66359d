"""At one laptop: dice made of the players' keys, ships that robots fly, drones that nobody orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.play.desk import Desk
from referee.record.secretfiles import secrets_folder
from tests.unit.play.test_desk import begun, without_forms


def scenario(tmp_path: Path, number: int, dice: str = "seed") -> Desk:
    path = str(tmp_path / "game.jsonl")
    given = ["--seed", "s"] if dice == "seed" else []
    begin = ["init", "game", "--scenario", str(number), "--record", path, "--players", "ann,bob"]
    assert run([*begin, "--umpire", "uma", "--dice", dice, *given]) == 0
    return Desk(path)


def test_peer_dice_fall_when_all_sit_at_one_laptop(tmp_path: Path) -> None:
    desk = begun(tmp_path, dice="peer")
    without_forms(desk)
    desk.say("c f ph1a,b w")
    refused = desk.next()
    assert "ann and bob have joined" in refused.error and "`join`" in refused.error
    assert desk.join_all().lines == ("ann has joined", "bob has joined")
    told = desk.next().lines
    assert told[0].startswith("Constellation PH-1/A at War: range 10, die ")
    assert "nothing is due" not in told
    assert desk.game.dice.open_roll is None and not desk.game.state.unrolled
    assert sum(entry.type == "key" for entry in desk.game.entries) >= 2
    assert desk.join_all().error == "nobody has still to join"
    assert run(["record", "verify", desk.path]) == 0


def test_a_key_that_is_elsewhere_is_asked_for_by_name(tmp_path: Path) -> None:
    desk = begun(tmp_path, dice="peer")
    desk.join_all()
    (secrets_folder(desk.path) / "chain-bob.json").unlink()
    without_forms(desk)
    desk.say("c f ph1a w")
    answer = desk.next()
    assert "the dice wait for the key of bob" in answer.error
    assert answer.error.endswith("he gives it where he plays, then `n`")


@pytest.mark.parametrize("dice", ["solo", "peer"])
def test_who_moves_is_said_while_players_have_still_to_join(tmp_path: Path, dice: str) -> None:
    desk = begun(tmp_path, "--umpire", "uma", dice=dice)
    desk.say("c s 16\nw s 16")
    said = "all speeds are said, for forms on paper: go on; still to join (`join`): "
    assert desk.whose.startswith(said)
    desk.next()
    assert desk.whose == "Constellation moves, then War; still to join (`join`): ann, bob"
    desk.join_all()
    assert desk.whose == "Constellation moves, then War"


def test_a_robot_moves_by_its_instructions(tmp_path: Path) -> None:
    desk = scenario(tmp_path, 4)
    desk.say("c s 13")
    assert desk.robot().lines == ("order: War: speed 12",)
    assert "has anything to do" in desk.robot().error
    for _ in range(6):
        desk.next()
        if desk.pending:
            desk.take_back()
        if desk.mover == "War":
            break
    assert desk.mover == "War"
    assert desk.robot("w").lines[0].startswith("order: War: ")
    assert desk.mover != "War"


def test_a_drone_that_flies_by_itself_is_no_ship_that_is_ordered(tmp_path: Path) -> None:
    desk = scenario(tmp_path, 1)
    desk.next()
    assert desk.say("c a").lines[-1] == "order: Constellation: ahead"
    desk.next()
    answer = desk.say("c f ph1a E")
    assert not answer.error, answer


def test_nobody_moves_where_none_is_called(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    answer = desk.say("a")
    assert (
        answer.error == "nobody moves in energy allocation; n goes on; SHIP a moves a ship against the rules"
    )


@pytest.mark.parametrize("word", ["x", "u"])
def test_what_was_refused_is_left_before_anything_is_taken_back(
    tmp_path: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    from referee.live.plain import PlainTable

    desk = begun(tmp_path)
    desk.say("c s 16\nw s 16")
    desk.next()
    count = desk.count
    desk.say("c f ph1a w")
    table = PlainTable(desk, io.StringIO(), io.StringIO())
    assert list(table.answer(word)) == ["nothing was entered"]
    assert desk.count == count and not desk.pending


def test_shots_of_all_ships_are_told_where_none_moves(tmp_path: Path) -> None:
    import io

    from referee.live.plain import PlainTable

    desk = begun(tmp_path)
    desk.next()
    desk.say("c a")
    desk.say("w a")
    told = list(PlainTable(desk, io.StringIO(), io.StringIO()).answer("f"))
    assert "Constellation:" in told and "War:" in told
    assert any(line.startswith("PH-2/A at Constellation") for line in told)


def test_what_the_program_flew_goes_back_with_the_step_it_flew_in(tmp_path: Path) -> None:
    desk = scenario(tmp_path, 1)
    desk.next()
    desk.say("a")
    before, head = desk.count, desk.sight.step
    drones = desk.sight.seekers
    desk.next()
    assert desk.sight.impulse == 2 and desk.sight.seekers != drones
    assert desk.last_act == before
    desk.undo()
    assert (desk.sight.impulse, desk.sight.step, desk.sight.seekers) == (1, head, drones)
    desk.undo()
    assert desk.whose == "Constellation moves"


def test_weapons_that_a_scenario_leaves_out_may_not_fire(tmp_path: Path) -> None:
    desk = scenario(tmp_path, 1)
    desk.next()
    ship = desk.sight.ship("Constellation")
    assert not [mark for mark in ship.may_fire if mark.startswith("PHOT")]
    why = {weapon.why for weapon in ship.weapons if weapon.mark == "PHOT/A"}
    assert why in ({"PHOT/A is not used in this scenario"}, {"bears on nobody"})
    assert not [shot for shot in desk.shots("Constellation") if shot.mark.startswith("PHOT")]
