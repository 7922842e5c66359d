"""Where a ship is, in the words of every screen, command and report."""

from __future__ import annotations

from referee.core.hexgrid import Hex, parse_open_position, true_range

LEFT = "has left the map"
"""What is told of a ship that left the map, and is out of the game."""


def place_text(at: str) -> str:
    """Where a ship is, `0915C`; beyond the hexes that have numbers, by the hex of the edge it is nearest to."""
    try:
        hex, facing = parse_open_position(at)
    except ValueError:
        return at
    edge = Hex(min(max(hex.column, 1), 99), min(max(hex.row, 1), 99))
    if edge == hex:
        return at
    away = true_range(edge, hex)
    far = f"{away} hexes " if away > 1 else ""
    return f"off the map, {far}beyond {edge}{f', facing {facing}' if facing else ''}"


def standing_text(at: str) -> str:
    """That a ship is there: `at 0915C`; or off the map."""
    place = place_text(at)
    return f"at {at}" if at and place == at else place or "not on the map"
