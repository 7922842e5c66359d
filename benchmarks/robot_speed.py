"""The robot's decisions of a ten-turn game against verifying and folding that game's record, in turn.

    python benchmarks/robot_speed.py [--scenario 4] [--turns 10] [--seed ...] [--rounds N]

The game is played twice by robots on both sides: into a record, which is verified and folded, and in memory,
where only the time spent on decisions counts. The dice of the two differ, the length does not. The time is that of the
processor: the game in memory is judged as it is played, and on a busy machine its decisions would wait among that.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = 2.0
"""The most the decisions may take, in times of verifying and folding."""


class Stopwatch:
    """Adds up the time spent in some functions; one within another counts once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed."""

        def timed(*arguments: Any, **named: Any) -> Any:
            if self._running:
                return function(*arguments, **named)
            self._running = True
            start = process_time()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += process_time() - start
                self._running = False

        return timed


def deciding(scenario: Any, seed: str, turns: int) -> tuple[float, int, int]:
    """Seconds spent on the decisions of a game in memory; the decisions, and the turns it took."""
    from referee.adjudicator.robot import Robot
    from referee.adjudicator.robot_duel import InMemory
    from referee.core.dice import seeded_dice
    from referee.rulebooks.registry import load_rulebook, load_ship

    watch = Stopwatch()
    playing = InMemory(load_rulebook(scenario.rulebook), scenario, load_ship, seeded_dice(seed))
    for name in ("speed", "move", "launches", "fire", "at_point"):
        setattr(playing.robot, name, watch.around(getattr(Robot, name).__get__(playing.robot)))
    for number in range(1, turns + 1):
        playing.turn(number)
        if playing.standing().over:
            break
    return watch.seconds, len(playing.decisions), playing.state.turn


def main() -> None:
    """Plays, measures, prints the ratio; exit code 1 where the target is missed."""
    sys.path.insert(0, str(ROOT))
    from referee.play.game_file import open_game
    from referee.play.robot import duel_into
    from referee.rulebooks.registry import load_scenario

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenario", default="4")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    scenario = load_scenario(asked.scenario)
    seed = next(
        f"robots {n}" for n in range(1000) if deciding(scenario, f"robots {n}", asked.turns)[2] == asked.turns
    )
    with tempfile.TemporaryDirectory() as folder:
        recorded = (Path(folder) / f"{n}.jsonl" for n in range(1000))
        for path in recorded:
            duel = duel_into(str(path), scenario, path.stem, asked.turns)
            if duel.state.turn == asked.turns:
                break
        folding, decisions = [], []
        for _ in range(asked.rounds):
            start = process_time()
            entries = len(open_game(str(path)).entries)
            folding.append(process_time() - start)
            seconds, made, _ = deciding(scenario, seed, asked.turns)
            decisions.append(seconds)
    ratio = median(decisions) / median(folding)
    print(f"scenario {asked.scenario}, {asked.turns} turns: {made} decisions; a record of {entries} entries")
    print(f"verify and fold {median(folding) * 1000:.0f} ms, decide {median(decisions) * 1000:.0f} ms")
    print(f"ratio {ratio:.2f} (target ≤ {TARGET})")
    if ratio > TARGET:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
