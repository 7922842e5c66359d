"""Events as JSON and back, for records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from referee.core.errors import BadInput
from referee.core.events import (
    ArmorHit,
    BoxDestroyed,
    BoxRestored,
    Event,
    Reinforced,
    ShieldHit,
    ShieldRestored,
    ShipDestroyed,
    ShuttleLost,
    WeaponFired,
)

KINDS: dict[str, type[Event]] = {
    "reinforced": Reinforced,
    "shield_hit": ShieldHit,
    "armor_hit": ArmorHit,
    "box_destroyed": BoxDestroyed,
    "shuttle_lost": ShuttleLost,
    "weapon_fired": WeaponFired,
    "ship_destroyed": ShipDestroyed,
    "shield_restored": ShieldRestored,
    "box_restored": BoxRestored,
}
RESTORES = frozenset(("shield_restored", "box_restored"))
"""Kinds of events that no dice bring about: a file shows them, or a ruling says so."""
_NAMES = {kind: name for name, kind in KINDS.items()}


def event_json(event: Event) -> dict[str, Any]:
    """An event as an object with its kind."""
    parts = {field.name: getattr(event, field.name) for field in fields(event)}
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in parts.items()}
    return {"event": _NAMES[type(event)], **values}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """An event from its object. Raises BadInput for one this version does not know or that is malformed."""
    kind = data.get("event")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadInput(f"event {str(kind)[:40]!a} is not known")
    fitting = _fields(kind)
    given = {name: value for name, value in data.items() if name not in ("event", "ship")}
    if given.keys() != fitting.keys():
        raise BadInput(f"event {kind} has other fields than {', '.join(fitting)}")
    for name, value in given.items():
        if not fitting[name](value):
            raise BadInput(f"event {kind}: {name} is malformed")
    make: Callable[..., Event] = KINDS[kind]
    return make(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


@cache
def _fields(kind: str) -> dict[str, Callable[[Any], bool]]:
    """What the fields of a kind of event take."""
    return {
        field.name: _is_texts
        if "tuple" in str(field.type)
        else _is_count
        if field.type == "int"
        else _is_text
        for field in fields(KINDS[kind])
    }


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
