"""Boxes that are alike. Statistics count boxes; which of several like boxes goes makes no difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes

POWER = ("left_warp", "right_warp", "center_warp", "impulse", "apr")
"""The systems whose boxes make next turn's energy; batteries are not counted."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Live boxes of one system that follow each other on the SSD and that no rule tells apart: weapons
    of one type and arc, shuttle boxes that are all full or all empty. Those who choose by a written policy
    give the first first; where chance chooses, each is as likely."""

    system: str
    boxes: tuple[str, ...]
    weapon: bool

    @property
    def size(self) -> int:
        """How many boxes the pool has before the volley."""
        return len(self.boxes)


def pools_of(ship: ShipClass, state: ShipState) -> tuple[Pool, ...]:
    """All live boxes of a ship in pools, in the order of the SSD."""
    pools = []
    for system in ship.systems:
        for like, boxes in groupby(live_boxes(ship, state, system), lambda box: _likeness(ship, state, box)):
            pools.append(Pool(system, tuple(boxes), like[0] == "weapon"))
    return tuple(pools)


def _likeness(ship: ShipClass, state: ShipState, box: str) -> tuple[str, ...]:
    mount = ship.mount(box)
    if mount:
        return "weapon", mount.type, mount.arc
    return "box", "away" if box in state.shuttles_away else ""


def state_with(pools: Sequence[Pool], left: Sequence[int], start: ShipState) -> ShipState:
    """The state in which each pool has so many boxes left."""
    gone = [box for pool, n in zip(pools, left, strict=True) for box in pool.boxes[: pool.size - n]]
    return replace(start, destroyed=start.destroyed.union(gone))


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that is counted: the live boxes of these pools together. `name` is a system, `power`,
    `weapons`, or `pool N` for the weapons of one pool."""

    name: str
    pools: tuple[int, ...]
    start: int


def quantities_of(pools: Sequence[Pool]) -> tuple[Quantity, ...]:
    """What is counted on a ship. Power systems stand together, so that they are summed once."""
    systems = dict.fromkeys(
        (*(s for s in POWER if any(p.system == s for p in pools)), *(p.system for p in pools))
    )
    wanted = {
        "power": [k for k, pool in enumerate(pools) if pool.system in POWER],
        **{system: [k for k, pool in enumerate(pools) if pool.system == system] for system in systems},
        "weapons": [k for k, pool in enumerate(pools) if pool.weapon],
    }
    for k, pool in enumerate(pools):
        if pool.weapon and len(wanted[pool.system]) > 1:
            wanted[f"pool {k}"] = [k]
    return tuple(
        Quantity(name, tuple(members), sum(pools[k].size for k in members))
        for name, members in wanted.items()
    )
