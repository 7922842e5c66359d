"""The times that may stand before the lines of a play-by-play: they are read past."""

from __future__ import annotations

import re

from referee.core.once import pattern

_TIME = pattern(
    rb"^[ \t]*[\[(]?(?:[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{2,4}(?:[T,]|[ \t]){1,2})?"
    rb"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,6})?)?(?:[ \t]?[AaPp]\.?[Mm]\.?)?[\])]?(?:[ \t]?[-|:])?[ \t]+",
    re.MULTILINE,
)
_BEGINS, _LINES = 8192, 20
"""Bytes and lines of its beginning by which a log shows whether times stand in it."""


def without_times(data: bytes) -> bytes:
    """A log, whose lines line feeds end, without the times before them, if most of its first lines have one."""
    begun = [line for line in data[:_BEGINS].split(b"\n") if line.strip()][:_LINES]
    timed = sum(_TIME.match(line) is not None for line in begun)
    return _TIME.sub(b"", data) if timed * 2 > len(begun) else data
