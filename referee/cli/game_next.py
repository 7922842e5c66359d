"""`referee game next`, `resolve` and `lock`: playing on in a record."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.game_status import say_awaited, say_head
from referee.cli.options import AgreedToGoOn, As, ByHand, ForceFoul, RecordFile
from referee.play.game_file import agreeing, open_game
from referee.play.moving_on import carry_out, lock, next_step


def register(game: typer.Typer) -> None:
    """Adds the commands."""
    game.command("next")(game_next)
    game.command("resolve")(game_resolve)
    game.command("lock")(game_lock)


def game_next(
    path: RecordFile,
    to: Annotated[str, typer.Option(help="TURN, TURN.STEP or TURN.IMPULSE.STEP: 2, 1.4.fire.")] = "",
    player: As = "",
    agreed: AgreedToGoOn = "",
    force: ForceFoul = False,
) -> None:
    """Move on in the sequence of play: to the next step, or to one named. Seekers move and strike on the way."""
    from referee.play.still_to_come import must_be_opened

    game, who = open_game(path), agreeing(agreed)
    must_be_opened(game, [*who, *filter(None, [player])], force=force)
    game = next_step(game, to, player, who, force)
    say_awaited(game)
    say_head(game)


def game_resolve(
    path: RecordFile,
    player: As = "",
    force: ForceFoul = False,
    by_hand: ByHand = False,
) -> None:
    """Carry out what is due: the dice of all fire ordered, then every volley; seekers that strike."""
    game = carry_out(open_game(path), player, force, by_hand)
    say_awaited(game)
    say_head(game)


def game_lock(
    path: RecordFile,
    ship: Annotated[str, typer.Argument(help="The ship that tries for lock-on.")],
    targets: Annotated[list[str], typer.Argument(help="The ships it tries for, a die for each.")],
    player: As = "",
    force: ForceFoul = False,
    by_hand: ByHand = False,
) -> None:
    """Roll for lock-on with a damaged sensor (D6.11): in the step for it, once a turn for each target."""
    lock(open_game(path), ship, targets, player, force, by_hand)
