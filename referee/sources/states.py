"""A ship's state as a file: read with every box held against its SSD, written back after a volley."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.ship import ShipClass, plain_id
from referee.core.state import ShipState, live_boxes, new_state
from referee.rulebooks.base import nearest
from referee.sources.inputs import read_input


def read_state(path: str, ship: ShipClass) -> ShipState:
    """The state of a ship from a file. Raises BadInput for boxes or shields the ship does not have."""
    from referee.formats.schemas import hold_against

    source = read_input(path)
    data = source.as_json("no ship's state", "referee volley --state-out writes one")
    hold_against(data, "ship-state", source.name)
    assert isinstance(data, dict)
    if plain_id(data["ship"]) != plain_id(ship.id):
        raise BadInput(f"is of {data['ship']}, not of {ship.id}", file=path, place="/ship")
    known = {box for system in ship.systems for box in ship.box_ids(system)}
    destroyed = [_box(name, ship, known, path) for name in data.get("destroyed", [])]
    shields = dict(ship.shields)
    for number, left in data.get("shields", {}).items():
        if left > shields.get(int(number), 0):
            raise BadInput(f"shield {number} has {left} boxes", file=path, place=f"/shields/{number}")
        shields[int(number)] = left
    return ShipState(
        ship=ship.id,
        shields=shields,
        destroyed=frozenset(destroyed),
        dead=data.get("dead", False),
        shuttles_away=frozenset(data.get("shuttles_away", ())),
        shields_down=data.get("shields_down", False),
        batteries=_energy(data.get("batteries")),
        capacitor=_energy(data.get("capacitor")),
        tubes={
            tube: tuple(_energy(part) or Fraction(0) for part in paid)
            for tube, paid in data.get("tubes", {}).items()
        },
        speed=_energy(data.get("speed")),
    )


def _box(name: str, ship: ShipClass, known: set[str], path: str) -> str:
    if name not in known:
        raise BadInput(
            f"{ship.name} has no box {name}", file=path, place="/destroyed", hint=nearest(name, known)
        )
    return name


def _energy(value: Any) -> Fraction | None:
    if value is None:
        return None
    return parse_energy(value) if isinstance(value, str) else Fraction(value)


def known_from_state(path: str, ship: ShipClass, rulebook: Any) -> Any:
    """What a state file says of the ship when the first turn of its form is allocated."""
    return rulebook.offers.known_damage(read_state(path, ship), None, exact_start=True)


def whole_or_read(path: str, ship: ShipClass) -> ShipState:
    """A ship's state from a file, or the whole ship."""
    return read_state(path, ship) if path else new_state(ship)


def boxes_left(ship: ShipClass, state: ShipState) -> dict[str, tuple[int, int]]:
    """Live and printed boxes by system."""
    return {
        system: (len(live_boxes(ship, state, system)), len(ship.box_ids(system)))
        for system in ship.systems
        if ship.box_ids(system)
    }
