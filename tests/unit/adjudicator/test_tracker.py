"""A game's movement as it is judged, and the clock that carries it from marker to marker."""

from __future__ import annotations

from referee.adjudicator.tracker import Clock, Track
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, ShipInPlay, When
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FED = load_ship("cadet/federation-ca")
PLACE = Location("game.txt", line=1)
START = Hex(20, 20)


def track(speed: int | None = 8, **unit: int) -> Track:
    """A cruiser that goes ahead from its hex at a speed, in turn 1."""
    ship = ShipInPlay("A", FED.id, START, "A", previous_speed=8, counting="satisfied")
    found = Track(BOOK, [(FED, ship)])
    found.begin_turn(1)
    found.set_speed("A", speed)
    return found


def ahead(found: Track, impulse: int, facing: str = "A") -> None:
    here = found.units["A"]
    assert here.hex is not None
    there = here.hex.step(facing)
    found.move(Move("A", When(1, impulse), here.hex, there, here.facing, facing, PLACE))


def keys(found: Track) -> list[tuple[str, str, int | None]]:
    return [(one.key, one.subject, one.impulse) for one in found.findings]


def test_a_move_on_an_impulse_that_calls_it() -> None:
    found = track()
    found.begin_impulse(2)
    assert found.to_move == ("A",)
    ahead(found, 2)
    assert found.to_move == ()
    found.end_impulse(PLACE)
    assert keys(found) == [] and found.units["A"].hex == START.step("A")
    assert {"C1.4", "C3.1", "C1.4/missed"} <= set(found.report().checked)


def test_a_move_on_another_impulse_and_one_that_is_missed() -> None:
    found = track()
    found.begin_impulse(1)
    ahead(found, 1)
    found.end_impulse(PLACE)
    found.begin_impulse(2)
    found.end_impulse(PLACE)
    assert keys(found) == [("C1.4", "A", 1), ("C1.4/missed", "A", 2)]
    assert {"C1.4", "C1.4/missed"} <= set(found.report().checked)


def test_who_stands_aside_is_not_asked() -> None:
    found = track()
    found.stand_aside("A")
    found.begin_impulse(2)
    found.end_impulse(PLACE)
    assert keys(found) == [] and not found.taking_part
    found.take_part("A")
    found.begin_impulse(4)
    found.end_impulse(PLACE)
    assert keys(found) == [("C1.4/missed", "A", 4)]


def test_a_ship_that_is_gone_moves_no_more() -> None:
    found = track()
    found.begin_impulse(2)
    found.remove("A")
    found.end_impulse(PLACE)
    assert keys(found) == [] and "A" not in found.units


def test_a_speed_that_grows_too_fast() -> None:
    found = track(speed=30)
    found.judge_speeds({"A": PLACE})
    assert [key for key, *_ in keys(found)] == ["C1.4/limit"]


def test_impulses_that_nobody_names_are_played_empty() -> None:
    found = track()
    clock = Clock(found)
    clock.to_turn(1, PLACE)
    found.set_speed("A", 8)
    clock.to_impulse(2, PLACE)
    ahead(found, 2)
    clock.to_impulse(6, PLACE)
    assert keys(found) == [("C1.4/missed", "A", 4)]
    clock.to_impulse(4, PLACE)
    clock.end(PLACE)
    assert keys(found) == [("C1.4/missed", "A", 4), ("C1.4/missed", "A", 6)], "no impulse is judged twice"


def test_nobody_says_which_impulse() -> None:
    found = track()
    clock = Clock(found)
    clock.to_turn(1, PLACE)
    found.set_speed("A", 8)
    clock.to_some_impulse(PLACE)
    ahead(found, 0)
    clock.end(PLACE)
    assert keys(found) == []
