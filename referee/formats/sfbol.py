"""The play-by-play of the closed online client: its lines as facts, without judgement.

Built from a public reader's account of the format, not from logs: a line that is not known is kept as `Unread`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from sys import intern
from typing import Any, NamedTuple, TypeVar


class ImpulseBegun(NamedTuple):
    """`Impulse 1.14:`"""

    line: int
    turn: int
    impulse: int


class Allocating(NamedTuple):
    """`SHIP has started Energy Allocation`, or has finished it."""

    line: int
    ship: str
    done: bool


class Moved(NamedTuple):
    """`SHIP has moved to 1402C`. `how` is `moved`, `side-slipped` or `turned`. There is a facing only where it is
    told."""

    line: int
    ship: str
    column: int
    row: int
    facing: str
    how: str


class Turned(NamedTuple):
    """`SHIP has turned to SE`, or `has changed to facing F after 3 move`: no position is told."""

    line: int
    ship: str
    facing: str
    after: int | None


class VolleySaid(NamedTuple):
    """`SHIP fires 3 Phaser-1s at SHIP`: the summary of a volley."""

    line: int
    ship: str
    shots: int
    type: str
    target: str


class Fired(NamedTuple):
    """`SHIP fires Disruptor #B (FA) at SHIP using Overloaded mode (Range: 6)`: one mount."""

    line: int
    ship: str
    type: str
    mark: str
    arc: str
    target: str
    mode: str
    range: int


class Rolled(NamedTuple):
    """`NAME Rolls 1d6: 6, 1, 1`: the dice of one volley in the order of its shots."""

    line: int
    name: str
    dice: int
    sides: int
    faces: tuple[int, ...]


class Allocated(NamedTuple):
    """`Allocation of damage for: SHIP`"""

    line: int
    ship: str


class DamageSaid(NamedTuple):
    """`Damage: 0/12/0/0/0/0 (Total: 12)`, by shield."""

    line: int
    shields: tuple[int, ...]
    total: int


class ShieldsSaid(NamedTuple):
    """`Remaining Shield: 30/18/24/24/24/30`"""

    line: int
    shields: tuple[int, ...]


class Added(NamedTuple):
    """`KHS Sabre (Type:User-Defined Ship) has been added at 2326, direction A, speed 8`; a seeker names who launched it."""

    line: int
    name: str
    type: str
    column: int
    row: int
    facing: str
    speed: int | None
    launcher: str


class FieldActivated(NamedTuple):
    """`SHIP activates ESG radius 0 - 20 pts`"""

    line: int
    ship: str


class Destroyed(NamedTuple):
    """`SHIP has been destroyed`"""

    line: int
    ship: str


class Unread(NamedTuple):
    """A line of no shape known here."""

    line: int
    text: str


PLAYED = (
    Moved,
    Turned,
    Fired,
    VolleySaid,
    Rolled,
    Allocated,
    DamageSaid,
    ShieldsSaid,
    FieldActivated,
    Destroyed,
)
"""What is play, and no set-up."""

Fact = (
    ImpulseBegun
    | Allocating
    | Moved
    | Turned
    | VolleySaid
    | Fired
    | Rolled
    | Allocated
    | DamageSaid
    | ShieldsSaid
    | Added
    | FieldActivated
    | Destroyed
    | Unread
)


Kind = TypeVar("Kind", bound=Fact)
MOST_TURN, MOST_IMPULSE = 999, 64
COMPASS = {"N": "A", "NE": "B", "SE": "C", "S": "D", "SW": "E", "NW": "F"}
LONGEST_NAME, LONGEST_SHAPE = 80, 600
_SIX = "([0-9]{1,4}(?:/[0-9]{1,4}){5})"
_IMPULSE = re.compile(r"Impulse ([0-9]{1,3})\.([0-9]{1,2}):")
_NO_IMPULSE = re.compile(r"Impulse [0-9]+\.[0-9]+:")
_MOVED = re.compile(r"(moved|side-slipped|turned) to ([0-9]{2})([0-9]{2})([A-F]?)\.?")
_LONGEST_MOVE = 24
_TURNED = re.compile(
    r"(?:turned to (N|S|NE|NW|SE|SW)|changed to facing ([A-F]) after ([0-9]{1,3}) moves?)\.?"
)
_FIRED = re.compile(
    r"([A-Za-z][^#]{0,40}) #([A-Za-z0-9]{1,4}) \(([A-Za-z0-9+: ]{1,40})\) at (.+) \(Range: ([0-9]{1,3})\)\.?"
)
_MODE = re.compile(r"(.+) using ([A-Za-z -]{1,30}) mode")
_VOLLEY = re.compile(r"([0-9]{1,3}) ([A-Za-z].{0,40}?)s? at (.+)")
_ROLLED = re.compile(r"([0-9]{1,2})d([0-9]{1,3}): ([0-9]{1,3}(?:, ?[0-9]{1,3}){0,99})")
_DAMAGE = re.compile(rf"Damage: {_SIX} \(Total: ([0-9]{{1,5}})\)")
_SHIELDS = re.compile(rf"Remaining Shields?: {_SIX}")
_ADDED = re.compile(r"(.+?) \(Type: ?(.{0,80})\)")
_PUT = re.compile(r"been added at ([0-9]{2})([0-9]{2})([A-F]?)(.{0,300})")
_DIRECTION = re.compile(r"direction ([A-F])\b")
_SPEED = re.compile(r"speed ([0-9]{1,2})\b")
_LAUNCHER = re.compile(r"launched by (.{1,80}?)\.?$")
_ALLOCATING = re.compile(r"(started|finished) Energy Allocation\.?")
_SMALL = re.compile(
    r"(?i)\b(?:(?:drone|plasma|missile|torpedo)\b|shuttle|fighter|weasel|mine|probe|web|pseudo)"
)
_FIELD = re.compile(r"ESG (?:at )?radius .{1,60}")


_new = tuple.__new__
"""Makes the facts that a log has most of, in half the time that calling their class takes."""


def is_played(turn: int, impulse: int) -> bool:
    """Is there such an impulse?"""
    return 0 < turn <= MOST_TURN and 0 < impulse <= MOST_IMPULSE


def names_no_impulse(fact: Unread) -> bool:
    """Does a line begin an impulse by its form, and there is none of that number?"""
    return _NO_IMPULSE.fullmatch(fact.text) is not None


def is_launched(fact: Added) -> bool:
    """Was a unit launched, by its launcher or its type, and did not enter as a ship does?"""
    return bool(fact.launcher or _SMALL.search(fact.type))


def may_go_on(fact: Fact) -> bool:
    """Is a line also one without its last characters: a figure, a name or a facing that was cut off?"""
    return isinstance(fact, (ShieldsSaid, Rolled, Added)) or (isinstance(fact, Moved) and not fact.facing)


def bare(row: str) -> str:
    """A line without the blanks around it, and with single ones in it."""
    text = row.strip()
    return " ".join(text.split()) if "  " in text or "\t" in text else text


def facts_in(rows: Iterable[str], first: int, bared: Callable[[str], str] = bare) -> list[Fact]:
    """What lines say that say anything; `first` is the number of the first of them. `bared` takes the blanks around a line
    away, and makes those in it single where it is not plain that they are."""
    facts: list[Fact] = []
    for line, row in enumerate(rows, first):
        # Every second line begins an impulse, and there are few of them.
        if row[:8] == "Impulse " and len(row) < LONGEST_NAME:
            kind, parts = _begun(row)
            facts.append(_new(kind, (line, *parts)))
        elif text := bared(row):
            facts.append(fact_in(line, text))
    return facts


@lru_cache(maxsize=1 << 12)
def _begun(row: str) -> tuple[type[Fact], tuple[Any, ...]]:
    """What a line says that seems to begin an impulse, but for its number."""
    fact = fact_in(0, bare(row))
    return fact.__class__, fact[1:]


def all_of(facts: Iterable[Fact], kind: type[Kind]) -> list[Kind]:
    """The facts of one kind."""
    return [fact for fact in facts if type(fact) is kind]


def fact_in(line: int, text: str) -> Fact:
    """What a line says."""
    name, has, rest = text.rpartition(" has ")
    if has and len(rest) <= _LONGEST_MOVE and text[0] != "<" and (move := _move(rest)) and _is_name(name):
        return _new(Moved, (line, intern(name), *move))
    if len(text) > LONGEST_SHAPE:
        return Unread(line, text[:LONGEST_SHAPE])
    if text[:1] == "<":
        return Unread(line, text)
    if text[:8] == "Impulse " and (match := _IMPULSE.fullmatch(text)):
        turn, impulse = int(match[1]), int(match[2])
        return _new(ImpulseBegun, (line, turn, impulse)) if is_played(turn, impulse) else Unread(line, text)
    if has:
        found = _has(line, text)
        if not isinstance(found, Unread):
            return found
        # A name may hold the word too, in a line of another shape.
    name, fires, rest = text.partition(" fires ")
    if fires:
        return _fires(line, text, name, rest)
    name, rolls, rest = text.partition(" Rolls ")
    if rolls and _is_name(name) and (match := _ROLLED.fullmatch(rest)):
        count, sides, faces = match.groups()
        return Rolled(line, name, int(count), int(sides), tuple(map(int, faces.split(","))))
    if match := _DAMAGE.fullmatch(text):
        return DamageSaid(line, _six(match[1]), int(match[2]))
    if match := _SHIELDS.fullmatch(text):
        return ShieldsSaid(line, _six(match[1]))
    name = text.removeprefix("Allocation of damage for: ")
    if name != text and _is_name(name):
        return Allocated(line, name)
    name, esg, rest = text.partition(" activates ")
    if not esg:
        name, esg, rest = text.partition(" ESG ")
        rest = f"ESG {rest}"
    if esg and _is_name(name) and _FIELD.fullmatch(rest):
        return FieldActivated(line, name)
    return Unread(line, text)


@lru_cache(maxsize=1 << 14)
def _move(rest: str) -> tuple[int, int, str, str] | None:
    """The column, the row, the facing and the kind of move that a line tells after a unit's name: the same hexes come back."""
    match = _MOVED.fullmatch(rest)
    return match and (int(match[2]), int(match[3]), match[4], intern(match[1]))


