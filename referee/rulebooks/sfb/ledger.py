"""Which source pays for which line (B3.0, E4.23): a legal way of paying, if there is one.

Movement takes warp and at most one impulse point; photon arming takes warp; everything else takes
what is left, reactors first, batteries last. Since only movement and arming are particular, paying
them first finds a legal way whenever one exists.
"""

from __future__ import annotations

from fractions import Fraction

from referee.core.finding import LedgerLine, TurnLedger
from referee.rulebooks.sfb.allocation import NOTHING, EnergyTurn
from referee.rulebooks.sfb.carried import Carried

EASIEST_FIRST = ("apr", "impulse", "warp", "battery")


def _shown(amounts: dict[str, Fraction]) -> dict[str, str]:
    return {source: str(amount) for source, amount in amounts.items() if amount}


def _pay(amount: Fraction, left: dict[str, Fraction], sources: tuple[str, ...]) -> dict[str, Fraction]:
    paid = {}
    for source in sources:
        part = min(amount, left[source])
        if part > 0:
            paid[source] = part
            left[source] -= part
            amount -= part
    if amount:
        paid["unpaid"] = amount
    return paid


def pay(turn: EnergyTurn, after: Carried) -> TurnLedger:
    """The ledger of one allocation and what it leaves `after` it; what no source can give stands under
    `unpaid`."""
    left = {source: turn.power(source) for source in ("warp", "impulse", "apr")}
    left["battery"] = turn.batteries
    available = _shown(left)
    paid: dict[str, dict[str, Fraction]] = {}
    for line, entry in turn.warp_arming.items():
        paid[line] = _pay(entry.amount, left, ("warp",))
    if "14" in turn.uses:
        by_impulse = min(turn.movement.impulse, left["impulse"])
        left["impulse"] -= by_impulse
        paid["14"] = _pay(turn.uses["14"].amount - by_impulse, left, ("warp",))
        if by_impulse:
            paid["14"] = {"impulse": by_impulse, **paid["14"]}
    for line, entry in turn.uses.items():
        if line not in paid:
            paid[line] = _pay(entry.amount, left, EASIEST_FIRST)
    # Which of two counts is left is not known.
    batteries = {"batteries": after.batteries[0]} if len(after.batteries) == 1 else {}
    return TurnLedger(
        ship=turn.subject,
        turn=turn.form.turn,
        available=available,
        lines=tuple(
            LedgerLine(
                line,
                str(entry.amount),
                _shown(paid[line]),
                turn.rulebook.lines.title(line),
                entry.location.cell or "",
            )
            for line, entry in turn.uses.items()
        ),
        left=_shown(left),
        carried=_shown(batteries | {"capacitor": after.capacitor}) | {"speed": str(after.speed or NOTHING)},
    )
