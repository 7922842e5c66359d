"""Durable appends and verification of the record beside SQLite and a bare loop, taken in turns.

    python benchmarks/record_speed.py [--folder DIR] [--rounds N] [--json]

Each round appends the entries of a new game to a new record, and to two new SQLite databases (WAL,
synchronous=FULL, one transaction an entry, with the same hash chain): one opened for each entry, as
the record is and as commands do, and one whose connection stays open. Then it verifies a record
beside a loop of json.loads and SHA-256 over the same lines. Rounds alternate, so that a slow moment
of the machine strikes all; the ratios are of the medians.

A connection kept open writes over its own log once that has reached 1,000 pages, and then needs no
new file size on the disk; a file that only grows always does. `--appends 3000` shows that.
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

from referee.record.chain import ZERO_HASH, entry_line, make_entry
from referee.record.journal import append, create
from referee.record.reading import verify

NOW = "2026-11-20T15:00:00Z"
APPENDS = 300
LINES = 20_000
TARGETS = {
    "appends_to_sqlite_opened_each": 1.2,
    "appends_to_sqlite_kept_open": 1.2,
    "verification_to_bare_loop": 0.5,
}
GENESIS = {
    "format": 1,
    "game": "ab" * 16,
    "ruleset": "cd" * 32,
    "rulebook": "sfb-cadet",
    "players": ["alice", "bob"],
    "dice": {"mode": "seed", "text": "benchmark"},
    "fold": 2,
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


def appends(path: Path, count: int) -> float:
    """Seconds for entries each opened, locked, appended, synced and closed."""
    create(path, GENESIS, NOW)
    start = time.perf_counter()
    for number in range(count):
        append(path, lambda tail, number=number: [entry(number)], NOW)  # type: ignore[misc]
    return time.perf_counter() - start


def connected(path: Path) -> sqlite3.Connection:
    """A connection that syncs every commit."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, hash TEXT, line BLOB)")
    return connection


def insert(connection: sqlite3.Connection, number: int) -> None:
    """Appends the next entry of the chain in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    last = connection.execute("SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
    seq, prev = (last[0] + 1, last[1]) if last else (0, ZERO_HASH)
    new = make_entry(prev, seq, *entry(number), NOW)
    connection.execute("INSERT INTO entries VALUES (?, ?, ?)", (seq, new.hash, entry_line(new)))
    connection.commit()


def sqlite_kept_open(path: Path, count: int) -> float:
    """Seconds for the same entries through one connection."""
    connection = connected(path)
    start = time.perf_counter()
    for number in range(count):
        insert(connection, number)
    seconds = time.perf_counter() - start
    connection.close()
    return seconds


def sqlite_opened_each(path: Path, count: int) -> float:
    """Seconds for the same entries, the database opened and closed for each."""
    connected(path).close()
    start = time.perf_counter()
    for number in range(count):
        connection = connected(path)
        insert(connection, number)
        connection.close()
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


def in_turns(rounds: int, jobs: list[Callable[[int], float]]) -> list[float]:
    """The median seconds of each job, all done once a round after one round to warm up."""
    times = [[job(number) for job in jobs] for number in range(rounds + 1)]
    return [statistics.median(column) for column in zip(*times[1:], strict=True)]


def measured(folder: Path, rounds: int, count: int) -> dict[str, float]:
    """All figures: rates per second, and the ratios."""
    ours, each, kept = in_turns(
        rounds,
        [
            lambda number: appends(folder / f"{number}.jsonl", count),
            lambda number: sqlite_opened_each(folder / f"{number}-each.sqlite", count),
            lambda number: sqlite_kept_open(folder / f"{number}-kept.sqlite", count),
        ],
    )
    path = folder / "long.jsonl"
    create(path, GENESIS, NOW)
    append(path, lambda tail: [entry(number) for number in range(LINES)], NOW)
    verified, bare = in_turns(rounds, [lambda _: verification(path), lambda _: bare_loop(path)])
    return {
        "appends_per_second": count / ours,
        "sqlite_opened_each_per_second": count / each,
        "sqlite_kept_open_per_second": count / kept,
        "appends_to_sqlite_opened_each": each / ours,
        "appends_to_sqlite_kept_open": kept / ours,
        "verified_per_second": LINES / verified,
        "bare_loop_per_second": LINES / bare,
        "verification_to_bare_loop": bare / verified,
    }


def main() -> None:
    """Prints the figures beside their targets; exit 1 where one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="on the disk to measure (default: a temporary folder)")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--appends", type=int, default=APPENDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        found = measured(Path(name), options.rounds, options.appends)
    if options.json:
        print(json.dumps(found))
        return
    for key, value in found.items():
        target = TARGETS.get(key)
        print(f"{key:32} {value:10.2f} (target {target})" if target else f"{key:32} {value:10.0f}")
    if any(found[key] < target for key, target in TARGETS.items()):
        raise SystemExit("a target is missed")


if __name__ == "__main__":
    main()
