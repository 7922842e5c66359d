"""Drones on the map from the start, which no ship of the game launched: how they enter, what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.core.combat import Fate, FreeDrone, Moment, Seeker
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.hexgrid import Hex, parse_position
from referee.core.naming import MOST_SEEKERS
from referee.core.scenario import off_map

if TYPE_CHECKING:
    from referee.core.board import Board

MOST_SPEED = 99
"""Hexes a turn nobody moves faster than, whatever the chart."""


def check_drone(board: Board, data: Mapping[str, Any]) -> None:
    """Raises unless a drone may enter the game: before play has begun, under a name of its own, after a ship that
    is there or after none."""
    name, player, target = data["name"], data.get("player", ""), data.get("target", "")
    if board.begun:
        raise IntegrityFailure(f"{name[:40]} enters when play has begun")
    if not name.strip() or is_named(board, name):
        raise IntegrityFailure(f"there is a {name[:40]} already")
    if target and target not in board.ships:
        raise BadInput(f"no ship {target[:40]!a} for {name[:40]} to go after")
    if player and player not in board.players:
        raise IntegrityFailure(f"{player[:40]} is no player")
    if data["speed"] > MOST_SPEED:
        raise BadInput(f"drone: speed {data['speed']}")
    if len(board.seekers) >= MOST_SEEKERS:
        raise IntegrityFailure(f"more than {MOST_SEEKERS} seekers on the map")
    _stands(data["at"])


def is_named(board: Board, name: str) -> bool:
    """Is a ship or a drone of the start called so, in any case of letters?"""
    return name.casefold() in {known.casefold() for known in (*board.ships, *board.drones)}


def _stands(at: str) -> tuple[Hex, str]:
    """Hex and facing of a drone. Raises BadInput."""
    try:
        hex, facing = parse_position(at)
    except ValueError as error:
        raise BadInput(f"drone: {error}") from None
    if facing is None:
        raise BadInput(f"drone: {at} has no facing")
    return hex, facing


def place_drone(board: Board, data: Mapping[str, Any]) -> None:
    """A drone stands on the map, ready to move in the first impulse."""
    name, side, player, target = (str(data.get(part, "")) for part in ("name", "side", "player", "target"))
    hex, facing = _stands(data["at"])
    began = Moment(max(board.turn, 1), 1)
    board.drones[name] = FreeDrone(name, side, player, target)
    board.seekers[name] = Seeker(
        name, "drone", "", target, hex, facing, began, speed=data["speed"], player=player, side=side
    )


def has_gone(board: Board, seeker: Seeker, fate: Fate) -> None:
    """A seeker is on the map no more; of a drone of the start it is remembered why."""
    del board.seekers[seeker.name]
    if seeker.name in board.drones:
        board.drones[seeker.name] = replace(board.drones[seeker.name], fate=fate)


def fate_of(board: Board, seeker: Seeker) -> Fate:
    """Why a seeker that was not shot down leaves the map."""
    target = board.ships.get(seeker.target)
    if target is not None and target.unit.hex == seeker.hex and not target.state.dead:
        return "struck"
    return "left" if off_map(str(board.genesis.get("options", {}).get("map", "")), seeker.hex) else "lost"
