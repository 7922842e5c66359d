"""Drones of an orders file: they fly by themselves after the ships, and strike."""

from __future__ import annotations

from referee.adjudicator.drones import Drones

from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.orders import DronePlaced
from referee.core.play import ShipInPlay
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FED = load_ship("cadet/federation-ca")
PLACE = Location("game.txt", line=1)
SHIPS = {"A": ShipInPlay("A", FED.id, Hex(10, 6), "D")}


def drones(row: int) -> Drones:
    """A drone so many rows behind the ship's column, that flies at it."""
    placed = DronePlaced("One", Hex(10, row), "A", 16, target="A")
    return Drones(BOOK, [placed], {"A": FED})


def test_a_drone_flies_straight_at_its_target() -> None:
    found = drones(10)
    found.fly(SHIPS, 1, 1, PLACE)
    assert found.flying["One"].hex == Hex(10, 9) and "One" in found and "Two" not in found
    found.fly(SHIPS, 1, 1, PLACE)
    assert found.flying["One"].hex == Hex(10, 9), "one hex in an impulse"


def test_it_strikes_in_the_hex_of_its_target_and_is_gone() -> None:
    found = drones(7)
    found.fly(SHIPS, 1, 1, PLACE)
    assert "One" not in found.flying
    (said,) = found.report().findings
    assert said.severity.value == "note" and said.subject == "One" and "A" in said.message
