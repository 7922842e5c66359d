"""Batteries: charged, discharged, recharged (B3.0 lines 5, 6, 16 and 21)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.core.naming import how_many
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import NOTHING, POWER_LINES, EnergyTurn, points
from referee.rulebooks.sfb.arming import figure

Findings = Iterator[Finding | NotChecked]


@check("B3.0-5", "Batteries available", on="allocation")
def batteries_available(turn: EnergyTurn) -> Findings:
    """Line 5 is the number of charged batteries: all at the start; then those of the turn before,
    less the discharged, plus the recharged, never more than are undestroyed.

    Batteries destroyed are taken from the empty ones first, so destruction lowers line 5 only when
    no empty battery was left; a lower figure without a known state is taken as that, and so is one lower by no more
    boxes than were destroyed since, for they may have gone while all were charged.
    Legal: 2 used on turn 1, 0 on turn 2. Illegal: 2 used, none recharged, 2 again on turn 2.
    Mend: line 5 of last turn - lines 6 and 21 + line 16.
    """
    stated = turn.stated("5")
    if stated is None:
        return
    most, carried = figure(turn.most("battery")), turn.before.batteries
    if turn.unknown_boxes("battery"):
        yield turn.unknown(f"the batteries of {turn.ship.name} are not known")
    elif stated > most:
        yield turn.error(
            f"{show(stated)} charged batteries, but the ship has {show(most)}",
            "5",
            expected=f"≤ {show(most)}",
            found=show(stated),
            fix=f"write {show(min(most, carried[0]))} on line 5",
            leans_on=("boxes/battery",),
        )
    elif not turn.before.fresh:
        yield turn.unknown("the turn before is not on the form, so its batteries are not known")
    elif stated > max(carried):
        yield turn.error(
            f"{show(stated)} charged batteries, but {show(carried[0])} were carried into the turn",
            "5",
            expected=show(carried[0]),
            found=show(stated),
            fix=f"write {show(carried[0])}, or recharge on line 16 a turn earlier",
        )
    elif stated < min(carried):
        least, had = turn.least("battery"), turn.before.battery_boxes
        gone = max(had - least, NOTHING) if had is not None and least is not None else NOTHING
        if least is not None and least >= carried[0] and stated < min(carried) - gone:
            yield turn.error(
                f"{show(stated)} charged batteries, but {show(carried[0])} were carried and none was lost",
                "5",
                expected=show(carried[0]),
                found=show(stated),
                fix=f"write {show(carried[0])}",
            )
        else:
            yield turn.note(
                f"{show(stated)} charged batteries of {show(carried[0])} carried: the others are taken as destroyed",
                "5",
            )


@check("B3.0-6", "Batteries discharged in allocation", on="allocation")
def batteries_discharged(turn: EnergyTurn) -> Findings:
    """Line 6 is what batteries give to this allocation: at most line 5, and at least what is spent
    beyond line 4. A form that keeps one battery record, line 21, may show it there.

    Legal: power 20, 22 spent, 2 on line 6. Illegal: power 20, 22 spent, line 6 blank.
    Mend: write the excess over line 4 on line 6.
    """
    stated, charged = turn.form.amount("6"), turn.batteries
    if turn.rulebook.allows("recharge_same_turn"):
        charged += turn.form.amount("16")
    if stated > charged:
        yield turn.error(
            f"{how_many(show(stated), 'battery', 'batteries')} discharged of {show(charged)} charged",
            "6",
            expected=f"≤ {show(charged)}",
            found=show(stated),
            fix="discharge no more than line 5 holds",
        )
        return
    shown = stated or turn.form.amount("21")
    if any(turn.unknown_boxes(source) and turn.stated(line) is None for source, line in POWER_LINES.items()):
        yield turn.unknown(f"the power {turn.ship.name} makes is not known")
    elif shown < turn.excess and turn.excess <= charged:
        yield turn.error(
            f"{points(turn.excess)} more than line 4 spent, {show(shown)} from batteries declared",
            "6",
            "21",
            "20",
            expected=show(turn.excess),
            found=show(shown),
            fix=f"write {show(turn.excess)} on line 6",
        )
    elif stated > turn.excess:
        yield turn.note(
            f"{points(stated)} of batteries discharged where {show(turn.excess)} is needed",
            "6",
        )


@check("B3.0-21", "Batteries discharged in the turn", on="allocation")
def batteries_used_in_turn(turn: EnergyTurn) -> Findings:
    """Line 21 records what batteries gave in the turn: no more than were charged, those recharged on
    line 16 included, less what the allocation took.

    A printed form counts line 6 in it again; either reading is taken.
    Legal: 2 recharged on line 16 of which 1 is used in the turn. Illegal: 3 used of 2.
    Mend: use no more than is there.
    """
    used = turn.form.amount("21")
    if not used:
        return
    held = turn.batteries + turn.form.amount("16")
    if used > held:
        yield turn.error(
            f"{points(used)} of batteries used in the turn, of which there were {show(held)}",
            "21",
            expected=f"≤ {show(held)}",
            found=show(used),
            fix=f"no more than {show(held)} can have been used",
        )
    elif turn.form.amount("6") + used > held and used < turn.form.amount("6"):
        yield turn.error(
            f"{show(turn.form.amount('6'))} discharged in allocation and {show(used)} in the turn, of {show(held)}",
            "21",
            expected=f"≤ {show(held - turn.form.amount('6'))}",
            found=show(used),
            fix="no battery gives twice",
        )


@check("B3.0-16", "Recharging batteries", on="allocation")
def batteries_recharged(turn: EnergyTurn) -> Findings:
    """Line 16 fills batteries that are empty: no more than the undestroyed ones not counted on line 5.

    What is charged now may be used in the turn; it pays for lines of the same allocation only with
    option `recharge_same_turn`.
    Legal: 2 batteries, 0 charged, 2 recharged. Illegal: 2 batteries, 2 charged, 1 recharged.
    Mend: recharge only what is empty.
    """
    amount = turn.form.amount("16")
    if not amount:
        return
    if turn.unknown_boxes("battery"):
        yield turn.unknown(f"the batteries of {turn.ship.name} are not known")
        return
    empty = max(NOTHING, turn.most("battery") - turn.batteries)
    if turn.rulebook.allows("recharge_same_turn"):
        empty += turn.form.amount("6")
    if amount > empty:
        yield turn.error(
            f"{points(amount)} to recharge batteries, of which {show(empty)} are empty",
            "16",
            expected=f"≤ {show(empty)}",
            found=show(amount),
            fix=f"write {show(empty)} on line 16",
            leans_on=("boxes/battery",),
        )
