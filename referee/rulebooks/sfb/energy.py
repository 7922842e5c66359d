"""Energy allocation, line by line (B3.0): power made, batteries, sums, movement, options."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import NOTHING, POWER_LINES, WARP_ENGINES, EnergyTurn, points

Findings = Iterator[Finding | NotChecked]
MADE_BY = {"warp": "warp engine", "impulse": "impulse engine", "apr": "reactor"}


def _power_figures(turn: EnergyTurn, source: str) -> tuple[str, ...] | None:
    """The numbers of the SSD a power line rests on; None where the SSD's are not known."""
    if source == "warp" and "figures/warp_total" in turn.ship.sources:
        return ("figures/warp_total",)
    boxes = WARP_ENGINES if source == "warp" else (source,)
    known = tuple(f"boxes/{box}" for box in boxes if f"boxes/{box}" in turn.ship.sources)
    return None if turn.unknown_boxes(source) else known


def _power_made(turn: EnergyTurn, source: str) -> Findings:
    line = POWER_LINES[source]
    stated, most, least = turn.stated(line), Fraction(turn.most(source)), turn.least(source)
    name = MADE_BY[source]
    lean = _power_figures(turn, source)
    if lean is None:
        yield turn.unknown(f"the {name} boxes of {turn.ship.name} are not known")
        return
    if stated is None:
        if most:
            yield turn.note(
                f"line {line} is blank; taken as the {show(most)} {name} boxes the ship has",
                line,
                leans_on=lean,
            )
        return
    if stated > most:
        yield turn.error(
            f"{show(stated)} from {name} boxes, of which {show(most)} are left",
            line,
            expected=f"≤ {show(most)}",
            found=show(stated),
            fix=f"write {show(most)} on line {line}",
            leans_on=lean,
        )
    elif least is not None and stated < least:
        yield turn.error(
            f"{show(stated)} from {name} boxes, of which {least} are left",
            line,
            expected=show(Fraction(least)) if least == most else f"{least} to {show(most)}",
            found=show(stated),
            fix=f"count the undestroyed {name} boxes again: at least {least}",
            leans_on=lean,
        )
    elif least is None and stated < most:
        yield turn.note(
            f"{show(stated)} of {show(most)} {name} boxes: the others are taken as destroyed",
            line,
            leans_on=lean,
        )
    elif least is not None and stated > least and turn.last:
        yield turn.note(
            f"line {line} has {show(stated)}, the SSD now shows {least}: right if the others were lost since",
            line,
        )
    before = turn.before.seen.get(source)
    if before is not None and before < min(stated, most):
        yield turn.undecided(
            f"{show(stated)} from {name} boxes, {show(before)} a turn ago: destroyed boxes do not come back",
            line,
            expected=f"≤ {show(before)}",
            found=show(stated),
            fix="one of the two turns is miscounted; compare both with the SSD",
        )


@check("B3.0-1", "Warp power", on="allocation")
def warp_power(turn: EnergyTurn) -> Findings:
    """Line 1 counts the undestroyed warp engine boxes, one point each.

    Legal: a cruiser with 16 live warp boxes writes 16. Illegal: it writes 17.
    Mend: count the boxes on the SSD that are not marked. Without a known state a lower figure is
    taken as damage and bounds the spending.
    """
    yield from _power_made(turn, "warp")


@check("B3.0-2", "Impulse power", on="allocation")
def impulse_power(turn: EnergyTurn) -> Findings:
    """Line 2 counts the undestroyed impulse engine boxes, one point each.

    Legal: two live boxes, 2 written. Illegal: two live boxes, 3 written. Mend: count again.
    """
    yield from _power_made(turn, "impulse")


@check("B3.0-3", "Reactor power", on="allocation")
def reactor_power(turn: EnergyTurn) -> Findings:
    """Line 3 counts the undestroyed auxiliary reactor (APR) boxes, one point each.

    Legal: a Romulan of the old series, without reactors, writes 0. Illegal: it writes 2.
    Mend: count again.
    """
    yield from _power_made(turn, "apr")


