"""Ships that turn where they stand, turn back, or come back from nowhere."""

from __future__ import annotations

from referee.adjudicator.facing import came_back, turned_back, turned_early

from referee.core.finding import Severity
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook

BOOK = load_rulebook("sfb-cadet")
PLACE = Location("game.vlog", step=7)


def test_a_turn_on_the_spot_is_found_where_it_was_made() -> None:
    found = turned_early(BOOK, "Wrath", ("A", "B"), When(1, 3), When(1, 2), PLACE)
    assert found is not None and (found.key, found.severity) == ("C3.1", Severity.ERROR)
    assert (found.subject, found.turn, found.impulse, found.location) == ("Wrath", 1, 3, PLACE)
    assert "from A to B" in found.message and "it moved on impulse 2" in found.message


def test_a_move_of_another_turn_is_not_told_of() -> None:
    found = turned_early(BOOK, "Wrath", ("A", "B"), When(2, 1), When(1, 16), PLACE)
    assert found is not None and "it moved" not in found.message


def test_a_turn_taken_back_after_fire() -> None:
    found = turned_back(BOOK, "Wrath", ("A", "B"), When(1, 3), When(1, 5), "fire at it", PLACE)
    assert found is not None and "back in impulse 5, after fire at it" in found.message
    later = turned_back(BOOK, "Wrath", ("A", "B"), When(1, 3), When(2, 1), "fire at it", PLACE)
    assert later is not None and "back in turn 2" in later.message


def test_a_ship_that_comes_back_from_nowhere() -> None:
    found = came_back(BOOK, "Wrath", 4, When(2, 1), PLACE)
    assert found is not None and found.key == "C1.1/continues" and "in step 4" in found.message


def test_a_book_without_the_rule_finds_nothing() -> None:
    less = BOOK.without(["C3.1", "C1.1/continues"])
    assert turned_early(less, "Wrath", ("A", "B"), When(1, 3), None, PLACE) is None
    assert turned_back(less, "Wrath", ("A", "B"), When(1, 3), When(1, 5), "fire", PLACE) is None
    assert came_back(less, "Wrath", 4, When(2, 1), PLACE) is None
