"""A roll whose declarer kept back the last key does nothing, where that can be no better for him than a throw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import IntegrityFailure
from referee.core.game import LOCK_ON

if TYPE_CHECKING:
    from referee.core.board import Board


def is_last_key(board: Board, data: Mapping[str, Any]) -> bool:
    """Is it the key of who declared the roll that was kept back?"""
    return bool(data["refuser"] == board.rolls[data["roll"]].who)


def check_forfeit(board: Board, data: Mapping[str, Any]) -> None:
    """Raises IntegrityFailure where a roll without its last key would do nothing, and that may be better for who
    declared it than some throw: only his own fire and lock-on are sure to be worth more thrown, and a volley on
    another's ship."""
    roll = board.rolls.get(data["roll"])
    if roll is None or data["refuser"] != roll.who:
        return
    firers = [board.ships[board.fire[seq].ship].player for seq in roll.fire if seq in board.fire]
    own = bool(firers) and set(firers) == {roll.who}
    if roll.volley is not None and board.own_fold is None:
        struck = board.orders.data_of(roll.volley)["volley"]["ship"]
        own = board.ships[struck].player != roll.who
    if not own and roll.purpose != LOCK_ON:
        raise IntegrityFailure(
            f"nobody can tell what is no better for {roll.who} than roll {roll.number}: it waits for the key, "
            "or is given up (void)"
        )
