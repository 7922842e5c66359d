"""Entries of the record and the hash chain through them. Pure: bytes in, entries or faults out.

A line is `{"data":{..},"hash":"..","prev":"..","seq":N,"ts":"..","type":".."}` in canonical bytes
and a newline. `hash` is SHA-256 of `referee.log.v1`, a newline, and the line without its hash. A line that is
signed holds `"sigs":{name: signature}` between `seq` and `ts`; its hash leaves them out, for they sign it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen, replace
from referee.record.canonical import KEY, canonical, check_value, parse_strict, spelled
from referee.record.limits import MAX_DEPTH, MAX_INT_DIGITS, MAX_LINE

Data = dict[str, Any]

DOMAIN = b"referee.log.v1\n"
ZERO_HASH = "0" * 64
_KEYS = {"data", "hash", "prev", "seq", "ts", "type"}
_SIGNED_KEYS = _KEYS | {"sigs"}
_SIGNATURE = re.compile("[0-9a-f]{128}")
_DIGEST = re.compile("[0-9a-f]{64}")
_TYPE = re.compile("[a-z][a-z0-9_]{0,31}")
_STAMP = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z")
_HASH_FIELD = len(',"hash":"') + 64 + len('"')


@frozen
class Entry:
    """One entry of the record; its line number is `seq + 1`."""

    seq: int
    type: str
    data: Data
    ts: str
    prev: str
    hash: str
    sigs: Mapping[str, str] = field(default_factory=dict)

    @property
    def line_number(self) -> int:
        """Where the entry stands in the file, counted from 1."""
        return self.seq + 1


class ChainFault(IntegrityFailure):
    """A line that breaks the chain. `line` counts from 1; `kind` says how: missing, moved, respelled, …"""

    def __init__(self, kind: str, line: int, reason: str, hint: str = "") -> None:
        super().__init__(reason, place=f"line {line}", hint=hint)
        self.kind = kind
        self.line = line


def make_entry(prev: str, seq: int, entry_type: str, data: Data, ts: str) -> Entry:
    """The entry that follows the one with hash `prev`. Raises BadInput for data without canonical bytes."""
    return make_line(prev, seq, entry_type, data, ts)[0]


def make_line(prev: str, seq: int, entry_type: str, data: Data, ts: str) -> tuple[Entry, bytes]:
    """The entry and its bytes in the file. Raises BadInput as `make_entry`, and when it is too long."""
    if not _TYPE.fullmatch(entry_type):
        raise BadInput(f"{entry_type[:40]!a} is not a type of entry")
    if not _STAMP.fullmatch(ts):
        raise BadInput(f"{ts[:40]!a} is not a time", hint="write 2026-11-20T15:00:00Z")
    head = b'{"data":' + canonical(data)
    rest = f',"prev":"{prev}","seq":{seq},"ts":"{ts}","type":"{entry_type}"}}'.encode()
    digest = hashlib.sha256(DOMAIN + head + rest).hexdigest()
    line = b'%b,"hash":"%b"%b\n' % (head, digest.encode(), rest)
    if len(line) > MAX_LINE:
        raise BadInput(f"entry of {len(line)} bytes", hint=f"a line holds at most {MAX_LINE}")
    return Entry(seq, entry_type, data, ts, prev, digest), line


def entry_line(entry: Entry) -> bytes:
    """The entry's bytes in the file, newline included."""
    return b'{"data":' + spelled(entry.data) + _ending(entry) + b"\n"


def signed(entry: Entry, sigs: Mapping[str, str]) -> tuple[Entry, bytes]:
    """The entry with these signatures beside those it has, and its bytes in the file. Raises BadInput when it
    is too long."""
    entry = replace(entry, sigs=dict(sorted({**entry.sigs, **sigs}.items())))
    line = entry_line(entry)
    if len(line) > MAX_LINE:
        raise BadInput(f"entry of {len(line)} bytes", hint=f"a line holds at most {MAX_LINE}")
    return entry, line


def read_line(line: bytes, seq: int, prev: str) -> Entry:
    """The entry in a line (without its newline) that must have this number and follow `prev`.

    Raises ChainFault, naming what is wrong with the line.
    """
    entry = read_alone(line, seq + 1)
    if entry.seq != seq:
        raise _out_of_place(entry, seq)
    if entry.prev != prev:
        raise ChainFault("rewritten", seq + 1, _not_following(seq))
    return entry


def read_alone(line: bytes, number: int) -> Entry:
    """The entry in a line, whatever its place: spelled canonically, with the hash of its bytes.

    Raises ChainFault otherwise.
    """
    if len(line) >= MAX_LINE:
        raise ChainFault("too-long", number, f"is longer than {MAX_LINE} bytes")
    value = _parse(line, number)
    entry = _shaped(value, number)
    if canonical(value) != line:
        raise ChainFault("respelled", number, "is not in canonical bytes", "another program rewrote the file")
    if _digest(line, entry) != entry.hash:
        raise ChainFault("changed", number, "was changed after it was written: its hash does not fit")
    return entry


