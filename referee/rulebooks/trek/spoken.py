"""What a player types at the prompt, as acts: `Lancer: raise; lock Shade; fire beam-A1=4,torp-1 at Shade`.

A ship's actions stand behind its name and a colon, parted by semicolons; `Shade answers: absorb 4; graze no`
are the answers it gives beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.errors import BadInput
from referee.rulebooks.base import nearest

SHAPES: Mapping[str, tuple[str, ...]] = {
    "move": (r"(?P<way>\S+)(?: emergency (?P<emergency>left|right))?",),
    "warp": (r"(?P<to>[0-9]{1,2})",),
    "lock": (
        r"(?:on )?(?P<object>object) (?P<on>.+?)(?: at (?P<at>[0-9]{4}))?",
        r"(?:on )?(?P<on>.+?)(?: arc (?P<arc>[1-6]))?",
    ),
    "scan": (r"(?P<ask>\S+)(?: of (?P<of>.+))?",),
    "fire": (r"(?P<weapons>.+?) at (?P<at>.+?)(?: aim (?P<aim>.+))?",),
    "communicate": (r"(?P<to>.+?)(?: (?P<jammed>jammed))?", r"(?P<to>.+?) (?P<jam>jam)"),
    "transport": (
        r"(?P<what>.+?) (?:to (?P<to>.+)|from (?P<from>.+))",
        r"(?P<what>.+)",
    ),
    "repair": (
        r"(?P<repair>engines) (?P<engine>.+)",
        r"(?P<repair>weapons) (?P<weapon>.+)",
        r"(?P<repair>system) (?P<system>.+)",
        r"(?P<repair>superstructure|casualties)",
    ),
    **dict.fromkeys(("reverse", "cloak", "decloak", "raise", "lower", "surrender", "flee"), ("",)),
}
EXAMPLES = {
    "pass": "pass",
    "move": "move ahead-left, move ahead emergency right",
    "warp": "warp 6",
    "lock": "lock Shade, lock Shade arc 2, lock object wreck at 0915",
    "scan": "scan superstructure, scan status of beam-1",
    "fire": "fire beam-A1=4,plasma-1=half at Shade",
    "communicate": "communicate base, communicate base jammed",
    "transport": "transport landing party to Shade",
    "repair": "repair engines port, repair weapons beam-A1, repair system sensors, repair casualties",
    **{alone: alone for alone in ("reverse", "cloak", "decloak", "raise", "lower", "surrender", "flee")},
}
ANSWERS = {"absorb": r"[0-9]{1,3}", "graze": r"yes|no", "corner": r"[1-6]", "weapon": r".+"}
NUMBERS = ("to", "arc", "absorb", "corner")
SHIPS = ("on", "at", "to", "from")
"""What may be the name of a ship, in capitals or not."""
PASSES = ("pass", "leave", "leaves")
MOVES_ON = {"next turn": {"act": "turn"}, "next round": {"act": "round"}}


def acts_said(lines: Iterable[str], ships: Iterable[str]) -> list[dict[str, Any]]:
    """The acts of some lines. Raises BadInput, with what would be understood, for any other line."""
    known = {name.casefold(): name for name in ships}
    return [_act(line.strip(), known) for line in lines if line.strip()]


def _act(line: str, known: Mapping[str, str]) -> dict[str, Any]:
    if line.casefold() in MOVES_ON:
        return dict(MOVES_ON[line.casefold()])
    head, colon, rest = line.partition(":")
    name, answers = head.strip(), head.strip().casefold().endswith(" answers")
    name = name[: -len(" answers")].strip() if answers else name
    if not colon or name.casefold() not in known:
        hint = nearest(name, known.values()) if colon else 'name the ship: "Lancer: move ahead"'
        raise BadInput(f"{line[:60]!r} is no order", hint=hint)
    if not answers and rest.strip().casefold() in PASSES:
        return {"act": "pass", "ship": known[name.casefold()]}
    parts = [part.strip() for part in rest.split(";") if part.strip()]
    if not parts:
        raise BadInput(f"{line[:60]!r} gives nothing to do")
    ship = known[name.casefold()]
    if answers:
        return {"act": "answers", "ship": ship, "replies": [_answer(part) for part in parts]}
    return {"act": "ship", "ship": ship, "actions": [_action(part, known) for part in parts]}


def _action(text: str, known: Mapping[str, str]) -> dict[str, Any]:
    do, _, rest = text.partition(" ")
    do = do.casefold()
    if do not in SHAPES:
        raise BadInput(f"no action {do[:40]!r}", hint=nearest(do, SHAPES))
    for shape in SHAPES[do]:
        if match := re.fullmatch(shape, " ".join(rest.split())):
            words = {name: value for name, value in match.groupdict().items() if value is not None}
            return {"do": do, **{name: _value(do, name, value, known) for name, value in words.items()}}
    raise BadInput(f"{text[:60]!r} is not understood", hint=EXAMPLES.get(do, do))


def _value(do: str, name: str, value: str, known: Mapping[str, str]) -> Any:
    if name == "weapons":
        return [_weapon(part.strip()) for part in value.split(",")]
    if name in ("jam", "jammed", "object"):
        return True
    if name in SHIPS and do != "warp":
        return known.get(value.casefold(), value)
    return int(value) if name in NUMBERS else value


def _weapon(text: str) -> dict[str, Any]:
    """`beam-A1=4` with its power, `plasma-1=half`, or alone."""
    name, equals, how = (part.strip() for part in text.partition("="))
    if not equals:
        return {"weapon": name}
    if how == "half":
        return {"weapon": name, "half": True}
    if not (how.isascii() and how.isdecimal() and len(how) <= 3):
        raise BadInput(f"{text!r} gives no power", hint="beam-A1=4, or plasma-1=half")
    return {"weapon": name, "power": int(how)}


def help_lines() -> list[str]:
    """What is understood at the prompt, a line for each action."""
    actions = [f"  SHIP: {example}" for examples in EXAMPLES.values() for example in examples.split(", ")]
    answers = "  SHIP answers: absorb 4; graze no; corner 3; weapon beam-A2"
    return [
        "actions of a ship, parted by semicolons:",
        *actions,
        answers,
        "  next turn, next round, status, help",
    ]


def weapons_said(text: str) -> list[dict[str, Any]]:
    """A list of weapons as a fire action has them."""
    return [_weapon(part) for part in text.split(",")]


def _answer(text: str) -> dict[str, Any]:
    kind, _, value = text.partition(" ")
    shape = ANSWERS.get(kind)
    if shape is None or not re.fullmatch(shape, value.strip()):
        raise BadInput(f"{text[:60]!r} is no answer", hint="absorb 4, graze no, corner 3, weapon beam-A2")
    value = value.strip()
    return {kind: int(value) if kind in NUMBERS else value == "yes" if kind == "graze" else value}
