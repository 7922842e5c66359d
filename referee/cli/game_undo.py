"""`referee game undo`: one entry taken back, or all after one as a single act."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.game_status import say_head
from referee.cli.options import Reason, RecordFile
from referee.core.entry_words import entry_line
from referee.play.game_file import agreeing, open_game
from referee.play.undo import agreed_by, said_once, take_back, what_goes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.core.game import EntryLike


def register(game: typer.Typer) -> None:
    """Adds the command."""
    game.command("undo")(game_undo)


def game_undo(
    path: RecordFile,
    reason: Reason,
    target: Annotated[int | None, typer.Argument(help="One entry to take back, by its number (#).")] = None,
    to: Annotated[int | None, typer.Option(help="Take back all after this entry (#), which stays.")] = None,
    back: Annotated[
        int | None, typer.Option(help="Take back the last so many entries; fouls and notes go with theirs.")
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="Take back the last entry: --back 1.")] = False,
    agreed: Annotated[str, typer.Option(help="Who agrees: alice,bob; all players, or the umpire.")] = "",
) -> None:
    """Take entries out of the replay; they stay in the record, and dice stay rolled. To redo, undo the undo."""
    said_once(target, to, back, last)
    game = open_game(path)
    going = what_goes(game, target, to, 1 if last else back)
    who = agreed_by(game, agreeing(agreed), going)
    _list("taken back:", going.goes)
    _list("stays in the record, dice as they were rolled:", going.stays)
    _list("stays in the record, orders sealed here count no more:", going.released)
    for sentence in going.asks:
        typer.echo(sentence)
    asks = going.onward and sys.stdin.isatty() and sys.stdout.isatty()
    if asks and not typer.confirm(f"Take {going.count} back?"):
        typer.echo("nothing was recorded")
        raise typer.Exit(1)
    game = take_back(path, going, reason, who)
    typer.echo(going.summary)
    agreement = f" --agreed {','.join(who)}" if agreed else ""
    typer.echo(f"redo: referee game undo {path} {game.entries[-1].seq} --reason WHY{agreement}")
    say_head(game)


def _list(heading: str, entries: Sequence[EntryLike]) -> None:
    if entries:
        typer.echo(heading)
    for entry in entries:
        typer.echo(f"  {entry_line(entry)}")
