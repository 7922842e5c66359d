"""What the standard game adds to energy allocation (source 001: steps 7, 8, 11 and 14)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import NOTHING, EnergyTurn, points
from referee.rulebooks.sfb.energy import paid_in, settled
from referee.rulebooks.sfb.motion import fastest_after, slower

Findings = Iterator[Finding | NotChecked]


def _cost(turn: EnergyTurn, line: str) -> Fraction:
    return Fraction(turn.rulebook.descriptor["form"]["lines"][line]["cost"])


def _overpaid(turn: EnergyTurn, line: str) -> Findings:
    if turn.form.amount(line) > _cost(turn, line):
        yield turn.warning(
            f"{points(turn.form.amount(line))} on {turn.rulebook.lines.named(line)}, which costs {show(_cost(turn, line))}",
            line,
            expected=show(_cost(turn, line)),
            found=show(turn.form.amount(line)),
            fix=turn.write(_cost(turn, line), line),
        )


@check("B3.0-7", "Life support", on="allocation")
def life_support(turn: EnergyTurn) -> Findings:
    """Life support costs 1 point every turn, or the crew dies.

    Legal: 1 on line 7, Life Support. Illegal: nothing on line 7. Fix: pay 1.
    """
    if turn.form.amount("7") < _cost(turn, "7"):
        yield turn.error(
            "life support is not paid: the crew dies",
            "7",
            expected=show(_cost(turn, "7")),
            found=show(turn.form.amount("7")),
            fix=paid_in(turn, _cost(turn, "7"), "7"),
        )
    yield from _overpaid(turn, "7")


@check("B3.0-8", "Fire control", on="allocation")
def fire_control(turn: EnergyTurn) -> Findings:
    """Active fire control costs 1 point; without it the ship fires nothing this turn and has no
    lock-on (D6.1). Not to pay is legal.

    Legal: 1 on line 8, Fire Control, or nothing and no fire. Illegal: nothing paid, then fire (judged when
    it fires).
    """
    if turn.form.amount("8") < _cost(turn, "8"):
        yield turn.note(
            "fire control is not paid: no weapon fires this turn, and there is no lock-on (D6.1)",
            "8",
            expected=show(_cost(turn, "8")),
            found=show(turn.form.amount("8")),
            fix=f"to fire {paid_in(turn, _cost(turn, '8'), '8')}",
        )
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
        yield say(
            f"shields are not paid{part}: the ship has none this turn{lost}",
            "11",
            expected=show(_cost(turn, "11")),
            found=show(paid),
            fix=paid_in(turn, _cost(turn, "11"), "11"),
        )
    yield from _overpaid(turn, "11")


@check("B3.0-14/acceleration", "Acceleration", on="allocation")
def acceleration(turn: EnergyTurn) -> Findings:
    """Speed may grow to twice that of the turn before, or by 10, whichever is more; it may fall freely.

    The wording of the book can also be read as an increase of up to twice the speed before or 10:
    option `acceleration=literal`.
    Legal: 4, then 14; 12, then 24. Illegal: 4, then 15. Fix: slow down.
    """
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
