"""`referee game apply` and `choose`: orders and forms from files, and who picks the boxes."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.game_status import say_awaited, say_head
from referee.cli.options import As, ForceFoul, RecordFile
from referee.play.game_file import open_game
from referee.play.moving_on import file_form
from referee.play.say import play
from referee.sources.inputs import read_input


def register(game: typer.Typer) -> None:
    """Adds the commands."""
    game.command("apply")(game_apply)
    game.command("choose")(game_choose)


def game_apply(
    path: RecordFile,
    files: Annotated[list[str], typer.Argument(help="Orders, or energy forms: csv, xlsx, ods or json.")],
    ship: Annotated[str, typer.Option(help="The ship of the game a form is for.")] = "",
    player: As = "",
    force: ForceFoul = False,
) -> None:
    """Play orders from a file, or file energy forms openly: judged with all the record holds, then recorded."""
    for file in files:
        game = open_game(path)
        if game.state.own is not None:
            from referee.play.rulebook_verbs import play_file

            game = play_file(path, file, player, force)
            continue
        source = read_input(file)
        text = source.data.decode("utf-8", "replace") if source.kind == "text" else ""
        played = play(game, text, file, player, force) if text else None
        game = played or file_form(game, file, ship, player, force)
    say_awaited(game)
    say_head(game)


def game_choose(
    path: RecordFile,
    ship: Annotated[str, typer.Argument(help="The ship of yours.")],
    policy: Annotated[
        str,
        typer.Argument(
            help="protect-weapons, protect-power, spread, or ask: you are asked for each box; then the box."
        ),
    ],
    player: As = "",
) -> None:
    """Say how the boxes of your ship are picked when others roll damage on it (D4.223); or, asked for one, which box."""
    from referee.play.choosing import choose

    say_head(choose(open_game(path), ship, policy, player))
