"""`referee watch`: saves and logs judged as VASSAL writes them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from referee.cli.options import MapFile, ModuleFile
from referee.cli.output import write_output
from referee.report.paint import paint_for
from referee.sources.asked import Asked
from referee.sources.settings import accept_options, read_settings
from referee.watching.output import AsJson, FindingsPrinted


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("watch")(watch)


def watch(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder VASSAL saves in.")],
    module: ModuleFile = "",
    map: MapFile = "",
    game: Annotated[str, typer.Option(help="The record kept of a log; else its name with .jsonl.")] = "",
    ship: Annotated[list[str] | None, typer.Option(help="NAME=SHIP, for each that is not known.")] = None,
    player: Annotated[list[str] | None, typer.Option(help="Who plays a side: Federation=alice.")] = None,
    only_judge: Annotated[bool, typer.Option("--only-judge", help="Write no replay and no record.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Judge what lies there, and end.")] = False,
    json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
) -> None:
    """Judge saves and logs as VASSAL writes them: a line for each new finding, until Ctrl-C.

    Beside a log its replay (game.html) and its record (game.jsonl) are kept up to date.
    """
    from referee.watching.session import session

    settings = read_settings()
    accept_options(settings)
    asked = Asked(settings, tuple(ship or ()), module=module, map=map, digests=False)
    listener = (
        AsJson(typer.echo) if json else FindingsPrinted(paint_for(sys.stdout, settings.colour), _say, _warn)
    )
    session(folder, asked, listener, tuple(player or ()), game, only_judge=only_judge, once=once)


def _say(line: str) -> None:
    write_output(f"{line}\n", "")


def _warn(line: str) -> None:
    typer.echo(line, err=True)
