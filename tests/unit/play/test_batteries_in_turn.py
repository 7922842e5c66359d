"""Charged batteries used in the turn: `battery N for PH-1A`, and without the order, at every door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.unit.play.test_game_play import GAME, begin, form, refused, say

CHARGED = {"Movement": 8, "Charge Phasers": 1, "Battery Avail": 2}
ALONE = {"Movement": 8}
SPENT = {"Movement": 13, "Photon A": 2, "Photon B": 2}
"""17 points; with 4 more one of the two batteries is discharged in allocation."""
FEED = "Constellation: battery 1 for PH-1A"
FIRE = "Constellation: fire PH-1A, PH-1C at Destruction"


def playing(referee: Run, **more: int) -> None:
    """A capacitor of 1 and two charged batteries, in impulse 1."""
    begin(referee)
    for ship, spent in (("Constellation", CHARGED | more), ("Destruction", ALONE)):
        ran = referee("game", "apply", GAME, sheet(ship, 1, spent))
        assert ran.code == 0, ran.out + ran.err
    say(referee, "impulse 1")


def sheet(ship: str, turn: int, spent: dict[str, int]) -> Path:
    """An energy form; what is held and carried is not spent."""
    kept = {name: spent[name] for name in ("Battery Avail", "BttyUsedInTurn", "PhasFired") if name in spent}
    path = form(ship, turn, {name: amount for name, amount in spent.items() if name not in kept})
    path.write_text(path.read_text() + "".join(f"{name},{amount}\n" for name, amount in kept.items()))
    return path


def notes(ran: Ran) -> list[str]:
    return [found["key"] for found in ran.findings("note")]


# -- a record ----------------------------------------------------------------------------


@pytest.mark.parametrize("door", ["say", "apply"])
def test_a_battery_that_is_ordered_feeds_a_phaser(referee: Run, door: str) -> None:
    playing(referee)
    if door == "say":
        say(referee, FEED, FIRE)
    else:
        Path("orders.txt").write_text(f"impulse 1\n{FEED}\n{FIRE}\n")
        ran = referee("game", "apply", GAME, "orders.txt")
        assert ran.code == 0, ran.err
    (fed,) = (entry.data["battery"] for entry in read(GAME) if "battery" in entry.data)
    assert fed == {"ship": "Constellation", "points": "1", "weapons": ["PH-1/A"]}
    assert referee("game", "resolve", GAME).code == 0
    ran = referee("check", GAME, "--json")
    assert ran.code == 0 and "E2.21" not in notes(ran)
    assert "B3.0-21/ordered" in ran.json["checked"] or ran.findings("error") == []
    assert referee("record", "verify", GAME).code == 0


def test_without_the_order_it_is_noted(referee: Run) -> None:
    playing(referee)
    ran = say(referee, FIRE)
    assert "1 of battery power is counted as used in the turn" in ran.out + ran.err
    assert "battery 1 for PH-1/C" in ran.out + ran.err
    assert referee("game", "resolve", GAME).code == 0
    ran = referee("check", GAME, "--json")
    assert ran.code == 0 and notes(ran) == ["E2.21"]


def test_what_batteries_gave_is_gone_in_the_next_turn(referee: Run) -> None:
    for order in ([FEED], []):
        playing(referee)
        say(referee, *order, FIRE)
        assert referee("game", "resolve", GAME).code == 0
        assert referee("game", "next", GAME, "--to", "2", "--force", "--as", "fed").code == 0
        again = sheet("Constellation", 2, {"Movement": 8, "Battery Avail": 2})
        ran = referee("game", "apply", GAME, again)
        assert ran.code == 1 and "[B3.0-5]" in ran.err, ran
        ran = referee("game", "apply", GAME, sheet("Constellation", 2, {"Movement": 8, "Battery Avail": 1}))
        assert ran.code == 0, ran.err
        GAME.unlink()


def test_no_more_than_is_charged(referee: Run) -> None:
    playing(referee)
    refused(referee, "B3.0-21/ordered", "Constellation: battery 3 for PH-1A, PH-1B, PH-1C")


@pytest.mark.parametrize("weapons", ["PHOT-A", "PH-1A", "PH-1A, ph1a"])
def test_what_no_phaser_takes_feeds_none(referee: Run, weapons: str) -> None:
    """Points ordered for a weapon that does not take them pay for no other, though they are gone."""
    playing(referee, **{"Charge Phasers": 0})
    say(referee, f"Constellation: battery 2 for {weapons}")
    refused(referee, "E2.21", FIRE)


def test_the_order_proposed_is_one_that_holds(referee: Run) -> None:
    playing(referee, **{"Charge Phasers": 0})
    ran = say(referee, FIRE)
    assert "say `battery 2 for PH-1/A, PH-1/C`" in ran.out + ran.err
    GAME.unlink()
    playing(referee, **{"Charge Phasers": 0})
    ran = say(referee, "Constellation: battery 2 for PH-1/A, PH-1/C", FIRE)
    assert "warning" not in ran.err and "E2.21" not in ran.err


def test_fire_beyond_the_batteries(referee: Run) -> None:
    """The finding says what they can add."""
    begin(referee, "--option", "reinforcement=true")
    spent = SPENT | {"General Reinforcement": 4}
    ran = referee("game", "apply", GAME, sheet("Constellation", 1, spent))
    assert ran.code == 0, ran.err
    assert referee("game", "apply", GAME, sheet("Destruction", 1, ALONE)).code == 0
    say(referee, "impulse 1")
    ran = referee("game", "say", GAME, FIRE)
    assert ran.code == 1 and "[E2.21]" in ran.err and "charged batteries can add 1" in ran.err


def test_a_form_that_says_what_batteries_gave_is_held_to_it(referee: Run) -> None:
    playing(referee, BttyUsedInTurn=1)
    say(referee, FIRE)
    assert referee("game", "resolve", GAME).code == 0
    assert notes(referee("check", GAME, "--json")) == []


@pytest.mark.parametrize("ordered", [True, False])
def test_a_form_that_is_shown_later(referee: Run, ordered: bool) -> None:
    """Batteries it had charged are no error; more than it had are."""
    begin(referee)
    for ship, spent in (("Constellation", CHARGED), ("Destruction", ALONE)):
        assert referee("seal", sheet(ship, 1, spent), "--ship", ship, "--game", GAME).code == 0
    say(
        referee,
        "Constellation: speed 8",
        "Destruction: speed 8",
        "impulse 1",
        *([FEED] if ordered else []),
        FIRE,
    )
    assert referee("game", "resolve", GAME).code == 0
    ran = referee("reveal", "--game", GAME, "--ship", "Constellation")
    assert ran.code == 0, ran.out
    assert ("E2.21" in ran.out + ran.err) is not ordered


def test_too_many_batteries_when_the_form_is_shown(referee: Run) -> None:
    begin(referee, "--option", "reinforcement=true")
    much = SPENT | {"Charge Phasers": 2, "General Reinforcement": 2}
    for ship, spent in (("Constellation", much), ("Destruction", ALONE)):
        assert referee("seal", sheet(ship, 1, spent), "--ship", ship, "--game", GAME).code == 0
    speeds = ("Constellation: speed 13", "Destruction: speed 8", "impulse 1")
    say(referee, *speeds, "Constellation: battery 2 for PH-1A, PH-1C")
    ran = referee("reveal", "--game", GAME, "--ship", "Constellation")
    assert ran.code == 1 and "[B3.0-21/ordered]" in ran.out
    assert referee("record", "verify", GAME).code == 0


def test_a_battery_is_taken_back(referee: Run) -> None:
    playing(referee)
    say(referee, FEED)
    last = len(read(GAME)) - 1
    ran = referee("game", "undo", GAME, last, "--reason", "no", "--agreed", "fed,kli")
    assert ran.code == 0, ran.err
    assert "E2.21" in (lambda ran: ran.out + ran.err)(say(referee, FIRE))


# -- an orders file ----------------------------------------------------------------------


ORDERS = """rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 1607E speed 8
ship Destruction = cadet/klingon-d6 at 1609B speed 8
turn 1
  Constellation: speed 8
  Destruction: speed 8
