"""How fast ships moved: a play-by-play tells no speeds, they are what the moves of a turn come to."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook

MOST_AMISS = 2
"""Calls in which moves may differ from a speed's for it to be that speed all the same."""
MOVES_FOR_EACH = 3
"""The moves that must fit for each that does not."""


@frozen
class SpeedMade:
    """The speed the moves of a turn come to; None where they do not tell, and why."""

    speed: int | None
    why: str = ""
    doubt: bool = False
    """Do the moves fit no one speed?"""


def calls_of(rulebook: Rulebook) -> dict[int, int]:
    """The impulses on which each speed is called, as bits: bit 1 is impulse 1."""
    movement = rulebook.procedure("movement")(rulebook)
    return {
        speed: sum(1 << impulse for impulse in movement.chart.called(speed)) for speed in sorted(movement.speeds)
    }


def speed_made(
    calls: Mapping[int, int], moved: int, seen: int, before: int | None, *, whole: bool
) -> SpeedMade:
    """The speed at which a ship moved on the impulses `moved`, of those `seen`; `before` is its speed till then. Of a
    turn that is not `whole` several speeds may fit, and then it is the one before, or nobody knows."""
    amiss = {speed: (called & seen ^ moved).bit_count() for speed, called in calls.items()}
    least = min(amiss.values())
    best = [speed for speed, off in amiss.items() if off == least]
    if before in best:
        best = [before]
    if least == 0:
        if len(best) == 1:
            return SpeedMade(best[0])
        return SpeedMade(None, "the turn is not over, and its moves so far fit several speeds")
    fits = moved.bit_count() - least
    if (whole or best == [before]) and len(best) == 1 and least <= MOST_AMISS and fits >= MOVES_FOR_EACH * least:
        return SpeedMade(best[0])
    nearest = f"speed {best[0]} fits best, but for {least}" if len(best) == 1 else f"speeds {', '.join(map(str, best[:4]))} fit alike"
    return SpeedMade(None, f"its moves fit no one speed: {nearest}", doubt=True)
