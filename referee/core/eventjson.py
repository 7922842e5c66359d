"""Events as JSON and back, for records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from referee.core.errors import BadInput
from referee.core.events import (
    ArmorHit,
    BoxDestroyed,
    Event,
    Reinforced,
    ShieldHit,
    ShipDestroyed,
    ShuttleLost,
)

KINDS: dict[str, type[Event]] = {
    "reinforced": Reinforced,
    "shield_hit": ShieldHit,
    "armor_hit": ArmorHit,
    "box_destroyed": BoxDestroyed,
    "shuttle_lost": ShuttleLost,
    "ship_destroyed": ShipDestroyed,
}
_NAMES = {kind: name for name, kind in KINDS.items()}


def event_json(event: Event) -> dict[str, Any]:
    """An event as an object with its kind."""
    parts = {field.name: getattr(event, field.name) for field in fields(event)}
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in parts.items()}
    return {"event": _NAMES[type(event)], **values}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """An event from its object. Raises BadInput for one this version does not know or that is misshapen."""
    kind = KINDS.get(str(data.get("event", "")))
    if kind is None:
        raise BadInput(f"event {str(data.get('event'))[:40]!a} is not known")
    wanted = {field.name: field.type for field in fields(kind)}
    given = {name: value for name, value in data.items() if name not in ("event", "ship")}
    if set(given) != set(wanted):
        raise BadInput(f"event {data['event']} has other fields than {', '.join(wanted)}")
    for name, value in given.items():
        shape = wanted[name]
        fits = (
            isinstance(value, list) and all(isinstance(part, str) for part in value)
            if "tuple" in str(shape)
            else type(value) is int and value >= 0
            if shape == "int"
            else isinstance(value, str)
        )
        if not fits:
            raise BadInput(f"event {data['event']}: {name} is misshapen")
    make: Callable[..., Event] = kind
    return make(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
