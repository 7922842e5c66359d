"""Drones of a log that fire destroyed: they fly on against the rule, lie there, are taken off late."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.adjudicator.flight_end import HitOnSeeker
from referee.core.finding import Severity
from referee.core.hexgrid import Hex
from referee.core.play import When
from referee.formats.vassal import command_types as lv
from tests.unit.logs.test_logs_flight_ends import (
    CA,
    OFF,
    Check,
    flight,
    flying,
    found,
    judged,
    on,
    shoot,
    undecided,
)
from tests.unit.logs.test_logs_seekers import DRONE, Table, check, errors, reasons

__all__ = ["check"]
DESTROYED = "F2.0/destroyed"


FAR, NEAR = Hex(40, 38), Hex(40, 33)


def shot_down(target: Hex = FAR) -> Table:
    """A drone that two phasers of its target shoot down in impulse 3."""
    writer = flying(target, 2, 3)
    for weapon in ("PH-1A", "PH-1B"):
        shoot(writer, weapon, 1)
    return writer


def test_a_destroyed_drone_that_flies_on_is_an_error_at_its_first_hex(check: Check) -> None:
    writer = shot_down()
    writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.go(0)
    on(writer, 5)
    ran = check(writer)
    assert errors(ran) == [(DESTROYED, DRONE, step)] and reasons(ran) == [] and undecided(ran) == []


def test_a_destroyed_drone_that_strikes_scores_nothing(check: Check) -> None:
    writer = shot_down(NEAR)
    writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.go(0)
    marked = writer.mark(1, 6)
    writer.off()
    ran = check(writer)
    assert errors(ran) == [(DESTROYED, DRONE, step)]
    assert f"no fire is known for the damage marked from step {marked} on" in reasons(ran, "D4.1")


@pytest.mark.parametrize("impulse", [3, 4, 6, 0])
def test_a_destroyed_drone_may_be_taken_off_late_or_never(check: Check, impulse: int) -> None:
    writer = shot_down()
    for now in range(3, 8):
        if now == impulse:
            writer.off()
        writer.advance((1, now, 0), (1, now + 1, 0))
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == []


def test_a_drone_that_is_hit_and_not_destroyed_flies_on(check: Check) -> None:
    writer = flying(FAR, 2, 3)
    shoot(writer, "PH-1A", 6)
    on(writer, 4, 5)
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == []


def test_a_drone_moves_before_the_fire_of_its_impulse(check: Check) -> None:
    """Its counter is dragged in the impulse of the fire, after the dice."""
    writer = flying(FAR, 2)
    writer.advance((1, 2, 0), (1, 3, 0))
    for weapon in ("PH-1A", "PH-1B"):
        shoot(writer, weapon, 1)
    writer.go(0)
    writer.off()
    assert errors(check(writer)) == []


@pytest.mark.parametrize("impulse", [3, 4, 6])
@pytest.mark.parametrize("removed", [True, False])
def test_a_destroyed_drone_may_be_put_on_a_heap(check: Check, impulse: int, removed: bool) -> None:
    """No drone flies there: its counter is put away, in whatever step, and perhaps taken off after."""
    writer = shot_down()
    heap = 0
    for now in range(3, 8):
        if now == impulse:
            heap = writer.put(Hex(2, 2))
            if removed:
                writer.off()
        writer.advance((1, now, 0), (1, now + 1, 0))
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == []
    assert [(f["subject"], f["location"]["step"]) for f in ran.findings() if f["key"] == "NOTE/put-away"] == [
        (DRONE, heap)
    ]


def test_a_drone_that_struck_may_be_put_on_a_heap(check: Check) -> None:
    writer = flying(NEAR, 2, 3, 4)
    writer.mark(1, 12)
    writer.put(Hex(2, 2))
    ran = check(writer)
    assert [row for row in errors(ran) if row[0] != "D4.1"] == [] and undecided(ran) == []


def test_a_destroyed_drone_put_on_its_target_is_not_put_away(check: Check) -> None:
    writer = shot_down()
    writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.put(FAR)
    assert (DESTROYED, DRONE, step) in errors(check(writer))


def test_a_destroyed_drone_that_flies_on_from_a_heap_is_an_error(check: Check) -> None:
    writer = shot_down()
    writer.advance((1, 3, 0), (1, 4, 0))
    writer.put(Hex(40, 36))
    writer.advance((1, 4, 0), (1, 5, 0))
    step = writer.go(0)
    assert errors(check(writer)) == [(DESTROYED, DRONE, step)]


def test_a_drone_that_lives_is_not_put_on_a_heap(check: Check) -> None:
    writer = flying(FAR, 2, 3)
    shoot(writer, "PH-1A", 6)
    writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.put(Hex(2, 2))
    assert ("F2.0", DRONE, step) in errors(check(writer))


@pytest.mark.parametrize("line", ["!CA Ship0: hit 4 on Drone A", "!hit 4 on Drone A", "!Drone A: hit 4"])
@pytest.mark.parametrize("fires", [True, False])
def test_a_drone_said_to_be_hit_is_off_the_map(check: Check, line: str, fires: bool) -> None:
    """Results told in chat alone, with the fire declared or not: four points destroy it."""
    writer = flying(FAR, 2, 3)
    if fires:
        writer.say("!CA Ship0: fire PH-1A at Drone A", "Ann")
    writer.say(line, "Ann")
    writer.off()
    writer.advance((1, 3, 0), (1, 4, 0))
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == []
    assert any("taken as stated" in reason for reason in reasons(ran)) is not fires


def test_dice_stand_where_other_points_are_said(check: Check) -> None:
    writer = flying(FAR, 2, 3)
    shoot(writer, "PH-1A", 6)
    writer.say("!hit 9 on Drone A", "Ann")
    step = writer.off()
    assert errors(check(writer)) == [(DESTROYED, DRONE, step)]


# -- facts alone ---------------------------------------------------------------------------

IN_2 = When(1, 2)


GONE = replace(OFF, sure=True)


def test_which_fire_destroys_a_drone() -> None:
    """Four points do; it moves in steps 10, 20 and 30, on impulses 2, 3 and 4."""
    three = HitOnSeeker(15, 3, True, IN_2)
    assert found(flight(hits=(three, replace(three, points=1)))) == [(DESTROYED, Severity.ERROR)]
    assert found(flight(hits=(replace(three, points=4),))) == [(DESTROYED, Severity.ERROR)]
    assert found(flight(hits=(three,), left=GONE)) == []
    assert found(flight(hits=(replace(three, points=0),), left=GONE)) == []
    # What is not known destroys nothing, and takes nothing away.
    unknown = replace(three, points=None)
    assert found(flight(hits=(three, unknown), left=GONE)) == []
    assert found(flight(hits=(three, three, unknown))) == [(DESTROYED, Severity.ERROR)]
    # It is found once, at the first hex after the fire.
    (finding,) = judged(flight(hits=(three, three), moves=5)).report.findings
    assert (finding.location.step, finding.impulse, finding.fix) == (20, 3, "take it off")
    # Nobody asks a torpedo for it: only its warhead shrinks.
    assert (DESTROYED, Severity.ERROR) not in found(flight(hits=(three, three), type="plasma-f"))


def test_fire_of_the_impulse_a_drone_moves_in_or_later_does_not_hold_it() -> None:
    deadly = HitOnSeeker(15, 9, True, When(1, 3))
    assert found(flight(hits=(deadly,), moves=2)) == []
    assert found(flight(hits=(replace(deadly, step=25),), moves=2)) == []
    assert found(flight(hits=(replace(deadly, when=When()),), left=GONE)) == []


# -- put away --------------------------------------------------------------------------------

HEAP = Hex(10, 10)


def test_a_drone_hit_by_fire_of_unknown_points_and_put_on_a_heap_is_undecided(check: Check) -> None:
    """No die fell for the fire that hit it: it may be destroyed."""
    writer = flying(FAR, 2, 3)
    writer.say("!CA Ship0: fire PH-1A at Drone A", "Ann")
    writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.put(HEAP)
    writer.advance((1, 4, 0), (1, 5, 0))
    writer.put(HEAP.step("B"))
    writer.advance((1, 5, 0), (1, 6, 0))
    ran = check(writer)
    assert errors(ran) == [] and ("F2.0", DRONE, step) in undecided(ran)


def test_a_drone_put_nearer_to_its_target_that_flies_on_was_not_put_away(check: Check) -> None:
    writer = flying(FAR, 2, 3)
    writer.say("!CA Ship0: fire PH-1A at Drone A", "Ann")
    writer.advance((1, 3, 0), (1, 4, 0))
    writer.put(Hex(40, 36))
    writer.advance((1, 4, 0), (1, 5, 0))
    step = writer.go(0)
    assert errors(check(writer)) == [("F2.0", DRONE, step)]


@pytest.mark.parametrize("waits", [True, False])
def test_a_drone_its_target_flew_into_may_be_put_on_a_heap(check: Check, waits: bool) -> None:
    writer = flying(NEAR, 2)
    writer.advance((1, 2, 0), (1, 3, 0))
    writer.ship_goes(CA, writer.at)
    marked = writer.mark(1, 1)
    if waits:
        writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.put(HEAP)
    writer.advance((1, 4 if waits else 3, 0), (1, 5, 0))
    ran = check(writer)
    assert [row for row in errors(ran) if row[0].startswith("F2")] == [] and reasons(ran) == []
    assert ("D4.1", CA, marked) in errors(ran)
    assert [f["location"]["step"] for f in ran.findings() if f["key"] == "NOTE/put-away"] == [step]


def test_a_drone_put_on_a_heap_instead_of_its_last_hex_struck(check: Check) -> None:
    writer = flying(NEAR, 2, 3)
    writer.advance((1, 3, 0), (1, 4, 0))
    marked = writer.mark(1, 1)
    writer.put(HEAP)
    ran = check(writer)
    assert [row for row in errors(ran) if row[0].startswith("F2")] == [] and ("D4.1", CA, marked) in errors(
        ran
    )


@pytest.mark.parametrize("facing", ["A", "B", "C", "D", "E", "F"])
def test_a_counter_that_was_put_away_is_nudged(check: Check, facing: str) -> None:
    writer = shot_down()
    writer.put(HEAP)
    for now in (3, 4, 5):
        writer.advance((1, now, 0), (1, now + 1, 0))
        writer.put(writer.at.step(facing))
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == []


@pytest.mark.parametrize("facing", ["A", "B", "C", "E", "F"])
def test_a_destroyed_drone_is_nudged_aside(check: Check, facing: str) -> None:
    """It faces D: no seeker flies so."""
    writer = shot_down()
    writer.advance((1, 3, 0), (1, 4, 0))
    writer.put(writer.at.step(facing))
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == []


def test_a_drone_whose_target_is_gone_may_be_put_on_a_heap(check: Check) -> None:
    writer = flying(FAR, 2, 3)
    writer.log(lv.RemovePiece(writer.ids[CA]))
    writer.put(HEAP)
    writer.advance((1, 3, 0), (1, 4, 0))
    ran = check(writer)
    assert [row for row in errors(ran) if row[1] == DRONE] == [] and undecided(ran) == [] == reasons(ran)
