"""How fast a log of the online client is judged: `python -m benchmarks.play_speed [MIB] [--drones]`.

The log holds games of two ships, eight turns each, written by the generator of the tests: moves by the chart and the
turn mode, volleys with their dice and damage. With `--drones` each rack launches in every turn, and most of the lines are
of drones: they fly, strike, and are shot down.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from unittest.mock import patch

from referee.adjudicator.flight import has_reached, is_spent, strike, ways
from referee.core.arcs import bears
from referee.core.combat import Moment, Seeker, Unit, soonest_facing
from referee.core.frozen import replace
from referee.core.gameorders import after
from referee.core.hexgrid import Hex, relative_offset, true_range
from referee.core.orders import OrdersFile
from referee.core.ship import ShipClass
from referee.formats.orders import parse_orders
from referee.formats.sfbol_games import read_play
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.sources.sfbol_written import Style, Written

SPEEDS = (8, 12, 14, 16, 20, 24)
NAMES = ("Kharg", "Sabre", "Marauder", "Constellation", "Emperor", "Intrepid")
"""Klingons and Federation ships by turns."""
MOST_GUIDED = 6
"""Drones that a whole ship guides at once."""


def game(seed: int, turns: int = 8, count: int = 2, *, drones: bool = False) -> OrdersFile:
    """A game of some ships by the rules of movement, with volleys in every turn, and with drones if they are wanted."""
    random = Random(seed)
    book = load_rulebook("sfb-standard")
    chart = book.offers.movement(book).chart
    lines = ["rulebook sfb-standard", "impulses 32"]
    classes = ("standard/kzinti-cs",) if drones else ("standard/klingon-d7", "standard/federation-ca")
    ships: dict[str, ShipClass] = {}
    where: dict[str, tuple[Hex, str]] = {}
    speed: dict[str, int] = {}
    for n, (name, fast) in enumerate(zip(NAMES, sorted(random.sample(SPEEDS, count)), strict=False)):
        id = classes[n % len(classes)]
        ships[name], speed[name] = load_ship(id), fast
        where[name] = Hex(44 + 5 * (n // 2) + 10 * (n % 2), 44 + 10 * (n % 2)), "AD"[n % 2]
        lines.append(f"ship {name} = {id} at {where[name][0]}{where[name][1]}")
    # With drones about, the light phasers are kept for them.
    phasers = ("PH-1", "PH-2") if drones else ("PH-",)
    flights = Drones(random, book, ships)
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
            if drones:
                now = Moment(turn, impulse)
                lines += [
                    *flights.orders(now, where),
                    *flights.launched(now, where),
                    *flights.fired_at(where, now),
                ]
            for name, other in zip(ships, reversed(ships), strict=True) if impulse == 20 else ():
                seen = relative_offset(*where[name], where[other][0])
                bearing = [
                    mount.id
                    for mount in ships[name].mounts
                    if mount.id.startswith(phasers) and bears(mount.arc, seen)
                ]
                if bearing:
                    lines.append(f"{name}: fire {', '.join(bearing[:3])} at {other}")
    # A long game is more than a player's orders file may hold.
    with patch.multiple("referee.formats.orders", MAX_ORDERS_LINES=10**9, MAX_ORDERS_FILE=10**9):
        return parse_orders("\n".join(lines) + "\n", "game.txt", load_ship)


class Drones:
    """The drones of a game as they fly: the orders of their launches, moves and ends."""

    def __init__(self, random: Random, book: Rulebook, ships: Mapping[str, ShipClass]) -> None:
        self._random, self._book, self._ships = random, book, ships
        self._flying: dict[str, Seeker] = {}
        self._fired: set[tuple[str, int]] = set()

    def orders(self, now: Moment, where: Mapping[str, tuple[Hex, str]]) -> Iterator[str]:
        """What drones do in an impulse after the ships have moved."""
        for name, seeker in list(self._flying.items()):
            hex, facing = where[seeker.target]
            if not has_reached(self._book, seeker, hex):
                came_from, (way, *_) = seeker.hex, ways(self._book, seeker, hex)
                there = after(came_from, seeker.facing, way)
                seeker = replace(seeker, hex=there[0], facing=there[1], hexes=seeker.hexes + 1)  # noqa: PLW2901
                self._flying[name] = seeker
                yield f"{name}: {way}"
                gone = seeker.hex == hex
            else:
                target = Unit(seeker.target, self._ships[seeker.target], hex=hex, facing=facing)
                hit = strike(self._book, seeker, target, now)
                yield f"{seeker.target}: hit {hit.damage} on {hit.shield or 1}"
                gone = True
            if gone or is_spent(self._book, seeker, now):
                del self._flying[name]

    def fired_at(self, where: Mapping[str, tuple[Hex, str]], now: Moment) -> Iterator[str]:
        """Some of those that are close are shot down, by phasers that cannot fail to."""
        # Between the last such fire of a turn and the first of the next, phasers rest.
        for name, seeker in list(self._flying.items()) if 8 < now.impulse <= 24 else ():
            ship = self._ships[seeker.target]
            seen = relative_offset(*where[seeker.target], seeker.hex)
            close = seeker.launched != now and true_range(seeker.hex, where[seeker.target][0]) == 1
            bearing = [one.id for one in ship.mounts if one.type == "phaser-3" and bears(one.arc, seen)]
            of_turn = seeker.target, now.turn
            if close and len(bearing) > 2 and of_turn not in self._fired and self._random.random() < 0.2:
                self._fired.add(of_turn)
                del self._flying[name]
                yield f"{seeker.target}: fire {', '.join(bearing[:3])} at {name}"

    def launched(self, now: Moment, where: Mapping[str, tuple[Hex, str]]) -> Iterator[str]:
        """Each rack launches once a turn, one after the other, while its ship can guide what it launches."""
        for name, ship in self._ships.items():
            racks = [one.id for one in ship.mounts if one.type == "drone"]
            others = [other for other in self._ships if other != name]
            n, over = divmod(now.impulse - 1, 32 // max(len(racks), 1))
            guided = sum(seeker.owner == name for seeker in self._flying.values())
            if over == 3 and n < len(racks) and guided < MOST_GUIDED:
                target = self._random.choice(others)
                unit = f"{name} {racks[n]} t{now.turn}"
                bow = soonest_facing(where[name][0], where[target][0], where[name][1])
                hex = where[name][0]
                self._flying[unit] = Seeker(unit, "drone", name, target, hex, bow, now)
                yield f"{name}: launch {racks[n]} at {target}"


def stays(hex: Hex, facing: str) -> bool:
    """Does a ship that goes on so stay well on the map?"""
    ahead = hex.step(facing, 24)
    return 8 < ahead.column < 92 and 8 < ahead.row < 92


def log_of(mib: int, *, drones: bool = False) -> str:
    """A log of different games of so many MiB."""
    texts: list[str] = []
    size = seed = 0
    while size < mib * 1024 * 1024 or not texts:
        texts.append(written(game(seed, drones=drones), seed))
        size, seed = size + len(texts[-1]), seed + 1
    return "".join(texts)


def written(orders: OrdersFile, seed: int = 0) -> str:
    """A game in the language of the client."""
    style = Style(seed=seed, labels={"Sabre": "USS 1017 Sabre"}, short={"Sabre": "USS Sabre"})
    style.players, style.every_impulse = {"Kharg": "Skylark", "Sabre": "Bob"}, True
    style.own_names = False
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
    given = [arg for arg in sys.argv[1:] if arg != "--drones"]
    drones, mib = "--drones" in sys.argv, int(given[0]) if given else 10
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.log"
        path.write_text(log_of(mib, drones=drones))
        print("different games full of drones:" if drones else "different games:", measured(path))
        begun = time.perf_counter()
        facts = sum(game.lines for game in read_play(path.read_bytes(), "games.log"))
        print(f"  of which reading {facts:,} lines: {time.perf_counter() - begun:.2f} s")
        if drones:
            return
        one = log_of(0)
        path.write_text(one * (mib * 2**20 // len(one)))
        print("one game again and again:", measured(path))
        path.write_text(written(game(1, 990, len(NAMES))))
        print("one game of six ships and 990 turns:", measured(path, 1))
        path.write_text(one + "Bob waves a hand for the 9th time\n" * 200_000)
        print("200,000 lines that are not understood:", measured(path))


if __name__ == "__main__":
    main()
