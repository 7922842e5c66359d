"""One played game is judged alike at every door: as an orders file, as a record, as a VASSAL log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from re import escape

import pytest

from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Run, own_folder, referee
from tests.doors import commonest, games
from tests.doors.games import ASIDE, HEAD, ORDERS_HAVE_NO_FORMS, STANDARD, STILL, Excuse
from tests.doors.played import DOORS, Played, Refused, as_log, as_record, told
from tests.unit.play.test_game_forging import rewritten

__all__ = ["own_folder", "referee"]
GAMES = {**games.GAMES, **commonest.GAMES}
EXCUSED = {**games.EXCUSED, **commonest.EXCUSED}


def aside(door: str) -> set[str]:
    """The keys a door is excused from in all games."""
    return {key for at, key in ASIDE if at == door}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_judged_alike_at_every_door(referee: Run, name: str, door: str) -> None:
    game, expected = GAMES[name]
    excuse = EXCUSED.get((name, door), Excuse(""))
    assert excuse.lacks <= expected, "it excuses what is not expected"
    if excuse.refuses:
        with pytest.raises(Refused, match=escape(excuse.refuses)):
            DOORS[door](referee, game)
        return
    found = told(DOORS[door](referee, game), aside(door))
    assert found == (expected - excuse.lacks) | excuse.adds


def test_the_commonest_violations_are_played() -> None:
    assert commonest.counted() == list(commonest.COMMONEST)
    assert not set(games.GAMES) & set(commonest.GAMES)
    for key, name in commonest.COMMONEST.items():
        assert key in {found[1] for found in GAMES[name][1] if found[0] == "error"}, name


def test_excuses_are_of_games_and_doors_there_are() -> None:
    assert {(name, door) for name in GAMES for door in DOORS} >= set(EXCUSED)
    assert all(excuse.why and (excuse.lacks or excuse.adds or excuse.refuses) for excuse in EXCUSED.values())


@pytest.mark.parametrize(
    "name", [name for (name, _), excuse in EXCUSED.items() if excuse.why == ORDERS_HAVE_NO_FORMS]
)
def test_an_orders_file_says_what_it_cannot_tell_without_forms(referee: Run, name: str) -> None:
    (missed,) = EXCUSED[name, "orders"].lacks
    left_open = DOORS["orders"](referee, GAMES[name][0])[0].json["not_checked"]
    ship = missed[2].split()[0]
    of_speed = missed[1].startswith("B3.0-14")
    said = [
        one
        for one in left_open
        if one.get("subject", "").startswith(ship) and (one["rule"] == "B3.0-14") == of_speed
    ]
    assert any(one["reason"].endswith("no energy form") for one in said)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("weapon", ["DRN/1", "PH-1/1"])
def test_fire_control_that_no_form_tells_of_is_listed_at_every_door(
    referee: Run, door: str, weapon: str
) -> None:
    """Of fire and of a launch alike: neither is passed as if it had been paid for."""
    order = f"launch {weapon}" if weapon == "DRN/1" else f"fire {weapon}"
    ships = (
        "Const = standard/federation-ca at 2020A speed 8\nship Destr = standard/kzinti-cs at 2012D speed 8"
    )
    game = Played(f"{STANDARD}ship {ships}\n{STILL}Destr: {order} at Const\nimpulse 3\n")
    lacking = [
        one["subject"]
        for one in DOORS[door](referee, game)[0].json["not_checked"]
        if one["reason"].startswith("whether fire control was paid is not known")
    ]
    assert lacking == [f"Destr {weapon}"]


@pytest.mark.parametrize(
    "name", ["general reinforcement and a hit", "reinforcement of the shield that is hit"]
)
def test_reinforcement_takes_as_much_in_a_record_as_is_marked_in_a_log(referee: Run, name: str) -> None:
    """A log in which one box less is marked is wrong; the record counts the boxes that are right."""
    game, _ = GAMES[name]
    marked = game.struck["Const"]["1"]
    as_record(referee, game)
    const = referee("game", "status", "game.jsonl", "--json").json["ships"][0]
    assert const["state"]["shields"]["1"] == load_ship(const["class"]).shields[1] - marked
    less = replace(game, struck={"Const": {"1": marked - 1}})
    assert [one[:3] for one in told(DOORS["log"](referee, less), aside("log"))] == [
        ("error", "D4.1", "Const")
    ]


def test_a_record_from_before_a_rule_was_asked_is_no_forgery(referee: Run) -> None:
    """Older records hold launches beyond the sensors without a foul: they are read, and it is found in them."""
    game, expected = GAMES["more drones than sensors control"]
    as_record(referee, game)
    older = rewritten(Path("game.jsonl"), lambda kind, data: None if kind == "foul" else (kind, data))
    assert referee("record", "verify", older).code == 0
    assert told([referee("check", older, "--json")]) == expected


def test_a_foul_of_moving_first_lapses_where_the_other_never_moves(referee: Run) -> None:
    """Said one by one: the ship that was not waited for may yet move, so the other's move is refused; forced, it is
    no breach once the impulse is over and the other has not moved."""
    game, _ = GAMES["by the rules"]
    as_record(referee, Played(game.text.partition("impulse 4")[0]))
    ran = referee("game", "say", "game.jsonl", "impulse 4", "Destr: ahead")
    assert ran.code == 1 and "[C1.3]" in ran.err and "moves before Const" in ran.err, ran
    assert referee("game", "say", "game.jsonl", "impulse 4", "Destr: ahead", "--force").code == 0
    assert ("error", "C1.3", "Destr", 1, 4) in told([referee("check", "game.jsonl", "--json")])
    assert referee("game", "say", "game.jsonl", "impulse 5", "--force").code == 0
    assert told([referee("check", "game.jsonl", "--json")]) == {("error", "C1.4/missed", "Const", 1, 4)}


def test_fire_is_refused_while_ships_have_still_to_move(referee: Run) -> None:
    """The refusal names who has to move, and how to go on without; forced, they can move yet."""
    game, _ = GAMES["by the rules"]
    as_record(referee, Played(game.text.partition("impulse 4")[0]))
    fire = ("game", "say", "game.jsonl", "impulse 4", "Destr: fire PH-2/A at Const")
    ran = referee(*fire)
    assert ran.code == 1 and "[B2.0]" in ran.err and "first the move of Const, Destr" in ran.err, ran
    assert "referee game next RECORD --to 1.4.fire" in ran.err
    assert referee(*fire, "--force").code == 0
    assert referee("game", "say", "game.jsonl", "Const: ahead", "Destr: ahead").code == 0
    assert referee("game", "resolve", "game.jsonl").code == 0
    assert referee("game", "say", "game.jsonl", "impulse 5").code == 0
    assert told([referee("check", "game.jsonl", "--json")]) == {("error", "B2.0", "Destr", 1, 4)}


@pytest.mark.parametrize(
    ("at", "why"), [("2217D", "on the corner of shields 1 or 2"), ("2020D", "in the hex of Destr")]
)
def test_a_shield_that_must_be_said_and_is_not_is_listed(referee: Run, at: str, why: str) -> None:
    """A record asks which it is before the dice."""
    lacking = []
    text = f"{HEAD}{STILL}Const: fire PH-1/C at Destr\n".replace("2030A", at)
    for door in ("orders", "log"):
        lacking.append(
            [
                one
                for one in DOORS[door](referee, Played(text))[0].json["not_checked"]
                if one["rule"] == "E1.4"
            ]
        )
    aim = ("--at", "2020A", "--target", "cadet/klingon-d6", "--target-at", at, "--weapons", "PH-1C", "--paid")
    fired = referee("fire", "cadet/federation-ca", *aim, "--dice", "1", "--json")
    assert fired.code == 0
    lacking.append([one for one in fired.json["not_checked"] if one["rule"] == "E1.4"])
    assert [len(row) for row in lacking] == [1, 1, 1]
    assert all(row[0]["reason"].endswith("is not given") for row in lacking)
    assert all(why.replace("Destr", "") in row[0]["reason"] for row in lacking)


@pytest.mark.parametrize(
    "name", ["a speed above what is paid", "a speed below what is paid", "no speed, and one is paid for"]
)
def test_a_record_taken_from_a_log_is_judged_as_the_log(referee: Run, name: str) -> None:
    """It has the speed at which a ship moved, and holds that against the form."""
    game, expected = GAMES[name]
    assert told(as_log(referee, game), aside("log")) == expected
    ships = [part for ship in game.orders.ships for part in ("--ship", f"{ship.ship}={ship.class_id}")]
    players = ["--players", "ann,ben", "--player", "Const=ann", "--player", "Destr=ben"]
    options = ["--option", "impulses=16", "--option", "previous_speed=8", "--dice", "seed", "--seed", "doors"]
    asked = ["--from", "game.vlog", "--module", "game.vmod", "--rulebook", "sfb-cadet", *ships, *options]
    assert referee("game", "new", "taken.jsonl", *asked, *players).code == 0
    assert told([referee("check", "taken.jsonl", "--json")], aside("record")) == expected
