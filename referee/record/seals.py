"""Sealed orders: a digest in the record now, the orders themselves later, and no way to change them.

Version 1 opens whole; version 2 can show single fields. Game, rule set, turn, player, ship and
revision are inside what is hashed, so a digest copied from elsewhere opens nothing.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.record import sealtree
from referee.record.canonical import canonical, check_key, check_value, spelled
from referee.record.chain import Data, Entry
from referee.record.entrytypes import FIELDS, check_shape
from referee.record.limits import MAX_FIELDS
from referee.record.machine import random_bytes
from referee.record.secretfiles import read_secret, slug, write_secret

# Turn, impulse (0 for the whole turn), player, ship, kind.
Key = tuple[int, int, str, str, str]
Random = Callable[[int], bytes]
Spelling = Callable[[object], bytes]

_DOMAIN = {1: b"referee.commit.v1\n", 2: b"referee.commit.v2\n"}
_PUBLIC = ("kind", "game", "turn", "player", "ship", "seq")


@frozen
class Opening:
    """What opens a seal: the body with its form, and the nonce (version 1) or a salt per field (2)."""

    body: Data
    nonce: str = ""
    salts: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """The digest the record holds."""
        if self.body["v"] == 1:
            return _commitment(1, {"body": self.body, "nonce": self.nonce})
        return _tree_digest(_head(self.body), self.fields, sealtree.root(self.leaves()).hex())

    @property
    def fields(self) -> list[str]:
        """The form's fields in the order of the tree."""
        return sorted(self.body["form"])

    def leaves(self) -> list[bytes]:
        """The hash of each field (version 2)."""
        salts, form = dict(self.salts), self.body["form"]
        return [sealtree.leaf(name, form[name], salts[name]) for name in self.fields]

    @property
    def seal_data(self) -> Data:
        """The data of the `seal` entry."""
        public = {name: self.body[name] for name in (*_PUBLIC, "impulse") if name in self.body}
        return {"v": self.body["v"], "digest": self.digest, **public}


def seal_orders(
    form: Data,
    *,
    kind: str,
    game: str,
    ruleset: str,
    turn: int,
    player: str,
    ship: str,
    seq: int = 1,
    impulse: int = 0,
    per_field: bool = False,
    random: Random = random_bytes,
) -> Opening:
    """Seals a form of any kind (`eaf`, `moves`, `fire`, ...) under fresh random bits.

    `form` must have canonical bytes (see `canonical.packed`). `seq` counts the revisions of one
    ship's orders from 1. `impulse` is for orders of one impulse. Raises BadInput.
    """
    version = 2 if per_field else 1
    body: Data = {
        "v": version, "kind": kind, "game": game, "ruleset": ruleset, "turn": turn, "player": player,
        "ship": ship, "seq": seq, "form": form,
    }  # fmt: skip
    if impulse:
        body["impulse"] = impulse
    # What cannot be written down now could never be revealed.
    check_value(body)
    if per_field:
        if not 1 <= len(form) <= MAX_FIELDS:
            raise BadInput(f"a form of {len(form)} fields", hint=f"1 to {MAX_FIELDS} can be sealed apart")
        opening = Opening(body, salts=tuple((name, random(16).hex()) for name in sorted(form)))
    else:
        opening = Opening(body, nonce=random(32).hex())
    check_shape("seal", opening.seal_data)
    return opening


def save_opening(folder: Path, opening: Opening) -> Path:
    """Writes what opens the seal to the folder of secrets, once; without it nothing can be revealed."""
    body = opening.body
    when = f"{body['turn']}-{body['impulse']}" if "impulse" in body else f"{body['turn']}"
    name = f"{when}-{slug(body['ship'])}-{body['kind']}-{body['seq']}.json"
    return write_secret(folder, name, opening_secret(opening))


def opening_secret(opening: Opening) -> Data:
    """The opening as it is written to a file or encrypted to an umpire."""
    if opening.body["v"] == 1:
        return {"body": opening.body, "nonce": opening.nonce}
    return {"body": opening.body, "salts": [list(pair) for pair in opening.salts]}


def load_opening(path: Path) -> Opening:
    """The opening that `save_opening` wrote. Raises BadInput."""
    return opening_from(read_secret(path), str(path))


