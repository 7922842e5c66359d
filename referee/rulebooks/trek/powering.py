"""Section 6: what actions cost, how often they may be taken, who notices and who is responsible."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.facts import Declared, Findings, Use
from referee.rulebooks.trek.quantities import Action, Points, Power

NOTHING = Fraction(0)


def use_cost(act: Declared, use: Use) -> int:
    """Power one weapon takes: what is said for a beam, what arms it for another."""
    if use.weapon is None:
        return 0
    if use.weapon.kind in ("beam", "laser"):
        return use.power or 0
    if not use.half:
        return use.weapon.power_to_arm
    return half_power(act.charts, use.weapon.power_to_arm, act.rulebook.option("half_plasma_power"))


def half_power(charts: Charts, arm: int, rounding: str) -> int:
    """What arms plasma at half strength."""
    return arm if rounding == "full" else arm // 2 if rounding == "down" else -(-arm // 2)


def cost_of(act: Declared) -> Fraction:
    """What an action costs."""
    weapons = sum(use_cost(act, use) for use in act.uses)
    ship = act.ship
    return action_cost(act.charts, act.kind, ship.movement_ratio, ship.cloak or 0, weapons)


@resolves("trek-14", "Costs", on="power")
def action_cost(
    charts: Charts, action: Action, movement: Power, cloak: Points = 0, weapons: Points = 0
) -> Fraction:
    """A move and the transporter cost the Movement Point Ratio, fire the power of the weapons, the
    cloak what its device takes; the rest is free. A ratio of 4/1 is 4 points a move.

    Legal: a move at 3/1 costs 3. Illegal: 1. Fix: read the ratio as power points a move.
    """
    costs = {"movement": Fraction(movement), "weapons": Fraction(weapons), "cloak": Fraction(cloak)}
    return costs.get(charts.actions[action]["cost"], NOTHING)


@check("trek-15", "Once a round", on="action")
def once_a_round(act: Declared) -> Findings:
    """Reversing, changing warp, obtaining a lock, scanning, raising and lowering shields and
    communicating may each be done once a round. Moves and fire may be repeated while power lasts.

    Legal: two moves and one scan. Illegal: two scans. Fix: scan again next round.
    """
    terms = act.charts.actions[act.kind]
    once = terms["once_per_round"] or (
        act.kind == "transport" and not act.rulebook.allows("transporter_repeats")
    )
    if once and act.kind in act.vessel.done:
        yield act.tell.error(
            f"a second {act.kind} in one round", expected="1", found="2", fix="do it next round"
        )
    if act.rulebook.option("actions_a_round") == "one" and terms["cost"] != "none" and act.vessel.done:
        yield act.tell.error(
            "a second action in one round", expected="1", found=str(len(act.vessel.done) + 1)
        )


@resolves("trek-16", "Who notices", on="told")
def who_notices(charts: Charts, action: Action, lockers: Iterable[str]) -> list[str]:
    """An opponent with a lock on a ship notices when it raises or lowers shields, communicates, or
    uses the transporter; nobody else learns of it. Legal: the ship with the lock learns of raised
    shields. Illegal: it learns of a scan. Fix: report only these four.
    """
    return sorted(set(lockers)) if charts.actions[action]["noticed"] else []


@resolves("trek-17", "Officers", on="told")
def usual_officer(charts: Charts, action: Action) -> str:
    """The captain orders; each action has an officer who usually does it, and any other may.

    Legal: the science officer obtains a lock. Illegal: reading the table as the navigator's. Fix:
    any officer may act, this is only whose skill is asked for.
    """
    officer: str = charts.actions[action]["officer"]
    return officer