def _is_name(name: str) -> bool:
    """May a unit or a player be called so? Before a colon somebody speaks, and tells what he likes."""
    return 0 < len(name) <= LONGEST_NAME and ": " not in name


def _has(line: int, text: str) -> Fact:
    """What a unit has done, but for a move: a name may hold the word itself, and so may what is launched by it."""
    at = text.find(" has ")
    while at > 0:
        name, rest = text[:at], text[at + 5 :]
        if (match := _PUT.fullmatch(rest)) and (unit := _ADDED.fullmatch(name)) and _is_name(unit[1]):
            return _added(line, unit[1], unit[2].strip(), match)
        if not _is_name(name):
            break
        if match := _TURNED.fullmatch(rest):
            way, facing, after = match.groups()
            return Turned(line, name, facing or COMPASS[way], int(after) if after else None)
        if match := _ALLOCATING.fullmatch(rest):
            return Allocating(line, name, match[1] == "finished")
        if rest in ("been destroyed", "been destroyed."):
            return Destroyed(line, name)
        at = text.find(" has ", at + 1)
    return Unread(line, text)


def _added(line: int, name: str, type: str, match: re.Match[str]) -> Fact:
    column, row, facing, rest = match.groups()
    way, speed, by = _DIRECTION.search(rest), _SPEED.search(rest), _LAUNCHER.search(rest)
    pace = int(speed[1]) if speed else None
    return Added(
        line, name, type, int(column), int(row), facing or (way[1] if way else ""), pace, by[1] if by else ""
    )


