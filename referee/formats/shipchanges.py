"""A ship at the table that is not quite the packaged one: its class with what a module map changes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.core.errors import BadInput
from referee.core.ship import ShipClass, Sourced
from referee.formats.modulemap import MappedShip, pointer_part

BY = ("module map",)


def as_mapped(ship: ShipClass, listed: MappedShip, file: str, pointer: str) -> ShipClass:
    """The class with its `changes`. Raises BadInput, at its place in the map, for a box, a shield or a weapon
    the ship does not have."""
    changes = listed.changes
    known = {mount.id for mount in ship.mounts}
    for name, id in listed.weapons.items():
        if id not in known:
            _refuse(ship, "weapon", id, file, f"{pointer}/weapons/{pointer_part(name)}")
    boxes: Mapping[str, int] = changes.get("boxes", {})
    shields = {int(number): left for number, left in changes.get("shields", {}).items()}
    arcs: Mapping[str, str] = changes.get("arcs", {})
    there = (
        ("boxes", boxes, {*ship.boxes}),
        ("shields", changes.get("shields", {}), {str(number) for number in ship.shields}),
        ("arcs", arcs, known),
    )
    for part, changed, has in there:
        for name in changed:
            if name not in has:
                _refuse(ship, part, name, file, f"{pointer}/changes/{part}/{pointer_part(name)}")
    if not changes:
        return ship
    figures = {"turn_mode": changes["turn_mode"]} if "turn_mode" in changes else {}
    values: dict[str, Any] = {f"boxes/{name}": count for name, count in boxes.items()}
    values |= {f"shields/{number}": left for number, left in shields.items()}
    values |= {f"mounts/{id}": arc for id, arc in arcs.items()}
    values |= {f"figures/{name}": value for name, value in figures.items()}
    sources = {path: Sourced(value, BY, "verified") for path, value in values.items()}
    return replace(
        ship,
        boxes={**ship.boxes, **boxes},
        shields={**ship.shields, **shields},
        mounts=tuple(replace(mount, arc=arcs.get(mount.id, mount.arc)) for mount in ship.mounts),
        figures={**ship.figures, **figures},
        sources={**ship.sources, **sources},
        _ids={},
        _marks={},
    )


def _refuse(ship: ShipClass, part: str, name: str, file: str, place: str) -> None:
    what = {"boxes": "boxes of", "shields": "shield", "arcs": "weapon"}.get(part, part)
    raise BadInput(f"{ship.name} has no {what} {name}", file=file, place=place, hint="see referee ship show")
