"""Runs all harnesses in turn, slice by slice: `fuzz/run --minutes 60`. Exit 1 where one erred, hung or took too much."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from fuzz.harness import KEPT, NAMES, REACHED, ROOT

SLICE = 150
"""Seconds at a time: an hour that is cut short has had them all."""
_STATUS = re.compile(r"#(\d+)\s+DONE\s+cov: (\d+) ft: \d+ corp: (\d+)/")


@dataclass
class Tally:
    """What a harness has done so far."""

    runs: int = 0
    seconds: int = 0
    edges: int = 0
    inputs: int = 0
    wrong: int = 0


def main() -> int:
    """Fuzzes, and prints a row for each harness."""
    options = _options()
    names = options.only or NAMES
    each = options.seconds or round(options.minutes * 60 / len(names))
    tallies = {name: Tally() for name in names}
    for begun in range(0, each, SLICE):
        for name in names:
            _slice(name, options.folder / name, min(SLICE, each - begun), tallies[name])
    sys.stdout.write(
        "harness    executions     a second   edges   inputs   lines of what it aims at   wrong\n"
    )
    for name, tally in tallies.items():
        rate = tally.runs / max(1, tally.seconds)
        lines = _lines(name, options.folder / name) if options.lines else "-"
        sys.stdout.write(
            f"{name:10} {tally.runs:10,} {rate:12,.0f} {tally.edges:7,} {tally.inputs:8,}   {lines:24}   {tally.wrong}\n"
        )
    return 1 if any(tally.wrong for tally in tallies.values()) else 0


def _options() -> argparse.Namespace:
    said = argparse.ArgumentParser(
        prog="fuzz/run", description="Fuzzes what reads files and messages of strangers."
    )
    said.add_argument("--only", action="append", choices=NAMES, help="a harness; all if none is named")
    said.add_argument("--minutes", type=float, default=10, help="for all together (10)")
    said.add_argument("--seconds", type=int, default=0, help="for each, instead")
    said.add_argument("--folder", type=Path, default=REACHED, help="where inputs are kept from run to run")
    said.add_argument(
        "--lines", action="store_true", help="count the lines that are reached, which takes a minute"
    )
    return said.parse_args()


def _slice(name: str, folder: Path, seconds: int, tally: Tally) -> None:
    """Some seconds of one harness, with what they came to. One that hung or took too much memory ended at once, and
    left the input beside the kept ones."""
    ran = subprocess.run(
        [sys.executable, "-m", "fuzz.child", name, str(folder), str(seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    found = [line for line in ran.stdout.splitlines() if line.startswith("FOUND ")]
    status = _STATUS.search(ran.stdout)
    if status is None:
        found.append(f"ENDED with {ran.returncode}: " + " | ".join(ran.stdout.splitlines()[-8:])[-600:])
    else:
        runs, edges, inputs = map(int, status.groups())
        tally.runs, tally.seconds = tally.runs + runs, tally.seconds + seconds
        tally.edges, tally.inputs = edges, inputs
    tally.wrong += len(found)
    sys.stdout.write("".join(f"{name}: {line}; see {KEPT.relative_to(ROOT) / name}\n" for line in found))
    sys.stdout.flush()


def _lines(name: str, folder: Path) -> str:
    counted = subprocess.run(
        [sys.executable, "-m", "fuzz.covered", name, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    reached, all = map(int, counted.stdout.split())
    return f"{reached:,} of {all:,} ({100 * reached // all} %)"


if __name__ == "__main__":
    sys.exit(main())
