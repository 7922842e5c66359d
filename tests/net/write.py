"""Writes anew what comes out of the frozen games: `python -m tests.net.write`, or only transcripts: `… write NAME`. Read the difference like code."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.net.gamefiles import FOUND, FROZEN, SHARED, games, line_of
from tests.net.transcripts import SAID, played


def write(kind: str) -> None:
    """What comes out of the games of a file now."""
    lines = [json.dumps(line_of(game), ensure_ascii=False) for game in games(kind)]
    (FOUND / f"{kind}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_said(path: Path) -> None:
    """What is said now."""
    path.write_text(played(path), encoding="utf-8")


if __name__ == "__main__":
    kinds = [] if sys.argv[1:] else [kind for kind in FROZEN if kind != "shared" or SHARED.is_dir()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(write_said, SAID.glob(f"{sys.argv[1] if sys.argv[1:] else '*'}.txt")))
        list(pool.map(write, kinds))