@check("B3.0-4", "Total power", on="allocation")
def total_power(turn: EnergyTurn) -> Findings:
    """Line 4 is lines 1, 2 and 3 together; batteries are not in it.

    Legal: 16 + 2 + 2 = 20. Illegal: 22 written because two batteries were added. Mend: add again.
    """
    stated = turn.stated("4")
    parts = [turn.stated(line) for line in POWER_LINES.values()]
    if stated is None or all(part is None for part in parts):
        return
    total = sum(
        (
            turn.power(source) if part is None else part
            for source, part in zip(POWER_LINES, parts, strict=True)
        ),
        NOTHING,
    )
    if stated != total:
        yield turn.error(
            f"total power {show(stated)}, but lines 1 to 3 make {show(total)}",
            "4",
            expected=show(total),
            found=show(stated),
            fix=f"write {show(total)} on line 4",
        )


@check("B3.0-5", "Batteries available", on="allocation")
def batteries_available(turn: EnergyTurn) -> Findings:
    """Line 5 is the number of charged batteries: all at the start; then those of the turn before,
    less the discharged, plus the recharged, never more than are undestroyed.

    Batteries destroyed are taken from the empty ones first, so destruction lowers line 5 only when
    no empty battery was left; a lower figure without a known state is taken as that.
    Legal: 2 used on turn 1, 0 on turn 2. Illegal: 2 used, none recharged, 2 again on turn 2.
    Mend: line 5 of last turn - lines 6 and 21 + line 16.
    """
    stated = turn.stated("5")
    if stated is None:
        return
    most, carried = Fraction(turn.most("battery")), turn.before.batteries
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
        least = turn.least("battery")
        if least is not None and least >= carried[0]:
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
            f"{show(stated)} batteries discharged of {show(charged)} charged",
            "6",
            expected=f"≤ {show(charged)}",
            found=show(stated),
            fix="discharge no more than line 5 holds",
        )
        return
    shown = stated or turn.form.amount("21")
    if any(turn.unknown_boxes(source) and turn.stated(line) is None for source, line in POWER_LINES.items()):
        yield turn.unknown(f"the power {turn.ship.name} makes is not known")
    elif turn.excess <= charged and shown < turn.excess:
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
    held = turn.batteries + turn.form.amount("16")
    if used > held:
        yield turn.error(
            f"{points(used)} of batteries used in the turn, of which there were {show(held)}",
            "21",
            expected=f"≤ {show(held)}",
            found=show(used),
            fix=f"no more than {show(held)} can have been used",
        )
    elif used and turn.form.amount("6") + used > held and used < turn.form.amount("6"):
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
    if turn.unknown_boxes("battery"):
        if amount:
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


@check("B3.0-20", "Power spent against power made", on="allocation")
def power_spent(turn: EnergyTurn) -> Findings:
    """Lines 7 to 19 together spend no more than line 4 and the charged batteries of line 5.

    Legal: 20 power and 2 batteries, 22 spent. Illegal: 23 spent. Mend: cut what is too much.
    """
    batteries = turn.batteries
    if turn.rulebook.allows("recharge_same_turn"):
        batteries += turn.form.amount("16")
    there = turn.total_power + batteries
    blank = [
        line
        for source, line in POWER_LINES.items()
        if turn.unknown_boxes(source) and turn.stated(line) is None
    ]
    if blank or (turn.unknown_boxes("battery") and turn.stated("5") is None and turn.spent > there):
        yield turn.unknown(f"the power and batteries of {turn.ship.name} are not known")
    elif turn.spent > there:
        yield turn.error(
            f"{points(turn.spent)} spent, {show(there)} available",
            "20",
            "14",
            expected=f"≤ {show(there)} (power {show(turn.total_power)}, batteries {show(batteries)})",
            found=show(turn.spent),
            fix=f"cut {points(turn.spent - there)} on lines 7 to 19",
            leans_on=("boxes/battery",),
        )


@check("B3.0-20/sum", "Total power used", on="allocation")
def total_used(turn: EnergyTurn) -> Findings:
    """Line 20 is the sum of lines 7 to 19.

    Lines this game does not use may be counted in or left out.
    Legal: 3 + 4 + 8 = 15. Illegal: 14 written. Mend: add again.
    """
    stated = turn.stated("20")
    all_lines = turn.spent + sum((entry.amount for entry in turn.uncounted.values()), NOTHING)
    if stated is not None and stated not in (turn.spent, all_lines):
        yield turn.error(
            f"total used {show(stated)}, but lines 7 to 19 add up to {show(turn.spent)}",
            "20",
            expected=show(turn.spent),
            found=show(stated),
            fix=f"write {show(turn.spent)} on line 20",
        )


