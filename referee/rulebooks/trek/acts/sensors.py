"""Locks, scans, cloaking and decloaking; shields, messages, the transporter, and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from referee.core.hexgrid import true_range
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.firing import message_passes
from referee.rulebooks.trek.geometry import shadow, shields_towards
from referee.rulebooks.trek.parts import find_part, is_down, parts_of
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.powering import who_notices
from referee.rulebooks.trek.sensing import cloak_found, disclosed, lock_kept
from referee.rulebooks.trek.state import Vessel

AS_TOLD = ("what it is", "as the game master says")
"""What a lock on something tells that is no ship: the game master knows."""


def moving(play: Play, vessel: Vessel) -> bool:
    """Does a ship count as moving?"""
    return vessel.moved_turn if play.option("moving_span") == "turn" else vessel.moved_round


def lock(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """A sensor lock is tried; any lock held is given up for it."""
    target = action["on"]
    own = play.own(ship)
    if play.vessel(ship).lock:
        play.emit(24, e.LockLost(ship, "given up for another"), own)
    success = play.skill(25, ship, "sensors")
    if action.get("object"):
        answer = (AS_TOLD if success else ("sensors", "nothing found"),)
        if success:
            play.emit(25, e.LockGained(ship, target), own)
        play.emit(27 if success else 25, e.Told(ship, target, answer), own)
        return
    found = (
        _search(play, ship, target, action.get("arc", 0), success) if play.vessel(target).cloaked else success
    )
    if found:
        gain_lock(play, ship, target)
    else:
        play.emit(26 if action.get("arc") else 25, e.Told(ship, target, (("sensors", "nothing found"),)), own)


def _search(play: Play, ship: str, target: str, arc: int, bonus: bool) -> bool:
    """The secret search: what is rolled is the target's to know. It is rolled where it decides nothing
    too, so that the dice that are asked for do not tell whether the arc was right."""
    seeker, hidden = play.vessel(ship), play.vessel(target)
    roll = play.d10(26, target, f"found by {ship}?")
    if arc not in shields_towards(seeker.hex, seeker.facing, hidden.hex):
        return False
    if shadow(seeker.hex, hidden.hex, play.state.obstacles) == "shadow":
        return False
    distance = true_range(seeker.hex, hidden.hex)
    reading = play.option("detection_bonus")
    return cloak_found(play.charts, distance, moving(play, hidden), False, roll, bonus, reading)


def gain_lock(play: Play, ship: str, target: str) -> None:
    """A lock, and what it tells at once."""
    own = play.own(ship)
    play.emit(25, e.LockGained(ship, target), own)
    vessel = play.vessel(target)
    known = {
        "class or displacement": vessel.ship.displacement or vessel.ship.kind,
        "race": vessel.ship.race,
        "class name": vessel.ship.name,
        "life forms": "aboard",
        "locks on us": "yes" if vessel.lock == ship else "no",
    }
    names = disclosed(play.charts, known, vessel.raised) if play.plays(27) else []
    if names:
        play.emit(27, e.Told(ship, target, tuple((name, known[name]) for name in names)), own)
    if vessel.cloaked:
        place = (("place", f"{vessel.hex}{vessel.facing}"),)
        play.emit(28, e.Told(ship, target, place), own)


def keep_locks(play: Play, give_up: tuple[str, ...]) -> None:
    """At a turn's start locks on cloaked ships are rolled for again."""
    if not play.plays(29):
        return
    for name in play.state.order:
        vessel = play.vessel(name)
        target = play.state.vessels.get(vessel.lock)
        if not vessel.active or target is None or not target.cloaked:
            continue
        if name in give_up:
            play.emit(29, e.LockLost(name, "given up"), play.own(name))
            continue
        bonus = play.skill(29, name, "sensors")
        roll = play.d10(29, name, f"lock on {target.name} kept?")
        # Before the first round of a turn nobody has moved in it: what counts is the turn before.
        distance = true_range(vessel.hex, target.hex)
        if not lock_kept(
            play.charts, distance, moving(play, target), roll, bonus, play.option("detection_bonus")
        ):
            play.emit(29, e.LockLost(name, f"{target.name} was lost again"), play.own(name))


