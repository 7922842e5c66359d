"""Writes what is frozen anew: `python -m tests.frozen.write`. Read the difference before it is committed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.frozen import recorded, takeovers, typed
from tests.frozen.games import files, in_line, kinds, made

FROZEN = Path(__file__).parent / "findings.jsonl"


def _kind(n: int) -> list[str]:
    return made(list(kinds())[n])


def lines() -> Iterator[str]:
    """All lines as the program judges now, the kinds shared by the cores of the machine."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for group in pool.map(_kind, range(len(list(kinds())))):
            yield from group
    yield from (in_line(name, report) for name, report in files())


if __name__ == "__main__":
    FROZEN.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
    takeovers.TAKEN.write_text("".join(f"{line}\n" for line in takeovers.lines()), encoding="utf-8")
    typed.TYPED.write_text("".join(f"{line}\n" for line in typed.lines()), encoding="utf-8")
    recorded.RECORDED.write_text("".join(f"{line}\n" for line in recorded.lines()), encoding="utf-8")
