"""Lines of chat: who typed what, which dice were rolled, which turn and impulse were called out."""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.core.naming import folded
from referee.core.once import pattern
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.game import StepForward
from referee.formats.vassal.recognise import Clock

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap

_TYPED = pattern(r"(?:<|&lt;)(?P<player>.{1,100}?)(?:>|&gt;) - (?P<text>.*)", re.DOTALL)
_DICE = pattern(
    r"\*+ (?P<button>.{1,60}?) = (?P<faces>[0-9][0-9, +-]{0,200}) \*+ (?:<|&lt;)(?P<player>.{0,100}?)(?:>|&gt;)"
)
_TURN = pattern(
    r"(?i)\W{0,9}turn\W{0,3}(?P<turn>[0-9]{1,3})(?:\W{1,3}imp(?:ulse)?\W{0,3}(?P<impulse>[0-9]{1,2}))?\W{0,9}"
)
_IMPULSE = pattern(r"(?i)\W{0,9}imp(?:ulse)?\W{0,3}(?P<impulse>[0-9]{1,2})(?:\W{1,3}(?:of )?turn\W{0,3}(?P<turn>[0-9]{1,3}))?\W{0,9}")  # fmt: skip
_REPORT = pattern(r"(?i)[*-].{0,60}\bupdated\b.{0,120}\bto\b(?P<now>.{1,120})")
ORDER = "!"
"""What a line of chat that is an order begins with, where a map does not say otherwise."""
_NO_ORDER = frozenset(
    ("pass", "ipass", "done", "ready", "ok", "nofire", "holdfire", "nothing", "noorders", "none")
)
RESULT = "_result"
"""How the name of a property ends in which a dice button leaves what it rolled."""
_ROLLED = " = "
"""Stands in every report of dice."""
_BEGIN_TYPED = ("<", "&")
_BEGIN_LINE = ("<", "&lt;")
_TELLING = (lv.MutableProperty, lv.SecretNote, lv.PrivateNotes)
_OF_TURN = pattern(r"(?i)(?<![a-z'\u2019])t(?:urn)?\W{0,3}(?P<turn>[0-9]{1,3})(?![0-9])")
_OF_IMPULSE = pattern(r"(?i)(?<![a-z'\u2019])i(?:mp(?:ulse)?)?\W{0,3}(?P<impulse>[0-9]{1,2})(?![0-9])")
_PLAYED = pattern(r"(?i)!\s*(?:[^:]{1,60}:\s*)?(?:fire|launch|hit|battery)\b(?!\s*:)")
_SPEED = pattern(r"(?i)!\s*(?:[^:]{1,60}:\s*)?speed\s*[0-9]")
_READS = pattern(r"(?i)[ !]{0,9}(?:[^:]{1,60}:\s*)?(?:fire|launch)\s.{1,200}?\sat\s+\S")
_SORRY = r"(?:(?:oops|sorry|no|wait|ok|okay|please|actually|hm+|argh)\W+){0,3}"
_REASON = r"(?:\s*(?:[,;:.!(]|\s[-–—])\s*[^=]{1,80}|(?:\W+(?:sorry|please|again|my mistake|wrong \w+)){0,3})"
_BACK = pattern(
    rf"(?i)\W*{_SORRY}"
    r"(?:(?:cancel|scratch|undo|ignore|disregard|withdraw|belay|abort|call off|forget)"
    r"(?:\W+(?:(?:(?:my|the|that|this|last)\W+){0,3}(?:order|fire|shot|launch)|that|it|this|the last one|last)\b"
    r"|\s+(?P<named>(?:(?! - )[^,;:!?().=]){2,60}))?"
    r"|never\W?mind|take\W+(?:that|it)\W+back)"
    rf"{_REASON}\W*"
)
_LONGEST = 300  # characters of a line that may tell a result
_TELLS = pattern(r"(?i)\bmiss|\bhits?\b|\bpoints?\b|\bpts?\b|\bdamage\b|\bdmg\b|\btotal\b")


@frozen
class TypedLine:
    """A line a player typed."""

    player: str
    text: str


@frozen
class ButtonRoll:
    """A roll of a dice button: its faces, who rolled where chat tells, and the `chat_faces`, those in chat where
    they are written otherwise; whether the button was `pressed`, which sets its property, or chat alone tells it."""

    button: str
    faces: str
    player: str = ""
    chat_faces: str = ""
    pressed: bool = field(default=True, compare=False)


def typed(text: str) -> TypedLine | None:
    """What a player typed, None for a line of VASSAL's own."""
    match = _TYPED.fullmatch(text) if text[:1] in _BEGIN_TYPED else None
    return TypedLine(match["player"], match["text"].strip()) if match else None


def undone_line(text: str) -> TypedLine | None:
    """The typed line that VASSAL says it undid, in whatever language it says so: the line stands at the end."""
    begun = [at for at in map(text.find, _BEGIN_LINE) if at > 0]
    return typed(text[min(begun) :]) if begun else None


