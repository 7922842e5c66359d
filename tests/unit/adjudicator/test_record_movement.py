"""The movement of a record, judged entry by entry."""

from __future__ import annotations

from referee.adjudicator.record_movement import GameCourse
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import D6, FED, SPEEDS, Line, entries, order, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
UNLIKE = (("A", FED, "1510A"), ("B", D6, "1506D"))
MOVED = (step(2, "move ships"), order("A", 2, move="ahead"), order("B", 2, move="ahead"))


def judged(course: GameCourse, rows: list[Line], undone: frozenset[int]) -> list[tuple[str, str, int]]:
    """What is said against each entry that stands: the rule, the ship and the line."""
    stand = (row for row in rows if row.seq not in undone)
    return [(one.key, one.subject, row.seq + 1) for row in stand for one in course.take(row)]


def found(rows: list[Line]) -> list[tuple[str, str, int]]:
    return judged(GameCourse(BOOK, load_ship, "game.jsonl"), rows, frozenset())


def test_moves_by_the_rules() -> None:
    rows = entries(*SPEEDS, *MOVED, step(3, "move ships"), ships=UNLIKE)
    assert found(rows) == []
    course = GameCourse(BOOK, load_ship)
    assert judged(course, rows, frozenset()) == []
    assert course.made == {1: {("A", 2): "ahead", ("B", 2): "ahead"}}
    assert "C1.4/missed" in course.report().checked


def test_a_move_out_of_its_impulse_at_its_line() -> None:
    rows = entries(*SPEEDS, step(1, "move ships"), order("A", 1, move="ahead"))
    assert found(rows) == [("C1.4", "A", len(rows))]


def test_a_move_that_is_missed_is_found_when_the_impulse_is_over() -> None:
    rows = entries(*SPEEDS, *MOVED[:2], step(3, "move ships"), ships=UNLIKE)
    assert found(rows) == [("C1.4/missed", "B", len(rows))]


def test_what_is_undone_was_not_moved() -> None:
    rows = entries(*SPEEDS, step(1, "move ships"), order("A", 1, move="ahead"))
    course = GameCourse(BOOK, load_ship)
    assert judged(course, rows, frozenset({rows[-1].seq})) == [] and course.made == {}


def test_a_game_without_moves_in_the_record_is_played_on_a_table() -> None:
    assert found(entries(step(2, "move ships"), step(3, "move ships"))) == []


def test_who_is_to_move() -> None:
    course = GameCourse(BOOK, load_ship)
    rows = entries(*SPEEDS, *MOVED[:2], ships=UNLIKE)
    assert judged(course, rows, frozenset()) == [] and course.to_move == ("B",)
