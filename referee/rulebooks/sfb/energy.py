"""Energy allocation, line by line (B3.0): power made, batteries, sums, movement, options."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.core.energy import energy_total
from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.core.naming import how_many
from referee.rulebooks.base import check
from referee.rulebooks.sfb.acceleration import fastest_after, greatest_speed, slower
from referee.rulebooks.sfb.allocation import POWER_LINES, WARP_ENGINES, EnergyTurn, points, spends
from referee.rulebooks.sfb.overspent import settled, speed_righted, within

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
    stated, most, least = turn.stated(line), turn.most(source), turn.least(source)
    name = MADE_BY[source]
    lean = _power_figures(turn, source)
    if lean is None:
        yield turn.unknown(f"the {name} boxes of {turn.ship.name} are not known")
        return
    if stated is not None and stated.denominator != 1:
        yield turn.error(
            f"{show(stated)} from {name} boxes: a box is whole or gone",
            line,
            expected="a whole number",
            found=show(stated),
            fix=f"count the undestroyed {name} boxes",
        )
        return
    if stated is None:
        if most:
            yield turn.note(
                f"{turn.rulebook.lines.named(line)} is blank; taken as the {most} {name} boxes the ship has",
                line,
                leans_on=lean,
            )
        return
    if stated > most:
        yield turn.error(
            f"{show(stated)} from {name} boxes, of which {how_many(most, 'is', 'are')} left",
            line,
            expected=f"≤ {most}",
            found=show(stated),
            fix=turn.with_total(turn.write(Fraction(most), line)),
            leans_on=lean,
        )
    elif least is None:
        if stated < most:
            yield turn.note(
                f"{show(stated)} of {most} {name} boxes: the others are taken as destroyed",
                line,
                leans_on=lean,
            )
    elif stated < least:
        yield turn.error(
            f"{show(stated)} from {name} boxes, of which {how_many(least, 'is', 'are')} left",
            line,
            expected=str(least) if least == most else f"{least} to {most}",
            found=show(stated),
            fix=turn.with_total(
                f"{turn.write(Fraction(least), line)}: count the undestroyed {name} boxes again"
            ),
            leans_on=lean,
        )
    elif stated > least and turn.last:
        yield turn.note(
            f"{turn.rulebook.lines.named(line)} has {show(stated)}, the SSD now shows {least}: right if the others were lost since",
            line,
        )
    before = turn.before.seen.get(source)
    if before is not None and before < stated and before < most:
        yield turn.undecided(
            f"{show(stated)} from {name} boxes, {show(before)} a turn ago: destroyed boxes do not come back",
            line,
            expected=f"≤ {show(before)}",
            found=show(stated),
            fix="one of the two turns is miscounted; compare both with the SSD",
        )


@check("B3.0-1", "Warp power", on="allocation")
def warp_power(turn: EnergyTurn) -> Findings:
    """Line 1, Warp Engines, counts the undestroyed warp engine boxes, one point each.

    Legal: a cruiser with 16 live warp boxes writes 16. Illegal: it writes 17.
    Fix: count the boxes on the SSD that are not marked. Without a known state a lower figure is
    taken as damage and bounds the spending.
    """
    yield from _power_made(turn, "warp")


@check("B3.0-2", "Impulse power", on="allocation")
def impulse_power(turn: EnergyTurn) -> Findings:
    """Line 2, Impulse Power, counts the undestroyed impulse engine boxes, one point each.

    Legal: two live boxes, 2 written. Illegal: two live boxes, 3 written. Fix: count again.
    """
    yield from _power_made(turn, "impulse")


@check("B3.0-3", "Reactor power", on="allocation")
def reactor_power(turn: EnergyTurn) -> Findings:
    """Line 3, Reactor Power, counts the undestroyed auxiliary reactor (APR) boxes, one point each.

    Legal: a Romulan of the old series, without reactors, writes 0. Illegal: it writes 2.
    Fix: count again.
    """
    yield from _power_made(turn, "apr")


@check("B3.0-4", "Total power", on="allocation")
def total_power(turn: EnergyTurn) -> Findings:
    """Line 4, Total Power, is lines 1, 2 and 3 together; batteries are not in it.

    Legal: 16 + 2 + 2 = 20. Illegal: 22 written because two batteries were added. Fix: add again.
    """
    stated = turn.stated("4")
    parts = [turn.stated(line) for line in POWER_LINES.values()]
    if stated is None:
        return
    if all(part is None for part in parts):
        yield from _total_alone(turn, stated)
        return
    total = energy_total(
        turn.power(source) if part is None else part for source, part in zip(POWER_LINES, parts, strict=True)
    )
    right = energy_total(map(turn.right_power, POWER_LINES))
    if stated not in (total, right):  # What lines 1 to 3 have wrong is told of them.
        yield turn.error(
            f"total power {show(stated)}, but lines 1 to 3 make {show(total)}",
            "4",
            expected=show(total),
            found=show(stated),
            fix=turn.write(right, "4"),
        )


def _total_alone(turn: EnergyTurn, stated: Fraction) -> Findings:
    most = energy_total(turn.power(source) for source in POWER_LINES)
    if any(turn.unknown_boxes(source) for source in POWER_LINES):
        yield turn.unknown(f"the power boxes of {turn.ship.name} are not all known")
    elif stated > most:
        yield turn.error(
            f"total power {show(stated)}, but the ship has boxes for {show(most)}",
            "4",
            expected=f"≤ {show(most)}",
            found=show(stated),
            fix="fill in lines 1 to 3 and add them",
        )
    elif stated < most:
        yield turn.note(
            f"total power {show(stated)} of {show(most)}, lines 1 to 3 blank: the rest is taken as destroyed",
            "4",
        )


@check("B3.0-20", "Power spent against power made", on="allocation")
def power_spent(turn: EnergyTurn) -> Findings:
    """Lines 7 to 19 together spend no more than line 4, Total Power, and the charged batteries of line 5,
    Batteries Available.

    Legal: 20 power and 2 batteries, 22 spent. Illegal: 23 spent. Fix: cut what is too much.
    """
    batteries = turn.charged
    there = turn.total_power + batteries
    if turn.power_unknown or (
        turn.unknown_boxes("battery") and turn.stated("5") is None and turn.spent_at_least > there
    ):
        yield turn.unknown(f"the power and batteries of {turn.ship.name} are not known")
    elif turn.spent_at_least > there:
        as_written = within(turn, {})
        if as_written.too_fast and not as_written.short:  # That it is too fast is told.
            return
        # What could not be read only adds to it.
        spent = turn.spent_at_least
        yield turn.error(
            f"{points(spent)} spent, {show(there)} available{' with batteries' if batteries else ''}: over by {show(spent - there)}",
            "20",
            "14",
            expected=f"≤ {show(there)} (power {show(turn.total_power)}, batteries {show(batteries)})",
            found=show(spent),
            fix=settled(turn),
            leans_on=("boxes/battery",),
        )
    elif not turn.power_is_read:
        yield turn.unknown("the power or the batteries of the turn could not be read")
    else:
        turn.spent  # noqa: B018 - not known where a line could not be read


@check("B3.0-20/sum", "Total power used", on="allocation")
def total_used(turn: EnergyTurn) -> Findings:
    """Line 20, Total Power Used, is the sum of lines 7 to 19.

    Lines this game does not use may be counted in or left out. What the phaser capacitor held and the phasers that
    fired do not count: their rows are not spending.
    Legal: 3 + 4 + 8 = 15. Illegal: 14 written. Fix: add again.
    """
    stated = turn.stated("20")
    if stated is None or stated == turn.spent:
        return
    for line in turn.form.unread:
        if spends(line):
            turn.stated(line)  # a line this game does not use may be counted in
    all_lines = turn.spent + energy_total(entry.amount for entry in turn.uncounted.values())
    if stated not in (all_lines, within(turn).spent):
        yield turn.error(
            f"total used {show(stated)}, but lines 7 to 19 add up to {show(turn.spent)}",
            "20",
            expected=show(turn.spent),
            found=show(stated),
            fix=turn.sum_written(show(turn.spent)),
        )


@check("B3.0/unused", "Lines this game does not use", on="allocation")
def unused_lines(turn: EnergyTurn) -> Findings:
    """A figure on a line the game does not use, or that an option turns on, is not counted.

    Legal: a cadet form without life support. To note: a cadet form that pays 1 for life support.
    Fix: leave it blank, or turn the option on.
    """
    for line, entry in turn.uncounted.items():
        lines = turn.rulebook.descriptor["form"]["lines"]
        number = line.partition(":")[0]
        use = lines.get(line, lines.get(number, {}))
        option = use.get("counts", "").partition(":")[2]
        yield turn.note(
            f"{turn.rulebook.lines.named(line)} is not used in this game; its {show(entry.amount)} is not counted",
            line,
            found=show(entry.amount),
            fix=f"turn it on with --option {option}=true" if option else turn.with_sum("leave it blank", {}),
        )


@check("B3.0-14", "Movement energy", on="allocation")
def movement_energy(turn: EnergyTurn) -> Findings:
    """Movement is paid by warp engines, at the ship's move cost a hex, and by at most one impulse
    point, which is one hex for any ship. Reactors and batteries never move a ship.

    Legal: speed 8 from 8 warp, or 7 warp and 1 impulse. Illegal: 16 warp boxes, speed 18.
    Fix: slow down, or arm fewer photons.
    """
    if turn.hexes is not None:
        hexes, cost = turn.hexes.amount, turn.ship.move_cost
        cost_known = "figures/move_cost" not in turn.ship.missing
        yield turn.undecided(
            f"{show(hexes)} hexes on {turn.rulebook.lines.named('14')}, where a hex costs {show(cost) if cost_known else 'an unknown amount'}: hexes or "
            "points?",
            "14",
            found=f"{show(hexes)} hexes",
            fix=f"write the points: {show(hexes * cost)} for {show(hexes)} hexes"
            if cost_known
            else "write the points",
        )
        return
    paid, way = turn.form.amount("14"), turn.movement
    warp = turn.power("warp")
    impulse = turn.impulse_hex(paid)
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
            fix=settled(turn),
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
            fix=turn.with_sum(turn.write(turn.whole_hexes, "14"), {"14": turn.whole_hexes}),
            leans_on=("figures/move_cost",),
        )
    stated = turn.stated("speed")
    if stated is not None and stated not in (way.speed, speed_righted(turn)):
        yield turn.error(
            f"speed {show(stated)} stated, but {turn.line('14')} pays for {show(way.speed)}",
            "speed",
            expected=show(way.speed),
            found=show(stated),
            fix=f"make the speed and {turn.line('14')} agree",
            leans_on=("figures/move_cost",),
        )


@check("C1.4/speed", "Greatest speed", on="allocation")
def within_the_chart(turn: EnergyTurn) -> Findings:
    """No ship moves faster than the impulse chart calls: 8, 16 or 31 hexes a turn of 8, 16 or 32 impulses.

    Legal: speed 16 on 16 impulses. Illegal: speed 17. Fix: slow down.
    """
    impulses = turn.rulebook.option("impulses")
    limit = greatest_speed(turn.rulebook, "ship")
    if turn.slowest > limit and turn.form.amount("14") <= turn.power("warp") + 1:
        yield turn.error(
            f"speed {show(turn.slowest)} on a chart of {impulses} impulses",
            "14",
            expected=f"≤ {limit}",
            found=show(turn.slowest),
            fix=settled(turn),
        )


def accelerated(turn: EnergyTurn) -> Findings:
    """What is against the speed of a turn after that of the turn before."""
    before, speed = turn.before.speed, turn.slowest
    if before is None:
        turn.carried("speed")
        yield turn.unknown(
            "the speed of the turn before is not known; give it with --option previous_speed=N"
        )
        return
    limit = fastest_after(turn.rulebook, before)
    if speed > limit:
        yield turn.error(
            f"speed {show(speed)} after {show(before)}",
            "14",
            expected=f"≤ {show(limit)}",
            found=show(speed),
            fix=slower(turn.rulebook, before, settled(turn)),
        )
