"""What ships have said of their fire in an impulse: what they fire, or that they hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.play.sealing import sealed_for_now

if TYPE_CHECKING:
    from referee.core.game import GameState


def fire_said(state: GameState) -> frozenset[str]:
    """The ships that have said what they fire in this impulse: declared and not rolled, sealed and not opened, or held."""
    sealed = (seal.ship for seal in sealed_for_now(state) if seal.kind == "fire")
    return frozenset((*(order.ship for order in state.unrolled), *sealed, *state.fire_held))


def fires_after_all(before: GameState, after: GameState) -> list[str]:
    """Of ships that held fire and then declare some, a line each: who was told the one is told the other."""
    firing = {order.ship for order in after.unrolled} - {order.ship for order in before.unrolled}
    return [
        f"{ship} held fire in this impulse, and fires after all"
        for ship in before.fire_held
        if ship in firing
    ]
