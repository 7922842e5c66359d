"""`referee replay`: the replay page, a whole game to look at."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.options import Classes, FormsBeside, InputName, Module, ModuleMap, Part, Side, Targets
from referee.cli.output import must_be_writable_as, write_told
from referee.judging.played_games import played_game
from referee.report.replayhtml import replay_html, summary_of
from referee.sources.asked import Asked
from referee.sources.default_game import named_or_only
from referee.sources.inputs import read_input
from referee.sources.settings import Settings


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("replay")(replay)


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]", help="A record, an orders file, a save or a log; the only record here."
        ),
    ] = "",
    module: Module = "",
    map: ModuleMap = "",
    ship: Classes = None,
    form: FormsBeside = None,
    targets: Targets = None,
    part: Part = 0,
    side: Side = "",
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write the page here.")] = "",
    stdin_name: InputName = "-",
) -> None:
    """Write the replay page of a game: map, SSDs and log beside each other, every finding on a slider.

    The page works without a network and prints. Add #t2.14 to its address to open turn 2, impulse 14. The retelling
    in the terminal is `referee game replay`.
    """
    must_be_writable_as(output, "html")
    file = named_or_only(file)
    asked = Asked(
        Settings(),
        tuple(ship or ()),
        module=module,
        map=map,
        side=side,
        forms=tuple(form or ()),
        targets=tuple(targets or ()),
        part=part,
    )
    game = played_game(read_input(file, stdin_name), asked)
    line = f"{game.title}: {summary_of(game)}"
    write_told(replay_html(game), output, [file], line)
