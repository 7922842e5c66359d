"""`referee join`: the referee in a VASSAL room."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.core.safe import safe_line
from referee.sources.asked import Asked
from referee.sources.settings import read_settings

MODES = ("quiet", "advise", "umpire")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("join")(join)


def join(
    server: Annotated[str, typer.Argument(metavar="HOST:PORT", help="The VASSAL server: localhost:5050.")],
    module: Annotated[str, typer.Option(help="The module that is played, a .vmod file.")],
    room: Annotated[str, typer.Option(help="The room to sit in.")],
    name: Annotated[str, typer.Option("--as", help="What the referee is called there.")] = "Referee",
    mode: Annotated[
        str, typer.Option(help=f"One of {', '.join(MODES)}: answer only, warn the mover, hold the turn.")
    ] = "advise",
    game: Annotated[
        str, typer.Option(help="The record to go on with, or to begin; named after the room unless given.")
    ] = "",
    map: Annotated[str, typer.Option(help="What the module's names mean (referee init module-map).")] = "",
    ship: Annotated[list[str] | None, typer.Option(help='Which ship is which: "NAME=CLASS".')] = None,
    password: Annotated[str, typer.Option(help="Of a locked room: the id of its owner.")] = "",
    mark_damage: Annotated[
        bool, typer.Option("--mark-damage", help="Mark damage that was rolled on the displays in the room.")
    ] = False,
    umpire: Annotated[str, typer.Option(help="Who in the room rules (!allow); else all players.")] = "",
    tries: Annotated[int, typer.Option(help="Give up after so many tries in a row; 0: never.")] = 0,
) -> None:
    """Sit in a VASSAL room: follow the game, answer orders in chat (!fire, !hit 21 on 1, !status, !help), keep a record."""
    from referee.room.connection import sit, split_address
    from referee.room.joining import Joining

    def log(line: str) -> None:
        typer.echo(safe_line(line))

    asked = Asked(read_settings(), tuple(ship or ()), module=module, map=map)
    joining = Joining(room, name, mode, game, asked, log, password, marks=mark_damage, umpire=umpire)
    sit(split_address(server), joining.sitting, log, tries)
