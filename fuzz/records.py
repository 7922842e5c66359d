"""Records: each line by the slow and the fast check, then all of them in a new chain, judged as a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from fuzz.harness import FOR_PEOPLE, files, judged
from referee.record.canonical import parse_strict
from referee.record.chain import ZERO_HASH, LineCheck, entry_line, is_plain, make_line, read_alone
from referee.record.entrytypes import check_shape
from referee.record.reading import read_piped

AIMS = ("referee/record", "referee/core/gamefold.py", "referee/play/audit.py", "referee/play/game_file.py")
_MOST_LINES = 200
_HASH = re.compile(rb"[0-9a-f]{64}")


def take(data: bytes) -> None:
    """Reads the lines of a record, and judges what they say, whatever their hashes."""
    with suppress(*FOR_PEOPLE):
        read_piped(data, "fuzzed.jsonl")
    chained: list[bytes] = []
    prev = ZERO_HASH
    renamed: dict[bytes, bytes] = {}
    for number, line in enumerate(data.split(b"\n")[:_MOST_LINES]):
        _alone(line, number)
        said = _said(_HASH.sub(lambda found: renamed.get(found[0], found[0]), line))
        if said is None:
            continue
        said["data"].pop("signers", None)  # What is in a new chain, nobody signed.
        entry, written = make_line(prev, len(chained), said["type"], said["data"], str(said.get("ts")))
        chained.append(written)
        prev = entry.hash
        renamed[str(said.get("hash")).encode()] = prev.encode()
    if chained:
        judged(b"".join(chained), "fuzzed.jsonl", "json")


def _alone(line: bytes, number: int) -> None:
    """A line that is read is written in the same bytes; what the fast check lets pass, the slow one does."""
    quick = LineCheck().quick_last(line) if is_plain(line) else None
    try:
        entry = read_alone(line, number)
    except FOR_PEOPLE:
        assert quick is None, "the fast check lets pass what the slow one does not"
        return
    assert entry_line(entry) == line + b"\n", "a line written again has other bytes"


def _said(line: bytes) -> dict[str, Any] | None:
    """What a line says, where it has the shape of its type."""
    try:
        said = parse_strict(line.decode())
        if not isinstance(said, dict) or not isinstance(said.get("data"), dict):
            return None
        check_shape(str(said.get("type")), said["data"])
        return said
    except (ValueError, *FOR_PEOPLE):
        return None


def seeds() -> Iterator[bytes]:
    """The first lines of the records of the examples."""
    for record in files("examples/games/*.jsonl"):
        lines = record.splitlines(keepends=True)
        yield from (b"".join(lines[:most]) for most in (4, 16, 64, _MOST_LINES))
        yield record
