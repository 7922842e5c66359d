"""How a game that was begun from a scenario stands: who has won, by the endings of the scenario."""

from __future__ import annotations

from referee.core.game import GameState
from referee.core.scenario import Scenario, Standing, Victory, victory


def standing_in(scenario: Scenario, state: GameState) -> Victory:
    """How a game stands by the endings of a scenario."""
    ships = state.ships.values()
    return victory(
        scenario,
        [Standing(ship.name, ship.unit.hex, ship.state.dead, len(ship.state.destroyed)) for ship in ships],
    )


def standing_of(state: GameState) -> Victory | None:
    """How a game stands by the scenario its first entry names; None where it names none. Raises BadInput for
    a scenario that is not known."""
    if "scenario" not in state.genesis:
        return None
    from referee.rulebooks.registry import load_scenario

    return standing_in(load_scenario(str(state.genesis["scenario"])), state)


def has_forms(state: GameState) -> bool:
    """Are energy forms filled in, in the game's scenario? They are in games that name none."""
    if "scenario" not in state.genesis:
        return True
    from referee.rulebooks.registry import load_scenario

    return load_scenario(str(state.genesis["scenario"])).forms


def is_over(state: GameState) -> bool:
    """Has an ending of the game's scenario come about?"""
    stands = standing_of(state)
    return stands is not None and stands.over
