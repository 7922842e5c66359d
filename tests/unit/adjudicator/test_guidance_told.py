"""Drones of an orders file held against the sensors of the ship that guides them."""

from __future__ import annotations

import pytest

from referee.adjudicator.guidance_told import GuidedDrones
from referee.core.combat import Moment, Unit
from referee.core.finding import Report
from referee.core.hexgrid import Hex
from referee.core.orders import Launch
from referee.core.state import new_state
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-standard")
KZINTI = load_ship("standard/kzinti-cs")
FIRER = Unit("Claw", KZINTI, new_state(KZINTI), Hex(10, 30), "A")


def launched(count: int, *, others: int = 0, when: bool = True) -> Report:
    """So many drones launched in one impulse at a ship far ahead."""
    guided = GuidedDrones(BOOK, "damage is not known")
    racks = [mount for mount in KZINTI.mounts if mount.system == "drone"]
    for n in range(count):
        mount = racks[n % len(racks)]
        order = Launch("Claw", mount.id, "Prey", name=f"Drone {n}")
        guided.launched(FIRER, order, mount, Moment(1, 5) if when else None, Hex(10, 1), others)
    return guided.report(1)


@pytest.mark.parametrize(("count", "wrong"), [(6, 0), (7, 1), (8, 2)])
def test_no_more_than_its_sensors_control(count: int, wrong: int) -> None:
    """Whole sensors have a rating of six."""
    report = launched(count)
    assert [(one.key, one.subject, one.impulse) for one in report.findings] == [("D6.132", "Claw", 5)] * wrong
    assert "D6.132" in report.checked


def test_what_may_be_its_own_leaves_it_open() -> None:
    (unknown,) = launched(1, others=6).not_checked
    assert unknown.key == "D6.132" and "is not known" in unknown.reason


def test_when_it_was_launched_is_not_known() -> None:
    report = launched(1, when=False)
    assert report.findings == () and [one.key for one in report.not_checked] == ["D6.132"]
