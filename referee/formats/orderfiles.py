"""What tells an orders file, and a play-by-play of the online client, from other texts: how they begin, and how long an
orders file may be."""

from __future__ import annotations

import re

from referee.core.errors import BadInput
from referee.core.once import pattern
from referee.formats.files import as_utf8, in_lines
from referee.formats.sfbol_times import without_times

HEADERS = ("rulebook", "impulses", "option", "ship", "drone")
MARKERS = ("turn", "impulse")
VERBS = (
    *("speed", "ahead", "left", "right", "leave", "fire", "launch", "hit", "battery", "lock"),
    *("cloak", "uncloak", "hold", "seal", "undo", "status", "help"),
)
"""What a ship is ordered to do begins with one of these."""
MAX_ORDERS_FILE = 1024 * 1024  # bytes
MAX_ORDERS_LINES = 20_000  # lines
MAX_ORDERS_LINE = 500  # characters of one line
_NAME = pattern(r"[^,;\t=]{1,80}")
_PLACES = pattern(rb"^[ \t]*ship[ \t][^#\n]*=", re.MULTILINE | re.IGNORECASE)
COMMENT = pattern(r"(?:^|(?<=\s))#.*")


def is_orders(text: str | bytes) -> bool:
    """Does a text begin as an orders file does, once comments are left out? The orders of one turn alone begin with those
    of a ship."""
    if isinstance(text, bytes):
        text = as_utf8(text).decode("utf-8", "replace")
    lines = text[:MAX_ORDERS_FILE].split("\n")[:MAX_ORDERS_LINES]
    bare = (kept for line in lines if (kept := COMMENT.sub("", line[:MAX_ORDERS_LINE]).strip()))
    first, second = next(bare, ""), next(bare, "")
    return _begins(first) or (_is_spoken(first) and (not second or _begins(second) or _is_spoken(second)))


def no_ship(file: str) -> BadInput:
    """What to say of orders that place no ship."""
    begins = (
        "referee game new GAME --players alice,bob --ship NAME=CLASS:alice@2801E (each ship), or init game"
    )
    hint = f"{begins}, begins a record; referee game apply GAME FILE then plays them"
    return BadInput("these are orders of a game under way: no ship is placed in them", file=file, hint=hint)


def places_ships(data: bytes) -> bool:
    """Is a ship placed in orders?"""
    return _PLACES.search(in_lines(data)) is not None


def _begins(line: str) -> bool:
    """Is it a line about the game, or one that begins a turn or an impulse?"""
    verb, _, rest = line.partition(" ")
    return (
        verb.casefold() in (*HEADERS, *MARKERS)
        and "," not in line.partition("=")[0]
        and (verb.casefold() != "ship" or "=" in rest)
    )


def _is_spoken(line: str) -> bool:
    """Is it an order of a ship: `Constellation: speed 12`?"""
    name, colon, order = line.partition(":")
    verb = order.split()[0].casefold() if order.strip() else ""
    return bool(colon) and _NAME.fullmatch(name) is not None and verb in VERBS


PLAY = pattern(
    rb"^[ \t]*(?:Impulse[ \t]{1,9}[0-9]{1,3}\.[0-9]{1,2}:"
    rb"|[^,\r\n]{1,80} has[ \t]{1,9}(?:started|finished) Energy Allocation\.?"
    rb"|[^,#\r\n]{1,80} has[ \t]{1,9}(?:moved|side-slipped|turned) to [0-9]{4}[A-F]?\.?"
    rb"|[^,#:\r\n]{1,80} Rolls [0-9]{1,2}d[0-9]{1,3}: [0-9, ]{1,300}"
    rb"|Allocation of damage for: [^\r\n]{1,80}"
    rb"|[^,#:\r\n]{1,80} fires [^\r\n]{1,200} \(Range: [0-9]{1,3}\)\.?"
    rb"|[^\r\n]{1,80} \(Type:[^\r\n]{0,80}\)[ \t]{1,9}has[ \t]{1,9}been added[ \t]{1,9}at [0-9]{4}[^\r\n]*)"
    rb"[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_PLAY_BEGINS = 1024 * 1024  # bytes


def is_play(data: bytes) -> bool:
    """Are these bytes a play-by-play of the online client: an impulse, an allocation, a unit put on the map, a move or fire
    in a line of its own?"""
    return PLAY.search(without_times(in_lines(data[:_PLAY_BEGINS]))) is not None
