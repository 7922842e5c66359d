"""Energy allocation, line by line (B3.0): power made, batteries, sums, movement, options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from referee.core.energy import energy_total, left_over
from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import check
from referee.rulebooks.sfb.acceleration import fastest_after, greatest_speed, slower
from referee.rulebooks.sfb.allocation import (
    NOTHING,
    POWER_LINES,
    UNBOUNDED,
    WARP_ENGINES,
    EnergyTurn,
    points,
    spends,
)
from referee.rulebooks.sfb.arming import figure

Findings = Iterator[Finding | NotChecked]
FREEST = ("12", "13", "9", "16", "14", "10", "15", "17", "18", "19", "11", "8")
"""The lines that points are cut on, those first of which a part is given up freely."""
WHOLE = ("8", "10", "11", "19:cloak")
"""Lines of which a part buys nothing."""
IN_PAIRS = ("12", "15")
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
            f"{show(stated)} from {name} boxes, of which {most} are left",
            line,
            expected=f"≤ {most}",
            found=show(stated),
            fix=turn.write(Fraction(most), line),
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
            f"{show(stated)} from {name} boxes, of which {least} are left",
            line,
            expected=str(least) if least == most else f"{least} to {most}",
            found=show(stated),
            fix=f"{turn.write(Fraction(least), line)}: count the undestroyed {name} boxes again",
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
    if stated != total:
        yield turn.error(
            f"total power {show(stated)}, but lines 1 to 3 make {show(total)}",
            "4",
            expected=show(total),
            found=show(stated),
            fix=turn.write(total, "4"),
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
        # What could not be read only adds to it.
        spent = turn.spent_at_least
        yield turn.error(
            f"{points(spent)} spent, {show(there)} available: over by {show(spent - there)}",
            "20",
            "14",
            expected=f"≤ {show(there)} (power {show(turn.total_power)}, batteries {show(batteries)})",
            found=show(spent),
            fix=turn.with_sum(settled(turn)),
            leans_on=("boxes/battery",),
        )
    elif not turn.power_is_read:
        yield turn.unknown("the power or the batteries of the turn could not be read")
    else:
        turn.spent  # noqa: B018 - not known where a line could not be read


class Within(NamedTuple):
    """What brings a turn within its energy: the figures of the lines that change, the hexes it then moves, whether it
    moved too fast, the points that it is short of beside that, and those that batteries give."""

    figures: dict[str, Fraction]
    hexes: Fraction
    too_fast: bool
    short: Fraction
    needed: Fraction


def within(turn: EnergyTurn, more: Fraction = NOTHING, arming: Fraction = NOTHING) -> Within:
    """How a turn comes within its energy that takes `more` points, some for `arming` photons."""
    moved = turn.read("14") or NOTHING
    warp, figures = left_over(turn.warp_for_movement, arming), {}
    hexes, paid = _fastest(turn, warp)
    too_fast = bool(moved) and (turn.slowest > hexes or moved > warp + turn.impulse_hex(moved))
    if too_fast:
        figures["14"] = paid
    spent = turn.spent_at_least + more - moved + figures.get("14", moved)
    if turn.power_unknown:
        return Within(figures, hexes, too_fast, NOTHING, NOTHING)
    there = turn.total_power + turn.charged
    short = rest = left_over(spent, there)

    def freest(line: str) -> tuple[int, bool, Fraction]:
        number = line.partition(":")[0]
        return FREEST.index(number), turn.uses[line].amount < short, turn.uses[line].amount

    for line in sorted((line for line in turn.uses if line.partition(":")[0] in FREEST), key=freest):
        paid = figures.get(line, turn.uses[line].amount)
        left = left_over(paid, rest)
        if not rest or not paid:
            continue
        if line == "14":
            hexes, left = _fastest(turn, warp, left)
        elif line == "9":
            held = turn.before.capacitor if (stated := turn.read("9:held")) is None else stated
            left = max(min(paid, turn.read("9:fired") or NOTHING), min(left, left_over(turn.capacity, held)))
        elif line.startswith(WHOLE):
            left = NOTHING
        elif line != "16":
            left -= left % (2 if line in IN_PAIRS else 1)
        rest = left_over(rest, paid - left)
        short -= paid - left if line == "14" and too_fast else NOTHING
        if left != paid:
            figures[line] = left
    return Within(figures, hexes, too_fast, short, left_over(min(spent, there), turn.total_power))


def settled(turn: EnergyTurn, more: Fraction = NOTHING, arming: Fraction = NOTHING) -> str:
    """The same in words: less speed, fewer points, batteries. Nothing where the turn is within its energy."""
    figures, hexes, too_fast, short, needed = within(turn, more, arming)
    steps = []
    if "14" in figures and turn.read("speed") is not None:
        figures["speed"] = hexes
    if too_fast:
        steps.append(f"move no faster than {show(hexes)}: {turn.write(figures.pop('14'), '14')}")
        steps += [turn.write(figures.pop("speed"), "speed")] if "speed" in figures else []
    if short > 0:
        by = " and ".join(f"{show(amount)} on {turn.line(line)}" for line, amount in figures.items())
        steps.append(f"cut {points(short)}" + (f", as by writing {by}" if by else " on lines 7 to 19"))
    if needed > (turn.read("6") or turn.read("21") or NOTHING):
        steps.append(turn.discharge(needed))
    return " and ".join(steps)


def over(turn: EnergyTurn) -> Mapping[str, Fraction]:
    """What the fix of an overspent turn takes off its lines."""
    if turn.spent_at_least <= turn.total_power + turn.charged:
        return {}
    return {line: turn.uses[line].amount - left for line, left in within(turn).figures.items()}


def _fastest(turn: EnergyTurn, warp: Fraction, most: Fraction = UNBOUNDED) -> tuple[Fraction, Fraction]:
    """The most whole hexes that warp energy, an impulse point, the chart and acceleration let the ship move, for `most`
    points, and the points they cost."""
    cost, limit = turn.ship.move_cost, figure(greatest_speed(turn.rulebook, "ship"))
    hexes = min(warp / cost + turn.impulse_hex(figure(1)), limit, most / cost)
    if turn.before.speed is not None:
        hexes = min(hexes, fastest_after(turn.rulebook, turn.before.speed))
    hexes = figure(int(hexes))
    paid = hexes * cost
    if paid > warp:
        paid += 1 - cost
    if paid > most:
        hexes -= 1
        paid = hexes * cost
    return hexes, paid


def paid_in(turn: EnergyTurn, amount: Fraction, line: str) -> str:
    """What pays a line that takes so much, and what has to give way to it."""
    rest = settled(turn, amount - turn.form.amount(line))
    return turn.with_sum(" and ".join(filter(None, (turn.write(amount, line), rest))))


def payable(turn: EnergyTurn, paid: Fraction, amounts: Iterable[str], warp: bool = False) -> str:
    """Which of the amounts that a line may take can be paid instead, beside all else: `pay 2 or 0`."""
    by_points = {amount: Fraction(amount.split()[0]) for amount in amounts}
    may = [each for each, n in by_points.items() if not settled(turn, n - paid, n if warp else NOTHING)]
    return turn.with_sum(f"pay {', '.join(may)} or 0" if may else "pay 0")


@check("B3.0-20/sum", "Total power used", on="allocation")
def total_used(turn: EnergyTurn) -> Findings:
    """Line 20, Total Power Used, is the sum of lines 7 to 19.

    Lines this game does not use may be counted in or left out.
    Legal: 3 + 4 + 8 = 15. Illegal: 14 written. Fix: add again.
    """
    stated = turn.stated("20")
    if stated is None or stated == turn.spent:
        return
    for line in turn.form.unread:
        if spends(line):
            turn.stated(line)  # a line this game does not use may be counted in
    all_lines = turn.spent + energy_total(entry.amount for entry in turn.uncounted.values())
    if stated != all_lines:
        yield turn.error(
            f"total used {show(stated)}, but lines 7 to 19 add up to {show(turn.spent)}",
            "20",
            expected=show(turn.spent),
            found=show(stated),
            fix=turn.sum_written(f", now {show(turn.spent)},"),
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
            fix=f"turn it on with --option {option}=true"
            if option
            else turn.with_sum("leave it blank", turn.read("20") != turn.spent_at_least),
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
            fix=turn.with_sum(settled(turn)),
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
            fix=turn.with_sum(settled(turn)),
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
            fix=slower(turn.rulebook, before, turn.with_sum(settled(turn))),
        )
