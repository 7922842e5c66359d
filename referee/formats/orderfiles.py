"""What tells an orders file from other texts: how it begins, and how long it may be."""

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
