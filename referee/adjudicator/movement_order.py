"""Who is still to move in an impulse of a game record, and in which order."""

from __future__ import annotations

from typing import Any

from referee.core.board import LoadShip
from referee.core.game import GameState, ShipInGame


def to_move(state: GameState, movement: Any, load_ship: LoadShip) -> list[tuple[ShipInGame, Any]]:
    """The ships called in this impulse that have not moved in it, each with its place in the order of
    movement (C1.3): None where that is not known. `movement` are the rules of movement of the game."""
    return [
        (ship, movement.rating(load_ship(ship.state.ship), ship.unit))
        for ship in state.ships.values()
        if not ship.state.dead
        and ship.unit.hex is not None
        and not state.has_left(ship)
        and ship.unit.moved_on != state.impulse
        and movement.called(ship.unit, state.impulse)
    ]


def tied(state: GameState, movement: Any, load_ship: LoadShip) -> list[tuple[ShipInGame, ...]]:
    """The ships of different players that have to move at the same time in this impulse, group by group."""
    groups: dict[Any, list[ShipInGame]] = {}
    for ship, place in to_move(state, movement, load_ship):
        if place is not None:
            groups.setdefault(place, []).append(ship)
    return [tuple(group) for group in groups.values() if len({ship.player for ship in group}) > 1]
