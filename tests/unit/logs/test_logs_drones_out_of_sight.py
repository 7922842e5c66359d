"""Drones of a log that are masked or hidden in flight: not judged from there on, but for how far they come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.adjudicator.flight_end import HitOnSeeker
from referee.adjudicator.out_of_sight import Seen
from referee.adjudicator.seekers_out_of_sight import Unseen
from referee.core.finding import Severity
from referee.core.hexgrid import FACINGS, Hex
from referee.core.play import When
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import pixels
from tests.unit.logs.test_logs_flight_ends import flight, found, said, undecided
from tests.unit.logs.test_logs_seekers import CA, CS, DRONE, Table, check, errors, reasons

__all__ = ["check"]
Check = Callable[..., Ran]
TARGET = Hex(40, 38)
WAYS = ["masked", "hidden"]


class Dark(Table):
    """A drone launched in impulse 1 at a ship dead ahead, moved a hex in 2 and 3, that may be masked or hidden."""

    def __init__(self) -> None:
        super().__init__(TARGET)
        self.veil = ["null;", "null"]
        for name, figures in ((CA, {"Phasrecharge": "3", "Total Used": "3"}), (CS, {})):
            self.write(name, 1, figures)
        self.launch("D")
        self.now = 1
        for _ in range(2):
            self.next()
            self.go(0)

    def states(self, hex: Hex, facing: str) -> list[str]:
        x, y = pixels(reversed=False)[str(hex)]
        return [*self.veil, str(FACINGS.index(facing)), f"Space;{x};{y};1;4"]

    def appear(self) -> int:
        types = [
            "obs;77,130;mask.png;Mask;B;?;player:;Peek;desc;false;;",
            "hide;73,130;Invisible;255,255,255;side:;0.3;desc;false",
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            f"piece;;;d.png;{self.drone}",
        ]
        chains = join_chain(types), join_chain(self.states(self.at, self.bow))
        return self.log(lv.AddPiece(self.ids[self.drone], *chains))

    def next(self) -> None:
        self.advance((1, self.now, 0), (1, self.now + 1, 0))
        self.now += 1

    def dim(self, way: str) -> int:
        return self._veil(["ann;", "null"] if way == "masked" else ["null;", "ann"])

    def show(self) -> int:
        return self._veil(["null;", "null"])

    def _veil(self, veil: list[str]) -> int:
        old, self.veil = self.states(self.at, self.bow), veil
        return self.log(self.change(self.ids[self.drone], old, self.states(self.at, self.bow)))


def unjudged(step: int) -> list[str]:
    return [f"out of sight from step {step}: its flight is not judged from there on"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shown_in", [4, 5])
def test_a_drone_that_flies_on_unseen_is_clean(check: Check, way: str, shown_in: int) -> None:
    writer = Dark()
    step = writer.dim(way)
    while writer.now < shown_in:
        writer.next()
        writer.go(0)
    writer.show()
    for _ in range(2):
        writer.next()
        writer.go(0)
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == unjudged(step)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("hexes", [2, 5])
def test_a_drone_that_comes_back_from_too_far_is_an_error(check: Check, way: str, hexes: int) -> None:
    """Called for one hex unseen: two are too many, and so are all those to its target."""
    writer = Dark()
    writer.dim(way)
    writer.next()
    for _ in range(hexes):
        writer.go(0)
    if hexes == 5:
        writer.put(TARGET)
    step = writer.show()
    writer.next()
    assert errors(check(writer)) == [("F2.0", DRONE, step)]


@pytest.mark.parametrize("way", WAYS)
def test_a_drone_that_is_never_seen_again_is_not_judged(check: Check, way: str) -> None:
    writer = Dark()
    step = writer.dim(way)
    for _ in range(3):
        writer.next()
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == [] and reasons(ran) == unjudged(step)


def test_a_drone_is_judged_until_it_goes_out_of_sight(check: Check) -> None:
    writer = Dark()
    step = writer.go(0)
    writer.next()
    dark = writer.dim("masked")
    writer.next()
    writer.show()
    ran = check(writer)
    assert errors(ran) == [("F2.0", DRONE, step)] and reasons(ran) == unjudged(dark)


def test_a_drone_masked_for_a_moment_is_judged_as_ever(check: Check) -> None:
    writer = Dark()
    writer.dim("masked")
    writer.show()
    writer.next()
    writer.next()
    ran = check(writer)
    assert [key for key, _, _ in errors(ran)] == ["F2.0"] and reasons(ran) == []


class Dimmed(Dark):
    """A drone that is masked or hidden in the impulse of its launch."""

    def __init__(self, way: str) -> None:
        Table.__init__(self, TARGET)
        self.veil, self.now = ["null;", "null"], 1
        for name, figures in ((CA, {"Phasrecharge": "3", "Total Used": "3"}), (CS, {})):
            self.write(name, 1, figures)
        self.launch("D")
        self.dimmed = self.dim(way)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("hexes", [3, 4])
def test_a_drone_out_of_sight_since_its_launch_is_held_to_its_ship(
    check: Check, way: str, hexes: int
) -> None:
    writer = Dimmed(way)
    for _ in range(3):
        writer.next()
        writer.go(0)
    if hexes == 4:
        writer.go(0)
    step = writer.show()
    writer.next()
    ran = check(writer)
    assert errors(ran) == ([("F2.0", DRONE, step)] if hexes == 4 else []) and undecided(ran) == []
    assert reasons(ran) == unjudged(writer.dimmed)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cheats", [False, True])
def test_every_time_out_of_sight_is_measured(check: Check, way: str, cheats: bool) -> None:
    """Seen again for a moment in each impulse, and in the last a hex too far."""
    writer = Dimmed(way)
    step = 0
    for impulse in range(2, 6):
        writer.next()
        writer.go(0)
        if cheats and impulse == 5:
            writer.go(0)
        step = writer.show()
        if impulse < 5:
            writer.dim(way)
    writer.next()
    ran = check(writer)
    assert errors(ran) == ([("F2.0", DRONE, step)] if cheats else []) and undecided(ran) == []


@pytest.mark.parametrize("hexes", [1, 2])
def test_a_drone_that_was_out_of_sight_is_measured_in_sight(check: Check, hexes: int) -> None:
    writer = Dark()
    dark = writer.dim("masked")
    writer.next()
    writer.go(0)
    writer.show()
    writer.next()
    step = [writer.go(0) for _ in range(hexes)][-1]
    writer.next()
    ran = check(writer)
    assert errors(ran) == ([("F2.0", DRONE, step)] if hexes == 2 else []) and reasons(ran) == unjudged(dark)


def test_a_drone_that_may_have_struck_unseen_may_be_moved_about(check: Check) -> None:
    """Its counter comes back on a heap, and is dragged to another."""
    writer = Dark()
    writer.dim("masked")
    for _ in range(8):
        writer.next()
    writer.put(Hex(10, 10))
    writer.show()
    writer.next()
    writer.put(Hex(20, 20))
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and undecided(ran) == []


# -- facts alone ---------------------------------------------------------------------------

GONE = Seen(Hex(40, 33), "D", 35, When(1, 4))
"""It moved in impulses 2, 3 and 4, and may make a hex in each of 5 and 6; its target is far off."""


def back(row: int, turn: int | None = 1) -> Unseen:
    return Unseen(GONE, Seen(Hex(40, row), "D", 55, When(turn, 6)))


def test_how_far_a_drone_may_come_back() -> None:
    too_far = [("F2.0", Severity.ERROR)]
    assert found(flight(unseen=back(36))) == too_far
    assert found(flight(unseen=back(35))) == found(flight(unseen=back(33))) == []
    assert found(flight(unseen=replace(back(36), back=None))) == []
    assert found(flight(unseen=back(36, None))) == []
    assert said(flight(unseen=back(36)))[0].reason == unjudged(35)[0]


def test_a_drone_that_may_be_no_more_may_be_put_anywhere() -> None:
    deadly = HitOnSeeker(45, 9, True, When(1, 5))
    assert found(flight(unseen=back(60), hits=(deadly,))) == []
    assert found(flight(unseen=back(60), hits=(replace(deadly, points=None),))) == []


def test_a_drone_that_came_back_before_it_was_destroyed_is_measured() -> None:
    deadly = HitOnSeeker(80, 9, True, When(1, 8))
    later = replace(back(36), later=(Seen(Hex(2, 2), "D", 90, When(1, 9)),))
    assert found(flight(unseen=later, hits=(deadly,))) == [("F2.0", Severity.ERROR)]
    fair = replace(back(35), later=later.later)
    assert found(flight(unseen=fair, hits=(deadly,))) == []
    assert found(flight(unseen=fair)) == [("F2.0", Severity.ERROR)]
