"""Options and arguments that several commands have, with what their help says."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="As JSON.")]
RecordFile = Annotated[str, typer.Argument(help="The record.")]
OwnDocuments = Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")]
Choices = Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")]
House = Annotated[str, typer.Option(help="A house-rules file (TOML).")]
As = Annotated[str, typer.Option("--as", help="The player this is for.")]
Side = Annotated[str, typer.Option("--as", help="Only what this side knows, where sides have secrets.")]
WrittenHere = Annotated[str, typer.Option("-o", "--output", help="Write it here.")]
Output = Annotated[str, typer.Option("-o", "--output", help="Write the result here.")]
SheetOutput = Annotated[str, typer.Option("-o", "--output", help="Write it here: .xlsx or .csv.")]
Reason = Annotated[str, typer.Option(help="Why.")]
FormatJson = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Encoding = Annotated[str, typer.Option(help="Text encoding of a very old save.")]
Color = Annotated[str, typer.Option(help="auto, always or never.")]
StdinName = Annotated[str, typer.Option(help="The name standard input is reported by.")]
PracticeText = Annotated[str, typer.Option(help="Practice dice from this text.")]
ForceFoul = Annotated[
    bool, typer.Option("--force", help="Record it though it is against the rules, with the foul.")
]
ByHand = Annotated[
    bool, typer.Option("--by-hand", help="Its dice are thrown on the table and typed in (dice enter).")
]
AgreedToGoOn = Annotated[str, typer.Option(help="Who agrees to go on with something still to do: alice,bob.")]
Points = Annotated[int | None, typer.Option(help="Points that strike, before anything absorbs them.")]
Internals = Annotated[
    int | None, typer.Option(help="Points already through the shields; armor still absorbs.")
]
Shield = Annotated[int | None, typer.Option(help="The shield struck, 1 to 6.")]
Directions = Annotated[
    list[str] | None, typer.Option(help="From where: row:B, LF, 0719>0619A; of several, POINTS:WHERE.")
]
Classes = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=CLASS", help="The class of a ship that the file does not give."),
]
FormsBeside = Annotated[
    list[str] | None,
    typer.Option(metavar="SHIP=FILE", help="Its energy form, beside an online client's log."),
]
SeekerTargets = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="SEEKER=SHIP", help="What it goes after, in such a log."),
]
Part = Annotated[int, typer.Option(metavar="N", min=0, help="Which game, of such a log of several.")]
SideOfRecord = Annotated[
    str, typer.Option("--as", metavar="SIDE", help="Of a record, only what this side knows.")
]
InputName = Annotated[str, typer.Option(metavar="NAME", help="The name standard input is reported by.")]
Module = Annotated[str, typer.Option(metavar="MODULE", help="The VASSAL module, if it does not lie beside.")]
ModuleMap = Annotated[
    str, typer.Option(metavar="MODULE_MAP", help="A module map: what the module's names mean (init map).")
]
Targets = Annotated[
    list[str] | None, typer.Option("--target", help="SEEKER=SHIP: what it goes after, in such a log.")
]
