"""Which modules a log with two `!fire` lines passes as it is checked, and which rooms it enters how often.

    python benchmarks/log_trace.py [--rooms]

Counted are the modules of referee in which a function ran, not those that were only imported. With --rooms the
rooms are told in the order they are entered. Exit code 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import groupby
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from referee.formats.vassal import command_types as lv  # noqa: E402
from tests.unit.formats.vassal.game_logs import LogWriter, legal_game, module_bytes  # noqa: E402

MOST_MODULES = 120
SAID = ("!CA Ship0: fire PH-1A at D6 Ship1", "!D6 Ship1: fire PH-2A at CA Ship0")


def write_log(folder: Path) -> Path:
    """A log of one turn in which two ships fire, and its module."""
    writer = LogWriter(legal_game(Random(1), ships=2, turns=1))
    for name in writer.game.ships:
        writer.form(name, 1)
    writer.advance((1, 1, 0), (1, 2, 0))
    for line, player in zip(SAID, ("Ann", "Ben"), strict=True):
        writer.log(lv.Chat(f"<{player}> - {line}"))
    writer.advance((1, 2, 0), (1, 3, 0))
    (folder / "game.vmod").write_bytes(module_bytes())
    path = folder / "fire.vlog"
    path.write_bytes(writer.finish())
    return path


def check(path: Path) -> Any:
    """The report on the log."""
    from referee.judging.files import judge_file
    from referee.sources.asked import Asked
    from referee.sources.inputs import read_input
    from referee.sources.settings import Settings

    asked = Asked(Settings(), module=str(path.with_name("game.vmod")), digests=False)
    return judge_file(read_input(str(path)), asked)


def passed(path: Path) -> tuple[list[str], set[str]]:
    """The modules in whose functions a check of the log was, one after the other, and all functions."""
    package = str(ROOT / "referee") + "/"
    way: list[str] = []
    functions: set[str] = set()

    def enter(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(package) and code.co_name != "<module>":
            module = code.co_filename[len(package) :]
            functions.add(f"{module}:{code.co_qualname}")
            way.append(module)

    check(path)  # what is imported once is no part of the way
    sys.setprofile(enter)
    check(path)
    sys.setprofile(None)
    return way, functions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        way, functions = passed(write_log(Path(folder)))
    modules = set(way)
    rooms = Counter(module.partition("/")[0] for module in modules)
    entered = Counter(room for room, _ in groupby(module.partition("/")[0] for module in way))
    reached = len(modules) < MOST_MODULES
    print(
        f"{'ok  ' if reached else 'MISS'} modules passed (< {MOST_MODULES}): {len(modules)}, functions {len(functions)}"
    )
    for room, count in rooms.most_common():
        print(f"     {room:<14} {count:3} modules, entered {entered[room]} times")
    if options.rooms:
        print(*sorted(modules), sep="\n")
    raise SystemExit(not reached)


if __name__ == "__main__":
    main()
