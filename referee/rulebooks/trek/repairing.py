"""Section 9: repairs, which cost no action and take effect with the next turn; and outposts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.facts import Declared, Findings
from referee.rulebooks.trek.parts import Part, find_part, named, systems_of, weapons_of
from referee.rulebooks.trek.quantities import D100, Filled, Percent, Points, Signed, Skill, Within
from referee.rulebooks.trek.ships import TrekShip

REPAIRS = ("engines", "superstructure", "weapons", "system", "casualties")


@check("trek-70", "Each repair once a turn", on="action")
def repair_once(act: Declared) -> Findings:
    """Each type of repair is tried once a turn. A success takes effect at the next turn's start, unless
    the same part is hit again before.

    Legal: engines and casualties in one turn. Illegal: engines twice. Fix: try again next turn.
    """
    what = act.detail("repair")
    if act.kind != "repair":
        return
    if what not in REPAIRS:
        yield act.tell.error(f"no repair {what}", expected=" or ".join(REPAIRS))
    elif what in act.vessel.repairs:
        yield act.tell.error(f"a second repair of {what} in a turn", expected="1", found="2")


@resolves("trek-71", "Rolls by five points", on="repair")
def rolls_needed(charts: Charts, hits: Annotated[Sequence[Points], Filled()], per_five: bool = True) -> int:
    """By option each five points of each hit on a part need a roll of their own.

    Legal: hits of 9 and 7 need 4 rolls. Illegal: 16 points need 4 as if one hit: 16 alone is 4, but
    9 and 6 is 4 too, not 3. Fix: count hit by hit.
    """
    step = charts.n("repair_step")
    return sum(-(-points // step) or 1 for points in hits) if per_five else 1


@resolves("trek-72", "Repairing engines", on="repair")
def engine_repair(
    charts: Charts,
    skill: Skill,
    roll: D100,
    power: Annotated[Points, Within("original")],
    original: Points,
    cap: bool = True,
) -> int:
    """An Astronautics roll gives a damaged engine one point of power; 05 or less gives two.

    Legal: skill 40, roll 30: one point. Illegal: two points on a 30. Fix: only 01 to 05 give two.
    """
    return _points(charts, skill, roll, original - power, cap)


@check("trek-72/engine", "An engine that is damaged", on="action")
def engine_named(act: Declared) -> Findings:
    """The engineer names an engine that is damaged.

    Legal: the port engine at 14 of 16. Illegal: one that is whole. Fix: name the damaged one.
    """
    if act.kind != "repair" or act.detail("repair") != "engines":
        return
    engine = engine_meant(act.ship, str(act.detail("engine")))
    if engine is None:
        yield act.tell.error(
            f"{act.vessel.name} has no engine {act.detail('engine')}", expected=" or ".join(act.ship.engines)
        )
    elif act.vessel.engines[engine] >= act.ship.engines[engine]:
        yield act.tell.error(f"engine {engine} is not damaged")


def engine_meant(ship: TrekShip, called: str) -> str | None:
    """The engine of a ship that a player means; None where none is meant, or several are."""
    parts = [Part(f"engine {name}", name) for name in ship.engines]
    part = find_part(called, parts)
    return part.name if part else None


@resolves("trek-73", "Repairing superstructure", on="repair")
def superstructure_repair(
    charts: Charts,
    skill: Skill,
    roll: D100,
    points: Annotated[Signed, Within("original")],
    original: Points,
    cap: bool = True,
) -> int:
    """A Damage Control roll repairs one point of superstructure; 05 or less repairs two; never above the
    original.

    Legal: 19 of 20, roll 04: one point. Illegal: two. Fix: stop at 20.
    """
    return _points(charts, skill, roll, original - points, cap)


def _points(charts: Charts, skill: int, roll: int, missing: int, cap: bool) -> int:
    if roll > skill:
        return 0
    special = roll <= charts.n("special_success")
    won = charts.n("repair_special") if special else charts.n("repair_points")
    return min(won, max(0, missing)) if cap else won


@resolves("trek-74", "Repairing a weapon", on="repair")
def weapon_repair(charts: Charts, skill: Skill, roll: D100) -> bool:
    """A Weaponry Technology roll repairs one damaged weapon.

    Legal: skill 40, roll 40. Illegal: roll 41. Fix: try next turn.
    """
    return roll <= skill


@check("trek-74/weapon", "A weapon that is damaged", on="action")
def weapon_named(act: Declared) -> Findings:
    """The helmsman names a weapon that is damaged.

    Legal: the damaged torpedo. Illegal: one that works. Fix: name the damaged one.
    """
    if act.kind == "repair" and act.detail("repair") == "weapons":
        part = find_part(str(act.detail("weapon")), weapons := weapons_of(act.ship))
        if part is None:
            reason = f"{act.vessel.name} has no weapon {act.detail('weapon')}"
            yield act.tell.error(reason, expected=named(weapons))
        elif not act.vessel.down(part.key):
            yield act.tell.error(f"{part.name} is not damaged")


@resolves("trek-75", "Repairing a combat system", on="repair")
def system_skill(charts: Charts, system: str) -> str | None:
    """One system of bridge, shield generators, sensors or power grids is repaired by a roll of the skill
    that fits: Deflector Shield Technology for shields, Astronautics for the rest. None: no such system.

    Legal: shield 3 by Deflector Shield Technology. Illegal: by Astronautics. Fix: use the fitting skill.
    """
    skill: str | None = charts.repairs["systems"].get(system.partition(" ")[0])
    return skill


@check("trek-75/system", "A system that is out", on="action")
def system_named(act: Declared) -> Findings:
    """The officer names a system that is out of action.

    Legal: sensors that were hit. Illegal: sensors that work. Fix: name the broken one.
    """
    if act.kind == "repair" and act.detail("repair") == "system":
        part = find_part(str(act.detail("system")), systems := systems_of(act.charts))
        if part is None:
            reason = f"{act.vessel.name} has no system {act.detail('system')}"
            yield act.tell.error(reason, expected=named(systems))
        elif system_skill(act.charts, part.key) is None or not act.vessel.down(part.key):
            yield act.tell.error(f"{part.name} is not out of action")


@resolves("trek-76", "Tending casualties", on="repair")
def casualties_after(charts: Charts, percent: Percent, success: bool) -> int:
    """A Damage Control roll by the medical officer brings five percent of the crew back.

    Legal: 37 becomes 32. Illegal: 3 becomes -2. Fix: no lower than nothing.
    """
    return max(0, percent - charts.n("repair_casualties")) if success else percent


@check("trek-77", "Outposts stay where they are", on="action")
def outposts_stay(act: Declared) -> Findings:
    """A defence outpost turns in place, and has its own damage table; it does not move.

    Legal: right. Illegal: ahead. Fix: turn only.
    """
    if not act.ship.outpost:
        return
    move = act.charts.moves.get(str(act.detail("way"))) if act.kind == "move" else None
    if move and move.hexes:
        yield act.tell.error(f"an outpost goes {act.detail('way')}", fix="it may turn left or right")
    if act.kind in ("reverse", "flee") or act.detail("emergency"):
        yield act.tell.error(f"an outpost cannot {act.kind}")
