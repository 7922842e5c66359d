"""Reads JSON from strangers so that it has one meaning: no duplicate keys, NaN, floats or odd text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction

from referee.core.errors import BadInput
from referee.formats.files import other_than_text
from referee.formats.limits import MAX_JSON_DEPTH, MAX_JSON_DIGITS, MAX_JSON_FILE, MAX_JSON_INT

# A string, or a bracket outside strings; an unfinished string is left for json.loads to report.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_COLON = re.compile(r"\s*:")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,16}\.[0-9]{1,16}")


class _RefusedError(Exception):
    """Raised inside the parser, where the place is not known; `token` is what to look for, `again` says
    that its second occurrence is meant."""

    def __init__(self, reason: str, token: str, again: bool = False) -> None:
        super().__init__(reason)
        self.token = token
        self.again = again


def load_json(data: bytes, file: str, *, limit: int = MAX_JSON_FILE) -> object:
    """The value in UTF-8 JSON bytes; integers are int, numbers with a point are Fraction.

    BadInput names line and column, or the JSON pointer of the offending value.
    """
    if len(data) > limit:
        raise BadInput(f"larger than {limit} bytes", file=file)
    text = _text(data, file)
    _refuse_depth(text, file)
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_fraction,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise BadInput(
            f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]}", file=file, place=place
        ) from None
    except _RefusedError as refusal:
        raise BadInput(str(refusal), file=file, place=_place_of(refusal, text)) from None
    _refuse_surrogates(value, file)
    return value


def _place_of(refusal: _RefusedError, text: str) -> str:
    """Line and column of what was refused: outside strings, unless it is one.

    The place of a key given twice is told only where no other object has that key.
    """
    found = [
        match.start()
        for match in re.finditer(r'"(?:[^"\\]|\\.)*+"|' + re.escape(refusal.token), text)
        if match[0] == refusal.token and (not refusal.again or _COLON.match(text, match.end()))
    ]
    if not found or (refusal.again and len(found) != 2):
        return ""
    start = found[min(int(refusal.again), len(found) - 1)]
    line = text.count("\n", 0, start) + 1
    return f"line {line} column {start - text.rfind(chr(10), 0, start)}"


def _text(data: bytes, file: str) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadInput("begins with a byte order mark", file=file, hint="save it as UTF-8 without BOM")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"is {other_than_text(data) or 'not UTF-8 text'}"
        raise BadInput(reason, file=file, place=f"byte {error.start}", hint="JSON is wanted") from None


def _refuse_depth(text: str, file: str) -> None:
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                line = text.count("\n", 0, match.start()) + 1
                column = match.start() - text.rfind("\n", 0, match.start())
                place = f"line {line} column {column}"
                raise BadInput(f"nested deeper than {MAX_JSON_DEPTH} levels", file=file, place=place)
        elif token in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RefusedError(
                    f"key {key[:60]!a} given twice in one object", json.dumps(key, ensure_ascii=False), True
                )
            seen.add(key)
    return result


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > MAX_JSON_DIGITS or abs(value := int(text)) > MAX_JSON_INT:
        raise _RefusedError(f"number {text[:24]} is too large", text)
    return value


def _fraction(text: str) -> Fraction:
    if not _PLAIN_NUMBER.fullmatch(text):
        raise _RefusedError(f"number {text[:24]} has an exponent or too many digits", text)
    return Fraction(text)


def _constant(text: str) -> object:
    raise _RefusedError(f"{text} is not a number", text)


def _refuse_surrogates(value: object, file: str) -> None:
    for pointer, text in _strings(value, ""):
        if _SURROGATE.search(text):
            raise BadInput("half of a surrogate pair in text", file=file, place=pointer or "/")


def _strings(value: object, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield pointer, key
            yield from _strings(item, pointer + "/" + key.replace("~", "~0").replace("/", "~1"))
