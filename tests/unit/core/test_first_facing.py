"""The way a new seeker faces: the one that leads to its target straightest."""

from __future__ import annotations

import pytest

from referee.core.combat import moves_to_reach, soonest_facing
from referee.core.hexgrid import FACINGS, Hex, parse_position, relative_offset


def hex_of(text: str) -> Hex:
    return parse_position(text)[0]


def test_a_target_straight_below_is_faced_straight() -> None:
    """From 1501 at 1510 the first hex is 1502, though a seeker facing C that turns first is there as soon."""
    here, there = hex_of("1501"), hex_of("1510")
    assert soonest_facing(here, there) == "D" and here.step("D") == hex_of("1502")
    assert moves_to_reach(relative_offset(here, "C", there)) == moves_to_reach(
        relative_offset(here, "D", there)
    )


@pytest.mark.parametrize("way", FACINGS)
@pytest.mark.parametrize("side", [1, -1])
def test_of_two_ways_the_straighter_is_faced(way: str, side: int) -> None:
    other = FACINGS[(FACINGS.index(way) + side) % len(FACINGS)]
    here = hex_of("2020")
    assert soonest_facing(here, here.step(way, 9)) == way
    assert soonest_facing(here, here.step(way, 5).step(other, 4)) == way
    assert soonest_facing(here, here.step(way, 4).step(other, 4)) == min(way, other)


def test_in_the_hex_of_its_target_it_faces_as_its_ship() -> None:
    assert soonest_facing(hex_of("1501"), hex_of("1501"), "E") == "E"
