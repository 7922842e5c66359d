"""Movement of an account that does not tell the steps of an impulse."""

from __future__ import annotations

import pytest

from referee.adjudicator.movement_told import ToldCourse
from referee.core.account import order_in
from referee.core.hexgrid import Hex
from tests.unit.adjudicator.recorded import D6, FED
from tests.unit.adjudicator.told import Said, at, errors, says, table

SHIPS = (("A", FED, "1510A", "8"), ("B", D6, "1506D", "8"))


def move(ship: str, way: str = "ahead", **more: object) -> Said:
    return says("move", ship=ship, way=way, **more)


def found(*lines: Said) -> list[tuple[str, str]]:
    """The wrong in a turn at speed 8 of 16 impulses: ships move in the even ones."""
    speeds = says("speed", ship="A", speed=8), says("speed", ship="B", speed=8)
    return errors(table(at(None), *speeds, *lines, ships=SHIPS))


BOTH = move("A"), move("B")


def test_ships_move_one_after_the_other() -> None:
    assert found(at(2), *BOTH, at(4), *BOTH, at(5)) == []
    assert found(at(2), move("B"), move("A"), at(4), *BOTH, at(5)) == [("C1.3", "B")]


def test_it_stands_where_it_was_moved() -> None:
    played = table(at(None), at(2), move("A"), move("B"), ships=SHIPS)
    assert isinstance(played.course, ToldCourse)
    assert {name: ship.unit.hex for name, ship in played.state.ships.items()} == {
        "A": Hex(15, 9),
        "B": Hex(15, 7),
    }


def test_a_move_out_of_its_impulse_and_one_that_is_missed() -> None:
    assert found(at(2), *BOTH, at(3), move("A"), at(4), *BOTH, at(5)) == [("C1.4", "A")]
    assert found(at(2), *BOTH, at(4), move("A"), at(6), *BOTH, at(7)) == [("C1.4/missed", "B")]


def test_fire_before_another_ship_moves() -> None:
    fire = says("fire", ship="A", weapons=["PH-1/A"], target="B")
    assert found(at(2), *BOTH, fire, at(3)) == []
    assert found(at(2), move("A"), fire, move("B"), at(3)) == [("B2.0", "A")]


def test_a_ship_that_never_moves_is_undecided() -> None:
    played = table(at(None), at(2), move("A"), at(4), move("A"), at(5), ships=SHIPS)
    missed = [(one.severity.value, one.subject) for one in played.report().findings if "missed" in one.key]
    assert missed and missed[0] == ("undecided", "B")


def test_a_move_that_is_said_to_leave_the_map_and_does_not() -> None:
    played = table(at(None), at(2), move("A", leaves=True), move("B"), ships=SHIPS)
    (note,) = [one for one in played.report().findings if one.key == "NOTE/order"]
    assert "A does not leave the map ahead" in note.message and "1509" in note.message


def test_the_kind_of_an_order() -> None:
    assert order_in({"turn": 1, "move": {"ship": "A"}}) == ("move", {"ship": "A"})
    with pytest.raises(KeyError):
        order_in({"turn": 1})
