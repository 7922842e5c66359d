"""Two copies of one record: the same, one ahead of the other, or a fork."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen
from referee.record.chain import Entry, entry_line, read_alone
from referee.record.journal import append_lines
from referee.record.limits import MAX_TAKEN, MAX_TAKEN_LINES
from referee.record.reading import Name, read_lines
from referee.record.recordfile import open_file


class Fork(IntegrityFailure):
    """Two copies that differ from line `line` on; `ours` and `theirs` are the lines there."""

    def __init__(self, file: str, line: int, ours: bytes, theirs: bytes) -> None:
        super().__init__(
            "the copies differ from here on",
            file=file,
            place=f"line {line}",
            hint="agree on one copy; nothing was changed",
        )
        self.line = line
        self.ours = ours
        self.theirs = theirs


@frozen
class CopiesCompared:
    """Two copies of which neither contradicts the other.

    `state` is `same`, `ahead` (ours has lines the other lacks) or `behind`; `common` counts equal lines.
    """

    state: str
    common: int
    ours: int
    theirs: int


def compare(path: Name, other: Name) -> CopiesCompared:
    """How the copies stand to each other. Raises Fork, and as `reading.verify` for either file."""
    ours, theirs = read_lines(path), read_lines(other)
    return _compared(os.fspath(path), ours, theirs)


Check = Callable[[Sequence[Entry]], Sequence[Entry]]


def sync(path: Name, other: Name, check: Check | None = None, *, however_much: bool = True) -> CopiesCompared:
    """Appends to `path` what `other` has beyond it; the other file is only read.

    `check` is shown all entries of the other copy before anything is appended, and may raise; it gives them
    back, with signatures that were still missing. Unless `however_much`, BadInput refuses more than a game grows
    by between two syncs, before it is read.
    Returns how they stood before. Raises Fork, as `reading.verify` and as `journal.append`.
    """
    if not however_much:
        more = _size(other) - _size(path)
        if more > MAX_TAKEN:
            raise _flood(other, f"{more >> 20} MiB")
    ours, theirs = read_lines(path), read_lines(other)
    standing = _compared(os.fspath(path), ours, theirs)
    if not however_much and standing.theirs - standing.common > MAX_TAKEN_LINES:
        raise _flood(other, f"{standing.theirs - standing.common} entries")
    if standing.state == "behind":
        if check is not None:
            entries = check([read_alone(line, number) for number, line in enumerate(theirs, 1)])
            theirs = [entry_line(entry)[:-1] for entry in entries]
        append_lines(path, read_alone(ours[-1], len(ours)).hash, theirs[len(ours) :])
    return standing


def _size(name: Name) -> int:
    descriptor = open_file(os.fspath(name), os.O_RDONLY)
    try:
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _flood(name: Name, more: str) -> BadInput:
    return BadInput(
        f"has {more} more than your copy, and nothing was taken in",
        file=os.fspath(name),
        hint="look what it is (`referee game report`); --agree takes it in",
    )


def _hash(line: bytes, seq: int) -> str:
    return read_alone(line, seq + 1).hash


def _compared(name: str, ours: list[bytes], theirs: list[bytes]) -> CopiesCompared:
    common = 0
    for mine, other in zip(ours, theirs, strict=False):
        # Two signatures of one entry by one key may differ and both hold: that is no fork.
        if mine != other and _hash(mine, common) != _hash(other, common):
            raise Fork(name, common + 1, mine, other)
        common += 1
    state = "same" if len(ours) == len(theirs) else "ahead" if len(ours) > len(theirs) else "behind"
    return CopiesCompared(state, common, len(ours), len(theirs))
