"""The signing key that a player takes a seat with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.core.errors import BadInput
    from referee.play.game_file import Game


def new_key(game: Game, me: str) -> str:
    """A signing key for a player who joins, written to the folder of secrets: its public part. Empty where the
    record is unsigned, the key that counts is kept here already, or it has signed and cannot be replaced so."""
    from referee.record.secretfiles import secrets_folder
    from referee.record.signatures import followed
    from referee.record.signing import new_signing_key
    from referee.record.signkeys import kept_key, save_key

    signers = followed(game.entries)
    folder = secrets_folder(game.path)
    if not signers.may_join(me) or kept_key(folder, me, signers.keys[me]):
        return ""
    return save_key(folder, signers.game, me, new_signing_key())


def nothing_to_join(game: Game, me: str) -> BadInput:
    """Why somebody has no seat to take: he has it, or somebody else has."""
    from referee.core.errors import BadInput
    from referee.record.secretfiles import secrets_folder
    from referee.record.signatures import followed
    from referee.record.signkeys import kept_key

    signers = followed(game.entries)
    if not signers.signed or kept_key(secrets_folder(game.path), me, signers.keys[me]):
        return BadInput(f"{game.state.dice_mode} dice need nothing of {me}", file=game.path)
    hint = f"if {me} did not, somebody else has taken the seat: do not play on"
    return BadInput(f"{me} has signed already, with a key that is not kept here", file=game.path, hint=hint)
