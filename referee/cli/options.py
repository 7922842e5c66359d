"""Options that several commands have, each with its one help."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Record = Annotated[str, typer.Argument(help="The record.")]
Choices = Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")]
DataFolder = Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")]
House = Annotated[str, typer.Option(help="A house-rules file (TOML).")]
Output = Annotated[str, typer.Option("-o", "--output", help="Write it here.")]
Result = Annotated[str, typer.Option("-o", "--output", help="Write the result here.")]
JsonFormat = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Colour = Annotated[str, typer.Option(help="auto, always or never.")]
Encoding = Annotated[str, typer.Option(help="Text encoding of a very old save.")]
Reason = Annotated[str, typer.Option(help="Why.")]
FormFile = Annotated[str, typer.Option("-o", "--output", help="Write it here: .xlsx or .csv.")]
InputName = Annotated[str, typer.Option(metavar="NAME", help="The name standard input is reported by.")]
StdinName = Annotated[str, typer.Option(help="The name standard input is reported by.")]
Seed = Annotated[str, typer.Option(help="Practice dice from this text.")]
Targets = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="SEEKER=SHIP", help="What it goes after, in such a log."),
]
Classes = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=CLASS", help="The class of a ship that the file does not give."),
]
FormsBeside = Annotated[
    list[str] | None,
    typer.Option(metavar="SHIP=FILE", help="Its energy form, beside an online client's log."),
]
Part = Annotated[int, typer.Option(metavar="N", min=0, help="Which game, of such a log of several.")]
Side = Annotated[str, typer.Option("--as", metavar="SIDE", help="Of a record, only what this side knows.")]
SideKnows = Annotated[str, typer.Option("--as", help="Only what this side knows, where sides have secrets.")]
Direction = Annotated[
    list[str] | None, typer.Option(help="From where: row:B, LF, 0719>0619A; of several, POINTS:WHERE.")
]
NewFile = Annotated[str, typer.Option("-o", "--output", help="The new file.")]
Module = Annotated[str, typer.Option(metavar="MODULE", help="The VASSAL module, if it does not lie beside.")]
ModuleMap = Annotated[
    str, typer.Option(metavar="MODULE_MAP", help="A module map: what the module's names mean (init map).")
]
Ask = Annotated[bool, typer.Option("--ask", help="Ask for every roll.")]
Damage = Annotated[int | None, typer.Option(help="Points that strike, before anything absorbs them.")]
Internals = Annotated[
    int | None, typer.Option(help="Points already through the shields; armor still absorbs.")
]
Shield = Annotated[int | None, typer.Option(help="The shield struck, 1 to 6.")]
Roller = Annotated[str, typer.Option("--as", help="In a game: the player who rolls.")]
ByHand = Annotated[
    bool, typer.Option("--by-hand", help="In a game: thrown on the table and typed in (dice enter).")
]
Agreed = Annotated[str, typer.Option(help="Who agrees to go on with something still to do: alice,bob.")]
StateBefore = Annotated[str, typer.Option(help="The ship's state before (JSON).")]

As = Annotated[str, typer.Option("--as", help="The player this is for.")]

Forced = Annotated[
    bool, typer.Option("--force", help="Record it though it is against the rules, with the foul.")
]
MapFile = Annotated[str, typer.Option(help="A module map: what the module's names mean (init map).")]
ModuleFile = Annotated[str, typer.Option(help="The VASSAL module, for the names of hexes.")]


def options_given(context: typer.Context) -> dict[str, Any]:
    """The options and arguments that were given, by name: not those that are as they are unless told otherwise."""
    source = context.get_parameter_source
    return {
        name: value
        for name, value in context.params.items()
        if (found := source(name)) and found.name != "DEFAULT"
    }


def picked(given: Mapping[str, Any], names: str) -> dict[str, Any]:
    """Those of the names that were given."""
    return {name: given[name] for name in names.split() if name in given}
