"""`referee vassal`: what is inside VASSAL files."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import Choices, Encoding, StdinName, WrittenHere
from referee.cli.output import Force, must_be_writable_as, write_output
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.formats.vassal.container import open_save
from referee.formats.vassal.game import read_save
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings, read_settings

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.sources.inputs import InputBytes


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="VASSAL saves, logs and modules as data.", no_args_is_help=True)
    group.command("dump")(dump)
    group.command("write")(write)
    group.callback()(_group)
    app.add_typer(group, name="vassal")


def _group() -> None:
    """VASSAL saves, logs and modules as data."""


def dump(
    file: Annotated[str, typer.Argument(help="A .vsav, .vlog or .vmod; - for standard input.")],
    module: Annotated[str, typer.Option(help="The module, for the names of hexes.")] = "",
    json: Annotated[bool, typer.Option("--json", help="JSON (the only form there is).")] = False,
    output: WrittenHere = "",
    encoding: Encoding = "",
    stdin_name: StdinName = "-.vsav",
) -> None:
    """Everything in a save, log or module, losslessly decoded; player passwords struck out."""
    must_be_writable_as(output, "json")
    data = dumped(read_input(file, stdin_name), module, encoding or None)
    write_output(
        dumps({"schema": "referee/vassal-dump/1", **data}, indent=None if json else 2) + "\n", output, [file]
    )


def write(
    file: Annotated[str, typer.Argument(help="A .vsav or .vlog; it stays as it is.")],
    output: Annotated[str, typer.Option("-o", "--output", help="The new file.")],
    cell: Annotated[list[str] | None, typer.Option(help="A table's cell, as 'SSD Meridian:B4=16'.")] = None,
    layer: Annotated[
        list[str] | None, typer.Option(help="A layer's level, as 'SSD Meridian:Warp L 1=2', -2 not shown.")
    ] = None,
    field: Annotated[
        list[str] | None, typer.Option(help="A property sheet's field, as 'SSD Meridian:Warp L=5/8'.")
    ] = None,
    property: Annotated[
        list[str] | None, typer.Option(help="A dynamic property, as 'CA Meridian:Speed=8'.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help="A piece's label, as 'CA Meridian=dead'.")] = None,
    say: Annotated[list[str] | None, typer.Option(help="A line of chat added at the end.")] = None,
    note: Annotated[list[str] | None, typer.Option(help="A line added to the public notes.")] = None,
    next_form: Annotated[
        list[str] | None, typer.Option(help="Begin the next turn on a ship's form; all for every ship.")
    ] = None,
    state: Annotated[
        list[str] | None, typer.Option(help="Mark a ship's damage, as 'CA Meridian=state.json'.")
    ] = None,
    game: Annotated[
        str, typer.Option(help="Put in what a record says: forms, damage, hexes, time; rulings, head.")
    ] = "",
    ship: Annotated[list[str] | None, typer.Option(help="What a ship is: 'CA Meridian=CLASS'.")] = None,
    map: Annotated[str, typer.Option(help="What the module's names mean (referee init map).")] = "",
    module: Annotated[str, typer.Option(help="The module, to put counters where a record has them.")] = "",
    rulebook: Annotated[str, typer.Option(help="The rulebook, where the ships do not show it.")] = "",
    option: Choices = None,
    encoding: Encoding = "",
    force: Force = False,
) -> None:
    """Write a new save: forms, damage marks, labels, notes or chat changed, all else byte for byte the same."""
    from referee.formats.vassal.edit import Draft

    source = read_input(file)
    if source.kind != "save":
        raise source.no("not a VASSAL save or log", "referee form next writes forms")
    save = read_save(source.data, source.name, encoding or None)
    states = [given.rpartition("=")[2] for given in state or ()]
    inputs = [path for path in (file, module, map, game, *states) if path]
    _hold_name(output, save.kind)
    draft = Draft(save)
    changes = {"cell": cell, "layer": layer, "field": field, "property": property, "label": label}
    about_ships = bool(next_form or state or (game and save.kind == "save"))
    if save.kind == "log" and (any(changes.values()) or about_ships or note):
        raise BadInput(
            "is a log, whose pieces change with its steps", file=file, hint="--say and --game add to its chat"
        )
    written: set[tuple[object, ...]] = set()
    for kind, wanted in changes.items():
        for change in wanted or ():
            _change(draft, save, kind, change, written)
    if about_ships:
        from referee.play.write_save import write_ships

        settings = read_settings(rulebook, option)
        asked = Asked(settings, tuple(ship or ()), encoding=encoding or None, module=module, map=map)
        for unwritten in write_ships(draft, save, asked, next_form or (), state or (), game):
            typer.echo(f"not written: {unwritten}", err=True)
    elif game:
        from referee.play.game_file import open_game
        from referee.play.not_written import not_in_a_log

        for unwritten in not_in_a_log(open_game(game)):
            typer.echo(f"not written: {unwritten}", err=True)
    for line in note or ():
        draft.note(line)
    for line in (*_said_of(game, save), *(say or ())):
        draft.say(line)
    whole = draft.write(open_save(source.data, source.name, encoding or None))
    write_output(whole, output, inputs, new=not force)


def _hold_name(output: str, kind: str) -> None:
    """Raises BadInput for a new file that VASSAL would not open by its name."""
    suffix = ".vlog" if kind == "log" else ".vsav"
    if output != "-" and Path(output).suffix.lower() != suffix:
        raise BadInput(f"is no name for a {kind}", file=output, hint=f"choose a name that ends in {suffix}")


def _said_of(game: str, save: Any) -> tuple[str, ...]:
    from referee.play.write_save import said_of

    return tuple(said_of(game, save.chat)) if game else ()


def _change(draft: Any, save: Any, kind: str, change: str, written: set[tuple[object, ...]]) -> None:
    """One change, as `PIECE:NAME=VALUE`. Raises BadInput where it cannot be made, or what it changes is
    `written` already."""
    from referee.formats.vassal.edit import cell_place, piece_named

    left, equals, value = change.partition("=")
    name, colon, part = left.rpartition(":") if kind != "label" else (left, ":", "")
    if not (equals and colon):
        raise BadInput(f"--{kind} {change[:60]}", hint="write PIECE:NAME=VALUE")
    piece = piece_named(save, name.strip())
    place = cell_place(part.strip()) if kind == "cell" else (part,)
    if (kind, piece, *place) in written:
        what = f"{kind} {part.strip()} of {name.strip()}" if part else f"the {kind} of {name.strip()}"
        raise BadInput(f"{what[:80]} is written twice", hint="say once what goes there")
    written.add((kind, piece, *place))
    if kind == "cell":
        draft.set_cell(piece, *place, value)
    elif kind == "layer":
        if not value.strip().removeprefix("-").isdecimal() or len(value) > 5:
            raise BadInput(f"level {value[:20]}", hint="a number such as 2, or -2 for not shown")
        draft.set_layer(piece, part, abs(int(value)), int(value) > 0)
    elif kind == "field":
        draft.set_field(piece, part, value)
    elif kind == "property":
        draft.set_property(piece, part, value)
    else:
        draft.set_label(piece, value)


def dumped(
    source: InputBytes,
    module: str = "",
    encoding: str | None = None,
    step: int | None = None,
    *,
    beside: bool = False,
) -> dict[str, Any]:
    """The dump of a VASSAL file, of a log after a step where one is given. With `beside` a module that lies
    beside the file names its places, too, and `named_by` says which. Raises BadInput for any other file."""
    from referee.formats.vassal import dump as vassal
    from referee.formats.vassal.module import read_module
    from referee.formats.vassal.replay import state_at
    from referee.sources.modules import module_of

    if source.kind == "module" and step is None:
        return vassal.dump_module(read_module(source.data, source.name))
    if source.kind != "save":
        raise source.no("not a VASSAL save, log or module", f"referee show {source.name}")
    save = read_save(source.data, source.name, encoding)
    names = module_shown_with(save, module) if beside else module_of(_asked(module))
    data = vassal.dump(save if step is None else state_at(save, step, names), names)
    return {**data, "named_by": Path(names.file).name} if beside and names else data


def module_shown_with(save: Save, module: str) -> Module | None:
    """The module named, else the one beside a save or log that `check` would take; two that lie there, and one
    that is another's, are named on standard error."""
    from referee.sources.modules import module_beside

    found, findings = module_beside(save, _asked(module))
    for finding in findings:
        if found is None or finding.severity is not Severity.NOTE:
            typer.echo(f"referee: {save.file}: {finding.message}", err=True)
    return found


def _asked(module: str) -> Asked:
    return Asked(Settings(), module=module)
