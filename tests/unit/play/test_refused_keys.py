"""Keys that are kept back, in play: what was declared by who has the last key does nothing; old records play on."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.unit.play.cheat import Writer

GAME = Path("g.jsonl")
SHIPS = ("--ship", "Con=cadet/federation-ca:alice@1004D/8", "--ship", "Des=cadet/klingon-d6:bob@1007A/8")


def begin(referee: Run, *ships: str, players: str = "alice,bob") -> None:
    ran = referee("game", "new", GAME, "--players", players, "--dice", "peer", *(ships or SHIPS))
    assert ran.code == 0, ran
    for player in players.split(","):
        assert referee("game", "join", GAME, "--as", player).code == 0


def good(ran: Ran) -> Ran:
    assert ran.code == 0, ran
    return ran


def verified(referee: Run) -> None:
    good(referee("dice", "verify", GAME))


def give(referee: Run, *players: str) -> None:
    for player in players:
        good(referee("dice", "key", GAME, "--as", player))


def fire(referee: Run, *orders: str) -> None:
    """Fire ordered in impulse 7, and its dice declared by Alice."""
    good(referee("game", "next", GAME, "--to", "1.7.fire"))
    good(referee("game", "say", GAME, *orders, "--force"))
    good(referee("game", "resolve", GAME, "--as", "alice"))
    assert read(GAME)[-1].type in ("declare", "foul")


def test_fire_of_who_keeps_back_the_last_key_strikes_nothing(referee: Run) -> None:
    begin(referee)
    fire(referee, "Con: fire PH-1A, PHOT-A at Des")
    give(referee, "bob")
    good(referee("dice", "forfeit", GAME, "--refuser", "alice", "--as", "bob"))
    effect = read(GAME)[-1]
    assert [event["weapon"] for event in effect.data["events"]] == ["PH-1/A", "PHOT/A"]
    assert effect.data["volleys"] == []
    verified(referee)
    assert (
        "alice kept back the key, says bob"
        in referee("game", "replay", GAME).out + referee("game", "report", GAME).out
    )
    good(referee("game", "next", GAME))
    # Other effects are named by nobody.
    lines = Writer(GAME, keep=effect.line_number - 1)
    hit = {"ship": "Con", "points": 8, "shield": 1, "origins": [[8, 0, -3]]}
    lines.add("events", **effect.data | {"volleys": [hit]})
    ran = referee("dice", "verify", lines.save(Path("forged.jsonl")))
    assert ran.code == 3 and "not what roll 1 does by the rules" in ran.err, ran


def test_it_is_no_better_for_whoever_fired_than_any_throw(referee: Run) -> None:
    """Whatever falls, the target is struck by so many points or more: over all totals of each shot."""
    from referee.adjudicator.record_shots import fire_effect, fire_lost
    from referee.core.dice import ScriptedDice
    from referee.play.game_file import open_game
    from referee.rulebooks.registry import load_ship

    begin(referee)
    fire(referee, "Con: fire PH-1A, PHOT-A at Des")
    game = open_game(str(GAME))
    roll, orders = game.dice.rolls[1], list(game.state.fire)
    lost = fire_lost(orders)
    points = []
    totals = [range(group["count"], group["count"] * group["sides"] + 1) for group in roll.order]
    for first in totals[0]:
        for second in totals[1]:
            thrown = fire_effect(game.rulebook, load_ship, game.state, orders, ScriptedDice([first, second]))
            assert thrown["events"] == lost["events"], "the weapons have fired all the same"
            points.append(sum(volley["points"] for volley in thrown["volleys"]))
    assert max(points) > min(points) >= sum(volley["points"] for volley in lost["volleys"]) == 0


def test_others_fire_waits_for_the_last_key(referee: Run) -> None:
    """It is not known whose side anybody is on: who declared for all does not rid a friend of a bad throw."""
    begin(referee)
    fire(referee, "Con: fire PH-1A at Des", "Des: fire PH-2A at Con")
    give(referee, "bob")
    before = GAME.read_bytes()
    ran = referee("dice", "forfeit", GAME, "--refuser", "alice", "--as", "bob")
    assert ran.code == 2 and "it waits for the key, or is given up (void)" in ran.err, ran
    assert GAME.read_bytes() == before
    good(referee("dice", "void", GAME, "--reason", "alice does not answer", "--agreed", "bob"))
    good(referee("game", "resolve", GAME, "--as", "bob"))
    good(referee("dice", "forfeit", GAME, "--refuser", "alice", "--as", "bob"))
    give(referee, "bob")
    verified(referee)


@pytest.mark.parametrize(("points", "inside"), [(40, True), (4, False)])
def test_of_a_volley_only_what_its_shield_stops(referee: Run, points: int, inside: bool) -> None:
    from referee.core.dice import seeded_dice
    from referee.core.eventjson import event_json
    from referee.play.dice import lost, resolve_in, volley_of
    from referee.play.game_file import open_game

    begin(referee)
    good(referee("game", "next", GAME, "--to", "1.7.resolve-fire"))
    struck = ("--damage", str(points), "--shield", "1")
    good(referee("volley", "Des", "--game", GAME, "--as", "alice", *struck))
    if not inside:
        return  # it needs no dice, and nobody's key
    game = open_game(str(GAME))
    roll = game.dice.open_roll
    assert roll is not None
    (effect,) = lost(game, roll)
    said = volley_of(game, roll)
    assert said is not None
    for n in range(30):
        thrown = resolve_in(game, said, seeded_dice(f"throw {n}"))
        events = [{"ship": "Des", **event_json(event)} for event in thrown.events]
        outside = len(effect[1]["events"])
        assert events[:outside] == effect[1]["events"] and len(events) > outside, "more, whatever falls"
    give(referee, "bob")
    good(referee("dice", "forfeit", GAME, "--refuser", "alice", "--as", "bob"))
    status = referee("game", "status", GAME, "--json").json
    ship = next(ship for ship in status["ships"] if ship["name"] == "Des")
    assert ship["state"]["shields"]["1"] == 0 and not ship["state"]["destroyed"]
    verified(referee)


def test_the_owner_of_the_ship_does_not_rid_it_of_a_volley(referee: Run) -> None:
    begin(referee)
    good(referee("game", "next", GAME, "--to", "1.7.resolve-fire"))
    good(referee("volley", "Con", "--game", GAME, "--as", "alice", "--internals", "5"))
    give(referee, "bob")
    ran = referee("dice", "forfeit", GAME, "--refuser", "alice", "--as", "bob")
    assert ran.code == 2 and "it waits for the key" in ran.err, ran
    good(referee("dice", "void", GAME, "--reason", "no answer", "--agreed", "bob"))
    # Who did not answer is not asked to declare it again.
    number = next(entry.seq for entry in read(GAME) if entry.type == "order")
    again = Writer(GAME)
    declare = {"roll": 2, "who": "bob", "order": [], "open": True, "ship": "Con"}
    again.add("declare", **declare, purpose=f"volley of entry {number}")
    again.save(GAME)
    give(referee, "alice", "bob")
    verified(referee)


def test_dice_for_the_table_wait_too(referee: Run) -> None:
    begin(referee)
    good(referee("roll", "2d6", "--game", GAME, "--as", "alice", "--for", "who begins"))
    give(referee, "bob")
    assert referee("dice", "forfeit", GAME, "--refuser", "alice", "--as", "bob").code == 2
    give(referee, "alice")
    verified(referee)


def test_two_keep_their_keys_back(referee: Run) -> None:
    begin(referee, *SHIPS, players="alice,bob,carol,dave")
    good(referee("roll", "2d6", "--game", GAME, "--as", "alice", "--for", "who begins"))
    for refuser, by in (("bob", "carol"), ("dave", "alice")):
        good(referee("dice", "forfeit", GAME, "--refuser", refuser, "--as", by))
    ran = referee("dice", "key", GAME, "--as", "bob")
    assert ran.code == 2 and "says that bob kept back the key" in ran.err, ran
    give(referee, "carol", "alice")
    verified(referee)
    (result,) = (entry for entry in read(GAME) if entry.type == "result")
    faces = result.data["dice"][0]["faces"]
    assert Fraction(sum(faces), 2) >= 1
