"""One order of the order language: the words of it, the names in it, and what is said to a mistake."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import partial

from referee.core.arcs import direction_offset, directions_like
from referee.core.energy import parse_energy
from referee.core.hexgrid import parse_position
from referee.core.location import Location
from referee.core.naming import find_mounts, folded, names_like
from referee.core.once import pattern
from referee.core.orders import (
    WAYS,
    Advance,
    Cloak,
    DroneHit,
    Fire,
    Help,
    Hit,
    HoldFire,
    ImpulseBegins,
    Launch,
    LockOn,
    Order,
    OrderProblem,
    Seal,
    SetSpeed,
    Status,
    TurnBegins,
    Uncloak,
    Undo,
    UseBattery,
)
from referee.core.ship import ShipClass
from referee.formats.orderfiles import HEADERS, MARKERS, MAX_ORDERS_LINE
from referee.formats.ordernames import OrderRefused, UnitNames, one_of, tidy

MAX_VOLLEY_WEAPONS = 60  # weapons of one fire order

ORDER_FORMS = {
    "rulebook": "rulebook sfb-cadet",
    "impulses": "impulses 16",
    "option": "option previous_speed=8",
    "ship": "ship NAME = cadet/klingon-d6 at 0216B speed 16",
    "drone": "drone NAME at 0109C speed 8 after TARGET",
    "turn": "turn 1",
    "impulse": "impulse 2",
    "speed": "NAME: speed 13",
    "ahead": "NAME: ahead",
    "left": "NAME: left",
    "right": "NAME: right",
    "leave": "NAME: leave the map",
    "fire": "NAME: fire PH-1/A, PHOT/B at TARGET",
    "launch": "NAME: launch DRN/1 at TARGET",
    "hit": "NAME: hit 21 on 1 from LF",
    "battery": "NAME: battery 1 for PH-1/A",
    "lock": "NAME: lock on TARGET",
    "cloak": "NAME: cloak",
    "uncloak": "NAME: uncloak",
    "hold": "NAME: hold fire",
    "seal": "NAME: seal CODE",
    "undo": "NAME: undo",
    "status": "NAME: status",
    "help": "NAME: help",
}
"""Each verb with a line that would be understood."""

_ALONE: dict[str, Callable[..., Order]] = {
    "cloak": Cloak,
    "uncloak": Uncloak,
    "undo": Undo,
    "status": Status,
    "help": Help,
}
_LIKE = {
    **dict.fromkeys(("forward", "straight", "move", "fwd", "advance"), "ahead"),
    **dict.fromkeys(("port", "turnleft"), "left"),
    **dict.fromkeys(("starboard", "turnright"), "right"),
    **dict.fromkeys(("shoot", "phasers", "photon"), "fire"),
    **dict.fromkeys(("damage", "volley"), "hit"),
    **dict.fromkeys(("batteries", "btty", "batt"), "battery"),
    "decloak": "uncloak",
    **dict.fromkeys(("disengage", "exit", "retreat"), "leave"),
}
NOT_ORDERED = {
    **dict.fromkeys(("het", "hets"), "high-energy turns are not played here"),
    **dict.fromkeys(("sideslip", "slip"), "side-slips are not ordered here"),
    **dict.fromkeys(("tractor", "transport", "beam"), "tractors and transporters are not ordered here"),
    **dict.fromkeys(("arm", "energy", "charge", "allocate"), "energy is paid on the energy form"),
}
"""What other games of the field have players order, and why there is no such order."""
_NUMBER = pattern(r"[0-9]{1,4}")
_TARGET = pattern(r"(?P<weapons>.+?) at (?P<target>.+)", re.IGNORECASE)
_ON_SHIELD = pattern(r"(?P<target>.+?) on #?(?P<shield>[1-6])", re.IGNORECASE)
_HIT = pattern(r"(?P<points>\S+) on #?(?P<shield>\S+)(?: from (?P<direction>\S+))?", re.IGNORECASE)
_ON_NAME = pattern(r"(?P<points>\S+) on (?P<target>.+)", re.IGNORECASE)
_BATTERY = pattern(r"(?P<points>\S+) (?:points? )?(?:for|to) (?P<weapons>.+)", re.IGNORECASE)
_LOCK = pattern(r"on (?P<target>.+)", re.IGNORECASE)
_ROLLED = pattern(r"(?P<target>.+?)[ ,=]+(?:roll(?:ed|s)? )?(?P<roll>[1-9])", re.IGNORECASE)
_LEAVE = pattern(r"(?:the )?map(?: (?P<way>ahead|left|right))?", re.IGNORECASE)
_CODE = pattern(r"[A-Za-z0-9-]{1,200}")


def read_order(names: UnitNames, ship: str, text: str, place: Location) -> Order:
    """One order of a ship, or a marker. Raises Refused."""
    verb, _, rest = tidy(text).partition(" ")
    verb = verb.casefold()
    if verb == "turn" and (side := rest.casefold()) in WAYS:
        raise OrderRefused(f"a ship turns {side} by that word alone", f"write {ORDER_FORMS[side]}")
    if verb in MARKERS:
        number = read_number(rest, verb, ORDER_FORMS[verb])
        return TurnBegins(number, location=place) if verb == "turn" else ImpulseBegins(number, location=place)
    if verb not in ORDER_FORMS or verb in HEADERS:
        what = f"no order {verb[:30]!r}" if verb else "no order is given"
        what += f": {NOT_ORDERED[verb]}" if verb in NOT_ORDERED else ""
        raise OrderRefused(
            what, partial(did_you_mean, verb, rest, [name for name in ORDER_FORMS if name not in HEADERS])
        )
    if not ship and verb not in ("help", "status"):
        raise OrderRefused("no ship is named", f"write {ORDER_FORMS[verb]}")
    if (verb in WAYS or verb in _ALONE) and rest:
        raise OrderRefused(
            f"`{verb}` takes nothing more, {rest[:40]!r} follows", f"write {ORDER_FORMS[verb]}"
        )
    if verb in WAYS:
        return Advance(ship, next(way for way in WAYS if way == verb), location=place)
    if verb in _ALONE:
        return _ALONE[verb](ship, location=place)
    if verb == "leave":
        leave = _LEAVE.fullmatch(rest)
        if not leave:
            raise OrderRefused(
                "what is left is the map", f"write {ORDER_FORMS[verb]}, or leave the map left, or right"
            )
        word = (leave["way"] or "ahead").casefold()
        return Advance(ship, next(way for way in WAYS if way == word), location=place, leaves=True)
    if verb == "speed":
        return SetSpeed(ship, read_number(rest, "speed", ORDER_FORMS[verb]), location=place)
    if verb == "seal":
        if not _CODE.fullmatch(rest):
            raise OrderRefused("a seal is followed by its code", f"write {ORDER_FORMS[verb]}")
        return Seal(ship, rest, location=place)
    if verb == "hold":
        if folded(rest) not in ("", "fire"):
            raise OrderRefused(f"what is held is fire, not {rest[:40]!r}", f"write {ORDER_FORMS[verb]}")
        return HoldFire(ship, location=place)
    if verb == "hit":
        return _hit_at(names, ship, rest, place)
    if verb == "battery":
        return _battery(names, ship, rest, place)
    if verb == "lock":
        return _lock(names, ship, rest, place)
    return _at_target(names, verb, ship, rest, place)


def _lock(names: UnitNames, ship: str, rest: str, place: Location) -> LockOn:
    """A try for lock-on: a number behind the target is the roll, unless a ship is called so."""
    found = _LOCK.fullmatch(rest)
    if not found:
        raise OrderRefused("no target is named", f"write {ORDER_FORMS['lock']}")
    target = found["target"]
    rolled = _ROLLED.fullmatch(target) if names.exact(target) is None else None
    if rolled is None:
        return LockOn(ship, names.meant(target), location=place)
    return LockOn(ship, names.meant(rolled["target"]), int(rolled["roll"]), location=place)


def _battery(names: UnitNames, ship: str, rest: str, place: Location) -> UseBattery:
    points, named = read_battery(rest)
    weapons = tuple(_weapon(weapon, ship, names.classes.get(ship)) for weapon in named)
    return UseBattery(ship, points, weapons, location=place)


def read_battery(text: str) -> tuple[Fraction, list[str]]:
    """Points of batteries and the weapons they are for: `1 for PH-1/A`. Raises Refused."""
    found = _BATTERY.fullmatch(tidy(text))
    if not found:
        raise OrderRefused("points and weapons are needed", f"write {ORDER_FORMS['battery']}")
    try:
        points = parse_energy(found["points"])
    except ValueError:
        points = Fraction(0)
    if not 0 < points < 100 or points.denominator > 2:
        raise OrderRefused(
            f"{found['points'][:20]!r} is no number of points", f"write {ORDER_FORMS['battery']}"
        )
    named = [part.strip() for part in found["weapons"].split(",") if part.strip()]
    if not named or len(named) > MAX_VOLLEY_WEAPONS:
        raise OrderRefused(
            "too many weapons at once" if named else "no weapon is named", f"write {ORDER_FORMS['battery']}"
        )
    return points, named


def _hit_at(names: UnitNames, ship: str, rest: str, place: Location) -> Hit | DroneHit:
    """Damage to a ship, or to a seeker: `hit 5` of it, `hit 5 on Drone 1` in a ship's name. In chat a seeker is one
    of the counters that are no ship known."""
    no_ships = names.drones | names.counters
    on = _ON_NAME.fullmatch(rest)
    if on and (struck := names.exact(on["target"])) in no_ships and struck is not None:
        return _drone_hit(struck, on["points"], place)
    is_bare = ship in names.counters and bool(_NUMBER.fullmatch(rest))
    return _drone_hit(ship, rest, place) if ship in names.drones or is_bare else _hit(ship, rest, place)


def _hit(ship: str, rest: str, place: Location) -> Hit:
    found = _HIT.fullmatch(rest)
    if not found:
        raise OrderRefused("damage is not given so", f"write {ORDER_FORMS['hit']}")
    points = read_number(found["points"], "damage", ORDER_FORMS["hit"])
    shield = read_number(found["shield"], "shield", ORDER_FORMS["hit"])
    if not 1 <= shield <= 6:
        raise OrderRefused(f"no shield {shield}", "shields are numbered 1 to 6")
    return Hit(ship, points, shield, _direction(found["direction"] or ""), location=place)


def _drone_hit(ship: str, rest: str, place: Location) -> DroneHit:
    if not _NUMBER.fullmatch(rest):
        raise OrderRefused("damage to a drone is not given so", f"it has no shields: write {ship}: hit 5")
    return DroneHit(ship, int(rest), location=place)


def _direction(text: str) -> str:
    """A direction damage comes from: a sector, a hex row, or the firer's hex."""
    if not text:
        return ""
    head, colon, row = text.partition(":")
    spelled = f"row:{row.upper()}" if colon and head.casefold() == "row" else text.upper()
    try:
        direction_offset(spelled)
    except ValueError:
        try:
            return str(parse_position(text)[0])
        except ValueError:
            raise OrderRefused(
                f"no direction {text[:20]!r}", partial(_nearest_direction, text[:20])
            ) from None
    return spelled


