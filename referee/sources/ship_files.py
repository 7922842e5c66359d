"""Ships by name or from a player's own file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from referee.core.errors import BadInput
from referee.core.ship import OWN, SECTIONS, ShipClass, plain_id, ship_from_json
from referee.formats.limits import MAX_JSON_FILE
from referee.rulebooks import registry
from referee.sources.inputs import InputBytes, read_input

MOST_BESIDE = 200
"""The number of files in a folder that a ship is looked for in."""


def find_ship(name: str, rulebook: str = "") -> ShipClass:
    """The ship of an id, a name or a ship file that a player names. Raises BadInput where it is none or
    several."""
    if _names_file(name):
        return _armed(read_ship(read_input(name)), name)
    try:
        return known_ship(name, rulebook)
    except BadInput as error:
        error.hint = f"did you mean {name}.json?" if is_file(f"{name}.json") else error.hint
        raise


def _armed(ship: ShipClass, file: str) -> ShipClass:
    """A ship whose weapons are all of the rulebook. Raises BadInput for another, which only `ship check` takes."""
    known = registry.weapon_systems(ship.rulebook)
    for n, mount in enumerate(ship.mounts):
        if mount.type not in known:
            hint = f"referee ship check {file} says what is allowed"
            raise BadInput(f"no weapon type {mount.type}", file=file, place=f"/mounts/{n}/type", hint=hint)
    return ship


def ship_for_game(name: str, rulebook: str = "") -> ShipClass:
    """As `find_ship`, of a ship that takes part in a game: one of the player's own has its digest in its id."""
    found = find_ship(name, rulebook)
    if not _names_file(name):
        return found
    from referee.core.own_sheets import enter_own_sheet

    return registry.load_ship(enter_own_sheet(sheet_called(name)))


def ship_asked_for(
    name: str, rulebook: str = "", find: Callable[[str, str], ShipClass] = ship_for_game
) -> ShipClass:
    """The ship a player names with `--ship`, who is to blame where there is none."""
    try:
        return find(name, rulebook)
    except BadInput as error:
        raise error.at(file="--ship") from None


def _names_file(name: str) -> bool:
    return name.endswith(".json") or is_file(name)


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
    return ship_of_sheet(ship_data(source), source.name)


def ship_of_sheet(sheet: Mapping[str, Any], file: str = "") -> ShipClass:
    """The ship of a data sheet that is valid by the schema."""
    if not registry.is_rulebook(sheet["rulebook"]):
        known = ", ".join(registry.rulebook_ids())
        raise BadInput(f"no rulebook {sheet['rulebook']}", file=file, place="/rulebook", hint=known)
    return ship_from_json(sheet, registry.weapon_systems(sheet["rulebook"]))


def ship_data(source: InputBytes) -> dict[str, Any]:
    """The JSON of a ship file, valid by the schema."""
    return held_sheet(source.as_json("no ship", "referee ship list names ships"), source.name)


def held_sheet(sheet: Any, file: str = "") -> dict[str, Any]:
    """A data sheet, held against the schema. Only a player's own ship need not say where its numbers are from."""
    from referee.formats.schemas import hold_against

    hold_against(sheet, "ship", file)
    assert isinstance(sheet, dict)
    if not sheet["id"].startswith(OWN):
        for place, number in sourced_in(sheet):
            if not {"source", "status"} <= {*number}:
                hint = f"only a ship of your own, with an id such as {OWN}raider, needs none"
                raise BadInput("source or status is missing", file=file, place=place, hint=hint)
    return sheet


def sourced_in(sheet: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What in a data sheet has a source, each with its path."""
    yield from ((mount["id"], mount) for mount in sheet["mounts"])
    for section in SECTIONS:
        yield from ((f"{section}/{name}", number) for name, number in sheet.get(section, {}).items())


def sheet_called(name: str) -> dict[str, Any]:
    """The data sheet of an id, a name or a ship file."""
    return (
        ship_data(read_input(name))
        if _names_file(name)
        else dict(registry.read_ship_json(known_ship(name).id))
    )


def ship_files_beside(file: str, wanted: str) -> list[tuple[ShipClass, str]]:
    """The ships of an id or a name in the folder of a file, each with its own file. Raises BadInput where there is but
    one that is broken."""
    id, found, broken = plain_id(wanted), [], None
    for path in islice(sorted(Path(file).parent.glob("*.json")), MOST_BESIDE):
        try:
            source = read_input(str(path)) if path.stat().st_size <= MAX_JSON_FILE else None
        except (BadInput, OSError):
            continue
        if source and all(part in source.data for part in (b"referee/ship/1", f'"{id}"'.encode())):
            try:
                ship = _armed(read_ship(source), str(path))
            except BadInput as error:
                broken = broken or error
            else:
                found += [(ship, str(path))] if id in (ship.id, ship.name) else []
    if broken and not found:
        raise broken
    return found
