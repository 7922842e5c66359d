"""Steps of the impulse that a table does at once: a step early, and in their order, nothing is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from tests.cli.conftest import Ran
from tests.unit.logs.test_logs_seekers import CA, Check, Table, check

__all__ = ["check"]

MOVE, SEEKERS, LAUNCH, FIRE = range(4)
ALL = (MOVE, SEEKERS, LAUNCH, FIRE)
TWO = (MOVE, FIRE)
Did = Callable[[Table], int]
DRN = "!CS Ship1: launch DRN/2 at CA Ship0"
DISR = "!CS Ship1: fire DISR/A at CA Ship0"


def drone(writer: Table) -> int:
    return writer.go(0)


def ship(writer: Table) -> int:
    return writer.ship_goes(CA, Hex(40, 37))


def fire(writer: Table) -> int:
    return writer.say(DISR)


def launch(writer: Table) -> int:
    return writer.say(DRN)


def played(shown: tuple[int, ...], *did: tuple[int, Did]) -> tuple[Table, list[int]]:
    """A drone is launched in impulse 1, and things are done in the steps that are shown of impulse 2, and nothing
    in all those of impulse 3; the steps of the log they were done in."""
    writer, steps = Table(Hex(40, 38)), []
    writer.advance((1, 1, MOVE), (1, 1, LAUNCH))
    writer.launch("D")
    writer.advance((1, 1, LAUNCH), (1, 2, MOVE))
    for step, then in zip(shown, (*shown[1:], None), strict=True):
        steps += [one(writer) for at, one in did if at == step]
        writer.advance((1, 2, step), (1, 2, then) if then else (1, 3, MOVE))
    for step in ALL:
        writer.advance((1, 3, step), (1, 3, step + 1) if step < FIRE else (1, 4, MOVE))
    return writer, steps


def astray(ran: Ran) -> list[tuple[str, Any]]:
    return [(f["severity"], f["location"]["step"]) for f in ran.findings() if f["rule"] == "B2.0"]


@pytest.mark.parametrize(
    "did",
    [
        [(MOVE, ship), (MOVE, drone)],
        [(SEEKERS, drone), (SEEKERS, launch)],
        [(SEEKERS, drone), (LAUNCH, launch), (LAUNCH, fire)],
    ],
)
def test_a_step_early_in_the_right_order_is_a_warning(check: Check, did: list[tuple[int, Did]]) -> None:
    writer, steps = played(ALL, *did)
    ran = check(writer)
    assert astray(ran) == [("warning", steps[-1])]
    told = next(f["message"] for f in ran.findings() if f["rule"] == "B2.0")
    assert told.endswith(": a step early, and in the right order")


@pytest.mark.parametrize(
    ("did", "wrong"),
    [
        ([(MOVE, drone), (MOVE, ship)], 0),  # a ship after a seeker
        ([(SEEKERS, launch), (SEEKERS, drone)], 0),  # a seeker after a launch
        ([(LAUNCH, fire), (LAUNCH, launch)], 0),  # a launch after fire
        ([(SEEKERS, drone), (SEEKERS, fire)], 1),  # two steps early
        ([(MOVE, ship), (MOVE, launch)], 1),
        ([(SEEKERS, drone), (FIRE, launch)], 1),  # too late
        ([(LAUNCH, drone)], 0),
    ],
)
def test_what_is_out_of_order_or_farther_astray_is_wrong(
    check: Check, did: list[tuple[int, Did]], wrong: int
) -> None:
    writer, steps = played(ALL, *did)
    assert ("error", steps[wrong]) in astray(check(writer))


def test_a_table_that_shows_only_some_of_the_steps_does_the_others_with_them(check: Check) -> None:
    writer, steps = played(TWO, (MOVE, ship), (MOVE, drone), (MOVE, launch), (FIRE, fire))
    assert sorted(astray(check(writer))) == [("note", steps[1]), ("note", steps[2])]
    writer, steps = played(TWO, (MOVE, drone), (MOVE, ship))
    assert astray(check(writer)) == [("error", steps[0])]
    writer, steps = played(TWO, (MOVE, launch), (MOVE, ship))
    assert astray(check(writer)) == [("error", steps[0])]
    writer, steps = played(TWO, (MOVE, fire))
    assert astray(check(writer)) == [("warning", steps[0])], "the next step it shows is that of fire"
