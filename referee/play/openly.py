"""Orders that are asked about before they are entered: said openly beside what is sealed, or fire of what may not be armed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.orders import Advance, Fire, HoldFire, Launch
from referee.play.may_fire import arming_turns
from referee.play.say import orders_in
from referee.play.sealing import sealed_for_now
from referee.play.whose import ties_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.core.game import GameState
    from referee.core.orders import Order
    from referee.core.seals import Seal
    from referee.play.game_file import Game


def beside_sealed(game: Game, text: str) -> str:
    """What to ask about orders that are said openly while others are sealed; empty where there is nothing to ask."""
    hidden = [seal for seal in sealed_for_now(game.state) if seal.kind in ("moves", "fire")]
    if not hidden:
        return ""
    asked = (_asked(game, order, hidden) for order in _orders(game, text))
    return next(filter(None, asked), "")


def armed_before(game: Game, text: str) -> str:
    """What to ask about orders to fire what takes turns to arm, where nobody here knows that it had them; empty where there
    is nothing to ask."""
    for order in _orders(game, text):
        if not isinstance(order, Fire | Launch) or order.ship not in game.state.ships:
            continue
        takes = arming_turns(game, game.state.ships[order.ship])
        named = order.weapons if isinstance(order, Fire) else (order.weapon,)
        if asked := [mark for mark in takes if mark in named or "all" in named]:
            only = f"on turn {game.state.turn} only where armed before"
            return f"{order.ship} {', '.join(asked)}: {takes[asked[0]]} turns of arming, so {only}"
    return ""


def _orders(game: Game, text: str) -> Iterable[Order]:
    try:
        return orders_in(game.state, text, "") or ()
    except BadInput:
        return ()  # What is not understood is said where it is entered.


def _asked(game: Game, order: Order, hidden: Iterable[Seal]) -> str:
    if isinstance(order, Advance):
        kind = "moves"
    elif isinstance(order, Fire | HoldFire):
        kind = "fire"
    else:
        return ""
    sealed = [seal for seal in hidden if seal.kind == kind]
    name, player = order.ship, _player(game.state, order.ship)
    own = [seal for seal in sealed if seal.ship == name]
    # A ship that moves before the others does so openly, whatever its player has sealed for another.
    of_player = [
        seal for seal in sealed if seal.player == player and (kind == "fire" or name in ties_in(game))
    ]
    others = [] if isinstance(order, Advance | HoldFire) else sealed
    for seals in (own, of_player, others):
        if seals:
            whose = ", ".join(dict.fromkeys(f"{seal.ship}'s {kind}" for seal in seals))
            deed = "moves" if kind == "moves" else "holds fire" if isinstance(order, HoldFire) else "fires"
            verb = "are" if kind == "moves" or len(seals) > 1 else "is"
            return f"{whose} {verb} sealed and not opened, and {name} {deed} openly: `o` opens what is sealed"
    return ""


def _player(state: GameState, name: str) -> str:
    ship = state.ships.get(name)
    return "" if ship is None else ship.player
