"""A room without a network: the server of the tests, the referee's sitting, and players, all in one hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal.sequence import encode
from referee.room.joining import Joining
from referee.room.packing import packed, unpacked
from referee.room.properties import write_properties
from referee.room.sitting import Sitting
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from tests.room_server import MAIN, Server
from tests.unit.room.games import Told, told, write_module


class Room:
    """The room `Duel`, with a clock that is turned by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.server, self.now = folder, Server(), 0.0
        self.log: list[str] = []
        self.heard: dict[str, list[str]] = {}
        self._numbers: dict[str, int] = {}
        self._count = count(1)
        self._sitting: Sitting | None = None
        self.over = ""
        self.record = str(folder / "duel.jsonl")

    @property
    def sitting(self) -> Sitting:
        assert self._sitting is not None
        return self._sitting

    def referee(self, named: tuple[str, ...] = (), mode: str = "advise", **more: Any) -> Sitting:
        """The referee comes in."""
        asked = Asked(
            Settings("sfb-cadet", {"previous_speed": "8"}), ships=named, module=write_module(self.folder)
        )
        joining = Joining("Duel", "Referee", mode, self.record, asked, self.log.append, **more)
        self._sitting = joining.sitting()
        self._numbers["Referee"] = next(self._count)
        self.server.opened(self._numbers["Referee"])
        self.sitting.session.begin(self.now)
        self.pump()
        return self.sitting

    def id(self, name: str) -> str:
        return self.sitting.session.id if name == "Referee" else f"secret-{name}.1"

    def comes(self, *names: str) -> None:
        """Players come into the room."""
        for name in names:
            self._numbers[name] = next(self._count)
            self.heard.setdefault(name, [])
            self.server.opened(self._numbers[name])
            module = self.module
            info = write_properties({"name": name, "id": self.id(name)})
            self.sends(name, "REG\t" + encode((self.id(name), f"{module}/{MAIN}", info), "\t"))
            self.sends(name, f"JOIN\t{module}/Duel")

    @property
    def module(self) -> str:
        from tests.unit.room.games import module

        return module().name

    def goes(self, name: str) -> None:
        self.server.closed(self._numbers.pop(name))
        self.pump()

    def sends(self, name: str, line: str) -> None:
        self.server.line(self._numbers[name], line)
        self.pump()

    def tells(self, name: str, message: str) -> None:
        """A player sends commands to all others."""
        path = f"{self.module}/Duel/~{self.id(name)}"
        self.sends(name, "FWD\t" + encode((path, packed(message)), "\t"))

    def says(self, name: str, text: str) -> list[str]:
        """A player types a line; gives what comes of it to him."""
        before = len(self.heard[name])
        self.tells(name, f"CHAT&lt;{name}&gt; - {text}")
        return self.heard[name][before:]

    def serves(self, name: str, game: str) -> None:
        """A player answers the referee's question for the game."""
        path = f"{self.module}/*/{self.id('Referee')}"
        self.sends(name, "FWD\t" + encode((path, packed(game)), "\t"))

    def pump(self) -> None:
        """All that is said reaches those it is for, until nobody says anything."""
        by_number = {number: name for name, number in self._numbers.items()}
        for _ in range(10_000):
            out, self.server.out = self.server.out, []
            if self._sitting is not None and "Referee" in self._numbers:
                mine, self.sitting.session.out = self.sitting.session.out, []
                for line in mine:
                    if not self.server.line(self._numbers["Referee"], line):
                        self._numbers.pop("Referee")
                        break
                out += self.server.out
                self.server.out = []
                if not out and not mine:
                    return
            elif not out:
                return
            for number, line in out:
                self._gets(by_number.get(number, ""), line)
        raise AssertionError("they never stop talking")

    def _gets(self, name: str, line: str) -> None:
        if name == "Referee":
            self.over = self.sitting.hear(line, self.now) or self.over
        elif name and not line.startswith(("LIST\t", "ROOM_INFO\t")):
            self.heard[name] += unpacked(line).split("\x1b")

    def passes(self, seconds: float) -> None:
        """Time goes by."""
        for _ in range(int(seconds * 4)):
            self.now += 0.25
            self.over = self.sitting.tick(self.now) or self.over
            self.pump()

    def plays(
        self, game: Told, names: tuple[str, str] = ("Ann", "Ben"), each: Callable[[int], None] | None = None
    ) -> None:
        """The messages of a game are sent by the first player."""
        for n, message in enumerate(game.messages, 1):
            self.now += 0.5
            self.tells(names[0], message)
            self.sitting.tick(self.now)
            if each:
                each(n)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.chdir(tmp_path)
    yield Room(tmp_path)


@pytest.fixture
def seated(room: Room) -> Callable[..., Told]:
    """Ann and Ben sit in the room, the referee comes and gets their game, and both give their part of the dice."""

    def seat(lines: str, mode: str = "advise", *, joined: bool = True, **more: Any) -> Told:
        game = told(lines)
        room.comes("Ann", "Ben")
        room.referee(game.named, mode, **more)
        room.serves("Ann", game.start)
        if joined:
            room.says("Ann", "!join seven")
            room.says("Ben", "!join eleven")
        return replace(game)

    return seat