def opening_from(secret: Data, file: str = "") -> Opening:
    """The opening in what `opening_secret` returned. Raises BadInput for anything else."""
    body, salts = secret.get("body"), secret.get("salts", [])
    good = isinstance(body, dict) and set(body) - {"impulse"} == {*_PUBLIC, "v", "ruleset", "form"}
    good = good and isinstance(body["form"], dict) and body["v"] in (1, 2)  # type: ignore[index]
    if not good or not isinstance(salts, list):
        raise BadInput("does not open a seal", file=file)
    assert isinstance(body, dict)
    if body["v"] == 1 and FIELDS["hash"].accepts(secret.get("nonce")):
        return Opening(body, nonce=secret["nonce"])
    pairs = [(p[0], p[1]) for p in salts if isinstance(p, list) and len(p) == 2]
    if body["v"] == 2 and sorted(body["form"]) == [name for name, _ in pairs]:
        return Opening(body, salts=tuple(pairs))
    raise BadInput("does not open a seal", file=file)


def reveal_all(opening: Opening, seal: Entry) -> Data:
    """The data of a `reveal` entry that opens the seal in full."""
    if opening.body["v"] == 1:
        return {"v": 1, "seal": seal.hash, "body": opening.body, "nonce": opening.nonce}
    return reveal_fields(opening, seal, opening.fields)


def reveal_fields(opening: Opening, seal: Entry, names: Sequence[str]) -> Data:
    """The data of a `reveal` entry that shows some fields of a version 2 seal. Raises BadInput."""
    if opening.body["v"] != 2:
        raise BadInput("was sealed as a whole", hint="only seals made field by field show single fields")
    leaves, fields, salts = opening.leaves(), opening.fields, dict(opening.salts)
    if unknown := [name for name in names if name not in salts]:
        raise BadInput(f"the form has no field {unknown[0][:40]!a}")
    shown = [
        {
            "field": name,
            "value": opening.body["form"][name],
            "salt": salts[name],
            "path": [sibling.hex() for sibling in sealtree.path(leaves, fields.index(name))],
        }
        for name in sorted(set(names))
    ]
    return {
        "v": 2, "seal": seal.hash, "body": _head(opening.body), "fields": fields,
        "root": sealtree.root(leaves).hex(), "shown": shown,
    }  # fmt: skip


@frozen
class Revealed:
    """Orders that fit their seal: the fields shown, and whether that is all of them."""

    seal: Entry
    kind: str
    turn: int
    player: str
    ship: str
    seq: int
    form: Data
    complete: bool


class SealLedger(Forked):
    """Follows a record's seals: who has sealed what, and which revision counts."""

    def __init__(self) -> None:
        self.game = ""
        self.ruleset = ""
        self.players: tuple[str, ...] = ()
        self.seals: dict[str, Entry] = {}  # by entry hash
        self.latest: dict[Key, Entry] = {}
        self._digests: dict[str, int] = {}

    def apply(self, entry: Entry) -> Revealed | None:
        """Takes in an entry; returns what a `reveal` shows.

        Raises IntegrityFailure for a seal or reveal that does not hold; BadInput for its shape.
        Whether the orders are legal is for the rules to say.
        """
        if entry.type in ("seal", "reveal"):
            check_shape(entry.type, entry.data)
        return self.take(entry)

    def take(self, entry: Entry) -> Revealed | None:
        """As `apply`, for an entry whose shape was held already."""
        if entry.type == "genesis":
            self.game, self.ruleset = entry.data["game"], entry.data["ruleset"]
            self.players = tuple(entry.data["players"])
        elif entry.type == "seal":
            self._take_seal(entry)
        elif entry.type == "reveal":
            return self._revealed(entry.data, spelled)
        elif entry.type in ("umpire_ack", "umpire_reject"):
            seal = self._sealed(entry.data)
            if not hmac.compare_digest(seal.data["digest"], entry.data["digest"]):
                raise IntegrityFailure(f"names another digest than the seal in line {seal.line_number}")
        return None

    def next_revision(self, turn: int, player: str, ship: str, kind: str, impulse: int = 0) -> int:
        """The revision that the next seal of these orders must have."""
        before = self.latest.get((turn, impulse, player, ship, kind))
        return before.data["seq"] + 1 if before else 1

    def missing(
        self, turn: int, kind: str, ships: Iterable[tuple[str, str]], impulse: int = 0
    ) -> list[tuple[str, str]]:
        """Of the (player, ship) pairs given, those without a seal of this kind for the turn."""
        return [pair for pair in ships if (turn, impulse, *pair, kind) not in self.latest]

    def check_reveal(self, data: Data) -> Revealed:
        """What a reveal shows. Raises as `apply`: digest first, then the body, then the rule set."""
        check_shape("reveal", data)
        return self._revealed(data, canonical)

    def _revealed(self, data: Data, spell: Spelling) -> Revealed:
        seal = self._sealed(data)
        line = f"line {seal.line_number}"
        form, complete, digest = _opened(data, spell)
        if not hmac.compare_digest(digest, seal.data["digest"]):
            raise IntegrityFailure(f"does not match the seal in {line}")
        body = data["body"]
        public = (*_PUBLIC, "v", "impulse")
        if differs := [name for name in public if body.get(name) != seal.data.get(name)]:
            raise IntegrityFailure(f"matches the seal in {line}, but its {differs[0]} is another")
        if body.get("game") != self.game or body.get("ruleset") != self.ruleset:
            raise IntegrityFailure(
                f"matches the seal in {line}, but was sealed for other rules or another game"
            )
        if (last := self.latest[_key(seal.data)]).hash != seal.hash:
            raise IntegrityFailure(f"the seal in {line} was replaced by the one in line {last.line_number}")
        return Revealed(
            seal, body["kind"], body["turn"], body["player"], body["ship"], body["seq"], form, complete
        )

    def _take_seal(self, entry: Entry) -> None:
        data = entry.data
        if data["game"] != self.game or data["player"] not in self.players or data["v"] not in _DOMAIN:
            raise IntegrityFailure("is a seal of another game, player or version")
        key = _key(data)
        due = self.latest[key].data["seq"] + 1 if key in self.latest else 1
        if data["seq"] != due:
            raise IntegrityFailure(f"is revision {data['seq']} where {due} is due")
        if data["digest"] in self._digests:
            raise IntegrityFailure(f"is a copy of the digest in line {self._digests[data['digest']]}")
        self._digests[data["digest"]] = entry.line_number
        self.seals[entry.hash] = self.latest[key] = entry

    def _sealed(self, data: Data) -> Entry:
        if data["seal"] not in self.seals:
            raise IntegrityFailure("opens a seal that is not in the record")
        return self.seals[data["seal"]]


