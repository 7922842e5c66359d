"""How many lines of the code a harness aims at its inputs reach: `python -m fuzz.covered NAME FOLDER`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from fuzz.harness import ROOT, harness, play

MOST = 600
"""Inputs that are played: those found last, as each reached what none before did."""


def main() -> None:
    """Prints the lines reached, and the lines there are."""
    one, folder = harness(sys.argv[1]), Path(sys.argv[2])
    lines = {(file, line) for file in _files(one.AIMS) for line in _lines_of(file)}
    inputs = sorted((folder / "reached").iterdir(), key=lambda path: path.stat().st_mtime)[-MOST:]
    reached: set[tuple[str, int]] = set()
    aims = {file for file, _ in lines}
    with _counting(aims, reached):
        for data in [*one.seeds(), *(path.read_bytes() for path in inputs)]:
            with contextlib.suppress(Exception):  # kept when it was found
                play(one, data)
    sys.stdout.write(f"{len(reached & lines)} {len(lines)}\n")


def _files(aims: tuple[str, ...]) -> Iterator[str]:
    for aim in aims:
        path = ROOT / aim
        yield from map(str, path.rglob("*.py") if path.is_dir() else [path])


def _lines_of(file: str) -> Iterator[int]:
    """The lines inside functions: those of a module's own run when it is loaded."""
    todo: list[Any] = [compile(Path(file).read_bytes(), file, "exec")]
    while todo:
        code = todo.pop()
        todo += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        if code.co_name != "<module>" and "__module__" not in code.co_names:
            yield from (line for _, _, line in code.co_lines() if line and line > code.co_firstlineno)


@contextlib.contextmanager
def _counting(aims: set[str], reached: set[tuple[str, int]]) -> Iterator[None]:
    def called(frame: FrameType, event: str, _: object) -> Any:
        return line if frame.f_code.co_filename in aims else None

    def line(frame: FrameType, event: str, _: object) -> Any:
        reached.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(None)


if __name__ == "__main__":
    main()
