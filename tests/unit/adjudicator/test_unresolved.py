"""What an account leaves open that tells neither dice nor damage."""

from __future__ import annotations

from referee.adjudicator.table import GameTable
from referee.adjudicator.unresolved import Unresolved
from tests.unit.adjudicator.told import BOOK, NO_STEPS, Said, at, errors, says, table

SHIPS = (("Claw", "standard/kzinti-cs", "1020A", "0"), ("Prey", "standard/klingon-d7", "1005D", "0"))
STILL = says("speed", ship="Claw", speed=0), says("speed", ship="Prey", speed=0)
LAUNCH = says("launch", ship="Claw", weapon="DRN/1", target="Prey", name="One", type="drone")
AT_ONE = says("fire", ship="Prey", weapons=["PH-2/1"], target="One")


def played(*lines: Said) -> GameTable:
    game = table(at(None), *STILL, at(1), *lines, rulebook=BOOK, ships=SHIPS)
    assert isinstance(game.unresolved, Unresolved)
    return game


def hit(ship: str, points: int, shield: int, source: str, **more: object) -> Said:
    return says("hit", ship=ship, points=points, shield=shield, **{"from": source}, **more)


def open_(game: GameTable, subject: str) -> dict[str, str]:
    """What could not be told of a ship or a seeker, by rule."""
    return {one.key: one.reason for one in game.report().not_checked if one.subject == subject}


def scored(points: int) -> Said:
    return says("scored", name="One", points=points)


def test_points_that_the_fire_can_score_and_that_it_cannot() -> None:
    """A phaser-2 at a drone five hexes away."""
    assert errors(played(LAUNCH, at(10), AT_ONE, scored(1))) == []
    assert errors(played(LAUNCH, at(10), AT_ONE, scored(50))) == [("E1.3", "One")]


def test_points_that_no_fire_explains() -> None:
    (note,) = [one for one in played(LAUNCH, at(10), scored(1)).report().findings if one.subject == "One"]
    assert (note.key, note.severity.value) == ("NOTE/unexplained-hit", "undecided")


def test_fire_of_which_it_is_not_said_what_it_did() -> None:
    untold = open_(played(LAUNCH, at(10), AT_ONE), "One")
    assert "the fire of turn 1, impulse 10" in untold["F2.0/destroyed"]
    assert "F2.0/destroyed" not in open_(played(LAUNCH, at(10), AT_ONE, scored(1)), "One")


def test_the_shield_that_a_direction_strikes() -> None:
    right = played(hit("Prey", 5, 1, "1020"))
    assert right.report().findings == () and "D4.22" in open_(right, "Prey")
    (note,) = played(hit("Prey", 5, 2, "1020")).report().findings
    assert (note.key, note.subject, note.impulse) == ("NOTE/order", "Prey", 1)
    assert "strikes shield #1, not #2" in note.message


def test_a_ship_that_is_destroyed_orders_nothing_more() -> None:
    fire = says("fire", ship="Prey", weapons=["PH-2/1"], target="Claw")
    dead = played(hit("Prey", 500, 1, "1020"), fire)
    assert errors(dead) == [("D4.41", "Prey")] and dead.state.ships["Prey"].state.dead
    alive = played(hit("Prey", 5, 1, "1020"), fire)
    assert not alive.state.ships["Prey"].state.dead and ("D4.41", "Prey") not in errors(alive)


def test_its_drones_go_with_a_ship_that_is_destroyed() -> None:
    assert "One" in played(LAUNCH, at(2), hit("Prey", 5, 1, "1020")).state.seekers
    assert played(LAUNCH, at(2), hit("Claw", 500, 1, "1005")).state.seekers == {}


def test_a_ship_that_may_be_destroyed_is_open_where_it_does_nothing_more() -> None:
    assert "D4.4" not in open_(played(hit("Claw", 90, 1, "1005"), at(2)), "Claw")
    assert NO_STEPS.damage in open_(played(hit("Claw", 90, 1, "1005", last=True), at(2)), "Claw")["D4.4"]


def test_a_ship_that_is_struck_may_lose_its_drones() -> None:
    assert "D6.122" in open_(played(LAUNCH, hit("Claw", 1, 1, "1005")), "Claw")
    assert "D6.122" not in open_(played(hit("Claw", 1, 1, "1005")), "Claw")


def test_a_try_for_lock_on_is_not_resolved() -> None:
    assert NO_STEPS.dice in open_(played(says("lock", ship="Claw", target="Prey")), "Claw")["D6.11"]
    assert "D6.11" not in open_(played(), "Claw")
