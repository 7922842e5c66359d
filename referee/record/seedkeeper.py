"""Who keeps the seed of solo dice. He gives no nonce: he could choose one by the dice it makes."""

from __future__ import annotations

from collections.abc import Sequence

from referee.record.chain import Data
from referee.record.rolls import DiceFault


def check_operator(dice: Data, players: Sequence[str], umpire: str) -> None:
    """Raises DiceFault unless solo dice say who keeps their seed, or that one person plays all sides."""
    alone = dice.get("alone")
    if ("operator" in dice) == ("alone" in dice) or alone not in (None, True):
        raise DiceFault("shape", "solo dice that do not say who keeps the seed")
    if alone is None and dice["operator"] not in (*players, *filter(None, [umpire])):
        raise DiceFault("player", "the seed is kept by nobody in the game")
    if alone is None and not nonce_givers(dice, players):
        raise DiceFault("player", "who keeps the seed is the only player")


def nonce_givers(dice: Data, players: Sequence[str]) -> tuple[str, ...]:
    """Who gives a part of solo dice."""
    if "alone" in dice:
        return ()
    return tuple(player for player in players if player != dice.get("operator"))
