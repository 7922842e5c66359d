"""A seeker in flight: a hex of its way, or several straight ahead, however that is told."""

from __future__ import annotations

from referee.core.combat import Seeker
from referee.core.frozen import replace
from referee.core.hexgrid import Hex


def flown(seeker: Seeker, hex: Hex, facing: str, hexes: int = 1) -> Seeker:
    """A seeker a hex farther, or some hexes straight ahead. One that faces as before has gone straight ahead; after a turn
    its count begins anew with the hex of the turn."""
    straight = seeker.straight + hexes if facing == seeker.facing else 1
    return replace(seeker, hex=hex, facing=facing, hexes=seeker.hexes + hexes, straight=straight)
