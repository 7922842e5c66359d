"""Until when sealed orders may be sealed anew: not once anything they bind has begun for anybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.errors import IntegrityFailure
from referee.core.game import GameState
from referee.core.seals import Seal

PLAYED = ("speed", "move", "place", "fire", "cloak", "launch", "seeker", "strike", "volley")
"""The orders by which something of a turn begins."""


def check_revision(game: GameState, data: Mapping[str, Any]) -> None:
    """Raises IntegrityFailure where a seal would replace another of the same ship and kind, whatever span
    either names, and anything that one of them binds has begun: the first stands."""
    impulse = data.get("impulse")
    if impulse == 0:
        raise IntegrityFailure("seals for impulse 0, which no turn has")
    for seal in game.seals.about(data["turn"], data["ship"], data["kind"]):
        if seal.overlaps(impulse) and (reason := _begun(game, seal, impulse)):
            raise IntegrityFailure(f"seals {seal.kind} anew {reason}: the seal in line {seal.seq + 1} stands")


def _begun(game: GameState, seal: Seal, impulse: int | None) -> str:
    """What of a seal, and of one for an impulse or the turn that would replace it, has begun; or an empty
    text."""
    for other in game.seals.of_turn(seal.turn):
        bound = other.overlaps(seal.impulse) or other.overlaps(impulse)
        if other.fields and other.kind == seal.kind and bound:
            return f"after {other.ship}'s were shown"
    furthest = game.furthest.get(seal.turn, 0)
    if seal.kind != "eaf" and furthest < min(seal.impulse or 1, impulse or 1):
        return ""
    if game.stepped > seal.seq:
        return "after what it is for began"
    for seq, order in game.orders:
        for kind in PLAYED:
            if seq > seal.seq and kind in order:
                return f"after the {kind} in line {seq + 1}"
    return ""
