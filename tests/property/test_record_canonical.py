"""Canonical bytes are those of RFC 8785; the quick line check never accepts what the slow one refuses."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.errors import BadInput
from referee.record.canonical import canonical, packed, parse_strict, unpacked
from referee.record.chain import DOMAIN, ZERO_HASH, ChainFault, LineCheck, is_plain, read_line
from tests.conftest import examples

rfc8785 = pytest.importorskip("rfc8785")


def recordable(text: str) -> bool:
    try:
        canonical(text)
    except BadInput:
        return False
    return True


TEXTS = st.text(max_size=20).filter(recordable)
KEYS = st.from_regex("[a-z0-9_]{1,32}", fullmatch=True)
SCALARS = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS


def tree(scalars: st.SearchStrategy[Any], keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=12,
    )


VALUES = tree(SCALARS, KEYS)


@given(VALUES)
def test_canonical_bytes_are_those_of_rfc8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES)
def test_canonical_bytes_read_back_as_the_value(value: Any) -> None:
    assert parse_strict(canonical(value).decode()) == value


@given(tree(SCALARS, TEXTS))
def test_packed_values_can_be_recorded_and_unpacked(value: Any) -> None:
    small = packed(value)
    canonical(small)
    assert unpacked(small) == value


@pytest.mark.parametrize(
    "value",
    [
        1.0, float("nan"), 2**53, -(2**53), {"A": 1}, {"": 1}, {"a" * 33: 1}, {1: 1}, {"a": {"é": 1}},
        "e\u0301", "a\nb", "\x7f", "\x85", "\ud800", ["\udfff"], (1, 2), b"x", {"a": {1, 2}},
    ],
)  # fmt: skip
def test_what_has_no_canonical_bytes_is_refused(value: Any) -> None:
    with pytest.raises(BadInput):
        canonical(value)


def test_nesting_has_a_limit() -> None:
    deep: list[Any] = []
    for _ in range(16):
        deep = [deep]
    with pytest.raises(BadInput, match="nested deeper"):
        canonical(deep)
    canonical(deep[0])


@pytest.mark.parametrize("pairs", [[["b", 1], ["a", 2]], [["A", 1], ["A", 2]], [["A"]], [[1, 2]], "A", None])
def test_odd_pairs_are_refused(pairs: Any) -> None:
    with pytest.raises(BadInput):
        unpacked({"pairs": pairs})


# Spellings of data around what canonical form allows; each is given the hash of its own bytes, as a
# writer would who wants to be believed.
SPELLINGS = st.sampled_from(
    [
        '{"a":1}', '{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"a":1}', '{"a": 1}', '{ "a":1}', '{"a" :1}',
        '{"a":"x y"}', '{"a":": "}', '{"a" :1,"b":":x"}', '{"a":-0}', '{"a":[-0]}', '{"a":0.0}', '{"a":1e2}',
        '{"a":NaN}', '{"a":-Infinity}', '{"a":9007199254740991}', '{"a":9007199254740992}', '{"A":1}',
        '{"":1}', '{"a":"\\u0041"}', '{"a":"\\""}', '{"a":"é"}', '{"a":"e\u0301"}', '{"a":"\x7f"}',
        '{"a":"\\ud800"}', '{"a":{"c":1,"b":2}}', '{"a":{"b":[{"d":1,"c":2}]}}', '{"a":[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}',
        '{"a":[[[[[[[[[[[[[[]]]]]]]]]]]]]]}', '{"a":"[[[[[[[[[[[[[[[[[[[["}', '{"a":"{{{{"}', '{"a":"}"}', "{}",
        '{"a":[1, 2]}', '{"a":[1,2 ]}', '{"a":true}', '{"a":"2026-01-01"}', '{"a":"1234567890123456789"}',
        '{"a":"\\n"}', '{"a":"\t"}', '{"a":\t1}', '{"a":01}', '{"hash":"x","prev":"y"}', '{"a":1},"data":{"a":1}',
        '{"pairs":[["A",1]]}', '{"a":{"b":1,"b":1}}', '{"a":"\\/"}', '{"a":1}x', "[]", "1", '{"a":" "}',
    ]
)  # fmt: skip
TYPES = st.sampled_from(["note", "Note", "", "a b", "x" * 33])
STAMPS = st.sampled_from(["2026-11-20T15:00:00Z", "2026-11-20", "", "2026-11-20T15:00:00Z "])


def spelled(data: str, stamp: str, kind: str, seq: int) -> bytes:
    body = f'"prev":"{ZERO_HASH}","seq":{seq},"ts":"{stamp}","type":"{kind}"}}'
    digest = hashlib.sha256(DOMAIN + f'{{"data":{data},{body}'.encode()).hexdigest()
    return f'{{"data":{data},"hash":"{digest}",{body}'.encode()


def agree(line: bytes) -> None:
    fields = LineCheck().quick(line, 0, ZERO_HASH) if is_plain(line) else None
    if fields is not None:
        entry = read_line(line, 0, ZERO_HASH)
        assert (entry.data, entry.hash, entry.type) == (fields["data"], fields["hash"], fields["type"])


@given(SPELLINGS, STAMPS, TYPES, st.sampled_from([0, 1]))
def test_the_quick_check_accepts_no_odd_spelling(data: str, stamp: str, kind: str, seq: int) -> None:
    agree(spelled(data, stamp, kind, seq))


@given(tree(SCALARS | st.floats(), TEXTS), st.booleans(), st.booleans(), st.booleans())
@examples(300)
def test_the_quick_check_accepts_no_odd_value(
    value: Any, order: bool, spaces: bool, ascii_only: bool
) -> None:
    separators = (", ", ": ") if spaces else (",", ":")
    data = json.dumps({"a": value}, sort_keys=order, separators=separators, ensure_ascii=ascii_only)
    agree(spelled(data, "2026-11-20T15:00:00Z", "note", 0))


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_what_we_write_is_accepted(value: dict[str, Any]) -> None:
    try:
        line = spelled(canonical({"a": value})[5:-1].decode(), "2026-11-20T15:00:00Z", "note", 0)
        read_line(line, 0, ZERO_HASH)
    except ChainFault as fault:
        assert "nested deeper" in fault.reason
    agree(line)
