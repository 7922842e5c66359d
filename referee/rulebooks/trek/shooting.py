"""Section 7: range, the shield struck, to hit, damage, and what a shield absorbs."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from referee.core.errors import BadInput
from referee.core.hexgrid import parse_position, true_range
from referee.rulebooks.base import resolves
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.geometry import shields_towards
from referee.rulebooks.trek.quantities import (
    D10,
    In,
    Kind,
    OptionValue,
    Percent,
    Points,
    Power,
    Ratio,
    Round,
    Signed,
    Within,
)
from referee.rulebooks.trek.sequence import casualty_penalty


def halved(amount: int, rounding: str = "down") -> int:
    """Half of a number, rounded down or up."""
    return amount // 2 if rounding == "down" else -(-amount // 2)


@resolves("trek-44", "Range", on="shot")
def range_between(charts: Charts, start: str, end: str) -> int:
    """Range is hexes along the shortest path, the target's hex counted and the own one not.

    Legal: from 0505 to 0501 is 4. Illegal: 5. Fix: do not count your own hex.
    """
    return true_range(parse_position(start)[0], parse_position(end)[0])


@resolves("trek-45", "The shield struck", on="shot")
def shield_struck(charts: Charts, target: str, firer: str) -> list[int]:
    """The line from centre to centre crosses the struck shield; on a corner the target's captain
    chooses between two.

    Legal: from dead ahead, shield 2. Illegal: shield 1. Fix: shield 1 is front left.
    """
    hex, facing = parse_position(target)
    if facing is None:
        raise BadInput(f"{target} has no facing", hint="write 0505A")
    return list(shields_towards(hex, facing, parse_position(firer)[0]))


@resolves("trek-46", "To hit", on="shot")
def hits(charts: Charts, needed: Signed, roll: D10) -> bool:
    """A D10 at or below the firing chart's number, after modifiers, hits.

    Legal: a 6 on a 6. Illegal: a 7. Fix: equal or lower hits.
    """
    return roll <= needed


@resolves("trek-47", "To-hit modifiers", on="shot")
def number_to_hit(
    charts: Charts,
    number: Points,
    weaponry: bool = False,
    casualties: Percent = 0,
    emergency: bool = False,
    cloaked: bool = False,
    moving: bool = False,
) -> int:
    """A Weaponry roll adds 1; each ten percent of casualties takes 1 off, an emergency heading change
    this round 2, a cloaked target 3 if it moves and 5 if not. They add up.

    Legal: 6, roll made, 25 percent, emergency: 6 + 1 - 2 - 2 = 3. Illegal: 4. Fix: take all of them.
    """
    cloak = charts.n("cloaked_moving_penalty" if moving else "cloaked_stationary_penalty") if cloaked else 0
    return (
        number
        + (charts.n("weaponry_bonus") if weaponry else 0)
        - casualty_penalty(charts, casualties, charts.n("table_die"))
        - (charts.n("emergency_penalty") if emergency else 0)
        - cloak
    )


@resolves("trek-48", "A hit on a cloaked ship", on="shot")
def lock_after_hit(charts: Charts, cloaked: bool, lock: str, firer: str) -> str:
    """A hit on a cloaked ship ends a lock it held on the ship that fired.

    Legal: its lock on the firer goes. Illegal: it stays. Fix: drop it; a lock on another stays.
    """
    return "" if cloaked and lock == firer else lock


@resolves("trek-49", "Damage", on="shot")
def shot_damage(
    charts: Charts,
    kind: Kind,
    range: Points,
    power: Points = 0,
    bonus: Points = 0,
    damage: Points = 0,
    table: Annotated[str, In("plasma")] = "",
    half: bool = False,
    rounding: Annotated[str, OptionValue("halving")] = "down",
) -> int:
    """A missile does its damage, a beam its power and the bonus for the range, plasma what its table
    gives for the range; at half strength half.

    Legal: power 4 with +2 does 6. Illegal: 4. Fix: add the bonus.
    """
    if kind in ("beam", "laser"):
        return power + bonus
    if kind == "missile":
        return damage
    if table not in charts.plasma:
        raise BadInput(f"no plasma table {table}", hint=f"name one: table={' or '.join(charts.plasma)}")
    row = charts.plasma[table]
    full = row[range - 1] if 1 <= range <= len(row) else 0
    return halved(full, rounding) if half else full


@resolves("trek-50", "Grazing hits", on="shot")
def grazed(
    charts: Charts, damage: Points, success: bool, rounding: Annotated[str, OptionValue("halving")] = "down"
) -> int:
    """Struck by a missile or plasma, the target's captain may roll Strategy/Tactics to halve the damage.

    Legal: 15 becomes 7. Illegal: 8 (unless halving=up). Fix: round down.
    """
    return halved(damage, rounding) if success else damage


@resolves("trek-51", "Absorption", on="shot")
def absorption(
    charts: Charts,
    damage: Points,
    wished: Points | None,
    left: Power,
    shield_power: Power,
    ratio: Ratio,
    cap: Annotated[str, OptionValue("shield_cap")] = "power",
    cost: Annotated[str, OptionValue("shield_cost")] = "exact",
) -> dict[str, str | int]:
    """A raised shield that works absorbs what the navigator chooses, up to the damage; each point costs
    the Shield Point Ratio, from the ship's power and from the shield's, and neither may run out.

    Legal: 10 points at 1/2 cost 5. Illegal: 10 points with 4 left. Fix: absorb 8.
    """
    spr, ship, shield = Fraction(ratio), Fraction(left), Fraction(shield_power)
    own = (ship if cost == "exact" else int(ship)) / spr
    shields = shield if cap == "points" else (shield if cost == "exact" else int(shield)) / spr
    limit = max(0, min(damage, int(own), int(shields)))
    absorbed = limit if wished is None else min(max(0, wished), limit)
    power = absorbed * spr
    power = Fraction(-(-power // 1)) if cost == "ceil" else power
    from_shield = Fraction(absorbed) if cap == "points" else power
    return {"limit": limit, "absorbed": absorbed, "power": str(power), "shield_power": str(from_shield)}


@resolves("trek-52", "Shields are restored", on="power")
def shield_reset(
    charts: Charts, maximum: Points, round: Round, span: Annotated[str, OptionValue("shield_reset")] = "round"
) -> int | None:
    """At each round's start every shield has its full power again; the ship's own only at the turn's.

    Legal: full in round 2. Illegal: still spent in round 2. Fix: restore it. None: as it was.
    """
    return maximum if span == "round" or round == 1 else None


@resolves("trek-54", "What comes through", on="shot")
def through(charts: Charts, damage: Points, absorbed: Annotated[Points, Within("damage")]) -> int:
    """What a shield does not absorb strikes the ship, if it is more than nothing.

    Legal: 10 less 4 is 6. Illegal: 10. Fix: take off what was absorbed.
    """
    return max(0, damage - absorbed)
