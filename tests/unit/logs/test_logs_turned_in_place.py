"""A ship that turns in an impulse without moving and turns back in a later one never faced that way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import FED, KLINGON, Play
from tests.unit.logs.test_logs_oddly_legal import CA, D6, Check, Table, check, found
from tests.unit.logs.test_logs_true_places import HERE, PLACED, THERE, put, shot

__all__ = ["check"]

LATE = "NOTE/put-right-late"


def turned_in_place(ran: Ran) -> list[tuple[str, str, Any]]:
    """What is told of fire and turns, and whether a note says that a turn was put right."""
    told = [
        (level, key, step) for level, key, _, step in found(ran) if key[0] in "CDF" or key in (PLACED, LATE)
    ]
    notes = [
        ("note", f["key"], f["location"]["step"]) for f in ran.findings() if f["key"] == "NOTE/put-right"
    ]
    return sorted([*told, *notes], key=lambda one: (one[2], one[1]))


@pytest.mark.parametrize("way", ["next impulse", "much later", "another way between"])
def test_an_arc_that_is_turned_back_later_is_no_arc(check: Check, way: str) -> None:
    writer = Table({CA: (FED, HERE, "E"), D6: (KLINGON, THERE, "D")})
    writer.next()
    first = put(writer, CA, HERE, "A")
    fired = shot(writer)
    writer.next()
    if way == "another way between":
        put(writer, CA, HERE, "B")
        writer.next()
    if way == "much later":
        writer.next()
        writer.next()
    put(writer, CA, HERE, "E")
    writer.next()
    assert turned_in_place(check(writer)) == [
        ("error", "C3.1", first),
        ("error", "D2.2", fired),
        ("warning", PLACED, fired),
    ]


def test_a_shield_that_is_turned_away_and_back_is_struck(check: Check) -> None:
    writer = Table()
    writer.next()
    first = put(writer, D6, THERE, "A")
    fired = shot(writer, points=5)
    marked = writer.mark(D6, {4: 5})
    writer.next()
    put(writer, D6, THERE, "D")
    writer.next()
    ran = check(writer)
    assert turned_in_place(ran) == [
        ("error", "C3.1", first),
        ("warning", PLACED, fired),
        ("error", "D4.1", marked),
    ]
    told = next(f for f in ran.findings() if f["key"] == "C3.1")
    assert (
        told["message"]
        == f"turns from D to A without moving, and back in impulse 3, after fire in step {fired}"
    )
    assert (told["expected"], told["found"]) == ("facing D until its next move", "facing A")
    honest = Table()
    honest.next()
    shot(honest, points=5)
    honest.mark(D6, {1: 5})
    honest.next()
    assert turned_in_place(check(honest)) == []


def test_a_turn_that_is_turned_back_before_anything_comes_of_it_is_only_a_note(check: Check) -> None:
    writer = Table()
    writer.next()
    first = put(writer, CA, HERE, "B")
    writer.next()
    put(writer, CA, HERE, "A")
    shot(writer, points=5)
    writer.mark(D6, {1: 5})
    writer.next()
    assert turned_in_place(check(writer)) == [("note", "NOTE/put-right", first)]


def test_dice_that_fall_for_others_are_a_warning(check: Check) -> None:
    writer = Table()
    writer.next()
    first = put(writer, CA, HERE, "B")
    writer.roll(D6, 1)
    writer.next()
    put(writer, CA, HERE, "A")
    writer.next()
    assert turned_in_place(check(writer)) == [("warning", LATE, first)]


@pytest.mark.parametrize("then", [0, -1])
def test_a_turn_that_the_next_move_does_not_make(check: Check, then: int) -> None:
    """Turned right and fired in an impulse that does not call it, then turned back, or left, as it moves."""
    writer = Table(speed=8)
    writer.next()
    for name in (CA, D6):
        writer.play(Play(name, 1, 2, 0, 1))
    writer.next()
    bow = writer.where[CA]
    first = put(writer, CA, bow[0], "B")
    fired = shot(writer)
    writer.next()
    put(writer, CA, bow[0], "A")
    for name, way in ((CA, then), (D6, 0)):
        writer.play(Play(name, 1, 4, way, 1))
    writer.next()
    told = turned_in_place(check(writer))
    assert ("error", "C3.1", first) in told and ("warning", PLACED, fired) in told


def test_a_turn_that_the_next_move_does_make_was_made_too_early(check: Check) -> None:
    """It did face that way: its fire is judged from there."""
    writer = Table(speed=8)
    writer.next()
    for name in (CA, D6):
        writer.play(Play(name, 1, 2, 0, 1))
    writer.next()
    hex, _ = writer.where[CA]
    first = put(writer, CA, hex, "B")
    shot(writer)
    writer.next()
    for name in (CA, D6):
        writer.play(Play(name, 1, 4, 0, 1))
    writer.next()
    told = turned_in_place(check(writer))
    assert ("error", "C3.1", first) in told and PLACED not in [key for _, key, _ in told]
