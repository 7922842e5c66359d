"""A ship's state as JSON, by `schemas/ship-state.schema.json`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee.core.state import ShipState

SCHEMA = "referee/ship-state/1"


def state_json(state: ShipState) -> dict[str, Any]:
    """A state as JSON, by `schemas/ship-state.schema.json`; what is not known is left out."""
    parts: dict[str, Any] = {
        "schema": SCHEMA,
        "ship": state.ship,
        "destroyed": sorted(state.destroyed),
        "shields": {str(number): left for number, left in sorted(state.shields.items())},
        "dead": state.dead or None,
        "shuttles_away": sorted(state.shuttles_away) or None,
        "batteries": _written(state.batteries),
        "capacitor": _written(state.capacitor),
        "tubes": {tube: [str(part) for part in paid] for tube, paid in state.tubes.items()} or None,
        "speed": _written(state.speed),
        "shields_down": state.shields_down or None,
    }
    return {name: value for name, value in parts.items() if value is not None}


def _written(amount: Fraction | None) -> str | None:
    return None if amount is None else str(amount)
