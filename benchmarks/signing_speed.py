"""What signatures cost: taking in 1,000 entries, and one append, in a signed game and in one that is not.

    python benchmarks/signing_speed.py [--rounds N] [--json]

Two games of the same terms are begun; the keys are taken out of the first entry of one. In each the same
player rules 1,000 times in a copy, which the other's copy takes in (`record sync`), and then rules on, entry by
entry (`game rule`), in a new record and behind the 1,000. Both are run in this process and in turns, and the
processor time of the fastest tenth is compared, which what else the machine does moves least. The library is loaded
by the first command that signs, once a process: that is measured beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from referee.cli.main import run
from referee.record.chain import ZERO_HASH, Entry, make_line, signed
from referee.record.reading import read
from referee.record.secretfiles import secrets_folder
from referee.record.signatures import Signers
from referee.record.signkeys import Pen

ENTRIES = 1000
NOW = "2026-11-20T15:00:00Z"
TARGETS = {"sync_more_seconds": 0.5, "append_more_ms": 2.0, "append_behind_1000_more_ms": 2.0}
LIBRARY = "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey"


def said(*arguments: str) -> float:
    """Seconds of a command, its output thrown away. Raises SystemExit if it fails."""
    gc.collect()
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        code = run(list(arguments))
    if code:
        raise SystemExit(f"{' '.join(arguments)} ended with {code}")
    return time.process_time() - start


def begun(folder: Path, *, keys: bool) -> Path:
    """A game, with keys or without."""
    folder.mkdir()
    path = folder / "duel.jsonl"
    ships = ("--ship", "A=cadet/federation-ca:alice@2801E/16", "--ship", "B=cadet/klingon-d6:bob@0216B/16")
    said("game", "new", str(path), "--players", "alice,bob", "--dice", "seed", "--seed", "speed", *ships)
    if not keys:
        prev, lines = ZERO_HASH, []
        for entry in read(path):
            data = {name: value for name, value in entry.data.items() if name != "signers"}
            made, line = make_line(prev, entry.seq, entry.type, data, entry.ts)
            lines.append(line)
            prev = made.hash
        path.write_bytes(b"".join(lines))
    return path


def ruled(path: Path, count: int) -> Path:
    """A copy in which Bob has ruled so often, with his signatures where the record has keys."""
    signers = Signers()
    for entry in read(path):
        signers.follow(entry)
    pen, last, lines = Pen(secrets_folder(path), signers), read(path)[-1], [path.read_bytes()]
    for number in range(count):
        data = {"by": "bob", "text": f"ruling {number}"}
        last, line = make_line(last.hash, last.seq + 1, "ruling", data, NOW)
        lines.append(_signed(pen, last, line))
    other = path.with_name("theirs.jsonl")
    other.write_bytes(b"".join(lines))
    return other


def _signed(pen: Pen, entry: Entry, line: bytes) -> bytes:
    sigs = pen.sign(entry)
    return signed(entry, sigs)[1] if sigs else line


def synced(path: Path, other: Path) -> float:
    """Seconds to take in the other copy."""
    mine = path.with_name("mine.jsonl")
    shutil.copy(path, mine)
    return said("record", "sync", str(mine), str(other), "--as", "alice")


def fastest(times: list[float]) -> float:
    """Seconds that the fastest tenth takes at most; the first, which loads modules, is left out."""
    return statistics.quantiles(times[1:], n=10)[0]


def loading() -> float:
    """Seconds more that a process takes in which the library is loaded."""
    times: dict[str, list[float]] = {"": [], LIBRARY: []}
    for _ in range(7):
        for code, found in times.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            found.append(time.perf_counter() - start)
    return statistics.median(times[LIBRARY]) - statistics.median(times[""])


def measured(folder: Path, rounds: int) -> dict[str, float]:
    """All figures."""
    paths = [begun(folder / "signed", keys=True), begun(folder / "plain", keys=False)]
    others = [ruled(path, ENTRIES) for path in paths]
    syncs: list[list[float]] = [[], []]
    appends: list[list[float]] = [[], []]
    later: list[list[float]] = [[], []]
    for _ in range(rounds * 2):
        for path, other, times in zip(paths, others, syncs, strict=True):
            times.append(synced(path, other))
    for _ in range(rounds * 10):
        for path, times in zip(paths, appends, strict=True):
            times.append(said("game", "rule", str(path), "north is up", "--by", "bob"))
    for path in paths:
        shutil.copytree(secrets_folder(path), path.with_name("theirs.secrets"))
    for _ in range(rounds * 10):
        for path, times in zip(others, later, strict=True):
            times.append(said("game", "rule", str(path), "north is up", "--by", "bob"))
    with_keys, without = map(fastest, syncs)
    one, plain = map(fastest, appends)
    long, long_plain = map(fastest, later)
    return {
        "sync_signed_seconds": with_keys,
        "sync_unsigned_seconds": without,
        "sync_more_seconds": with_keys - without,
        "append_signed_ms": one * 1000,
        "append_unsigned_ms": plain * 1000,
        "append_more_ms": (one - plain) * 1000,
        "append_behind_1000_signed_ms": long * 1000,
        "append_behind_1000_more_ms": (long - long_plain) * 1000,
        "library_loaded_ms": loading() * 1000,
    }


def main() -> None:
    """Prints the figures beside their targets; exit 1 where one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        found = measured(Path(name), options.rounds)
        os.chdir("/")
    if options.json:
        print(json.dumps(found))
        return
    for key, value in found.items():
        target = f" (target ≤ {TARGETS[key]})" if key in TARGETS else ""
        print(f"{key:28} {value:10.3f}{target}")
    if any(found[key] > target for key, target in TARGETS.items()):
        raise SystemExit("a target is missed")


if __name__ == "__main__":
    main()
