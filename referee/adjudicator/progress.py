"""What is against moving on in a game record: what is owed, not carried out, or passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.record_seekers import called, strike_due
from referee.adjudicator.volleys_due import volleys_left_by, volleys_to_roll
from referee.adjudicator.waiting_for import filers, files_forms, unfiled, unsaid
from referee.core.board import LoadShip
from referee.core.finding import Finding
from referee.core.game import GameState
from referee.rulebooks.base import Rulebook


def unresolved(rulebook: Rulebook, load_ship: LoadShip, state: GameState, to: Any = None) -> tuple[str, ...]:
    """What was ordered, or has to happen now or before the game moves on to a moment, and is not carried out."""
    waits = [f"the dice of {order.ship}'s fire" for order in state.unrolled if _are_due(rulebook, state, to)]
    waits += [f"roll {roll.number}" for roll in state.open_rolls if roll.fire or roll.volley is not None]
    left = volleys_to_roll(rulebook, state) if to is None else volleys_left_by(rulebook, state, to)
    waits += [f"the volley of {due.points} on {due.ship}" for due in left]
    waits += [f"the volley of entry {number}" for number in state.volleys_open]
    if to is not None and to[0] > state.turn + 1:
        waits += [f"the flight of {name} in turn {state.turn + 1}" for name in state.seekers]
    if state.seekers:
        steps = rulebook.descriptor["sequence_of_play"]["steps_of"]
        if state.step in steps["seekers' movement"]:
            waits += [f"the move of {seeker.name}" for seeker in called(rulebook, state)]
        passed = _passed(rulebook, state, to)
        waits += [
            f"the move of {name} in impulse {impulse}" for name, impulse in _stood(rulebook, state, passed)
        ]
        strikes = state.step in steps["seekers' strike"] or any(
            step in steps["seekers' strike"] for _, _, step in passed
        )
        if strikes and strike_due(rulebook, load_ship, state):
            waits.append("what its seekers do")
    return tuple(waits)


def _are_due(rulebook: Rulebook, state: GameState, to: Any) -> bool:
    """Are the dice of the fire ordered due now, or before the game moves on to a moment? Not in the steps before
    those of its damage, where it was ordered too early."""
    steps = rulebook.descriptor["sequence_of_play"]["steps_of"].get("damage of fire", ())
    row = [moment for moment in _row(rulebook, state) if moment[:2] == (state.turn, state.impulse)]
    now = state.turn, state.impulse, state.step
    if now not in row or to not in row:
        return True
    return any(step in steps for _, _, step in row[row.index(now) : row.index(to)])


def _passed(rulebook: Rulebook, state: GameState, to: Any) -> list[Any]:
    """The moments that are passed over on the way to another, in this turn and the next."""
    now = state.turn, state.impulse, state.step
    row = _row(rulebook, state)
    return row[row.index(now) + 1 : row.index(to)] if now in row and to in row else []


def _row(rulebook: Rulebook, state: GameState) -> list[Any]:
    """The moments of this turn and the next."""
    moments = rulebook.offers.moments
    return [moment for turn in (state.turn, state.turn + 1) for moment in moments(rulebook, turn)]


def _stood(rulebook: Rulebook, state: GameState, passed: Iterable[Any]) -> Iterator[tuple[str, int]]:
    """The seekers that stood still when the chart called them first, in moments that are passed over."""
    steps = rulebook.descriptor["sequence_of_play"]["steps_of"]["seekers' movement"]
    reported: set[str] = set()
    for turn, impulse, step in passed:
        if step in steps:
            moved = state.seekers_moved if (turn, impulse) == (state.turn, state.impulse) else frozenset()
            then = replace(state, turn=turn, impulse=impulse, seekers_moved=moved)
            for seeker in called(rulebook, then):
                if seeker.name not in reported:
                    reported.add(seeker.name)
                    yield seeker.name, impulse


def moving_on(rulebook: Rulebook, load_ship: LoadShip, state: GameState, to: Any) -> list[Finding]:
    """What is against moving on to a moment."""
    filing_ships = filers(state)
    due = tuple(f"{ship} ({player})" for player, ship in unfiled(state, filing_ships))
    filing = tuple(f"{ship.name} ({ship.player})" for ship in filing_ships)
    # Whoever plays without forms files none; once one is in, the turn waits for all.
    none_yet = len(due) == len(filing)
    before = files_forms(state)
    alone = state.dice_mode not in ("peer", "umpire", "physical") and not before
    # Who says a speed and files nothing has the form on paper.
    paper = all(state.turn in ship.speeds for ship in filing_ships) and not before
    owed, skipped = ((), () if alone or paper else due) if none_yet else (due, ())
    now = (state.turn, state.impulse, state.step)
    left = unresolved(rulebook, load_ship, state, to)
    silent = unsaid(state)
    quiet = tuple((ship.name, ship.unit.speed) for ship in silent)
    robots = tuple(ship.name for ship in silent if ship.robot and state.turn not in ship.forms)
    passed = () if alone else filing
    facts = rulebook.offers.progress(rulebook, now, to, owed, left, skipped, quiet, passed, before, robots)
    found = (item for rule in rulebook.rules_on("progress", "check") for item in judge(rule, rulebook, facts))
    return [item for item in found if isinstance(item, Finding)]