def _nearest_direction(text: str) -> str:
    """What is said to no direction: those like it, or all there are."""
    near = directions_like(text)
    return f"did you mean {one_of(near)}?" if near else "LF, RF, R, RR, LR, L, row:A to row:F, or a hex"


def _at_target(names: UnitNames, verb: str, ship: str, rest: str, place: Location) -> Fire | Launch:
    found = _TARGET.fullmatch(rest)
    if not found:
        raise OrderRefused("a weapon and a target are needed", f"write {ORDER_FORMS[verb]}")
    named = [part.strip() for part in found["weapons"].split(",") if part.strip()]
    if not named or len(named) > (MAX_VOLLEY_WEAPONS if verb == "fire" else 1):
        raise OrderRefused(
            "too many weapons at once" if named else "no weapon is named", f"write {ORDER_FORMS[verb]}"
        )
    weapons = tuple(_weapon(weapon, ship, names.classes.get(ship)) for weapon in named)
    if " at " in found["target"]:
        raise OrderRefused("two shots in one line", f"a line each, or all at one target: {ORDER_FORMS[verb]}")
    if verb == "launch":
        return Launch(ship, weapons[0], names.meant(found["target"]), location=place)
    on = _ON_SHIELD.fullmatch(found["target"])
    target = names.meant(on["target"] if on else found["target"])
    return Fire(ship, weapons, target, int(on["shield"]) if on else None, location=place)


