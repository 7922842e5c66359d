"""Drones that leave the map of a log short of their target, that are put down elsewhere, whose ship is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from referee.adjudicator.flight_end import GuideLost, HitOnSeeker, Left, points_to_destroy
from referee.adjudicator.flights import Flight, Flown
from referee.adjudicator.seekers_seen import SeenSeekers
from referee.core.combat import CloakState, Moment, Seeker, Unit
from referee.core.finding import NotChecked, Severity
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, When
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.moves import WentOrCame
from referee.logs.flight_ends import Ends
from referee.rulebooks.registry import load_rulebook
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import moved
from tests.unit.logs.test_logs_seekers import CA, CS, DRONE, Table, check, errors, flown, reasons, somewhere

__all__ = ["check"]
Check = Callable[..., Ran]


def on(writer: Table, *impulses: int) -> None:
    """The drone flies straight on in each of some impulses of turn 1."""
    for impulse in impulses:
        writer.advance((1, impulse - 1, 0), (1, impulse, 0))
        writer.go(0)


def flying(target: Hex, *impulses: int) -> Table:
    writer = Table(target)
    for name, figures in ((CA, {"Phasrecharge": "3", "Total Used": "3"}), (CS, {})):
        writer.write(name, 1, figures)
    writer.launch("D")
    on(writer, *impulses)
    return writer


def shoot(writer: Table, weapon: str, face: int) -> None:
    writer.say(f"!CA Ship0: fire {weapon} at Drone A", "Ann")
    shown = lv.MutableProperty("1d6_result", "1", str(face), "Module")
    writer.log(lv.Chat(f"*** 1d6 = {face} *** <Ann>"), shown)


def undecided(ran: Ran) -> list[tuple[str, str, Any]]:
    found = [f for f in ran.findings() if f["severity"] == "undecided"]
    return [(f["key"], f.get("subject", ""), f["location"].get("step")) for f in found]


@pytest.mark.parametrize("moves", [True, False])
def test_a_drone_taken_off_where_it_strikes(check: Check, moves: bool) -> None:
    """One that is not dragged the last hex strikes all the same: what it scores is expected on the display."""
    writer = flying(Hex(40, 33), 2, 3, *([4] if moves else []))
    if not moves:
        writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.mark(1, 1)
    writer.off()
    ran = check(writer)
    assert undecided(ran) == [] and reasons(ran) == [] and ("D4.1", CA, step) in errors(ran)
    (found,) = (f for f in ran.findings() if f["key"] == "D4.1")
    points = int(found["message"].partition(" marked of shield 1, ")[2].split()[0])
    assert points > 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(8))
def test_a_drone_taken_off_before_its_last_hex_is_clean(check: Check, seed: int) -> None:
    """It struck in that impulse all the same, whichever way it came in."""
    target = somewhere(seed)
    writer = Table(target)
    _, struck = flown(writer, target)
    assert struck == len(writer.steps)
    writer.steps.pop()
    writer.off()
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == []


@pytest.mark.parametrize("waits", [True, False])
def test_a_ship_that_flies_into_a_drone_is_struck(check: Check, waits: bool) -> None:
    """The counter may be taken off in that impulse or in the next: it moves no more."""
    writer = flying(Hex(40, 33), 2)
    writer.advance((1, 2, 0), (1, 3, 0))
    writer.ship_goes(CA, writer.at)
    step = writer.mark(1, 1)
    if waits:
        writer.advance((1, 3, 0), (1, 4, 0))
    writer.off()
    writer.advance((1, 4 if waits else 3, 0), (1, 5, 0))
    ran = check(writer)
    assert [f for f in ran.findings() if f["key"].startswith("F2.0")] == [] and reasons(ran) == []
    assert ("D4.1", CA, step) in errors(ran)


def test_a_ship_that_flies_into_the_hex_of_a_launch_is_struck(check: Check) -> None:
    """It need not have moved: its points are expected on the display, and excuse no more than those."""
    writer = flying(Hex(40, 31))
    writer.advance((1, 1, 0), (1, 2, 0))
    writer.ship_goes(CA, writer.at)
    writer.off()
    step = writer.mark(1, 1)
    writer.advance((1, 2, 0), (1, 3, 0))
    ran = check(writer)
    assert undecided(ran) == [] and reasons(ran) == [] and ("D4.1", CA, step) in errors(ran)
    (found,) = (f for f in ran.findings() if f["key"] == "D4.1")
    points = int(found["message"].partition(" marked of shield 1, ")[2].split()[0])
    assert points > 1


@pytest.mark.parametrize(
    ("struck", "boxes", "wrong"), [(0, 0, 0), (0, 6, 0), (0, 8, 0), (5, 11, 0), (5, 12, 1)]
)
def test_marks_of_a_drone_that_perhaps_struck_are_no_error(
    check: Check, struck: int, boxes: int, wrong: int
) -> None:
    """Launched at a target in its own hex and taken off in the next impulse: undecided, and what its points explain
    besides those of fire is no error."""
    writer = flying(Hex(40, 30))
    if struck:
        writer.say(f"!hit {struck} on 1", "Ann")
    writer.advance((1, 1, 0), (1, 2, 0))
    off = writer.off()
    if boxes:
        writer.mark(1, boxes)
    writer.advance((1, 2, 0), (1, 3, 0))
    ran = check(writer)
    assert undecided(ran) == [("F2.0", DRONE, off)]
    assert [key for key, *_ in errors(ran)] == ["D4.1"] * wrong


def test_a_drone_whose_target_left_the_map(check: Check) -> None:
    writer = flying(Hex(40, 38), 2, 3)
    writer.off()
    writer.log(lv.RemovePiece(writer.ids[CA]))
    writer.advance((1, 3, 0), (1, 4, 0))
    ran = check(writer)
    assert undecided(ran) == [] and not [one for one in errors(ran) if one[1] == DRONE] and reasons(ran) == []


@pytest.mark.parametrize("flies_on", [True, False])
def test_the_drone_of_a_ship_that_is_destroyed(check: Check, flies_on: bool) -> None:
    """No box of excess damage is left and the counter is taken off: the drone goes with it."""
    writer = flying(Hex(40, 40), 2, 3)
    old = writer.display_states(CS)
    writer.left[CS]["Excess"] = 0
    writer.log(writer.change(f"{writer.ids[CS]}9", old, writer.display_states(CS)))
    writer.log(lv.RemovePiece(writer.ids[CS]))
    wrong = 0
    if not flies_on:
        writer.off()
    writer.advance((1, 3, 0), (1, 4, 0))
    if flies_on:
        wrong = writer.go(0)
    ran = check(writer)
    against = [one for one in (*errors(ran), *undecided(ran)) if one[1] == DRONE]
    assert against == ([("D4.41", DRONE, wrong)] if flies_on else [])
    assert reasons(ran) == [] and "D4.41" in ran.json["checked"]


def test_a_drone_put_down_where_its_ship_is_not(check: Check) -> None:
    writer = Table(Hex(40, 38))
    writer.launch("D", at=Hex(40, 34))
    writer.advance((1, 1, 0), (1, 2, 0))
    ran = check(writer)
    (found,) = (f for f in ran.findings() if f["severity"] == "error")
    assert (found["key"], found["subject"], found["expected"], found["found"]) == (
        "F2.0",
        DRONE,
        "4030",
        "4034",
    )
    assert reasons(ran) == []


def test_a_drone_dragged_to_its_ship_as_it_is_launched_is_clean(check: Check) -> None:
    writer = Table(Hex(40, 38))
    writer.launch("D", at=Hex(40, 34))
    writer.put(Hex(40, 30))
    on(writer, 2, 3)
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == []


def test_a_drone_put_down_with_a_ship_that_said_nothing_is_nobodys(check: Check) -> None:
    writer = Table(Hex(40, 38))
    writer.launch("A", at=Hex(40, 38))
    ran = check(writer)
    assert errors(ran) == []
    assert sorted(reasons(ran)) == [
        "what became of the seekers it launched is not followed",
        "which launch put it on the map is not known: its flight is not judged",
    ]


def test_a_drone_put_down_anew_may_be_the_one_that_is_gone(check: Check) -> None:
    """Taken off and put down as another counter in the same hex: what it is, is not known."""
    writer = flying(Hex(40, 38), 2, 3)
    step = writer.off()
    writer.ids[DRONE] = "180000000077"
    writer.appear()
    ran = check(writer)
    assert undecided(ran) == [] and errors(ran) == []
    assert any(f"step {step}" in reason and "the same" in reason for reason in reasons(ran)), reasons(ran)


def excuse(**facts: Any) -> Left | None:
    """What may have taken a drone off that left the map in impulse 4 of turn 1, in step 35."""
    ship = SimpleNamespace(chosen=SimpleNamespace(id="x", box_ids=lambda system: ()))
    both: Any = SimpleNamespace(
        ships={CA: ship, CS: ship},
        marks={},
        hits={},
        cloaks=SimpleNamespace(at=lambda name, when: CloakState(facts.get("cloak", "visible"))),
        hidden=lambda name: facts.get("hidden", ""),
        rating=lambda name, step: facts.get("rating"),
    )
    logged: Any = SimpleNamespace(
        ships=(),
        changes={},
        strayed=frozenset(),
        ends={},
        final=SimpleNamespace(step=99),
        arrived={},
        began={},
        chat_lines=(),
    )
    own = SimpleNamespace(firer=SimpleNamespace(name=CS))
    launches: Any = [(own, None)] * 3
    seeker = Seeker(DRONE, "drone", CS, CA, Hex(40, 30), "D", Moment(1, 1))
    return Ends(logged, both, both, launches, ()).left(seeker, [WentOrCame(DRONE, 35, When(1, 4))], 30)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({}, ""),
        ({"rating": 6}, ""),
        ({"rating": 2}, "more drones than its sensors control"),
        ({"cloak": "fading-out"}, "is cloaked"),
        ({"hidden": "its display does not show its sensors"}, "does not show"),
    ],
)
def test_what_else_may_have_taken_a_drone_off(facts: dict[str, Any], told: str) -> None:
    left = excuse(**facts)
    assert left is not None and (left.step, left.sure) == (35, False)
    assert bool(left.excuse) == bool(told) and told in left.excuse


# -- facts alone ---------------------------------------------------------------------------

FILE = "a.vlog"
START, TARGET = Hex(40, 30), Hex(40, 60)


def flight(*, type: str = "drone", moves: int = 3, **facts: Any) -> Flight:
    """One launched on impulse 1 that flies straight at its target, a hex an impulse, in steps 10, 20, ..."""
    seeker = Seeker(DRONE, type, CS, CA, START, "D", Moment(1, 1))
    hex, row = START, []
    for number in range(1, moves + 1):
        to, _ = moved(hex, "D", 0)
        place = Location(FILE, step=10 * number)
        row.append(Move(DRONE, When(1, 1 + number), hex, to, "D", "D", place))
        hex = to
    return Flight(
        seeker, tuple(row), lambda step: Unit(CA, hex=TARGET, facing="A"), launch=(1, "DRN/1"), **facts
    )


def judged(one: Flight, book: str = "sfb-cadet") -> Flown:
    ends = {(1, impulse): 10 * impulse - 1 for impulse in range(1, 8)}
    seen = SeenSeekers(load_rulebook(book), ends, FILE)
    seen.take(one)
    return seen.flown


def found(one: Flight, book: str = "sfb-cadet") -> list[tuple[str, Severity]]:
    return [(item.key, item.severity) for item in judged(one, book).report.findings]


def said(one: Flight) -> tuple[NotChecked, ...]:
    return judged(one).report.not_checked


OFF = Left(35, When(1, 4))


def test_how_a_flight_may_end() -> None:
    flown = flight(left=OFF)
    assert found(flown) == [("F2.0", Severity.UNDECIDED)]
    assert (
        found(flight(left=replace(OFF, sure=True))) == [] and said(flight(left=replace(OFF, sure=True))) == ()
    )
    assert found(flight(left=replace(OFF, excuse="it may be"))) == []
    assert "it may be" in said(flight(left=replace(OFF, excuse="it may be")))[0].reason
    hurt = HitOnSeeker(31, 3, True)
    assert found(flight(left=OFF, hits=(hurt,))) == [("F2.0/destroyed", Severity.ERROR)]
    assert found(flight(left=OFF, hits=(hurt, hurt))) == []
    assert found(flight(left=OFF, hits=(hurt, HitOnSeeker(32, None, False)))) == []
    assert "is not known" in said(flight(left=OFF, hits=(HitOnSeeker(32, None, False),)))[0].reason
    # What it was hurt by before it moved on is not why it is gone now.
    assert found(flight(left=OFF, hits=(HitOnSeeker(15, 3, True),))) == [("F2.0", Severity.UNDECIDED)]


def test_the_points_that_destroy_a_seeker() -> None:
    book = load_rulebook("sfb-cadet")
    assert points_to_destroy(book, flight().seeker) == 4
    assert points_to_destroy(book, flight(type="plasma-f").seeker) is None


@pytest.mark.parametrize("book", ["sfb-cadet", "sfb-standard"])
def test_a_drone_flies_on_though_its_ship_is_destroyed(book: str) -> None:
    """D4.41: an error in a later impulse; D4.42: a torpedo flies on."""
    lost = GuideLost(CS, 22, When(1, 3), destroyed=True)
    assert found(flight(guide=lost), book) == [("D4.41", Severity.ERROR)]
    assert found(flight(guide=replace(lost, step=12, when=When(1, 4))), book) == []
    assert found(flight(guide=lost, moves=2, left=Left(25, When(1, 3))), book) == []
    assert "D4.41" in judged(flight(), book).report.checked
    torpedo = flight(guide=lost, type="plasma-f")
    assert "D4.41" not in dict(found(torpedo, book))


def test_a_drone_whose_ship_left_the_map_undestroyed() -> None:
    """Whether it was destroyed is not known: the drone's flight is judged on, and that is named."""
    lost = GuideLost(CS, 22, When(1, 3), destroyed=False)
    assert found(flight(guide=lost)) == []
    assert [one.key for one in said(flight(guide=lost))] == ["D4.41"]
    assert found(flight(guide=lost, moves=2, left=Left(25, When(1, 3)))) == []


