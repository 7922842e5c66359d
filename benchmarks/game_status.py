"""`game status` of a long game against a bare `--help`, as whole processes run in turn.

    python benchmarks/game_status.py [--entries 2000] [--rounds N]

The game is made here: turns of sealed and revealed forms, volleys and rolls, with a ruling and an undo now
and then. Byte code is kept in a folder of its own, as an installed program has it.
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
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = 2.0
"""The most `game status` may take, in bare `--help`s."""

CLASSES = {"alice": "cadet/federation-ca", "bob": "cadet/klingon-d6"}
FLEET = [(f"{player} {number}", player) for player in CLASSES for number in range(1, 13)]
"""Ships enough that all of them last."""
WHEN = "2026-11-20T15:00:00Z"


def long_game(path: Path, least: int) -> int:
    """Begins a record and plays on until it holds so many entries; how many it holds."""
    sys.path.insert(0, str(ROOT))
    from referee.cli.main import run
    from referee.play import game_file as gamefile

    code = run(
        ["game", "new", str(path), "--players", "alice,bob", "--dice", "seed", "--seed", "long", *_ships()]
    )
    if code:
        raise SystemExit(code)
    game = gamefile.open_game(str(path))
    lines: list[bytes] = []
    turn = 0
    while len(game.entries) < least:
        turn += 1
        game = _turn(game, turn, lines)
    with path.open("ab") as record:
        record.writelines(lines)
    return len(game.entries)


def _ships() -> list[str]:
    return [part for ship, player in FLEET for part in ("--ship", f"{ship}={CLASSES[player]}:{player}")]


def _added(game: Any, new: list[Any], lines: list[bytes]) -> Any:
    """The game with new entries, whose lines are kept for the end: a durable append each would take long."""
    from referee.play.game_file import game_of
    from referee.record.chain import make_line

    entries = list(game.entries)
    for kind, data in new:
        entry, line = make_line(entries[-1].hash, len(entries), kind, data, WHEN)
        entries.append(entry)
        lines.append(line)
    return game_of(game.path, entries)


def _turn(game: Any, turn: int, lines: list[bytes]) -> Any:
    """One turn: both seal, four volleys in their steps, a roll, both reveal."""
    from referee.adjudicator.record_volley import volley_entry
    from referee.core.volley import VolleyOrder
    from referee.play.dice import declaration, throw
    from referee.record.seals import reveal_all, seal_orders

    first = {"turn": turn, "step": "energy allocation"}
    game = _added(game, [("step", first)], lines) if turn > 1 else game
    genesis = game.state.genesis
    openings = []
    for ship, player in (FLEET[0], FLEET[-1]):
        form = {f"line_{n}": {"line": str(n), "amount": "2"} for n in range(1, 21)}
        opening = seal_orders(
            form, kind="eaf", game=genesis["game"], ruleset=genesis["ruleset"], turn=turn, player=player, ship=ship
        )  # fmt: skip
        game = _added(game, [("seal", opening.seal_data)], lines)
        openings.append((opening, game.entries[-1]))
    for volley, impulse in enumerate((2, 5, 9, 14)):
        fire = ("step", {"turn": turn, "impulse": impulse, "step": "fire"})
        group = {"for": "range 8", "count": 2, "sides": 6}
        game = _added(game, [fire, declaration(game, "bob", [group], "photons")], lines)
        game = _added(game, throw(game), lines)
        step = {"turn": turn, "impulse": impulse, "step": "resolve fire"}
        ship = FLEET[(turn * 4 + volley) % len(FLEET)][0]
        order = VolleyOrder(points=2, internal=True)
        struck = volley_entry(ship, "alice", order, "protect-weapons", {})
        declare = declaration(game, "alice", [], f"volley of entry {len(game.entries) + 1}", ship=ship)
        game = _added(game, [("step", step), struck, declare], lines)
        game = _added(game, throw(game), lines)
    new = [("step", {"turn": turn, "step": "end of turn"})]
    new += [("reveal", reveal_all(opening, entry)) for opening, entry in openings]
    new += [("ruling", {"by": "alice", "text": f"turn {turn} stands"})] if turn % 5 == 0 else []
    return _added(game, new, lines)


def _environment(cache: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPYCACHEPREFIX": str(cache), "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def _once(command: list[str], environment: dict[str, str]) -> float:
    begun = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT, env=environment)
    taken = perf_counter() - begun
    if done.returncode or done.stderr:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.decode()}")
    return taken


def measure(entries: int, rounds: int) -> tuple[int, dict[str, list[float]]]:
    """How many entries the game has, and the seconds of every run by command, one of each in turn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        count = long_game(path, entries)
        program = [sys.executable, "-m", "referee"]
        commands = {"--help": [*program, "--help"], "game status": [*program, "game", "status", str(path)]}
        environment = _environment(Path(folder) / "bytecode")
        for command in commands.values():
            _once(command, environment)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                taken[name].append(_once(command, environment))
    return count, taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    count, taken = measure(options.entries, options.rounds)
    print(f"a game of {count} entries")
    for name, times in taken.items():
        print(f"{name:<12} median {1000 * median(times):6.1f} ms   min {1000 * min(times):6.1f} ms")
    ratio = median(taken["game status"]) / median(taken["--help"])
    print(f"game status / --help = {ratio:.2f}  target ≤ {TARGET}: {'met' if ratio <= TARGET else 'MISSED'}")
    raise SystemExit(0 if ratio <= TARGET else 1)


if __name__ == "__main__":
    main()
