"""Ships that turn where they stand, turn back, or come back from nowhere."""

from __future__ import annotations

from referee.core.finding import About, Severity
from referee.core.location import Location
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.sfb.seen_moves import came_back, turned_back, turned_early

BOOK = load_rulebook("sfb-cadet")
PLACE = Location("game.vlog", step=7)
WRATH = About("Wrath", 1, 3, PLACE)


def test_a_turn_on_the_spot_is_found_where_it_was_made() -> None:
    found = turned_early(BOOK, WRATH, ("A", "B"), 2)
    assert found is not None and (found.key, found.severity) == ("C3.1", Severity.ERROR)
    assert (found.subject, found.turn, found.impulse, found.location) == ("Wrath", 1, 3, PLACE)
    assert "from A to B" in found.message and "it moved on impulse 2" in found.message


def test_a_ship_without_a_later_move_is_told_of_none() -> None:
    found = turned_early(BOOK, WRATH, ("A", "B"), None)
    assert found is not None and "it moved" not in found.message


def test_a_turn_taken_back_after_fire() -> None:
    found = turned_back(BOOK, WRATH, ("A", "B"), "impulse 5", "fire at it")
    assert found is not None and "back in impulse 5, after fire at it" in found.message


def test_a_ship_that_comes_back_from_nowhere() -> None:
    found = came_back(BOOK, WRATH, 4)
    assert found is not None and found.key == "C1.1/continues" and "in step 4" in found.message


def test_a_book_without_the_rule_finds_nothing() -> None:
    less = BOOK.without(["C3.1", "C1.1/continues"])
    assert turned_early(less, WRATH, ("A", "B"), None) is None
    assert turned_back(less, WRATH, ("A", "B"), "impulse 5", "fire") is None
    assert came_back(less, WRATH, 4) is None
