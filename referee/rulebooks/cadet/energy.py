"""What is the cadet game's own in energy allocation (source 002)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import EnergyTurn
from referee.rulebooks.sfb.energy import accelerated


@check("B3.0-14/acceleration", "Acceleration", on="allocation")
def acceleration(turn: EnergyTurn) -> Iterator[Finding | NotChecked]:
    """Speed may grow by at most 8 from one turn to the next, and fall by any amount.

    Legal: 5, then 13. Illegal: 5, then 14. Fix: slow down.
    """
    yield from accelerated(turn)
