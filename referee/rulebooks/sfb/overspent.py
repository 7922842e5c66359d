"""What brings a turn within its energy: less speed, fewer points on the lines that can give them, batteries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from referee.core.energy import left_over
from referee.core.energy import show_energy as show
from referee.rulebooks.sfb.acceleration import fastest_after, greatest_speed
from referee.rulebooks.sfb.allocation import NOTHING, UNBOUNDED, EnergyTurn, points
from referee.rulebooks.sfb.arming import figure

FREEST = ("12", "13", "9", "16", "14", "10", "15", "17", "18", "19", "11", "8")
"""The lines that points are cut on, those first of which a part is given up freely."""
WHOLE = ("8", "10", "11", "19:cloak")
"""Lines of which a part buys nothing."""
IN_PAIRS = ("12", "15")


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
