"""Ships by name or from a player's own file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.core.errors import BadInput
from referee.core.ship import ShipClass, ship_from_json
from referee.rulebooks import registry
from referee.sources.inputs import InputBytes, read_input


def find_ship(name: str, rulebook: str = "") -> ShipClass:
    """The ship of an id, a name or a ship file that a player names. Raises BadInput where it is none or
    several."""
    if name.endswith(".json") or is_file(name):
        ship = read_ship(read_input(name))
        for n, mount in enumerate(ship.mounts):
            if mount.type not in registry.weapon_systems(ship.rulebook):
                raise BadInput(
                    f"no weapon type {mount.type}",
                    file=name,
                    place=f"/mounts/{n}/type",
                    hint=f"referee ship check {name} says what is allowed",
                )
        return ship
    return known_ship(name, rulebook)


def ship_asked_for(name: str, rulebook: str = "") -> ShipClass:
    """The ship a player names with `--ship`, who is to blame where there is none."""
    try:
        return find_ship(name, rulebook)
    except BadInput as error:
        raise error.at(file="--ship") from None


def is_file(name: str) -> bool:
    """Is there a file of that name? What cannot be a file name is none."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def known_ship(name: str, rulebook: str = "", *, file: str = "") -> ShipClass:
    """The packaged ship of an id or a name. Names that stand in other people's files are looked up here
    and nowhere else. Raises BadInput where it is none or several."""
    if name in registry.ship_ids():
        return registry.load_ship(name)
    ships = registry.ships_called((name,), rulebook)
    if len(ships) == 1:
        return ships[0]
    if ships:
        choices = ", ".join(ship.id for ship in ships[:6])
        hint = "name one with --ship, or say --rulebook" if file else "name it in full"
        raise BadInput(f"{name} may be {choices}", file=file, hint=hint)
    try:
        return registry.load_ship(name)
    except BadInput as error:
        raise error.at(file=file) from None


def read_ship(source: InputBytes) -> ShipClass:
    """A ship from a player's file, held against the schema first."""
    data = ship_data(source)
    if not registry.is_rulebook(data["rulebook"]):
        known = ", ".join(registry.rulebook_ids())
        raise BadInput(f"no rulebook {data['rulebook']}", file=source.name, place="/rulebook", hint=known)
    return ship_from_json(data, registry.weapon_systems(data["rulebook"]))


def ship_data(source: InputBytes) -> dict[str, Any]:
    """The JSON of a ship file, valid by the schema."""
    from referee.formats.schemas import hold_against
    from referee.formats.strictjson import load_json

    data = load_json(source.data, source.name)
    hold_against(data, "ship", source.name)
    assert isinstance(data, dict)
    return data
