"""Batteries: charged, discharged, recharged (B3.0 lines 5, 6, 16 and 21)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from referee.core.bought_energy import BatteryOrder
from referee.core.energy import either, left_over
from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook, check
from referee.rulebooks.sfb.allocation import NOTHING, EnergyTurn, points
from referee.rulebooks.sfb.arming import figure
from referee.rulebooks.sfb.overspent import within

Findings = Iterator[Finding | NotChecked]


@check("B3.0-5", "Batteries available", on="allocation")
def batteries_available(turn: EnergyTurn) -> Findings:
    """Line 5, Batteries Available, is the number of charged batteries: all at the start; then those of the
    turn before, less the discharged, plus the recharged, never more than are undestroyed.

    Destroyed batteries are taken from the empty ones first, so destruction lowers line 5 only when no
    empty battery is left. A lower figure is taken as such a loss where the ship's state is not known,
    and where no more is missing than boxes destroyed since: they may have been lost while all were
    charged.
    Legal: 2 used on turn 1, 0 on turn 2. Illegal: 2 used, none recharged, 2 again on turn 2.
    Fix: line 5 of last turn - lines 6 and 21 + line 16, Recharge Batteries.
    """
    stated = turn.stated("5")
    if stated is None:
        return
    most, carried = figure(turn.most("battery")), turn.before.batteries
    if turn.unknown_boxes("battery"):
        yield turn.unknown(f"the batteries of {turn.ship.name} are not known")
    elif stated > most:
        yield turn.error(
            f"{_charged(stated)}, but the ship has {show(most)}",
            "5",
            expected=f"≤ {show(most)}",
            found=show(stated),
            fix=turn.write(min(most, carried[0]), "5"),
            leans_on=("boxes/battery",),
        )
    elif not turn.before.fresh:
        yield turn.unknown("the turn before is not on the form, so its batteries are not known")
    else:
        turn.carried("batteries")
        if turn.before.righted and min(turn.before.righted) <= stated <= max(turn.before.righted):
            return
        readings = [_not_carried(turn, stated, charged) for charged in carried]
        against = [found for found in readings if found and found.severity is Severity.ERROR]
        if against and len(against) < len(readings):
            yield turn.undecided(
                f"{_charged(stated)}, {either(carried)} carried into the turn: "
                f"{turn.rulebook.lines.named('21')} of turn {turn.before.turn} may be what batteries gave after the allocation, or the turn's total",
                "5",
                expected=either(carried),
                found=show(stated),
                fix=turn.which_total,
            )
        elif readings[0] and all(readings):
            yield readings[0]


def _charged(batteries: Fraction) -> str:
    return how_many(show(batteries), "charged battery", "charged batteries")


def _not_carried(turn: EnergyTurn, stated: Fraction, carried: Fraction) -> Finding | None:
    """What is odd about line 5 where so many batteries were carried into the turn."""
    if stated > carried:
        recharge = (
            f", or recharge {show(stated - carried)} more on {turn.rulebook.lines.named('16')} a turn earlier"
        )
        return turn.error(
            f"{_charged(stated)}, but {how_many(show(carried), 'was', 'were')} carried into the turn",
            "5",
            expected=show(carried),
            found=show(stated),
            fix=turn.write(carried, "5") + (recharge if stated - carried <= turn.before.spare else ""),
        )
    if stated == carried:
        return None
    least, had = turn.least("battery"), turn.before.battery_boxes
    gone = max(had - least, NOTHING) if had is not None and least is not None else NOTHING
    if least is not None and least >= carried and stated < carried - gone:
        return turn.error(
            f"{_charged(stated)}, but {how_many(show(carried), 'was', 'were')} carried and none was lost",
            "5",
            expected=show(carried),
            found=show(stated),
            fix=turn.write(carried, "5"),
        )
    return turn.note(f"{_charged(stated)} of {show(carried)} carried: the others are taken as destroyed", "5")


@check("B3.0-6", "Batteries discharged in allocation", on="allocation")
def batteries_discharged(turn: EnergyTurn) -> Findings:
    """Line 6, Batteries Discharged, is what batteries give to this allocation: at most line 5, Batteries
    Available, and at least what is spent beyond line 4, Total Power. A form that keeps one battery record,
    line 21, Batteries Used In Turn, may show it there.

    Legal: power 20, 22 spent, 2 on line 6. Illegal: power 20, 22 spent, line 6 blank.
    Fix: write the excess over line 4 on line 6.
    """
    stated, charged = turn.form.amount("6"), turn.charged
    if stated > charged:
        yield turn.error(
            f"{how_many(show(stated), 'battery', 'batteries')} discharged of {show(charged)} charged",
            "6",
            expected=f"≤ {show(charged)}",
            found=show(stated),
            fix=turn.discharge(min(charged, within(turn).needed)),
        )
        return
    if turn.power_unknown:
        yield turn.unknown(f"the power {turn.ship.name} makes is not known")
        return
    shown, excess, right = stated or turn.form.amount("21"), turn.excess, within(turn)
    needed = right.needed
    # Other fixes tell of it.
    if stated < excess <= charged and (right.too_fast or needed in (NOTHING, turn.discharged)):
        return
    more = f"{points(excess)} more spent than {turn.line('4')} gives"
    more += f", {show(needed)} once the turn is put right" if 0 < needed < excess else ""
    fix = turn.discharge(needed or excess)
    if not stated and shown >= excess > 0 and not turn.one_record:
        yield turn.undecided(
            f"{more}, nothing on {turn.line('6')} and {show(shown)} on {turn.line('21')}: right if that is the turn's "
            "total, wrong if batteries gave it after the allocation",
            "6",
            expected=show(excess),
            fix=fix,
        )
    elif shown < excess <= charged:
        yield turn.error(
            f"{more}, and {show(shown)} of battery power written down",
            "6",
            "21",
            "20",
            expected=show(excess),
            found=show(shown),
            fix=fix,
        )
    elif stated > (needed := min(needed, excess)):
        yield turn.note(
            f"{points(stated)} of batteries discharged where {show(needed)} is needed"
            + (" once the turn is put right" if needed < excess else ""),
            "6",
            # What recharges in the same turn needs it.
            fix=turn.discharge(needed) if turn.charged == turn.begun else "",
        )


@check("B3.0-21", "Batteries discharged in the turn", on="allocation")
def batteries_used_in_turn(turn: EnergyTurn) -> Findings:
    """Line 21, Batteries Used In Turn, records what batteries gave in the turn: no more than were charged,
    those recharged on line 16, Recharge Batteries, included, less what the allocation took.

    On a printed form it is the turn's total, line 6, Batteries Discharged, included. Where a form does
    not show which it is, and only one of the two is legal, that is undecided.
    Legal: 2 recharged on line 16 of which 1 is used in the turn. Illegal: 3 used of 2.
    Fix: use no more than is there.
    """
    used = turn.form.amount("21")
    if not used:
        return
    held = turn.batteries + turn.form.amount("16")
    in_allocation = turn.form.amount("6")
    if used > held:
        given = NOTHING if turn.one_record else within(turn).needed
        yield turn.error(
            f"{points(used)} of batteries used in the turn, of which there {'was' if held == 1 else 'were'} {show(held)}",
            "21",
            expected=f"≤ {show(held)}",
            found=show(used),
            fix=turn.write(left_over(held, given), "21"),
        )
        return
    if in_allocation + used > held and used >= in_allocation > 0:
        yield turn.undecided(
            f"{show(in_allocation)} discharged in allocation and {show(used)} on {turn.rulebook.lines.named('21')}, of "
            f"{show(held)}: right if that is the turn's total, wrong if batteries gave it after the allocation",
            "21",
            expected=f"≤ {show(held - in_allocation)} after the allocation",
            found=show(used),
            fix=turn.which_total,
        )
    elif in_allocation + used > held and in_allocation:
        yield turn.error(
            f"{show(turn.form.amount('6'))} discharged in allocation and {show(used)} in the turn, of {show(held)}",
            "21",
            expected=f"≤ {show(held - turn.form.amount('6'))}",
            found=show(used),
            fix=f"{turn.write(held - in_allocation, '21')}: no battery gives twice",
        )


@check("B3.0-16", "Recharging batteries", on="allocation")
def batteries_recharged(turn: EnergyTurn) -> Findings:
    """Line 16, Recharge Batteries, fills batteries that are empty: no more than the undestroyed ones not
    counted on line 5, Batteries Available.

    What is charged now may be used in the turn; it pays for lines of the same allocation only with
    option `recharge_same_turn`.
    Legal: 2 batteries, 0 charged, 2 recharged. Illegal: 2 batteries, 2 charged, 1 recharged.
    Fix: recharge only what is empty.
    """
    amount = turn.form.amount("16")
    if not amount:
        return
    if turn.unknown_boxes("battery"):
        yield turn.unknown(f"the batteries of {turn.ship.name} are not known")
        return
    if amount > (empty := turn.empty):
        may = within(turn).figures.get("16", empty)
        yield turn.error(
            f"{points(amount)} to recharge batteries, of which {how_many(show(empty), 'is', 'are')} empty",
            "16",
            expected=f"≤ {show(empty)}",
            found=show(amount),
            fix=turn.with_sum(turn.write(may, "16"), {"16": may}),
            leans_on=("boxes/battery",),
        )


@frozen
class BatteriesOrdered:
    """Points of charged batteries ordered in the turn (`battery 1 for PH-1A`), with the rulebook that judges it."""

    rulebook: Rulebook
    order: BatteryOrder


def batteries_ordered(
    rulebook: Rulebook, order: BatteryOrder | None = None, **parts: Any
) -> BatteriesOrdered:
    """The facts of an order for batteries, or of the `parts` of one."""
    if order is None:
        for name in {"points", "takes", "left"} & set(parts):
            parts[name] = Fraction(parts[name])
        order = BatteryOrder(**parts)
    return BatteriesOrdered(rulebook, order)


@check("B3.0-21/ordered", "Batteries used in the turn, by order", on="battery order")
def batteries_by_order(ordered: BatteriesOrdered) -> Findings:
    """Charged batteries give power during the turn, a point each, to fire phasers whose capacitor is empty:
    no more than are charged when allocation has taken its share, those recharged on line 16, Recharge
    Batteries, included.

    Legal: 2 recharged, `battery 1 for PH-1A`. Illegal: `battery 3 for PH-1A` of a ship with 2 charged.
    Undecided: for a weapon that is no phaser: the sources tell of phasers alone. Fix: use what is charged.
    """
    order = ordered.order
    most = order.boxes if order.left is None else order.left

    def found(severity: Severity, message: str, expected: str = "", fix: str = "") -> Finding:
        ordered_points = show(order.points) if expected else ""
        return Finding(
            "",
            severity,
            message,
            order.ship,
            order.turn,
            order.impulse,
            expected=expected,
            found=ordered_points,
            fix=fix,
        )

    if order.others:
        reason = f"batteries for {', '.join(order.others)}: the sources let batteries feed phasers in the turn, and say nothing of other weapons"
        yield found(Severity.UNDECIDED, reason, fix="the umpire decides")
    if most is not None and order.points > most:
        there = show(figure(most)) if order.left is None else f"{show(figure(most))} charged"
        yield found(
            Severity.ERROR,
            f"{points(order.points)} of batteries used in the turn, of which there were {there}",
            f"≤ {show(figure(most))}",
            "use no more than is charged",
        )
        return
    if order.left is None:
        yield NotChecked("", "how many batteries are charged is not known: no energy form", order.ship)
    if order.weapons and not order.others and order.points > order.takes:
        reason = f"{points(order.points)} of batteries for {', '.join(order.weapons)}, which take {show(order.takes)}"
        yield found(Severity.WARNING, reason, f"≤ {show(order.takes)}", "the rest is lost with the turn")
