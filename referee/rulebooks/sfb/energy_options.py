"""Lines of the form that options turn on, and the cloak (B3.0-12, -13, -15, G13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from referee.core.bought_energy import Reinforcement
from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook, check
from referee.rulebooks.sfb.allocation import NOTHING, EnergyTurn, points
from referee.rulebooks.sfb.overspent import payable

Findings = Iterator[Finding | NotChecked]


@check("B3.0-12", "General reinforcement", on="allocation")
def general_reinforcement(turn: EnergyTurn) -> Findings:
    """Line 12, General Shield Reinforcement, buys points that protect every shield, two energy for one; a
    point over is wasted.

    Legal: 4 energy for 2 points. To warn of: 3 energy for 1 point. Fix: pay an even number.
    """
    paid = turn.form.amount("12")
    if paid % 2 and turn.counts("12"):
        yield turn.warning(
            f"{points(paid)} make {paid // 2} of general reinforcement; the rest is wasted",
            "12",
            fix=turn.with_sum(
                f"{turn.write(paid - paid % 2, '12')}: an even number", {"12": paid - paid % 2}
            ),
        )


@check("B3.0-13", "Shield reinforcement", on="allocation")
def specific_reinforcement(turn: EnergyTurn) -> Findings:
    """Line 13, Shield Reinforcement, buys extra boxes of one shield, one energy each, gone at the end of
    the turn.

    Legal: 3 on shield 1. Illegal: 3 on shield 7. Fix: name one of the ship's six shields.
    """
    for part, entry in turn.form.parts("13").items():
        if int(part) not in turn.ship.shields and turn.ship.shields:
            yield turn.error(
                f"reinforcement of shield {part}, which the ship does not have",
                f"13:{part}",
                expected="a shield from 1 to 6",
                found=part,
                fix="name one of the six shields",
            )
        elif entry.amount.denominator != 1 and turn.counts("13"):
            yield turn.warning(
                f"{points(entry.amount)} on shield {part}: a part of a box is wasted", f"13:{part}"
            )
    if turn.form.amount("13") and turn.counts("13"):
        yield turn.undecided(
            f"{points(turn.form.amount('13'))} of reinforcement for no shield in particular",
            "13",
            fix="say which shield: one row for each",
        )


@check("B3.0-15", "Damage control", on="allocation")
def damage_control(turn: EnergyTurn) -> Findings:
    """Line 15, Damage Control, repairs shields, two energy a box, at most the damage control rating in
    energy.

    Legal: rating 4, 4 energy, 2 boxes. Illegal: rating 4, 6 energy. Fix: pay no more than the rating.
    """
    paid = turn.form.amount("15")
    if not paid or not turn.counts("15"):
        return
    rating = turn.rating("damage_control")
    if rating is None:
        yield turn.unknown(f"the damage control track of {turn.ship.name} is not known")
    elif paid > rating:
        yield turn.error(
            f"{points(paid)} to damage control of rating {rating}",
            "15",
            expected=f"≤ {rating}",
            found=show(paid),
            fix=turn.with_sum(f"pay no more than {rating}", {"15": Fraction(rating)}),
            leans_on=("tracks/damage_control",),
        )
    elif paid % 2:
        yield turn.warning(
            f"{points(paid)} repair {how_many(paid // 2, 'shield box', 'shield boxes')}; the rest is wasted",
            "15",
        )


@check("G13.0/cost", "Cost of cloaking", on="allocation")
def cloak_cost(turn: EnergyTurn) -> Findings:
    """A cloak costs the figure of the ship each turn, all or nothing, and only a ship with one can pay it.

    Legal: a War Eagle pays 6. Illegal: it pays 5, or a Klingon pays 6. Fix: pay the cost, or nothing.
    """
    paid, cost = turn.form.amount("19:cloak"), turn.ship.cloak_cost
    if not paid or not turn.counts("19:cloak"):
        return
    if cost is None:
        yield turn.error(
            f"{points(paid)} to a cloak, which {turn.ship.name} does not have",
            "19:cloak",
            expected="0",
            found=show(paid),
            fix=turn.with_sum(turn.write(NOTHING, "19:cloak"), {"19:cloak": NOTHING}),
        )
    elif paid != cost:
        yield turn.error(
            f"{points(paid)} to the cloak, which costs {show(cost)}",
            "19:cloak",
            expected=f"{show(cost)} or 0",
            found=show(paid),
            fix=payable(turn, "19:cloak", [show(cost)]),
            leans_on=("figures/cloak_cost",),
        )


def reinforcement_bought(rulebook: Rulebook, lines: Mapping[str, Fraction]) -> Reinforcement:
    """The points that lines 12 and 13 of a form buy; none where the game has no reinforcement."""
    if not rulebook.allows("reinforcement"):
        return Reinforcement()
    shields = {}
    for line, amount in lines.items():
        number, _, shield = line.partition(":")
        if number == "13" and shield.isdecimal():
            shields[int(shield)] = int(amount)
    return Reinforcement(int(lines.get("12", Fraction(0)) // 2), shields, int(lines.get("13", Fraction(0))))
