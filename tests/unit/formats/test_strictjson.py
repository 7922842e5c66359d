"""JSON that has two meanings, or is too deep or large, is refused with a place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.core.errors import BadInput
from referee.formats.strictjson import load_json


def test_values() -> None:
    text = '{"a": [1, -2, 2.5, "x\\u00e9", true, null, 9007199254740991], "π": {"\\ud83d\\ude80": []}}'
    value = load_json(text.encode(), "f.json")
    assert value == {"a": [1, -2, Fraction(5, 2), "xé", True, None, 2**53 - 1], "π": {"🚀": []}}
    assert isinstance(value["a"][2], Fraction)  # type: ignore[index]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON"),
        (b'{"a": 1,}', "line 1 column"),
        (b'{"a": 1}\n{"b": 2}', "line 2 column 1"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'"\xff"', "byte 1: is not UTF-8"),
        ('"a"'.encode("utf-16"), "is not UTF-8"),
        (b'"' + "\ud800".encode("utf-8", "surrogatepass") + b'"', "is not UTF-8"),
        (b'{"x": {"y~/": "\\ud800"}}', "/x/y~0~1: half of a surrogate"),
        (b'{"\\udc00": 1}', "half of a surrogate"),
        (b'{"a": 1, "a": 2}', "'a' given twice"),
        (b"NaN", "NaN is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b"[1e400]", "exponent"),
        (b"[1.5E3]", "exponent"),
        (b"[9007199254740992]", "too large"),
        (b"[-9007199254740992]", "too large"),
        (b"[12345678901234567]", "too large"),
        (b"[1." + b"0" * 40 + b"]", "too many digits"),
        (b"[" * 17 + b"]" * 17, "column 17: nested deeper than 16"),
        (b"[" * 100_000, "nested deeper than 16"),
        (b'{"a":' * 100_000, "nested deeper than 16"),
        (b'"tab\there"', "line 1 column 5"),
    ],
)  # fmt: skip
def test_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        load_json(data, "f.json")
    assert str(caught.value).startswith("f.json: ")
    assert "\n" not in str(caught.value)


def test_brackets_in_strings_do_not_nest() -> None:
    text = b'"' + b"[" * 1000 + b'\\"[{"'
    assert load_json(text, "f.json") == "[" * 1000 + '"[{'


def test_depth_sixteen_is_read() -> None:
    assert load_json(b"[" * 16 + b"]" * 16, "f.json")


def test_size() -> None:
    with pytest.raises(BadInput, match="larger than 10 bytes"):
        load_json(b'"12345678901234"', "f.json", limit=10)
