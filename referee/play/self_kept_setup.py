"""What a game on a rulebook's own table begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.play.game_file import NewEntry
    from referee.rulebooks.base import Rulebook


def ships_of_setup(setup: Mapping[str, Any], players: Sequence[str], folder: str) -> list[NewEntry]:
    """The `ship` entries of a combat file; a ship is its side's player's. Raises BadInput."""
    entries: list[NewEntry] = []
    for index, said in enumerate(setup["ships"]):
        if said["side"] not in players:
            hint = f"--players {','.join(dict.fromkeys(ship['side'] for ship in setup['ships']))}"
            raise BadInput(f"side {said['side']} is no player", place=f"/ships/{index}/side", hint=hint)
        rest = {name: value for name, value in said.items() if name not in ("name", "ship", "side")}
        id = f"{folder}/{said['ship'].rpartition('/')[2]}"
        entries.append(("ship", {"ship": said["name"], "class": id, "player": said["side"], **rest}))
    return entries


def ship_entry(said: Mapping[str, str], book: Rulebook) -> dict[str, Any]:
    """The `ship` entry of `--ship`; its crew is rolled for, and the number behind / is its warp."""
    id = f"{book.descriptor['folder']}/{said['class'].rpartition('/')[2]}"
    data: dict[str, Any] = {"ship": said["ship"], "class": id, "player": said["player"]}
    data |= {"at": said.get("at", ""), "crew": {"roll": True}}
    return data | ({"warp": int(said["speed"])} if "speed" in said else {})


def documents_of(folder: str) -> list[str]:
    """An owner's documents as the record keeps them, so that it can be replayed without the folder."""
    from json import dumps

    from referee.sources.own_documents import owned_documents

    return [dumps(data, ensure_ascii=False) for _, data in owned_documents(folder)]