def _digest(line: bytes, entry: Entry) -> str:
    """The hash of a canonical line's bytes without its hash field and its signatures."""
    cut = len(line) - len(_ending(entry))
    unsigned = _ending(replace(entry, sigs={}))
    return hashlib.sha256(DOMAIN + line[:cut] + unsigned[_HASH_FIELD:]).hexdigest()


def _ending(entry: Entry) -> bytes:
    """What follows the data in a canonical line. The parts are ASCII once their patterns matched."""
    head = f',"hash":"{entry.hash}","prev":"{entry.prev}","seq":{entry.seq}'
    return (f'{head}{_sigs_field(entry.sigs)},"ts":"{entry.ts}","type":"{entry.type}"}}').encode()


def _sigs_field(sigs: Mapping[str, str]) -> str:
    """The field of the signatures, sorted by their names as they come; nothing where there are none."""
    if not sigs:
        return ""
    return ',"sigs":{' + ",".join(f'"{name}":"{sig}"' for name, sig in sigs.items()) + "}"


def _parse(line: bytes, number: int) -> object:
    if line.endswith(b"\r"):
        raise ChainFault("line-end", number, "ends with CR LF", "a program rewrote the line ends")
    if line.startswith(b"\xef\xbb\xbf"):
        reason = "begins with a byte order mark"
        raise ChainFault("byte-order-mark", number, reason, "an editor saved the file")
    try:
        return parse_strict(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ChainFault("unreadable", number, f"is not UTF-8 at byte {error.start + 1}") from None
    except ValueError as error:
        kind = "duplicate-key" if str(error).endswith("twice") else "unreadable"
        raise ChainFault(kind, number, str(error)) from None


def _shaped(value: object, number: int) -> Entry:
    if not isinstance(value, dict) or set(value) not in (_KEYS, _SIGNED_KEYS):
        raise ChainFault("shape", number, f"does not hold exactly {', '.join(sorted(_KEYS))}")
    data, seq = value["data"], value["seq"]
    if not _are_sigs(sigs := value.get("sigs", {}), "sigs" in value):
        raise ChainFault("shape", number, "sigs is not written as it must be")
    if not isinstance(data, dict) or type(seq) is not int or seq < 0:
        raise ChainFault("shape", number, "data is not an object or seq not a number")
    for key, pattern in (("hash", _DIGEST), ("prev", _DIGEST), ("ts", _STAMP), ("type", _TYPE)):
        if not isinstance(value[key], str) or not pattern.fullmatch(value[key]):
            raise ChainFault("shape", number, f"{key} is not written as it must be")
    try:
        check_value(value)
    except BadInput as error:
        raise ChainFault("shape", number, f"{error.place}: {error.reason}") from None
    return Entry(seq, value["type"], data, value["ts"], value["prev"], value["hash"], sigs)


def _are_sigs(sigs: object, written: bool) -> bool:
    """Are these signatures by name, at least one where the field is written?"""
    if not isinstance(sigs, dict) or written != bool(sigs):
        return False
    return all(
        KEY.fullmatch(name) and isinstance(sig, str) and _SIGNATURE.fullmatch(sig)
        for name, sig in sigs.items()
    )


def _not_following(seq: int) -> str:
    return "is no genesis: prev is not zeros" if seq == 0 else f"does not continue line {seq}"


def _out_of_place(entry: Entry, seq: int) -> ChainFault:
    if entry.seq < seq:
        reason = f"holds entry {entry.seq} again, where entry {seq} is due"
        return ChainFault("repeated", seq + 1, reason)
    return ChainFault("missing", seq + 1, f"holds entry {entry.seq}, where entry {seq} is due")


# The quick check below accepts only what read_line accepts; whatever it does not accept is read again
# slowly, so that it decides nothing but speed.


def _refuse(text: str) -> object:
    raise ValueError(text)


_decode = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse).decode
_ODD_BYTES = (b"\\", b"\x7f", b"\r", b"\t")
_NEITHER_QUOTE_NOR_SPACE = bytes(byte for byte in range(256) if byte not in b'" ')
# Every digit becomes a zero and all else a space, to find long numbers with one search.
_DIGITS = bytes(48 if 48 <= byte < 58 else 32 for byte in range(256))
_LONG_NUMBER = b"0" * MAX_INT_DIGITS
_OWN_PLACE = re.compile(
    rb',"prev":"([0-9a-f]{64})","seq":([0-9]{1,15})(?:,"sigs":{[^{}]*})?,"ts":"[^"]*","type":"[^"]*"}\Z'
)
_MAX_SHAPES = 1000
_MAX_MARKS = 1000


def is_plain(block: bytes) -> bool:
    """Whether lines are ASCII without escapes, tabs, CR and DEL: few spellings are left to tell apart."""
    return block.isascii() and not any(odd in block for odd in _ODD_BYTES)


_BETWEEN = r',"\n",'


def values_of(lines: Sequence[bytes]) -> list[Any]:
    """The JSON value of each of some plain lines, read at once; None for all where any of them is none by itself."""
    try:
        found = _decode(f"[{_BETWEEN.join(map(bytes.decode, lines))}]")
    except (ValueError, RecursionError):
        return [None] * len(lines)
    # No plain line holds a backslash: each such text stands between two of them, and within no value.
    apart = len(found) == 2 * len(lines) - 1 and found[1::2].count("\n") == len(lines) - 1
    return found[::2] if apart else [None] * len(lines)


