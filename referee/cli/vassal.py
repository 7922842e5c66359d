"""`referee vassal`: what is inside VASSAL files."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="VASSAL saves, logs and modules as data.", no_args_is_help=True)
    group.command("dump")(dump)
    group.callback()(_group)
    app.add_typer(group, name="vassal")


def _group() -> None:
    """VASSAL saves, logs and modules as data."""


def dump(
    file: Annotated[str, typer.Argument(help="A .vsav, .vlog or .vmod; - for standard input.")],
    module: Annotated[str, typer.Option(help="The module, for the names of hexes.")] = "",
    json: Annotated[bool, typer.Option("--json", help="JSON (the only form there is).")] = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write it here.")] = "",
    encoding: Annotated[str, typer.Option(help="Text encoding of a very old save.")] = "",
    stdin_name: Annotated[str, typer.Option(help="The name standard input is reported by.")] = "-.vsav",
) -> None:
    """Everything in a save, log or module, losslessly decoded; player passwords struck out."""
    from json import dumps

    from referee.cli.inputs import read_input
    from referee.cli.output import write_output

    data = dumped(read_input(file, stdin_name), module, encoding or None)
    write_output(
        dumps({"schema": "referee/vassal-dump/1", **data}, indent=None if json else 2) + "\n", output, [file]
    )


def dumped(source: Any, module: str = "", encoding: str | None = None) -> dict[str, Any]:
    """The dump of a VASSAL file. Raises BadInput for any other."""
    from referee.cli.judging import Asked
    from referee.cli.saves import module_of
    from referee.cli.settings import Settings
    from referee.core.errors import BadInput
    from referee.formats.vassal import dump as vassal
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.module import read_module

    if source.kind == "module":
        return vassal.dump_module(read_module(source.data, source.name))
    if source.kind != "save":
        raise BadInput("is not a VASSAL save, log or module", file=source.name)
    save = read_save(source.data, source.name, encoding)
    return vassal.dump(save, module_of(Asked(Settings(), module=module)))