impulse 1
  {order}
  Constellation: fire PH-1A, PH-1C at Destruction
"""


@pytest.mark.parametrize(
    ("order", "found"),
    [
        (FEED, []),
        ("Constellation: battery 1/2 for PH-1A", []),
        ("Constellation: battery 3 for PH-1A, PH-1B, PH-1C", [("error", "B3.0-21/ordered")]),
        ("Constellation: battery 2 for PHOT-A", [("undecided", "B3.0-21/ordered")]),
        ("Constellation: battery 2 for PH-1A", [("warning", "B3.0-21/ordered")]),
        (
            "Constellation: battery 2 for PH-1A, PH-1B\n  Constellation: battery 1 for PH-1C",
            [("error", "B3.0-21/ordered")],
        ),
        (
            "Constellation: battery 1/2 for PH-1A\n  Constellation: battery 1 for PH-1B\n"
            "  Constellation: battery 1 for PH-1C",
            [("error", "B3.0-21/ordered")],
        ),
        ("Constellation: battery for PH-1A", [("undecided", "NOTE/order")]),
        ("Constellation: battery 0 for PH-1A", [("undecided", "NOTE/order")]),
        ("Constellation: batery 1 for PH-1A", [("undecided", "NOTE/order")]),
    ],
)  # fmt: skip
def test_batteries_in_an_orders_file(referee: Run, order: str, found: list[Any]) -> None:
    path = Path("orders.txt")
    path.write_text(ORDERS.format(order=order))
    ran = referee("check", path, "--json")
    keys = ("B3.0-21/ordered", "NOTE/order")
    assert [(f["severity"], f["key"]) for f in ran.findings() if f["key"] in keys] == found
    if found == []:
        lacking = [one["reason"] for one in ran.json["not_checked"] if one["key"] == "B3.0-21/ordered"]
        assert lacking == ["how many batteries are charged is not known: no energy form"]
    if "batery" in order:
        (said,) = (f for f in ran.findings() if f["key"] == "NOTE/order")
        assert "battery 1 for PH-1/A" in said["fix"]


# -- fire, and a form --------------------------------------------------------------------


SHOT = (
    "--at",
    "1607E",
    "--target",
    "cadet/klingon-d6",
    "--target-at",
    "1609B",
    "--impulse",
    2,
    "--last-fired",
    "none",
)


def fired(referee: Run, spent: dict[str, int], *more: object) -> Ran:
    path = Path("fed.csv")
    path.write_text(
        sheet("Constellation", 1, spent).read_text().replace("Constellation", "cadet/federation-ca")
    )
    shot = ("--weapons", "PH-1A,PH-1C", "--form", path, "--turn", 1, "--seed", "x", "--json")
    return referee("fire", "cadet/federation-ca", *SHOT, *shot, *more)


def test_fire_by_a_form_whose_batteries_are_charged(referee: Run) -> None:
    ran = fired(referee, CHARGED)
    assert ran.code == 0 and notes(ran) == ["E2.21"]
    ran = fired(referee, CHARGED | {"BttyUsedInTurn": 1})
    assert ran.code == 0 and notes(ran) == []
    ran = fired(referee, {"Movement": 8, "Battery Avail": 1})
    assert ran.code == 1


def test_fire_with_batteries_that_are_ordered(referee: Run) -> None:
    ran = fired(referee, CHARGED, "--battery", "1 for PH-1A")
    assert ran.code == 0 and notes(ran) == []
    ran = fired(referee, CHARGED, "--battery", "3 for PH-1A, PH-1C")
    assert ran.code == 1 and [f["key"] for f in ran.findings("error")] == ["B3.0-21/ordered"]
    ran = fired(referee, CHARGED, "--battery", "3")
    assert ran.code == 2 and "1 for PH-1A" in ran.err


def test_fire_with_batteries_that_no_phaser_takes(referee: Run) -> None:
    lost = fired(referee, CHARGED, "--battery", "1 for PHOT-A")
    assert lost.code == 0 and notes(lost) == ["E2.21"], lost
    lost = fired(referee, CHARGED, "--battery", "2 for PHOT-A")
    assert lost.code == 1 and [found["key"] for found in lost.findings("error")] == ["E2.21"]


def test_a_form_whose_line_21_is_blank(referee: Run) -> None:
    """No error while charged batteries could have fed what was fired; `check` and `fire` say the same."""
    path = sheet("Constellation", 1, CHARGED | {"PhasFired": 2})
    path.write_text(path.read_text().replace("Constellation", "cadet/federation-ca"))
    ran = referee("check", path, "--json")
    assert ran.code == 0 and notes(ran) == ["H6.1"]
    path.write_text(path.read_text() + "BttyUsedInTurn,1\n")
    ran = referee("check", path, "--json")
    assert ran.code == 0 and notes(ran) == []
    path.write_text(path.read_text().replace("BttyUsedInTurn,1", "BttyUsedInTurn,0"))
    ran = referee("check", path, "--json")
    (found,) = ran.findings("error")
    assert found["key"] == "H6.1" and "write 1 on line 21" in found["fix"]
