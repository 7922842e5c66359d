"""`referee game report`: a game told when it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import AsJson, SideKnows
from referee.cli.output import chosen_format, one_format, write_told
from referee.judging.battles import battle_in
from referee.report.battleblocks import result_line
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings

if TYPE_CHECKING:
    from referee.core.battle import Battle

FORMATS = ("full", "html", "markdown", "json")


def register(game: typer.Typer) -> None:
    """Adds the command."""
    game.command("report")(game_report)


def game_report(
    path: Annotated[
        str, typer.Argument(metavar="GAME", help="The record; or an orders file, a save, a log.")
    ],
    side: SideKnows = "",
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="Write it here: report.html, report.md, report.txt, report.json."
        ),
    ] = "",
    format: Annotated[
        str, typer.Option(help=f"One of {', '.join(FORMATS)}; else by the name of the output.")
    ] = "",
    json: AsJson = False,
    module: Annotated[
        str, typer.Option(metavar="MODULE", help="The VASSAL module of a log, if it does not lie beside.")
    ] = "",
    ship: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=CLASS", help="The class of a ship that the log does not give."),
    ] = None,
) -> None:
    """Tell the whole game: every move, shot and hit, who did what to whom, the dice, fouls, rulings, and the SSDs."""
    asked = one_format(format, json=json)
    chosen = chosen_format(asked, output, FORMATS)
    if path.endswith(".jsonl"):
        from referee.cli.game_status import warn_of_rules
        from referee.play.game_file import open_game

        warn_of_rules(open_game(path))
    battle = battle_in(read_input(path), Asked(Settings(), tuple(ship or ()), module=module), side)
    line = "" if asked else f"{battle.title}: {result_line(battle)}"
    write_told(_written(battle, chosen), output, [path], line)


def _written(battle: Battle, chosen: str) -> str:
    """A battle in a format."""
    if chosen == "html":
        from referee.report.battlehtml import battle_html

        return battle_html(battle)
    if chosen == "markdown":
        from referee.report.battlemarkdown import battle_markdown

        return battle_markdown(battle)
    if chosen == "json":
        from referee.report.battlejson import battle_json

        return battle_json(battle)
    from referee.report.battletext import battle_text

    return battle_text(battle)
