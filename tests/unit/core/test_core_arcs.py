"""Firing arcs: the example of the rules, and a geometry by angles."""

from __future__ import annotations

import geometry
import pytest

from referee.core.arcs import (
    COMBINATIONS,
    HALF_PLANES,
    SECTORS,
    arcs_toward,
    bears,
    direction_offset,
    tokens,
)
from referee.core.hexgrid import DIRECTIONS, FACINGS, Hex, Offset, parse_position, relative_offset


def seen(origin: str, target: str) -> Offset:
    """Where a hex lies as seen from a unit such as `0915C`."""
    place, facing = parse_position(origin)
    assert facing is not None
    return relative_offset(place, facing, parse_position(target)[0])


@pytest.mark.parametrize("target", ["1114", "1315", "1612", "2017", "2817", "1417", "1910"])
def test_d2_1_in_the_left_forward_arc_of_0915c(target: str) -> None:
    assert bears("LF", seen("0915C", target))


@pytest.mark.parametrize("target", ["0701", "2604", "0301"])
def test_d2_1_out_of_both_forward_arcs_of_0915c(target: str) -> None:
    assert not bears("LF", seen("0915C", target))
    assert not bears("RF", seen("0915C", target))


def test_the_centre_line_belongs_to_both_forward_arcs() -> None:
    assert set(arcs_toward(seen("0915C", "1417"))) == {"LF", "RF"}
    assert all(bears(arc, seen("0915C", "1417")) for arc in ("LS", "RS", "FX", "FA"))


@pytest.mark.parametrize("origin", ["1010", "1110"])
@pytest.mark.parametrize("facing", FACINGS)
def test_every_arc_by_angle(origin: str, facing: str) -> None:
    here, _ = parse_position(origin)
    rows = [f"row:{letter}" for letter in FACINGS]
    for place in geometry.distances((here.column, here.row), 8):
        if Hex(*place) == here:
            continue
        offset = relative_offset(here, facing, Hex(*place))
        angle = geometry.bearing((here.column, here.row), facing, place)
        for arc in (*SECTORS, *HALF_PLANES, *rows):
            assert bears(arc, offset) == geometry.bears(arc, angle), (arc, place)
        for name, parts in COMBINATIONS.items():
            assert bears(name, offset) == any(geometry.bears(part, angle) for part in parts), (name, place)
        assert set(arcs_toward(offset)) == {arc for arc in SECTORS if geometry.bears(arc, angle)}


def test_d2_2_combined_arcs() -> None:
    assert {name: set(parts) for name, parts in COMBINATIONS.items()} == {
        "FA": {"LF", "RF"},
        "FX": {"L", "LF", "RF", "R"},
        "RA": {"LR", "RR"},
        "RX": {"L", "LR", "RR", "R"},
        "LS": {"LF", "L", "LR"},
        "RS": {"RF", "R", "RR"},
        "360": {"LF", "RF", "R", "RR", "LR", "L"},
    }


def test_parts_joined_by_plus() -> None:
    astern, right = DIRECTIONS[3], Offset(2, -1)
    assert tokens("LF + L+row:D") == ("LF", "L", "row:D")
    assert bears("LF+L+row:D", astern)
    assert not bears("LF+L+row:D", right)


def test_in_its_own_hex_every_weapon_bears() -> None:
    assert bears("LF", Offset(0, 0))
    assert arcs_toward(Offset(0, 0)) == SECTORS


@pytest.mark.parametrize("arc", ["", "lf", "LF+", "XX", "row:G", "row:", "row:AB", "LF,RF"])
def test_what_is_no_arc(arc: str) -> None:
    with pytest.raises(ValueError, match="is not an arc"):
        tokens(arc)


def test_directions_stand_for_a_row_or_the_middle_of_a_sector() -> None:
    for n, letter in enumerate(FACINGS):
        assert direction_offset(f"row:{letter}") == DIRECTIONS[n]
    for name in SECTORS:
        assert arcs_toward(direction_offset(name)) == (name,)
    for refused in ("FX", "LF+RF", "FH"):
        with pytest.raises(ValueError, match="is not a direction"):
            direction_offset(refused)
