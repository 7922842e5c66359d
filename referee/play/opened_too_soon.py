"""What is opened too soon: what another has still to write would be written knowing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.waiting_for import unfiled
from referee.play.fire_told import fire_said
from referee.play.may_fire import ready_in
from referee.play.sealing import sealed_for_now
from referee.play.still_to_come import moves_unsealed

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.play.game_file import Game


def known_by_opening(game: Game, kind: str = "") -> str:
    """The orders and forms still to be written by players who would see what is opened now, all or of one kind. Empty
    where there are none."""
    state = game.state
    hidden = [seal for seal in sealed_for_now(state) if kind in ("", seal.kind)]
    owed = [ship for _, ship in unfiled(state)] if state.impulse is None else []
    knowing = "it would be written knowing the others"
    if owed and hidden:
        return f"the form is still to come of {', '.join(owed)}: {knowing}"
    late = moves_unsealed(game)
    if late and any(seal.settles_moves for seal in hidden):
        return f"the move is still to be sealed of {', '.join(late)}: {knowing}"
    unsaid = fire_unsaid(game, {seal.player for seal in hidden if seal.kind == "fire"})
    return f"the fire is still to be sealed, or held, of {', '.join(unsaid)}: {knowing}" if unsaid else ""


def fire_unsaid(game: Game, players: Collection[str]) -> list[str]:
    """The ships that may fire now and have not said what, while some players' fire is sealed and not opened, of others
    than a player who alone has sealed."""
    if not players:
        return []
    declared = fire_said(game.state)
    ships = game.state.ships
    return [name for name in ready_in(game) if name not in declared and set(players) != {ships[name].player}]
