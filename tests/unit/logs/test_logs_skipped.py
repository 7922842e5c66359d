"""Turns that a log's clock passes over while it is played, and clocks that are only put right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran
from tests.unit.logs.test_logs_oddly_legal import CA, Table, check, found, lacking

__all__ = ["check"]
Check = Callable[..., Ran]
SKIPPED, PUT_ON = "B2.0/markers", "NOTE/clock-put-on"
AT_END = (1, 16, 3)


class Turns(Table):
    """A ship fires in turn 1; then the clock goes as it is told."""

    def __init__(self, at: tuple[int, int, int] = (1, 1, 0), *, plays: bool = True) -> None:
        super().__init__(turns=4)
        self._start = self._start.replace(self.tracker(1, 1, 0), self.tracker(*at))
        self.clock = at
        if plays:
            self.shoot("PH-1/A")

    def shoot(self, weapon: str) -> int:
        step = self.say(CA, f"fire {weapon} at D6 Ship1")
        self.roll(CA, 6)
        return step

    def to(self, turn: int, impulse: int = 1, step: int = 0) -> int:
        before, self.clock = self.clock, (turn, impulse, step)
        return self.advance(before, self.clock)

    def undo(self, turn: int) -> int:
        """VASSAL takes back the step in which the clock was set."""
        self.clock = (turn, 1, 0)
        return self.log(lv.Undo(True), self.tracker(*self.clock), lv.Undo(False))


def said(ran: Ran, *keys: str) -> list[tuple[str, str, Any]]:
    return [
        (severity, key, step) for severity, key, _, step in found(ran) if key in (keys or (SKIPPED, PUT_ON))
    ]


@pytest.mark.parametrize("turn", [3, 4, 9, 99999])
def test_a_turn_passed_over_is_against_the_sequence_of_play(check: Check, turn: int) -> None:
    writer = Turns()
    writer.to(*AT_END)
    step = writer.to(turn)
    writer.to(turn, 2)
    writer.shoot("PH-1/B")
    ran = check(writer)
    assert said(ran) == [("error", SKIPPED, step)]
    (finding,) = (f for f in ran.findings("error") if f["key"] == SKIPPED)
    assert (finding["expected"], finding["found"]) == ("turn 2", f"turn {turn}")
    assert "turn 2" in finding["fix"] or f"turns 2 to {turn - 1}" in finding["fix"]


@pytest.mark.parametrize("way", ["by hand", "undone", "to the turn before"])
def test_a_clock_put_on_too_far_and_back_is_clean(check: Check, way: str) -> None:
    writer = Turns()
    writer.to(3)
    if way == "by hand":
        writer.to(1)
    elif way == "undone":
        writer.undo(1)
    writer.to(2)
    writer.shoot("PH-1/B")
    writer.to(3)
    writer.shoot("PH-1/C")
    assert said(check(writer)) == []


def test_turns_run_through_one_by_one_and_back_are_not_passed_over(check: Check) -> None:
    writer = Turns()
    for turn in (2, 3, 4, 1, 2):
        writer.to(turn)
    writer.shoot("PH-1/B")
    assert said(check(writer)) == []


@pytest.mark.parametrize("filed", [False, True])
def test_a_turn_the_clock_only_ran_through_is_undecided(check: Check, filed: bool) -> None:
    writer = Turns()
    writer.to(2)
    if filed:
        writer.write(CA, 2, {"Total Used": "0", "Movement": "0"})
    writer.to(2, 2)
    step = writer.to(3)
    writer.shoot("PH-1/B")
    assert said(check(writer)) == ([] if filed else [("undecided", SKIPPED, step)])


def test_a_turn_seen_by_mistake_before_was_not_played(check: Check) -> None:
    writer = Turns()
    writer.to(2)
    writer.to(1)
    writer.shoot("PH-1/B")
    step = writer.to(3)
    writer.shoot("PH-1/C")
    assert said(check(writer)) == [("error", SKIPPED, step)]


def test_a_clock_put_on_by_a_turn_when_play_is_over_is_not(check: Check) -> None:
    writer = Turns()
    writer.to(2)
    assert said(check(writer)) == []


@pytest.mark.parametrize(("at", "told"), [((1, 1, 0), []), ((1, 9, 0), ["turns 2 to 3 not in it"])])
def test_a_clock_set_to_where_the_game_stands_is_no_turn_passed_over(
    check: Check, at: tuple[int, int, int], told: list[str]
) -> None:
    writer = Turns(at, plays=False)
    writer.to(4)
    writer.shoot("PH-1/A")
    ran = check(writer)
    assert said(ran) == []
    assert [reason.partition(":")[0] for reason in lacking(ran, "B2.0") if "not in it" in reason] == told


def test_a_turn_passed_over_where_a_clock_could_not_be_read_is_undecided(check: Check) -> None:
    writer = Turns()
    writer.log("TURNTurnTracker0\tbroken")
    step = writer.to(3)
    writer.shoot("PH-1/B")
    assert said(check(writer)) == [("undecided", SKIPPED, step)]
