"""Judging the movement of a long record against verifying and folding it, in one process, run in turn.

    python benchmarks/track_speed.py [--ships 12] [--turns 10] [--rounds N]

The record is made here: ships on a chart of 32 impulses, each with a speed for every turn, moving on every
impulse that calls it and turning where its turn mode allows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = 5.0
"""The most judging may take, in times of verifying and folding."""

WHEN = "2026-11-20T15:00:00Z"
CLASSES = ("federation-ca", "klingon-d7", "klingon-d6", "romulan-kr", "lyran-ca", "orion-cr")


def movement_record(path: Path, ships: int, turns: int) -> int:
    """Writes the record; how many moves it holds."""
    sys.path.insert(0, str(ROOT))
    from referee.adjudicator.ordering import Ordering
    from referee.cli.main import run
    from referee.play.game_file import open_game
    from referee.play.table import table_of
    from referee.record.chain import make_line

    placed = []
    for n in range(ships):
        at = f"{5 + 7 * (n % 6):02}{15 + 20 * (n // 6):02}{'ABCDEF'[n % 6]}"
        placed += ["--ship", f"Ship {n}=standard/{CLASSES[n % 6]}:{'ab'[n % 2]}@{at}/{8 + n}"]
    begin = ["game", "new", str(path), "--players", "a,b", "--dice", "seed", "--seed", "x"]
    with redirect_stdout(StringIO()):
        code = run([*begin, "--rulebook", "sfb-standard", "--option", "impulses=32", *placed])
    if code:
        raise SystemExit("the game could not be begun")
    game = open_game(str(path))
    table = table_of(game)
    ordering = Ordering(table, lambda ship: game.state.ships[ship].player)
    moves = _play(ordering, turns)
    if errors := [finding.message for finding in ordering.findings if finding.severity == "error"]:
        raise SystemExit(f"the benchmark's game is not legal: {errors[0]}")
    prev, seq = game.entries[-1].hash, len(game.entries)
    with path.open("ab") as record:
        for kind, data in ordering.new:
            entry, line = make_line(prev, seq, kind, data, WHEN)
            record.write(line)
            prev, seq = entry.hash, seq + 1
    return moves


def _play(ordering: Any, turns: int) -> int:
    """Every ship at its speed through some turns; in a circle, so that none leaves the map."""
    from referee.core.orders import Advance, ImpulseBegins, SetSpeed, TurnBegins

    table = ordering.table
    movement = table.rulebook.offers.movement(table.rulebook)
    moves = 0
    for turn in range(1, turns + 1):
        ordering.order(TurnBegins(turn))
        units = table.course.track.units
        for n, name in enumerate(units):
            ordering.order(SetSpeed(name, 8 + (n + turn) % 12))
        for impulse in range(1, movement.of + 1):
            ordering.order(ImpulseBegins(impulse))
            called = [name for name, unit in units.items() if movement.called(unit, impulse)]
            rated = {name: movement.rating(table.course.track.classes[name], units[name]) for name in called}
            for name in sorted(called, key=lambda name: rated[name]):
                unit, ship = units[name], table.course.track.classes[name]
                may_turn = movement.count(ship, unit).hexes >= (movement.turn_mode(ship, unit.speed) or 0)
                ordering.order(Advance(name, "right" if may_turn else "ahead"))
                moves += 1
    return moves


def measured(path: Path, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of verifying and folding, and of judging, in turn."""
    from referee.play.game_file import open_game
    from referee.play.table import table_of

    folding, judging = [], []
    for _ in range(rounds):
        start = perf_counter()
        game = open_game(str(path))
        folding.append(perf_counter() - start)
        start = perf_counter()
        table = table_of(game)
        judging.append(perf_counter() - start)
        if any(finding.severity == "error" for _, finding in table.found):
            raise SystemExit("a legal record was called illegal")
    return folding, judging


def main() -> None:
    """Makes the record, measures, prints the ratio; exit code 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ships", type=int, default=12)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "movement.jsonl"
        moves = movement_record(path, asked.ships, asked.turns)
        folding, judging = measured(path, asked.rounds)
    ratio = median(judging) / median(folding)
    print(f"{asked.ships} ships, {asked.turns} turns of 32 impulses: {moves} moves")
    print(f"verify and fold {median(folding) * 1000:.0f} ms, judge {median(judging) * 1000:.0f} ms")
    print(f"ratio {ratio:.2f} (target ≤ {TARGET})")
    if ratio > TARGET:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
