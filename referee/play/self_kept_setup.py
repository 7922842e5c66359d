"""What a game on a rulebook's own table begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.play.game_file import NewEntry
    from referee.rulebooks.base import Rulebook


def ships_of_setup(setup: Mapping[str, Any], players: Sequence[str], folder: str) -> list[NewEntry]:
    """The `ship` entries of a combat file; a ship is its side's player's. Raises BadInput."""
    entries: list[NewEntry] = []
    for index, given in enumerate(setup["ships"]):
        if given["side"] not in players:
            hint = f"--players {','.join(dict.fromkeys(ship['side'] for ship in setup['ships']))}"
            raise BadInput(f"side {given['side']} is no player", place=f"/ships/{index}/side", hint=hint)
        rest = {name: value for name, value in given.items() if name not in ("name", "ship", "side")}
        id = f"{folder}/{given['ship'].rpartition('/')[2]}"
        entries.append(("ship", {"ship": given["name"], "class": id, "player": given["side"], **rest}))
    return entries


def ship_entry(given: Mapping[str, str], rulebook: Rulebook) -> dict[str, Any]:
    """The `ship` entry of `--ship`; its crew is rolled for, and the number behind / is its warp."""
    id = f"{rulebook.descriptor['folder']}/{given['class'].rpartition('/')[2]}"
    data: dict[str, Any] = {"ship": given["ship"], "class": id, "player": given["player"]}
    data |= {"at": given.get("at", ""), "crew": {"roll": True}}
    return data | ({"warp": int(given["speed"])} if "speed" in given else {})


def documents_of(folder: str) -> list[str]:
    """An owner's documents as the record keeps them, so that it can be replayed without the folder."""
    from referee.sources.own_documents import owned_documents

    return [dumps(data, ensure_ascii=False) for _, data in owned_documents(folder)]
