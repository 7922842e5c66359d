"""The robot with standard ships (source 002, instruction 9)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from referee.core.ship import Mount
from referee.rulebooks.base import resolves


@resolves("ROBOT-9", "Standard ships adapted", on="robot photons")
def photons_of_standard_ships(allowed: Fraction, tubes: Sequence[Mount], facts: Any) -> Fraction:
    """The robot's rules are adapted to the standard ships: the Federation cruiser, which has four tubes, fires
    two photons a turn.

    Read so: half the tubes of any standard ship; its speed stays 12, and lost warp does not slow it, for
    nothing is said of either. Legal: PHOT/A and PHOT/B in turn 1, C and D in turn 2. Illegal: three in a turn.
    """
    part = Fraction(facts.table["photons_of_standard_ships"]["part"])
    return max(allowed, len(tubes) * part)
