"""How much of a VASSAL room is followed on one core, in how much memory, and how soon an order is answered.

    python benchmarks/room_speed.py [--seconds N] [--messages N]

A server of the tests, with two players, runs in a process of its own and says 2,000 lines of chat and makes 500 changes
of pieces a second: counters dragged with their report, properties, boxes of a display, which travel zipped. The referee
sits in the room by its own door, on the loopback. Every half second a player orders a hit, the first `!hit 21 on 1`; what is measured is
the time from the order's leaving the player to the answer's reaching him. Nothing is lost where all pieces stand in the
end as the players left them. Then 100,000 messages more are followed, and memory before and after is compared. Exit
code 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT)]

from referee.formats.vassal import command_types as lv  # noqa: E402
from referee.formats.vassal.chain import join_chain  # noqa: E402
from referee.formats.vassal.commands import encode_leaf  # noqa: E402
from referee.room.connection import Stay  # noqa: E402
from referee.room.following import RoomGame  # noqa: E402
from referee.room.joining import Joining  # noqa: E402
from referee.room.sitting import Sitting  # noqa: E402
from referee.sources.asked import Asked  # noqa: E402
from referee.sources.settings import Settings  # noqa: E402
from tests.room_server import Listening, Player  # noqa: E402
from tests.unit.room.games import Told, module, told, write_module  # noqa: E402

CHAT, CHANGES = 2_000, 500
"""Messages a second."""
MARKERS = 50
MOST_ANSWER = 0.050  # seconds
MOST_GROWTH = 2.0  # MB over 100,000 messages
MOVES = "impulse 2\nConst ahead\nDestr ahead\nimpulse 4\nConst ahead\nDestr ahead\n"
BOXES = "\n".join(f"Destr {'takes off' if n % 2 else 'marks'} shield 1: 1" for n in range(20))


def marker(n: int) -> str:
    """The command that puts a counter of no ship on the map."""
    types = ["PROP;Count;false,0,100,true;;", f"piece;;;m.png;Marker {n}"]
    return encode_leaf(
        lv.AddPiece(f"19{n:08d}", join_chain(types), join_chain(["0", f"Space;{100 + n};100;1;0"]))
    )


def change(n: int, boxes: tuple[str, ...]) -> str:
    """The nth change of a piece."""
    i, at = n % MARKERS, n // MARKERS
    id, x, y = f"19{i:08d}", 100 + (at * 37 + i) % 900, 100 + (at * 53) % 900
    if n % 10 == 9:
        return boxes[n // 10 % len(boxes)]
    if n % 10 >= 6:
        state = join_chain([str(at), f"Space;{x};{y};1;0"])
        return encode_leaf(lv.ChangePiece(id, state, state))
    move = lv.MovePiece(id, "Space", x, y, "null", "Space", 0, 0, "null", lv.Secret("secret-Ann"))
    return f"{encode_leaf(move)}\x1bCHAT* Marker {i} moves 0101 -> 0202 *"


def last_of(count: int) -> dict[str, int]:
    """Which change of each counter was the last."""
    return {f"19{n % MARKERS:08d}": n for n in range(count) if n % 10 != 9}


def played(pipe: Connection, seconds: float, game: Told, boxes: tuple[str, ...]) -> None:
    """The server and its players, in a process of their own."""
    room = Listening()
    ann, ben = (Player(room.port, module().name, name) for name in ("Ann", "Ben"))
    pipe.send(room.port)
    asked = ann.awaits("SYNCname=Referee", 30)
    ann.tells(asked.rpartition("|id=")[2], game.start)
    ann.awaits("say !join", 30)
    for one in (ann, ben):
        one.says(f"!join words of {one.name}")
        one.awaits(f"{one.name.lower()} has joined", 30)
    for message in game.messages:
        ann.tells_room(message)
    for n in range(MARKERS):
        ann.tells_room(marker(n))
    ann.says("!status")
    ann.awaits("turn 1", 30)
    took: list[float] = []
    said = changed = 0
    began = time.monotonic()
    ordered = 0.0
    next_order = began + 0.5
    while (now := time.monotonic()) - began < seconds or ordered:
        due = min(now - began, seconds)
        while changed < due * CHANGES:
            ann.tells_room(change(changed, boxes))
            changed += 1
        while said < due * CHAT:
            ann.tells_room(f"CHAT&lt;Ann&gt; - line {said} of some talk at the table")
            said += 1
        if not ordered and now >= next_order and now - began < seconds:
            ben.says("!hit 1 on 1" if took else "!hit 21 on 1")
            ordered = time.monotonic()
        for line in ben.lines(0):
            if (
                ordered
                and ("points on #1" in line or "1 point on #1" in line or "not entered" in line)
                and "Referee" in line
            ):
                took.append(time.monotonic() - ordered)
                ordered, next_order = 0.0, time.monotonic() + 0.5
        time.sleep(0.002)
    ann.says("!head")
    ann.awaits("head #", 120)
    pipe.send((took, said, changed, time.monotonic() - began))
    pipe.recv()
    room.close()


def main() -> int:
    """Measures, prints, and gives the exit code."""
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--messages", type=int, default=100_000)
    said = options.parse_args()
    game, marks = told(MOVES), told(MOVES + BOXES)
    boxes = tuple(message for message in marks.messages if message.startswith("D/"))[-20:]
    ok = True
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        context = get_context("spawn")
        here, there = context.Pipe()
        players = context.Process(target=played, args=(there, said.seconds, game, boxes), daemon=True)
        players.start()
        asked = Asked(
            Settings("sfb-cadet", {"previous_speed": "8"}),
            ships=game.named,
            module=write_module(Path(folder)),
        )
        log: list[str] = []
        joining = Joining(
            "Duel", "Referee", "quiet", "duel.jsonl", asked, print if os.environ.get("SHOW") else log.append
        )
        sitting = joining.sitting()
        import socket

        with socket.create_connection(("127.0.0.1", here.recv())) as wire:
            wire.setblocking(False)
            stay, used = Stay(wire, sitting), time.process_time()
            tick = sitting.tick

            def until_told(now: float) -> str:
                return tick(now) or ("over" if here.poll() or not players.is_alive() else "")

            sitting.tick = until_told  # type: ignore[method-assign]
            stay.run()
            used = time.process_time() - used
            took, chat, changed, lasted = here.recv()
        print(
            f"{chat} lines of chat and {changed} changes in {said.seconds:.0f} s; CPU of the referee {used:.1f} s"
        )
        print(f"all were followed {lasted - said.seconds:.2f} s after the last was sent")
        lost = [id for id, n in last_of(changed).items() if not _is_there(sitting.game, id, n)]
        print(f"counters that stand elsewhere than they were left: {len(lost)}")
        took.sort()
        slow = took[len(took) * 9 // 10]
        print(
            f"!hit answered: {len(took)} times, median {1000 * median(took):.1f} ms,"
            f" nine in ten within {1000 * slow:.1f} ms, most {1000 * took[-1]:.1f} ms"
        )
        ok &= not lost and used < said.seconds and slow <= MOST_ANSWER
        here.send(None)
        ok &= _memory(sitting, said.messages, boxes)
    print("targets met" if ok else "TARGETS MISSED")
    return 0 if ok else 1


def _is_there(game: RoomGame | None, id: str, n: int) -> bool:
    """Does a counter lie where its last change put it?"""
    assert game is not None
    i, at = n % MARKERS, n // MARKERS
    piece = game.board.pieces[id]
    return (piece.x, piece.y) == (100 + (at * 37 + i) % 900, 100 + (at * 53) % 900)


def _memory(sitting: Sitting, count: int, boxes: tuple[str, ...]) -> bool:
    """Follows messages with memory watched; does it stay flat?"""

    def messages(begin: int, end: int) -> Iterator[str]:
        for n in range(begin, end):
            yield (
                change(n // 5, boxes)
                if n % 5 == 0
                else f"CHAT&lt;Ann&gt; - {n} it hit for {n % 7} points, says nobody"
            )

    tracemalloc.start()
    for line in messages(0, 5_000):
        sitting.hear(line, 1e6)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for line in messages(5_000, 5_000 + count):
        sitting.hear(line, 1e6)
    gc.collect()
    grown = (tracemalloc.get_traced_memory()[0] - before) / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count} messages more: memory grew by {grown:.2f} MB; at most {most:.0f} MB in all")
    last = {id: n for n in range((5_000 + count) // 5) if n % 10 != 9 for id in [f"19{n % MARKERS:08d}"]}
    lost = [id for id, n in last.items() if not _is_there(sitting.game, id, n)]
    print(f"counters that stand elsewhere then: {len(lost)}")
    return grown <= MOST_GROWTH and not lost


if __name__ == "__main__":
    sys.exit(main())
