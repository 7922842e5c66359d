"""Dice thrown on the table in a game of other dice; names of players, `help`, and orders that are none."""

from __future__ import annotations

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run

GAME = "g.jsonl"
SHIPS = ("--ship", "A=cadet/federation-ca:alice@1510A/16", "--ship", "B=cadet/klingon-d6:bob@1506D/16")


def begin(referee: Run, *dice: str) -> None:
    dice = dice or ("--dice", "seed", "--seed", "by hand")
    assert referee("game", "new", GAME, "--players", "alice,bob", *dice, *SHIPS).code == 0


def fire(referee: Run) -> None:
    orders = ("A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "A: fire PH-1A at B")
    assert referee("game", "say", GAME, *orders).code == 0


@pytest.mark.parametrize(
    "dice", [("--dice", "seed", "--seed", "x"), ("--dice", "solo", "--alone"), ("--dice", "peer")]
)
def test_one_roll_of_a_game_is_thrown_on_the_table(referee: Run, dice: tuple[str, ...]) -> None:
    begin(referee, *dice)
    for player in ("alice", "bob") if "peer" in dice else ():
        assert referee("game", "join", GAME, "--as", player).code == 0
    fire(referee)
    ran = referee("game", "resolve", GAME, "--by-hand")
    assert ran.code == 0 and "typed in (dice enter): 1d6 for A PH-1/A at B" in ran.out, ran
    assert read(GAME)[-1].data["physical"] is True
    assert referee("dice", "throw", GAME).code == 2, "it is thrown by hand"
    ran = referee("dice", "enter", GAME, "3", "--as", "alice")
    assert ran.code == 0 and "B is struck for 5 points on #1" in ran.out
    ran = referee("game", "resolve", GAME)
    assert ran.code == 2 and "not confirmed" in ran.err
    assert referee("dice", "confirm", GAME, "--as", "bob").code == 0
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "5 points on #1: 16 to 11" in ran.out, "the volley needs no dice"
    for by_hand in (True, False):
        ran = referee("roll", "2d6", "--game", GAME, "--as", "alice", *(["--by-hand"] if by_hand else []))
        assert ran.code == 0 and ("dice enter" in ran.out) is by_hand
        if by_hand:
            assert referee("dice", "enter", GAME, "1", "2", "--as", "bob").code == 0
            assert referee("dice", "confirm", GAME, "--as", "alice").code == 0
    if "peer" not in dice:
        ran = referee("volley", "B", "--game", GAME, "--as", "alice", "--internals", "2", "--by-hand")
        assert ran.code == 0 and "dice enter" in ran.out
        assert referee("dice", "enter", GAME, "1", "2", "--as", "bob").code == 0
    assert referee("dice", "verify", GAME).code == 0


def test_dice_nobody_could_confirm_are_not_thrown_on_the_table(referee: Run) -> None:
    alone = ("--ship", "A=cadet/federation-ca:alice@1510A/16")
    assert (
        referee("game", "new", GAME, "--players", "alice", "--dice", "seed", "--seed", "x", *alone).code == 0
    )
    ran = referee("roll", "2d6", "--game", GAME, "--by-hand")
    assert ran.code == 2 and "somebody else to confirm" in ran.err and ran.err.count("\n") == 1
    assert referee("roll", "2d6", "--by-hand").code == 2
    assert referee("volley", "cadet/klingon-d6", "--damage", "3", "--by-hand").code == 2


def test_the_orders_of_a_combat_are_thrown_on_the_table_too(referee: Run) -> None:
    from tests.conftest import ROOT

    setup = ROOT / "examples" / "trek" / "duel.json"
    new = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", setup, "--dice", "seed", "--seed", "x")
    assert referee("game", "new", GAME, *new).code == 0
    ran = referee("game", "say", GAME, "next turn", "--by-hand")
    assert ran.code == 0 and read(GAME)[-1].data["physical"] is True, ran
    assert "typed in (dice enter): 1d100 (Lancer: action order) first" in referee("game", "status", GAME).out


def test_help_and_status_are_answered_where_orders_are_given(referee: Run) -> None:
    begin(referee)
    before = len(read(GAME))
    for said in ("help", "!help", "A: help"):
        ran = referee("game", "say", GAME, said)
        assert ran.code == 0 and "NAME: fire PH-1/A, PHOT/B at TARGET" in ran.out, ran
    assert "energy allocation" in referee("game", "say", GAME, "status").out
    assert len(read(GAME)) == before
    assert referee("game", "say", GAME, "help", "A: speed 16").code == 0 and len(read(GAME)) == before + 1


@pytest.mark.parametrize(
    ("said", "meant"),
    [("slip left", "NAME: left"), ("sideslip to starboard", "NAME: right"), ("shp left", "NAME: left"),
     ("frie PH-1 at B", "NAME: fire PH-1/A, PHOT/B at TARGET"), ("dance", "orders are turn, impulse, speed")],
)  # fmt: skip
def test_an_unknown_order_proposes_one_that_can_be_given(referee: Run, said: str, meant: str) -> None:
    begin(referee)
    ran = referee("game", "say", GAME, f"A: {said}")
    assert ran.code == 2 and meant in ran.err and "ship NAME" not in ran.err, ran


def test_names_of_players_are_refused_in_words(referee: Run) -> None:
    ran = referee("game", "new", GAME, "--players", "Alice,Bob", *SHIPS[:1], "A=cadet/federation-ca:Alice")
    assert ran.code == 2 and "--players alice,bob" in ran.err and "field" not in ran.err, ran
    for command in (
        ("init", "game", "--scenario", "1", "--record", GAME, "--players", "Ann Lee,Bob"),
        ("game", "new", GAME, "--players", "Ann Lee,Bob"),
    ):
        ran = referee(*command)
        assert ran.code == 2 and "--players ann_lee,bob" in ran.err and ran.err.count("\n") == 1, ran
    ran = referee("game", "new", GAME, "--players", "alice,bob", "--umpire", "Carol")
    assert ran.code == 2 and "--umpire carol" in ran.err
    assert "named twice" in referee("game", "new", GAME, "--players", "bob,bob").err


def test_a_scenario_is_begun_with_an_umpire(referee: Run) -> None:
    new = ("init", "game", "--scenario", "1", "--record", GAME, "--players", "alice", "--dice", "umpire")
    assert referee(*new).code == 2
    ran = referee(*new, "--umpire", "carol")
    assert ran.code == 0, ran.err
    assert read(GAME)[0].data["umpire"] == "carol" and read(GAME)[0].data["dice"]["umpire"] == "carol"
    assert referee("init", "game", "--scenario", "1", "--umpire", "carol").code == 2


def test_faces_are_typed_in_one_after_another(referee: Run) -> None:
    """Of fire, and of a volley: what is awaited next is said, nothing is lost, and none too many is taken."""
    begin(referee)
    orders = ("A: speed 16", "B: speed 16", "impulse 1", "A: ahead", "B: ahead", "A: fire PH-1A, PH-1C at B")
    assert referee("game", "say", GAME, *orders).code == 0
    assert referee("game", "resolve", GAME, "--by-hand").code == 0
    ran = referee("dice", "enter", GAME, "3", "--as", "alice")
    assert ran.code == 0 and ran.out == "3; next: 1d6 (A PH-1/C at B)\n"
    assert "1d6 (A PH-1/C at B) next" in referee("game", "status", GAME).out
    ran = referee("dice", "enter", GAME, "7", "--as", "alice")
    assert ran.code == 2 and "no die shows 7; 1 face wanted" in ran.err
    ran = referee("dice", "enter", GAME, "4", "4", "--as", "alice")
    assert ran.code == 2 and "1 of 3 faces left over" in ran.err
    ran = referee("dice", "enter", GAME, "4", "--as", "alice")
    assert ran.code == 0 and "A PH-1/A at B: range" in ran.out and ", die 4: " in ran.out
    assert referee("dice", "confirm", GAME, "--as", "bob").code == 0
    assert referee("game", "resolve", GAME).code == 0
    ran = referee("volley", "B", "--game", GAME, "--as", "alice", "--internals", "2", "--by-hand")
    assert ran.code == 0, ran
    assert referee("dice", "enter", GAME, "1", "--as", "bob").out == "1; next: 1d6\n"
    ran = referee("dice", "enter", GAME, "5", "--as", "bob", "--again")
    assert ran.out == "5; next: 1d6\n"
    ran = referee("dice", "enter", GAME, "2", "--as", "bob")
    assert ran.code == 0 and "(dice 5 2)" in ran.out
    assert referee("dice", "verify", GAME).code == 0
