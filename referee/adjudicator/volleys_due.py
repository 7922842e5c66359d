"""When volleys that are due in a game record are rolled: each in its step, or by option all of an impulse together."""

from __future__ import annotations

from typing import Any

from referee.core.game import DueVolley, GameState
from referee.rulebooks.base import Rulebook

Moment = tuple[int, int | None, str]


def volleys_to_roll(rulebook: Rulebook, state: GameState) -> tuple[DueVolley, ...]:
    """The volleys whose time has come. By option `volley_groups=impulse` what seekers do to a shield is one
    volley with the fire that strikes it in the same impulse, and so waits until that is rolled."""
    last = _last_step(rulebook)
    if last is None or state.impulse is None:
        return state.volleys_due
    steps = _steps(rulebook)
    waits = state.step in steps and steps.index(state.step) < steps.index(last)
    return () if waits or state.unrolled else state.volleys_due


def volleys_left_by(rulebook: Rulebook, state: GameState, to: Moment) -> tuple[DueVolley, ...]:
    """The volleys that are left behind where the game moves on to a moment."""
    stop = held_until(rulebook, state)
    if stop is None or to == stop or (to[:2] == stop[:2] and _before(rulebook, to[2], stop[2])):
        return volleys_to_roll(rulebook, state)
    return state.volleys_due


def held_until(rulebook: Rulebook, state: GameState) -> Moment | None:
    """The moment volleys that are due wait for; None where none waits."""
    last = _last_step(rulebook)
    if last is None or not state.volleys_due or volleys_to_roll(rulebook, state):
        return None
    return state.turn, state.impulse, last


def _last_step(rulebook: Rulebook) -> str | None:
    """The step in which all volleys of an impulse are rolled; None where each is in its own."""
    if "volley_groups" not in rulebook.options or rulebook.option("volley_groups") != "impulse":
        return None
    step: str = rulebook.descriptor["sequence_of_play"]["steps_of"]["damage"][-1]
    return step


def _steps(rulebook: Rulebook) -> list[Any]:
    return list(rulebook.descriptor["sequence_of_play"]["impulse"])


def _before(rulebook: Rulebook, step: str, last: str) -> bool:
    steps = _steps(rulebook)
    return step in steps and steps.index(step) < steps.index(last)
