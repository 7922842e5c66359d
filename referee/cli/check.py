"""`referee check`: judges any readable file."""

# Annotations are no texts here: Typer would compile each of them when the program starts, a twentieth of its time.

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from referee.cli.options import (
    Choices,
    Colour,
    DataFolder,
    Encoding,
    House,
    JsonFormat,
    MapFile,
    ModuleFile,
    StdinName,
)
from referee.cli.output import chosen_format, one_format, write_output
from referee.core.errors import BadInput, RefereeError
from referee.core.finding import Report, Verdict
from referee.core.frozen import replace
from referee.core.safe import safe_line
from referee.judging.folders import files_meant, of_all
from referee.judging.forms import with_settings_found
from referee.judging.parallel_check import judged
from referee.rulebooks.base import nearest
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from referee.sources.asked import Asked
from referee.sources.settings import accept_options, read_settings

if TYPE_CHECKING:
    from concurrent.futures import Executor

FORMATS = ("full", "concise", "summary", "json", "jsonl", "markdown", "html")
Names = tuple[str, ...]
_BESIDE: Mapping[str, Literal["", "rows", "pictures"]] = {"full": "rows", "html": "pictures"}
"""What a format shows beside its words."""
_WORST_FIRST = (70, 3, 4, 2, 1, 0)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("check")(check)


def check(
    files: Annotated[
        list[str],
        typer.Argument(help="Forms, saves, logs, ships, combats, folders of them; - for standard input."),
    ],
    rulebook: Annotated[str, typer.Option(help="Judge by this rulebook instead of the ship's.")] = "",
    ship: Annotated[
        list[str] | None, typer.Option(help="The form's ship; for a save NAME=SHIP, once for each.")
    ] = None,
    state: Annotated[str, typer.Option(help="The ship's state before the form's first turn (JSON).")] = "",
    game: Annotated[
        str,
        typer.Option(help="The record a form is of: judged by the ship as it is there; nothing is recorded."),
    ] = "",
    module: ModuleFile = "",
    map: MapFile = "",
    start: Annotated[
        str, typer.Option(help="Turn and impulse a log begins in, as 2.4, if no tracker shows it.")
    ] = "",
    beside: Annotated[
        list[str] | None,
        typer.Option("--form", help="SHIP=FILE: its energy form, beside an online client's log."),
    ] = None,
    targets: Annotated[
        list[str] | None,
        typer.Option("--target", help="SEEKER=SHIP: what it goes after, in an online client's log."),
    ] = None,
    side: Annotated[str, typer.Option("--as", help="Of a record, only what this side knows.")] = "",
    data: DataFolder = "",
    option: Choices = None,
    house: House = "",
    select: Annotated[
        list[str] | None, typer.Option(help="Only these rules, by number or beginning.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Not these rules.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 also for cannot-tell.")] = False,
    format: Annotated[str, typer.Option(help=f"One of {', '.join(FORMATS)}.")] = "",
    json: JsonFormat = False,
    summary: Annotated[bool, typer.Option("--summary", help="A row a file, and how many are legal.")] = False,
    energy: Annotated[
        bool, typer.Option("--energy", help="Show where the energy of each turn went.")
    ] = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write the report here.")] = "",
    encoding: Encoding = "",
    stdin_name: StdinName = "-",
    color: Colour = "",
    workers: Annotated[int, typer.Option(help="Processes that share many files; 0 is as many as pay.")] = 0,
    cluster: Annotated[
        str, typer.Option(help="A Dask scheduler that shares the files: tcp://host:8786.")
    ] = "",
) -> None:
    """Judge energy forms, saves and ships; say what is wrong, where, by which rule, and how to fix it."""
    settings = read_settings(rulebook, option, house, color)
    accept_options(settings)
    if json:
        format = "json"
    form = chosen_format(one_format(format, summary=summary), output, FORMATS)
    selected, ignored = _rules_named("--select", select), _rules_named("--ignore", ignore)
    hashed = form not in ("full", "concise", "summary")
    if game:
        options = {"rulebook": rulebook, "option": option, "house": house, "state": state, "start": start}
        _left_to_the_record(options | {"as": side, "data": data})
    parts = (
        module,
        hashed,
        map,
        data,
        _moment(start),
        side,
        game,
        tuple(beside or ()),
        _BESIDE.get(form, ""),
        tuple(targets or ()),
    )
    asked = Asked(settings, tuple(ship or ()), state, encoding or None, *parts)
    paths, others, folders = files_meant(files, output)
    with _cluster(cluster, workers) as executor:
        rest = judged(paths, asked, stdin_name, workers, executor)
        if len(paths) > 1:
            from referee.cli.progress import with_progress

            rest = with_progress(rest, len(paths))
        outcomes = list(rest)
    if len(paths) == 1 and isinstance(outcome := outcomes[0], RefereeError):
        raise outcome
    report, failures = of_all(zip(paths, outcomes, strict=True), files, others, selected, ignored)
    report = replace(with_settings_found(report, (house,)), folders=tuple(folders))
    to_file = output not in ("", "-")
    if to_file or form not in ("full", "summary") or len(report.files) < 2:  # Else they stand in the table.
        for failure in failures:
            typer.echo(f"referee: {_safe(str(failure))}", err=True)
    line = ""
    if to_file and not format:
        from referee.report.checktext import last_line
        from referee.report.paint import paint_for

        line = last_line(report, paint_for(sys.stdout, settings.colour))
    write_output(
        _render(report, form, settings.colour, bool(output), energy=energy), output, paths, line=line
    )
    codes = [failure.exit_code for failure in failures]
    if report.verdict is Verdict.ILLEGAL or (strict and report.verdict is Verdict.CANNOT_TELL):
        codes.append(1)
    raise typer.Exit(next((code for code in _WORST_FIRST if code in codes), 0))


