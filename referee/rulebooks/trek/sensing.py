"""Sections 6.2 and 6.3: locks, scans, cloaks and the secret search for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from referee.core.hexgrid import parse_position
from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.facts import Declared, Findings
from referee.rulebooks.trek.geometry import shadow
from referee.rulebooks.trek.parts import find_part, named, parts_of
from referee.rulebooks.trek.quantities import D10, D100, OptionValue, Points, Skill

QUESTIONS = ("engines", "superstructure", "casualties", "ratios", "status")


@check("trek-23", "Sensor shadow", on="action")
def lock_in_shadow(act: Declared) -> Findings:
    """No lock is obtained on a ship when the line from centre to centre passes through an obstacle.

    Legal: a lock past an asteroid that lies beside the line. Illegal: through it. Along its very edge
    the text does not say. Fix: move until the line is clear.
    """
    if act.kind != "lock":
        return
    target, name = act.other(act.detail("on")), act.detail("on")
    there = target.hex if target else None
    if act.detail("object") and act.detail("at"):
        try:
            there, _ = parse_position(str(act.detail("at")))
        except ValueError as error:
            yield act.tell.error(str(error), fix=f"lock object {name} at 0915")
    elif act.detail("object") and act.state.obstacles:
        yield act.tell.unknown(f"where {name} is, and so whether it is in sensor shadow, is not given")
    if there is None or (target and target.cloaked):
        return
    seen = shadow(act.vessel.hex, there, act.state.obstacles)
    if seen == "shadow":
        yield act.tell.error(f"{name} is in sensor shadow", fix="move until nothing lies between")
    elif seen == "edge":
        yield act.tell.undecided(f"the line to {name} runs along the edge of an obstacle")


@resolves("trek-24", "One lock", on="lock")
def one_lock(charts: Charts, held: str, taken: str) -> str:
    """A ship holds one lock at most; to take another it gives the first up.

    Legal: Shade's lock goes when Lancer's is taken. Illegal: both are held. Fix: drop the old one.
    """
    return taken or held


@resolves("trek-25", "Lock on a ship in the open", on="lock")
def obtain_lock(charts: Charts, skill: Skill, roll: D100) -> bool:
    """A Sensors roll gives a lock on a ship that is not cloaked, for as long as nothing breaks it.

    Legal: skill 40, roll 33. Illegal: a lock on a roll of 41. Fix: try again next round.
    """
    return roll <= skill


@check("trek-25/target", "Whom a lock is on", on="action")
def lock_target(act: Declared) -> Findings:
    """A lock is on another ship that is in the combat, or on an object of which the game master tells.

    Legal: a lock on an enemy, or on an object, such as a wreck. Illegal: on oneself, or on a ship that is
    gone. Fix: name another.
    """
    if act.kind != "lock":
        return
    name = act.detail("on")
    if act.detail("object"):
        if name in act.state.vessels:
            yield act.tell.error(f"{name} is a ship, no object", fix=f"lock {name}")
    elif name == act.vessel.name or act.other(name) is None:
        yield act.tell.error(
            f"no lock on {name}: not another ship of this combat",
            expected=" or ".join(ship for ship in act.state.vessels if ship != act.vessel.name),
            fix=f"of something that is no ship: lock object {name}",
        )


@resolves("trek-26", "Search for a cloaked ship", on="lock")
def cloak_found(
    charts: Charts,
    range: Points,
    moving: bool,
    lock: bool,
    roll: D10,
    bonus: bool = False,
    reading: Annotated[str, OptionValue("detection_bonus")] = "raises",
) -> bool:
    """The target's captain rolls D10 in secret against the cloak table, by range, movement and whether
    a lock is held. A Sensors roll gives +1. A failure and a wrong arc are answered alike.

    Legal: stationary at 12 without a lock: a 2 finds it, and a 3 with the +1. Illegal: a plain 3.
    Fix: raise the number by the bonus, not the die.
    """
    needed = detection_number(charts, range, moving, lock)
    added = charts.n("detection_bonus") if bonus else 0
    if needed is None:
        return False
    return roll <= needed + added if reading == "raises" else roll + added <= needed


def detection_number(charts: Charts, range: int, moving: bool, lock: bool) -> int | None:
    """The number of the cloak table; None where the table ends."""
    movement, column = ("moving" if moving else "stationary"), ("lock" if lock else "no_lock")
    for row in charts.cloak_detection:
        first, last = row["range"]
        if first <= range <= last:
            number: int = row[movement][column]
            return number
    return None


@check("trek-26/arc", "The arc that is searched", on="action")
def arc_named(act: Declared) -> Findings:
    """To search for a cloaked ship the science officer names one shield of the own ship.

    Legal: arc 3. Illegal: no arc, or arc 7. Fix: say which shield's arc is searched.
    """
    target = act.other(act.detail("on")) if act.kind == "lock" else None
    if target and target.cloaked and act.detail("arc") not in range(1, 7):
        yield act.tell.error(
            f"{target.name} is cloaked: no arc named", expected="1 to 6", found=str(act.detail("arc"))
        )


@resolves("trek-27", "What a lock tells", on="told")
def disclosed(charts: Charts, facts: Mapping[str, str], raised: bool) -> list[str]:
    """A lock tells at once the class or displacement, race, class name, whether the target locks on
    you, and life forms if its shields are down.

    Legal: life forms of a ship with shields down. Illegal: with shields up. Fix: leave them out.
    """
    return [name for name in facts if name != "life forms" or not raised]


@resolves("trek-28", "Where a cloaked ship is", on="told")
def who_knows(charts: Charts, own: str, lockers: Iterable[str], cloaked: bool = True) -> list[str]:
    """A lock on a cloaked ship tells where it is, and the locker may pass it on to its side; that
    alone lets no other ship fire.

    Legal: the locker's side knows. Illegal: a third side does. Fix: tell only the locker's side.
    """
    return sorted({own, *lockers}) if cloaked else []


@resolves("trek-29", "Keeping a lock on a cloaked ship", on="lock")
def lock_kept(
    charts: Charts,
    range: Points,
    moving: bool,
    roll: D10,
    bonus: bool = False,
    reading: Annotated[str, OptionValue("detection_bonus")] = "raises",
) -> bool:
    """At each turn's start a lock on a cloaked ship is rolled again, on the Lock column, +1 on a
    Sensors roll; a failure breaks it.

    Legal: moving at 5, an 8 keeps it. Illegal: a 9 keeps it. Fix: obtain it again.
    """
    return cloak_found(charts, range, moving, True, roll, bonus, reading)


@check("trek-30", "Scans", on="action")
def scan_needs_lock(act: Declared) -> Findings:
    """With a lock, a scan answers one question: engine power, superstructure, casualties while shields
    are down, the two ratios, or the state of one weapon, shield or system.

    Legal: superstructure, with a lock. Illegal: without one; casualties behind raised shields; the state of
    a part the ship has not. Fix: obtain a lock first, ask another question, name a part of its sheet.
    """
    if act.kind != "scan":
        return
    target, question = act.other(act.vessel.lock), act.detail("ask")
    if act.vessel.lock and act.vessel.lock not in act.state.vessels:
        yield act.tell.undecided(f"what a scan of {act.vessel.lock} tells: the game master decides")
        return
    if target is None:
        yield act.tell.error("scans without a sensor lock", fix="obtain a lock first")
        return
    if question not in QUESTIONS:
        yield act.tell.undecided(
            f"question {question}: the game master decides", expected=" or ".join(QUESTIONS)
        )
    if question == "casualties" and target.raised:
        yield act.tell.error(f"casualties of {target.name} behind raised shields", fix="ask another question")
    known = parts_of(act.charts, target.ship)
    if question == "status" and not act.detail("of"):
        yield act.tell.error(
            "status of what?", expected=named(known), fix="name a weapon, a shield or a system"
        )
    elif question == "status" and find_part(act.detail("of"), known) is None:
        yield act.tell.error(
            f"{target.name} has no part {act.detail('of')}", expected=named(known), fix="name one of them"
        )


@check("trek-31", "Cloaking", on="action")
def may_cloak(act: Declared) -> Findings:
    """A ship with a device may cloak when it has the power for it. The cost leaves the grid, locks on
    the ship end, its counter comes off the map and its moves are secret.

    Legal: 14 left for a device of 14. Illegal: no device, or 13 left. Fix: cloak before firing.
    """
    if act.kind != "cloak":
        return
    if act.ship.cloak is None:
        yield act.tell.error(f"{act.ship.name} has no cloaking device")
    elif act.vessel.cloaked:
        yield act.tell.error(f"{act.vessel.name} is cloaked already")
    elif act.vessel.left < act.ship.cloak:
        yield act.tell.error(
            "too little power for the cloak", expected=f"≥ {act.ship.cloak}", found=str(act.vessel.left)
        )


@resolves("trek-32", "Too little power for the cloak", on="power")
def device_starved(charts: Charts, engine_power: Points, device: Points) -> bool:
    """When engine damage leaves less power than the device takes, the ship decloaks by itself.

    Legal: engines of 13 for a device of 14: it decloaks. Illegal: it stays hidden. Fix: put it on the map.
    """
    return engine_power < device


@check("trek-33", "Decloaking, and acting under a cloak", on="action")
def cloak_and_act(act: Declared) -> Findings:
    """Decloaking brings the counter back and gives the power back. While cloaked a ship does not fire,
    scan or transport (the usual reading; cloaked_fire=true allows it).

    Legal: decloak, then fire. Illegal: fire under the cloak; decloak in the open. Fix: decloak first.
    """
    if act.kind == "decloak" and not act.vessel.cloaked:
        yield act.tell.error(f"{act.vessel.name} is not cloaked")
    hidden = act.vessel.cloaked and not act.rulebook.allows("cloaked_fire")
    if hidden and act.kind in ("fire", "transport", "scan"):
        yield act.tell.error(f"{act.kind} while cloaked", fix="decloak first")
