"""The robot in the cadet game: what damage does to its speed (source 002, fast damage allocation)."""

from __future__ import annotations

from typing import Any

from referee.core.robot import Situation
from referee.core.state import live_boxes
from referee.rulebooks.base import resolves

WARP = ("left_warp", "right_warp", "center_warp")


@resolves("FAST-3/speed", "Lost warp slows a robot", on="robot slowed")
def slowed_by_lost_warp(speed: Any, situation: Situation) -> Any:
    """Each warp engine box a robot has lost takes a point off its speed, from the beginning of the next turn to
    the end of the scenario; twelve bring it to a halt.

    Read so: also where damage is allocated by the chart, for a robot allocates no energy.
    Legal: speed 9 after three warp hits. Illegal: speed 12 after them.
    """
    ship, state = situation.robot.ship, situation.robot.state
    lost = sum(len(ship.box_ids(engine)) - len(live_boxes(ship, state, engine)) for engine in WARP)
    return max(speed - lost, 0)
