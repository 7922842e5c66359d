"""Scenarios 1 and 2 played in a record, from the set-up to the victory and to the loss: drones nobody launched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.conftest import ROOT
from tests.unit.play.test_game_forging import forge, rewritten

GAME = Path("g.jsonl")
SCHEMA = Draft202012Validator(json.loads((ROOT / "schemas" / "game-status.schema.json").read_text()))


def begin(referee: Run, scenario: str, *more: str, players: str = "ann", seed: str = "drill") -> Ran:
    """A record of a scenario with practice dice."""
    new = ("init", "game", "--scenario", scenario, "--record", GAME, "--players", players, *more)
    ran = referee(*new, "--dice", "seed", "--seed", seed)
    assert ran.code == 0, ran.err
    return ran


def say(referee: Run, *orders: str, by: str = "") -> Ran:
    ran = referee("game", "say", GAME, *orders, *(("--as", by) if by else ()))
    assert ran.code == 0, ran.err
    return ran


def resolve(referee: Run) -> Ran:
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0, ran.err
    return ran


def status(referee: Run) -> Any:
    """The status, by its schema."""
    document = referee("game", "status", GAME, "--json").json
    SCHEMA.validate(document)
    return document


def fates(document: Any) -> dict[str, str]:
    return {drone["name"]: drone["fate"] for drone in document["drones"]}


def moves(*ways: str, turn: int = 1, first: int = 1) -> list[str]:
    """Orders of the Constellation, impulse by impulse; a turn that begins says its speed."""
    orders = [f"turn {turn}", "Constellation: speed 8"] if first == 1 else []
    for impulse, way in enumerate(ways, first):
        orders += [f"impulse {impulse}", f"Constellation: {way}"]
    return orders


def shoot(referee: Run, weapon: str, drone: str) -> Ran:
    say(referee, f"Constellation: fire {weapon} at {drone}")
    return resolve(referee)


def refused(referee: Run, key: str, *orders: str, by: str = "") -> None:
    """By its rule, with nothing recorded; forced it stands with its foul, and the record can be checked."""
    before = GAME.read_bytes()
    named = ("--as", by) if by else ()
    ran = referee("game", "say", GAME, *orders, *named)
    assert ran.code == 1 and f"[{key}]" in ran.err and GAME.read_bytes() == before, ran.err
    ran = referee("game", "say", GAME, *orders, *named, "--force")
    assert ran.code == 0, ran.err
    assert key.partition("/")[0] in {entry.data.get("rule") for entry in read(GAME) if entry.type == "foul"}
    assert referee("dice", "verify", GAME).code == 0
    assert referee("check", GAME).code == 1
    GAME.write_bytes(before)


def must_hold(referee: Run, state: str = "") -> None:
    """The record is whole, every entry of it is judged rightly, and its replay comes to the same state."""
    assert referee("record", "verify", GAME).code == 0
    assert referee("dice", "verify", GAME).code == 0
    ran = referee("check", GAME, "--json")
    # Where nothing is played yet, nothing can be judged.
    found = [finding["key"] for finding in ran.json["findings"]]
    assert ran.code == 0 and (ran.json["verdict"] == "legal" or found == ["NOTE/nothing-judged"]), ran.out
    replayed = referee("game", "replay", GAME).out.splitlines()[-1]
    assert replayed == f"state {referee('game', 'replay', GAME, '--json').json['state_hash']}"


# -- scenario 1 --------------------------------------------------------------------------

WAYS = ("ahead", "right", "ahead", "ahead", "right", "ahead", "ahead", "ahead")
AWAY = (*["ahead"] * 6, "right", "ahead", "ahead")
AFTER = ("left", "ahead", "ahead", "ahead", "ahead")


def test_scenario_1_is_won_by_who_destroys_all_five(referee: Run) -> None:
    begun = begin(referee, "1", seed="drill 3")
    assert "drones A, B, C, D, E fly straight ahead, by themselves" in begun.out and not begun.err
    say(referee, *moves(*WAYS[:1]))
    assert "on B, which is gone" in shoot(referee, "PH-1/B", "B").out
    say(referee, *moves(*WAYS[1:3], first=2))
    shoot(referee, "PH-1/A", "D")
    say(referee, *moves(*WAYS[3:5], first=4))
    shoot(referee, "PH-1/C", "C")
    say(referee, *moves(*WAYS[5:], first=6), *moves(*AFTER[:1], turn=2))
    shoot(referee, "PH-1/B", "E")
    before = status(referee)
    assert fates(before) == {"A": "flying"} | dict.fromkeys("BCDE", "destroyed")
    assert not before["victory"]["over"] and [one["name"] for one in before["seekers"]] == ["A"]
    say(referee, *moves(*AFTER[1:], turn=2, first=2))
    ran = shoot(referee, "PH-1/A", "A")
    assert "the game is over, Federation has won: every drone is destroyed" in ran.out
    after = status(referee)
    assert after["victory"] == {
        "over": True,
        "winner": "Federation",
        "why": "every drone is destroyed",
        "decided": True,
    }
    assert set(fates(after).values()) == {"destroyed"} and after["seekers"] == []
    assert "A (drone): destroyed" in referee("game", "status", GAME).out
    assert "Federation has won" in referee("game", "report", GAME).out
    must_hold(referee)


def test_scenario_1_is_lost_when_drones_escape(referee: Run) -> None:
    """Points on a drone add up; the last of the others flies off the map in turn 3."""
    begin(referee, "1")
    say(referee, *moves("ahead"))
    assert "3 points on C" in shoot(referee, "PH-1/C", "C").out
    assert "C (drone) at 0806D, straight ahead, by itself, 3 points" in referee("game", "status", GAME).out
    say(referee, *moves(*WAYS[1:3], first=2))
    assert "on C, which is gone" in shoot(referee, "PH-1/B", "C").out
    say(referee, *moves(*WAYS[3:], first=4), *moves(*AWAY[:8], turn=2))
    before = status(referee)
    assert fates(before) == {"A": "left", "B": "left", "C": "destroyed", "D": "left", "E": "flying"}
    assert (
        not before["victory"]["over"] and "D (drone): has left the map" in referee("game", "status", GAME).out
    )
    ran = referee("game", "say", GAME, "Constellation: fire PH-1/A at D")
    assert ran.code == 2 and "D is not on the map any more" in ran.err
    say(referee, *moves(*AWAY[8:], turn=3))
    ran = referee("game", "next", GAME, "--to", "3.1.fire")
    assert "the game is over, Federation has lost: the drones that are left have escaped" in ran.out
    stands = status(referee)["victory"]
    assert (stands["over"], stands["winner"], stands["loser"], stands["decided"]) == (
        True,
        "",
        "Federation",
        True,
    )
    must_hold(referee)


# -- scenario 2 --------------------------------------------------------------------------


def test_scenario_2_is_won_with_all_drones_gone_and_the_ship_whole_inside(referee: Run) -> None:
    begun = begin(referee, "2", seed="drill 570")
    assert "fly after Constellation, by themselves" in begun.out
    say(referee, *moves("ahead", "left", "ahead", "right"))
    shoot(referee, "PH-1/A", "A")
    say(referee, *moves("ahead", "ahead", first=5))
    shoot(referee, "PH-1/B", "C")
    say(referee, *moves("right", "ahead", first=7))
    shoot(referee, "PH-1/C", "D")
    say(referee, *moves("ahead", turn=2))
    shoot(referee, "PH-1/A", "B")
    say(referee, *moves("right", "ahead", turn=2, first=2))
    shoot(referee, "PH-1/C", "E")
    say(referee, *moves("ahead", turn=2, first=4))
    shoot(referee, "PH-1/B", "F")
    say(referee, *moves("ahead", "right", turn=2, first=5))
    ran = referee("game", "next", GAME, "--to", "2.6.resolve-seekers")
    assert ran.code == 0 and ran.out.count("\nConstellation is struck for 6") == 2
    due = status(referee)
    assert fates(due) == {**dict.fromkeys("ABCDEF", "destroyed"), "G": "struck", "H": "struck"}
    assert not due["victory"]["over"], "what the volleys do inside is not known yet"
    assert due["victory"]["why"] == "cannot tell whether a point came through the shields"
    ran = resolve(referee)
    assert "the game is over, Federation has won: every drone is gone" in ran.out
    after = status(referee)
    assert after["victory"]["winner"] == "Federation" and after["victory"]["decided"]
    assert after["ships"][0]["state"]["shields"] == {"1": 15, "2": 12, "3": 10, "4": 10, "5": 4, "6": 6}
    must_hold(referee)


def test_scenario_2_is_lost_by_a_point_through_the_shields(referee: Run) -> None:
    """Two drones of 6 points on one shield of 10."""
    begin(referee, "2", seed="drill 575")
    say(referee, *moves("right", *["ahead"] * 7))
    shoot(referee, "PH-1/A", "F")
    say(referee, *moves("ahead", turn=2), "Constellation: fire PH-1/B at F")
    assert "on E, which is gone" in shoot(referee, "PH-1/C", "E").out
    assert fates(status(referee))["F"] == "destroyed", "by two shots together"
    say(referee, *moves("right", "ahead", turn=2, first=2))
    assert referee("game", "next", GAME, "--to", "2.3.resolve-seekers").code == 0
    (volley,) = status(referee)["volleys_due"]
    assert volley == {"ship": "Constellation", "points": 12, "shield": 3}
    ran = resolve(referee)
    assert "the game is over, Klingon has won: a point came through the shields" in ran.out
    after = status(referee)
    assert after["victory"]["winner"] == "Klingon" and after["victory"]["over"]
    must_hold(referee)


# -- what is refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "orders"),
    [
        ("F2.0", ["A: left"]),
        ("F2.0", ["A: ahead", "A: ahead"]),
        ("B2.0", ["Constellation: fire PH-1/B at B", "A: ahead"]),
        ("D2.2", ["Constellation: fire PH-1/A at B"]),
        ("E2.23", ["Constellation: fire PH-1/B at B", "Constellation: fire PH-1/B at B"]),
        ("SCENARIO/weapons", ["Constellation: fire PHOT/B at E"]),
    ],
)
def test_what_scenario_1_forbids(referee: Run, key: str, orders: list[str]) -> None:
    begin(referee, "1")
    say(referee, *moves("ahead"))
    refused(referee, key, *orders)


def test_the_speed_of_the_scenario_is_kept(referee: Run) -> None:
    begin(referee, "1")
    refused(referee, "SCENARIO/speed", "Constellation: speed 6")


def test_drones_of_scenario_2_only_follow_their_ship(referee: Run) -> None:
    begin(referee, "2")
    say(referee, *moves("ahead"))
    refused(referee, "F2.0", "A: right")
    refused(referee, "SCENARIO/weapons", "Constellation: fire PHOT/B at C")
    ran = referee("game", "say", GAME, "A: hit 4")
    assert ran.code == 2 and "what hits A is rolled" in ran.err and "referee game resolve" in ran.err


def test_what_may_fire_is_charged(referee: Run) -> None:
    """No form is filled in: nothing is left unchecked for want of one."""
    begin(referee, "2")
    say(referee, *moves(*["ahead"] * 6), "Constellation: fire PH-1/A at A")
    lacking = referee("check", GAME, "--json").json["not_checked"]
    assert not [item for item in lacking if item["rule"].startswith(("E1.2", "E2", "B3"))], lacking


def test_a_photon_is_loaded_in_the_second_turn(referee: Run) -> None:
    begin(referee, "2")
    say(referee, *moves("right", *["ahead"] * 7))
    refused(referee, "SCENARIO/weapons", "Constellation: fire PHOT/A at E")
    say(referee, *moves("left", turn=2), "Constellation: fire PHOT/A at E")
    assert "PHOT/A at E: range" in resolve(referee).out
    must_hold(referee)


# -- who orders them ---------------------------------------------------------------------


def test_a_second_player_moves_the_drones_of_scenario_2(referee: Run) -> None:
    begun = begin(referee, "2", players="ann,bob")
    assert "drones A, B, C, D, E, F, G, H fly after Constellation, ordered by bob" in begun.out
    assert {drone["player"] for drone in status(referee)["drones"]} == {"bob"}
    say(referee, *moves("ahead"), by="ann")
    ran = referee("game", "say", GAME, "H: left", "--as", "ann")
    assert ran.code == 2 and "ann does not order H" in ran.err
    waits = Path("waits.jsonl")
    waits.write_bytes(GAME.read_bytes())
    ways = {}
    for drone in "ABCDEFGH":
        ways[drone] = [
            way
            for way in ("ahead", "left", "right")
            if referee("game", "say", GAME, f"{drone}: {way}", "--as", "bob").code == 0
            and GAME.write_bytes(waits.read_bytes())
        ]
    assert all(ways.values()) and max(map(len, ways.values())) > 1, ways
    chosen = {drone: row[-1] for drone, row in ways.items() if len(row) > 1}
    say(referee, *(f"{drone}: {way}" for drone, way in chosen.items()), by="bob")
    say(referee, *moves("ahead", first=2), by="ann")
    said = {
        entry.data["seeker"]["name"]: entry.data["seeker"]["way"]
        for entry in read(GAME)
        if "seeker" in entry.data
    }
    assert said.keys() == set("ABCDEFGH") and chosen.items() <= said.items()
    assert {entry.data["player"] for entry in read(GAME) if "seeker" in entry.data} == {"bob"}
    refused(referee, "F2.0", "A: left", by="bob")
    must_hold(referee)


def test_drones_come_with_the_game_to_who_orders_them(referee: Run) -> None:
    """Whoever begins the game gives the other his drones: that is no order in his name."""
    begin(referee, "2", players="ann,bob")
    mine = Path("mine.jsonl")
    mine.write_bytes(GAME.read_bytes().splitlines(keepends=True)[0])
    ran = referee("record", "sync", mine, GAME, "--as", "bob")
    assert ran.code == 0, ran.err
    assert mine.read_bytes() == GAME.read_bytes()


def test_nobody_orders_the_drones_of_scenario_1(referee: Run) -> None:
    """Not even a second player: they can only fly straight on."""
    begun = begin(referee, "1", players="ann,bob")
    assert "by themselves" in begun.out and "player" not in status(referee)["drones"][0]
    say(referee, *moves("ahead"), by="ann")
    refused(referee, "F2.0", "A: left", by="bob")
    say(referee, "A: ahead", by="bob")
    must_hold(referee)


def test_a_drone_is_fired_at_by_all_but_its_own_side(referee: Run) -> None:
    begin(referee, "2", players="ann,bob")
    say(referee, *moves(*["ahead"] * 6), by="ann")
    ran = referee("game", "say", GAME, "Constellation: fire PH-1/A at A", "--as", "ann")
    assert ran.code == 0, ran.err
    ran = referee("game", "say", GAME, "Constellation: fire PH-1/B at C", "--as", "bob")
    assert ran.code == 2 and "bob does not play Constellation" in ran.err


# -- taken back, and written by a cheat ---------------------------------------------------


def number_of(kind: str) -> int:
    return next(entry.seq for entry in reversed(read(GAME)) if kind in entry.data)


def undo(referee: Run, number: int) -> Ran:
    return referee("game", "undo", GAME, str(number), "--reason", "a slip", "--agreed", "ann")


def test_a_move_of_a_drone_is_taken_back_and_its_place_at_the_start_is_not(referee: Run) -> None:
    begin(referee, "2")
    say(referee, *moves("ahead"), "H: ahead")
    assert undo(referee, number_of("seeker")).code == 0
    drone = next(entry.seq for entry in read(GAME) if entry.type == "drone")
    ran = undo(referee, drone)
    assert ran.code == 2 and "rests on it" in ran.err
    say(referee, *moves("ahead", first=2))
    must_hold(referee)


FORGED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a drone more": ("drone", {"name": "Z", "at": "1010A", "speed": 8}, "play has begun"),
    "a drone moved by another": (
        "order",
        {
            "text": ["H: ahead"],
            "player": "ann",
            "turn": 1,
            "impulse": 1,
            "seeker": {"name": "H", "way": "ahead"},
        },
        "ann does not play H",
    ),
    "drones that are not there any more": (
        "order",
        {
            "text": ["gone"],
            "player": "ann",
            "turn": 1,
            "impulse": 1,
            "strike": {"seekers": ["A", "B"], "volleys": []},
        },
        "not what the seekers do",
    ),
    "a hit without dice": (
        "events",
        {
            "events": [],
            "rolls": [1],
            "seekers_hit": [{"seeker": "A", "points": 4, "phasers": 4, "gone": True}],
        },
        "neither dice nor a ruling account for",
    ),
    "a move against the rules": (
        "order",
        {
            "text": ["A: left"],
            "player": "bob",
            "turn": 1,
            "impulse": 1,
            "seeker": {"name": "A", "way": "left"},
        },
        "breaks F2.0, and no foul is recorded",
    ),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_only_a_cheat_would_write(referee: Run, what: str) -> None:
    begin(referee, "2", players="ann,bob")
    to = "resolve-seekers" if "not there" in what else "move-ships"
    assert referee("game", "next", GAME, "--to", f"1.1.{to}", "--force", "--as", "ann").code == 0
    if "move against" in what:
        step = ("step", {"turn": 1, "impulse": 1, "step": "move seekers"})
        forged = forge(GAME, step, FORGED[what][:2])
    else:
        forged = forge(GAME, FORGED[what][:2])
    ran = referee("dice", "verify", forged)
    assert ran.code == 3 and FORGED[what][2] in ran.err + ran.out, ran


def test_another_set_up_is_told(referee: Run) -> None:
    """A drone elsewhere, or none: by whom such a game is won is not known."""
    begin(referee, "1")

    def elsewhere(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        return kind, {**data, "at": "1409A"} if kind == "drone" and data["name"] == "A" else data

    forged = rewritten(GAME, elsewhere)
    report = referee("check", forged, "--json").json
    assert report["verdict"] == "cannot-tell"
    assert [(f["key"], f["subject"]) for f in report["findings"]] == [("NOTE/set-up", "A")]
    without = rewritten(GAME, lambda kind, data: None if kind == "drone" else (kind, data))
    stands = referee("game", "status", without, "--json").json["victory"]
    assert not stands["over"] and not stands["decided"]


# -- set-ups that are the players' to choose ---------------------------------------------

CONVOY = {
    "Destruction": "2817F/8",
    "Freighter A": "0105C/4",
    "Freighter B": "0107C/4",
    "Freighter C": "0109C/4",
    "Freighter D": "0111C",
}


def at(places: dict[str, str]) -> list[str]:
    return [part for name, place in places.items() for part in ("--at", f"{name}={place}")]


def test_scenario_3_says_what_the_players_choose_and_takes_it(referee: Run) -> None:
    told = referee("init", "game", "--scenario", "3").out
    assert "Destruction, Freighter A, Freighter B, Freighter C, Freighter D: where they start" in told
    new = ("init", "game", "--scenario", "3", "--record", GAME, "--players", "ann,bob", "--alone")
    homeless = referee(*new, *at({"Destruction": "2817F"}))
    assert homeless.code == 2 and "Freighter A, Freighter B" in homeless.err and "--at" in homeless.err
    assert "Destruction," not in homeless.err and not GAME.exists()
    begun = referee(*new, *at(CONVOY))
    assert begun.code == 0, begun.err
    ships = {ship["name"]: (ship["at"], ship["speed"]) for ship in status(referee)["ships"]}
    assert ships["Destruction"] == ("2817F", 8) and ships["Freighter D"] == ("0111C", 4)
    must_hold(referee)
    file = Path("orders.txt")
    assert referee("init", "game", "--scenario", "3", file, *at(CONVOY)).code == 0
    assert "ship Freighter D = cadet/freighter at 0111C speed 4 side Iridima" in file.read_text()
    assert "players' to choose" not in file.read_text()
    assert referee("check", file).code == 0


@pytest.mark.parametrize(
    ("scenario", "place", "says"),
    [
        ("3", "Destruction=2818F", "0101 to 2817"),
        ("3", "Destruction=2817", "hex, facing"),
        ("3", "Destruction=2817F/fast", "hex, facing"),
        ("3", "Destructor=2817F", "Destruction"),
        ("5", "Destruction=2817F", "sets it up at 0216B"),
        ("1", "C=0806D", "0805D or 0705D"),
        ("1", "A=0102C", "sets it up at 0101C"),
    ],
)
def test_places_that_are_not_the_players(referee: Run, scenario: str, place: str, says: str) -> None:
    ran = referee("init", "game", "--scenario", scenario, "--at", place)
    assert ran.code == 2 and says in ran.err and ran.err.count("\n") == 1, ran.err


def test_where_sources_differ_the_players_choose(referee: Run) -> None:
    begin(referee, "1", *at({"C": "0705D", "D": "0810F"}))
    places = {seeker["name"]: seeker["at"] for seeker in status(referee)["seekers"]}
    assert (places["C"], places["D"], places["E"]) == ("0705D", "0810F", "0801D")
    must_hold(referee)
