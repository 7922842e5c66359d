"""The lines that client and server of a VASSAL room say to each other, and the roster they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache

from referee.core.frozen import frozen
from referee.formats.vassal.sequence import decode, encode
from referee.room.packing import packed
from referee.room.properties import read_properties, write_properties

MAIN_ROOM = "Main Room"
GOODBYE = "!BYE"
ASKS_TO_REGISTER = "REG_REQUEST"
ASKS_FOR_GAME = "SYNC"
_LIST, _ROOMS = "LIST\t", "ROOM_INFO\t"
MAX_PLAYERS = 2_000
"""Players of a roster that are read."""


@frozen
class Client:
    """A client of the module: its id, which holds the player's password, is never shown."""

    id: str = field(repr=False)
    room: str
    info: Mapping[str, str] = field(repr=False)

    @property
    def name(self) -> str:
        """What the player calls himself."""
        return self.info.get("name", "")


# -- what a client says --------------------------------------------------------------------


def register(module: str, id: str, info: Mapping[str, str]) -> str:
    """The first line: who comes, into the Main Room."""
    return "REG\t" + encode((id, encode((module, MAIN_ROOM), "/"), write_properties(info)), "\t")


def join(module: str, room: str, password: str = "") -> str:
    """Moves to a room, which is there from then on."""
    path = encode((module, room), "/")
    return f"JOIN\t{path}\t{password}" if password else f"JOIN\t{path}"


def to_others(module: str, room: str, own: str, message: str) -> str:
    """A message to all others in a room."""
    return _forward(encode((module, room, f"~{own}"), "/"), message)


def to_player(module: str, id: str, message: str) -> str:
    """A message to one player alone."""
    return _forward(encode((module, "*", id), "/"), message)


def tell_again(info: Mapping[str, str]) -> str:
    """What the referee tells of itself, again: the server answers with the roster."""
    return f"STATS\t{write_properties(info)}"


def _forward(path: str, message: str) -> str:
    return "FWD\t" + encode((path, packed(message)), "\t")


# -- what the server says ------------------------------------------------------------------


def clients_in(line: str, module: str) -> tuple[Client, ...] | None:
    """The clients of a module that a LIST names, in its order; None for another line."""
    if not line.startswith(_LIST):
        return None
    rows = decode(line[len(_LIST) :], "\t")[:MAX_PLAYERS]
    return tuple(client for row in rows if (client := _client(row, module)) is not None)


@lru_cache(maxsize=2 * MAX_PLAYERS)
def _client(row: str, module: str) -> Client | None:
    """A client of a roster; most stood in the one before as well."""
    path, *info = decode(row, "=")
    parts = decode(path, "/")
    if len(parts) != 3 or parts[0] != module or not info:
        return None
    return Client(parts[2], parts[1], read_properties(info[0]))


def rooms_in(line: str) -> dict[str, dict[str, str]] | None:
    """What is said of rooms, by name: their owner, whether they are locked; None for another line."""
    if not line.startswith(_ROOMS):
        return None
    return {
        name: read_properties(properties) for name, properties in read_properties(line[len(_ROOMS) :]).items()
    }


def asking(line: str) -> dict[str, str] | None:
    """Who asks for the game, as he tells of himself; None for another line."""
    return read_properties(line[len(ASKS_FOR_GAME) :]) if line.startswith(ASKS_FOR_GAME) else None


def ask_for_game(info: Mapping[str, str]) -> str:
    """The message that asks an owner for the game."""
    return ASKS_FOR_GAME + write_properties(info)
