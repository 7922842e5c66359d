"""The one spelling of a value that is hashed: a subset of JSON canonical form (RFC 8785).

Objects, arrays, strings, booleans, null and integers up to 2^53-1; no floats. Keys are
`[a-z0-9_]{1,32}`, so that sorting by code point and by UTF-16 unit is the same. Strings are in
Unicode form NFC, without control characters and lone surrogates.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

from referee.core.errors import BadInput
from referee.record.limits import MAX_DEPTH, MAX_INT, MAX_INT_DIGITS

KEY = re.compile(r"[a-z0-9_]{1,32}")
# C0, DEL, C1 and surrogates: the categories Cc and Cs.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ENCODE = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode
_PAIRS = "pairs"
_KNOWN_KEYS: set[str] = set()
_MOST_KEYS = 1000


class _RefusalError(ValueError):
    """Raised inside the JSON parser, where the place is not known."""


def canonical(value: object) -> bytes:
    """The canonical bytes of a value. Raises BadInput, with the JSON pointer, for what has none."""
    check_value(value)
    return spelled(value)


def spelled(value: object) -> bytes:
    """The canonical bytes of a value that was held to have some already, as what stands in a verified entry."""
    return _ENCODE(value).encode()


def check_value(value: object, pointer: str = "", depth: int = 1) -> None:
    """Raises BadInput unless the value has canonical bytes."""
    kind = type(value)
    if kind is str:
        check_text(value, pointer)  # type: ignore[arg-type]
    elif kind is int:
        if not -MAX_INT <= value <= MAX_INT:  # type: ignore[operator]
            raise BadInput("integer larger than 2^53-1", place=pointer or "/")
    elif kind is dict or kind is list:
        if depth > MAX_DEPTH:
            raise BadInput(f"nested deeper than {MAX_DEPTH} levels", place=pointer[:40])
        items = value.items() if kind is dict else enumerate(value)  # type: ignore[attr-defined, arg-type]
        for key, item in items:
            if kind is dict:
                check_key(key, pointer)
            check_value(item, f"{pointer}/{key}", depth + 1)
    elif value is not None and kind is not bool:
        hint = 'write a fraction as text, "5/2"' if kind is float else ""
        raise BadInput(f"a {kind.__name__} cannot be recorded", place=pointer or "/", hint=hint)


def check_key(key: object, pointer: str = "") -> None:
    """Raises BadInput unless the key is 1 to 32 of `a-z 0-9 _`."""
    if type(key) is not str or not (key in _KNOWN_KEYS or _learn_key(key)):
        raise BadInput(f"key {str(key)[:40]!a} is not 1 to 32 of a-z, 0-9 and _", place=pointer or "/")


def _learn_key(key: str) -> bool:
    """Whether a key is well formed; remembered, since records hold few keys many times."""
    if not KEY.fullmatch(key):
        return False
    if len(_KNOWN_KEYS) < _MOST_KEYS:
        _KNOWN_KEYS.add(key)
    return True


def check_text(text: str, pointer: str = "") -> None:
    """Raises BadInput unless the text is NFC without control characters and lone surrogates."""
    if text.isascii() and text.isprintable():
        return
    if odd := _ODD.search(text):
        code = ord(odd[0])
        what = "half of a surrogate pair" if code >= 0xD800 else "control character"
        raise BadInput(f"{what} U+{code:04X} in text", place=pointer or "/")
    if not unicodedata.is_normalized("NFC", text):
        raise BadInput("text is not in Unicode form NFC", place=pointer or "/")


def parse_strict(text: str) -> object:
    """The value of JSON text without floats, large integers, NaN or a key given twice.

    Raises ValueError with one line. The value may still lack canonical bytes.
    """
    try:
        return _DECODE(text)
    except json.JSONDecodeError as error:
        message = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise ValueError(f"is not JSON: {message} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("is nested too deep") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _RefusalError(f"holds the key {twice[:40]!a} twice")
    return result


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > MAX_INT_DIGITS or abs(value := int(text)) > MAX_INT:
        raise _RefusalError(f"holds the number {text[:20]}, larger than 2^53-1")
    return value


def _no_float(text: str) -> object:
    raise _RefusalError(f"holds {text[:20]}, which is not an integer")


_DECODE: Callable[[str], object] = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_no_float, parse_constant=_no_float
).decode


def packed(value: object) -> object:
    """A JSON value whose objects may have any keys, as one that can be recorded; `unpacked` undoes it.

    An object with a key outside `[a-z0-9_]{1,32}`, or with the single key `pairs`, becomes
    `{"pairs": [[key, value], ...]}` in key order.
    """
    if isinstance(value, dict):
        plain = all(type(key) is str and KEY.fullmatch(key) for key in value)
        if plain and set(value) != {_PAIRS}:
            return {key: packed(item) for key, item in value.items()}
        return {_PAIRS: [[key, packed(value[key])] for key in sorted(value)]}
    if isinstance(value, (list, tuple)):
        return [packed(item) for item in value]
    return value


def unpacked(value: object) -> object:
    """What `packed` was given. Raises BadInput for pairs that `packed` would not have written."""
    if isinstance(value, dict):
        if set(value) == {_PAIRS}:
            return _from_pairs(value[_PAIRS])
        return {key: unpacked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    return value


def _from_pairs(pairs: object) -> dict[str, object]:
    result: dict[str, object] = {}
    before: str | None = None
    for pair in pairs if isinstance(pairs, list) else [None]:
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise BadInput("pairs that are not [key, value]")
        if before is not None and pair[0] <= before:
            raise BadInput(f"key {pair[0][:40]!a} out of order or twice among pairs")
        before = pair[0]
        result[before] = unpacked(pair[1])
    return result
