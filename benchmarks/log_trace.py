"""Which modules a log with two `!fire` lines passes as it is checked, and whether a room is passed twice.

    python benchmarks/log_trace.py [--modules]

Counted are the modules of referee in which a function ran, not those that were only imported. Calls go down from
room to room. A room is passed twice where a room that it called calls back into it. The room `core` is not counted
there: its sums and its values that are worked out once run their owner's code. With --modules the modules are
listed. Exit code 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
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


PACKAGE = str(ROOT / "referee") + "/"


def calling(frame: FrameType | None) -> Iterator[str]:
    """The functions of referee that are running, the innermost first, as `room/module.py:function`."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            yield f"{frame.f_code.co_filename[len(PACKAGE) :]}:{frame.f_code.co_qualname}"
        frame = frame.f_back


def room_of(function: str) -> str:
    return function.partition("/")[0]


def called_back(functions: Sequence[str]) -> str:
    """The call by which the innermost function's room is passed a second time; empty when it is not."""
    rooms = [room_of(function) for function in functions if room_of(function) != "core"]
    if rooms and room_of(functions[0]) == rooms[0] and rooms[0] in [room for room, _ in groupby(rooms)][1:]:
        return f"{functions[1]} calls {functions[0]}" if room_of(functions[1]) != rooms[0] else ""
    return ""


def passed(path: Path) -> tuple[set[str], Counter[str]]:
    """The functions that ran in a check of the log, and the calls by which a room is passed a second time."""
    functions: set[str] = set()
    again: Counter[str] = Counter()

    def enter(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name != "<module>":
            running = list(calling(frame))
            functions.add(running[0])
            if call := called_back(running):
                again[call] += 1

    check(path)  # what is imported once is no part of the way
    sys.setprofile(enter)
    check(path)
    sys.setprofile(None)
    return functions, again


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        functions, again = passed(write_log(Path(folder)))
    modules = {function.partition(":")[0] for function in functions}
    few = len(modules) < MOST_MODULES
    print(
        f"{'ok  ' if few else 'MISS'} modules passed (< {MOST_MODULES}): {len(modules)}, functions {len(functions)}"
    )
    for room, count in Counter(map(room_of, modules)).most_common():
        print(f"     {room:<14} {count:3} modules")
    print(f"{'MISS' if again else 'ok  '} rooms passed twice (0): {len(again)}")
    for call, times in again.most_common():
        print(f"     {times:4} times {call}")
    if options.modules:
        print(*sorted(modules), sep="\n")
    raise SystemExit(not few or bool(again))


if __name__ == "__main__":
    main()
