"""The referee's own door: real sockets on the loopback, cut at every byte, broken and found again."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.play.game_file import open_game
from referee.room.connection import sit, split_address
from referee.room.joining import Joining
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from tests.room_server import Listening, Player
from tests.unit.room.games import module, told, write_module

LINES = "impulse 2\nConst ahead\nDestr ahead\n"
BOUND = 20.0


class Enough(Exception):
    """The test has seen what it wants."""


@pytest.fixture
def joining(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Joining:
    monkeypatch.chdir(tmp_path)
    game = told(LINES)
    asked = Asked(
        Settings("sfb-cadet", {"previous_speed": "8"}), ships=game.named, module=write_module(tmp_path)
    )
    return Joining("Duel", "Referee", "advise", "duel.jsonl", asked, lambda line: None)


@pytest.fixture(params=[0, 1, 7])
def server(request: pytest.FixtureRequest) -> Iterator[Listening]:
    server = Listening(split=request.param)
    yield server
    server.close()


def sits(server: Listening, joining: Joining, stays: int = 1) -> Callable[[], None]:
    """The referee sits in a thread until it has lost the line so often; gives what waits for that."""
    lost = []

    def wait(seconds: float) -> None:
        lost.append(seconds)
        if len(lost) >= stays:
            raise Enough

    def run() -> None:
        try:
            sit(("127.0.0.1", server.port), joining.sitting, lambda line: None, wait=wait)
        except Enough:
            return

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def over() -> None:
        thread.join(BOUND)
        assert not thread.is_alive()

    return over


def test_a_game_in_a_room(server: Listening, joining: Joining) -> None:
    game = told(LINES)
    ann, ben = (Player(server.port, module().name, name) for name in ("Ann", "Ben"))
    over = sits(server, joining)
    asked = ann.awaits("SYNCname=Referee")
    ann.tells(asked.rpartition("|id=")[2], game.start)
    ann.awaits("the record is begun")
    for one in (ann, ben):
        one.says(f"!join words of {one.name}")
        one.awaits(f"{one.name.lower()} has joined")
    for message in game.messages:
        ann.tells_room(message)
    ann.says("!status")
    ann.awaits("turn 1, impulse 2")
    ben.says("!Destr: hit 21 on 1")
    ann.awaits("21 points on #1")
    state = open_game("duel.jsonl").state
    assert state.ships["Destr"].state.shields[1] == 0
    assert str(state.ships["Const"].unit.hex) == "2011"
    for one in (ann, ben):
        one.leaves()
    server.drop_all()
    over()
    assert Path("duel.now.vsav").exists()


def test_it_comes_back_and_goes_on(joining: Joining) -> None:
    server = Listening()
    game = told(LINES)
    ann = Player(server.port, module().name, "Ann")
    over = sits(server, joining, stays=2)
    asked = ann.awaits("SYNCname=Referee")
    ann.tells(asked.rpartition("|id=")[2], game.start)
    ann.awaits("the record is begun")
    head = open_game("duel.jsonl").head
    server.drop_all()
    cat = Player(server.port, module().name, "Cat")
    until = time.monotonic() + BOUND
    while "Referee" not in str(server.server.clients) and time.monotonic() < until:
        time.sleep(0.01)
    cat.awaits("here, to advise")
    cat.says("!head")
    cat.awaits(head)
    server.drop_all()
    over()
    server.close()


def test_no_server_after_so_many_tries_is_an_error_that_names_it(joining: Joining) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    waits: list[float] = []
    with pytest.raises(BadInput) as error:
        sit(("127.0.0.1", port), joining.sitting, lambda line: None, tries=4, wait=waits.append)
    assert f"127.0.0.1:{port}" in str(error.value)
    assert waits == [1, 2, 4]


def test_a_server_that_closes_at_once_counts_as_a_try(joining: Joining) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:

        def close_each() -> None:
            for _ in range(2):
                wire, _ = door.accept()
                wire.close()

        thread = threading.Thread(target=close_each, daemon=True)
        thread.start()
        with pytest.raises(BadInput):
            sit(door.getsockname()[:2], joining.sitting, lambda line: None, tries=2, wait=lambda _: None)
        thread.join(BOUND)


@pytest.mark.parametrize(
    ("text", "meant"), [("localhost:5050", ("localhost", 5050)), ("[::1]:5050", ("::1", 5050))]
)
def test_addresses(text: str, meant: tuple[str, int]) -> None:
    assert split_address(text) == meant


@pytest.mark.parametrize("text", ["localhost", "localhost:", ":5050", "h:0", "h:99999", "h:x", "h:５０５０"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BadInput, match="HOST:PORT"):
        split_address(text)


@pytest.mark.parametrize(
    ("room", "name", "mode"),
    [
        ("Main Room", "Referee", "advise"),
        ("a/b", "Referee", "advise"),
        ("Duel", "<b>", "advise"),
        ("Duel", "R", "loud"),
    ],
)
def test_what_cannot_be_joined_is_said_before_anybody_is_disturbed(
    tmp_path: Path, room: str, name: str, mode: str
) -> None:
    asked = Asked(Settings(), module=write_module(tmp_path))
    with pytest.raises(BadInput):
        Joining(room, name, mode, str(tmp_path / "x.jsonl"), asked, print)