@pytest.mark.parametrize("order", ["!CA Ship0: fire PH-1B at the drone", "fire PH-1B at Drone A"])
def test_what_is_not_understood_may_be_fire_at_a_drone(check: Check, order: str) -> None:
    """What it came to in all is not known: undecided, and no error."""
    writer = flying(Hex(40, 34), 2, 3)
    shoot(writer, "PH-1A", 6)
    said = writer.say(order, "Ann")
    shown = lv.MutableProperty("1d6_result", "1", "6", "Module")
    writer.log(lv.Chat("*** 1d6 = 6 *** <Ann>"), shown)
    step = writer.off()
    ran = check(writer)
    assert not [one for one in errors(ran) if one[1] == DRONE], ran.out
    assert ("F2.0/destroyed", DRONE, step) in undecided(ran)
    (found,) = (f for f in ran.findings() if f["key"] == "F2.0/destroyed")
    assert f"step {said} was not understood" in found["message"]


@pytest.mark.parametrize("flies_on", [True, False])
def test_the_drone_of_a_ship_that_may_lie_dead_on_the_map(check: Check, flies_on: bool) -> None:
    """No box of excess damage is left, and the counter stays: whether the drone went with it is undecided."""
    writer = flying(Hex(40, 40), 2, 3)
    old = writer.display_states(CS)
    writer.left[CS]["Excess"] = 0
    writer.log(writer.change(f"{writer.ids[CS]}9", old, writer.display_states(CS)))
    if not flies_on:
        writer.off()
    writer.advance((1, 3, 0), (1, 4, 0))
    step = writer.go(0) if flies_on else 0
    if flies_on:
        on(writer, 5)
    ran = check(writer)
    assert [one for one in errors(ran) if one[1] == DRONE] == []
    assert [one for one in undecided(ran) if one[1] == DRONE] == (
        [("D4.41", DRONE, step)] if flies_on else []
    )
    assert flies_on or any("may be destroyed" in reason for reason in reasons(ran))