@check("B3.0/unused", "Lines this game does not use", on="allocation")
def unused_lines(turn: EnergyTurn) -> Findings:
    """A figure on a line the game does not use, or that an option turns on, is not counted.

    Legal: a cadet form without life support. To note: a cadet form that pays 1 for life support.
    Mend: leave it blank, or turn the option on.
    """
    for line, entry in turn.uncounted.items():
        lines = turn.rulebook.descriptor["form"]["lines"]
        number = line.partition(":")[0]
        use = lines.get(line, lines.get(number, {}))
        option = use.get("counts", "").removeprefix("option:") if ":" in use.get("counts", "") else ""
        yield turn.note(
            f"line {number} ({use.get('name', 'unnamed')}) is not used in this game; its {show(entry.amount)} "
            "is not counted",
            line,
            found=show(entry.amount),
            fix=f"turn it on with --option {option}=true" if option else "leave it blank",
        )


@check("B3.0-14", "Movement energy", on="allocation")
def movement_energy(turn: EnergyTurn) -> Findings:
    """Movement is paid by warp engines, at the ship's move cost a hex, and by at most one impulse
    point, which is one hex for any ship. Reactors and batteries never move a ship.

    Legal: speed 8 from 8 warp, or 7 warp and 1 impulse. Illegal: 16 warp boxes, speed 18.
    Mend: slow down, or arm fewer photons.
    """
    paid, way = turn.form.amount("14"), turn.movement
    warp = turn.power("warp")
    impulse = min(Fraction(1), turn.power("impulse")) if paid >= 1 else NOTHING
    blank = [
        source
        for source in ("warp", "impulse")
        if turn.unknown_boxes(source) and turn.stated(POWER_LINES[source]) is None
    ]
    if paid and blank:
        yield turn.unknown(f"the {' and '.join(blank)} engines of {turn.ship.name} are not known")
        return
    if paid > warp + impulse:
        yield turn.error(
            f"{points(paid)} of movement, but warp gives {show(warp)} and impulse at most {show(impulse)}",
            "14",
            expected=f"≤ {show(warp + impulse)}",
            found=show(paid),
            fix=f"move no faster than speed {show(warp / turn.ship.move_cost + impulse)}",
            leans_on=("figures/move_cost",),
        )
    if "figures/move_cost" in turn.ship.missing:
        if paid and turn.stated("speed") is not None:
            yield turn.unknown(f"what a hex costs {turn.ship.name} is not known")
        return
    if way.speed.denominator != 1 and paid <= warp + impulse:
        yield turn.warning(
            f"{points(paid)} of movement is {show(way.speed)} hexes: a part of a hex is not moved",
            "14",
            fix="write a figure that makes whole hexes",
            leans_on=("figures/move_cost",),
        )
    stated = turn.stated("speed")
    if stated is not None and stated != way.speed:
        yield turn.error(
            f"speed {show(stated)} stated, but line 14 pays for {show(way.speed)}",
            "speed",
            expected=show(way.speed),
            found=show(stated),
            fix="make the speed and line 14 agree",
            leans_on=("figures/move_cost",),
        )


@check("C1.4/speed", "Greatest speed", on="allocation")
def greatest_speed(turn: EnergyTurn) -> Findings:
    """No ship moves faster than the impulse chart calls: 8, 16 or 31 hexes a turn of 8, 16 or 32 impulses.

    Legal: speed 16 on 16 impulses. Illegal: speed 17. Mend: slow down.
    """
    impulses = turn.rulebook.option("impulses")
    limit = turn.rulebook.table("movement")["max_speed"][impulses]["value"]
    if turn.slowest > limit and turn.form.amount("14") <= turn.power("warp") + 1:
        yield turn.error(
            f"speed {show(turn.slowest)} on a chart of {impulses} impulses",
            "14",
            expected=f"≤ {limit}",
            found=show(turn.slowest),
            fix=f"move no faster than {limit}",
        )
