"""The hex map and the arcs: distances and turns behave as on a table."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.core.arcs import SECTORS, arcs_toward, bears
from referee.core.hexgrid import (
    FACINGS,
    Hex,
    Offset,
    parse_position,
    relative_offset,
    struck_shields,
    true_range,
)
from tests.conftest import examples

SOME = examples(150, derandomize=True)
HEXES = st.builds(Hex, st.integers(1, 42), st.integers(1, 32))
OFFSETS = st.builds(Offset, st.integers(-30, 30), st.integers(-30, 30))
FACING = st.sampled_from(FACINGS)


@SOME
@given(HEXES, HEXES, HEXES)
def test_range_is_a_distance(a: Hex, b: Hex, c: Hex) -> None:
    assert true_range(a, b) == true_range(b, a) >= 0
    assert (true_range(a, b) == 0) == (a == b)
    assert true_range(a, c) <= true_range(a, b) + true_range(b, c)


@SOME
@given(HEXES, FACING, st.integers(0, 20))
def test_straight_ahead_is_as_far_as_it_is(start: Hex, facing: str, hexes: int) -> None:
    end = start.step(facing, hexes)
    assert true_range(start, end) == hexes
    assert end.step(FACINGS[(FACINGS.index(facing) + 3) % 6], hexes) == start
    walked = start
    for _ in range(hexes):
        walked = walked.step(facing)
    assert walked == end


@SOME
@given(HEXES)
def test_six_turns_make_a_ring(start: Hex) -> None:
    here = start
    for facing in FACINGS:
        here = here.step(facing, 3)
    assert here == start


@SOME
@given(HEXES, FACING)
def test_a_hex_is_written_and_read(place: Hex, facing: str) -> None:
    assert parse_position(f"{place}{facing}") == (place, facing)


@SOME
@given(OFFSETS, st.integers(0, 5))
def test_turning_the_ship_turns_arcs_and_shields(offset: Offset, sixths: int) -> None:
    if offset == (0, 0):
        return
    turned = offset.turned(sixths)
    sectors = {SECTORS[(SECTORS.index(name) + sixths) % 6] for name in arcs_toward(offset)}
    assert set(arcs_toward(turned)) == sectors
    assert {(shield - 1 + sixths) % 6 + 1 for shield in struck_shields(offset)} == set(struck_shields(turned))
    assert 1 <= len(arcs_toward(offset)) <= 2
    assert 1 <= len(struck_shields(offset)) <= 2


@SOME
@given(HEXES, HEXES, FACING, FACING)
def test_two_ships_see_each_other(a: Hex, b: Hex, facing_a: str, facing_b: str) -> None:
    """What lies ahead of one, as it turns, lies astern on the same line of sight."""
    from_a, from_b = relative_offset(a, facing_a, b), relative_offset(b, facing_b, a)
    turn = FACINGS.index(facing_a) - FACINGS.index(facing_b)
    back = Offset(-from_a.x, -from_a.z)
    assert back.turned(turn) == from_b


@SOME
@given(OFFSETS)
def test_half_planes_halve_the_map(offset: Offset) -> None:
    assert bears("360", offset)
    assert bears("FH", offset) or bears("RH", offset)
    assert (
        bears("LP", offset)
        or bears("RP", Offset(-offset.x, -offset.z))
        or bears("RP", offset)
        or bears("RH", offset)
    )
    assert bears("FX+RA", offset)
