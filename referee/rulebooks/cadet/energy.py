"""What is the cadet game's own in energy allocation (source 002)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import EnergyTurn
from referee.rulebooks.sfb.energy import settled


@check("B3.0-14/acceleration", "Acceleration", on="allocation")
def acceleration(turn: EnergyTurn) -> Iterator[Finding | NotChecked]:
    """Speed may grow by at most 8 from one turn to the next, and fall by any amount.

    Legal: 5, then 13. Illegal: 5, then 14. Fix: slow down.
    """
    before, speed = turn.before.speed, turn.slowest
    if before is None:
        turn.carried("speed")
        yield turn.unknown(
            "the speed of the turn before is not known; give it with --option previous_speed=N"
        )
        return
    limit = before + turn.rulebook.table("movement")["acceleration"]["cadet"]["add"]
    if speed > limit:
        yield turn.error(
            f"speed {show(speed)} after {show(before)}",
            "14",
            expected=f"≤ {show(limit)}",
            found=show(speed),
            fix=settled(turn),
        )
