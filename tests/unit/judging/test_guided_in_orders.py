"""Drones that ships of an orders file launch, held against their sensors (D6.132)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

HEAD = """rulebook sfb-standard
impulses 32
ship A = standard/federation-ca at 0101D speed 0
ship K = standard/kzinti-cs at {at} speed 0
turn 1
A: speed 0
K: speed 0
"""
TURN_2 = "turn 2\nA: speed 0\nK: speed 0\n"


def launches(racks: int) -> str:
    return "".join(f"K: launch DRN/{n} at A\n" for n in range(1, racks + 1))


def judged(referee: Run, orders: str, at: str = "4001F") -> tuple[list[int], bool, list[str]]:
    """The lines in which too many are controlled, whether the rule was judged, and why where it was not."""
    Path("orders.txt").write_text(HEAD.format(at=at) + orders)
    ran = referee("check", "orders.txt", "--json")
    assert ran.code in (0, 1), ran.err
    report: Any = ran.json
    found = [each["location"]["line"] for each in report["findings"] if each["rule"] == "D6.132"]
    lacking = [each["reason"] for each in report["not_checked"] if each["rule"] == "D6.132"]
    return found, "D6.132" in report["checked"], lacking


def test_more_drones_than_the_sensors_control(referee: Run) -> None:
    """Four at the end of a turn and four as the next begins: the seventh and the eighth are too many."""
    found, checked, lacking = judged(referee, f"impulse 32\n{launches(4)}{TURN_2}impulse 1\n{launches(4)}")
    assert (found, checked, lacking) == ([19, 20], True, [])


def test_as_many_drones_as_the_sensors_control(referee: Run) -> None:
    found, checked, lacking = judged(referee, f"impulse 32\n{launches(4)}{TURN_2}impulse 1\n{launches(2)}")
    assert (found, checked, lacking) == ([], True, [])


@pytest.mark.parametrize(
    ("at", "between"),
    [
        ("4001F", "".join(f"A: fire PH-1/{n} at DRN/{n} of K\n" for n in range(1, 5))),  # may be shot down
        ("4001F", "A: fire PH-1/1 at K\n"),  # lock-on may be lost
        ("4001F", "K: hit 30 on 1 from RF\n"),
    ],
)
def test_how_many_are_out_may_not_be_known(referee: Run, at: str, between: str) -> None:
    orders = f"impulse 32\n{launches(4)}{between}{TURN_2}impulse 1\n{launches(4)}"
    found, _, lacking = judged(referee, orders, at)
    assert found == [] and any("are still on the map is not known" in reason for reason in lacking)


def test_drones_that_struck_are_controlled_no_more(referee: Run) -> None:
    """The ships stand side by side: four strike in the first impulse of the turn, before the next four leave."""
    orders = f"impulse 32\n{launches(4)}{TURN_2}impulse 1\n{launches(4)}"
    assert judged(referee, orders, "0201F") == ([], True, [])


def test_drones_shot_down_are_controlled_no_more(referee: Run) -> None:
    """Of four one is shot down: four more are seven, and of these one is too many; without that two are."""
    shots = "impulse 31\nA: fire PH-1/1, PH-1/2 at DRN/1 of K\n"
    for told, lines in (("K DRN/1 t1: hit 6\n", 1), ("", 2)):
        turn_1 = f"impulse 1\n{launches(4)}{shots if told else ''}{told}"
        found, _, lacking = judged(referee, f"{turn_1}{TURN_2}impulse 1\n{launches(4)}", "0140A")
        assert (len(found), lacking) == (lines, [])


def test_sensors_of_a_ship_fired_at_are_not_known(referee: Run) -> None:
    found, _, lacking = judged(referee, f"impulse 1\nA: fire PH-1/1 at K\nimpulse 2\n{launches(1)}")
    assert found == [] and lacking and "what is left of its sensors" in lacking[0]


def test_drones_placed_may_be_its_own(referee: Run) -> None:
    placed = "".join(f"drone D{n} at 3001F speed 32 after A\n" for n in range(3))
    orders = HEAD.format(at="4001F").replace("turn 1\n", f"{placed}turn 1\n") + f"impulse 1\n{launches(4)}"
    Path("orders.txt").write_text(orders)
    report: Any = referee("check", "orders.txt", "--json").json
    assert [each["reason"] for each in report["not_checked"] if each["rule"] == "D6.132"] == [
        "how many of the 7 drones it may control are still on the map is not known"
    ]


def test_fire_of_the_impulse_comes_after_its_launches(referee: Run) -> None:
    found, checked, lacking = judged(referee, f"impulse 1\nA: fire PH-1/1 at K\n{launches(1)}")
    assert (found, checked, lacking) == ([], True, [])
