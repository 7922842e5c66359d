"""Reads and verifies a record block by block, and changes nothing."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence

from referee.core.errors import BadInput, NoRecord, TornTail
from referee.core.frozen import frozen, whole
from referee.core.once import pattern
from referee.record.chain import ZERO_HASH, ChainFault, Data, Entry, LineCheck, is_plain, read_line, values_of
from referee.record.diagnosis import diagnose
from referee.record.entrytypes import hold_format
from referee.record.headcode import HeadClaim, check_head, head_code
from referee.record.limits import MAX_LINE, MAX_REMEMBERED
from referee.record.recordfile import open_file, read_at, settled_size

_BLOCK = 1 << 18
_BEGINS = 1 << 16
_SIGNS = (b'{"data"', b'"genesis"', b'"prev"', b'"hash"')
"""One of these stands where a record begins, whatever became of it since."""
_OTHER = pattern(rb"[^\0-\x7f]|PK|GIF8|%PDF|\s*(?:\[|\{\s*(?:\}|\"(?!data\")))")
"""How a file begins that no damage made of a record, whatever it is called: a picture, an archive, other JSON."""

Name = str | os.PathLike[str]


@frozen
class Verified:
    """A record whose chain is whole: how many lines it has, its last entry, its size in bytes."""

    lines: int
    seq: int
    hash: str
    size: int
    named: int | None = None  # the number of the entry that a given head names

    @property
    def head(self) -> str:
        """The head code of the last entry."""
        return head_code(self.seq, self.hash)


def verify(path: Name, head: HeadClaim | None = None) -> Verified:
    """Checks every line, and that the record holds the claimed head.

    Raises IntegrityFailure (a ChainFault names the line), TornTail, or BadInput for a file that
    cannot be opened. A record rewritten from its genesis passes, unless an older head is given.
    """
    name = os.fspath(path)
    with _opened(name) as (descriptor, size):
        hashes = [fields["hash"] for _, fields in _checked(descriptor, size, name)]
    if not hashes:
        raise empty(name)
    named = None if head is None else check_head(head, hashes, name)
    return Verified(len(hashes), len(hashes) - 1, hashes[-1], size, named)


def read(path: Name) -> list[Entry]:
    """Every entry of a record whose chain is whole. Raises as `verify`."""
    name = os.fspath(path)
    with _opened(name) as (descriptor, size):
        entries = verified_entries(descriptor, size, name)
    if not entries:
        raise empty(name)
    return entries


def read_piped(data: bytes, name: str) -> list[Entry]:
    """Every entry of a record of which there are bytes and no file. Raises as `verify`."""
    from tempfile import TemporaryFile

    with TemporaryFile() as spooled:
        spooled.write(data)
        spooled.flush()
        entries = verified_entries(spooled.fileno(), len(data), name)
    if not entries:
        raise empty(name)
    return entries


def read_lines(path: Name) -> list[bytes]:
    """Every line, without its newline, of a record whose chain is whole. Raises as `verify`."""
    name = os.fspath(path)
    with _opened(name) as (descriptor, size):
        lines = [line for line, _ in verified_lines(descriptor, size, name)]
    if not lines:
        raise empty(name)
    return lines


def empty(name: str) -> BadInput:
    """The error for a file without a line."""
    return NoRecord("holds no entry", file=name, hint="`referee game new` begins a record")


_verified: list[tuple[tuple[bytes, ...], tuple[Entry, ...]]] = [((), ())]
"""The bytes of whole lines that this process verified last, in blocks, and their entries. A command reads the record,
and once more under the lock: bytes that are the same need no second proof, others are never taken on trust."""


def verified_entries(descriptor: int, size: int, name: str) -> list[Entry]:
    """The entries in an open record's first `size` bytes. Raises as `verify`.

    What begins with the bytes verified last is checked from their end on.
    """
    known, before = _verified[0]
    position = _alike(descriptor, size, known)
    if position is None:
        known, before, position = (), (), 0
    entries, lines = list(before), []
    for line, fields in _checked(descriptor, size, name, position, before[-1] if before else None):
        entries.append(entry_of(fields))
        lines.append(line + b"\n")
    if lines and size <= MAX_REMEMBERED:
        _verified[0] = _in_blocks(known, lines), tuple(entries)
    return entries


def _alike(descriptor: int, size: int, known: Sequence[bytes]) -> int | None:
    """Where the known bytes end that an open record begins with; None where it begins with others."""
    end = 0
    for block in known:
        if end + len(block) > size or read_at(descriptor, end, len(block)) != block:
            return None
        end += len(block)
    return end


def _in_blocks(known: Sequence[bytes], lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """Known bytes with lines behind them. Only the last block is ever made anew."""
    *full, last = known or (b"",)
    blocks, open = list(full), [last]
    held = len(last)
    for line in lines:
        if held >= _BLOCK:
            blocks.append(b"".join(open))
            open, held = [], 0
        open.append(line)
        held += len(line)
    return (*blocks, b"".join(open))


_entry = whole(Entry)


def entry_of(fields: Data) -> Entry:
    """The entry with the fields of its line."""
    sigs = fields.get("sigs", {})
    type = sys.intern(fields["type"])
    return _entry(fields["seq"], type, fields["data"], fields["ts"], fields["prev"], fields["hash"], sigs)


def verified_lines(descriptor: int, size: int, name: str) -> Iterator[tuple[bytes, str]]:
    """Line (without newline) and hash in an open record's first `size` bytes. Raises as `verify`."""
    for line, fields in _checked(descriptor, size, name):
        yield line, fields["hash"]


