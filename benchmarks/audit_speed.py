"""How fast a whole log is audited, in how much memory, and many saves by several processes.

    python benchmarks/audit_speed.py [--rounds N]

The games are the tests' own: played by the rules at random, written as VASSAL writes them. Each audit and
each decoding runs in a process of its own, in turn; imports are not counted. Exit code 1 when a target is
missed.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from decode import peak_memory  # noqa: E402

from tests.unit.formats.vassal.game_logs import COLUMNS, LogWriter, legal_game, module_bytes, write_log  # noqa: E402

MOST_DECODINGS = 3.0
MOST_MEMORY = 150.0  # MB
LARGE = 15_000_000  # characters
FILES = 100
SPIN = 12_000_000


def read(path: Path) -> object:
    """The log decoded, and nothing else."""
    from referee.formats.vassal.game import read_save

    return read_save(path.read_bytes(), path.name)


def dump(path: Path) -> object:
    """All that is in the log, step by step: `referee vassal dump`."""
    from json import dumps

    from referee.cli.vassal import dumped
    from referee.sources.inputs import read_input

    return dumps(dumped(read_input(str(path)), str(path.with_name("game.vmod"))))


def audit(path: Path) -> object:
    """The log judged: `referee check`."""
    from referee.judging.files import judge_file
    from referee.sources.asked import Asked
    from referee.sources.inputs import read_input
    from referee.sources.settings import Settings

    asked = Asked(Settings(), module=str(path.with_name("game.vmod")), digests=False)
    report = judge_file(read_input(str(path)), asked)
    assert str(report.verdict) == "legal", report.findings[:3]
    return report


WORK = {"read": read, "dump": dump, "audit": audit}


def do(name: str, path: Path) -> None:
    """One piece of work here, first warmed up on a small game; prints seconds and peak MB. As in the command line, no
    search for garbage falls into it: where one of all modules' objects does, by chance, it takes half as long again."""
    gc.set_threshold(1_000_000)
    WORK[name](path.with_name("small.vlog"))
    begun = process_time()
    WORK[name](path)
    print(process_time() - begun, peak_memory())


def once(name: str, path: Path) -> tuple[float, float]:
    """One piece of work in a process of its own: seconds, peak MB."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", name, str(path)], capture_output=True, text=True, check=True
    )
    taken, peak = done.stdout.split()
    return float(taken), float(peak)


class Scribbler(LogWriter):
    """A log in which every ship's display is written on in every step of every impulse."""

    def advance(self, now: tuple[int, int, int], then: tuple[int, int, int]) -> int:
        for name in self.game.ships:
            self.write(name, COLUMNS - 1, {"Warp Power": f"step {len(self.steps)}"})
        return super().advance(now, then)


def write_games(folder: Path) -> None:
    """A game of ten turns, a small one, and their module."""

    (folder / "game.vmod").write_bytes(module_bytes())
    (folder / "small.vlog").write_bytes(write_log(legal_game(Random(1), ships=2, turns=1)).data)
    (folder / "game.vlog").write_bytes(write_log(legal_game(Random(5), ships=4, turns=10)).data)


def write_many(folder: Path) -> None:
    """As many logs as a campaign has."""
    for number in range(FILES):
        game = legal_game(Random(number), ships=3, turns=4)
        (folder / f"many{number:03}.vlog").write_bytes(write_log(game).data)


def against_decoding(folder: Path, rounds: int) -> None:
    """The audit of ten turns of four ships beside decoding them."""
    taken: dict[str, list[float]] = {name: [] for name in WORK}
    for _ in range(rounds):
        for name in WORK:
            taken[name].append(once(name, folder / "game.vlog")[0])
    middle = {name: median(times) for name, times in taken.items()}
    for name, times in taken.items():
        figures = "".join(f" {1000 * value:7.1f} ms" for value in (median(times), min(times), max(times)))
        print(f"  {name:<10}{figures}")
    for name, what in (("dump", "full decoding (vassal dump)"), ("read", "read_save alone")):
        ratio = middle["audit"] / middle[name]
        say(f"audit, 10 turns, 4 ships, against {what} (≤ 3 x)", f"{ratio:.2f} x", ratio <= MOST_DECODINGS)


def in_little_memory(folder: Path) -> None:
    """The most memory of a process that audits a large log."""
    from referee.formats.vassal.container import open_save

    long = write_log(legal_game(Random(6), ships=12, turns=11), by=Scribbler)
    (folder / "large.vlog").write_bytes(long.data)
    characters = len(open_save(long.data, "large.vlog").text)
    print(f"large log: {characters:,} characters of plain text, {long.steps:,} steps")
    assert characters >= LARGE
    taken, peak = once("audit", folder / "large.vlog")
    say(
        f"audit of {LARGE // 10**6} MB of plain text (< 150 MB)",
        f"{peak:.0f} MB in {taken:.2f} s",
        peak < MOST_MEMORY,
    )


def spin(turns: int) -> int:
    """Work that nothing can share: one core busy."""
    total = 0
    for n in range(turns):
        total += n & 7
    return total


def check_many(folder: Path, workers: int) -> tuple[float, bytes]:
    """Seconds of `referee check` on all files, and what it printed."""
    files = sorted(str(path) for path in folder.glob("many*.vlog"))
    command = [sys.executable, "-m", "referee", "check", *files, "--json", "--workers", str(workers)]
    begun = perf_counter()
    done = subprocess.run(
        [*command, "--module", str(folder / "game.vmod")],
        capture_output=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return perf_counter() - begun, done.stdout


def many(folder: Path, rounds: int) -> None:
    """Many logs by one process and by two, beside two that only spin."""
    taken: dict[str, list[float]] = {"one": [], "two": [], "spin one": [], "spin two": []}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(spin, [1000, 1000]))
        for _ in range(rounds):
            seconds, first = check_many(folder, 1)
            taken["one"].append(seconds)
            seconds, second = check_many(folder, 2)
            taken["two"].append(seconds)
            assert first == second
            begun = perf_counter()
            spin(2 * SPIN)
            taken["spin one"].append(perf_counter() - begun)
            begun = perf_counter()
            list(pool.map(spin, [SPIN, SPIN]))
            taken["spin two"].append(perf_counter() - begun)
    one, two, spin_one, spin_two = (median(times) for times in taken.values())
    gain, control = one / two, spin_one / spin_two
    told = f"{one:.2f} s, {two:.2f} s: {gain:.2f} x, spin control {control:.2f} x"
    say(f"{FILES} logs, two workers (1.5 x where spin shows 1.8 x)", told, gain >= 1.5 or control < 1.8)


FAILED: list[str] = []


def say(what: str, told: str, reached: bool) -> None:
    """A line of the table."""
    print(f"{'ok  ' if reached else 'MISS'} {what:<72} {told}", flush=True)
    if not reached:
        FAILED.append(what)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        do(options.one[0], Path(options.one[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_games(folder)
        against_decoding(folder, options.rounds)
        in_little_memory(folder)
        write_many(folder)
        many(folder, options.rounds)
    raise SystemExit(bool(FAILED))


if __name__ == "__main__":
    main()
