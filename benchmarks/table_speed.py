"""How fast the screen of `referee table` answers: `python -m benchmarks.table_speed [--entries N] [--orders N] [--rounds N]`.

A real screen on a pseudo-terminal, in a record of 4,000 entries with twelve ships: the time from a key to the answer
standing on the screen, the memory after so many orders, and the time from the start to the first screen against a bare
Typer program that says hello. Exit code 1 means a target was missed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.startup import HELLO, once
from referee.cli.main import run
from referee.play.desk import Desk
from referee.play.game_file import open_game
from referee.record.headcode import head_code
from referee.record.reading import read
from tests.unit.live.onascreen import OnAScreen

MEDIAN, WORST, START, GROWTH = 50.0, 150.0, 6.0, 1.15
FLEETS = 6


def begin(path: str, fleets: int) -> None:
    """A game of twice so many ships, far from each other."""
    ships = []
    for n in range(fleets):
        ships += ["--ship", f"Fed{n}=cadet/federation-ca:ann@{10 + 5 * n:02}30A/8"]
        ships += ["--ship", f"Kli{n}=cadet/klingon-d6:bob@{10 + 5 * n:02}10D/8"]
    began = [
        "game",
        "new",
        path,
        "--players",
        "ann,bob",
        "--umpire",
        "uma",
        "--dice",
        "seed",
        "--seed",
        "s",
        *ships,
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(began) == 0


def long_game(path: str, entries: int) -> None:
    """Plays it until it has so many entries: all ships fly in circles. Nothing is made durable meanwhile."""
    begin(path, FLEETS)
    durable, os.fsync = os.fsync, lambda fd: None
    try:
        desk = Desk(path)
        while desk.count < entries:
            if desk.mover:
                movers = desk.sight.movers
                for way in ("left", "ahead"):
                    if not desk.say("\n".join(f"{ship}: {way}" for ship in movers)).pending:
                        break
                else:
                    desk.let_stand()
            elif desk.sight.impulse is None and any(ship.speed != 8 for ship in desk.sight.ships):
                desk.say("\n".join(f"{ship.name}: speed 8" for ship in desk.sight.ships))
                desk.next()
            elif desk.next().pending:
                desk.let_stand()
    finally:
        os.fsync = durable


def head(path: str) -> str:
    """The head code of a record."""
    last = read(path)[-1]
    return head_code(last.seq, last.hash)


def answered(screen: OnAScreen, path: str, key: str) -> float:
    """Milliseconds from a key to the new head code on the screen."""
    before = screen.shown.splitlines()[0][-40:]
    begun = perf_counter()
    screen.press(key)
    while screen.shown.splitlines()[0][-40:] == before and perf_counter() - begun < 5:
        screen.read(0.05)
    taken = 1000 * (perf_counter() - begun)
    while screen.read(0.005):
        pass
    return taken


def memory(pid: int) -> int:
    """The memory of a process, in KiB."""
    told = Path(f"/proc/{pid}/status").read_text()
    return int(told.partition("VmRSS:")[2].split()[0])


def played(path: str, orders: int) -> tuple[list[float], list[int]]:
    """The milliseconds of so many orders by keys, and the memory after each tenth of them."""
    screen = OnAScreen(path, 120, 40)
    screen.until(head(path))
    taken: list[float] = []
    held: list[int] = []
    for n in range(orders):
        state = screen.shown
        key = "a" if "a ahead" in state else "enter" if "Enter:" in state else "n"
        taken.append(answered(screen, path, key))
        if "against the rules" in screen.shown:
            screen.press("s", "enter")
            while screen.read(0.3):
                pass
        if (n + 1) % (orders // 10) == 0:
            held.append(memory(screen.pid))
    screen.kill()
    return taken, held


def first_screen(path: str, environment: dict[str, str]) -> float:
    """Milliseconds from the start to the first screen."""
    begun = perf_counter()
    screen = OnAScreen(path, **environment)
    screen.until(head(path))
    taken = 1000 * (perf_counter() - begun)
    screen.kill()
    return taken


def started(folder: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of a Typer hello and of the first screen, one of each in turn."""
    path = str(folder / "small.jsonl")
    begin(path, 1)
    hello = folder / "hello.py"
    hello.write_text(HELLO)
    cached = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    } | cached
    bare, screens = [], []
    for n in range(rounds + 1):
        one = 1000 * once([sys.executable, str(hello)], environment)
        two = first_screen(path, cached)
        if n:  # The first writes the byte code.
            bare.append(one)
            screens.append(two)
    return bare, screens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=4000)
    parser.add_argument("--orders", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    random.seed(0)
    met = True

    def told(what: str, figure: float, most: float, unit: str) -> None:
        nonlocal met
        met &= figure <= most
        print(
            f"{what:<46} {figure:7.2f} {unit:<3} target ≤ {most:g}: {'met' if figure <= most else 'MISSED'}"
        )

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "long.jsonl")
        long_game(path, options.entries)
        print(
            f"a record of {len(open_game(path).entries)} entries, {2 * FLEETS} ships; {options.orders} orders by keys"
        )
        taken, held = played(path, options.orders)
        told("key to repainted answer, median", median(taken), MEDIAN, "ms")
        told("key to repainted answer, worst", max(taken), WORST, "ms")
        told(f"memory at the end against {held[1] // 1024} MiB early on", held[-1] / held[1], GROWTH, "x")
        bare, screens = started(Path(folder), options.rounds)
        print(f"hello {median(bare):.0f} ms, first screen {median(screens):.0f} ms")
        told("start to first screen against a Typer hello", median(screens) / median(bare), START, "x")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
