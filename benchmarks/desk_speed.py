"""The answer of `referee table` in a long game: CPU time an act, an undo, and memory over many orders.

    python benchmarks/desk_speed.py [--entries 4000] [--acts 120] [--orders 1000] [--profile] [--json]

Twelve ships of two players fly and fire by the rules until the record holds so many entries. Then the desk goes on: each
act is said, and what the screen shows after it is worked out (`sight`, and `ways` of the next mover). CPU time is measured,
so that neighbours on the machine count little.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from referee.play.desk import Desk

MEDIAN, WORST = 50.0, 150.0
"""Milliseconds from an act to all that is shown after it."""
GROWTH = 1.05
"""Memory after the second half of the orders, beside that after the first half: beyond what the record itself takes."""
CLASSES = {"ann": "cadet/federation-ca", "bob": "cadet/klingon-d6"}
SPEEDS = (16, 14, 12, 10, 16, 8)


def begun(folder: str) -> Desk:
    """A game of twelve ships, six a side."""
    from referee.cli.main import run
    from referee.play.desk import Desk

    path = str(Path(folder) / "long.jsonl")
    ships = [
        f"{player.title()}{n}={id}:{player}@{4 + 6 * n + 3 * side:02}{8 + 12 * side:02}{'DA'[side]}/16"
        for side, (player, id) in enumerate(CLASSES.items())
        for n in range(6)
    ]
    given = [part for ship in ships for part in ("--ship", ship)]
    with redirect_stdout(io.StringIO()):
        code = run(
            [
                "game",
                "new",
                path,
                "--players",
                "ann,bob",
                "--dice",
                "seed",
                "--seed",
                "long",
                "--umpire",
                "uma",
                *given,
            ]
        )
    if code:
        raise SystemExit(code)
    return Desk(path)


def acts(desk: Desk, chance: random.Random) -> Iterator[tuple[str, Callable[[], object]]]:
    """The acts of a game, one after the other, for ever: speeds, moves, fire now and then, the next step."""
    fired: set[tuple[int, int | None]] = set()
    while True:
        sight = desk.sight
        if sight.impulse is None:
            if sight.step == "determine speed" or any(ship.speed is None for ship in sight.ships):
                for n, ship in enumerate(sight.ships):
                    speed = SPEEDS[n % len(SPEEDS)]
                    yield "say", lambda name=ship.name, speed=speed: desk.say(f"{name}: speed {speed}")
            yield "next", desk.next
            continue
        if desk.mover:
            ways = [way for way, against in desk.ways().items() if not against]
            way = chance.choice(ways) if ways else "ahead"
            yield "say", lambda mover=desk.mover, way=way: desk.say(f"{mover}: {way}")
        elif (sight.turn, sight.impulse) not in fired and sight.impulse in (4, 9):
            fired.add((sight.turn, sight.impulse))
            ship = chance.choice([ship for ship in sight.ships if not ship.gone])
            shots = desk.shots(ship.name)
            if shots:
                shot = chance.choice(shots)
                yield (
                    "fire",
                    lambda s=ship, shot=shot: desk.say(f"{s.name}: fire {shot.mark} at {shot.target}"),
                )
        else:
            yield "next", desk.next


def memory() -> float:
    """What this process holds now, in MB; the most it ever held where the system does not say."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(desk: Desk, act: Callable[[], object]) -> float:
    """Milliseconds of CPU of an act, with what is shown after it."""
    begin = process_time()
    answer = act()
    desk.sight  # noqa: B018
    desk.ways()
    taken = 1000 * (process_time() - begin)
    if getattr(answer, "error", "") or getattr(answer, "pending", ""):
        desk.let_stand()
    return taken


def grown(desk: Desk, least: int) -> None:
    """Plays on, an impulse's moves at a time, until the record holds so many entries."""
    chance = random.Random(4)
    while len(desk.game.entries) < least:
        sight = desk.sight
        movers = [sight.ship(name) for name in sight.movers]
        if movers:
            ways = ("left" if ship.to_turn == 0 else "ahead" for ship in movers)
            answer = desk.say(
                "\n".join(f"{ship.name}: {way}" for ship, way in zip(movers, ways, strict=True))
            )
        else:
            answer = next(acts(desk, chance))[1]()  # type: ignore[assignment]
        if answer.pending or answer.error:
            desk.let_stand()
            desk.next()


def entered(desk: Desk, played: Iterator[tuple[str, Callable[[], object]]], orders: int) -> None:
    """Plays so many acts that are entered; what is against the rules stands."""
    for _ in range(orders):
        before = len(desk.game.entries)
        while len(desk.game.entries) == before:
            answer = next(played)[1]()
            if getattr(answer, "error", "") or getattr(answer, "pending", ""):
                desk.let_stand()


def undone(desk: Desk) -> list[float]:
    """Milliseconds of CPU of undoing the last act and of bringing it back, with what is shown after each."""
    return [timed(desk, act) for _ in range(5) for act in (desk.undo, desk.redo)]


def main() -> None:
    """Prints the figures beside their targets; exit 1 where one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=4000)
    parser.add_argument("--acts", type=int, default=120)
    parser.add_argument("--orders", type=int, default=1000)
    parser.add_argument(
        "--keep", help="a folder with the game, made here where there is none, to be measured again"
    )
    parser.add_argument("--profile", action="store_true", help="where the time of the acts goes")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(folder, options)
    if options.json:
        print(json.dumps(found))
        return
    targets = {"median_ms": MEDIAN, "worst_ms": WORST, "undo_worst_ms": WORST, "memory_growth": GROWTH}
    for key, value in found.items():
        print(f"{key:20} {value:10.2f}" + (f" (at most {targets[key]:g})" if key in targets else ""))
    if any(found[key] > most for key, most in targets.items() if key in found):
        raise SystemExit("a target is missed")


def measured(folder: str, options: argparse.Namespace) -> dict[str, float]:
    """All figures."""
    import shutil

    from referee.play.desk import Desk

    if options.keep and Path(options.keep).exists():
        shutil.copytree(options.keep, folder, dirs_exist_ok=True)
        desk = Desk(str(Path(folder) / "long.jsonl"))
    else:
        desk = begun(folder)
        grown(desk, options.entries)
        if options.keep:
            shutil.copytree(folder, options.keep)
    back = undone(desk)
    chance = random.Random(7)
    times: list[tuple[float, str]] = []
    played = acts(desk, chance)
    timed(desk, lambda: desk.note("warm"))

    def some() -> None:
        for _ in range(options.acts):
            kind, act = next(played)
            times.append((timed(desk, act), kind))

    if options.profile:
        import cProfile

        profiler = cProfile.Profile()
        profiler.runcall(some)
        profiler.dump_stats("desk.prof")
    some()
    taken = sorted(times)
    found: dict[str, float] = {
        "entries": len(desk.game.entries),
        "median_ms": median(one for one, _ in taken),
        "worst_ms": taken[-1][0],
    }
    print("slowest:", ", ".join(f"{kind} {one:.0f}" for one, kind in taken[-5:]))
    back += undone(desk)
    found |= {"undo_median_ms": median(back), "undo_worst_ms": max(back)}
    if options.orders:
        half = []
        for _ in range(2):
            entered(desk, played, options.orders // 2)
            half.append(memory())
        found |= {"memory_mb": half[1], "memory_growth": half[1] / half[0]}
    return found


if __name__ == "__main__":
    main()
