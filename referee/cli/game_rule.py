"""`referee game rule`: what an umpire decides."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from referee.cli.game_status import say_head
from referee.cli.options import RecordFile
from referee.core.errors import BadInput
from referee.play.append import append
from referee.play.game_file import open_game


def register(game: typer.Typer) -> None:
    """Adds the command."""
    game.command("rule")(game_rule)


def game_rule(
    path: RecordFile,
    text: Annotated[str, typer.Argument(help="The ruling.")],
    by: Annotated[str, typer.Option(help="Who rules: the umpire, or a player if there is none.")],
    on: Annotated[int | None, typer.Option(help="The entry it is about (#).")] = None,
) -> None:
    """Record an umpire's ruling; it stands beside what was found, and changes nothing in it."""
    game = open_game(path)
    umpire = game.state.umpire
    if (umpire and by != umpire) or (not umpire and by not in game.state.players):
        raise BadInput(f"{by} does not rule here", file=path, hint=f"--by {umpire or game.state.players[0]}")
    if on is not None and not 0 <= on < len(game.entries):
        raise BadInput(f"no entry #{on}", file=path)
    data: dict[str, Any] = {"by": by, "text": text} | ({} if on is None else {"target": on})
    game = append(path, lambda _: [("ruling", data)])
    typer.echo("ruled")
    say_head(game)
