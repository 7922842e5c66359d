"""When volleys that are due are rolled: each in its step, or those of an impulse together."""

from __future__ import annotations

from dataclasses import replace

from referee.adjudicator.volleys_due import held_until, volleys_left_by, volleys_to_roll
from referee.core.game import DueVolley, GameState
from referee.rulebooks.registry import load_rulebook
from tests.unit.adjudicator.recorded import SPEEDS, entries, state, step

EACH = load_rulebook("sfb-cadet")
TOGETHER = EACH.with_options({"volley_groups": "impulse"})
DUE = (DueVolley(4, 1, "B", 6, 1),)
LAST = EACH.descriptor["sequence_of_play"]["steps_of"]["damage"][-1]


def struck(name: str) -> GameState:
    """What seekers did in impulse 2 is due, in a step of it."""
    return replace(state(entries(*SPEEDS, step(2, name))), due=DUE)


def test_each_is_rolled_in_its_step() -> None:
    game = struck("move seekers")
    assert volleys_to_roll(EACH, game) == DUE and held_until(EACH, game) is None
    assert volleys_left_by(EACH, game, (1, 2, "launch")) == DUE


def test_together_they_wait_for_the_fire_of_the_impulse() -> None:
    game = struck("move seekers")
    assert volleys_to_roll(TOGETHER, game) == () and held_until(TOGETHER, game) == (1, 2, LAST)
    assert volleys_left_by(TOGETHER, game, (1, 2, LAST)) == ()
    assert volleys_left_by(TOGETHER, game, (1, 3, "move ships")) == DUE, "the impulse goes by without them"


def test_in_the_last_step_they_are_rolled() -> None:
    game = struck(LAST)
    assert volleys_to_roll(TOGETHER, game) == DUE and held_until(TOGETHER, game) is None
