"""How a ship's boxes are given up where its owner may choose, said once for all volleys to come (D4.223)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.play.append import append
from referee.play.game_file import owner_in
from referee.play.telling import telling

if TYPE_CHECKING:
    from referee.play.game_file import Game


def choose(game: Game, ship: str, policy: str, player: str = "") -> Game:
    """The game with a ship's policy said. Raises BadInput."""
    from referee.adjudicator.policies import POLICIES
    from referee.rulebooks.base import nearest

    if policy not in POLICIES:
        raise BadInput(f"no policy {policy}", hint=nearest(policy, POLICIES))
    target = game.state.ship(ship)
    me = owner_in(game, player, target, umpire=True)
    chosen = {"ship": target.name, "policy": policy}
    data = {"text": [f"{target.name}: choose {policy}"], "player": me, "choose": chosen}
    game = append(game.path, lambda _: [("order", data)])
    telling().line(f"{target.name}: boxes by {policy}")
    return game
