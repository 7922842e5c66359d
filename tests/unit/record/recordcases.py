"""Records for the tests of this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.record.chain import ZERO_HASH, Entry, entry_line, make_entry
from referee.record.journal import create

NOW = "2026-11-20T15:00:00Z"
GAME = "ab" * 16
RULES = "cd" * 32


def genesis(**changes: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "game": GAME,
        "ruleset": RULES,
        "rulebook": "sfb-cadet",
        "players": ["alice", "bob"],
        "dice": {"mode": "seed", "text": "practice"},
        "fold": 2,
        "tool": "referee test",
    } | changes


def note(text: str) -> tuple[str, dict[str, Any]]:
    return "note", {"text": text}


def chained(news: list[tuple[str, dict[str, Any]]], first: dict[str, Any] | None = None) -> list[Entry]:
    """A genesis and the entries after it, as a program would have written them."""
    entries = [make_entry(ZERO_HASH, 0, "genesis", first or genesis(), NOW)]
    for entry_type, data in news:
        entries.append(make_entry(entries[-1].hash, len(entries), entry_type, data, NOW))
    return entries


def lines(entries: list[Entry]) -> list[bytes]:
    return [entry_line(entry) for entry in entries]


def written(path: Path, count: int) -> Path:
    """A record of so many entries in all."""
    path.write_bytes(b"".join(lines(chained([note(f"remark {n}") for n in range(1, count)]))))
    return path


def begun(path: Path, **changes: Any) -> Path:
    create(path, genesis(**changes), NOW)
    return path
