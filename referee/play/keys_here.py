"""Peer dice at one laptop: the seats and the keys of all players who sit at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.play.append import append, thrown
from referee.play.game_file import open_game
from referee.play.seat import take_seat
from referee.play.telling import telling
from referee.record.keychains import answer
from referee.record.secretfiles import secrets_folder

if TYPE_CHECKING:
    from referee.play.game_file import Game


def seats_taken(path: str) -> None:
    """Takes the seats that are still free: all players sit at this laptop, and say so. Raises BadInput."""
    game = open_game(path)
    if game.dice.open_roll is not None or not (missing := game.dice.waiting_for()):
        raise BadInput("nobody has still to join")
    for name in missing:
        take_seat(path, name)
        telling().line(f"{name} has joined")


def keys_given(path: str) -> bool:
    """Gives the keys that the open roll waits for, and throws its dice; False where it waits for none. Raises BadInput
    where nobody can roll yet, or a key is kept elsewhere."""
    game = open_game(path)
    if game.dice.open_roll is None or not game.dice.waiting_for():
        return False
    while waiting := game.dice.waiting_for():
        try:
            line = answer(secrets_folder(path), waiting[0], game.entries)
        except BadInput as error:
            hint = f"he gives it where he plays: referee dice key {path} --as {waiting[0]}"
            raise BadInput(f"the dice wait for the key of {waiting[0]}: {error.reason}", hint=hint) from None
        game = append(path, lambda _, line=line: [("key", line.data)])  # type: ignore[misc]
    thrown(path, head=False)
    return True


def must_be_seated(game: Game) -> None:
    """Raises BadInput where dice are due and players have still to join."""
    if game.dice.open_roll is None and (missing := game.dice.waiting_for()):
        raise BadInput(
            f"no dice before {' and '.join(missing)} {'have' if len(missing) > 1 else 'has'} joined",
            hint="`join`, if all of them sit at this table; else each joins where he plays",
        )
