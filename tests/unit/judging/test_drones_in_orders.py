"""Drones an orders file places: they fly by themselves, are fired at, and reach their ship or leave the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.core.orders import DronePlaced
from referee.formats.orders import format_orders, parse_orders
from tests.cli.conftest import Run

HEAD = """rulebook sfb-cadet
impulses 8
option map=0101-1417
ship Constellation = cadet/federation-ca at 0711A speed 8 side Federation
"""
AHEAD = "turn 1\nConstellation: speed 8\n" + "".join(
    f"impulse {n}\nConstellation: ahead\n" for n in range(1, 9)
)


def judged(referee: Run, orders: str) -> Any:
    Path("orders.txt").write_text(HEAD + orders)
    ran = referee("check", "orders.txt", "--json")
    assert ran.code in (0, 1), ran.err
    return ran.json


def said(report: Any, severity: str) -> list[tuple[str, str, int]]:
    return [
        (found["rule"], found["subject"], found["impulse"])
        for found in report["findings"]
        if found["severity"] == severity
    ]


def test_a_drone_flies_straight_and_leaves_the_map(referee: Run) -> None:
    report = judged(referee, "drone A at 0103A speed 8\n" + AHEAD)
    assert said(report, "error") == [] and said(report, "note") == [("F2.0", "A", 3)]


def test_a_drone_reaches_the_ship_it_follows(referee: Run) -> None:
    report = judged(referee, "drone A at 0703D speed 8 after Constellation\n" + AHEAD)
    (note,) = [found for found in report["findings"] if found["severity"] == "note"]
    assert (note["impulse"], note["subject"]) == (4, "A") and "reaches Constellation in 0707" in note[
        "message"
    ]


@pytest.mark.parametrize(
    ("at", "impulse", "broken"), [("0705D", 2, []), ("0715A", 2, ["D2.2"]), ("0705D", 3, ["F2.0"])]
)
def test_fire_at_a_drone_is_judged_where_it_is(
    referee: Run, at: str, impulse: int, broken: list[str]
) -> None:
    """After its move, from where the ship is then; once it has struck there is nothing to fire at."""
    fire = AHEAD.replace(
        f"impulse {impulse + 1}\n", f"Constellation: fire PHOT/A at A\nimpulse {impulse + 1}\n"
    )
    report = judged(referee, f"drone A at {at} speed 8 after Constellation side Klingon\n" + fire)
    missed = [item["rule"] for item in report["not_checked"] if "not on the map" in item["reason"]]
    assert [rule for rule, _, _ in said(report, "error")] == [rule for rule in broken if rule != "F2.0"]
    assert bool(missed) == (broken == ["F2.0"])


def test_the_file_may_say_which_way_a_drone_goes(referee: Run) -> None:
    drone = "drone A at 0403D speed 8 after Constellation\n"
    left, off = (AHEAD.replace("impulse 2\n", f"A: {way}\nimpulse 2\n") for way in ("left", "right"))
    assert said(judged(referee, drone + left), "error") == []
    assert said(judged(referee, drone + off), "error") == [("F2.0", "A", 1)]
    twice = AHEAD.replace("impulse 2\n", "A: left\nA: ahead\nimpulse 2\n")
    assert said(judged(referee, drone + twice), "error") == [("F2.0", "A", 1)]
    straight = AHEAD.replace("impulse 2\n", "A: left\nimpulse 2\n")
    assert said(judged(referee, "drone A at 0403D speed 8\n" + straight), "error") == [("F2.0", "A", 1)]


@pytest.mark.parametrize(
    "line",
    [
        "drone A at 0103 speed 8",
        "drone A at 0000A speed 8",
        "drone A at 0103A",
        "drone A at 0103A speed 8 after Nobody",
        "drone Constellation at 0103A speed 8",
    ],
)
def test_what_places_no_drone(referee: Run, line: str) -> None:
    report = judged(referee, line + "\n" + AHEAD)
    assert [found["rule"] for found in report["findings"]] == ["NOTE"]


def test_a_drone_only_moves(referee: Run) -> None:
    orders = AHEAD.replace("impulse 2\n", "A: cloak\nimpulse 2\n")
    report = judged(referee, "drone A at 0103D speed 8\n" + orders)
    assert ["a drone only moves" in found["message"] for found in report["findings"]] == [True]


def test_drones_are_written_as_they_are_read() -> None:
    text = HEAD + "drone A at 0103D speed 8 after Constellation side Klingon\ndrone B at 0203D speed 4\n"
    orders = parse_orders(text, "orders.txt")
    assert not orders.problems and format_orders(orders) == text
    assert [(drone.name, drone.target) for drone in orders.drones] == [("A", "Constellation"), ("B", "")]
    assert isinstance(orders.drones[0], DronePlaced)


@pytest.mark.parametrize(("scenario", "drones"), [("1", 5), ("2", 8)])
def test_the_drones_of_a_scenario_can_be_fired_at(referee: Run, scenario: str, drones: int) -> None:
    text = referee("init", "game", "--scenario", scenario).out
    placed = [line for line in text.splitlines() if line.startswith("drone ")]
    assert len(placed) == drones
    turn = (
        "turn 1\nConstellation: speed 8\nimpulse 1\nConstellation: ahead\nConstellation: fire PH-1/A at E\n"
    )
    Path("game.txt").write_text(text + turn)
    report = referee("check", "game.txt", "--json").json
    assert not [found for found in report["findings"] if found["severity"] == "undecided"]
    assert "D2.2" in report["checked"]


def test_a_robot_plays_on_where_drones_fly(referee: Run) -> None:
    text = referee("init", "game", "--scenario", "4").out
    drone = "drone A at 0109C speed 16 after Constellation\n"
    Path("game.txt").write_text(f"{text}{drone}turn 1\nConstellation: speed 12\nimpulse 1\nA: ahead\n")
    assert referee("robot", "game.txt", "--ship", "War").code == 0


@pytest.mark.parametrize("scenario", ["1", "2"])
def test_the_file_of_a_scenario_is_played_into_its_record(referee: Run, scenario: str) -> None:
    begin = ("--record", "d.jsonl", "--players", "ann", "--alone")
    begun = referee("init", "game", "--scenario", scenario, *begin)
    assert begun.code == 0 and not begun.err
    file = Path("game.txt")
    start = referee("init", "game", "--scenario", scenario).out
    file.write_text(start + AHEAD.partition("impulse 7")[0])
    ran = referee("game", "apply", "d.jsonl", file)
    assert ran.code == 0, ran.err
    assert "order: A: ahead" in ran.out and referee("check", "d.jsonl").code == 0
    file.write_text(file.read_text().replace("drone B ", "drone Z "))
    ran = referee("game", "apply", "d.jsonl", file)
    assert ran.code == 2 and "Z is not in the game" in ran.err


def test_a_ship_that_flies_into_a_drone_is_struck(referee: Run) -> None:
    report = judged(referee, "drone A at 0708D speed 8 after Constellation\n" + AHEAD)
    notes = [found for found in report["findings"] if found["severity"] == "note"]
    assert [(note["impulse"], note["subject"]) for note in notes] == [(2, "A")]


# -- what fire scored on them ------------------------------------------------------------

SHOOTING = """drone A at 0706D speed 8 after Constellation side Klingon
turn 1
Constellation: speed 8
impulse 1
Constellation: ahead
Constellation: fire PH-1/C at A
"""


def test_enough_points_destroy_a_drone(referee: Run) -> None:
    on = "".join(f"impulse {n}\nConstellation: ahead\n" for n in (2, 3))
    report = judged(referee, SHOOTING + "A: hit 3\n" + on)
    assert said(report, "error") == [] and said(report, "note") == [("F2.0", "A", 3)], "it struck the ship"
    more = "Constellation: fire PH-1/A at A\nA: hit 7\n"
    report = judged(referee, SHOOTING + more)
    assert said(report, "error") == []
    assert "is destroyed by 7 points" in report["findings"][-1]["message"]
    after = "impulse 2\nConstellation: ahead\nConstellation: fire PH-1/B at A\n"
    report = judged(referee, SHOOTING + more + after)
    assert "A is not on the map" in [item["reason"] for item in report["not_checked"]]


def test_points_that_no_dice_could_score(referee: Run) -> None:
    report = judged(referee, SHOOTING + "A: hit 9\n")
    assert said(report, "error") == [("E1.3", "A", 1)]
    untold = judged(referee, SHOOTING)
    assert any(item["reason"].endswith("is not known: A: hit 5") for item in untold["not_checked"])
    assert said(
        judged(referee, SHOOTING.rpartition("Constellation: fire")[0] + "A: hit 4\n"), "undecided"
    ) == [("NOTE", "A", 1)]


def test_a_drone_has_no_shields(referee: Run) -> None:
    report = judged(referee, SHOOTING + "A: hit 4 on 1\nConstellation: hit 4\n")
    assert [found["fix"] for found in report["findings"]] == [
        "it has no shields: write A: hit 5",
        "write NAME: hit 21 on 1 from LF",
    ]
    text = HEAD + SHOOTING.replace("Constellation: ", "  Constellation: ") + "  A: hit 4\n"
    assert format_orders(parse_orders(text, "o")) == text


def test_a_robot_reads_a_file_in_which_drones_are_hit(referee: Run) -> None:
    text = referee("init", "game", "--scenario", "4").out
    drone = "drone A at 0109C speed 16 after Constellation\n"
    orders = "turn 1\nConstellation: speed 12\nimpulse 1\nA: ahead\nA: hit 4\n"
    Path("game.txt").write_text(text + drone + orders)
    assert referee("robot", "game.txt", "--ship", "War").code == 0
