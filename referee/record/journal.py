"""Writes the record: begun once, appended to under a lock, acknowledged only when it is on the disk."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from referee.core.errors import BadInput, RefereeError
from referee.core.frozen import frozen
from referee.record.chain import ZERO_HASH, ChainFault, Data, Entry, LineCheck, make_line, read_alone, signed
from referee.record.entrytypes import check_shape
from referee.record.headcode import head_code
from referee.record.limits import LOCK_SECONDS, MAX_FILE, MAX_LINE
from referee.record.reading import Name, empty, torn, verified_entries
from referee.record.recordfile import locked, read_at, sync_folder, write_at_end

# Most entries are far shorter than the longest allowed: look at this much of the end first.
_GLANCE = 4096

_CHECK = LineCheck()

NewEntry = tuple[str, Data]
Sigs = Mapping[str, Mapping[str, str]]
"""Signatures by name, of each entry by its hash."""


@frozen
class Tail:
    """The end of the record while its lock is held: nobody else can append."""

    seq: int
    hash: str
    size: int
    _descriptor: int = field(repr=False, compare=False)
    _name: str = field(repr=False, compare=False)

    @property
    def head(self) -> str:
        """The head code of the last entry."""
        return head_code(self.seq, self.hash)

    def entries(self) -> list[Entry]:
        """Every entry so far, verified. Raises as `reading.verify`."""
        return verified_entries(self._descriptor, self.size, self._name)


Build = Callable[[Tail], Sequence[NewEntry]]


def create(path: Name, genesis: Data, now: str) -> Entry:
    """Begins a record with its genesis; returns once it is on the disk.

    Raises BadInput if the file holds anything already, or cannot be written.
    """
    name = os.fspath(path)
    check_shape("genesis", genesis)
    entry, line = make_line(ZERO_HASH, 0, "genesis", genesis, now)
    with locked(name, os.O_RDWR | os.O_CREAT) as descriptor:
        if os.fstat(descriptor).st_size:
            raise BadInput("already exists", file=name, hint="a record is never overwritten")
        try:
            write_at_end(descriptor, name, 0, line)
            sync_folder(name)
        except BaseException:
            # Empty again or useless: better no file than one that is no record.
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    return entry


def append(
    path: Name, build: Build, now: str, *, seconds: float = LOCK_SECONDS, sigs: Sigs | None = None
) -> list[Entry]:
    """Appends what `build` makes of the record's tail, in one write; returns once it is on the disk.

    `sigs`, which `build` may fill, holds the signatures of the entries it makes.

    `build` runs under the lock, so what it decides cannot be overtaken; an exception from it leaves
    the record untouched. Raises RecordInUse after `seconds`, TornTail, IntegrityFailure for a last
    line that does not verify, and BadInput when the disk refuses (then the file is as it was).
    """
    name = os.fspath(path)
    with locked(name, os.O_RDWR | os.O_APPEND, seconds=seconds) as descriptor:
        tail = _tail(descriptor, name)
        entries, data = _chained(tail, build(tail), now, {} if sigs is None else sigs)
        _must_fit(tail, data, name)
        if data:
            write_at_end(descriptor, name, tail.size, data)
    return entries


def append_lines(path: Name, after: str, lines: Sequence[bytes]) -> None:
    """Appends lines of another copy, verified by the caller, behind the entry with hash `after`.

    Raises as `append`, and BadInput if the record has grown meanwhile.
    """
    name = os.fspath(path)
    with locked(name, os.O_RDWR | os.O_APPEND) as descriptor:
        tail = _tail(descriptor, name)
        if tail.hash != after:
            raise BadInput("grew while the copies were compared", file=name, hint="sync again")
        data = b"".join(line + b"\n" for line in lines)
        _must_fit(tail, data, name)
        write_at_end(descriptor, name, tail.size, data)


def _must_fit(tail: Tail, data: bytes, name: str) -> None:
    if tail.size + len(data) > MAX_FILE:
        raise BadInput("the record is full", file=name, hint="256 MiB is the limit")


def _chained(tail: Tail, new: Sequence[NewEntry], now: str, sigs: Sigs) -> tuple[list[Entry], bytes]:
    """The new entries and their bytes in the file."""
    entries: list[Entry] = []
    lines: list[bytes] = []
    prev, seq = tail.hash, tail.seq + 1
    for entry_type, data in new:
        check_shape(entry_type, data)
        if entry_type == "genesis":
            raise BadInput("a record has one genesis")
        entry, line = make_line(prev, seq, entry_type, data, now)
        if sigs.get(entry.hash):
            entry, line = signed(entry, sigs[entry.hash])
        entries.append(entry)
        lines.append(line)
        prev, seq = entry.hash, seq + 1
    return entries, b"".join(lines)


def _tail(descriptor: int, name: str) -> Tail:
    """The last entry, its line checked. Never to be appended to: an unfinished or a damaged line."""
    size = os.fstat(descriptor).st_size
    if size == 0:
        raise empty(name)
    end = read_at(descriptor, max(0, size - _GLANCE), _GLANCE)
    if end.count(b"\n") < 2 and size > _GLANCE:
        end = read_at(descriptor, max(0, size - MAX_LINE - 1), MAX_LINE + 1)
    if not end.endswith(b"\n"):
        line = end[end.rfind(b"\n") + 1 :]
        raise torn(name, _count_lines(descriptor, size) + 1, len(line))
    line = end[end.rfind(b"\n", 0, -1) + 1 : -1]
    if fields := _CHECK.quick_last(line):
        return Tail(fields["seq"], fields["hash"], size, descriptor, name)
    try:
        entry = read_alone(line, 0)
    except ChainFault as fault:
        raise _damaged(descriptor, size, name, fault) from None
    return Tail(entry.seq, entry.hash, size, descriptor, name)


def _damaged(descriptor: int, size: int, name: str, fault: ChainFault) -> RefereeError:
    """The last line's fault with its line number; found by verifying, which may find an earlier one."""
    try:
        verified_entries(descriptor, size, name)
    except RefereeError as error:
        return error
    return fault.at(file=name)


def _count_lines(descriptor: int, size: int) -> int:
    starts = range(0, size, 1 << 20)
    return sum(read_at(descriptor, start, min(1 << 20, size - start)).count(b"\n") for start in starts)
