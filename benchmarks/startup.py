"""How long whole processes of the program take, against a bare Typer program on the same machine.

    python benchmarks/startup.py [--rounds N]

All commands are run in turn, round after round, so that a busy moment strikes all of them. Byte code is
kept in a folder of its own, so that the figures are those of an installed program even where the
environment forbids writing it beside the source.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent
DUEL = ROOT / "examples" / "duel" / "duel.vsav"

HELLO = """
import typer

app = typer.Typer()


@app.command()
def hello(name: str = "world"):
    typer.echo(f"Hello {name}")


app()
"""

TARGETS = {"check": 2.5, "version": 0.5}
"""The most each command may take, in hello worlds."""


def program() -> list[str]:
    """The installed command, or the package of this checkout where it is not installed."""
    script = Path(sys.executable).with_name("referee")
    return [str(script)] if script.exists() else [sys.executable, "-m", "referee"]


def commands(hello: Path) -> dict[str, list[str]]:
    """What is measured, by name."""
    return {
        "hello": [sys.executable, str(hello)],
        "check": [*program(), "check", str(DUEL)],
        "version": [*program(), "--version"],
        "check csv": [*program(), "check", str(DUEL.with_name("constellation.csv"))],
        "volley": [*program(), "volley", "standard/klingon-d7", "--internals", "25", "--seed", "s"],
    }


def once(command: list[str], environment: dict[str, str]) -> float:
    """Seconds from start to end of one process."""
    begun = perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, cwd=ROOT, env=environment
    )
    taken = perf_counter() - begun
    if done.returncode not in (0, 1) or done.stderr:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.decode()}")
    return taken


def _environment(bytecode: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def measure(rounds: int) -> dict[str, list[float]]:
    """Seconds of every run, by command, one of each in turn."""
    with tempfile.TemporaryDirectory() as folder:
        hello = Path(folder) / "hello.py"
        hello.write_text(HELLO)
        environment = _environment(Path(folder) / "bytecode")
        found = commands(hello)
        for command in found.values():
            once(command, environment)  # so that byte code and disk cache are there for all
        taken: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(rounds):
            for name, command in found.items():
                taken[name].append(once(command, environment))
    return taken


def report(taken: dict[str, list[float]]) -> bool:
    """Prints medians and ratios; whether every target is met."""
    met = True
    base = median(taken["hello"])
    print(f"{'process':<12} {'median':>9} {'min':>9} {'max':>9}   hello worlds")
    for name, times in taken.items():
        ratio = median(times) / base
        paired = median(mine / theirs for mine, theirs in zip(times, taken["hello"], strict=True))
        target = TARGETS.get(name)
        verdict = "" if target is None else f"  target ≤ {target}: {'met' if ratio <= target else 'MISSED'}"
        met &= target is None or ratio <= target
        figures = "".join(f" {1000 * value:6.1f} ms" for value in (median(times), min(times), max(times)))
        print(f"{name:<12}{figures}   {ratio:4.2f} (round by round {paired:4.2f}){verdict}")
    return met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    raise SystemExit(0 if report(measure(parser.parse_args().rounds)) else 1)


if __name__ == "__main__":
    main()
