"""The way a new seeker faces: the one that leads to its target straightest."""

from __future__ import annotations

import pytest

from referee.core.combat import moves_to_reach, soonest_facing, soonest_turns
from referee.core.hexgrid import FACINGS, Hex, Offset, parse_position, relative_offset


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


def test_the_way_is_as_long_as_a_search_finds_it() -> None:
    """From each facing a seeker goes ahead, or turns 60 degrees and goes ahead, hex by hex."""
    first: dict[Offset, int] = {}
    here = {(Offset(0, 0), 0)}
    for moves in range(15):
        for hex, _ in here:
            first.setdefault(hex, moves)
        here = {
            (Offset(hex.x + step.x, hex.z + step.z), to)
            for hex, facing in here
            for to in ((facing + turn) % 6 for turn in (-1, 0, 1))
            for step in (Offset(0, -1).turned(to),)
        }
    near = {offset: moves for offset, moves in first.items() if moves < 12}
    assert len(near) > 300
    assert {offset: moves_to_reach(offset) for offset in near} == near


def test_a_shortest_way_begins_with_a_turn_that_it_may_make() -> None:
    assert soonest_turns(Offset(0, -9), True) == (0,)
    assert soonest_turns(Offset(4, -9), True) == (0, 1)
    assert soonest_turns(Offset(-9, 2), True) == (-1,)
    assert soonest_turns(Offset(0, 6), True) == (1, -1)
    assert soonest_turns(Offset(9, -2), False) == (0,)
