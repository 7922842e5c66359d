"""What is against moving on in a record: what is owed, not carried out, or passed over."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.progress import moving_on, unresolved
from referee.core.game import GameState
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import SPEEDS, entries, order, state, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FIRED = (*SPEEDS, step(2, "fire"), order("A", 2, fire=("PH-1/A", "B")))


def against(game: GameState, to: Any) -> list[str]:
    return [f"{found.key} {found.message}" for found in moving_on(BOOK, load_ship, game, to)]


def test_nothing_is_left_behind_at_the_start() -> None:
    game = state(entries())
    assert unresolved(BOOK, load_ship, game) == ()


def test_dice_of_fire_are_not_left_behind() -> None:
    game = state(entries(*FIRED))
    assert unresolved(BOOK, load_ship, game) == ("the dice of A's fire",)
    assert any("the dice of A's fire" in told for told in against(game, (1, 3, "move ships")))
    quiet = state(entries(*SPEEDS, step(2, "fire")))
    assert not any("dice" in told for told in against(quiet, (1, 3, "move ships")))


def test_fire_ordered_too_early_is_due_in_its_own_step() -> None:
    early = state(entries(*SPEEDS, step(2, "move ships"), order("A", 2, fire=("PH-1/A", "B"))))
    assert unresolved(BOOK, load_ship, early, (1, 2, "move seekers")) == ()
    assert unresolved(BOOK, load_ship, early, (1, 3, "move ships")) == ("the dice of A's fire",)


def test_a_form_that_another_has_filed_is_owed() -> None:
    """Once one is in, the turn waits for all; its speed is to be said as well."""
    filed = (
        "form",
        {"ship": "A", "player": "a", "turn": 1, "form": {"line_14": {"line": "14", "amount": "8"}}},
    )
    told = against(state(entries(filed)), (1, 1, "move ships"))
    assert any("B (b)" in one for one in told), told
    assert not any("B (b)" in one for one in against(state(entries()), (1, 1, "move ships")))