def as_order(text: str, module_map: ModuleMap | None) -> str | None:
    """A line of chat as an order, None for one that is none: a prefix without a word after it is an outcry, and
    `!pass` or `!hold fire` says that nothing is ordered."""
    prefix = module_map.order_prefix if module_map else ORDER
    if text.startswith(prefix):
        order = text.removeprefix(prefix)
        return f"{ORDER}{order}" if (word := folded(order)) and word not in _NO_ORDER else None
    words = (
        next((words for words in module_map.lock_on if text.startswith(words)), None) if module_map else None
    )
    return None if words is None else f"{ORDER}lock on {text.removeprefix(words).lstrip(' :')}"


def tells_lock_on(text: str) -> bool:
    """May a line be about lock-on?"""
    return "lock" in text.casefold()


def tells_nothing(step: StepForward) -> bool:
    """Is all that is said in a step VASSAL's own, not of dice or of a typed line undone, and no note written?"""
    for leaf in step.commands:
        kind = type(leaf)
        if kind is lv.Chat:
            text = leaf.text  # type: ignore[union-attr]
            if text[:1] in _BEGIN_TYPED or _ROLLED in text or (step.undo and undone_line(text)):
                return False
        elif kind in _TELLING:
            return False
    return True


def tells_result(text: str) -> bool:
    """May a line say what dice came to: a hit, a miss, so many points?"""
    return len(text) <= _LONGEST and _TELLS.search(text) is not None


def moment_named(text: str) -> tuple[int | None, int | None]:
    """The turn and the impulse a text is about: `EA turn 3`, `T2 I5: launch`."""
    turn, impulse = _OF_TURN.search(text[:_LONGEST]), _OF_IMPULSE.search(text[:_LONGEST])
    return int(turn["turn"]) if turn else None, int(impulse["impulse"]) if impulse else None


def rolls_of(step: StepForward) -> tuple[ButtonRoll, ...]:
    """The dice rolled in a step: by the properties the buttons set, by chat where there are none."""
    in_chat: list[ButtonRoll] = []
    by_button: list[lv.MutableProperty] = []
    for leaf in step.commands:
        if isinstance(leaf, lv.Chat):
            if _ROLLED in leaf.text and (match := _DICE.match(leaf.text)):
                in_chat.append(
                    ButtonRoll(match["button"], match["faces"].strip(), match["player"], pressed=False)
                )
        elif isinstance(leaf, lv.MutableProperty) and leaf.name.endswith(RESULT):
            by_button.append(leaf)
    if not by_button:
        return tuple(in_chat)
    player = in_chat[0].player if in_chat else ""
    rolled = [_roll_of_button(leaf, in_chat, player) for leaf in by_button]
    return tuple(rolled)


def _roll_of_button(leaf: lv.MutableProperty, in_chat: list[ButtonRoll], player: str) -> ButtonRoll:
    """The roll a button set, with what chat says of it; the chat of one step is in the order of its rolls."""
    button = leaf.name.removesuffix(RESULT)
    own = next((roll for roll in in_chat if roll.button == button), None)
    if own is not None:
        in_chat.remove(own)
        said_too = "" if own.faces == leaf.new else own.faces
        return ButtonRoll(button, leaf.new[:_LONGEST], own.player, said_too)
    return ButtonRoll(button, leaf.new[:_LONGEST], player)


def is_played(order: str) -> bool:
    """Is an order of chat one that is given in an impulse, when energy is allocated: fire, launches, damage?"""
    return _PLAYED.match(order) is not None


def tells_speed(order: str) -> bool:
    """Does an order of chat say at what speed a ship goes?"""
    return _SPEED.match(order) is not None


def reads_as_order(text: str) -> bool:
    """May a line be meant as an order to fire or launch, though it does not begin as orders do?"""
    return len(text) <= _LONGEST and _READS.match(text) is not None


def taken_back(text: str) -> str | None:
    """What a line takes back that says no more than that: what it names (`cancel PH-1A`), "" for what its player
    ordered last (`cancel that`, `never mind, out of arc`); None for any other line."""
    found = _BACK.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or (found["named"] and tells_result(text)):
        return None
    return (found["named"] or "").strip()


def imitates_roll(text: str) -> bool:
    """Does a line a player typed look like the report of a dice button?"""
    return _DICE.match(text.replace("&lt;", "<").replace("&gt;", ">")) is not None


def reported(text: str, clock: Clock) -> Clock:
    """The clock after a report of a turn tracker's, as `* Turn updated from Turn 1 Impulse 3 to Turn 1 Impulse 4`."""
    match = _REPORT.match(text)
    turn, impulse = moment_named(match["now"]) if match else (None, None)
    return clock if turn is None or impulse is None else Clock(turn, impulse)


def called_out(text: str, clock: Clock) -> Clock:
    """The clock after a line of chat that names a turn or an impulse, as `Turn 2, impulse 5`."""
    match = _TURN.fullmatch(text) or _IMPULSE.fullmatch(text)
    if match is None:
        return clock
    turn = int(match["turn"]) if match["turn"] else clock.turn
    impulse = int(match["impulse"]) if match["impulse"] else None
    return Clock(turn, impulse)
