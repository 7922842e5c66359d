"""Keys that a player keeps back: what may be said of them, and by whom; and keys given for another roll.

Who declared a roll gives the last key, so nobody else knows the dice while he can still keep his own key
back: the dice are then made without it, as good or bad for him as any. Who declared knows them: without his
key there are none.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence

from referee.record.chain import Data
from referee.record.dicekeys import bond, link
from referee.record.rolls import DeclaredRoll, DiceFault


def check_kept(roll: DeclaredRoll, data: Data, players: Sequence[str]) -> None:
    """Raises DiceFault unless it may be said that a player, not the one who declared, kept back the key."""
    _check_claim(roll, data, players)
    if data["refuser"] in roll.refused:
        raise DiceFault("repeat", f"{data['refuser']} kept back the key before", roll.number)


def check_last_kept(roll: DeclaredRoll, data: Data, players: Sequence[str]) -> None:
    """Raises DiceFault unless all others say together that who declared kept back the last key."""
    check_kept(roll, data, players)
    if not only_last_missing(roll, players):
        raise DiceFault("order", "other keys are missing too", roll.number)
    check_agreed(roll, data.get("agreed_by", ()), players)


def only_last_missing(roll: DeclaredRoll, players: Sequence[str]) -> bool:
    """Does a roll of peer dice wait for nothing but the key of who declared it?"""
    settled = {*dict(roll.keys), *roll.refused}
    missing = [player for player in players if player not in settled]
    return roll.source == "peer" and missing == [roll.who] != list(players)


def check_agreed(roll: DeclaredRoll, agreed: Iterable[str], players: Sequence[str]) -> None:
    """Raises DiceFault unless all have agreed who gave a key; where nobody did, all but who declared."""
    given = list(dict(roll.keys)) or [player for player in players if player != roll.who]
    if missing := [player for player in given if player not in agreed]:
        raise DiceFault("agreement", f"{missing[0]} has not agreed", roll.number)


def check_bond(game: str, player: str, before: tuple[DeclaredRoll, str], number: int, key: str) -> None:
    """A new key shows for which declaration the player gave the one before: raises DiceFault if for another."""
    roll, made = before
    refused = roll.refused if player == roll.who else ()
    after = link(key, number - roll.number - 1)
    due = bond(game, roll.number, player, roll.declaration, refused, after)
    if not hmac.compare_digest(due.encode(), made.encode()):
        message = f"the key of {player} for roll {roll.number} was not given for the declaration in line {roll.line}"
        raise DiceFault("key", message, number)


def _check_claim(roll: DeclaredRoll, data: Data, players: Sequence[str]) -> None:
    refuser, by = data["refuser"], data["by"]
    if roll.source != "peer":
        raise DiceFault("mode", "only peer dice can be refused", roll.number)
    if refuser not in players or by not in players or by == refuser:
        raise DiceFault("player", f"{by} cannot say that {refuser} refused", roll.number)
    if refuser in dict(roll.keys):
        raise DiceFault("order", f"{refuser} gave the key", roll.number)
