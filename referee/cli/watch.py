"""`referee watch`: saves and logs judged as VASSAL writes them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from referee.core.safe import safe_line

if TYPE_CHECKING:
    from referee.core.finding import Finding


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("watch")(watch)


def watch(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder VASSAL saves in.")],
    module: Annotated[str, typer.Option(help="The VASSAL module, for the names of hexes.")] = "",
    map: Annotated[str, typer.Option(help="What the module's names mean (init map).")] = "",
    game: Annotated[str, typer.Option(help="The record kept of a log; else its name with .jsonl.")] = "",
    ship: Annotated[list[str] | None, typer.Option(help="NAME=SHIP, for each that is not known.")] = None,
    player: Annotated[list[str] | None, typer.Option(help="Who plays a side: Federation=alice.")] = None,
    only_judge: Annotated[bool, typer.Option("--only-judge", help="Write no replay and no record.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Judge what lies there, and end.")] = False,
) -> None:
    """Judge saves and logs as VASSAL writes them: a line for each new finding, until Ctrl-C.

    Beside a log its replay (game.html) and its record (game.jsonl) are kept up to date.
    """
    from referee.sources.asked import Asked
    from referee.sources.settings import accept_options, read_settings
    from referee.watching.session import session

    settings = read_settings()
    accept_options(settings)
    asked = Asked(settings, tuple(ship or ()), module=module, map=map, digests=False)
    listener = Printed(settings.colour)
    session(folder, asked, listener, tuple(player or ()), game, only_judge=only_judge, once=once)


class Printed:
    """Prints what the watch sees, at once."""

    def __init__(self, colour: str) -> None:
        from referee.report.paint import paint_for

        self.paint = paint_for(sys.stdout, colour)

    def finding(self, finding: Finding, *, gone: bool) -> None:
        """A finding that is new, or gone."""
        from referee.cli.output import write_output
        from referee.report.checktext import headline

        write_output(f"{'gone: ' if gone else ''}{headline(finding, self.paint)}\n", "")

    def line(self, text: str) -> None:
        """What became of a file."""
        typer.echo(safe_line(text))

    def fault(self, text: str) -> None:
        """What could not be done."""
        typer.echo(f"referee: {safe_line(text, 300)}", err=True)
