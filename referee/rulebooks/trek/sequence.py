"""Sections 1 to 5: map, dice, set-up, turns and rounds, action order, the power budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated

from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import OUTPOST_CHART, Charts
from referee.rulebooks.trek.facts import Declared, EndOfRound, Enrolled, Findings, RoundWritten, points
from referee.rulebooks.trek.powering import cost_of
from referee.rulebooks.trek.quantities import (
    D100,
    CrewDice,
    OneOf,
    OptionValue,
    Percent,
    Points,
    Power,
    Signed,
    Skill,
    Within,
)

TO_TEN = 10
"""A percentage on a D10 counts in tens."""


@check("trek-1", "One ship in a hex", on="standing")
def one_ship_per_hex(standing: EndOfRound) -> Findings:
    """Each ship has a hex of its own. The text states it as a fact, so that it is a warning by default.

    Legal: two ships in neighbouring hexes. Illegal (stacking=refuse): both in 0915.
    Fix: move one of them on, or play with stacking=allow.
    """
    wish = standing.rulebook.option("stacking")
    places: dict[str, list[str]] = {}
    for vessel in standing.state.vessels.values():
        if vessel.active:
            places.setdefault(str(vessel.hex), []).append(vessel.name)
    for hex, names in places.items():
        if len(names) > 1 and wish != "allow":
            tell = standing.tell.error if wish == "refuse" else standing.tell.warning
            yield tell(f"{' and '.join(names)} are in one hex, {hex}", found=hex)


@resolves("trek-2", "Skill roll", on="skill")
def skill_roll(
    charts: Charts, skill: Skill, roll: D100, modifier: Signed = 0, casualties: Percent = 0
) -> bool:
    """A skill roll is D100 at or below the skill, less penalties. Crews without characters use their
    efficiency for every skill but Strategy/Tactics, which is their captain's.

    Legal: skill 45, roll 45, success. Illegal: calling 46 a success. Fix: compare again.
    """
    return roll <= skill + modifier - casualties


@resolves("trek-3", "Casualty penalty", on="skill")
def casualty_penalty(charts: Charts, casualties: Percent, die: Annotated[int, OneOf((10, 100))]) -> int:
    """The casualties in percent are taken off a skill; on a D10 a tenth of them, rounded down.

    Legal: 37 percent cost 37 on a D100 and 3 on a D10. Illegal: 4 on the D10. Fix: round down.
    """
    return casualties if die == charts.n("skill_die") else casualties // TO_TEN


@resolves("trek-4", "Total power", on="power")
def total_power(charts: Charts, engines: Mapping[str, Points]) -> int:
    """A ship's power is that of its impulse engine and of each warp engine together.

    Legal: 8 + 16 + 16 = 40. Illegal: 24, one warp engine forgotten. Fix: add every engine.
    """
    return sum(engines.values())


@resolves("trek-5", "Crews without characters", on="setup")
def npc_crew(charts: Charts, captain: CrewDice, efficiency: CrewDice) -> tuple[int, int]:
    """The game master may roll for a crew: 45 + 3D10 for the captain, 25 + 3D10 for the efficiency.

    Legal: dice of 15 and 12 give 60 and 37. Illegal: 37 and 60. Fix: captain first.
    """
    return charts.n("captain_base") + captain, charts.n("efficiency_base") + efficiency


@check("trek-6", "The record of a ship", on="enrolled")
def record_complete(entered: Enrolled) -> Findings:
    """A ship's record names power, ratios, shields, charts and weapons, and every chart is at hand.

    Legal: a beam on a chart that is there. Illegal: a torpedo on chart Q, which nobody typed in.
    Fix: add the chart to your data folder. Charts the document lost are this project's own unless
    lost_charts=refuse.
    """
    charts, ship, tell = entered.charts, entered.vessel.ship, entered.tell
    refuse = entered.rulebook.option("lost_charts") == "refuse"
    if ship.missing:
        yield tell.unknown(f"not known of {ship.id}: {', '.join(ship.missing)}")
    for weapon in ship.weapons:
        wanted = [("firing", weapon.firing_chart, charts.to_hit)]
        wanted += [("plasma", weapon.damage_table, charts.plasma)] if weapon.kind == "plasma" else []
        for name, chart, known in wanted:
            if chart not in known and ship.missing:
                yield tell.unknown(f"{weapon.id}: no {name} chart {chart}; it cannot be fired without")
            elif chart not in known:
                yield tell.error(f"{weapon.id}: no {name} chart {chart}", fix="add it to the data folder")
            elif refuse and charts.is_homebrew(f"{name} {chart}"):
                yield tell.error(
                    f"{weapon.id}: {name} chart {chart} is homebrew",
                    found=f"{name} chart {chart}",
                    fix="add the owner's chart",
                )
        for arc in weapon.arcs:
            if arc not in charts.arcs:
                yield tell.error(f"{weapon.id}: no arc {arc}", expected=", ".join(charts.arcs))
    chart = charts.chart_for(ship.damage_chart)
    if refuse and chart != OUTPOST_CHART and charts.is_homebrew(f"location {chart}"):
        yield tell.error(
            f"damage chart {ship.damage_chart or 'of an unknown letter'} is homebrew",
            fix="add the owner's chart",
        )


@check("trek-6/needed", "Numbers that are needed and not known", on="action")
def numbers_needed(act: Declared) -> Findings:
    """Of a ship that is known in part an action is refused, by the number's name, if it needs one that
    is not known; every other is played.

    Legal: a ship without stress charts moves ahead. Illegal: it turns in an emergency. Fix: write the
    ship, with the number, into your data folder.
    """
    missing, ship = act.ship.missing, act.ship
    if not missing:
        return
    wanted = []
    if act.kind in ("move", "transport"):
        wanted.append("movement_point_ratio")
    if act.kind == "move" and act.detail("emergency"):
        wanted += ["engines", "engine_stress", "superstructure_stress"]
    if act.kind == "repair" and act.detail("repair") == "engines":
        wanted.append("engines")
    for name in wanted:
        if name in missing:
            yield act.tell.error(
                f"{name.replace('_', ' ')} of {ship.id} is not known", fix="write it into your data folder"
            )
    for use in act.uses:
        weapon = use.weapon
        if weapon and weapon.firing_chart not in act.charts.to_hit:
            yield act.tell.error(
                f"firing chart {weapon.firing_chart} of {use.id} is not known",
                fix="add it to the data folder",
            )
        if weapon and weapon.kind == "plasma" and weapon.damage_table not in act.charts.plasma:
            yield act.tell.error(
                f"plasma table {weapon.damage_table} of {use.id} is not known",
                fix="add it to the data folder",
            )
        if weapon and not weapon.arcs:
            yield act.tell.unknown(
                f"arcs of {use.id} are not known: whether it bears on {use.at} is not checked"
            )


@check("trek-7", "Three rounds, each ship once", on="sheet")
def rounds_and_actors(sheet: RoundWritten) -> Findings:
    """A turn has three rounds, and in each every ship acts once, in action order.

    Legal: both ships once in round 2. Illegal: a ship twice in a round, or in the order of action; a
    fourth round. Fix: write a ship's actions of a round together.
    """
    most = sheet.charts.n("rounds")
    if sheet.round > most:
        yield sheet.tell.error(f"round {sheet.round} of a turn", expected=f"≤ {most}", found=str(sheet.round))
    for name, times in Counter(sheet.names).items():
        if name not in sheet.known:
            yield sheet.tell.error(f"no ship {name} in this combat")
        elif times > 1:
            yield sheet.tell.error(f"{name} acts {times} times in one round", expected="1", found=str(times))
    for name, times in Counter(sheet.order).items():
        if times > 1:
            yield sheet.tell.error(
                f"{name} is {times} times in the order of action", expected="1", found=str(times)
            )


@resolves("trek-8", "Action order", on="order")
def action_order(
    charts: Charts, scores: Mapping[str, tuple[Skill, D100]], tie: Annotated[str, OptionValue("tie")] = "die"
) -> list[list[str]]:
    """Ships act by D100 + the captain's Strategy/Tactics, the highest first; of equal sums the higher
    unmodified score goes first. Those still equal stand together, for a die to part.

    Legal: 60 + 41 and 70 + 31 tie at 101; the die of 41 goes first. Illegal: the 70 first.
    Fix: compare the dice, or play tie=skill.
    """
    deciding = 1 if tie == "die" else 0
    ranks: dict[tuple[int, int], list[str]] = {}
    for name, (skill, die) in scores.items():
        ranks.setdefault((skill + die, (skill, die)[deciding]), []).append(name)
    return [ranks[rank] for rank in sorted(ranks, reverse=True)]


@resolves("trek-9", "Sides take turns", on="order")
def alternate(
    charts: Charts,
    sides: Sequence[Sequence[str]],
    uneven: Annotated[str, OptionValue("uneven_sides")] = "last",
) -> list[str]:
    """By sides, ships alternate: one of the first side, one of the other, and so on. Those left over
    of the larger side act last.

    Legal: A1 B1 A2. Illegal: A1 A2 B1. Fix: let the other side act in between.
    """
    longest = max((len(side) for side in sides), default=0)
    shortest = min((len(side) for side in sides), default=0)
    even = [side[n] for n in range(longest) for side in sides if n < len(side)]
    if uneven == "last":
        return even
    first = [name for side in sides for name in side[: len(side) - shortest]]
    rest = [side[len(side) - shortest :] for side in sides]
    return first + [side[n] for n in range(shortest) for side in rest]


@check("trek-10", "The power of a turn", on="action")
def power_budget(act: Declared) -> Findings:
    """What a turn's actions and shields use together is at most the engines' power at its start, less
    what was lost since. There is one pool, and nothing carries over.

    Legal: 6 points of fire with 6 left. Illegal: 7. Fix: fire with less, or move less.
    """
    cost = cost_of(act)
    if cost > act.vessel.left:
        yield act.tell.error(
            f"{act.kind} costs {points(cost)}, {points(act.vessel.left)} left this turn",
            expected=f"≤ {act.vessel.left}",
            found=str(cost),
            fix=f"spend {points(cost - act.vessel.left)} less",
        )


@resolves("trek-11", "Power that is kept", on="power")
def power_kept(
    charts: Charts, produced: Power, spent: Annotated[Power, Within("produced")], lost: Power = Fraction(0)
) -> Fraction:
    """Nothing has to be spent: what actions leave stays for the shields until the turn ends.

    Legal: 12 of 40 spent, 28 are there for the shields. Illegal: none, because no action took them.
    Fix: take off only what was spent or lost.
    """
    return max(Fraction(0), Fraction(produced) - Fraction(spent) - Fraction(lost))


@resolves("trek-12", "Power of a new turn", on="power")
def new_turn_power(
    charts: Charts, engines: Mapping[str, Points], out: bool = False, crippled: bool = False
) -> Fraction:
    """After the third round a ship's power is again what its engines make, after damage and repairs;
    a destroyed or crippled ship gets none.

    Legal: engines of 8, 12 and 16 give 36. Illegal: 40, as before the damage. Fix: add what is left.
    """
    return Fraction(0 if out or crippled else sum(engines.values()))


@check("trek-13", "Out of the combat", on="action")
def still_in_combat(act: Declared) -> Findings:
    """A combat ends by destruction, surrender or flight; who is out of it acts no more. Whether a
    chase follows is for the game master, and is a new combat.

    Legal: a ship acts. Illegal: a ship fires that surrendered last round. Fix: leave it out.
    """
    if act.vessel.out:
        yield act.tell.error(
            f"{act.vessel.name} has {act.vessel.out} and acts no more".replace(
                "has destroyed", "is destroyed"
            )
        )
    elif act.rulebook.option("full_casualties") == "out" and act.vessel.casualties >= act.charts.n(
        "percent_base"
    ):
        yield act.tell.error(f"{act.vessel.name} has no crew left to act")