def _cluster(address: str, workers: int) -> "AbstractContextManager[Executor | None]":
    """The executor of a Dask scheduler, or none. Raises BadInput where there is none at the address."""
    if not address:
        return nullcontext()
    if workers:
        raise BadInput("--workers with --cluster", hint="a cluster has its own workers")
    from referee.chances.workers import cluster_executor

    return cluster_executor(address)


def _left_to_the_record(options: Mapping[str, object]) -> None:
    """Raises BadInput for options that say what the record says."""
    if wrong := next((name for name, value in options.items() if value), None):
        hint = "the rules and the ship's state are the record's"
        raise BadInput(f"--{wrong} with --game", hint=hint)


def _moment(given: str) -> tuple[int, int | None] | None:
    """A turn, or turn and impulse as `2.4`. Raises BadInput for anything else."""
    if not given:
        return None
    turn, dot, impulse = given.partition(".")
    numbers = [int(text) for text in (turn, impulse) if text.isascii() and text.isdecimal() and len(text) < 4]
    if len(numbers) != 1 + bool(dot) or 0 in numbers:
        raise BadInput(f"no turn and impulse: {given[:20]!r}", place="--start", hint="write it as 2.4")
    return numbers[0], numbers[1] if dot else None


def _rules_named(option: str, given: list[str] | None) -> tuple[str, ...]:
    """Rule numbers or their beginnings, comma by comma. Raises BadInput for one that no rule begins with."""
    names = tuple(name.strip() for part in given or () for name in part.split(",") if name.strip())
    if names:
        known = {key for id in rulebook_ids() for key in load_rulebook(id).rules} | {"NOTE", "SHIP"}
        for name in names:
            if not any(key.startswith(name) or name.startswith(f"{key}/") for key in known):
                raise BadInput(f"no rule begins with {name}", place=option, hint=nearest(name, known))
    return names


def _safe(text: str) -> str:
    return safe_line(text, 300)


def _render(report: Report, form: str, colour: str, to_file: bool, *, energy: bool) -> str:
    if form in ("full", "concise", "summary"):
        from referee.report import checktext
        from referee.report.paint import Paint, paint_for

        paint = Paint(False) if to_file else paint_for(sys.stdout, colour)
        if form == "full":
            return checktext.full(report, paint, energy=energy)
        return (checktext.concise if form == "concise" else checktext.summary)(report, paint)
    if form in ("json", "jsonl"):
        from referee.report import checkjson

        return (checkjson.as_json if form == "json" else checkjson.as_json_lines)(report)

    render: str = import_module(f"referee.report.check{form}").render(report)
    return render
