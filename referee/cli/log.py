"""`referee log`: the play-by-play of the closed online client, made ready to be sent or taken apart."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.output import write_output
from referee.core.errors import BadInput
from referee.formats.orderfiles import is_play
from referee.sources.inputs import read_input
from referee.sources.sfbol_contents import part_of
from referee.sources.sfbol_strip import stripped

Log = Annotated[str, typer.Argument(help="A log of the online client.")]
Output = Annotated[str, typer.Option("-o", "--output", help="Write it here.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    log = typer.Typer(no_args_is_help=True, help="Logs of the closed online client.")
    log.command("strip")(strip)
    log.command("part")(part)
    app.add_typer(log, name="log")


def strip(file: Log, output: Output = "") -> None:
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


def part(
    file: Log, number: Annotated[int, typer.Argument(help="Which of its games, from 1.")], output: Output = ""
) -> None:
    """Write one game of a log that holds several, byte by byte as it stands there."""
    source = read_input(file)
    if source.kind != "text" or not is_play(source.data):
        raise BadInput("is no log of the online client", file=file)
    data = part_of(source, number)
    if data is None:
        raise BadInput(f"has no game {number}", file=file, hint=f"referee show {file} lists its games")
    write_output(data, output, [file])
