"""Every kind of damage to a record is caught, and named with its line."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from recordcases import NOW, chained, genesis, lines, note, written

from referee.core.errors import BadInput, IntegrityFailure, RefereeError, TornTail
from referee.record.chain import (
    DOMAIN,
    ZERO_HASH,
    ChainFault,
    LineCheck,
    entry_line,
    is_plain,
    make_entry,
    read_alone,
    read_line,
    values_of,
)
from referee.record.headcode import check_head, head_code, parse_head
from referee.record.reading import read, verify
from tests.conftest import mostly_long

EVENTS = 200
EVERY = mostly_long([1, 5], lambda every: every == 5)
"""Each line in the long run, one of five in the ordinary one, the last among them."""


def mixed(count: int) -> list[tuple[str, dict[str, object]]]:
    """Entries of all spellings: plain, nested, with spaces, escapes and letters beyond ASCII."""
    kinds: list[Callable[[int], tuple[str, dict[str, object]]]] = [
        lambda n: note(f"remark {n}"),
        lambda n: ("order", {"text": ["Constellation: fire PH-1/A", f'said "{n}"'], "turn": n}),
        lambda n: (
            "result",
            {"roll": n + 1, "declaration": "ab" * 32, "dice": [{"count": 2, "sides": 6, "faces": [1, 6]}]},
        ),
        lambda n: note(f"Æon {n} → ½ \\"),
    ]
    return [kinds[n % 4](n) for n in range(count)]


@pytest.fixture(scope="module")
def record() -> list[bytes]:
    return lines(chained(mixed(EVENTS)))


def fault_of(tmp_path: Path, data: bytes) -> RefereeError:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(data)
    with pytest.raises((IntegrityFailure, TornTail)) as caught:
        verify(path)
    return caught.value


def named(tmp_path: Path, record: list[bytes]) -> tuple[str, int]:
    fault = fault_of(tmp_path, b"".join(record))
    assert isinstance(fault, ChainFault)
    return fault.kind, fault.line


def test_a_whole_record_verifies_and_reads_back(tmp_path: Path, record: list[bytes]) -> None:
    path = tmp_path / "whole.jsonl"
    path.write_bytes(b"".join(record))
    entries = read(path)
    assert [entry_line(entry) for entry in entries] == record
    found = verify(path)
    assert (found.lines, found.hash) == (EVENTS + 1, entries[-1].hash)
    assert found.head == head_code(EVENTS, entries[-1].hash)


def test_the_hash_is_as_the_format_says() -> None:
    entry = make_entry(ZERO_HASH, 0, "genesis", {"a": 1}, NOW)
    body = '{"data":{"a":1},"prev":"%s","seq":0,"ts":"%s","type":"genesis"}' % (ZERO_HASH, NOW)  # noqa: UP031
    assert entry.hash == hashlib.sha256(DOMAIN + body.encode()).hexdigest()
    assert list(json.loads(entry_line(entry))) == ["data", "hash", "prev", "seq", "ts", "type"]


def test_lines_are_read_at_once_where_each_is_a_value_by_itself() -> None:
    assert values_of([b'{"a":"x"}', b"1", b"[2]"]) == [{"a": "x"}, 1, [2]] and values_of([]) == []
    for rows in (
        [b'{"a":[1', b"2]}"],
        [b'{"a":["x"', b'"y"]},2'],
        [b'{"a":[1', b"2]},3", b"4,5"],
        [b"1,2", b"3"],
        [b"", b"1"],
        [b"1.5", b"2"],
    ):
        assert values_of(rows) == [None] * len(rows)


def caught_alone(line: bytes, seq: int, prev: str) -> bool:
    """Whether verification stops at this line, asked as verification asks: quickly, then slowly."""
    if is_plain(line) and LineCheck().quick(line, seq, prev) is not None:
        return False
    try:
        read_line(line, seq, prev)
    except ChainFault:
        return True
    return False


@pytest.mark.parametrize("every", mostly_long([1, 8], lambda every: every == 8))
def test_every_single_byte_change_is_caught(record: list[bytes], every: int) -> None:
    """Each position of 200 events, five other bytes each; in the ordinary run one position of eight, another eighth
    in each line.

    Only the changed line is asked: the lines before it are as they were, so verification reaches it
    with the same number and hash, and stops there if it stops at all. A newline put in makes two
    lines, of which the first is asked. The newline at the end is the next test's.
    """
    entries = [read_alone(line[:-1], n) for n, line in enumerate(record, 1)]
    tried = 0
    for seq, line in enumerate(record):
        prev = entries[seq - 1].hash if seq else ZERO_HASH
        for position in range(seq % every, len(line) - 1, every):
            old = line[position]
            for new in {old ^ 1, old ^ 0x20, old ^ 0x80, 0, 0x0A} - {old}:
                changed = (line[:position] + bytes([new]) + line[position + 1 : -1]).split(b"\n")[0]
                assert caught_alone(changed, seq, prev), (seq, position, new)
                tried += 1
    assert tried > 200_000 // every


@pytest.mark.parametrize("seq", mostly_long([1, 2, 3, 4], lambda seq: seq == 2))
def test_every_byte_value_in_one_line_is_caught(record: list[bytes], seq: int) -> None:
    line, prev = record[seq], read_alone(record[seq - 1][:-1], 0).hash
    for position in range(len(line) - 1):
        for new in set(range(256)) - {line[position]}:
            changed = (line[:position] + bytes([new]) + line[position + 1 : -1]).split(b"\n")[0]
            assert caught_alone(changed, seq, prev), (position, new)


@pytest.mark.parametrize(
    ("every", "others"), mostly_long([(5, 20), (1, 300)], lambda every, others: every == 5)
)
def test_changed_newlines_and_random_bytes_are_caught_in_the_file(
    tmp_path: Path, record: list[bytes], every: int, others: int
) -> None:
    whole = b"".join(record)
    chance = random.Random(7)
    newlines = [position for position, byte in enumerate(whole) if byte == 0x0A]
    for position in newlines[::every] + [chance.randrange(len(whole)) for _ in range(others)]:
        new = chance.choice([byte for byte in range(256) if byte != whole[position]])
        fault = fault_of(tmp_path, whole[:position] + bytes([new]) + whole[position + 1 :])
        if position == len(whole) - 1:
            assert isinstance(fault, TornTail)
        else:
            # A newline put into the last entry leaves a whole bad line and a torn one.
            assert isinstance(fault, ChainFault)
            line = whole.count(b"\n", 0, position) + 1
            assert fault.line == line


@pytest.mark.parametrize("every", EVERY)
def test_every_removed_line_is_named(tmp_path: Path, record: list[bytes], every: int) -> None:
    for gone in range(0, EVENTS, every):
        kind, line = named(tmp_path, record[:gone] + record[gone + 1 :])
        assert (kind, line) == ("missing", gone + 1)


@pytest.mark.parametrize("every", EVERY)
def test_every_duplicated_line_is_named(tmp_path: Path, record: list[bytes], every: int) -> None:
    for twice in range(0, EVENTS + 1, every):
        kind, line = named(tmp_path, record[: twice + 1] + record[twice:])
        assert line == twice + 2
        assert kind == ("inserted" if twice < EVENTS else "repeated")


@pytest.mark.parametrize("every", EVERY)
def test_every_swap_of_neighbours_and_distant_lines_is_named(
    tmp_path: Path, record: list[bytes], every: int
) -> None:
    pairs = [(n, n + 1) for n in range(EVENTS)] + [(3, n) for n in range(5, EVENTS, 7)]
    for one, other in pairs[::every]:
        swapped = list(record)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        assert named(tmp_path, swapped) == ("moved", one + 1)


def test_inserted_lines_are_named(tmp_path: Path, record: list[bytes]) -> None:
    prev = read_alone(record[4][:-1], 5).hash
    forged = entry_line(make_entry(prev, 5, "note", {"text": "forged"}, NOW))
    for put_in in (b"\n", b"# a comment\n", record[0]):
        assert named(tmp_path, [*record[:5], put_in, *record[5:]]) == ("inserted", 6)
    # A well made entry 5 before the true one: the chain breaks at the second of the two.
    assert named(tmp_path, [*record[:5], forged, *record[5:]]) == ("repeated", 7)


def test_a_replaced_line_with_a_good_hash_is_named(tmp_path: Path, record: list[bytes]) -> None:
    prev = read_alone(record[4][:-1], 5).hash
    forged = entry_line(make_entry(prev, 5, "note", {"text": "forged"}, NOW))
    assert named(tmp_path, [*record[:5], forged, *record[6:]]) == ("rewritten", 7)


def reordered(line: bytes) -> bytes:
    fields = json.loads(line)
    return json.dumps(dict(reversed(fields.items())), separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("line-end", lambda line: line[:-1] + b"\r\n"),
        ("byte-order-mark", lambda line: b"\xef\xbb\xbf" + line),
        ("respelled", lambda line: json.dumps(json.loads(line)).encode() + b"\n"),
        ("respelled", lambda line: line.replace(b'"data":{', b'"data": {')),
        ("respelled", lambda line: line.replace(b"remark", b"\\u0072emark")),
        ("respelled", reordered),
        ("duplicate-key", lambda line: line.replace(b'{"text"', b'{"text":"x","text"')),
        ("duplicate-key", lambda line: line.replace(b'{"data"', b'{"data":{},"data"')),
        ("changed", lambda line: line.replace(b"remark", b"Remark")),
        ("changed", lambda line: line.replace(b'"seq":5', b'"seq":6')),
        ("shape", lambda line: line.replace(b'"type"', b'"kind"')),
        ("shape", lambda line: line.replace(b"2026", b"year")),
        ("unreadable", lambda line: line.replace(b'"seq":5', b'"seq":5.0')),
        ("unreadable", lambda line: line.replace(b'"seq":5', b'"seq":1e400')),
        ("unreadable", lambda line: line.replace(b"remark", b"\xff")),
        ("unreadable", lambda line: b"[" * 100_000 + b"\n"),
        ("unreadable", lambda line: line.replace(b'"seq":5', b'"seq":' + b"9" * 5000)),
    ],
)
def test_other_spellings_are_named(tmp_path: Path, kind: str, change: Callable[[bytes], bytes]) -> None:
    plain = lines(chained([note(f"remark {n}") for n in range(1, 10)]))
    assert named(tmp_path, [*plain[:5], change(plain[5]), *plain[6:]])[0] == kind


def test_a_line_too_long_is_named(tmp_path: Path, record: list[bytes]) -> None:
    assert named(tmp_path, [*record[:3], b"x" * (1 << 20) + b"\n", *record[3:]])[0] in (
        "too-long",
        "inserted",
    )


def test_cut_tails_and_rewritten_records_pass_alone_and_fail_with_the_head(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", 50)
    noted = parse_head(verify(path).head)
    assert verify(path, noted).named == 49

    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:40]))
    assert verify(path).lines == 40
    with pytest.raises(IntegrityFailure, match="before the head #49"):
        verify(path, noted)

    path.write_bytes(b"".join(lines(chained([note(f"rewritten {n}") for n in range(60)]))))
    assert verify(path).lines == 61
    with pytest.raises(IntegrityFailure, match="entry 49 is not the one"):
        verify(path, noted)


def test_head_codes() -> None:
    digest = make_entry(ZERO_HASH, 0, "genesis", genesis(), NOW).hash
    code = head_code(128, digest)
    assert code.startswith("#128 ")
    assert [len(part) for part in code[5:].split("-")] == [4, 4, 4, 4, 4, 4, 2]
    for text in (code, code.lower(), code.replace("-", ""), f"  {code} ", digest, f"#128 {digest}", code[5:]):
        claim = parse_head(text)
        assert claim.fits(digest)
        assert not claim.fits("0" + digest[1:] if digest[0] != "0" else "1" + digest[1:])
    assert str(parse_head(code)) == code
    assert check_head(parse_head(digest), ["0" * 64, digest]) == 1
    with pytest.raises(IntegrityFailure, match="no entry has the head"):
        check_head(parse_head(code[5:]), ["0" * 64])
    for bad in ("", "#128", "K3QF-7M2A", code[:-1], code + "A", "0" * 63, code.replace(code[-1], "1")):
        with pytest.raises(BadInput):
            parse_head(bad)


@pytest.mark.parametrize("ts", ["", "today", "2026-11-20 15:00:00", "2026-11-20T15:00:00+00:00"])
def test_odd_times_are_refused(ts: str) -> None:
    with pytest.raises(BadInput):
        make_entry(ZERO_HASH, 0, "genesis", {}, ts)


def test_too_long_an_entry_is_refused() -> None:
    with pytest.raises(BadInput, match="a line holds at most"):
        make_entry(ZERO_HASH, 0, "note", {"text": "x" * (256 << 10)}, NOW)
