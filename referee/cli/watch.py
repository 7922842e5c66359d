"""`referee watch`: saves and logs judged as VASSAL writes them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from referee.core.finding import Finding


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("watch")(watch)


def watch(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The folder VASSAL saves in.")],
    module: Annotated[str, typer.Option(help="The VASSAL module, for the names of hexes.")] = "",
    map: Annotated[str, typer.Option(help="A module map: what the module's names mean (init map).")] = "",
    game: Annotated[
        str, typer.Option(help="The record that is kept of a log; the log's name with .jsonl if not said.")
    ] = "",
    ship: Annotated[
        list[str] | None, typer.Option(help="NAME=SHIP, once for each that is not known.")
    ] = None,
    player: Annotated[
        list[str] | None, typer.Option(help="Who plays a ship or side of a log: Federation=alice.")
    ] = None,
    rulebook: Annotated[str, typer.Option(help="Judge by this rulebook instead of the ships'.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
    house: Annotated[str, typer.Option(help="A house-rules file (TOML).")] = "",
    alone: Annotated[
        bool, typer.Option("--only-judge", help="Write nothing: no replay page and no record.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Judge what lies there, and end.")] = False,
    color: Annotated[str, typer.Option(help="auto, always or never.")] = "",
) -> None:
    """Judge saves and logs as VASSAL writes them: a line for each new finding, until Ctrl-C.

    Beside a log its replay (game.html) and its record (game.jsonl) are kept up to date.
    """
    from referee.sources.asked import Asked
    from referee.sources.settings import accept_options, read_settings
    from referee.watching.session import session

    settings = read_settings(rulebook, option, house, color)
    accept_options(settings)
    asked = Asked(settings, tuple(ship or ()), module=module, map=map, digests=False)
    session(folder, asked, Printed(settings.colour), tuple(player or ()), game, only_judge=alone, once=once)


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
        from referee.core.safe import safe_line

        typer.echo(safe_line(text))

    def fault(self, text: str) -> None:
        """What could not be done."""
        from referee.core.safe import safe_line

        typer.echo(f"referee: {safe_line(text, 300)}", err=True)
