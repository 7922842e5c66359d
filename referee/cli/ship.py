"""`referee ship`: the ships there are, and a player's own."""

from __future__ import annotations

from json import dumps
from typing import Annotated

import typer

from referee.cli.options import AsJson, DataFolder
from referee.cli.output import json_text
from referee.core.errors import BadInput
from referee.core.naming import folded
from referee.rulebooks.base import nearest
from referee.rulebooks.registry import (
    descriptor_of,
    is_rulebook,
    load_ship,
    nearest_ships,
    rulebook_ids,
    ship_ids,
)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="Ships: list them, show one, check your own.", no_args_is_help=True)
    group.command("list")(ship_list)
    group.command("show")(ship_show)
    group.command("check")(ship_check)
    app.add_typer(group, name="ship")


def ship_list(
    like: Annotated[str, typer.Argument(help="Only ships with this in their id or name.")] = "",
    rulebook: Annotated[str, typer.Option(help="Only ships of this rulebook.")] = "",
    data: DataFolder = "",
    json: AsJson = False,
) -> None:
    """List the packaged ships."""
    from referee.report.shiptext import ship_row, ships_text
    from referee.report.treksheets import ship_row as own_row
    from referee.sources.own_documents import own_sheets

    if rulebook and not is_rulebook(rulebook):
        raise BadInput(f"no rulebook {rulebook}", hint=nearest(rulebook, rulebook_ids()))

    def meant(id: str, name: str, of: str) -> bool:
        return (not rulebook or of == rulebook) and folded(like) in folded(f"{id} {name}")

    ships = [ship for ship in map(load_ship, ship_ids()) if meant(ship.id, ship.name, ship.rulebook)]
    others = {
        of: {id: ship for id, ship in sheets.items() if meant(id, ship["name"], of)}
        for of, sheets in own_sheets(data).items()
    }
    if like and not ships and not any(others.values()):
        raise BadInput(
            f"no ship is called like {like}",
            hint=nearest_ships(like).partition("known")[0] or "referee ship list",
        )
    if json:
        rows = [
            {"id": s.id, "name": s.name, "rulebook": s.rulebook, "missing": list(s.missing)} for s in ships
        ]
        rows += [
            {"id": id, "name": ship["name"], "rulebook": of, "missing": ship.get("missing", [])}
            for of, sheets in others.items()
            for id, ship in sheets.items()
        ]
        typer.echo(dumps({"schema": "referee/ship-list/1", "ships": rows}, indent=2))
        return
    tables: dict[str, list[tuple[str, ...]]] = {}
    for ship in ships:
        tables.setdefault(ship.rulebook, []).append(ship_row(ship))
    for of, sheets in others.items():
        tables[of] = [own_row(*sheet) for sheet in sheets.items()]
    typer.echo(
        ships_text({f"{descriptor_of(of)['title']} ({of})": rows for of, rows in tables.items() if rows})
    )


def ship_show(
    ship: Annotated[str, typer.Argument(help="An id, a name, or a ship file.")],
    state: Annotated[str, typer.Option(help="What is left of it (JSON).")] = "",
    data: DataFolder = "",
    json: Annotated[bool, typer.Option("--json", help="The ship's JSON.")] = False,
) -> None:
    """Show a ship's data sheet, and how sure each number is."""
    from referee.cli.rulebook_verbs import refuse_unless_own
    from referee.cli.show import show
    from referee.report.shiptext import ship_card
    from referee.sources.own_documents import rulebook_of_ship
    from referee.sources.ship_files import find_ship, sheet_called
    from referee.sources.states import whole_or_read

    if rulebook_of_ship(ship):
        if state:
            raise BadInput(f"--state with {ship}", hint="volley and fire take the state of such a ship")
        show(ship, data=data, json=json)
        return
    refuse_unless_own("ship show", data=data)
    found = find_ship(ship)
    if json:
        typer.echo(json_text(sheet_called(ship)), nl=False)
        return
    typer.echo(ship_card(found, whole_or_read(state, found)))


def ship_check(
    files: Annotated[list[str], typer.Argument(help="Ship files (JSON).")],
    data: DataFolder = "",
    json: AsJson = False,
) -> None:
    """Check ship files: shape, weapons, arcs, tracks, and what is missing or unsure."""
    from referee.cli.check import check

    check(files, data=data, json=json)
