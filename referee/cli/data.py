"""`referee schema`, `init`, `config` and `version`."""

from __future__ import annotations

import re
from copy import deepcopy
from json import dumps
from typing import Annotated

import typer

from referee import __version__
from referee.cli.options import Json, SheetOutput, WrittenHere
from referee.cli.output import Force, must_be_writable_as, write_output
from referee.cli.scenario import init_game
from referee.core.errors import BadInput
from referee.core.ship import OWN


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("schema")(schema)
    app.command("config")(config)
    app.command("version")(version)
    group = typer.Typer(help="Start a file of your own from a template.", no_args_is_help=True)
    group.command("ship")(init_ship)
    group.command("form")(init_form)
    group.command("house")(init_house)
    group.command("map")(init_map)
    group.command("game")(init_game)
    app.add_typer(group, name="init")


def schema(
    name: Annotated[str, typer.Argument(help="A schema; none lists them.")] = "",
    output: WrittenHere = "",
) -> None:
    """Print a JSON Schema: ships, forms, reports, states, volleys, module maps, tables."""
    from referee.formats.schemas import read_schema, schema_names

    if not name:
        typer.echo("\n".join(schema_names()))
        return
    must_be_writable_as(output, "json")
    write_output(dumps(read_schema(name), indent=2, ensure_ascii=False) + "\n", output)


def config(
    trusted: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[trust FILE...]", help="Apply what these files of the folder change, as they are now."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show the settings in force here, and where each comes from."""
    if trusted:
        _trust(trusted)
        return
    from referee.rulebooks.registry import confirmed_ships
    from referee.sources.confirmed import FILE
    from referee.sources.settings import accept_options, read_settings

    settings = read_settings()
    accept_options(settings)
    rows = [
        ("rulebook", settings.rulebook or "(that of the ship)", settings.origins.get("rulebook", "default"))
    ]
    rows += [("house", settings.house.file, "referee.toml")] if settings.house.file else []
    rows += [("color", settings.colour, "default" if settings.colour == "auto" else "referee.toml")]
    rows += [("confirmed ship", id, FILE) for id in confirmed_ships()]
    rows += [(f"option {name}", value, settings.origins[name]) for name, value in settings.options.items()]
    if json:
        document = [{"name": name, "value": value, "from": origin} for name, value, origin in rows]
        typer.echo(dumps({"schema": "referee/config/1", "settings": document}, indent=2))
        return
    for name, value, origin in rows:
        typer.echo(f"{name:<28} {value:<20} from {origin}")


def _trust(words: list[str]) -> None:
    from referee.sources.trust import trust

    if words[0] != "trust" or len(words) == 1:
        raise BadInput("config shows what is in force", hint="referee config trust FILE applies a file")
    for file in words[1:]:
        trust(file)
        typer.echo(f"{file} is trusted as it is now; if it changes, it is not")


def version() -> None:
    """Say which version this is."""
    typer.echo(f"referee {__version__}")


def init_ship(
    name: Annotated[str, typer.Argument(help="What the ship is called: my-ship.")],
    like: Annotated[str, typer.Option(help="Start from this ship.")] = "standard/federation-ca",
    output: Annotated[str, typer.Option("-o", "--output", help="Write it here instead of NAME.json.")] = "",
    force: Force = False,
) -> None:
    """Start a ship file to edit; check it with `referee ship check`."""
    from referee.sources.own_documents import own_sheet
    from referee.sources.ship_files import sheet_called, sourced_in

    plain = re.sub("[^a-z0-9]+", "-", name.removesuffix(".json").lower()).strip("-")[:40]
    if not name or name.strip("-") != plain:
        hint = f"call it {plain}" if plain else "lower-case letters, digits and -, at most 40"
        raise BadInput(f"{name!r} is no name for a ship", hint=f"{hint}; .json is put behind it")
    own = own_sheet(like)
    model = deepcopy(own or sheet_called(like))
    for part in ("aliases", "type", "playable"):
        model.pop(part, None)
    model["id"] = name if own else f"{OWN}{name}"
    # Whose numbers they were says nothing of a ship that is made up.
    for _, number in () if own else sourced_in(model):
        for part in ("source", "status", "note"):
            number.pop(part, None)
    model["name"] = name.replace("-", " ").title()
    model["note"] = "Every number is yours to change."
    must_be_writable_as(output, "json")
    whole = dumps(model, indent=2, ensure_ascii=False) + "\n"
    write_output(whole, output or f"{name}.json", [like], new=not force)


def init_form(
    ship: Annotated[str, typer.Argument(help="The ship the form is for.")],
    output: SheetOutput = "",
    force: Force = False,
) -> None:
    """Start an energy form for a ship: the same as `referee form blank`."""
    from referee.cli.form import form_blank

    form_blank(ship, output=output, force=force)


def init_house(
    name: Annotated[str, typer.Argument(help="What the file is called: duel.toml.")] = "house.toml",
    extends: Annotated[str, typer.Option(help="The rulebook it changes.")] = "sfb-cadet",
    force: Force = False,
) -> None:
    """Start a house-rules file."""
    from referee.rulebooks.registry import load_rulebook

    rulebook = load_rulebook(extends)
    lines = [
        f'id = "{name.removesuffix(".toml")}"',
        f'extends = "{extends}"',
        f'off = []            # rules not played, such as "{rulebook.named.called}"',
        "",
        "[options]           # remove the # to set one",
        *(f'# {option.name} = "{option.default}"   # {option.means}' for option in rulebook.options.values()),
        "",
        "[severity]          # error, warning, note or undecided",
        f'# "{rulebook.named.declared_once}" = "warning"',
    ]
    must_be_writable_as(name, "toml")
    write_output("\n".join(lines) + "\n", name, new=not force)


def init_map(
    file: Annotated[str, typer.Argument(help="A save or log of the module.")],
    module: Annotated[str, typer.Option(help="The module, for the names of hexes.")] = "",
    output: Annotated[str, typer.Option("-o", "--output", help="The new file.")] = "map.json",
    force: Force = False,
) -> None:
    """Draft a module map from a save or log: what its names mean; edit it, then `check --map`."""
    from referee.judging.map_draft import drafted_map
    from referee.sources.asked import Asked
    from referee.sources.inputs import read_input
    from referee.sources.settings import Settings

    must_be_writable_as(output, "json")
    drafted = drafted_map(read_input(file), Asked(Settings(), module=module))
    whole = dumps(drafted, indent=2, ensure_ascii=False) + "\n"
    write_output(whole, output, [file, module], new=not force)
