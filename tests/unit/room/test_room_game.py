"""A game in a room: the referee follows it, answers in chat, and keeps a record that says what the log of it says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.room.conftest import Room
from tests.unit.room.games import Told

Seat = Callable[..., Told]


def test_smoke(room: Room, seated: Seat) -> None:
    game = seated("""
        form Const: Movement 8
        form Destr: Movement 8
        impulse 2
        Const ahead
        Destr ahead
        impulse 4
        Const right
        Destr ahead
        """)
    room.plays(game)
    for line in (
        "!status",
        "!hit 21 on 1",
        "!speed 13",
        "!fire PH-1/A at Destr",
        "!roll 2d6",
        "!odds",
        "!seal abc",
        "!undo",
        "!nonsense",
        "!next",
        "!roll",
    ):
        print(line)
        for got in room.says("Ann", line):
            print("      ", got)
    print("\n".join(room.log))
    assert 0
