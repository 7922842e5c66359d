"""Short orders, as they are said at a table, in the words of the order language: `c a` is `Constellation: ahead`,
`c f ph1a,b w` is `Constellation: fire PH-1/A, PH-1/B at War`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.naming import find_mounts, folded
from referee.formats.orderfiles import HEADERS, MARKERS
from referee.formats.orderlines import ORDER_FORMS
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.game import GameState
    from referee.core.ship import ShipClass

LETTERS = {
    "a": "ahead",
    "l": "left",
    "r": "right",
    "f": "fire",
    "s": "speed",
    "h": "hold",
    "b": "battery",
    "c": "cloak",
    "u": "uncloak",
}
"""The verbs that one letter is for; of others a beginning will do that no second verb has."""

_VERBS = tuple(verb for verb in ORDER_FORMS if verb not in (*HEADERS, *MARKERS, "seal", "undo"))
_AIMED = ("fire", "launch")
_ON = re.compile(r"\s+(?:on\s+#?|#)([1-6])$")
_REMARK = re.compile(r"(?:^|\s)#(?![1-6])")
_LONGEST_NAME = 6  # words of a ship's name


def orders_meant(state: GameState, text: str, mover: str = "") -> str:
    """The orders of some lines written out; what is no short order stays as it is. An order that names no ship is for
    the `mover`. Raises BadInput where a beginning is that of several names."""
    return "\n".join(
        line_meant(state, part, mover) for line in text.split("\n") for part in _by_ship(state, line)
    )


def _by_ship(state: GameState, line: str) -> list[str]:
    """The parts of a line that are each for a ship: behind a `;` stands another order of the same one, or another
    ship's."""
    if _REMARK.search(line):
        return [line]
    first, *others = [part for part in line.split(";") if part.strip()] or [line]
    parts = [first]
    for other in others:
        if _names_ship(state, other):
            parts.append(other.strip())
        else:
            parts[-1] += f";{other}"
    return parts


def _names_ship(state: GameState, text: str) -> bool:
    """Does an order begin with a ship, as a line does?"""
    before, colon, _ = text.partition(":")
    if colon:
        return _name(before, state.ships) is not None
    words = text.split()
    return any(
        verb_meant(words[count])
        and _name(" ".join(words[:count]), state.ships, whole=count > 1 or words[0].casefold() in _VERBS)
        for count in range(min(_LONGEST_NAME, len(words) - 1), 0, -1)
    )


def line_meant(state: GameState, line: str, mover: str = "") -> str:
    """The orders of one ship written out. Raises as `orders_meant`."""
    names = [*state.ships, *state.launched]
    before, colon, after = line.partition(":")
    if colon:
        ship = _name(before, names)
        return line if ship is None else f"{ship}: {_orders(state, ship, after)}"
    # Nobody orders a drone that flies by itself: a ship is meant, though it begins with such a name.
    alone = {drone.name for drone in state.drones.values() if not drone.player}
    names = [name for name in names if name not in alone]
    words = line.split()
    if not words or words[0].casefold() in (*HEADERS, *MARKERS, "help", "status"):
        return line
    named: list[tuple[str, int]] = []
    for count in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        # `b s 12` is for a ship even where `b 1 ph1a` is for the mover: of several such ships none is chosen.
        for_one = verb_meant(words[count].rstrip(";")) and words[0].casefold() not in _VERBS
        ship = _name(" ".join(words[:count]), names, whole=count > 1 or (bool(mover) and not for_one))
        if ship is not None:
            named.append((ship, count))
    # `de s 16` is not `des`, a beginning of Destruction, and 16: what has a verb behind it comes first.
    ordered = [each for each in named if verb_meant(words[each[1]].rstrip(";"))]
    if found := ordered or ([] if mover and _is_movers(state, mover, words) else named):
        ship, count = found[0]
        return f"{ship}: {_orders(state, ship, ' '.join(words[count:]))}"
    only = len(words) == 1 and not (mover and _is_movers(state, mover, words))
    if only and (there := _name(line, names, whole=True)):
        raise BadInput(f"{line.strip()} is {there}", hint="what does it do? SHIP: ahead")
    return f"{mover}: {_orders(state, mover, line)}" if mover and verb_meant(words[0]) else line


def _is_movers(state: GameState, mover: str, words: Sequence[str]) -> bool:
    """Is it an order of the mover's, and no ship's name: a verb of one letter with what it takes, that it can do?"""
    verb, behind, ship = verb_meant(words[0]), words[1:], _class_of(state, mover)
    if verb in ("cloak", "uncloak") and ship is not None and ship.cloak_cost is None:
        return False
    if verb in ("speed", "battery"):
        return "".join(behind)[:1].isdecimal()
    return bool(verb) and not (behind and verb in ("ahead", "left", "right", "cloak", "uncloak"))


def ship_meant(state: GameState, text: str) -> str | None:
    """The ship that a name, or a beginning of it alone, means. Raises BadInput for several."""
    return _name(text, state.ships)


def unit_meant(state: GameState, text: str) -> str | None:
    """The ship or the seeker on the map that a name, or a beginning of it alone, means: a ship before what it launched.
    Raises BadInput for several."""
    return _name(text, [*state.ships, *state.seekers])


def begins_order(state: GameState, word: str, rest: str) -> bool:
    """Does a word that is a key of the table, too, begin an order of a ship, as `u s 16` for Uhlan? Raises BadInput
    where it is the beginning of several."""
    verb = rest.partition(";")[0].split()[:1]
    return bool(verb and verb_meant(verb[0]) and _name(word, state.ships))