def _checked(
    descriptor: int, size: int, name: str, position: int = 0, last: Entry | None = None
) -> Iterator[tuple[bytes, Data]]:
    """The lines from a position on, which follow the entry `last`, and their fields."""
    _hold_record(descriptor, size, name)
    quick = LineCheck().quick
    prev, seq = (last.hash, last.seq + 1) if last else (ZERO_HASH, 0)
    for lines, plain in _blocks(descriptor, size, name, position, seq):
        values = values_of(lines) if plain else [None] * len(lines)
        for line, value in zip(lines, values, strict=True):
            fields = quick(line, seq, prev, value) if plain or is_plain(line) else None
            if fields is None:
                fields = _slowly(line, seq, prev, descriptor, position, size, name)
            if not seq:
                hold_format(fields["type"], fields["data"], name)
            fields["prev"] = prev  # The same text, held once.
            yield line, fields
            prev = fields["hash"]
            seq += 1
            position += len(line) + 1


def _hold_record(descriptor: int, size: int, name: str) -> None:
    """Raises NoRecord for a file of another kind, such as a save: no damage makes one of a record."""
    begins = read_at(descriptor, 0, min(_BEGINS, size)).replace(b"\0", b"")
    if _SIGNS[0].startswith(begins) or any(sign in begins for sign in _SIGNS):
        return
    # By its name it is one, whatever became of it, unless it is plainly something else.
    if not name.endswith(".jsonl") or _OTHER.match(begins):
        raise NoRecord("is no game record", file=name, hint="`referee game new` begins a record")


def _slowly(line: bytes, seq: int, prev: str, descriptor: int, position: int, size: int, name: str) -> Data:
    try:
        entry = read_line(line, seq, prev)
    except ChainFault as fault:
        rest = read_at(descriptor, position, size - position)
        raise diagnose(fault, rest, seq, prev).at(file=name) from None
    return {key: getattr(entry, key) for key in ("data", "hash", "prev", "seq", "sigs", "ts", "type")}


def _blocks(
    descriptor: int, size: int, name: str, position: int, count: int
) -> Iterator[tuple[list[bytes], bool]]:
    """Complete lines from a position on, `count` lines being before it, block by block, and whether all of them are
    plain. Raises TornTail for a last piece."""
    rest = b""
    for start in range(position, size, _BLOCK):
        block = rest + read_at(descriptor, start, min(_BLOCK, size - start))
        lines = block.split(b"\n")
        rest = lines.pop()
        count += len(lines)
        yield lines, is_plain(block)
        if len(rest) > MAX_LINE and start + _BLOCK < size:
            raise ChainFault("too-long", count + 1, f"is longer than {MAX_LINE} bytes").at(file=name)
    if rest:
        raise torn(name, count + 1, len(rest))


def torn(name: str, line: int, length: int) -> TornTail:
    """The error for a tail of so many bytes that was never finished."""
    return TornTail(
        f"was never finished ({length} bytes)",
        file=name,
        place=f"line {line}",
        hint="`referee record recover` sets it aside",
    )


@contextlib.contextmanager
def _opened(name: str) -> Iterator[tuple[int, int]]:
    if not os.path.lexists(name):
        raise NoRecord("no such file", file=name)
    descriptor = open_file(name, os.O_RDONLY)
    try:
        yield descriptor, settled_size(descriptor, name)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror})", file=name) from None
    finally:
        os.close(descriptor)
