"""How a game that was begun from a scenario stands: who has won, by the endings of the scenario."""

from __future__ import annotations

from collections.abc import Iterator

from referee.adjudicator.setup import scenario_of
from referee.core.game import GameState
from referee.core.scenario import Scenario, UnitStatus, Victory, victory


def standing_in(scenario: Scenario, state: GameState) -> Victory:
    """How a game stands by the endings of a scenario."""
    return victory(scenario, [*_ships(state), *_drones(state)])


def _ships(state: GameState) -> Iterator[UnitStatus]:
    """The ships. What a volley does that has struck and is not marked, nobody knows yet."""
    waiting = _struck(state)
    for ship in state.ships.values():
        holes = len(ship.state.destroyed)
        inside = None if ship.name in waiting and not holes else holes
        yield UnitStatus(ship.name, ship.unit.hex, ship.state.dead, inside, left=ship.out)


def _struck(state: GameState) -> set[str]:
    """The ships that volleys have struck which are not rolled or not marked yet."""
    orders = dict(state.orders)
    open_rolls = [
        roll.volley
        for roll in state.rolls.values()
        if roll.volley is not None and (roll.status == "declared" or roll.number == state.unapplied)
    ]
    ordered = [orders[number]["volley"]["ship"] for number in (*open_rolls, *state.volleys_open)]
    return {*(due.ship for due in state.volleys_due), *ordered}


def _drones(state: GameState) -> Iterator[UnitStatus]:
    for drone in state.drones.values():
        seeker = state.seekers.get(drone.name)
        spent = drone.fate not in ("flying", "destroyed")
        yield UnitStatus(
            drone.name, seeker.hex if seeker else None, drone.fate == "destroyed", None, spent=spent
        )


def standing_of(state: GameState) -> Victory | None:
    """How a game stands by the scenario its first entry names; None where it names none. Raises BadInput for
    a scenario that is not known."""
    scenario = scenario_of(state.genesis)
    return None if scenario is None else standing_in(scenario, state)


def has_forms(state: GameState) -> bool:
    """Are energy forms filled in, in the game's scenario? They are in games that name none."""
    scenario = scenario_of(state.genesis)
    return scenario is None or scenario.forms


def is_over(state: GameState) -> bool:
    """Has an ending of the game's scenario come about?"""
    stands = standing_of(state)
    return stands is not None and stands.over
