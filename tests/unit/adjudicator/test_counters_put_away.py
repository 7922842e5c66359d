"""Drags of the counters of seekers that no seeker flies."""

from __future__ import annotations

import pytest

from referee.adjudicator.counters_put_away import flies_on, may_be_flown
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, When


def drag(to: Hex, facing: str = "A") -> Move:
    return Move("Drone 1", When(1, 2), Hex(10, 10), to, "A", facing, Location("g.vlog", step=9))


@pytest.mark.parametrize(("to", "flown"), [(Hex(10, 9), True), (Hex(10, 11), False), (Hex(10, 8), False)])
def test_a_seeker_flies_one_hex_ahead(to: Hex, flown: bool) -> None:
    assert may_be_flown(drag(to)) is flown


def test_what_was_dragged_away_flies_on_only_from_nearer_to_its_target() -> None:
    course = [Hex(10, 9)]
    assert flies_on(Hex(10, 20), Hex(10, 10), drag(Hex(10, 9)), Hex(10, 1), course)
    assert not flies_on(Hex(10, 5), Hex(10, 10), drag(Hex(10, 9)), Hex(10, 1), course)
    assert not flies_on(Hex(10, 20), Hex(10, 10), drag(Hex(10, 9)), None, course)
