"""Durable appends and verification of the record beside SQLite and a bare loop, taken in turns.

    python benchmarks/record_speed.py [--folder DIR] [--rounds N] [--json]

Each round appends to a record and to an SQLite table (WAL, synchronous=FULL; one connection kept
open) and verifies a record beside a loop of json.loads and SHA-256 over the same lines. Rounds
alternate, so that a slow moment of the machine strikes both; the ratios are of the medians.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from referee.record.journal import append, create
from referee.record.reading import verify

NOW = "2026-11-20T15:00:00Z"
APPENDS = 300
LINES = 20_000
GENESIS = {
    "format": 1,
    "game": "ab" * 16,
    "ruleset": "cd" * 32,
    "rulebook": "sfb-cadet",
    "players": ["alice", "bob"],
    "dice": {"mode": "seed", "text": "benchmark"},
    "fold": 1,
    "tool": "benchmark",
}


def entry(number: int) -> tuple[str, dict[str, Any]]:
    """What a game writes: orders, results of dice, events."""
    faces = [{"for": "PH-1/A", "count": 2, "sides": 6, "faces": [number % 6 + 1, 3]}]
    events = [
        {"kind": "shield_hit", "shield": 1, "points": number % 9},
        {"kind": "box_destroyed", "box": "battery/1"},
    ]
    kinds: list[tuple[str, dict[str, Any]]] = [
        (
            "order",
            {
                "player": "alice",
                "turn": 3,
                "impulse": 12,
                "text": ["Constellation: fire PH-1/A, PHOT/B at D6"],
            },
        ),
        ("result", {"roll": number + 1, "declaration": "ab" * 32, "dice": faces}),
        ("events", {"turn": 3, "impulse": 12, "events": events}),
    ]
    return kinds[number % 3]


def appends(path: Path) -> float:
    """Seconds for entries each opened, locked, appended, synced and closed."""
    start = time.perf_counter()
    for number in range(APPENDS):
        append(path, lambda tail, number=number: [entry(number)], NOW)  # type: ignore[misc]
    return time.perf_counter() - start


def sqlite_appends(connection: sqlite3.Connection) -> float:
    """Seconds for the same entries, each in its own durable transaction."""
    start = time.perf_counter()
    for number in range(APPENDS):
        kind, data = entry(number)
        text = json.dumps({"data": data, "prev": "0" * 64, "hash": "0" * 64, "ts": NOW, "type": kind})
        connection.execute("INSERT INTO entries (line) VALUES (?)", (text,))
        connection.commit()
    return time.perf_counter() - start


def verification(path: Path) -> float:
    """Seconds to verify the record."""
    start = time.perf_counter()
    verify(path)
    return time.perf_counter() - start


def bare_loop(path: Path) -> float:
    """Seconds to parse and to hash every line, checking nothing."""
    start = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
            hashlib.sha256(line).hexdigest()
    return time.perf_counter() - start


def in_turns(rounds: int, first: Callable[[], float], second: Callable[[], float]) -> tuple[float, float]:
    """The median seconds of both, taken alternately after one round to warm up."""
    first(), second()
    times = [(first(), second()) for _ in range(rounds)]
    return statistics.median(a for a, _ in times), statistics.median(b for _, b in times)


def measured(folder: Path, rounds: int) -> dict[str, float]:
    """All figures: rates per second, and the two ratios that have targets."""
    path, long_path = folder / "short.jsonl", folder / "long.jsonl"
    create(path, GENESIS, NOW)
    connection = sqlite3.connect(folder / "entries.sqlite")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, line TEXT NOT NULL)")
    ours, theirs = in_turns(rounds, lambda: appends(path), lambda: sqlite_appends(connection))
    connection.close()
    create(long_path, GENESIS, NOW)
    append(long_path, lambda tail: [entry(number) for number in range(LINES)], NOW)
    verified, bare = in_turns(rounds, lambda: verification(long_path), lambda: bare_loop(long_path))
    return {
        "appends_per_second": APPENDS / ours,
        "sqlite_appends_per_second": APPENDS / theirs,
        "appends_to_sqlite": theirs / ours,
        "verified_per_second": LINES / verified,
        "bare_loop_per_second": LINES / bare,
        "verification_to_bare_loop": bare / verified,
    }


def main() -> None:
    """Prints the figures beside their targets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="on the disk to measure (default: a temporary folder)")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        found = measured(Path(name), options.rounds)
    if options.json:
        print(json.dumps(found))
        return
    for key, value in found.items():
        target = {"appends_to_sqlite": "(target 1.2)", "verification_to_bare_loop": "(target 0.5)"}.get(
            key, ""
        )
        print(f"{key:28} {value:10.2f} {target}" if target else f"{key:28} {value:10.0f}")


if __name__ == "__main__":
    main()
