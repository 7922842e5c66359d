"""The ships' numbers that players confirmed from their SSDs: a file in the game's folder, beside `referee.toml`.

Every command that runs in the folder reads ships with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.core.confirmed import Numbers, asked_of, hold
from referee.core.errors import BadInput
from referee.rulebooks import registry
from referee.rulebooks.base import nearest

FILE = "confirmed-ships.json"
SCHEMA = "referee/confirmed-ships/1"
MOST_NAME = 60


def use_folder() -> None:
    """From now on ships have the numbers confirmed in this folder. Raises BadInput for a file that is broken."""
    registry.use_confirmed({id: ship["numbers"] for id, ship in read_confirmed().items() if ship["numbers"]})


def read_confirmed(file: str = FILE) -> dict[str, dict[str, Any]]:
    """What was confirmed, by ship: its `numbers` and, where it was said, `by` whom. Nothing where there is no such
    file. Raises BadInput for one that is broken, or that says otherwise than a verified number."""
    from referee.formats.files import read_bytes
    from referee.formats.limits import MAX_JSON_FILE
    from referee.formats.strictjson import load_json

    if not Path(file).is_file():
        return {}
    document = load_json(read_bytes(file, MAX_JSON_FILE), file)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise BadInput(f"its schema is not {SCHEMA}", file=file, place="/schema")
    ships = document.get("ships")
    if not isinstance(ships, dict) or set(document) != {"schema", "ships"}:
        raise BadInput("holds more or less than ships", file=file, place="/ships", hint=_SHAPE)
    for id, ship in ships.items():
        _hold_ship(id, ship, file)
    return ships


_SHAPE = "referee schema confirmed-ships shows what is allowed"


def _hold_ship(id: str, ship: Any, file: str) -> None:
    """Raises BadInput, with its place, for what is no set of confirmed numbers of a ship."""
    place = f"/ships/{id.replace('/', '~1')[:80]}"
    shaped = (
        isinstance(ship, dict) and set(ship) <= {"by", "numbers"} and isinstance(ship.get("numbers"), dict)
    )
    if not shaped or not isinstance(ship.get("by", ""), str) or len(ship.get("by", "")) > MOST_NAME:
        raise BadInput("is no set of numbers", file=file, place=place, hint=_SHAPE)
    try:
        hold_numbers(id, ship["numbers"])
    except BadInput as error:
        raise error.at(file=file, place=place) from None


def hold_numbers(id: str, numbers: Numbers) -> None:
    """Raises BadInput for a ship that is not there, a number that is not asked of it, or one that cannot be."""
    known = asked_numbers(id)
    for path, value in numbers.items():
        if path not in known:
            section, _, name = path.partition("/")
            sheet = registry.packaged_sheet(id)
            verified = name in sheet.get(section, ()) or any(
                path.startswith(f"mounts/{m['id']}/") for m in sheet["mounts"]
            )
            if verified:
                raise BadInput(
                    f"{path} of {id} is verified already", hint="an SSD that differs: referee init ship"
                )
            raise BadInput(f"{path} is no number asked of {id}", hint=nearest(path, known))
        try:
            hold(path, value)
        except ValueError as error:
            raise BadInput(f"{path}: {error}") from None


def asked_numbers(id: str) -> tuple[str, ...]:
    """The paths of the numbers of a ship that are not verified in the package. Raises BadInput for no ship with an SSD."""
    from referee.formats.schemas import read_schema

    systems = read_schema("ship")["properties"]["boxes"]["properties"]
    return asked_of(registry.packaged_sheet(registry.ship_id(id)), systems)


def numbers_of(classes: Iterable[str]) -> dict[str, Numbers]:
    """The confirmed numbers of some classes of ships."""
    wanted = set(classes)
    return {id: numbers for id, numbers in registry.confirmed_ships().items() if id in wanted}
