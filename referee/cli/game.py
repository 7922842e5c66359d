"""`referee game`: a game record and what happens in it. Each of its commands is in a module of its own."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Adds the group; the program adds to it the commands that are asked for."""
    group = typer.Typer(help="A game record: begun, played on, looked at.", no_args_is_help=True)
    app.add_typer(group, name="game")
