"""How fast a log of the online client is judged: `python -m benchmarks.play_speed [MIB]`.

The log holds games of two ships, eight turns each, written by the generator of the tests: moves by the chart and the
turn mode, volleys with their dice and damage.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from unittest.mock import patch

from referee.core.arcs import bears
from referee.core.gameorders import after
from referee.core.hexgrid import Hex, relative_offset
from referee.core.orders import OrdersFile
from referee.formats.orders import parse_orders
from referee.formats.sfbol_games import read_play
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.sources.sfbol_written import Style, Written

SPEEDS = (8, 12, 14, 16, 20, 24)
NAMES = ("Kharg", "Sabre", "Marauder", "Constellation", "Emperor", "Intrepid")
"""Klingons and Federation ships by turns."""


def game(seed: int, turns: int = 8, count: int = 2) -> OrdersFile:
    """A game of some ships by the rules of movement, with volleys in every turn."""
    random = Random(seed)
    book = load_rulebook("sfb-standard")
    chart = book.offers.movement(book).chart
    lines = ["rulebook sfb-standard", "impulses 32"]
    ships, where, speed = {}, {}, {}
    for n, (name, fast) in enumerate(zip(NAMES, sorted(random.sample(SPEEDS, count)), strict=False)):
        id = ("standard/klingon-d7", "standard/federation-ca")[n % 2]
        ships[name], speed[name] = load_ship(id), fast
        where[name] = Hex(44 + 5 * (n // 2) + 10 * (n % 2), 44 + 10 * (n % 2)), "AD"[n % 2]
        lines.append(f"ship {name} = {id} at {where[name][0]}{where[name][1]}")
    for turn in range(1, turns + 1):
        lines += [f"turn {turn}", *(f"{name}: speed {n}" for name, n in speed.items())]
        since = dict.fromkeys(ships, 0)
        for impulse in range(1, 33):
            lines.append(f"impulse {impulse}")
            for name in sorted(speed, key=lambda one: speed[one]):
                if chart.calls(speed[name], impulse):
                    beyond = not stays(*where[name])
                    ways = [way for way in ("left", "right") if stays(*after(*where[name], way))]
                    ways = ways or (["left"] if beyond else [])
                    turns_now = since[name] >= 6 and bool(ways) and (beyond or random.random() < 0.2)
                    since[name] = 0 if turns_now else since[name] + 1
                    way = random.choice(ways) if turns_now else "ahead"
                    where[name] = after(*where[name], way)
                    lines.append(f"{name}: {way}")
            for name, other in zip(ships, reversed(ships), strict=True) if impulse == 20 else ():
                seen = relative_offset(*where[name], where[other][0])
                bearing = [
                    mount.id for mount in ships[name].mounts if "PH-" in mount.id and bears(mount.arc, seen)
                ]
                if bearing:
                    lines.append(f"{name}: fire {', '.join(bearing[:3])} at {other}")
    # A long game is more than a player's orders file may hold.
    with patch.multiple("referee.formats.orders", MAX_ORDERS_LINES=10**9, MAX_ORDERS_FILE=10**9):
        return parse_orders("\n".join(lines) + "\n", "game.txt", load_ship)


def stays(hex: Hex, facing: str) -> bool:
    """Does a ship that goes on so stay well on the map?"""
    ahead = hex.step(facing, 24)
    return 8 < ahead.column < 92 and 8 < ahead.row < 92


def log_of(mib: int) -> str:
    """A log of different games of so many MiB."""
    texts: list[str] = []
    size = seed = 0
    while size < mib * 1024 * 1024 or not texts:
        texts.append(written(game(seed), seed))
        size, seed = size + len(texts[-1]), seed + 1
    return "".join(texts)


def written(orders: OrdersFile, seed: int = 0) -> str:
    """A game in the language of the client."""
    style = Style(seed=seed, labels={"Sabre": "USS 1017 Sabre"}, short={"Sabre": "USS Sabre"})
    style.players, style.every_impulse = {"Kharg": "Skylark", "Sabre": "Bob"}, True
    return Written(orders, style).text()


def measured(path: Path, times: int = 3) -> str:
    """How long `check` takes on a file, at best: by the clock, and of processor time of all its processes; and the
    memory of the largest of them."""
    command = [sys.executable, "-m", "referee", "check", str(path), "--format", "concise"]
    took, worked, largest, code = [], [], 0.0, 0
    for _ in range(times):
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        took.append(time.perf_counter() - begun)
        worked.append(used.ru_utime + used.ru_stime)
        largest, code = max(largest, used.ru_maxrss / 1024), os.waitstatus_to_exitcode(status)
    lines = path.read_bytes().count(b"\n")
    size = f"{path.stat().st_size / 2**20:.1f} MiB, {lines:,} lines"
    return f"{size}: exit {code}, {min(took):.2f} s, processor {min(worked):.2f} s, at best of {times}; {largest:.0f} MiB"


def main() -> None:
    """Prints how long `check` takes, the interpreter's start included; and how much of it is reading."""
    mib = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.log"
        path.write_text(log_of(mib))
        print("different games:", measured(path))
        begun = time.perf_counter()
        facts = sum(game.lines for game in read_play(path.read_bytes(), "games.log"))
        print(f"  of which reading {facts:,} lines: {time.perf_counter() - begun:.2f} s")
        one = log_of(0)
        path.write_text(one * (mib * 2**20 // len(one)))
        print("one game again and again:", measured(path))
        path.write_text(written(game(1, 990, len(NAMES))))
        print("one game of six ships and 990 turns:", measured(path, 1))
        path.write_text(one + "Bob waves a hand for the 9th time\n" * 200_000)
        print("200,000 lines that are not understood:", measured(path))


if __name__ == "__main__":
    main()
