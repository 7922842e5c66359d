"""The clock and the random bytes of what is written into a record: the machine's, or those given to play a game again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SOURCES: list[tuple[Callable[[int], bytes], str]] = []
"""What is given in place of the machine's; the last counts."""


def random_bytes(count: int) -> bytes:
    """So many random bytes."""
    return _SOURCES[-1][0](count) if _SOURCES else os.urandom(count)


def random_number(below: int) -> int:
    """A random number from 0 on, each below the limit as likely."""
    whole = 2**64 - 2**64 % below
    while (number := int.from_bytes(random_bytes(8))) >= whole:
        pass
    return number % below


def now() -> str:
    """The time for an entry; a claim, never an order."""
    return _SOURCES[-1][1] if _SOURCES else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@contextmanager
def given(random: Callable[[int], bytes], at: str) -> Iterator[None]:
    """Inside, random bytes come from a source and the clock stands still: the same game has the same bytes. No command
    and no setting leads here."""
    _SOURCES.append((random, at))
    try:
        yield
    finally:
        _SOURCES.pop()
