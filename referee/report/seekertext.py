"""Seekers of a game for people and as JSON: those on the map, and what became of the drones of the start."""

from __future__ import annotations

from typing import Any

from referee.core.combat import FreeDrone, Seeker

FATES = {
    "destroyed": "destroyed",
    "struck": "reached its target",
    "left": "has left the map",
    "lost": "gone: what it went after is",
}
"""What became of a drone of the start."""


def drone_json(drone: FreeDrone) -> dict[str, Any]:
    """A drone of the start, and what became of it."""
    about = {"side": drone.side, "player": drone.player, "target": drone.target}
    return {"name": drone.name, "fate": drone.fate, **{part: text for part, text in about.items() if text}}


def seeker_json(seeker: Seeker) -> dict[str, Any]:
    """A seeker on the map."""
    return {
        "name": seeker.name,
        "type": seeker.type,
        "owner": seeker.owner,
        "target": seeker.target,
        "at": f"{seeker.hex}{seeker.facing}",
        "damage": seeker.damage,
    }


def seeker_line(seeker: Seeker) -> str:
    """A seeker on the map, in a line."""
    hurt = f", {seeker.damage} point{'s' * (seeker.damage != 1)} scored on it" if seeker.damage else ""
    course = f"after {seeker.target}" if seeker.target else "straight ahead"
    by = "" if seeker.owner else f", ordered by {seeker.player}" if seeker.player else ", by itself"
    return f"{seeker.name} ({seeker.type}) at {seeker.hex}{seeker.facing}, {course}{by}{hurt}"
