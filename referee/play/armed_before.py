"""Orders to fire what takes turns to arm, so early that it was armed before the game; with the form on paper only its
player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.orders import Fire, Launch
from referee.play.may_fire import arming_turns
from referee.play.say import orders_in

if TYPE_CHECKING:
    from referee.play.game_file import Game


def armed_before(game: Game, text: str) -> str:
    """What to ask about orders that fire or launch such weapons; empty where there is nothing to ask."""
    try:
        orders = orders_in(game.state, text, "") or ()
    except BadInput:
        return ""  # What is not understood is said where it is entered.
    for order in orders:
        if isinstance(order, Fire | Launch) and order.ship in game.state.ships:
            takes = arming_turns(game, game.state.ships[order.ship])
            named = order.weapons if isinstance(order, Fire) else (order.weapon,)
            if asked := [mark for mark in takes if mark in named or "all" in named]:
                verb, were = ("takes", "it was") if len(asked) == 1 else ("take", "they were")
                told = f"{verb} {takes[asked[0]]} turns to arm: on turn {game.state.turn} only where {were} armed before"
                return f"{order.ship} {', '.join(asked)} {told}"
    return ""
