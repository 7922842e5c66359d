"""The signing key that a player takes a seat with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.play.append import append
from referee.play.game_file import open_game, player_in
from referee.play.start import set_aside, stale_answers
from referee.record.dicekeys import new_chain, new_secret, nonce_of_text
from referee.record.keychains import save_chain
from referee.record.secretfiles import secrets_folder
from referee.record.signatures import followed
from referee.record.signing import new_signing_key
from referee.record.signkeys import kept_key, save_key

if TYPE_CHECKING:
    from referee.play.game_file import Game, NewEntry


def take_seat(path: str, player: str, text: str = "") -> tuple[Game, str]:
    """The game with a player's seat taken, and who that is: a signing key of his own, and his part of the dice, which
    may be any words of his. Raises BadInput where he has it already, or has none to take."""
    game = open_game(path)
    me = player_in(game, player)
    keeps_seed = game.dice.alone or me == game.dice.operator
    throws = (
        game.state.dice_mode in ("peer", "umpire", "solo") and me in game.state.players and not keeps_seed
    )
    if throws and me not in game.dice.waiting_for():
        hint = f"if {me} did not, somebody else has taken the seat: do not play on"
        raise BadInput(f"{me} has joined already", file=path, hint=hint)
    own = new_key(game, me)
    if keeps_seed and not own:
        others = "only the others join: referee game join RECORD --as NAME"
        hint = others if me == game.dice.operator else "it is begun --alone: nobody joins"
        raise BadInput(
            f"{me} keeps the seed of the dice, rolls them for all, and is in the game already",
            file=path,
            hint=hint,
        )
    if not throws and not own:
        raise nothing_to_join(game, me)
    entry: NewEntry
    if not throws:
        entry = ("signer", {"player": me})
    elif game.state.dice_mode == "peer":
        chain = new_chain()
        set_aside(secrets_folder(path), f"chain-{me}.json", *stale_answers(secrets_folder(path), me))
        save_chain(secrets_folder(path), me, chain)
        entry = ("anchor", {"player": me, "anchor": chain.anchor, "length": chain.length})
    elif text:
        entry = ("nonce", {"player": me, "nonce": nonce_of_text(text), "text": text})
    else:
        entry = ("nonce", {"player": me, "nonce": new_secret()})
    entry[1].update({"signer": own} if own else {})
    return append(path, lambda _: [entry]), me


def new_key(game: Game, me: str) -> str:
    """A signing key for a player who joins, written to the folder of secrets: its public part. Empty where the
    record is unsigned, the key that counts is kept here already, or it has signed and cannot be replaced so."""
    signers = followed(game.entries)
    folder = secrets_folder(game.path)
    if not signers.may_join(me) or kept_key(folder, me, signers.keys[me]):
        return ""
    return save_key(folder, signers.game, me, new_signing_key())


def nothing_to_join(game: Game, me: str) -> BadInput:
    """Why somebody has no seat to take: he has it, or somebody else has."""
    signers = followed(game.entries)
    if not signers.signed or kept_key(secrets_folder(game.path), me, signers.keys[me]):
        return BadInput(f"{game.state.dice_mode} dice need nothing of {me}", file=game.path)
    hint = f"if {me} did not, somebody else has taken the seat: do not play on"
    return BadInput(f"{me} has signed already, with a key that is not kept here", file=game.path, hint=hint)
