"""A volley as JSON, by `schemas/volley.schema.json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.volley import Hit, VolleyResult, hits_by_system
from referee.report.statejson import state_json

SCHEMA = "referee/volley/1"


def volley_json(
    result: VolleyResult, rulebook: str, dice_source: str, rolls: Sequence[int]
) -> dict[str, Any]:
    """The whole volley."""
    shield = None
    if result.shield_before is not None:
        shield = {"number": result.order.shield, "before": result.shield_before, "after": result.shield_after}
    parts: dict[str, Any] = {
        "schema": SCHEMA,
        "ship": result.ship.id,
        "rulebook": rulebook,
        "damage": result.order.points,
        "reinforcement": result.reinforcement,
        "shield": shield,
        "armor": {"before": result.armor_before, "after": result.armor_after},
        "internals": result.internals,
        "lost": hits_by_system(result.hits),
        "hits": [_hit(hit) for hit in result.hits],
        "destroyed": result.destroyed,
        "wasted": result.wasted,
        "state": state_json(result.state),
        "dice": {"source": dice_source, "rolls": list(rolls)},
        "policy": result.chooser,
        "data_status": _status(result) or None,
        "unsure": list(_unsure(result)) or None,
        "rules": list(result.rules),
    }
    return {name: value for name, value in parts.items() if value is not None}


def _unsure(result: VolleyResult) -> tuple[str, ...]:
    """The numbers of the ship a volley rests on that are not verified."""
    return result.ship.unsure("boxes", "shields", "tracks")


def _status(result: VolleyResult) -> str:
    status = result.ship.status_of(*_unsure(result))
    return "" if status == "verified" else status


def _hit(hit: Hit) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "n": hit.n,
        "roll": hit.roll,
        "cell": hit.cell,
        "result": hit.result,
        "system": hit.system,
        "box": hit.box,
        "note": hit.note,
    }
    kept = {name: value for name, value in parts.items() if value not in (None, "")}
    # A point that destroyed the ship cost no box.
    return {"system": None, "box": None, **kept}
