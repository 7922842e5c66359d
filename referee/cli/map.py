"""`referee map`: the hexes in play of a save, a log or a record as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Classes, FormsBeside, InputName, Module, ModuleMap, Part, Side, Targets
from referee.cli.output import must_be_writable_as, write_output
from referee.core.errors import BadInput
from referee.judging.map_scene import (
    bands_of,
    is_launched,
    position_at,
    ranges_of,
    struck_in_turn,
    tracks_of,
    weapon_named,
)
from referee.judging.next_moves import next_move
from referee.judging.played_games import played_game
from referee.report.mapsvg import Bearing, MapMarks, map_svg
from referee.sources.asked import Asked
from referee.sources.default_game import named_or_only
from referee.sources.inputs import read_input
from referee.sources.settings import Settings

if TYPE_CHECKING:
    from referee.core.positions import PlayedGame, Position


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("map")(map_)


def map_(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]", help="A save, a log, an orders file or a record; the only record here."
        ),
    ] = "",
    at: Annotated[
        str, typer.Option(metavar="MOMENT", help="The moment shown: 2.14, turn 2, or entry #120 of a record.")
    ] = "",
    step: Annotated[int | None, typer.Option(metavar="N", help="A log as it stood after this step.")] = None,
    weapon: Annotated[
        str, typer.Option(metavar="WEAPON", help='Show where it bears, by range: "Constellation PH-1/A".')
    ] = "",
    next: Annotated[str, typer.Option(metavar="SHIP", help="Show the hexes this ship may enter next.")] = "",
    module: Module = "",
    map: ModuleMap = "",
    ship: Classes = None,
    form: FormsBeside = None,
    targets: Targets = None,
    part: Part = 0,
    side: Side = "",
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Write the picture here.")
    ] = "",
    stdin_name: InputName = "-",
) -> None:
    """Draw the hexes in play: where ships and seekers are, the ways of the turn, and which shields were struck."""
    must_be_writable_as(output, "svg")
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
    game = played_game(read_input(file, stdin_name), asked, step)
    n, position = position_at(game, at)
    bearing = _bearing(game, position, weapon) if weapon else None
    entered = next_move(game, n, next) if next else None
    hexes, caption = (entered.hexes, entered.caption) if entered else ((), "")
    shown = MapMarks(tracks_of(game, n), hexes, bearing, struck_in_turn(game, n), game.board.edges, caption)
    write_output(map_svg(position, game.title, shown, game.board.named), output, [file])


def _bearing(game: PlayedGame, position: Position, named: str) -> Bearing:
    ship, mount = weapon_named(game, position, named)
    if ship.hex is None:
        raise BadInput(
            f"{ship.name}'s hex is not known", file=game.file, hint="--module names the hexes of a save"
        )
    title = f"{mount.id} of {ship.name} ({mount.arc})"
    bands, ranges = bands_of(game.in_force, ship, mount), ranges_of(game.in_force, mount)
    return Bearing(title, bands, ranges, is_launched(game.in_force, mount))
