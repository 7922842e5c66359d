"""The robot with standard ships (source 002, instruction 9)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from referee.core.robot import Situation
from referee.core.ship import Mount
from referee.core.state import live_boxes
from referee.rulebooks.base import resolves

WARP = ("left_warp", "right_warp", "center_warp")


@resolves("ROBOT-9", "Standard ships adapted", on="robot photons")
def photons_of_standard_ships(allowed: Fraction, tubes: Sequence[Mount], facts: Any) -> Fraction:
    """The robot's rules are adapted to the standard ships: the Federation cruiser, which has four tubes, fires
    two photons a turn.

    Read so: half the tubes of any standard ship; its speed stays 12, for no other speed is given.
    Legal: PHOT/A and PHOT/B in turn 1, C and D in turn 2. Illegal: three in a turn.
    """
    part = Fraction(facts.table["photons_of_standard_ships"]["part"])
    return max(allowed, len(tubes) * part)


@resolves("ROBOT-9/speed", "A standard robot moves no faster than its engines pay for", on="robot slowed")
def speed_its_engines_pay(speed: Any, situation: Situation) -> Any:
    """A robot fills in no energy form, but a standard ship moves no faster than the warp engines it has
    left could pay for, and one hex more for its impulse engines.

    Read so, for the sources leave the adapting to the players: a point of speed for each point of speed's
    cost.
    Legal: speed 6 with five warp boxes and an impulse box left at a cost of one. Illegal: speed 12 with them.
    """
    ship, state = situation.robot.ship, situation.robot.state
    warp = sum(len(live_boxes(ship, state, engine)) for engine in WARP)
    hexes = int(warp / ship.move_cost) + bool(live_boxes(ship, state, "impulse"))
    return min(speed, hexes)
