"""What tells an orders file, and a play-by-play of the online client, from other texts: how they begin, and how long an
orders file may be."""

from __future__ import annotations

import re

HEADERS = ("rulebook", "impulses", "option", "ship", "drone")
MARKERS = ("turn", "impulse")
MAX_ORDERS_FILE = 1024 * 1024  # bytes
MAX_ORDERS_LINES = 20_000  # lines
MAX_ORDERS_LINE = 500  # characters of one line
COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


def is_orders(text: str) -> bool:
    """Does a text begin as an orders file does, once comments are left out?"""
    for line in text[:MAX_ORDERS_FILE].split("\n")[:MAX_ORDERS_LINES]:
        bare = COMMENT.sub("", line[:MAX_ORDERS_LINE]).strip()
        if bare:
            verb, _, rest = bare.partition(" ")
            return (
                verb.casefold() in (*HEADERS, *MARKERS)
                and "," not in bare.partition("=")[0]
                and (verb.casefold() != "ship" or "=" in rest)
            )
    return False


PLAY = re.compile(
    rb"^[ \t]*(?:Impulse[ \t]{1,9}[0-9]{1,3}\.[0-9]{1,2}:"
    rb"|[^,\r\n]{1,80} has[ \t]{1,9}(?:started|finished) Energy Allocation\.?"
    rb"|[^\r\n]{1,80} \(Type:[^\r\n]{0,80}\)[ \t]{1,9}has[ \t]{1,9}been added[ \t]{1,9}at [0-9]{4}[^\r\n]*)"
    rb"[ \t]*\r?$",
    re.MULTILINE,
)
_PLAY_BEGINS = 1024 * 1024  # bytes


def is_play(data: bytes) -> bool:
    """Are these bytes a play-by-play of the online client: an impulse, an allocation or a unit put on the map in a line
    of its own?"""
    return PLAY.search(data, 0, _PLAY_BEGINS) is not None
