"""Facings, ranges and struck shields: the examples of the rules, and a geometry by angles."""

from __future__ import annotations

import pytest
from geometry import bearing, distances, neighbours, shields

from referee.core.hexgrid import (
    DIRECTIONS,
    FACINGS,
    Hex,
    Offset,
    nearest_positions,
    parse_position,
    relative_offset,
    struck_shields,
    true_range,
)


def at(text: str) -> Hex:
    return parse_position(text)[0]


@pytest.mark.parametrize(
    ("position", "ahead"),
    [("1702A", "1701"), ("2201C", "2302"), ("2603A", "2602"), ("0915C", "1015"), ("0619B", "0719")],
)
def test_c1_2_the_hex_a_ship_faces(position: str, ahead: str) -> None:
    place, facing = parse_position(position)
    assert facing is not None
    assert str(place.step(facing)) == ahead


def test_c1_2_shields_follow_the_facings() -> None:
    here = at("0316")
    for n, direction in enumerate(FACINGS, 1):
        assert struck_shields(relative_offset(here, "A", here.step(direction))) == (n,)
    turned = [struck_shields(relative_offset(here, "C", here.step(letter))) for letter in "CDEFAB"]
    assert turned == [(1,), (2,), (3,), (4,), (5,), (6,)]


@pytest.mark.parametrize(
    ("start", "end", "hexes"),
    [
        ("0915", "0915", 0),
        ("0915", "1015", 1),
        ("0915", "1114", 2),
        ("0915", "1417", 5),
        ("2801", "0216", 28),
    ],
)
def test_d1_4_range(start: str, end: str, hexes: int) -> None:
    assert true_range(at(start), at(end)) == true_range(at(end), at(start)) == hexes


def test_the_rows_of_the_arc_example() -> None:
    assert str(at("0915").step("C", 5)) == "1417"
    assert str(at("0915").step("B", 10)) == "1910"


@pytest.mark.parametrize("start", ["0510", "0610"])
def test_steps_and_ranges_by_walking(start: str) -> None:
    here = at(start)
    assert {(here.step(f).column, here.step(f).row) for f in FACINGS} == set(
        neighbours((here.column, here.row))
    )
    for (column, row), steps in distances((here.column, here.row), 9).items():
        assert true_range(here, Hex(column, row)) == steps


@pytest.mark.parametrize("start", ["1010", "1110"])
@pytest.mark.parametrize("facing", FACINGS)
def test_struck_shields_by_angle(start: str, facing: str) -> None:
    here = at(start)
    for place in distances((here.column, here.row), 9):
        other = Hex(*place)
        if other != here:
            angle = bearing((here.column, here.row), facing, place)
            assert set(struck_shields(relative_offset(here, facing, other))) == set(shields(angle)), other


def test_corners_strike_two_shields_and_the_own_hex_none() -> None:
    between = {(1, 2): Offset(1, -2), (2, 3): Offset(2, -1), (3, 4): Offset(1, 1), (4, 5): Offset(-1, 2)}
    for pair, offset in between.items():
        assert struck_shields(offset) == pair
    assert struck_shields(Offset(-1, -1)) == (1, 6)
    assert struck_shields(Offset(0, 0)) == ()


def test_facings_go_round_clockwise() -> None:
    assert [DIRECTIONS[0].turned(k) for k in range(6)] == list(DIRECTIONS)
    assert DIRECTIONS[2].turned(-2) == DIRECTIONS[0] == DIRECTIONS[5].turned(7)


@pytest.mark.parametrize("text", ["", "915", "09150", "0915G", "0915CC", "-0915", "０９１５", "09 15"])
def test_what_is_no_hex(text: str) -> None:
    with pytest.raises(ValueError, match="is not a hex"):
        parse_position(text)


def test_a_facing_is_read_in_either_case() -> None:
    assert parse_position(" 0915c ") == (Hex(9, 15), "C")
    assert parse_position("0915") == (Hex(9, 15), None)


@pytest.mark.parametrize(
    ("wrote", "meant"),
    [
        ("915C", ("0915C", "9105C")), ("0915G", ("0915",)), ("09155c", ("0915C", "0955C")),
        ("O915C", ("0915C",)), ("9,15C", ("0915C",)), ("(9, 15)", ("0915",)), ("9-15", ("0915",)),
        ("x", ()), ("", ()), ("1234567", ()), ("12", ()),
    ],
)  # fmt: skip
def test_what_is_no_hex_says_which_may_be_meant(wrote: str, meant: tuple[str, ...]) -> None:
    assert nearest_positions(wrote) == meant
    for each in meant:
        parse_position(each)
    with pytest.raises(ValueError, match=f"did you mean {meant[0]}" if meant else "is not a hex"):
        parse_position(wrote.replace("O", "o") if meant else wrote)
