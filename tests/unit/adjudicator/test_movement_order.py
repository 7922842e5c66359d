"""Who is still to move in an impulse of a record, and who at the same time."""

from __future__ import annotations

from referee.adjudicator.movement_order import tied, to_move
from referee.core.game import GameState
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import D6, FED, SPEEDS, entries, order, state, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
MOVEMENT = BOOK.offers.movement(BOOK)
UNLIKE = (("A", FED, "1510A"), ("B", D6, "1506D"))


def waiting(game: GameState) -> list[str]:
    return [ship.name for ship, _ in to_move(game, MOVEMENT, load_ship)]


def test_those_called_that_have_not_moved() -> None:
    assert waiting(state(entries(*SPEEDS, step(1, "move ships")))) == [], "speed 8 is not called on impulse 1"
    assert waiting(state(entries(*SPEEDS, step(2, "move ships")))) == ["A", "B"]
    moved = entries(*SPEEDS, step(2, "move ships"), order("A", 2, move="ahead"))
    assert waiting(state(moved)) == ["B"]


def test_ships_alike_of_two_players_move_at_the_same_time() -> None:
    at_once = state(entries(*SPEEDS, step(2, "move ships")))
    assert [[ship.name for ship in group] for group in tied(at_once, MOVEMENT, load_ship)] == [["A", "B"]]
    unlike = state(entries(*SPEEDS, step(2, "move ships"), ships=UNLIKE))
    assert tied(unlike, MOVEMENT, load_ship) == [], "their turn modes tell who moves first"
