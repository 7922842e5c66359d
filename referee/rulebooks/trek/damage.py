"""Section 8: where damage goes, and what it does to engines, hull and crew."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from referee.core.errors import BadInput
from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.facts import Declared, Findings
from referee.rulebooks.trek.parts import Part, engines_of, find_part, weapons_of
from referee.rulebooks.trek.quantities import (
    D10,
    In,
    Kind,
    OptionValue,
    Percent,
    Points,
    Power,
    Shield,
    Signed,
    Skill,
    Some,
    Span,
)
from referee.rulebooks.trek.ships import TrekShip
from referee.rulebooks.trek.shooting import halved

AIMS = ("shield_generator", "superstructure", "engineering", "sensors", "bridge")


@resolves("trek-55", "Location rolls", on="damage")
def location_groups(charts: Charts, kind: Kind, points: Points) -> list[int]:
    """A beam or missile rolls once where it strikes; plasma once for each five points that came
    through, the last group being the rest.

    Legal: 12 points of plasma make groups of 5, 5 and 2. Illegal: one roll for 12. Fix: split them.
    """
    step = charts.n("location_step")
    if kind != "plasma":
        return [points] if points else []
    return [min(step, points - start) for start in range(0, points, step)]


@resolves("trek-56", "Aimed shots", on="damage")
def aimed_skill(charts: Charts, skill: Skill, casualties: Percent = 0) -> int:
    """To strike a part of choice, one Weaponry roll at -25 for each bank; made, no table is rolled on.

    Legal: skill 60 needs 35. Illegal: needs 60. Fix: take 25 off.
    """
    return skill - charts.n("aimed_penalty") - casualties


@check("trek-56/part", "What an aimed shot may name", on="action")
def aim_named(act: Declared) -> Findings:
    """An aimed shot names a part the target has: an engine, superstructure, a weapon, sensors, bridge.

    Legal: the port warp engine. Illegal: the ship's cat. Fix: name a part of its sheet.
    """
    part = act.detail("aim")
    for name in sorted({use.at for use in act.uses}) if part else ():
        target = act.other(name)
        if target and find_part(part, known := aims_at(target.ship)) is None:
            # What a ship is built of is for those to know who hold a lock on it (trek-27).
            parts = ", ".join(sorted(aim.key for aim in known)) if act.vessel.lock == name else ""
            yield act.tell.error(f"{name} has no {part} to aim at", expected=parts)


def aims_at(ship: TrekShip) -> list[Part]:
    """What an aimed shot may name on a ship."""
    return [*(Part(aim, aim) for aim in AIMS), *engines_of(ship), *weapons_of(ship)]


@resolves("trek-57", "Engine hits", on="damage")
def engine_hit(charts: Charts, engine: Points, left: Power, points: Points) -> dict[str, str | int]:
    """An engine loses power by the damage, and this turn's remaining budget falls at once by as much.
    An engine goes no lower than nothing.

    Legal: 25 left of 30, a hit of 2: 23 left. Illegal: 25 left until the next turn. Fix: take it off now.
    """
    lost = min(engine, points)
    return {"engine": engine - lost, "lost": lost, "left": str(max(Fraction(0), Fraction(left) - lost))}


@resolves("trek-58", "Warp engine and superstructure", on="damage")
def split(charts: Charts, points: Points) -> list[int]:
    """Such a hit is divided evenly; the odd point goes to the engine.

    Legal: 7 is 4 and 3. Illegal: 3 and 4. Fix: the engine takes more.
    """
    return [points - points // 2, points // 2]


@resolves("trek-59", "Damage control", on="damage")
def after_damage_control(charts: Charts, points: Points, success: bool) -> int:
    """A Damage Control roll takes one point off each hit on superstructure.

    Legal: 3 becomes 2. Illegal: 0 becomes -1. Fix: no lower than nothing.
    """
    return max(0, points - charts.n("damage_control_saves")) if success else points


@resolves("trek-60", "Will it hold?", on="damage")
def collapse_modifier(charts: Charts, superstructure: Signed) -> int | None:
    """Each hit that leaves superstructure at zero or less calls for a Damage Control roll at -10 a
    point below zero; failed, the ship explodes. None: no roll.

    Legal: at -3 the roll is at -30. Illegal: no roll at exactly 0. Fix: roll at -0.
    """
    return superstructure * charts.n("below_zero_step") if superstructure <= 0 else None


@resolves("trek-61", "Explosions", on="damage")
def blast(charts: Charts, power: Points, distance: Points) -> int:
    """A ship at d hexes takes the exploding ship's engine power, halved d times and rounded up, on
    superstructure.

    Legal: power 10 at 3 hexes does 2. Illegal: 1. Fix: round up.
    """
    return -(-power // (1 << distance))


@resolves("trek-62", "Casualties", on="damage")
def casualties(
    charts: Charts,
    superstructure: Some,
    damage: Points,
    mult: Annotated[int, Span(0, 2)],
    half: bool = False,
    rule: Annotated[str, OptionValue("casualty_rule")] = "formula",
    halving: Annotated[str, OptionValue("half_casualties")] = "percent",
) -> int:
    """Each point of a hit, up to five, costs 100 over the original superstructure in percent, rounded
    down; twice that for 2C; half of it, rounded down, for (x1/2). No more than the whole crew is lost.

    Legal: superstructure 24, 7 points, 2C: 4 x 5 x 2 = 40. Illegal: 56. Fix: count at most five points.
    """
    points = halved(damage) if half and halving == "points" else damage
    percent = casualty_percent(charts, superstructure, rule) * min(points, charts.n("casualty_points")) * mult
    percent = halved(percent) if half and halving == "percent" else percent
    return min(percent, charts.n("percent_base"))


def casualty_percent(charts: Charts, superstructure: int, rule: str) -> int:
    """Percent of the crew a point of damage costs."""
    if rule == "formula":
        return charts.n("percent_base") // superstructure
    for row in charts.casualties:
        if row["from"] <= superstructure and (row["to"] is None or superstructure <= row["to"]):
            percent: int = row["percent_per_point"]
            return percent
    return 0


@resolves("trek-63", "Engineering", on="damage")
def grids_down(charts: Charts, die: D10) -> list[str]:
    """D10 says which power grids go down: without the shield grid nothing absorbs, without the
    weaponry grid nothing fires, without the maneuver grid nothing moves.

    Legal: a 7 takes shields and weaponry. Illegal: a 7 takes maneuver. Fix: read the row again.
    """
    return [
        grid for row in charts.engineering if row["die"][0] <= die <= row["die"][-1] for grid in row["down"]
    ]


@check("trek-63/down", "Grids that are down", on="action")
def grids_needed(act: Declared) -> Findings:
    """Without the weaponry grid no weapon fires, without the maneuver grid the ship does not move.

    Legal: fire with the maneuver grid down. Illegal: a move. Fix: repair the grid.
    """
    if act.kind == "move" and act.vessel.down("grid maneuver"):
        yield act.tell.error("moves with the maneuver power grid down", fix="repair the grid")
    wanted = act.rulebook.option("fire_needs")
    grids = ("weaponry", "shield") if wanted == "either" else (wanted,)
    if act.kind == "fire" and any(act.vessel.down(f"grid {grid}") for grid in grids):
        yield act.tell.error("fires with its power grid down", fix="repair the grid")


@resolves("trek-64", "Bridge", on="damage")
def bridge_hit(charts: Charts, points: Points, medical: bool) -> dict[str, int]:
    """Superstructure takes one point; casualties are twice the damage in percent, at most 20, halved by
    the medical officer's Damage Control roll. Then the System Shaken table is rolled on.

    Legal: a hit of 14 costs 20 percent, 10 after the roll. Illegal: 28. Fix: cap it at 20.
    """
    percent = min(charts.n("bridge_cap"), charts.n("bridge_percent") * points)
    return {
        "superstructure": charts.n("bridge_superstructure"),
        "casualties": halved(percent) if medical else percent,
    }


@check("trek-64/down", "Systems of the bridge that are out", on="action")
def systems_needed(act: Declared) -> Findings:
    """A system that was shaken does nothing until repaired: without the helm the ship does not move or
    change speed, without weapons it does not fire.

    Legal: fire with the helm out. Illegal: a move. Fix: repair the helm.
    """
    if act.kind in ("move", "reverse", "warp") and act.vessel.down("helm"):
        yield act.tell.error(f"{act.kind} with the helm out", fix="repair the helm")
    if act.kind == "fire" and act.vessel.down("weapons"):
        yield act.tell.error("fires with weapons control out", fix="repair weapons control")


@resolves("trek-65", "System shaken", on="damage")
def shaken(
    charts: Charts,
    rolls: Sequence[D10],
    points: Points,
    rerolls: Annotated[str, OptionValue("shaken_rerolls")] = "until",
) -> dict[str, int | dict[str, int]]:
    """D10 names the system; 7, 8 and 9 mean two, three or four rolls more, the damage divided by 2;
    10 is no effect. `more` is how many rolls are still to come.

    Legal: a 7, then 2 and 4: sensors and helm take half each. Illegal: the whole. Fix: halve it.
    """
    wanted, systems, divisor = 1, dict[str, int](), 1
    for count, roll in enumerate(rolls):
        row = next(row for row in charts.shaken if row["die"] == roll)
        wanted -= 1
        if wanted < 0:
            raise BadInput(
                f"System Shaken calls for {count} of these rolls, not {len(rolls)}", hint="leave out the rest"
            )
        if "reroll" not in row:
            if row["system"]:
                systems[row["system"]] = points // divisor
        elif not count:
            wanted, divisor = row["reroll"], row["divide_damage_by"]
        elif rerolls == "until":
            wanted += 1
    return {"more": wanted, "systems": systems}


@resolves("trek-66", "Banked weapons", on="damage")
def bank_hit(
    charts: Charts,
    bank: Annotated[int, Span(1, "bank_most")],
    damage: Some,
    roll: D10,
    table: Annotated[str, In("banks")] = "reconciled",
) -> int:
    """The target's captain picks a weapon of the kind that bears on the firer; of none, superstructure
    takes half. In a bank a D10 says how many weapons are hit; above the numbers, all. The table has banks
    of two and of three; a larger one that an owner's ship has is read as one of three.

    Legal: bank of 2, damage 8: a 6 hits one, a 7 both. Illegal: a 6 hits both. Fix: read 1-6.
    """
    if bank < 2:
        return bank
    column = "bank2" if bank == 2 else "bank3"
    for row in charts.banks[table]:
        first, last = row["damage"]
        if first <= damage and (last is None or damage <= last):
            return next((n for n, most in enumerate(row[column], 1) if roll <= most), bank)
    return bank


@check("trek-67", "Damaged weapons", on="action")
def weapon_works(act: Declared) -> Findings:
    """Damage to a weapon is recorded, and until repaired it does not fire.

    Legal: fire the other beam. Illegal: fire the damaged one. Fix: repair it.
    """
    for use in act.uses:
        if act.vessel.down(f"weapon {use.id}"):
            yield act.tell.error(f"{use.id} is damaged", fix="repair it")


@resolves("trek-68", "Shield generator", on="damage")
def generator_hit(charts: Charts, shield: Shield) -> str:
    """The generator of the shield that was struck is out: that shield absorbs nothing until repaired.

    Legal: struck through shield 3, shield 3 is out. Illegal: all six are. Fix: only the one.
    """
    return f"shield {shield}"


@check("trek-69", "Without sensors", on="action")
def sensors_needed(act: Declared) -> Findings:
    """Damaged sensors lose any lock; until repaired there is no lock, no scan, no warping out and no
    weapon fire at all.

    Legal: raise shields. Illegal: fire. Fix: repair the sensors.
    """
    if act.vessel.sensors_work():
        return
    blind = act.rulebook.allows("blind_fire")
    if act.kind in ("lock", "scan", "flee") or (act.kind == "fire" and not blind):
        yield act.tell.error(f"{act.kind} with the sensors out", fix="repair the sensors")