def _weapon(text: str, name: str, ship: ShipClass | None) -> str:
    """The weapon a name means, as on the SSD; as it was written where the ship's weapons are not known."""
    if not folded(text):
        raise OrderRefused(f"{text[:20]!r} names no weapon", "as on the SSD: PH-1/A")
    if ship is None:
        return text
    mounts = find_mounts(text, ship.mounts)
    if len(mounts) == 1:
        return mounts[0].id
    begin = [mount.id for mount in ship.mounts if folded(mount.id).startswith(folded(text))]
    if mounts or begin:
        raise OrderRefused(f"{text[:30]} may be {one_of(begin or [m.id for m in mounts])}", "say which")
    marks = [mount.id for mount in ship.mounts]
    raise OrderRefused(f"{name} has no weapon {text[:30]}", partial(names_like, text[:60], marks))


def read_number(text: str, what: str, example: str) -> int:
    """A whole number of at most four digits. Raises Refused."""
    if not _NUMBER.fullmatch(text):
        reason = f"{text[:20]!r} is no number of {what}" if text else f"{what} lacks its number"
        raise OrderRefused(reason, f"write {example}")
    return int(text)


def verb_of(text: str) -> str:
    """The verb a line begins with, or nothing."""
    word = text.split(None, 1)[0].casefold() if text.strip() else ""
    return word if word in ORDER_FORMS else ""


