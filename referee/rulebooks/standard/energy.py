"""What the standard game adds to energy allocation (source 001: steps 7, 8, 11 and 14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import NOTHING, EnergyTurn, points
from referee.rulebooks.sfb.energy import accelerated
from referee.rulebooks.sfb.overspent import settled

Findings = Iterator[Finding | NotChecked]


def _cost(turn: EnergyTurn, line: str) -> Fraction:
    return Fraction(turn.rulebook.descriptor["form"]["lines"][line]["cost"])


def _unpaid(turn: EnergyTurn, say: Callable[..., Finding], message: str, line: str) -> Finding:
    cost, paid = _cost(turn, line), turn.form.amount(line)
    return say(message, line, expected=show(cost), found=show(paid), fix=settled(turn, {line: cost}))


def _overpaid(turn: EnergyTurn, line: str) -> Findings:
    cost, paid = _cost(turn, line), turn.form.amount(line)
    if paid > cost:
        message = f"{points(paid)} on {turn.rulebook.lines.named(line)}, which costs {show(cost)}"
        yield _unpaid(turn, turn.warning, message, line)


@check("B3.0-7", "Life support", on="allocation")
def life_support(turn: EnergyTurn) -> Findings:
    """Life support costs 1 point every turn, or the crew dies.

    Legal: 1 on line 7, Life Support. Illegal: nothing on line 7. Fix: pay 1.
    """
    if turn.form.amount("7") < _cost(turn, "7"):
        yield _unpaid(turn, turn.error, "life support is not paid: the crew dies", "7")
    yield from _overpaid(turn, "7")


@check("B3.0-8", "Fire control", on="allocation")
def fire_control(turn: EnergyTurn) -> Findings:
    """Active fire control costs 1 point; without it the ship fires nothing this turn and has no
    lock-on (D6.1). Not to pay is legal.

    Legal: 1 on line 8, Fire Control, or nothing and no fire. Illegal: nothing paid, then fire (judged when
    it fires).
    """
    if turn.form.amount("8") < _cost(turn, "8"):
        message = "fire control is not paid: no weapon fires this turn, and there is no lock-on (D6.1)"
        yield _unpaid(turn, turn.note, message, "8")
    yield from _overpaid(turn, "8")


@check("B3.0-11", "Shields", on="allocation")
def shields_raised(turn: EnergyTurn) -> Findings:
    """Shields cost 2 points a turn; without them the shield boxes stop nothing. Not to pay is legal.

    Legal: 2 on line 11, Shields. To note: nothing, and no shields. To warn of: 1, which raises none.
    """
    paid = turn.form.amount("11")
    if paid < _cost(turn, "11"):
        part = " in full" if paid else ""
        reinforced = turn.form.total("12") + turn.form.total("13")
        lost = "; reinforcement is wasted" if reinforced and turn.counts("13") else ""
        say = turn.warning if paid or lost else turn.note
        yield _unpaid(turn, say, f"shields are not paid{part}: the ship has none this turn{lost}", "11")
    yield from _overpaid(turn, "11")


@check("B3.0-14/acceleration", "Acceleration", on="allocation")
def acceleration(turn: EnergyTurn) -> Findings:
    """Speed may grow to twice that of the turn before, or by 10, whichever is more; it may fall freely.

    The wording of the book can also be read as an increase of up to twice the speed before or 10:
    option `acceleration=literal`.
    Legal: 4, then 14; 12, then 24. Illegal: 4, then 15. Fix: slow down.
    """
    yield from accelerated(turn)


@check("B3.0-19", "Electronic warfare, shuttles and manoeuvres", on="allocation")
def other_uses(turn: EnergyTurn) -> Findings:
    """Tractors, transporters, electronic warfare, special shuttles and high-energy turns take energy
    whose amounts these sources do not give; it counts in the sum, and no more is judged.

    Legal: 2 on ECM. Never illegal by itself.
    """
    lines = [
        line for line in turn.uses if line.partition(":")[0] in ("17", "18", "19") and line != "19:cloak"
    ]
    if any(turn.uses[line].amount > NOTHING for line in lines):
        yield turn.unknown("the sources give no amounts for tractors, transporters, EW or special shuttles")
