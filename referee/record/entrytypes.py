"""Every type of entry and the fields of its data, as a table; also the source of the JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.gamefold import FOLDS
from referee.record.canonical import KEY
from referee.record.chain import Data, Entry
from referee.record.limits import MAX_DICE, MAX_INT

FORMAT = 1

_HEX = re.compile("[0-9a-f]{64}")
_GAME = re.compile("[0-9a-f]{32}")
_KIND = re.compile("[a-z0-9-]{1,40}")


@frozen
class EntryField:
    """A kind of field: how to check it, and its JSON Schema."""

    accepts: Callable[[Any], bool]
    schema: Mapping[str, Any]


@frozen
class EntryType:
    """A type of entry: what it means, the fields it must have, those it may have.

    An open type may hold further fields; a closed one is refused with any.
    """

    meaning: str
    required: Mapping[str, str]
    optional: Mapping[str, str]
    open: bool = False


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_player(value: Any) -> bool:
    return isinstance(value, str) and KEY.fullmatch(value) is not None


def _matches(pattern: re.Pattern[str]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _is_group(value: Any, *, name: bool, faces: bool) -> bool:
    """Dice thrown together: `for` in a declaration and, where the roll has one, in the result."""
    if not isinstance(value, dict) or not set(value) <= {"for", "count", "sides", "faces"}:
        return False
    if not _is_int(value.get("count"), 1, MAX_DICE) or not _is_int(value.get("sides"), 2, 256):
        return False
    if not _is_text(value.get("for", "" if not name else None)) or faces != ("faces" in value):
        return False
    return not faces or (
        isinstance(value["faces"], list)
        and len(value["faces"]) == value["count"]
        and all(_is_int(face, 1, value["sides"]) for face in value["faces"])
    )


_TEXT = {"type": "string"}
_HEX_SCHEMA = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_PLAYER_SCHEMA = {"type": "string", "pattern": "^[a-z0-9_]{1,32}$"}
_COUNT = {"type": "integer", "minimum": 1, "maximum": MAX_DICE}
_SIDES = {"type": "integer", "minimum": 2, "maximum": 256}
_GROUP_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"for": _TEXT, "count": _COUNT, "sides": _SIDES},
    "required": ["for", "count", "sides"],
    "additionalProperties": False,
}
_FACES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "for": _TEXT,
        "count": _COUNT,
        "sides": _SIDES,
        "faces": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 256}},
    },
    "required": ["count", "sides", "faces"],
    "additionalProperties": False,
}

FIELDS: dict[str, EntryField] = {
    "text": EntryField(_is_text, _TEXT),
    "texts": EntryField(_list_of(_is_text), {"type": "array", "items": _TEXT}),
    "hash": EntryField(_matches(_HEX), _HEX_SCHEMA),
    "game": EntryField(_matches(_GAME), {"type": "string", "pattern": "^[0-9a-f]{32}$"}),
    "kind": EntryField(_matches(_KIND), {"type": "string", "pattern": "^[a-z0-9-]{1,40}$"}),
    "player": EntryField(_is_player, _PLAYER_SCHEMA),
    "players": EntryField(_list_of(_is_player), {"type": "array", "items": _PLAYER_SCHEMA}),
    "number": EntryField(
        lambda v: type(v) is int and 0 <= v <= MAX_INT, {"type": "integer", "minimum": 0, "maximum": MAX_INT}
    ),
    "roll": EntryField(
        lambda v: type(v) is int and 1 <= v <= MAX_INT, {"type": "integer", "minimum": 1, "maximum": MAX_INT}
    ),
    "yes": EntryField(lambda v: v is True, {"const": True}),
    "object": EntryField(lambda v: isinstance(v, dict), {"type": "object"}),
    "list": EntryField(lambda v: isinstance(v, list), {"type": "array"}),
    "groups": EntryField(
        _list_of(lambda v: _is_group(v, name=True, faces=False)), {"type": "array", "items": _GROUP_SCHEMA}
    ),
    "faces": EntryField(
        _list_of(lambda v: _is_group(v, name=False, faces=True)), {"type": "array", "items": _FACES_SCHEMA}
    ),
    "toward": EntryField(lambda v: v in ("min", "max"), {"enum": ["min", "max"]}),
}

_WHEN = {"turn": "number", "impulse": "number", "step": "text"}

TYPES: dict[str, EntryType] = {
    "genesis": EntryType(
        "The first entry: what cannot change in a game.",
        {
            "format": "number",
            "game": "game",
            "ruleset": "hash",
            "rulebook": "text",
            "players": "players",
            "dice": "object",
            "fold": "number",
            "tool": "text",
        },
        {
            "umpire": "player",
            "signers": "object",
            "names": "object",
            "options": "object",
            "title": "text",
            "scenario": "text",
            "from": "object",
            "ships": "list",
        },
        open=True,
    ),
    # Dice
    "anchor": EntryType(
        "The public end of a player's key chain (peer dice).",
        {"player": "player", "anchor": "hash", "length": "roll"},
        {"signer": "hash"},
    ),
    "nonce": EntryType(
        "A player's part of the dice key (umpire and solo dice), after the umpire's commitment.",
        {"player": "player", "nonce": "hash"},
        {"text": "text", "signer": "hash"},
    ),
    "signer": EntryType(
        "A player's own signing key, or a new one that all others agree to.",
        {"player": "player", "signer": "hash"},
        {"agreed_by": "players", "reason": "text"},
    ),
    "declare": EntryType(
        "A roll is announced: who rolls what for what, in which order.",
        {"roll": "roll", "who": "player", "order": "groups"},
        {
            "weapons": "texts",
            "targets": "texts",
            "ship": "text",
            "purpose": "text",
            "open": "yes",
            "physical": "yes",
            "reroll_of": "roll",
            **_WHEN,
        },
    ),
    "key": EntryType(
        "A player's key for one declared roll (peer dice); `bond` shows, with his next key, for which.",
        {"roll": "roll", "player": "player", "declaration": "hash", "key": "hash"},
        {"bond": "hash"},
    ),
    "result": EntryType(
        "The faces of a declared roll.",
        {"roll": "roll", "declaration": "hash", "dice": "faces"},
        {"entered_by": "player", "picks": "object", "picked_by": "player"},
    ),
    "confirm": EntryType(
        "Another player has seen the dice that were typed in.",
        {"roll": "roll", "by": "player", "result": "hash"},
        {},
    ),
    "void": EntryType(
        "A declared roll is not made; its number is used up.",
        {"roll": "roll", "declaration": "hash", "reason": "text", "agreed_by": "players"},
        {},
    ),
    "forfeit_roll": EntryType(
        "A player kept back the key: the roll is made without it; of who declared it, it does nothing. In "
        "records of version 1 `by` named the faces.",
        {"roll": "roll", "declaration": "hash", "refuser": "player", "by": "player"},
        {"agreed_by": "players", "toward": "toward", "dice": "faces"},
    ),
    "reroll": EntryType(
        "All agree that a result does not count; a new roll may name it.",
        {"roll": "roll", "agreed_by": "players", "reason": "text"},
        {},
    ),
    "dice_seed": EntryType(
        "The umpire's secret, shown at the end; every roll can be recomputed.",
        {"seed": "hash"},
        {},
    ),
    # Seals
    "seal": EntryType(
        "The digest of secret orders.",
        {
            "v": "number",
            "kind": "kind",
            "digest": "hash",
            "game": "game",
            "turn": "number",
            "player": "player",
            "ship": "text",
            "seq": "roll",
        },
        {"impulse": "number"},
    ),
    "reveal": EntryType(
        "Sealed orders opened in full (v 1), or some of their fields (v 2).",
        {"v": "number", "seal": "hash"},
        {"body": "object", "nonce": "hash", "fields": "texts", "root": "hash", "shown": "list"},
    ),
    "umpire_ack": EntryType(
        "The umpire has read the orders and their digest fits.",
        {"seal": "hash", "digest": "hash", "by": "player"},
        {},
    ),
    "umpire_reject": EntryType(
        "What the umpire was sent does not open the seal, or is illegal.",
        {"seal": "hash", "digest": "hash", "by": "player", "reason": "text"},
        {},
    ),
    "foul": EntryType(
        "Revealed orders fit their seal and break a rule.",
        {"player": "player", "reason": "text"},
        {"seal": "hash", "rule": "text", "key": "text", "subject": "text", "findings": "list", **_WHEN},
        open=True,
    ),
    # The game; what these hold beyond the fields here is for the program that replays it.
    "ship": EntryType(
        "A ship enters the game.", {"ship": "text"}, {"player": "player", "robot": "yes"}, open=True
    ),
    "drone": EntryType(
        "A drone on the map at the start, which no ship launched; nobody orders it where no player does.",
        {"name": "text", "at": "text", "speed": "number"},
        {"target": "text", "side": "text", "player": "player"},
    ),
    "form": EntryType(
        "An energy form filed openly.",
        {"ship": "text", "turn": "number", "form": "object"},
        {"player": "player"},
        open=True,
    ),
    "order": EntryType(
        "Lines of the order language.", {"text": "texts"}, {"player": "player", **_WHEN}, open=True
    ),
    "events": EntryType(
        "What happened, as events of the core.", {"events": "list"}, {"rolls": "list", **_WHEN}, open=True
    ),
    "taken": EntryType(
        "What the file shows that the game was taken from: damage as it stands there, fire rolled there, seekers"
        " hit or gone from the map, tries for lock-on.",
        {"text": "text", "events": "list"},
        {"fire": "list", "seekers": "texts", "seekers_hit": "list", "locks": "list", **_WHEN},
    ),
    "step": EntryType(
        "The game moves on in the sequence of play; `agreed_by` agree to it, past what is theirs to do.",
        {"turn": "number"},
        {"impulse": "number", "step": "text", "agreed_by": "players"},
        open=True,
    ),
    "undo": EntryType(
        "An entry is left out of the replay, or with `onward` all from it on but dice and seals; they stay in"
        " the record.",
        {"target": "number", "reason": "text", "agreed_by": "players"},
        {"onward": "yes"},
    ),
    "ruling": EntryType(
        "The umpire decides; with `place` that a ship stands in a hex and facing.",
        {"by": "player", "text": "text"},
        {"target": "number", "events": "list", "place": "object"},
        open=True,
    ),
    "note": EntryType("A remark without effect.", {"text": "text"}, {"by": "player"}),
}


_ACCEPTS: dict[str, dict[str, Callable[[Any], bool]]] = {
    name: {field: FIELDS[kind].accepts for field, kind in {**known.optional, **known.required}.items()}
    for name, known in TYPES.items()
}


def check_shape(entry_type: str, data: Data) -> None:
    """Raises BadInput unless the type is known and the data has its fields."""
    for name, fits in _fields(entry_type, tuple(data)):
        if not fits(data[name]):
            known = TYPES[entry_type]
            kind = known.required.get(name) or known.optional[name]
            raise BadInput(f"{entry_type}: {name} is not a {kind} field", place=f"/{name}")


@lru_cache(maxsize=1024)
def _fields(entry_type: str, names: tuple[str, ...]) -> tuple[tuple[str, Callable[[Any], bool]], ...]:
    """The fields of an entry with these names that are held to a kind, and what holds each. Raises BadInput."""
    known = TYPES.get(entry_type)
    if known is None:
        raise BadInput(f"{entry_type[:40]!a} is not a type of entry this version knows")
    if not known.required.keys() <= set(names):
        missing = [name for name in known.required if name not in names]
        raise BadInput(f"{entry_type} without {', '.join(missing)}")
    accepts = _ACCEPTS[entry_type]
    if strange := [name for name in names if name not in accepts and not known.open]:
        raise BadInput(f"{entry_type} has no field {strange[0][:40]!a}")
    return tuple((name, accepts[name]) for name in names if name in accepts)


def check_shapes(entries: Iterable[Entry]) -> None:
    """Raises BadInput, naming the line, unless every entry is one this version can replay."""
    for entry in entries:
        if (entry.type == "genesis") != (entry.seq == 0):
            raise BadInput("genesis is the first entry and no other", place=f"line {entry.line_number}")
        try:
            check_shape(entry.type, entry.data)
        except BadInput as error:
            error.place = f"line {entry.line_number}"
            raise
        if entry.type == "genesis":
            hold_format(entry.type, entry.data)


def hold_format(entry_type: str, data: Data, file: str = "") -> None:
    """Raises BadInput for the genesis of a record whose entries may mean something else: by its format, or by the
    version of its replay."""
    if entry_type != "genesis":
        return

    for name, wording, known in (
        ("format", "is of format", (FORMAT,)),
        ("fold", "is replayed by version", FOLDS),
    ):
        version = data.get(name)
        # True is 1 in Python, and no number here.
        if isinstance(version, bool) or version not in known:
            newer = isinstance(version, int) and not isinstance(version, bool) and version > max(known)
            reads = f"this referee reads {' and '.join(map(str, known))}"
            raise BadInput(
                f"{wording} {str(version)[:20]}",
                file=file,
                place="line 1",
                hint=f"{reads}: a newer one wrote it" if newer else reads,
            )


def entry_schema() -> dict[str, Any]:
    """The JSON Schema of one line of a record."""
    cases = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": {"properties": {"data": _data_schema(known)}},
        }
        for name, known in TYPES.items()
    ]
    digest = dict(_HEX_SCHEMA)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "referee/record-entry/1",
        "title": "An entry of a game record",
        "description": "One line of the record. "
        "The chain of hashes and the canonical bytes are beyond a schema: docs/record.md.",
        "type": "object",
        "properties": {
            "data": {"type": "object", "propertyNames": {"pattern": "^[a-z0-9_]{1,32}$"}},
            "hash": digest,
            "prev": digest,
            "seq": {"type": "integer", "minimum": 0, "maximum": MAX_INT},
            "ts": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"},
            "sigs": {
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"pattern": "^[a-z0-9_]{1,32}$"},
                "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{128}$"},
            },
            "type": {"enum": list(TYPES)},
        },
        "required": ["data", "hash", "prev", "seq", "ts", "type"],
        "additionalProperties": False,
        "allOf": cases,
    }


def _data_schema(known: EntryType) -> dict[str, Any]:
    fields = {**known.required, **known.optional}
    schema: dict[str, Any] = {
        "description": known.meaning,
        "properties": {name: dict(FIELDS[kind].schema) for name, kind in fields.items()},
        "required": list(known.required),
    }
    if not known.open:
        schema["additionalProperties"] = False
    return schema
