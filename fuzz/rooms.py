"""Frames of a VASSAL room: bytes cut at any place, the session that hears them, and the game that they play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from referee.core.errors import BadInput
from referee.room.following import RoomGame
from referee.room.framing import Garbage, Lines
from referee.room.names import client_info
from referee.room.packing import packed, unpacked
from referee.room.properties import read_properties, write_properties
from referee.room.session import GameCame, RoomMessage, Session
from referee.room.wire import Client
from tests.unit.room.games import module, told

AIMS = (
    "referee/room/wire.py",
    "referee/room/session.py",
    "referee/room/packing.py",
    "referee/room/following.py",
)
_LONGEST = 4096


def take(data: bytes) -> None:
    """Hears and plays what a server says."""
    heard = [line for line in Lines(_LONGEST).feed(data) if line]
    cut = Lines(_LONGEST)
    pieces = [line for at in range(0, len(data), 7) for line in cut.feed(data[at : at + 7]) if line]
    assert pieces == heard, "bytes that were cut make other lines"
    session = Session("Generated Duel", "Duel", "me", client_info("Referee", "1"))
    session.begin(0.0)
    session.inside = True
    session.members = {"me": Client("me", "Duel", {}), "Ann": Client("Ann", "Duel", {"name": "Ann"})}
    game = RoomGame(_start(), _module())
    game.watch(("Const", "Destr"))
    for line in heard:
        if isinstance(line, Garbage):
            continue
        assert unpacked(packed(line)) == line or line.startswith("!ZIP!"), "packed and unpacked it is another"
        said = read_properties(line)
        assert read_properties(write_properties(said)) == said, "properties written and read again are others"
        for happening in session.hear(line, 1.0):
            game = _played(game, happening)


def _played(game: RoomGame, happening: object) -> RoomGame:
    """The game after what happens in the room; what cannot be read leaves it as it is."""
    with suppress(BadInput):
        if isinstance(happening, GameCame):
            return RoomGame(happening.text, _module())
        if isinstance(happening, RoomMessage):
            game.play(happening.text)
    assert game.text.startswith("begin_save"), "a game that cannot be given to whoever comes"
    return game


@cache
def _start() -> str:
    return told("impulse 2\nConst ahead\n").start


_module = cache(module)


def seeds() -> Iterator[bytes]:
    """A room as it fills, games played in it, and what is garbage there."""
    from tests.unit.room.test_room_hostile import GARBAGE

    for lines in ("impulse 2\nConst ahead\nDestr ahead\n", "Ann: !fire PH-1/A at Destr\nAnn rolls 3\n"):
        game = told(lines)
        yield "".join(packed(message) + "\n" for message in game.messages).encode()
        yield (packed(game.start) + "\n").encode()
    yield "".join(f"{line}\n" for line in GARBAGE).encode()
    yield from (f"{line}\n".encode() for line in GARBAGE)
