"""`X of SHIP` as a target: a seeker of the ship where it has such a one, else nothing; never the ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.orders import Fire, OrderProblem
from referee.formats.orderlines import parse_chat_order
from referee.formats.orders import parse_orders
from tests.cli.conftest import Run

SHIPS = ("Con", "War", "Ship of Fools")
SEEKERS = ("War DRN/1 t1", "War DRN/2 t1", "Con PL-S/A t1")
ORDERS = """rulebook sfb-cadet
impulses 16
ship Con = cadet/federation-ca at 1404D speed 0
ship War = cadet/klingon-d6 at 1409A speed 0
turn 1
impulse 1
War: launch DRN/1 at Con
impulse 2
"""


def aimed_at(text: str) -> str:
    """The unit that fire is aimed at, or the problem."""
    order = parse_chat_order(f"!fire PH-1A at {text}", "Con", (*SHIPS, *SEEKERS))
    assert isinstance(order, Fire | OrderProblem)
    return order.target if isinstance(order, Fire) else str(order)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("D6 War", "War"),
        ("the War", "War"),
        ("Klingon cruiser D6 War", "War"),
        ('the "War"', "War"),
        ("the drone cruiser War", "War"),
        ("the Ship of Fools", "Ship of Fools"),
        ("DRN/1 of War", "War DRN/1 t1"),
        ("the DRN-1 of the D6 War", "War DRN/1 t1"),
        ("War's DRN2", "War DRN/2 t1"),
        ("DRN/1 War", "War DRN/1 t1"),
        ("DRN/2", "War DRN/2 t1"),
        ("the plasma torpedo of Con", "Con PL-S/A t1"),
    ],
)
def test_what_is_meant(text: str, unit: str) -> None:
    assert aimed_at(text) == unit


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nonsense of War", "no such nonsense of War; did you mean War or War DRN/1 t1"),
        ("the hull of War", "no such hull of War; did you mean War or"),
        ("War's hull", "no such hull of War"),
        ("PL-S/A of War", "no such PL-S/A of War"),
        ("PH-1/A War", "no such PH-1/A of War"),
        ("hull of Ship of Fools", "no such hull of Ship of Fools; did you mean Ship of Fools?"),
        ("shield 3 of War", "did you mean War on 3?"),
        ("drone of War", "may be War DRN/1 t1 or War DRN/2 t1; say which"),
        ("Con War", "may be Con or War; say which"),
        ("drone War", "may be War DRN/1 t1 or War DRN/2 t1; say which"),
        ("not War", "no ship not War"),
        ("one behind the War", "no ship one behind the War"),
    ],
)
def test_what_is_not(text: str, told: str) -> None:
    assert told in aimed_at(text)


def test_a_counter_said_to_be_of_a_ship_is_the_counter() -> None:
    names = (*SHIPS, "Drone 3")
    said = parse_chat_order("!fire PH-1A at Drone 3 of War", "Con", names, counters=("Drone 3",))
    assert isinstance(said, Fire) and said.target == "Drone 3"


def test_a_record_takes_the_seeker_and_no_part_of_a_ship(referee: Run) -> None:
    ships = ("--ship", "Con=cadet/federation-ca:al@1404D/0", "--ship", "War=cadet/klingon-d6:bo@1409A/0")
    assert referee("game", "new", "g.jsonl", "--players", "al,bo", "--alone", *ships).code == 0
    said = referee("game", "say", "g.jsonl", "turn 1", "impulse 1", "Con: fire PH-1/A at nonsense of War")
    assert said.code == 2 and "no such nonsense of War; did you mean War?" in said.err
    assert referee("game", "say", "g.jsonl", "turn 1", "impulse 1", "War: launch DRN/1 at Con").code == 0
    said = referee("game", "say", "g.jsonl", "impulse 2", "Con: fire PH-1/A at DRN/1 of War")
    assert said.code == 0 and "fire PH-1/A at War DRN/1 t1" in said.out
    Path("more.txt").write_text("turn 1\nimpulse 2\nCon: fire PHOT/A at the hull of War\n")
    ran = referee("game", "apply", "g.jsonl", "more.txt")
    assert ran.code == 2 and "no such hull of War" in ran.err


def test_a_rack_that_was_emptied_twice_is_the_drone_still_flying(referee: Run) -> None:
    text = ORDERS + "turn 2\nimpulse 1\nWar: launch DRN/1 at Con\nCon: fire PH-1/A at DRN/1 of War\n"
    known = ("Con", "War", "War DRN/1 t1", "War DRN/1 t2")
    body = text[text.index("turn 2") :]
    read = parse_orders(body, "o", ships=known, drones=known[2:], flying=known[3:])
    assert [order.target for order in read.orders if isinstance(order, Fire)] == ["War DRN/1 t2"]


@pytest.mark.parametrize("part", ["the hull", "nonsense", "PL-S/A"])
def test_an_orders_file_refuses_parts_of_ships(referee: Run, part: str) -> None:
    Path("o.txt").write_text(ORDERS + f"Con: fire PH-1/A at {part} of War\n")
    report = referee("check", "o.txt", "--json").json
    (found,) = [one for one in report["findings"] if one["severity"] == "undecided"]
    assert "no such" in found["message"] and found["fix"] == "did you mean War or War DRN/1 t1?"
