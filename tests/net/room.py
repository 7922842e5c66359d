"""`referee join` in a room of a server of our own, with players who come, play a log message by message, and speak."""

from __future__ import annotations

import re
import shlex
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from tests.net.command import Ran, command
from tests.net.gamefiles import games
from tests.room_server import Listening, Player

_PATIENCE = 20


def played_in_room(options: str, given: list[str]) -> Iterator[str]:
    """What the referee prints while `Ann comes`, `starts`, `plays 3`, `says !status`, `sends CHAT..`, `goes`, `waits`; each waits
    till the referee has printed the words behind ` ~ `."""
    text = games("battles")[0]["does"][0]["game.vlog"]["vassal"]
    start, *steps = re.split(r"(?<!\\)\x1bLOG\t", text)
    messages = iter(step.replace("\\\x1b", "\x1b").replace("\x1bLOG\t", "\x1b") for step in steps)
    door, ran, players = Listening(), [Ran(0, "", "")], dict[str, Player]()
    address = f"127.0.0.1:{door.port}"

    def sits() -> None:
        ran[0] = command("join", address, "--room", "Duel", "--tries", "1", *shlex.split(options))

    referee = threading.Thread(target=sits, daemon=True)
    stood, seen = sys.stdout, 0
    try:
        for line in given:
            act, _, words = line.partition(" ~ ")
            name, does, what = (*act.split(" ", 2), "")[:3]
            match does:
                case "comes":
                    players[name] = Player(door.port, "Generated Duel", name)
                case "sits":
                    referee.start()
                    asked = players[name].awaits("SYNCname=Referee")
                case "starts":
                    players[name].tells(asked.rpartition("|id=")[2], start)
                case "plays":
                    for _ in range(int(what)):
                        players[name].tells_room(next(messages))
                case "says":
                    players[name].says(what)
                    time.sleep(0.1)  # ten orders a second are answered
                case "sends":
                    players[name].tells_room(what)
                case "waits":
                    time.sleep(1)  # the referee looks at the map four times a second
                case "goes":
                    players.pop(name).leaves()
            seen = _printed(words, seen) if words and sys.stdout is not stood else seen
    finally:
        door.drop_all()
        referee.join(_PATIENCE)
        door.close()
    yield from (f"  {line}".replace(address, "SERVER") for line in (ran[0].out + ran[0].err).splitlines())


def _printed(words: str, seen: int) -> int:
    """Waits till the referee has printed some words; where they end."""
    out: Any = sys.stdout
    until = time.monotonic() + _PATIENCE
    while (at := out.buffer.getvalue().decode().find(words, seen)) < 0:
        assert time.monotonic() < until, f"{words} never came: {out.buffer.getvalue().decode()[seen:]}"
        time.sleep(0.005)
    return at + len(words)
