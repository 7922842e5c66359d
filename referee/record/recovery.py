"""Sets a torn tail aside. Nothing is deleted, and nothing but the tail is ever repaired."""

from __future__ import annotations

import os

from referee.core.errors import BadInput, TornTail
from referee.core.frozen import frozen
from referee.record.reading import Name, verified_lines
from referee.record.recordfile import locked, read_at, sync_folder

_MOST_COPIES = 1000


@frozen
class Recovered:
    """What was done: lines that stay, bytes set aside (0 for a whole record), and the file they are in."""

    lines: int
    bytes_aside: int
    aside: str | None


def recover(path: Name) -> Recovered:
    """Moves everything behind the last whole entry to `<record>.torn-N`.

    Raises IntegrityFailure, and changes nothing, when the damage is more than a torn tail; BadInput
    when the disk refuses, or not even the first entry is whole.
    """
    name = os.fspath(path)
    with locked(name, os.O_RDWR) as descriptor:
        size = os.fstat(descriptor).st_size
        lines, good = 0, 0
        try:
            for line, _ in verified_lines(descriptor, size, name):
                lines += 1
                good += len(line) + 1
        except TornTail:
            if not lines:
                reason = "holds not one whole entry: there is nothing to recover"
                raise BadInput(reason, file=name, hint="`referee game new` begins a record") from None
            tail = read_at(descriptor, good, size - good)
        else:
            if not lines:
                raise BadInput("is empty: there is nothing to recover", file=name)
            return Recovered(lines, 0, None)
        try:
            aside = _set_aside(name, tail)
            os.ftruncate(descriptor, good)
            os.fsync(descriptor)
        except OSError as error:
            raise BadInput(f"cannot be recovered ({error.strerror})", file=name) from None
    return Recovered(lines, len(tail), aside)


def _set_aside(name: str, tail: bytes) -> str:
    """Writes the tail to a new file, durable before the record is cut."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(1, _MOST_COPIES):
        aside = f"{name}.torn-{number}"
        try:
            descriptor = os.open(aside, flags, 0o600)
        except FileExistsError:
            continue
        try:
            left = memoryview(tail)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_folder(aside)
        return aside
    raise BadInput(f"has {_MOST_COPIES} torn tails beside it", file=name, hint="move them away")