class LineCheck:
    """Checks plain lines fast. Remembers which sets of keys it has found to be sorted and well formed, and which rows
    of quotes and spaces to hold all spaces within quotes."""

    __slots__ = ("_quoted", "_shapes", "_types")

    def __init__(self) -> None:
        self._shapes: set[tuple[str, ...]] = set()
        self._types: set[str] = set()
        self._quoted: set[bytes] = set()

    def quick(self, line: bytes, seq: int, prev: str, value: Any = None) -> Data | None:
        """The fields if the plain line, whose `value` may be read already, is surely good, else None: then ask
        `read_line`."""
        try:
            value = _decode(line.decode()) if value is None else value
            sigs = "" if len(value) == 6 else self._sigs_text(value["sigs"])
            if sigs is None or len(value) > 7:
                return None
            data, digest, ts, entry_type = value["data"], value["hash"], value["ts"], value["type"]
            place, rest = f',"prev":"{prev}","seq":{seq}', f',"ts":"{ts}","type":"{entry_type}"}}'
            ending = f',"hash":"{digest}"{place}{sigs}{rest}'
            head = line[: len(line) - len(ending)]
            if not line.endswith(ending.encode()) or not head.startswith(b'{"data":{'):
                return None
            if not (_STAMP.fullmatch(ts) and (entry_type in self._types or self._learn_type(entry_type))):
                return None
            if len(line) >= MAX_LINE or not self._data_is_canonical(data, head):
                return None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        found = hashlib.sha256(DOMAIN + head + (place + rest).encode()).hexdigest()
        fields: Data = value
        return fields if found == digest else None

    def _sigs_text(self, sigs: dict[str, str]) -> str | None:
        """The field of signatures in canonical bytes; None where its names or they are not as they must be."""
        names = tuple(sigs)
        if names not in self._shapes and not (names and self._learn(names)):
            return None
        for sig in sigs.values():
            # As _SIGNATURE, in half the time.
            if len(sig) != 128 or bytes.fromhex(sig).hex() != sig:
                return None
        return f',"sigs":{{"{names[0]}":"{sig}"}}' if len(names) == 1 else _sigs_field(sigs)

    def _data_is_canonical(self, data: Data, head: bytes) -> bool:
        """Whether plain bytes `{"data":{...}` are the canonical ones of `data`."""
        if b"-0" in head or _LONG_NUMBER in head.translate(_DIGITS):
            return False
        braces = head.count(b"{")
        if braces + head.count(b"[") > MAX_DEPTH and _depth(data) >= MAX_DEPTH:
            return False
        if braces == 2:
            shape = tuple(data)
            keys = len(shape) if shape in self._shapes or self._learn(shape) else -1
        else:
            keys = self._keys_within(data)
        # A key given twice or a text that begins with a colon: let the slow check tell which.
        if head.count(b'":') != keys + 1:
            return False
        return b" " not in head or self._spaces_are_quoted(head.translate(None, _NEITHER_QUOTE_NOR_SPACE))

    def _spaces_are_quoted(self, marks: bytes) -> bool:
        """Whether all spaces of a line are within texts, by its quotes and spaces alone: few rows of them differ."""
        if marks in self._quoted:
            return True
        # With no backslash, every second piece between quotes is outside of texts.
        if b" " in b"".join(marks.split(b'"')[::2]):
            return False
        if len(self._quoted) < _MAX_SHAPES and len(marks) < _MAX_MARKS:
            self._quoted.add(marks)
        return True

    def _keys_within(self, data: Data) -> int:
        """How many keys all objects of the data have; -1 if any are unsorted or malformed."""
        shapes = self._shapes
        count = 0
        nested: list[Any] = [data]
        # The list grows while it is walked: a queue.
        for level in nested:
            items = level
            if type(level) is dict:
                shape = tuple(level)
                if shape not in shapes and not self._learn(shape):
                    return -1
                count += len(shape)
                items = level.values()
            for item in items:
                if type(item) is dict or type(item) is list:
                    nested.append(item)
        return count

    def quick_last(self, line: bytes) -> Data | None:
        """As `quick`, for a line whose number and predecessor are only known from itself."""
        if (match := _OWN_PLACE.search(line)) and is_plain(line):
            return self.quick(line, int(match[2]), match[1].decode())
        return None

    def _learn_type(self, entry_type: str) -> bool:
        if not _TYPE.fullmatch(entry_type) or len(self._types) >= _MAX_SHAPES:
            return False
        self._types.add(entry_type)
        return True

    def _learn(self, shape: tuple[str, ...]) -> bool:
        try:
            check_value(dict.fromkeys(shape))
        except BadInput:
            return False
        if list(shape) != sorted(shape):
            return False
        if len(self._shapes) >= _MAX_SHAPES:
            self._shapes.clear()
        self._shapes.add(shape)
        return True


def _depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)
