"""Sensors of ships whose displays are seen, and the lock-on they have (D6.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.adjudicator.repairs import Marking
from referee.adjudicator.sensors_seen import Display, SeenSensors
from referee.adjudicator.table import GameTable
from referee.core.account import DISPLAYED, Event
from referee.core.combat import Moment, Seeker
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import When
from referee.core.state import ShipState, best_of_track, new_state
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.test_fire_seen import account

BOOK = load_rulebook("sfb-standard")
SHIP = load_ship("standard/kzinti-cs")
DRONE = Seeker("Drone 1", "drone", "Claw", "Prey", Hex(10, 5), "A", Moment(1, 1))


def damaged_to(rating: int) -> ShipState:
    """The ship with just so much of its sensors destroyed."""
    state = new_state(SHIP)
    for box in SHIP.box_ids("sensor"):
        if best_of_track(SHIP, state, "sensor") == rating:
            break
        state = replace(state, destroyed=state.destroyed | {box})
    return state


def sensors(rating: int, *, shown: bool = True, marks: tuple[Marking, ...] = ()) -> Display:
    return Display(SHIP, BOOK, damaged_to(rating), shown, marks)


def seen(display: Display, roll: int | None = None) -> SeenSensors:
    """What is known of the sensors of the Claw, which may have tried for lock-on in step 30."""
    lock = {"ship": "Claw", "target": "Prey", "turn": 2, "roll": roll}
    tried = Event(9, "order", {"lock": lock}, at=Location("g.vlog", step=30), when=When(2))
    table = GameTable(BOOK, load_ship, account(*([tried] if roll else [])))
    table.take(Event(10, DISPLAYED, {"ship": "Claw", "display": display}))
    return table.beside.sensors


def test_the_rating_is_that_of_the_display_as_it_was_marked_by_then() -> None:
    marked = Marking(20, When(1, 5), damaged_to(6), damaged_to(4))
    claw = seen(sensors(6, marks=(marked,)))
    assert (claw.rating("Claw", 20), claw.rating("Claw", 21)) == (6, 4)
    assert claw.rating("Prey", 21) is None


def test_a_display_without_sensors_tells_no_rating() -> None:
    claw = seen(sensors(6, shown=False))
    assert claw.rating("Claw", 20) is None and claw.hidden("Claw") and not seen(sensors(6)).hidden("Claw")


@pytest.mark.parametrize(("roll", "lost"), [(4, False), (5, True), (None, False)])
def test_lock_on_is_lost_by_a_die_above_the_rating(roll: int | None, lost: bool) -> None:
    found = seen(sensors(4), roll).unlocked(DRONE, launched_in=10)
    assert (found is not None and found.step == 30) is lost
    assert seen(sensors(4), 6).unlocked(DRONE, launched_in=40) is None, "that try was before its launch"
