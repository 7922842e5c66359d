"""What is left open by commands that could not be read: of which facts, of whom, and until when."""

from __future__ import annotations

from typing import Any

import pytest

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.formats.vassal.gathered import UnreadStep
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import Clock, ShipOnTable
from referee.logs.unreadable_steps import unread


def ship(name: str) -> ShipOnTable:
    piece: Any = type("_Piece", (), {"id": f"{name}-counter"})()
    counter: Piece = piece
    return ShipOnTable(name, counter, None, (), None, {}, {})


SHIPS = ship("A"), ship("B")
AT = Clock(2, 5)


def left_open(command: UnreadStep, subject: str, step: int, turn: int = 3, impulse: int = 1) -> set[str]:
    """The facts that are not known of what is found of a subject in a step."""
    found = Finding("C1.4", Severity.ERROR, "moves", subject, turn, impulse, Location(step=step))
    return {gap.of for gap in unread([command], SHIPS) if gap.covers(found)}


def test_a_move_leaves_open_where_its_counter_stands_until_that_is_seen() -> None:
    move = UnreadStep(7, AT, "", "move", ("A-counter",), placed={"A-counter": 9})
    assert left_open(move, "A", 8) == {"places", "facing"}
    assert left_open(move, "A", 9) == left_open(move, "A", 6) == left_open(move, "B", 8) == set()


def test_in_its_impulse_anybody_may_have_moved_before_or_after_it() -> None:
    move = UnreadStep(7, AT, "", "move", ("A-counter",), placed={"A-counter": 9})
    assert left_open(move, "B", 3, 2, 5) == {"order of moves"}
    assert left_open(move, "A", 3, 2, 5) == {"order of moves", "places", "facing"}


def test_a_piece_that_is_no_counter_leaves_nothing_open_of_moves() -> None:
    assert left_open(UnreadStep(7, AT, "", "move", ("map",)), "A", 8) == set()


def test_a_change_leaves_open_how_a_counter_faces_until_it_is_seen_in_whole() -> None:
    seen = {"placed": {"A-counter": 9}, "shown": {"A-counter": 12}}
    change = UnreadStep(7, AT, "", "change", ("A-counter",), **seen)
    assert left_open(change, "A", 10) == {"facing", "marks"}
    assert left_open(change, "A", 12) == set()


def test_a_change_that_is_never_seen_leaves_forms_open_from_its_turn_on() -> None:
    change = UnreadStep(7, AT, "", "change", ("A-counter",))
    assert "form" in left_open(change, "A", 0, turn=2)
    assert "form" not in left_open(change, "A", 0, turn=1)
    assert "form" not in left_open(change, "B", 0)


@pytest.mark.parametrize("subject", ["A", "B", "drone 1"])
def test_what_may_have_been_about_anything_leaves_everybody_open(subject: str) -> None:
    assert left_open(UnreadStep(7, AT, "", "other"), subject, 8) == {"places", "facing"}


def test_without_the_clock_no_moment_is_known_until_it_is_set_again() -> None:
    clock = UnreadStep(7, AT, "", "clock", (), until=(11, Clock(3, 1)))
    assert left_open(clock, "A", 8, 9, 9) == {"places", "facing", "turns"}
    assert left_open(clock, "A", 20, 2, 8) == {"places", "facing", "turns"}
    assert left_open(clock, "A", 20, 3, 2) == {"turns"}
    assert left_open(clock, "A", 7, 9, 9) == {"places", "facing"}
