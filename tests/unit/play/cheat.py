"""A cheat's own writer of records, made from docs/record.md: it shares no line with the program's."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Data = dict[str, Any]

SAID_BY = {
    **dict.fromkeys(
        ("anchor", "nonce", "key", "seal", "form", "order", "signer", "ship", "drone", "step"), "player"
    ),
    **dict.fromkeys(("confirm", "forfeit_roll", "umpire_ack", "umpire_reject", "ruling", "note"), "by"),
    "declare": "who",
    "result": "entered_by",
}
"""The field of an entry that names who says it."""

NOBODYS = ("genesis", "reveal", "foul", "events", "taken")


def canon(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(tag: str, value: Any) -> str:
    return sha256(f"referee.{tag}\n".encode() + canon(value)).hexdigest()


class Writer:
    """A copy of a record that its holder writes on as he likes; every line fits the chain.

    Each entry is signed, in a record of signatures, by those in whose name it is and whose signing key is in
    `secrets`: so their owners sign what they say themselves. `held` names those who sign from then on, where
    the others do not know what is written in their names.
    """

    def __init__(self, record: Path, keep: int | None = None, secrets: Path = Path("g.secrets")) -> None:
        self.lines: list[Data] = [json.loads(line) for line in record.read_bytes().splitlines()[:keep]]
        self.secrets = secrets
        self.held: Sequence[str] | None = None

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
        if sigs := self._sigs(entry):
            entry["sigs"] = sigs
        return str(entry["hash"])

    def _sigs(self, entry: Data) -> dict[str, str]:
        """The signatures of the last entry by those who are to sign it, as far as their keys are here."""
        message = b"referee.sign.v1\n" + bytes.fromhex(entry["hash"])
        if entry["type"] == "key":
            message = b"referee.signkey.v1\n" + canon({**entry["data"], "game": self.genesis["game"]})
        private = {
            key.public_key().public_bytes_raw().hex(): key
            for file in self.secrets.glob("sign-*.json")
            for key in [Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret_of(file)["signing_key"]))]
        }
        signers = self._signers()
        names = [name for name in self._due(entry) if self.held is None or name in self.held]
        keys = {name: private.get(signers.get(name, "")) for name in names}
        return {name: key.sign(message).hex() for name, key in keys.items() if key}

    def _signers(self) -> dict[str, str]:
        """The public keys that count behind the last entry; none in a record of no signatures."""
        keys = dict(self.genesis.get("signers", {}))
        for line in self.lines[1:] if keys else ():
            if line["type"] in ("anchor", "nonce", "signer") and "signer" in line["data"]:
                keys[line["data"]["player"]] = line["data"]["signer"]
        return keys

    def _due(self, entry: Data) -> set[str]:
        kind, data, dice = entry["type"], entry["data"], self.genesis["dice"]
        if kind in NOBODYS:
            return set()
        act = data["act"] if isinstance(data.get("act"), dict) else {}
        names = {data.get(SAID_BY.get(kind, "")), *data.get("agreed_by", ()), *act.get("agreed_by", ())}
        if kind == "dice_seed" or (kind == "result" and data["dice"] and names == {None}):
            names = {dice.get({"umpire": "umpire", "solo": "operator"}.get(dice["mode"], ""))}
        return names - {None}

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

    def seal(self, ship: str, player: str, kind: str, line: str | Data, **when: Any) -> tuple[str, Data]:
        """A seal of one order, or of a whole form, and what reveals it."""
        genesis, about = self.genesis, {"turn": 1, "seq": 1} | when
        form = line if isinstance(line, dict) else {"line_1": line}
        body = {"v": 1, "kind": kind, "game": genesis["game"], "ruleset": genesis["ruleset"]}
        body |= {"player": player, "ship": ship, "form": form, **about}
        nonce = sha256(canon([form, about])).hexdigest()
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


def secret_of(file: Path) -> Data:
    data: Data = json.loads(file.read_text())
    return data


def chain_key(folder: Path, player: str, roll: int) -> str:
    """A key of a player's chain, from his folder of secrets."""
    secret = secret_of(folder / f"chain-{player}.json")
    key = bytes.fromhex(secret["chain"])
    for _ in range(secret["length"] - roll):
        key = sha256(b"referee.chain.v1\n" + key).digest()
    return key.hex()


def rewritten(path: Path, **terms: Any) -> None:
    """A record in whose first entry other terms stand, or none where they are None, and all else as it was."""
    new = Writer(path)
    entries = [(line["type"], line["data"]) for line in new.lines]
    new.lines = []
    for kind, data in entries:
        changed = data | terms if kind == "genesis" else data
        new.add(kind, **{name: value for name, value in changed.items() if value is not None})
    new.save(path)


def without_signatures(path: Path) -> None:
    """A record as it was begun when there were none: without anybody's keys."""
    rewritten(path, signers=None)


# -- a second signature ------------------------------------------------------------------------

P, L, D = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493, -121665 * pow(121666, -1, 2**255 - 19)
BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


def signed_again(private: str, message: bytes) -> str:
    """A signature by RFC 8032 but for its nonce, which is whatever the holder of the key likes: it holds too."""
    seed = sha512(bytes.fromhex(private)).digest()
    a = (int.from_bytes(seed[:32], "little") & ((1 << 254) - 8)) | (1 << 254)
    nonce = int.from_bytes(sha512(b"another" + message).digest(), "little") % L
    r, public = _point(_times(nonce)), _point(_times(a))
    k = int.from_bytes(sha512(r + public + message).digest(), "little")
    return (r + ((nonce + k * a) % L).to_bytes(32, "little")).hex()


def _times(n: int) -> tuple[int, int]:
    """A multiple of the base point."""
    (x, y), (u, v) = (0, 1), BASE
    for bit in range(n.bit_length()):
        if n >> bit & 1:
            x, y = _sum((x, y), (u, v))
        u, v = _sum((u, v), (u, v))
    return x, y


def _sum(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    (x, y), (u, v) = one, two
    t = D * x * u * y * v
    return (x * v + y * u) * pow(1 + t, -1, P) % P, (y * v + x * u) * pow(1 - t, -1, P) % P


def _point(at: tuple[int, int]) -> bytes:
    return (at[1] | (at[0] & 1) << 255).to_bytes(32, "little")
