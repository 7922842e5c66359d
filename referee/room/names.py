"""Who is who in a room: what the referee tells of itself, names as a record spells them, lines in a false name."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from enum import StrEnum

from referee.core.naming import folded


class Mode(StrEnum):
    """How much the referee says: only when asked, warnings for the mover, or the sequence of play held."""

    QUIET = "quiet"
    ADVISE = "advise"
    UMPIRE = "umpire"


VASSAL = "3.7.26"
"""The version of VASSAL whose protocol is spoken."""
_MARKUP = re.compile(r"<[^<>]{0,200}>")
_END_OF_NAME = re.compile("[:>]| - ")
_LONGEST = 2_000  # characters of a line that may be in a false name


def client_info(name: str, version: str) -> Mapping[str, str]:
    """What the referee tells of itself to the room; `version` is the module's."""
    return {
        "name": name,
        "looking": "false",
        "away": "false",
        "profile": "",
        "client": VASSAL,
        "ip": "",
        "moduleVersion": version,
    }


def as_player(name: str) -> str:
    """A name as a record spells its players."""
    return re.sub("[^a-z0-9_]", "", name.lower())[:32]


def in_name_of(name: str, line: str) -> bool:
    """Does a line of chat that nobody typed read as if somebody of a name said it? Markup and what cannot be seen
    are left out, as the window leaves them out."""
    shown = html.unescape(_MARKUP.sub("", line[:_LONGEST]))
    text = "".join(letter for letter in shown if letter.isprintable()).lstrip("*-!?~|`< ")
    return folded(_END_OF_NAME.split(text, maxsplit=1)[0].strip()) == folded(name)