def orders_of(state: GameState, ship: str, text: str) -> list[str]:
    """The orders of one ship in words, one or several behind each other, written out without its name, which may stand
    before each. Raises BadInput for an order of another ship."""
    parts = (part.strip() for line in text.split("\n") for part in line.split(";"))
    return [_order_of(state, ship, part) for part in parts if part]


def _order_of(state: GameState, ship: str, text: str) -> str:
    """An order of a ship written out without its name."""
    ordered, _, order = line_meant(state, text, ship).partition(": ")
    if ordered == ship and order:
        return order
    if order and ordered in (*state.ships, *state.launched):
        raise BadInput(f"{text[:40]!r} is for {ordered}", hint=f"orders of {ship} alone are taken here")
    return _order(state, ship, text)


def verb_meant(word: str) -> str:
    """The verb that a word, its beginning or its letter is; an empty text where it is none, or one of several."""
    wanted = word.casefold()
    if wanted in _VERBS:
        return wanted
    found = [verb for verb in _VERBS if wanted and verb.startswith(wanted)]
    # `le` is leave: left has a letter of its own.
    found = [verb for verb in found if verb not in LETTERS.values()] or found
    return LETTERS.get(wanted) or (found[0] if len(found) == 1 else "")


def _orders(state: GameState, ship: str, text: str) -> str:
    return "; ".join(_order(state, ship, part) for part in text.split(";"))


def _order(state: GameState, ship: str, text: str) -> str:
    """What a ship is ordered, written out."""
    word, _, rest = " ".join(text.split()).partition(" ")
    verb = verb_meant(word)
    if not verb:
        return text.strip()
    if verb == "hold" and not rest:
        return "hold fire"
    if verb == "leave" and not rest:
        return "leave the map"
    if verb == "lock" and rest:
        target = rest[3:] if rest.casefold().startswith("on ") else rest
        return f"lock on {_name(target, [*state.ships]) or target}"
    if verb == "battery" and rest:
        points, _, weapons = rest.partition(" ")
        for_them = weapons[4:] if weapons.casefold().startswith("for ") else weapons
        return f"battery {points} for {', '.join(_weapons(state, ship, for_them)) or for_them}"
    return f"{verb} {_aimed(state, ship, rest)}" if verb in _AIMED and rest else f"{verb} {rest}".rstrip()


def _aimed(state: GameState, ship: str, text: str) -> str:
    """Weapons and their target, written out: the last words are the target where no `at` stands before it."""
    on = _ON.search(text)
    order = text[: on.start()] if on else text
    names = [name for name in (*state.ships, *state.seekers) if name != ship]
    weapons, at, target = order.partition(" at ")
    if not at:
        weapons, target = _told_apart(order.split(), names)
    marks = ", ".join(_weapons(state, ship, weapons)) or weapons
    named = _name(target, names) or target
    if not target and len(others := _opponents(state, ship)) == 1:
        named = others[0]
    return f"{marks} at {named}{f' on {on[1]}' if on else ''}" if named else marks


def _told_apart(words: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    """Weapons and target of words between which no `at` stands."""
    for count in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        last = " ".join(words[-count:])
        if not words[-count - 1].endswith(",") and _name(last, names, whole=count > 1) is not None:
            return " ".join(words[:-count]), last
    return " ".join(words), ""


def _opponents(state: GameState, ship: str) -> list[str]:
    """The ships of other players that are still there."""
    mine = state.ships[ship].player if ship in state.ships else ""
    there = [each for each in state.ships.values() if not each.state.dead and not state.has_left(each)]
    return [each.name for each in there if each.player != mine and each.name != ship]


def _weapons(state: GameState, name: str, text: str) -> list[str]:
    """The marks of weapons: `ph1a,b` is PH-1/A and PH-1/B."""
    ship = _class_of(state, name)
    marks: list[str] = []
    for item in filter(None, re.split(r"[,\s]+", text.strip())):
        if ship is None or folded(item) == "all":
            marks.append(item)
            continue
        type = marks[-1].rpartition("/")[0] if marks else ""
        found = find_mounts(item, ship.mounts) or find_mounts(f"{type}/{item}", ship.mounts if type else ())
        begins = [mount.id for mount in ship.mounts if folded(mount.id).startswith(folded(item))]
        marks.append(found[0].id if len(found) == 1 else begins[0] if len(begins) == 1 else item)
    return marks


def _class_of(state: GameState, name: str) -> ShipClass | None:
    ship = state.ships.get(name)
    return load_ship(ship.state.ship) if ship is not None and ship.state.ship else None


def _name(text: str, names: Iterable[str], *, whole: bool = False) -> str | None:
    """The ship or seeker that a name, or the beginning of one alone, means; None for none. Raises BadInput for
    several."""
    wanted, known = folded(text), list(names)
    if not wanted:
        return None
    if exact := [name for name in known if folded(name) == wanted]:
        return exact[0]
    begun = [name for name in known if folded(name).startswith(wanted)]
    # Of a ship and what it launched the ship is meant.
    begun = [
        name for name in begun if not any(name != ship and name.startswith(f"{ship} ") for ship in begun)
    ]
    if len(begun) > 1 and not whole:
        raise BadInput(f"{text.strip()[:40]} may be {' or '.join(begun[:4])}", hint="say more of the name")
    return begun[0] if len(begun) == 1 else None
