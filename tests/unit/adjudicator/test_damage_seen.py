"""Damage marked on displays that are seen, on the one table: held against what struck (D4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from referee.adjudicator.damage_seen import SeenDamage
from referee.adjudicator.hits_on_ship import Displayed, Strike, comes_through, waiting
from referee.adjudicator.repairs import Marking
from referee.adjudicator.table import GameTable
from referee.adjudicator.volley import volley_order
from referee.core.account import DAMAGED, MISMARKED, Event
from referee.core.combat import VolleyAt
from referee.core.finding import Finding
from referee.core.play import When
from referee.core.state import ShipState, new_state
from referee.rulebooks.registry import load_ship
from tests.unit.adjudicator.test_fire_seen import BOOK, FED, account

NOW, LATER = When(1, 3), When(1, 6)
WHOLE = new_state(FED)


def strike(points: int, step: int = 10) -> Strike:
    return Strike(step, NOW, (VolleyAt("Hood", volley_order(points, shield=1), (), 1, 3),))


def hurt(boxes: int) -> ShipState:
    return replace(WHOLE, shields={**WHOLE.shields, 1: WHOLE.shields[1] - boxes})


def mark(before: int, after: int, step: int = 11, when: When = NOW) -> Marking:
    return Marking(step, when, hurt(before), hurt(after))


def damaged(
    strikes: Sequence[Strike], marks: Sequence[Marking], on: GameTable | None = None
) -> tuple[GameTable, list[Finding]]:
    """What the table says of the Hood with what struck it in turn 1, the log being in turn 2."""
    table = on or GameTable(BOOK, load_ship, account())
    shown = Displayed("Hood", FED, shows_shields=True, agrees=True)
    data = {"display": shown, "strikes": strikes, "marks": marks, "turn": 2, "rulebook": BOOK}
    return table, table.take(Event(20, DAMAGED, data))


def unpaid(seen: SeenDamage) -> list[tuple[int, Mapping[int, int]]]:
    """The boxes of shields of the Hood that are still lost, by the step in which they were taken off."""
    return [(one.step, one.shields) for one in seen.unpaid["Hood"]]


@pytest.mark.parametrize(("boxes", "wrong"), [(6, []), (5, [("D4.1", "6", "5")]), (7, [("D4.1", "6", "7")])])
def test_as_much_is_marked_as_struck(boxes: int, wrong: list[tuple[str, str, str]]) -> None:
    table, found = damaged([strike(6)], [mark(0, boxes)])
    assert [(one.key, one.expected, one.found) for one in found] == wrong
    assert BOOK.named.absorbed in table.report().checked


def test_what_is_never_marked_is_found_when_its_turn_is_over() -> None:
    assert [(one.key, one.location.step) for one in damaged([strike(6)], [])[1]] == [("D4.1", 10)]
    assert damaged([], [])[1] == []


def test_boxes_that_nothing_paid_for_stay_lost() -> None:
    """A turn without a form pays for no repair; a mark put right in its own impulse is none."""
    table, found = damaged([strike(6)], [mark(0, 6), mark(6, 4, 15, LATER)])
    assert [one.key for one in found if one.severity == "error"] == ["B3.0-15/mended"]
    assert unpaid(table.beside.damage) == [(15, {1: 2})]
    table, found = damaged([strike(6)], [mark(0, 8), mark(8, 6, 12)])
    assert [one.severity for one in found] == ["note"] and unpaid(table.beside.damage) == []


def test_what_is_marked_on_another_ship_is_that_ships_error() -> None:
    table = GameTable(BOOK, load_ship, account())
    data = {
        "ship": "Excalibur",
        "struck": "Hood",
        "strike": strike(6),
        "marks": (mark(0, 6),),
        "rulebook": BOOK,
    }
    (found,) = table.take(Event(19, MISMARKED, data))
    assert (found.subject, found.location.step) == ("Excalibur", 11)
    assert damaged([], [], table)[1] == [], "what struck the Hood is marked, though elsewhere"


def test_a_fork_is_judged_for_itself() -> None:
    table = GameTable(BOOK, load_ship, account())
    other, found = damaged([strike(6)], [mark(0, 5)], table.fork())
    assert found and other.beside.damage.report().findings and not table.beside.damage.report().findings


def test_fire_waits_for_its_marks_and_may_come_through() -> None:
    assert waiting([strike(6)], [mark(0, 6)], 20) == [] and waiting([strike(6)], [], 20) == [strike(6)]
    assert comes_through([strike(31)], {1: 30}) and not comes_through([strike(30)], {1: 30})
