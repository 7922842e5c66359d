"""`referee table`: the desk for a live table, full screen or line by line."""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated

import typer

from referee.core.errors import BadInput
from referee.live.plain import PlainTable
from referee.play.desk import Desk
from referee.play.telling import head_said


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("table")(table)


def table(
    path: Annotated[str, typer.Argument(help="The record; the only one in the folder if none is named.")],
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line on standard input and output.")
    ] = False,
    typed: Annotated[
        bool, typer.Option("--typed", help="Dice are thrown on the table and typed in.")
    ] = False,
) -> None:
    """Play at a live table: who moves now, short orders (`c a`), dice, undo; each act is in the record as it is made."""
    desk = Desk(path, typed=typed)
    # A desk stays open for hours: what the record needs is there for good, and rubbish is swept in small heaps.
    gc.freeze()
    gc.set_threshold(5_000, 20, 50)
    if plain:
        PlainTable(desk, sys.stdin, sys.stdout).run()
        typer.echo(head_said(desk.sight.head))
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise BadInput("the screen needs a terminal", hint=f"referee table {path} --plain")
    from referee.live.screen import run

    broken, lost = run(desk)
    if broken:
        raise typer.Exit(70)
    typer.echo("\n".join(filter(None, (lost, head_said(desk.sight.head)))))