def did_you_mean(verb: str, rest: str = "", known: Collection[str] = tuple(ORDER_FORMS)) -> str:
    """A line that would have been understood in place of one that was not: of a verb like it, or that the rest
    holds, `left` of `slip left`."""
    word, words = verb[:30], [folded(part) for part in rest[:200].split()]
    like = _LIKE.get(folded(word), "")
    if not like and word not in NOT_ORDERED:
        like = next(iter(get_close_matches(word, known, n=1, cutoff=0.6)), "")
    like = like or next((_LIKE.get(part, part) for part in words if _LIKE.get(part, part) in known), "")
    return (
        f"did you mean {ORDER_FORMS[like]}?"
        if like
        else f"orders are {', '.join(v for v in ORDER_FORMS if v not in HEADERS)}"
    )


# -- a line of chat ----------------------------------------------------------------------

_CONTROL = pattern(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def parse_chat_order(
    line: str,
    speaker: str = "",
    ships: Sequence[str] = (),
    ship: ShipClass | None = None,
    counters: Iterable[str] = (),
) -> Order | OrderProblem | None:
    """One line of chat: an order if it begins with `!`, a problem if it cannot be understood, else None.

    `speaker` is the ship of whoever speaks, meant unless another is named. `ships` are the names in play,
    `counters` those of them that are no ships'. `ship` is the speaker's class, whose weapons are then known.
    """
    if not line.lstrip().startswith("!"):
        return None
    text = line.strip()[1:].strip()
    names = UnitNames((*ships, *([speaker] if speaker else ())))
    names.counters.update(counters)
    if ship is not None and speaker:
        names.classes[speaker] = ship
    try:
        must_be_plain(line)
        name, rest = speaker, text
        before, colon, after = text.partition(":")
        # A ship may be called after a verb, as `Fire`; and of chat no header is a part: Drone 1, Ship 1.
        if colon and (names.exact(before) is not None or verb_of(before) in ("", *HEADERS)):
            name, rest = names.meant(before), after
        return read_order(names, name, rest, Location())
    except OrderRefused as refused:
        return OrderProblem(text[:MAX_ORDERS_LINE], refused.reason, refused.hint)


def must_be_plain(line: str) -> None:
    """Raises Refused for a line that is too long, or not plain text."""
    if len(line) > MAX_ORDERS_LINE:
        raise OrderRefused(f"a line of {len(line)} characters", f"at most {MAX_ORDERS_LINE}")
    if odd := _CONTROL.search(line):
        raise OrderRefused(f"character {ord(odd[0]):#06x} in column {odd.start() + 1}", "write plain text")