def scan(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """One question about the ship that is locked on."""
    held = play.vessel(ship).lock
    if held not in play.state.vessels:
        play.emit(30, e.Told(ship, held, ((action["ask"], AS_TOLD[1]),)), play.own(ship))
        return
    target = play.vessel(held)
    answer = _answer(play.charts, target, action["ask"], action.get("of", ""))
    play.emit(30, e.Told(ship, target.name, answer), play.own(ship))


def _answer(charts: Charts, target: Vessel, question: str, of: str) -> tuple[tuple[str, str], ...]:
    if question == "engines":
        return tuple((f"{engine} power", str(power)) for engine, power in target.engines.items())
    if question == "superstructure":
        return (("superstructure", str(target.superstructure)),)
    if question == "casualties":
        return (("casualties", f"{target.casualties} percent"),)
    if question == "ratios":
        ship = target.ship
        return (
            ("movement point ratio", str(ship.movement_ratio)),
            ("shield point ratio", str(ship.shield_ratio)),
        )
    if question == "status" and (part := find_part(of, parts_of(charts, target.ship))):
        down = is_down(part.key, target.ship, target.damage, target.engines, target.superstructure)
        state = "damaged" if down else "operative"
        if part.key.startswith("shield ") and not down:
            state += f", {_still_absorbs(target, part.key)} points"
        return ((part.name, state),)
    return ((question, AS_TOLD[1]),)


def _still_absorbs(target: Vessel, part: str) -> int:
    power = target.shield_power.get(int(part.removeprefix("shield ")), Fraction(0))
    return int(min(power, target.left) // target.ship.shield_ratio)


def cloak(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """The device is switched on: power leaves the grid, locks end, the counter goes."""
    play.spend(31, ship, play.vessel(ship).ship.cloak or 0, "cloak")
    for locker in play.state.lockers(ship):
        play.emit(31, e.LockLost(locker.name, f"{ship} cloaked"), play.own(locker.name))
    play.emit(31, e.Cloaked(ship))


def decloak(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """The device is switched off."""
    uncover(play, 33, ship)


def uncover(play: Play, rule: int, ship: str, why: str = "") -> None:
    """The counter is on the map again, and the power in the device comes back. Only its own side is
    told why."""
    vessel = play.vessel(ship)
    if why:
        play.emit(rule, e.Told(ship, ship, (("cloak", why),)), play.own(ship))
    play.emit(33, e.Decloaked(ship, str(vessel.hex), vessel.facing))
    paid = Fraction(vessel.ship.cloak or 0)
    if play.allows("decloak_refund") and play.paid_cloak(ship):
        play.emit(rule, e.PowerReturned(ship, paid), play.own(ship))


def raise_shields(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """Shields go up."""
    play.emit(41, e.ShieldsRaised(ship), _noticing(play, ship, "raise"))


def lower_shields(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """Shields go down."""
    play.emit(41, e.ShieldsLowered(ship), _noticing(play, ship, "lower"))


def communicate(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """A message is sent, or an opponent's are jammed."""
    jam, to = bool(action.get("jam")), str(action.get("to", ""))
    jammed = bool(action.get("jammed"))
    success = True
    if jammed:
        score = play.vessel(ship).crew.skill("communications")
        passed, roll = play.skill_roll(42, ship, "communications")
        success = passed and message_passes(play.charts, jammed, score, roll)
    play.emit(42, e.Communicated(ship, to, jam, success), _noticing(play, ship, "communicate"))


def transport(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """Something is beamed."""
    play.spend(43, ship, play.vessel(ship).ship.movement_ratio, "transporter")
    ends = "".join(f" {way} {action[way]}" for way in ("to", "from") if way in action)
    play.emit(43, e.Transported(ship, f"{action.get('what', '')}{ends}"), _noticing(play, ship, "transport"))


def _noticing(play: Play, ship: str, action: str) -> tuple[str, ...]:
    """A ship's own side, and those with a lock on it if the action is one they notice."""
    lockers = [locker.side for locker in play.state.lockers(ship)]
    return (*play.own(ship), *who_notices(play.charts, action, lockers))


def leave(play: Play, ship: str, how: str) -> None:
    """A ship surrenders or flees."""
    play.emit(13, e.LeftPlay(ship, how))
