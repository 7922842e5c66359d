"""Entries that a cheat writes into a record without the program, spelled, chained and signed as docs/record.md says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.net.command import command


def forged(record: str, lines: list[str], kept: int | None = None) -> Iterator[str]:
    """What `game status` says to each line of entries, `type {data}`, parted by ` ;; `, behind so many of a record."""
    before = "".join(Path(record).read_text(encoding="utf-8").splitlines(True)[:kept])
    for line in lines:
        Path("forged.jsonl").write_text(before, encoding="utf-8")
        for written in line.split(" ;; "):
            _write(record, *written.split(" ", 1))
        ran = command("game", "status", "forged.jsonl")
        yield from (f"  {ran.code}  {said}" for said in ran.err.splitlines() or ["it may be so"])


def _write(record: str, kind: str, data: str) -> None:
    path = Path("forged.jsonl")
    first, *_, last = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    told = json.loads(data.replace("GAME", first["data"]["game"]))
    entry = {"data": told, "prev": last["hash"], "seq": last["seq"] + 1, "ts": last["ts"], "type": kind}
    entry["hash"] = _hash(entry)
    names = {str(told.get(name)) for name in ("player", "who", "by")} | set(told.get("agreed_by", []))
    signed = b"referee.sign.v1\n" + bytes.fromhex(entry["hash"])
    secrets = map(json.loads, map(Path.read_text, Path(record).with_suffix(".secrets").glob("sign-*.json")))
    keys = {
        one["player"]: Ed25519PrivateKey.from_private_bytes(bytes.fromhex(one["signing_key"]))
        for one in secrets
    }
    if kind not in ("reveal", "foul", "events", "taken") and names & set(keys):
        entry["sigs"] = {name: keys[name].sign(signed).hex() for name in names & set(keys)}
    with path.open("ab") as file:
        file.write(_spelled(entry) + b"\n")


def chained_again(record: Path, more: list[str]) -> None:
    """Puts a record in its chain again, without signatures, with more entries behind it: `TYPE {data}`, in which `"#5"`
    is the hash of entry 5."""
    known: dict[str, str] = {}
    hashes = ["0" * 64]
    lines: list[bytes] = []
    for line in [*record.read_text(encoding="utf-8").splitlines(), *more]:
        text = line
        for old, new in known.items():
            text = text.replace(old, new)
        if text.startswith("{"):
            entry = json.loads(text)
            entry["data"].pop("signers", None)
        else:
            kind, data = re.sub(r'"#(\d+)"', lambda m: f'"{hashes[int(m[1]) + 1]}"', text).split(" ", 1)
            entry = {"ts": "2026-11-20T15:00:00Z", "type": kind, "data": json.loads(data)}
        old = entry.pop("hash", "")
        entry.pop("sigs", None)
        entry |= {"seq": len(lines), "prev": hashes[-1]}
        entry["hash"] = _hash(entry)
        hashes.append(entry["hash"])
        known |= {old: entry["hash"]} if old else {}
        lines.append(_spelled(entry))
    record.write_bytes(b"".join(line + b"\n" for line in lines))


def _hash(entry: object) -> str:
    return sha256(b"referee.log.v1\n" + _spelled(entry)).hexdigest()


def _spelled(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
