"""A log of 5,000 steps written again with ten more: how long it takes to judge what is new, beside judging it whole.

    python benchmarks/watch_speed.py [--rounds N]

The games are the tests' own, played by the rules at random and written as VASSAL writes them: a duel of eight ships
with much talk, and a battle of 24 ships, whose steps are all moves. Reading the file is told apart. Each round judges
the log whole, and as it goes on by ten steps, in turn; both must find the same. Exit code 1 when the target is missed.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT)]

from referee.core.finding import Report  # noqa: E402
from referee.core.frozen import replace  # noqa: E402
from referee.formats.vassal.command_types import Chat  # noqa: E402
from referee.formats.vassal.game import Save, read_save  # noqa: E402
from referee.logs.audit import game_of, judge_game  # noqa: E402
from referee.logs.reading import read_game  # noqa: E402
from referee.logs.standing import Standing  # noqa: E402
from referee.sources.asked import Asked  # noqa: E402
from referee.sources.settings import Settings  # noqa: E402
from tests.unit.formats.vassal.game_logs import (  # noqa: E402
    STANDARDS,
    LogWriter,
    legal_game,
    module_bytes,
    write_log,
)

STEPS = 5_000
MORE = 10
MOST_MS = 50.0
TURNS = 11


class Talkers(LogWriter):
    """A log in which players talk as the tracker goes on."""

    def advance(self, now: tuple[int, int, int], then: tuple[int, int, int]) -> int:
        for _ in range(2):
            self.log(Chat("<Ann> - well, let me see what the other side is up to now"))
        return super().advance(now, then)


GAMES = {"8 ships and talk": (8, Talkers), "24 ships": (24, LogWriter)}


def judged(save: Save, asked: Asked, standing: Standing) -> tuple[float, float, Report]:
    """Milliseconds of reading a log and of judging it, and what is found."""
    gc.collect()
    begun = process_time()
    read = read_game(save, asked)
    between = process_time()
    report = judge_game(game_of(read, standing))
    return 1000 * (between - begun), 1000 * (process_time() - between), report


def measured(name: str, ships: int, writer: type[LogWriter], rounds: int) -> bool:
    """One game, and whether the target is reached."""
    data = write_log(legal_game(Random(5), ships=ships, turns=TURNS, classes=STANDARDS), by=writer).data
    begun = process_time()
    save = read_save(data, "game.vlog")
    decoded = 1000 * (process_time() - begun)
    first = len(save.steps) - MORE * (rounds + 1)
    assert first >= STEPS, f"{first} steps"
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "game.vmod"
        module.write_bytes(module_bytes())
        asked = Asked(Settings(), module=str(module), digests=False)
        parts = [replace(save, steps=save.steps[: first + MORE * n]) for n in range(rounds + 1)]
        standing = Standing()
        judged(parts[0], asked, standing)
        times: dict[str, list[float]] = {"reading": [], "judged whole": [], "judged as it goes on": []}
        for part in parts[1:]:
            read, taken, report = judged(part, asked, standing)
            _, whole, same = judged(part, asked, Standing())
            assert report == same, "the same findings either way"
            for row, time in zip(times.values(), (read, whole, taken), strict=True):
                row.append(time)
    print(f"{name}: {first:,} steps and {MORE} more, {rounds} times; decoding {decoded:.0f} ms")
    for what, row in times.items():
        print(f"  {what:<22} {median(row):6.1f} ms   {min(row):6.1f} {max(row):6.1f}")
    middle = median(times["judged as it goes on"])
    reached = middle <= MOST_MS
    print(f"{'ok  ' if reached else 'MISS'} {MORE} more steps judged (≤ {MOST_MS:.0f} ms): {middle:.1f} ms")
    return reached


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    gc.set_threshold(1_000_000)  # as the program does
    reached = [measured(name, *game, rounds) for name, game in GAMES.items()]
    raise SystemExit(not all(reached))


if __name__ == "__main__":
    main()
