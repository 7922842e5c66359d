"""Lines of the wire out of bytes, however these were cut; a line that is too long is passed over, not kept."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.frozen import frozen

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one line: a zipped game of VASSAL's is some 100 KB."""


@frozen
class Garbage:
    """What came and is no line that can be read; `what` says why, for the log."""

    what: str


class Lines:
    """Takes bytes as they come, gives whole lines of text. A line of more than `most` bytes is told of once, and its
    bytes are let go as they come."""

    def __init__(self, most: int = MAX_LINE) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._held = 0
        self._passing = False

    def feed(self, data: bytes) -> Iterator[str | Garbage]:
        """The lines that some bytes end; an empty text is a line without anything, which keeps the room alive."""
        *ended, rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for part in ended:
            yield from self._line(part)
        if rest:
            yield from self._hold(rest)

    def _line(self, last: bytes) -> Iterator[str | Garbage]:
        if self._passing:
            self._passing = False
            return
        if self._held + len(last) > self._most:
            self._let_go()
            yield self._too_long()
            return
        whole = b"".join((*self._parts, last)) if self._parts else last
        self._let_go()
        try:
            yield whole.decode("utf-8")
        except UnicodeDecodeError as error:
            yield Garbage(f"a line of {len(whole)} bytes that is not UTF-8 (byte {error.start})")

    def _hold(self, part: bytes) -> Iterator[Garbage]:
        if self._passing:
            return
        if self._held + len(part) > self._most:
            self._let_go()
            self._passing = True
            yield self._too_long()
            return
        self._parts.append(part)
        self._held += len(part)
        if len(self._parts) > 64:  # a byte at a time costs no more than its bytes
            self._parts = [b"".join(self._parts)]

    def _let_go(self) -> None:
        self._parts, self._held = [], 0

    def _too_long(self) -> Garbage:
        return Garbage(f"a line longer than {self._most} bytes")
