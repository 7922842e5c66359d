"""One played game is judged alike at every door: as an orders file, as a record, as a VASSAL log, as a log of the online
client. Each is written down in `games/doors*.jsonl.xz` with what is to be found; `why` a door may say otherwise stands with it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.net.command import Ran, command
from tests.net.gamefiles import Game, games, play

pytestmark = [pytest.mark.net, pytest.mark.usefixtures("own_folder")]
Told = tuple[Any, ...]
"""Severity, key, subject, turn and impulse of a finding."""
DOORS = {game["game"]: game for game in games("doors")}
NO_FORMS = "an orders file has no forms, and a form beside it is judged by itself"


@cache
def further() -> dict[str, Game]:
    """Games of a question of their own."""
    return {game["game"]: game for game in games("doors-further")}


def reports(game: Game) -> list[Ran]:
    """The reports of a game."""
    return [ran for arguments, ran in play(game) if arguments[0] == "check"]


def told(of: list[Ran], game: Game) -> set[Told]:
    """What reports find, but what the door is excused from in all games."""
    assert all(ran.code in (0, 1) for ran in of), of
    return {
        (one["severity"], one["key"], one.get("subject", ""), one.get("turn"), one.get("impulse"))
        for ran in of
        for one in ran.json["findings"]
        if one["key"] not in game.get("aside", ())
    }


@pytest.mark.parametrize("name", DOORS)
def test_a_game_is_judged_alike_at_every_door(name: str) -> None:
    game = DOORS[name]
    if game.get("refused"):
        *_, (_, last) = play(game)
        assert last.code == game["refused"], last
        return
    assert told(reports(game), game) == set(map(tuple, game["found"]))


@pytest.mark.parametrize("name", [name for name, game in DOORS.items() if game.get("why", "") == NO_FORMS])
def test_an_orders_file_says_what_it_cannot_tell_without_forms(name: str) -> None:
    (missed,) = DOORS[name]["lacks"]
    ship, of_speed = missed[2].split()[0], missed[1].startswith("B3.0-14")
    left_open = reports(DOORS[name])[0].json["not_checked"]
    mine = [one for one in left_open if one.get("subject", "").startswith(ship)]
    said = [one for one in mine if (one["rule"] == "B3.0-14") == of_speed]
    assert any(one["reason"].endswith("no energy form") for one in said)


@pytest.mark.parametrize("door", ["orders", "record", "log", "play"])
@pytest.mark.parametrize("weapon", ["DRN/1", "PH-1/1"])
def test_fire_control_that_no_form_tells_of_is_listed_at_every_door(door: str, weapon: str) -> None:
    """Of fire and of a launch alike: neither is passed as if it had been paid for."""
    (ran,) = reports(further()[f"fire control untold for {weapon}: {door}"])
    reason = "whether fire control was paid is not known"
    lacking = [one["subject"] for one in ran.json["not_checked"] if one["reason"].startswith(reason)]
    assert lacking == [f"Destr {weapon}"]


@pytest.mark.parametrize(
    "name", ["general reinforcement and a hit", "reinforcement of the shield that is hit"]
)
def test_reinforcement_takes_as_much_in_a_record_as_is_marked_in_a_log(name: str) -> None:
    """A log in which one box less is marked is wrong; the record counts the boxes that are right."""
    reports(DOORS[f"{name}: record"])
    const = command("game", "status", "game.jsonl", "--json").json["ships"][0]
    less = further()[f"{name}, and a box less marked: log"]
    assert less["left"] == const["state"]["shields"]["1"] + 1
    aside = {"aside": DOORS[f"{name}: log"]["aside"]}
    assert [one[:3] for one in told(reports(less), aside)] == [("error", "D4.1", "Const")]


def test_a_record_from_before_a_rule_was_asked_is_no_forgery() -> None:
    """Older records hold launches beyond the sensors without a foul: they are read, and it is found in them."""
    name = "more drones than sensors control"
    (_, verified), (_, checked) = play(further()[f"{name}: older"])
    assert verified.code == 0
    assert told([checked], {}) == set(map(tuple, DOORS[f"{name}: record"]["found"]))


def test_a_foul_of_moving_first_lapses_where_the_other_never_moves() -> None:
    """Said one by one: the ship that was not waited for may yet move, so the other's move is refused; forced, it is
    no breach once the impulse is over and the other has not moved."""
    reports(further()["as impulse 4 begins: record"])
    ran = command("game", "say", "game.jsonl", "impulse 4", "Destr: ahead")
    assert ran.code == 1 and "[C1.3]" in ran.err, ran
    assert command("game", "say", "game.jsonl", "impulse 4", "Destr: ahead", "--force").code == 0
    assert ("error", "C1.3", "Destr", 1, 4) in told([command("check", "game.jsonl", "--json")], {})
    assert command("game", "say", "game.jsonl", "impulse 5", "--force").code == 0
    assert told([command("check", "game.jsonl", "--json")], {}) == {("error", "C1.4/missed", "Const", 1, 4)}


def test_fire_is_refused_while_ships_have_still_to_move() -> None:
    """Forced, they can move yet."""
    reports(further()["as impulse 4 begins: record"])
    fire = ("game", "say", "game.jsonl", "impulse 4", "Destr: fire PH-2/A at Const")
    ran = command(*fire)
    assert ran.code == 1 and "[B2.0]" in ran.err, ran
    assert command(*fire, "--force").code == 0
    assert command("game", "say", "game.jsonl", "Const: ahead", "Destr: ahead").code == 0
    assert command("game", "resolve", "game.jsonl").code == 0
    assert command("game", "say", "game.jsonl", "impulse 5").code == 0
    assert told([command("check", "game.jsonl", "--json")], {}) == {("error", "B2.0", "Destr", 1, 4)}


@pytest.mark.parametrize("at", ["2217D", "2020D"])
def test_a_shield_that_must_be_said_and_is_not_is_listed(at: str) -> None:
    """On the corner of two shields, and in the hex of the target; a record asks which it is before the dice."""
    aim = ("--at", "2020A", "--target", "cadet/klingon-d6", "--target-at", at, "--weapons", "PH-1C", "--paid")
    ran = [command("fire", "cadet/federation-ca", *aim, "--dice", "1", "--json")]
    assert ran[0].code == 0
    for door in ("orders", "log"):
        ran += reports(further()[f"a shield that is not said at {at}: {door}"])
    for each in ran:
        (one,) = (one for one in each.json["not_checked"] if one["rule"] == "E1.4")
        assert one["reason"].endswith("is not given")


@pytest.mark.parametrize(
    "name", ["a speed above what is paid", "a speed below what is paid", "no speed, and one is paid for"]
)
def test_a_record_taken_from_a_log_is_judged_as_the_log(name: str) -> None:
    """It has the speed at which a ship moved, and holds that against the form."""
    aside = {"aside": DOORS[f"{name}: record"]["aside"]}
    assert told(reports(further()[f"{name}: taken"]), aside) == set(
        map(tuple, DOORS[f"{name}: log"]["found"])
    )


# -- generated games of movement, legal or with one thing wrong --------------------------------------------------------


@cache
def generated() -> dict[int, list[Game]]:
    """The games by seed, each at every door."""
    by_seed: dict[int, list[Game]] = {}
    for game in games("doors-generated"):
        by_seed.setdefault(game["seed"], []).append(game)
    return by_seed


@pytest.mark.parametrize("seed", range(20))
def test_a_generated_game_is_judged_alike_at_every_door(seed: int) -> None:
    found = {game["door"]: compared(told(reports(game), game), game) for game in generated()[seed]}
    spoil = generated()[seed][0]["spoil"]
    assert found["record"] == found["orders"], spoil
    # A log takes what is moved before its clock goes on as put in place: of the first impulse it tells nothing.
    first = {one for one in found["log"] | found["orders"] if one[3:] == (1, 1)}
    assert found["log"] - first == found["orders"] - first, spoil
    # The online client tells no speeds: what a ship does not move may be its speed.
    assert found["play"] <= found["orders"], spoil
    if spoil not in ("a move left out", "a speed too great"):
        assert found["play"] == found["orders"], spoil


def compared(found: set[Told], game: Game) -> set[Told]:
    """What is compared. Not what a door is not known: a log has one speed before the game for all ships, and none of
    the forms. Of a ship that never moves an orders file may simply not tell: there its moves are undecided. And nothing
    of the turn that is only begun, so that the last one is over: there the speeds of the last one still stand."""
    kept = (one for one in found if number(one) not in ("B3.0", "B3.0-14") and (one[3] or 0) <= game["turns"])
    return {("error", *one[1:]) if number(one) == "C1.4" and one[2] in game["still"] else one for one in kept}


def number(found: Told) -> str:
    """The number of the rule of a finding."""
    return str(found[1].partition("/")[0])
