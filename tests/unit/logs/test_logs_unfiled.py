"""Turns of a log that were played without the energy form of the turn."""

from __future__ import annotations

from typing import Any

from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran, Run
from tests.doors.games import HEAD
from tests.doors.played import Played, as_log, told
from tests.unit.formats.vassal.game_logs import Play
from tests.unit.logs.test_logs_notes import CA, D6, Check, begun, check, impulses

__all__ = ["check"]
FILED = "B3.0/filed"


def unfiled(ran: Ran) -> list[tuple[str, int, Any]]:
    assert ran.err == ""
    return [
        (f["subject"], f["turn"], f["location"]["step"])
        for f in ran.findings("undecided")
        if f["key"] == FILED
    ]


def lacking(ran: Ran) -> list[str]:
    return [item.get("subject", "") for item in ran.json["not_checked"] if item["rule"] == "B3.0"]


def test_a_turn_that_is_moved_without_forms(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 16)
    impulses(writer, 2, 1, 1)
    first = len(writer.steps) + 1
    impulses(writer, 2, 2, 4)
    ran = check(writer)
    assert unfiled(ran) == [(CA, 2, first), (D6, 2, first + 1)]
    assert ran.json["verdict"] == "cannot-tell"


def test_a_turn_of_one_ship_alone(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 16)
    writer.form(CA, 2)
    impulses(writer, 2, 1, 4)
    ran = check(writer)
    assert [(name, turn) for name, turn, _ in unfiled(ran)] == [(D6, 2)]


def test_a_form_filled_in_late_is_a_form(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 16)
    impulses(writer, 2, 1, 4)
    for name in (CA, D6):
        writer.form(name, 2)
    ran = check(writer)
    assert unfiled(ran) == [] and {f["key"] for f in ran.findings("warning")} == {"NOTE/filled-late"}


def test_a_turn_that_is_not_played_yet(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 16)
    ran = check(writer)
    assert unfiled(ran) == [] and lacking(ran) == []


def test_a_ship_that_does_nothing_needs_no_form_and_is_named(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 16)
    writer.form(CA, 2)
    for number in range(1, 5):
        if number % 2 == 0:
            writer.play(Play(CA, 2, number, 0, 0))
        writer.advance((2, number, 0), (2, number + 1, 0))
    ran = check(writer)
    assert unfiled(ran) == [] and lacking(ran) == [f"{D6}, turn 2"]


def test_a_speed_said_in_chat_stands_for_the_form(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 16)
    writer.log(lv.Chat("<Ann> - !speed 8"))
    writer.log(lv.Chat("<Ben> - !speed 8"))
    impulses(writer, 2, 1, 4)
    ran = check(writer)
    assert unfiled(ran) == [] and lacking(ran) == [f"{CA}, turn 2", f"{D6}, turn 2"]


def test_moves_at_speeds_that_are_said_are_play_from_the_first_impulse(referee: Run) -> None:
    """Nobody fills in a form: the first hex flown in impulse 1 is a move, not a counter put in place."""
    moves = "Const: ahead\nDestr: ahead\n"
    text = f"{HEAD}turn 1\nConst: speed 16\nDestr: speed 16\nimpulse 1\n{moves}impulse 2\n{moves}impulse 3\n{moves}"
    ran = as_log(referee, Played(text))
    keys = [found["key"] for one in ran for found in one.findings()]
    assert told(ran) == set() and "NOTE/set-up" not in keys, keys


def test_the_turn_before_the_first_hex_counts(referee: Run) -> None:
    """A counter turned in impulse 1 and then dragged ahead turned in play: it may not turn again at once."""
    text = (
        f"{HEAD}turn 1\nConst: speed 16\nDestr: speed 16\nimpulse 1\nConst: left\nDestr: right\nimpulse 2\n"
        "Const: left\nDestr: ahead\nimpulse 3\nConst: ahead\nDestr: ahead\n"
    )
    assert told(as_log(referee, Played(text))) == {("error", "C3.2", "Const", 1, 2)}