def _fires(line: int, text: str, name: str, rest: str) -> Fact:
    if not _is_name(name):
        return Unread(line, text)
    if match := _FIRED.fullmatch(rest):
        type, mark, arc, target, reach = match.groups()
        mode = ""
        if " using " in target and (mode_named := _MODE.fullmatch(target)):
            target, mode = mode_named.groups()
        if len(target) <= LONGEST_NAME:
            return Fired(line, name, type, mark, arc, target, mode, int(reach))
    elif (match := _VOLLEY.fullmatch(rest)) and len(match[3]) <= LONGEST_NAME:
        return VolleySaid(line, name, int(match[1]), match[2], match[3])
    return Unread(line, text)


def _six(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("/")))


_DIGITS = re.compile(r"[0-9]+")


def shape_of(text: str, names: re.Pattern[str] | None = None) -> str:
    """A line with its numbers as `9` and the names of ships as `SHIP`: lines alike have one shape."""
    bare = names.sub("SHIP", text) if names else text
    return _DIGITS.sub("9", bare)[:120]


_CHAT = re.compile(r"(?:<([^<>]{1,40})>|([^:]{1,40}) says:|([^:]{1,40}):)\s+\S.*")


CHAT = "(chat left out)"
"""What stands in a stripped log for a line of chat."""


def speaker_in(text: str) -> tuple[str, bool]:
    """Who seems to speak in a line, and whether he does by the look of it alone: `<Bob> well shot`; in
    `Bob: well shot` he does if Bob is a player. Nobody in another line."""
    match = _CHAT.fullmatch(text)
    if match is None:
        return "", False
    return match[1] or match[2] or match[3], match[3] is None
