"""Whether an act of a record is written as acts are: fields and values that the rules know, and no others.

What is told of an act are its fields, and it holds the game until its events stand: one that nobody can work out,
or tell, would hold it for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.core.errors import BadInput
from referee.rulebooks.trek.turns import ACTS

Fits = Callable[[Any], bool]

MOST_POWER = 999


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_POWER


def _level(value: Any) -> bool:
    """A level of warp, or whom or what a word is for."""
    return _text(value) or (type(value) is int and abs(value) <= MOST_POWER)


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _rows(fields: Mapping[str, Fits], *needed: str) -> Fits:
    """A list of objects that hold some of these fields and no others, and all that are needed."""

    def fits(value: Any) -> bool:
        return isinstance(value, list) and all(
            isinstance(row, dict)
            and set(needed) <= set(row) <= set(fields)
            and all(fields[name](part) for name, part in row.items())
            for row in value
        )

    return fits


_WEAPONS = _rows({"weapon": _text, "power": _number, "half": _flag, "at": _text}, "weapon")
_ACTIONS = _rows(
    {
        "do": lambda value: isinstance(value, str) and value in ACTS,
        "weapons": _WEAPONS,
        "to": _level,
        "arc": lambda value: type(value) is int,
        **dict.fromkeys(("jam", "jammed", "object"), _flag),
        **dict.fromkeys(("way", "emergency", "on", "ask", "of", "at", "aim", "from", "what"), _text),
        **dict.fromkeys(("repair", "engine", "weapon", "system"), _text),
    },
    "do",
)
_REPLIES = _rows({"absorb": _number, "graze": _flag, "corner": _number, "weapon": _text})

_FIELDS: Mapping[str, tuple[Mapping[str, Fits], frozenset[str]]] = {
    "turn": (dict.fromkeys(("order", "crippled", "give_up_locks", "agreed_by"), _names), frozenset()),
    "round": ({"agreed_by": _names}, frozenset()),
    "ship": ({"ship": _text, "actions": _ACTIONS, "ask": _flag}, frozenset(("ship", "actions"))),
    "pass": ({"ship": _text}, frozenset(("ship",))),
    "answers": ({"ship": _text, "replies": _REPLIES}, frozenset(("ship", "replies"))),
}


def check_act(act: Any) -> None:
    """Raises BadInput for an act that is not written as acts are."""
    kind = act.get("act") if isinstance(act, dict) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise BadInput("act is malformed")
    fields, needed = _FIELDS[kind]
    parts = {name: value for name, value in act.items() if name != "act"}
    for name, value in parts.items():
        if name not in fields or not fields[name](value):
            raise BadInput(f"act is malformed: {name[:40]}")
    if missing := sorted(needed - set(parts)):
        raise BadInput(f"act is malformed: it lacks {missing[0]}")