def _key(data: Data) -> Key:
    return data["turn"], data.get("impulse", 0), data["player"], data["ship"], data["kind"]


def _opened(data: Data, spell: Spelling) -> tuple[Data, bool, str]:
    """Form, whether it is all of it, and digest of a reveal's data. Raises BadInput for its shape."""
    body = data.get("body")
    if data["v"] == 1 and isinstance(body, dict) and isinstance(body.get("form"), dict) and "nonce" in data:
        return body["form"], True, _commitment(1, {"body": body, "nonce": data["nonce"]}, spell)
    if data["v"] == 2 and isinstance(body, dict) and {"fields", "root", "shown"} <= set(data):
        form = _shown(data)
        fields = data["fields"]
        return form, len(form) == len(fields), _tree_digest(body, fields, data["root"], spell)
    raise BadInput("reveal without what opens its seal")


def _shown(data: Data) -> Data:
    """The fields shown, each proved to be the one of its name. Raises IntegrityFailure."""
    fields: list[str] = data["fields"]
    # In strict order every name stands once: no form can hold two values of one field.
    if fields != sorted(set(fields)) or not 1 <= len(fields) <= MAX_FIELDS:
        raise IntegrityFailure("the names of the fields are not in order")
    form: Data = {}
    for item in data["shown"]:
        name, siblings = _proof(item)
        if name not in fields or name in form:
            raise IntegrityFailure(f"shows {name[:40]!a}, which the form has not, or twice")
        start = sealtree.leaf(name, item["value"], item["salt"])
        found = sealtree.root_from(start, fields.index(name), len(fields), siblings)
        if found is None or found.hex() != data["root"]:
            raise IntegrityFailure(f"the value shown for {name[:40]!a} is not the one sealed")
        form[name] = item["value"]
    return form


def _proof(item: Any) -> tuple[str, list[bytes]]:
    if not isinstance(item, dict) or set(item) != {"field", "value", "salt", "path"}:
        raise BadInput("shown fields need field, value, salt and path")
    check_key(item["field"])
    path = item["path"]
    if not isinstance(path, list) or not all(FIELDS["hash"].accepts(sibling) for sibling in path):
        raise BadInput("path is not a list of hashes")
    return item["field"], [bytes.fromhex(sibling) for sibling in path]


def _head(body: Data) -> Data:
    return {name: value for name, value in body.items() if name != "form"}


def _tree_digest(head: Data, fields: Sequence[str], root: str, spell: Spelling = canonical) -> str:
    return _commitment(2, {"fields": list(fields), "head": head, "root": root}, spell)


def _commitment(version: int, preimage: Data, spell: Spelling = canonical) -> str:
    return hashlib.sha256(_DOMAIN[version] + spell(preimage)).hexdigest()
