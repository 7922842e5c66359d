"""Ships, states and the events that lead from one to the next."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.core.events import (
    ArmorHit,
    BoxDestroyed,
    Event,
    Reinforced,
    ShieldHit,
    ShipDestroyed,
    ShuttleLost,
)
from referee.core.naming import find_mounts, folded
from referee.core.ship import ShipClass
from referee.core.state import apply, best_of_track, fold, hittable_boxes, live_boxes, new_state
from referee.core.volley import Hit, hits_by_system
from referee.rulebooks.registry import load_ship


@pytest.fixture
def eagle() -> ShipClass:
    return load_ship("standard/romulan-we")


def test_a_new_ship_is_whole(eagle: ShipClass) -> None:
    state = new_state(eagle)
    assert state.shields == dict.fromkeys(range(1, 7), 25)
    assert not state.destroyed
    assert (state.batteries, state.capacitor, state.speed) == (None, None, None)


def test_each_event_does_its_part_and_no_other(eagle: ShipClass) -> None:
    state = new_state(eagle)
    assert apply(state, Reinforced("general", 4)) == state
    assert apply(state, ShieldHit(3, 7)).shields == {**state.shields, 3: 18}
    assert apply(state, ArmorHit(("armor/1", "armor/2"))).destroyed == {"armor/1", "armor/2"}
    assert apply(state, BoxDestroyed("lab/1")).destroyed == {"lab/1"}
    assert apply(state, ShuttleLost("shuttle/1")).shuttles_away == {"shuttle/1"}
    assert apply(state, ShipDestroyed("D4.4")).dead
    assert state == new_state(eagle)


def test_fold_takes_events_in_their_order(eagle: ShipClass) -> None:
    events: tuple[Event, ...] = (
        ShieldHit(1, 25),
        ArmorHit(("armor/1",)),
        BoxDestroyed("battery/1"),
        ShipDestroyed("D4.4"),
    )
    state = fold(new_state(eagle), events)
    assert (state.shields[1], state.destroyed, state.dead) == (0, {"armor/1", "battery/1"}, True)
    assert fold(fold(new_state(eagle), events[:2]), events[2:]) == state
    assert fold(state, ()) == state


def test_an_unknown_event_is_an_error(eagle: ShipClass) -> None:
    with pytest.raises(TypeError, match="no event"):
        apply(new_state(eagle), "explosion")  # type: ignore[arg-type]


def test_tracks_go_from_the_best_and_keep_the_last(eagle: ShipClass) -> None:
    state = new_state(eagle)
    ratings = []
    while boxes := hittable_boxes(eagle, state, "sensor"):
        ratings.append(best_of_track(eagle, state, "sensor"))
        assert len(boxes) == 1
        state = apply(state, BoxDestroyed(boxes[0]))
    assert ratings == [6, 6, 5, 4, 2]
    assert best_of_track(eagle, state, "sensor") == 0
    assert best_of_track(load_ship("cadet/federation-ca"), new_state(eagle), "sensor") is None


def test_excess_goes_in_order_to_the_last(eagle: ShipClass) -> None:
    state = fold(new_state(eagle), tuple(BoxDestroyed(f"excess/{n}") for n in range(1, 6)))
    assert hittable_boxes(eagle, state, "excess") == ("excess/6",)
    assert hittable_boxes(eagle, apply(state, BoxDestroyed("excess/6")), "excess") == ()


def test_boxes_are_named_as_on_the_ssd() -> None:
    ship = load_ship("standard/klingon-d7")
    assert ship.box_ids("apr") == ("apr/1", "apr/2", "apr/3", "apr/4")
    assert ship.box_ids("torpedo") == ("DISR/A", "DISR/B", "DISR/C", "DISR/D")
    assert ship.box_ids("armor") == ()
    state = apply(new_state(ship), BoxDestroyed("DISR/B"))
    assert live_boxes(ship, state, "torpedo") == ("DISR/A", "DISR/C", "DISR/D")
    assert (ship.warp, ship.move_cost, ship.cloak_cost) == (30, 1, None)
    assert load_ship("standard/orion-cr").move_cost == Fraction(2, 3)
    assert load_ship("cadet/romulan-we").cloak_cost == 6


def test_no_ship_has_two_boxes_of_one_name() -> None:
    from referee.rulebooks.registry import ship_ids

    for id in ship_ids():
        ship = load_ship(id)
        boxes = [box for system in ship.systems for box in ship.box_ids(system)]
        assert len(boxes) == len(set(boxes)), id
        assert all(ship.box_ids(mount.system) for mount in ship.mounts)


def test_the_least_sure_status_counts(eagle: ShipClass) -> None:
    assert eagle.status_of() == "verified"
    statuses = {path: number.status for path, number in eagle.sources.items()}
    unsure = next((path for path, status in statuses.items() if status == "provisional"), None)
    sure = next(path for path, status in statuses.items() if status == "verified")
    assert eagle.status_of(sure, "nothing/known") == "verified"
    if unsure:
        assert eagle.status_of(sure, unsure) == "provisional"


@pytest.mark.parametrize("name", ["ph2a", "PH-2A", "PH-2/A", "ph 2 a"])
def test_weapons_answer_to_many_spellings(name: str) -> None:
    ship = load_ship("cadet/klingon-d6")
    assert [mount.id for mount in find_mounts(name, ship.mounts)] == ["PH-2/A"]
    assert folded(name) == "ph2a"
    assert find_mounts("A", ship.mounts) == ()


def test_hits_are_counted_by_system() -> None:
    hits = [Hit(n, 6, "6A", "hull", system, "") for n, system in enumerate(["lab", "apr", "lab", ""], 1)]
    assert hits_by_system(hits) == {"lab": 2, "apr": 1}
