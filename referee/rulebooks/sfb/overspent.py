"""What brings a turn within its energy: less speed, fewer points on the lines that can give them, batteries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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

Figures = Mapping[str, Fraction]
"""Points by the line of the form."""
FREEST = ("12", "13", "9", "16", "14", "10", "15", "17", "18", "19", "11", "8")
"""The lines that points are cut on, those first of which a part is given up freely."""
WHOLE = ("8", "10", "11", "19:cloak")
"""Lines of which a part buys nothing."""
IN_PAIRS = ("12", "15")


class Within(NamedTuple):
    """What brings a turn within its energy: the figures of the lines that change, the hexes it then moves, and whether
    it moved too fast. `short` is cut beside that, batteries give what is `needed`, with what is due it is `over` by so
    much, and `spent` is the sum in the end."""

    figures: Figures
    hexes: Fraction
    too_fast: bool
    short: Fraction = NOTHING
    needed: Fraction = NOTHING
    over: Fraction = NOTHING
    spent: Fraction | None = None


def dues(turn: EnergyTurn) -> Figures:
    """What the lines are given that other findings put right."""
    lines = turn.rulebook.descriptor["form"]["lines"]
    due = {
        line: Fraction(use["cost"])
        for line, use in lines.items()
        if "cost" in use
        and (line == "7" or line in turn.uses)
        and turn.counts(line)
        and not turn.form.why_unknown(line)
    }
    rooms: dict[str, Callable[[], Fraction]] = {"9": lambda: turn.fits, "16": lambda: turn.empty}
    for line, room in rooms.items():
        with suppress(LineNotRead):
            if line in turn.uses:
                due[line] = min(turn.uses[line].amount, room())
    wrong = [tube for tube in turn.heavy if tube.entry and not tube.outcomes]
    due |= dict.fromkeys([tube.line for tube in wrong], NOTHING)
    for tube in wrong:
        for may in payable_amounts(turn, tube.line, amounts(turn, tube.mount), due)[:1]:
            due[tube.line] = Fraction(may.split()[0])
    return due


def within(turn: EnergyTurn, due: Figures | None = None, pays: Figures | None = None) -> Within:
    """How a turn comes within its energy whose lines get what is `due` to them, and some what it then `pays`; only its
    speed where a line could not be read."""
    pays = pays or {}
    due = {**(dues(turn) if due is None else due), **pays}
    arming = (due[tube.line] for tube in turn.heavy if tube.kind == "photon" and tube.line in due)
    warp = left_over(turn.warp_for_movement, sum(arming, NOTHING))
    hexes, paid = _fastest(turn, warp)
    moved = turn.read("14") or NOTHING
    too_fast = bool(moved) and (turn.slowest > hexes or moved > warp + turn.impulse_hex(moved))
    slower = Within({"14": paid} if too_fast else {}, hexes, too_fast)
    with suppress(LineNotRead):
        return slower if turn.power_unknown else _with_less(turn, due, slower, warp, pays)
    return slower


def _with_less(turn: EnergyTurn, due: Figures, slower: Within, warp: Fraction, pays: Figures) -> Within:
    """The same with fewer points on the lines that can give them."""
    hexes, figures = slower.hexes, dict(slower.figures)
    written = {**turn.spending, **figures}
    spending = {**written, **due}
    there = turn.total_power + turn.ready
    if energy_total(max(amount, written.get(line, NOTHING)) for line, amount in spending.items()) > there:
        figures |= {line: amount for line, amount in due.items() if amount < written.get(line, NOTHING)}
    else:  # More than the cost is only warned of.
        kept = ({"7", "8", "11"} & {*written}) - {*pays}
        spending |= {line: max(spending[line], written[line]) for line in kept}
    spent = energy_total(spending.values())
    rest = over = left_over(spent, there)

    def freest(line: str) -> tuple[int, bool, Fraction]:
        return FREEST.index(line.partition(":")[0]), spending[line] < rest, spending[line]

    for line in sorted((line for line in turn.uses if line.partition(":")[0] in FREEST), key=freest):
        paid = spending[line]
        left = left_over(paid, rest)
        if left == paid:
            continue
        if line == "14":
            hexes, left = _fastest(turn, warp, left)
        elif line.startswith(WHOLE):
            left = NOTHING
        else:
            left -= left % (2 if line in IN_PAIRS else 1)
        if line == "9":  # What fired stays paid.
            left = max(left, min(paid, turn.read("9:fired") or NOTHING))
        rest = left_over(rest, paid - left)
        if left != paid:
            figures[line] = left
    cut = energy_total(
        written[line] - left for line, left in figures.items() if line != "14" or not slower.too_fast
    )
    spent = energy_total({**spending, **figures}.values())
    needed = left_over(min(spent, there), turn.total_power)
    return Within(figures, hexes, slower.too_fast, cut + rest, needed, over, spent)


def _steps(turn: EnergyTurn, pays: Figures) -> tuple[list[str], Figures]:
    """The same in words, and its figures; nothing where the turn is within its energy."""
    try:
        figures, hexes, too_fast, short, needed, *_ = right = within(turn, pays=pays)
    except LineNotRead:
        return [], {}
    slow = {"14": figures["14"]} if "14" in figures else {}
    if slow and turn.read("speed") not in (None, hexes):
        slow["speed"] = hexes
    less = {line: amount for line, amount in figures.items() if line != "14"}
    steps = []
    if too_fast:
        steps.append(f"move no faster than {show(hexes)}: {turn.written(slow)}")
    else:
        less |= slow
    if short > 0:
        steps.append(
            f"cut {points(short)}{_more_than_over(turn, right)}"
            + (f", for example {turn.written(less)}" if less else " on lines 7 to 19")
        )
    if needed > turn.discharged:
        steps.append(turn.discharge(needed))
    left = min(turn.before.righted, default=UNBOUNDED)
    if steps and left < (turn.read("5") or NOTHING):
        steps.append(turn.write(left, "5"))
    return steps, figures


def _more_than_over(turn: EnergyTurn, right: Within) -> str:
    """Why more is to be cut than a turn is over by."""
    over = left_over(turn.spent_at_least, turn.total_power + turn.charged)
    if right.too_fast or not 0 < over < right.short:
        return ""
    *_, last = "", *right.figures
    if right.over and turn.ready < turn.charged:
        return f" (turn {turn.before.turn} leaves fewer batteries once it is put right)"
    if right.over != over:
        return " (with what other findings change)"
    return (
        f" ({turn.rulebook.lines.title(last)} goes only {'in pairs' if last in IN_PAIRS else 'as a whole'})"
    )


def settled(turn: EnergyTurn, pays: Figures | None = None) -> str:
    """What brings a turn within its energy as a fix, behind what a line then `pays`."""
    pays = pays or {}
    steps, figures = _steps(turn, pays)
    paid = [turn.written(pays)] if pays else []
    return turn.with_sum(", and ".join((*paid, *steps)), {**pays, **figures})


def speed_righted(turn: EnergyTurn) -> Fraction | None:
    """The hexes moved once line 14 is put right; None where it stays."""
    right = within(turn)
    return right.hexes if "14" in right.figures else None


def taken_off(turn: EnergyTurn) -> Figures:
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


def payable_amounts(turn: EnergyTurn, line: str, choice: Iterable[str], due: Figures) -> list[str]:
    """Which of the amounts that a line may take can be paid beside all else that is due."""
    return [each for each in choice if _fits(turn, {**due, line: Fraction(each.split()[0])})]


def _fits(turn: EnergyTurn, due: Figures) -> bool:
    """Is a turn within its energy when the lines get what is `due` to them?"""
    with suppress(LineNotRead):
        right = within(turn, due)
        return not (right.too_fast or right.over or right.needed > turn.discharged)
    return True


def payable(turn: EnergyTurn, line: str, choice: Iterable[str]) -> str:
    """The same as a fix: `pay 2 or 0`."""
    may = [*payable_amounts(turn, line, choice, dues(turn)), "0"]
    fix = f"pay {', '.join(may[:-1])} or 0" if may[:-1] else "pay 0"
    return turn.with_sum(fix, *({line: Fraction(each.split()[0])} for each in may))


def amounts(turn: EnergyTurn, mount: Mount) -> list[str]:
    """The amounts a heavy weapon may take now, but for nothing."""
    arming: Mapping[str, Any] = turn.arming_of(mount.id)
    if arming.get("kind") == "same-turn":
        return [str(arming["amount"])]
    hold, tubes = arming.get("hold"), turn.before.tubes[mount.id]
    holding = [f"{hold} to hold"] if hold not in (None, "0") and any(tube.armed for tube in tubes) else []
    return [*holding, *dict.fromkeys(arming["steps"][0 if tube.armed else tube.steps] for tube in tubes)]
