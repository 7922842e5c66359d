"""A desk on a record: who moves, few keys, what is against the rules held back, dice, undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.core.errors import BadInput
from referee.play.desk import Desk
from referee.play.game_file import game_of, open_game
from referee.record.reading import read
from tests.conftest import ROOT


def begun(tmp_path: Path, *more: str, dice: str = "physical", speed: int = 16) -> Desk:
    path = str(tmp_path / "duel.jsonl")
    ships = [
        f"Constellation=cadet/federation-ca:ann@1020A/{speed}",
        f"War=cadet/klingon-d6:bob@1010D/{speed}",
    ]
    given = [part for ship in ships for part in ("--ship", ship)]
    assert run(["game", "new", path, "--players", "ann,bob", "--dice", dice, *given, *more]) == 0
    return Desk(path)


def without_forms(desk: Desk) -> None:
    """On to the impulses, though nobody filed a form or said a speed."""
    assert desk.next().lines[-1].startswith("still to come: the form of ")
    desk.let_stand()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return begun(tmp_path, "--umpire", "uma")


def test_a_legal_impulse_of_two_ships_takes_three_words(desk: Desk) -> None:
    for said in ("c s 16", "w s 16"):
        assert desk.say(said).entered
    desk.next()
    assert (desk.sight.impulse, desk.whose) == (1, "Constellation moves, then War")
    assert desk.say("a").lines == ("order: Constellation: ahead",)
    assert desk.whose == "War moves"
    assert desk.say("a").lines == ("order: War: ahead",)
    assert desk.next().lines[-1] == "turn 1, impulse 2, move ships"


def test_enter_takes_the_only_legal_move(desk: Desk) -> None:
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("l")
    desk.say("l")
    desk.next()
    assert [way for way, against in desk.ways().items() if not against] == ["ahead"]
    assert desk.only == "Constellation: ahead"
    assert desk.enter().lines == ("order: Constellation: ahead",)


def test_what_is_against_the_rules_waits_for_the_umpire(desk: Desk) -> None:
    desk.say("c s 16\nw s 16")
    desk.next()
    count = len(desk.game.entries)
    answer = desk.say("c f ph1a w")
    assert (answer.entered, answer.pending) == (False, "c f ph1a w")
    assert [finding.rule for finding in answer.findings] == ["B2.0"]
    assert len(desk.game.entries) == count
    assert desk.take_back().lines == ("nothing was entered",)
    desk.say("c f ph1a w")
    answer = desk.let_stand("agreed at the table")
    kinds = [entry.type for entry in desk.game.entries[count:]]
    assert kinds == ["order", "foul", "ruling"]
    assert desk.game.entries[-1].data["target"] == desk.game.entries[-2].seq
    assert desk.pending == ""


def test_energy_allocation_is_not_left_unseen_without_a_form(desk: Desk) -> None:
    desk.say("c s 16")
    assert desk.next().lines[-1].startswith("still to come: the form of War; where forms stay on paper, say")
    assert (desk.pending, desk.sight.impulse) == ("next", None)
    desk.say("w s 16")
    assert desk.next().entered and desk.sight.impulse == 1


def test_a_game_that_was_played_without_forms_is_not_asked_again(desk: Desk) -> None:
    without_forms(desk)
    for _ in range(40):
        desk.next()
        if desk.pending:
            desk.let_stand()
        if desk.sight.turn == 2:
            break
    assert desk.sight.step == "energy allocation"
    assert desk.next().entered and desk.sight.impulse == 1


@pytest.mark.parametrize("said", ["34t", "3 4 t", "3,4T", "3 4t"])
def test_dice_and_a_throw_of_the_rest_in_one_line(desk: Desk, said: str) -> None:
    without_forms(desk)
    desk.say("c f ph1a,b,c w")
    desk.next()
    told = desk.faces(said).lines
    assert "PH-1/A at War: range 10, die 3" in "\n".join(told) and not desk.asks
    assert desk.game.dice.rolls[1].confirmed


def test_a_ship_that_has_not_moved_is_not_passed_over_unseen(desk: Desk) -> None:
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    answer = desk.next()
    assert answer.pending == "next" and answer.findings[0].subject == "War"
    assert desk.sight.impulse == 1
    desk.let_stand()
    assert desk.sight.impulse == 2 and len(desk.game.state.fouls) == 1


def test_every_shot_is_told_in_a_line(desk: Desk) -> None:
    without_forms(desk)
    asked = desk.say("c f ph1a,phota w")
    assert asked.lines == ("Constellation PHOT/A: 2 turns of arming, so on turn 1 only where armed before",)
    assert not asked.entered and desk.let_stand().entered
    desk.say("w f ph2a c on 1")
    assert desk.next().asks.startswith("1d6 for Constellation PH-1/A at War, 1d6")
    assert desk.faces("1").asks == "1d6 (Constellation PHOT/A at War) next"
    told = desk.faces("26").lines
    assert told == (
        "Constellation PH-1/A at War: range 10, die 1: hit, 3 points on #1",
        "Constellation PHOT/A at War: range 10, needs 1-2, die 2: hit, 8 points on #1",
        "War PH-2/A at Constellation: range 10, die 6: no damage",
        "War is struck for 11 points on #1",
        *told[4:],
    )
    assert told[-1] == "War: 11 points on #1: 16 to 5, nothing inside (no dice needed)"
    assert desk.game.dice.rolls[1].confirmed


def test_the_program_throws_dice_of_a_table_and_says_so(desk: Desk) -> None:
    without_forms(desk)
    desk.say("c f ph1a,b w")
    desk.next()
    desk.faces("3")
    assert desk.throw().entered
    notes = [entry.data["text"] for entry in desk.game.entries if entry.type == "note"]
    assert notes == ["dice 1: thrown by the program (1 of 2 dice)"]


def test_undo_takes_back_an_act_with_what_came_of_it_and_redo_brings_it_back(desk: Desk) -> None:
    without_forms(desk)
    desk.say("c f ph1a w")
    desk.next()
    desk.faces("3")
    before = desk.sight.ship("War").shields
    answer = desk.undo()
    assert sum(line.startswith("taken back") for line in answer.lines) >= 4
    assert desk.sight.ship("War").shields[0] == (16, 16) and desk.sight.step == "move ships"
    desk.redo()
    assert desk.sight.ship("War").shields == before
    desk.undo()
    desk.undo()
    assert desk.sight.impulse is None
    assert desk.undo().error == "there is nothing to take back"


def test_what_others_write_meanwhile_is_read(desk: Desk) -> None:
    assert run(["game", "say", desk.path, "War: speed 12"]) == 0
    desk.say("c s 16")
    assert {name: ship.speed for name, ship in ((s.name, s) for s in desk.sight.ships)} == {
        "Constellation": 16,
        "War": 12,
    }


def test_a_desk_opened_anew_stands_where_it_stood(desk: Desk) -> None:
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    again = Desk(desk.path)
    assert (again.sight, again.whose) == (desk.sight, "War moves")
    assert game_of(desk.path, read(desk.path)).head == open_game(desk.path).head


def test_weapons_that_may_fire_are_in_sight_and_why_others_may_not(desk: Desk) -> None:
    without_forms(desk)
    ship = desk.sight.ship("Constellation")
    assert "PH-1/A" in ship.may_fire
    assert {w.mark: w.why for w in desk.sight.ship("War").weapons}["PH-2/C"] == "bears on nobody"
    shots = {shot.mark: shot for shot in desk.shots("Constellation")}
    photon = shots["PHOT/A"]
    assert (photon.target, photon.range, photon.dice, photon.needs) == ("War", 10, "1d6", "1-2")
    assert photon.hits == photon.mean / 8


def test_dice_that_the_program_keeps_and_typed_ones_are_mixed_in_one_game(tmp_path: Path) -> None:
    desk = begun(tmp_path, "--seed", "x", dice="seed")
    without_forms(desk)
    desk.say("c f ph1a w")
    assert "range 10" in desk.next().lines[0]
    desk.next()
    desk.typed = True
    desk.say("c f ph1b w")
    assert desk.next().asks
    assert desk.faces("6").entered


def test_a_game_that_keeps_its_own_table_is_played_otherwise() -> None:
    with pytest.raises(BadInput, match="played in rounds"):
        Desk(str(ROOT / "examples" / "games" / "trek-duel.jsonl"))


def test_undo_gives_up_a_roll_of_which_no_die_is_entered(desk: Desk) -> None:
    """`n` pressed too early declares a roll by hand: going back does not wait for dice nobody wants."""
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    desk.say("a")
    desk.say("c f ph1a w")
    assert desk.next().asks
    answer = desk.undo()
    assert not answer.error and "dice 1 are given up, no die of it was entered" in answer.lines
    assert not desk.asks and desk.game.dice.open_roll is None
    assert not desk.undo().error  # the order to fire
    assert desk.say("c f ph1a w").entered and desk.next().asks
    assert desk.faces("4").entered


def test_undo_waits_for_a_roll_whose_dice_fell(desk: Desk) -> None:
    """Dice that are entered stay, whoever goes back."""
    desk.say("c s 16\nw s 16")
    desk.next()
    desk.say("a")
    desk.say("a")
    desk.say("c f ph1a w")
    desk.next()
    desk.faces("4")
    rolled = [entry.type for entry in desk.game.entries].count("void")
    desk.undo()
    assert [entry.type for entry in desk.game.entries].count("void") == rolled == 0
    assert len(desk.game.dice.rolls) >= 1
