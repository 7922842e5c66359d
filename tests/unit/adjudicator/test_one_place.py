"""What is asked in one place by records, orders files, logs and robots: a seeker's flight and lock-on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.adjudicator.flight import strike, ways
from referee.adjudicator.record_seekers import launch_facing
from referee.adjudicator.record_shots import lock_rolled, unit_of, with_sensors_as_now
from referee.adjudicator.robot_orders import table_begun
from referee.core.combat import Moment, Seeker, Unit
from referee.core.flight import flown
from referee.core.hexgrid import Hex, parse_position
from referee.core.orders import Placement
from referee.core.state import new_state
from referee.rulebooks.registry import load_rulebook, load_ship

CADET = load_rulebook("sfb-cadet")


def drone(at: str) -> Seeker:
    hex, facing = parse_position(at)
    return Seeker("D", "drone", "War", "Con", hex, facing or "A", Moment(1, 1), hexes=3)


def test_a_hex_farther_counts_what_is_straight() -> None:
    first = flown(drone("1010A"), Hex(10, 9), "A")
    assert (first.hexes, first.straight) == (4, 2)
    turned = flown(first, Hex(11, 9), "B")
    assert (turned.hexes, turned.straight, turned.facing) == (5, 1, "B")


@pytest.mark.parametrize(
    ("came_from", "shields", "struck"),
    [(None, (4,), 4), (Hex(9, 12), (4, 5), 4), (Hex(9, 9), (1, 6), 1), (Hex(12, 10), (2, 3), 2)],
)
def test_on_a_corner_a_seeker_strikes_the_lower_numbered_shield(
    came_from: Hex | None, shields: tuple[int, ...], struck: int
) -> None:
    """No source says which of the two; the lower numbered is the house's ruling, wherever it is asked."""
    ship = load_ship("cadet/federation-ca")
    target = Unit("Con", ship, new_state(ship), Hex(10, 10), "A")
    hit = strike(CADET, drone("1010A"), target, Moment(1, 4), came_from)
    assert (tuple(sorted(hit.shields)), hit.shield) == (shields, struck)


def test_of_ways_as_short_a_seeker_takes_the_first() -> None:
    astern = ways(CADET, drone("1010A"), Hex(10, 14))
    assert astern == ("left", "right")


def test_what_is_launched_in_the_hex_of_its_target_faces_as_its_ship() -> None:
    here = Hex(10, 10)
    placed = [
        Placement("War", "cadet/klingon-d6", here, "D", 8, "K"),
        Placement("Con", "cadet/federation-ca", here, "A", 8, "F"),
    ]
    state = table_begun(CADET, placed, load_ship, ()).state
    assert launch_facing(state, "War", "Con") == "D"


def test_lock_on_that_was_rolled_stands_for_the_turn() -> None:
    """D6.11: it is rolled in its phase against the sensors as they are then; a box lost later undoes nothing."""
    book = load_rulebook("sfb-standard")
    placed = [
        Placement("War", "standard/klingon-d7", Hex(10, 10), "D", 8, "K"),
        Placement("Con", "standard/federation-ca", Hex(10, 12), "A", 8, "F"),
    ]
    state = replace(table_begun(book, placed, load_ship, ()).state, turn=1, locks={("War", "Con", 1): 5})
    war = state.ships["War"]
    boxes = load_ship("standard/klingon-d7").box_ids("sensor")
    began = replace(war.state, destroyed=frozenset(boxes[:2]))
    now = replace(war.state, destroyed=frozenset(boxes[:4]))
    state = replace(state, ships={**state.ships, "War": replace(war, state=now, begun={1: began})})

    def held(at: object) -> bool | None:
        units = (unit_of(book, load_ship, state.ships[name], Moment(1, 9)) for name in ("War", "Con"))
        return lock_rolled(book, at, *units, 1)  # type: ignore[arg-type, call-arg]

    assert held(state) is True
    assert held(with_sensors_as_now(state)) is False, "as records of earlier versions have it"
    assert held(replace(state, locks={("War", "Con", 1): 6})) is False
