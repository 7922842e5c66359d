"""What brings a turn within its energy: less speed, fewer points on the lines that can give them, batteries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from referee.core.energy import energy_total, left_over
from referee.core.energy import show_energy as show
from referee.core.forms import LineNotRead
from referee.core.ship import Mount
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


def dues(turn: EnergyTurn, wished: bool = False) -> dict[str, Fraction]:
    """What the lines are given that other findings put right; where it is `wished`, those that need not be paid too."""
    lines = turn.rulebook.descriptor["form"]["lines"]
    costs = {
        line: Fraction(use["cost"]) for line, use in lines.items() if "cost" in use and turn.counts(line)
    }
    due: dict[str, Fraction] = {}
    for line, cost in costs.items():
        with suppress(LineNotRead):
            paid = turn.form.amount(line)
            if line not in turn.form.unread and paid != cost and (wished or line == "7" or paid):
                due[line] = cost
    with suppress(LineNotRead):
        if "9" in turn.uses and turn.uses["9"].amount > turn.fits:
            due["9"] = turn.fits
    with suppress(LineNotRead):
        if "16" in turn.uses and turn.uses["16"].amount > turn.empty:
            due["16"] = turn.empty
    with suppress(LineNotRead):
        for tube in turn.heavy:
            if tube.entry and not tube.outcomes:
                may = payable_amounts(turn, tube.line, amounts(turn, tube.mount), due)
                due[tube.line] = Fraction(may[0].split()[0]) if may else NOTHING
    return due


def within(turn: EnergyTurn, due: Mapping[str, Fraction] | None = None) -> Within:
    """How a turn comes within its energy whose lines get what is `due` to them; only its speed where a line could not be
    read."""
    due = dues(turn) if due is None else due
    slower = _slower(turn, due)
    try:
        return _with_less(turn, due, slower)
    except LineNotRead:
        return slower


def _slower(turn: EnergyTurn, due: Mapping[str, Fraction]) -> Within:
    """The speed and its points that warp energy, the chart and acceleration let a turn have."""
    hexes, paid = _fastest(turn, warp := _warp(turn, due))
    moved = turn.read("14") or NOTHING
    too_fast = bool(moved) and (turn.slowest > hexes or moved > warp + turn.impulse_hex(moved))
    return Within({"14": paid} if too_fast else {}, hexes, too_fast, NOTHING, NOTHING)


def _warp(turn: EnergyTurn, due: Mapping[str, Fraction]) -> Fraction:
    """The warp energy left for movement beside photons that get what is due to them."""
    arming = (due[tube.line] for tube in turn.heavy if tube.kind == "photon" and tube.line in due)
    return left_over(turn.warp_for_movement, sum(arming, NOTHING))


def _with_less(turn: EnergyTurn, due: Mapping[str, Fraction], slower: Within) -> Within:
    """The same with fewer points on the lines that can give them."""
    figures, hexes, too_fast, *_ = slower
    figures, warp = dict(figures), _warp(turn, due)
    written = {**{line: entry.amount for line, entry in turn.uses.items()}, **figures}
    if turn.power_unknown:
        return Within(figures, hexes, too_fast, NOTHING, NOTHING)
    there = turn.total_power + turn.ready
    raised = {line: max(amount, written.get(line, NOTHING)) for line, amount in due.items()}
    if energy_total((written | raised).values()) > there:
        figures |= {line: amount for line, amount in due.items() if amount < written.get(line, NOTHING)}
    spending = {**written, **due}
    spent = energy_total(spending.values())
    rest = left_over(spent, there)

    def freest(line: str) -> tuple[int, bool, Fraction]:
        return FREEST.index(line.partition(":")[0]), turn.uses[line].amount < rest, turn.uses[line].amount

    for line in sorted((line for line in turn.uses if line.partition(":")[0] in FREEST), key=freest):
        paid = spending[line]
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
        if left != paid:
            figures[line] = left
    cut = energy_total(written[line] - left for line, left in figures.items() if line != "14" or not too_fast)
    return Within(figures, hexes, too_fast, cut + rest, left_over(min(spent, there), turn.total_power))


def settled(turn: EnergyTurn, due: Mapping[str, Fraction] | None = None, whole: bool = True) -> str:
    """The same in words: less speed, fewer points, batteries. Nothing where the turn is within its energy; less speed
    alone where not the `whole` is asked for."""
    try:
        figures, hexes, too_fast, short, needed = within(turn, due)
    except LineNotRead:
        return ""
    steps = []
    if "14" in figures and turn.read("speed") is not None:
        figures["speed"] = hexes
    if too_fast:
        steps.append(f"move no faster than {show(hexes)}: {turn.write(figures.pop('14'), '14')}")
        steps += [turn.write(figures.pop("speed"), "speed")] if "speed" in figures else []
        if short and not whole:
            return " and ".join(steps)
    if short > 0:
        by = " and ".join(f"{show(amount)} on {turn.line(line)}" for line, amount in figures.items())
        steps.append(f"cut {points(short)}" + (f", as by writing {by}" if by else " on lines 7 to 19"))
    if needed > (turn.read("6") or (turn.one_record and turn.read("21")) or NOTHING):
        steps.append(turn.discharge(needed))
    return " and ".join([*steps, *turn.begin_with] if steps else steps)


def slowed(turn: EnergyTurn) -> str:
    """What brings a turn that is too fast within its energy, but for what B3.0-20 tells beside it."""
    return turn.with_sum(settled(turn, whole=not overspent(turn)))


def told_elsewhere(turn: EnergyTurn) -> bool:
    """Is what batteries give to a turn told with the errors of other lines, or nothing once those are put right?"""
    wrong = {line: amount for line, amount in dues(turn).items() if line not in ("7", "8", "11")}
    try:
        right = _with_less(turn, wrong, _slower(turn, wrong))
    except LineNotRead:
        return False
    return right.too_fast or not right.needed


def overspent(turn: EnergyTurn) -> bool:
    """Does a turn spend more than there is, at a speed that it may have too?"""
    try:
        slow = within(turn, {})
        return turn.spent_at_least > turn.total_power + turn.charged and bool(slow.short or not slow.too_fast)
    except LineNotRead:
        return False


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
    due = dues(turn)
    rest = settled(turn, due if line in due else dues(turn, wished=True))
    return turn.with_sum(" and ".join(filter(None, (turn.write(amount, line), rest))))


def payable_amounts(
    turn: EnergyTurn, line: str, choice: Iterable[str], due: Mapping[str, Fraction]
) -> list[str]:
    """Which of the amounts that a line may take can be paid beside all else that is due."""
    return [each for each in choice if not settled(turn, {**due, line: Fraction(each.split()[0])})]


def payable(turn: EnergyTurn, line: str, choice: Iterable[str]) -> str:
    """The same as a fix: `pay 2 or 0`."""
    may = payable_amounts(turn, line, choice, dues(turn))
    return turn.with_sum(f"pay {', '.join(may)} or 0" if may else "pay 0")


def amounts(turn: EnergyTurn, mount: Mount) -> list[str]:
    """The amounts a heavy weapon may take now, but for nothing."""
    arming: Mapping[str, Any] = turn.arming_of(mount.id)
    if arming.get("kind") == "same-turn":
        return [str(arming["amount"])]
    hold, tubes = arming.get("hold"), turn.before.tubes[mount.id]
    holding = [f"{hold} to hold"] if hold not in (None, "0") and any(tube.armed for tube in tubes) else []
    return [*holding, *dict.fromkeys(arming["steps"][0 if tube.armed else tube.steps] for tube in tubes)]
