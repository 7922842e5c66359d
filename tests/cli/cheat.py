"""A cheat's own writer of records, made from docs/record.md: it shares no line with the program's."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

Data = dict[str, Any]


def canon(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(tag: str, value: Any) -> str:
    return sha256(f"referee.{tag}\n".encode() + canon(value)).hexdigest()


class Writer:
    """A copy of a record that its holder writes on as he likes; every line fits the chain."""

    def __init__(self, record: Path, keep: int | None = None) -> None:
        self.lines: list[Data] = [json.loads(line) for line in record.read_bytes().splitlines()[:keep]]

    @property
    def genesis(self) -> Data:
        data: Data = self.lines[0]["data"]
        return data

    @property
    def bound(self) -> bool:
        """Do keys hold the declaration in this record?"""
        return bool(self.genesis["fold"] > 1)

    def add(self, kind: str, /, **data: Any) -> str:
        """One line more; its hash."""
        entry = {
            "data": data,
            "prev": self.lines[-1]["hash"] if self.lines else "0" * 64,
            "seq": len(self.lines),
            "ts": "2026-11-20T15:00:00Z",
            "type": kind,
        }
        entry["hash"] = digest("log.v1", entry)
        self.lines.append(entry)
        return str(entry["hash"])

    def save(self, path: Path) -> Path:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"".join(canon(line) + b"\n" for line in self.lines))
        return path

    # -- dice ----------------------------------------------------------------------------

    def declare(self, roll: int, who: str, dice: Sequence[tuple[int, int]], purpose: str = "table") -> str:
        order = [{"for": f"die {n}", "count": c, "sides": s} for n, (c, s) in enumerate(dice)]
        return self.add("declare", roll=roll, who=who, order=order, purpose=purpose)

    def key(self, roll: int, player: str, declaration: str, key: str, after: str = "", **more: Any) -> str:
        """A key with the label the cheat likes; `after` is the next key of the chain, where he knows it."""
        data: Data = {"roll": roll, "player": player, "declaration": declaration, "key": key}
        if self.bound:
            label = {"game": self.genesis["game"], "roll": roll, "player": player, "declaration": declaration}
            made = canon(label | {"refused": sorted(more.pop("refused", ()))})
            tag = b"referee.keybond.v1\n"
            data["bond"] = hmac.digest(bytes.fromhex(after or key), tag + made, "sha256").hex()
        return self.add("key", **data | more)

    def dice(
        self, roll: int, declaration: str, keys: Mapping[str, str], dice: Iterable[tuple[int, int]]
    ) -> list[Data]:
        """The faces that some keys give."""
        value: Data = {"game": self.genesis["game"], "players": dict(keys), "roll": roll}
        tag = "peerkey.v2" if self.bound else "peerkey.v1"
        k = digest(tag, value | ({"declaration": declaration} if self.bound else {}))
        return thrown(bytes.fromhex(k), roll, dice)

    def result(self, roll: int, declaration: str, dice: Sequence[Data], **more: Any) -> str:
        return self.add("result", roll=roll, declaration=declaration, dice=list(dice), **more)

    # -- seals ---------------------------------------------------------------------------

    def seal(self, ship: str, player: str, kind: str, line: str, **when: Any) -> tuple[str, Data]:
        """A seal of one order, and what reveals it."""
        genesis, about = self.genesis, {"turn": 1, "seq": 1} | when
        body = {"v": 1, "kind": kind, "game": genesis["game"], "ruleset": genesis["ruleset"]}
        body |= {"player": player, "ship": ship, "form": {"line_1": line}, **about}
        nonce = sha256(line.encode()).hexdigest()
        public = {name: value for name, value in body.items() if name not in ("ruleset", "form")}
        sealed = self.add("seal", digest=digest("commit.v1", {"body": body, "nonce": nonce}), **public)
        return sealed, {"v": 1, "seal": sealed, "body": body, "nonce": nonce}


def thrown(key: bytes, roll: int, dice: Iterable[tuple[int, int]]) -> list[Data]:
    stream = (
        byte
        for block in range(99)
        for byte in hmac.digest(
            key, b"referee.dice.v1\n" + roll.to_bytes(8, "big") + block.to_bytes(4, "big"), "sha256"
        )
    )
    groups = []
    for n, (count, sides) in enumerate(dice):
        fair = (byte % sides + 1 for byte in stream if byte < 256 - 256 % sides)
        groups.append(
            {"for": f"die {n}", "count": count, "sides": sides, "faces": [next(fair) for _ in range(count)]}
        )
    return groups


def chain_key(folder: Path, player: str, roll: int) -> str:
    """A key of a player's chain, from his folder of secrets."""
    secret = json.loads((folder / f"chain-{player}.json").read_text())
    key = bytes.fromhex(secret["chain"])
    for _ in range(secret["length"] - roll):
        key = sha256(b"referee.chain.v1\n" + key).digest()
    return key.hex()
