"""Rolls that need no dice: no key, hand or seed is awaited for them, whatever the dice of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run
from tests.unit.play.test_game_forging import SHIPS, VOLLEY, forge, rolled

GAME = Path("g.jsonl")
UMPIRED = ("--dice", "umpire", "--umpire", "carol")
SOLO = ("--dice", "solo", "--alone")
DICE = (("--dice", "physical"), ("--dice", "peer"), UMPIRED, SOLO, ("--dice", "seed", "--seed", "x"))
STOPPED = "B: hit 4 on 1"


def in_the_fight(referee: Run, dice: tuple[str, ...]) -> None:
    ran = referee("game", "new", GAME, "--players", "alice,bob", *dice, *SHIPS)
    assert ran.code == 0, ran.err
    for player in ("alice", "bob") if "awaited from alice: to join" in ran.out else ():
        assert referee("game", "join", GAME, "--as", player).code == 0
    assert referee("game", "next", GAME, "--to", "1.1.resolve-fire").code == 0


def shield(referee: Run) -> int:
    ships = referee("game", "status", GAME, "--json").json["ships"]
    left: int = ships[1]["state"]["shields"]["1"]
    return left


def holds(referee: Run, path: Path = GAME) -> bool:
    return referee("dice", "verify", path).code == referee("check", path).code == 0


@pytest.mark.parametrize("dice", DICE, ids=lambda dice: dice[1])
def test_a_volley_that_shields_stop_whole_waits_for_nobody(referee: Run, dice: tuple[str, ...]) -> None:
    in_the_fight(referee, dice)
    before = shield(referee)
    ran = referee("game", "say", GAME, STOPPED, "--as", "alice")
    assert (ran.code, ran.err) == (0, "") and "no dice needed" in ran.out, ran
    ran = referee("volley", "B", "--game", GAME, "--as", "bob", "--damage", "3", "--shield", "1")
    assert (ran.code, ran.err) == (0, "") and "awaited" not in ran.out, ran
    assert shield(referee) == before - 7
    waits = [said["what"] for said in referee("game", "status", GAME, "--json").json["awaited"]]
    assert not [what for what in waits if "roll" in what or "dice" in what]
    assert [entry.type for entry in read(GAME)][-4:] == ["order", "declare", "result", "events"]
    assert referee("game", "next", GAME).code == 0
    assert holds(referee)


def test_in_the_chat_of_a_record_it_says_that_no_dice_were_needed(referee: Run) -> None:
    in_the_fight(referee, SOLO)
    assert referee("game", "say", GAME, STOPPED, "--as", "alice").code == 0
    lines = referee("game", "chat", GAME).out.splitlines()
    told = [line.strip() for line in lines if "roll 1:" in line]
    assert told and all(line.endswith("roll 1: no dice needed") for line in told), lines


def test_the_dice_behind_it_fall_as_ever(referee: Run) -> None:
    """The number of a roll without dice is used up: the next roll of a key chain is opened past it."""
    in_the_fight(referee, ("--dice", "peer"))
    assert referee("game", "say", GAME, STOPPED).code == 0
    assert "roll 2" in referee("game", "say", GAME, "B: hit 35 on 1").out
    for player in ("alice", "bob"):
        assert referee("dice", "key", GAME, "--as", player).code == 0
    assert referee("dice", "verify", GAME).out.startswith("2 rolls, 2 recomputed, 0 wrong")
    assert holds(referee)


def test_nobody_confirms_dice_that_were_not_thrown(referee: Run) -> None:
    in_the_fight(referee, ("--dice", "physical"))
    assert referee("game", "say", GAME, STOPPED, "--as", "alice").code == 0
    assert referee("dice", "confirm", GAME, "--as", "bob").code == 2
    assert "1 roll, 1 recomputed, 0 wrong" in referee("dice", "verify", GAME).out


@pytest.mark.parametrize("dice", DICE, ids=lambda dice: dice[1])
def test_a_roll_of_an_older_record_that_needs_none_is_carried_out(
    referee: Run, dice: tuple[str, ...]
) -> None:
    in_the_fight(referee, dice)
    stopped = VOLLEY | {"internal": False, "shield": 1, "origins": [[4, 1, -1]]}
    forge(GAME, *rolled(GAME, stopped), to="old.jsonl").replace(GAME)
    ran = referee("game", "status", GAME)
    assert (
        "roll 1 to be carried out: it needs no dice (game resolve)" in ran.out
        and "key for roll" not in ran.out
    )
    ran = referee("dice", "enter", GAME, "3", "--as", "bob")
    assert ran.code == 2 and "roll 1 needs no dice" in ran.err
    ran = referee("game", "resolve", GAME)
    assert (ran.code, ran.err) == (0, "") and "nothing is due" not in ran.out
    assert referee("game", "next", GAME).code == 0 and holds(referee)


@pytest.mark.parametrize("dice", DICE[:2], ids=lambda dice: dice[1])
def test_a_volley_that_needs_dice_is_not_passed_off_as_one(referee: Run, dice: tuple[str, ...]) -> None:
    in_the_fight(referee, dice)
    begun = forge(GAME, *rolled(GAME, VOLLEY))
    declared = read(begun)[-1].hash
    none = {"roll": 1, "declaration": declared, "dice": []}
    events = {"events": [], "rolls": [1], "turn": 1, "impulse": 1}
    forged = forge(begun, ("result", none), ("events", events))
    ran = referee("dice", "verify", forged)
    assert ran.code == 3 and "roll 1 cannot be resolved" in ran.err
    assert referee("record", "sync", GAME, forged, "--as", "bob").code == 3


def test_practice_dice_need_no_seed_that_another_game_left(referee: Run) -> None:
    in_the_fight(referee, SOLO)
    GAME.unlink()
    in_the_fight(referee, DICE[-1])
    ran = referee("game", "say", GAME, "B: hit 35 on 1")
    assert (ran.code, ran.err) == (0, "")


# -- which dice ----------------------------------------------------------------------------


def test_it_is_said_which_dice_are_typed_in(referee: Run) -> None:
    in_the_fight(referee, ("--dice", "physical"))
    ran = referee("game", "say", GAME, "B: hit 20 on 1", "--as", "alice")
    assert "dice 1 to be typed in (dice enter): 1d6 for each of 4 points inside" in ran.out
    for faces, why in (
        ((), "is thrown by hand"),
        ("12345", "1 of 5"),
        ("1239", "no die shows 9"),
    ):
        ran = referee("dice", "enter", GAME, *faces, "--as", "alice")
        assert ran.code == 2 and why in ran.err and "1d6 for each of 4 points inside" in ran.err, ran
    assert "1 2; next: 1d6" in referee("dice", "enter", GAME, *"12", "--as", "alice").out
    assert referee("dice", "enter", GAME, *"34", "--as", "alice").code == 0
    ran = referee("roll", "2d6", "--game", GAME, "--as", "alice", "--for", "luck")
    assert ran.code == 2 and "(dice confirm)" in ran.err
    assert referee("dice", "confirm", GAME, "--as", "bob").code == 0
    assert referee("roll", "2d6", "--game", GAME, "--as", "alice", "--for", "luck").code == 0
    ran = referee("dice", "enter", GAME, "--as", "bob")
    assert ran.code == 2 and "2d6 for luck" in ran.err
    assert "(dice enter): 2d6 for luck" in referee("game", "status", GAME).out
