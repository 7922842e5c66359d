"""`referee log`: the play-by-play of the closed online client, made ready to be sent."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.options import WrittenHere
from referee.cli.output import write_output
from referee.core.errors import BadInput
from referee.formats.orderfiles import is_play
from referee.sources.inputs import read_input
from referee.sources.sfbol_strip import stripped


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    log = typer.Typer(no_args_is_help=True, help="Logs of the closed online client.")
    log.command("strip")(strip)
    app.add_typer(log, name="log")


def strip(
    file: Annotated[str, typer.Argument(help="A log of the online client.")],
    output: WrittenHere = "",
) -> None:
    """Write a log without its names and chat, to be sent to us: what we know of the format comes from one reader.

    Ships and players get numbers, lines of chat are left out, and of lines that are not understood only words of the
    game stay. Figures, hexes and dice stay. Read it before you send it.
    """
    source = read_input(file)
    if source.kind != "text" or not is_play(source.data):
        raise BadInput("is no log of the online client", file=file)
    clean = stripped(source.data, source.name)
    write_output(clean.text, output, [file])
    summary = f"{clean.names} names replaced, {clean.chat} lines of chat and {clean.left_out} others left out"
    typer.echo(f"{summary}; read it before you send it", err=True)
