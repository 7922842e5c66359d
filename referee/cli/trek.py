"""`referee trek`: combats of the Star Trek RPG: play them, judge what was declared, check typed-in charts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.trekodds import trek_odds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.core.finding import InputFile
    from referee.rulebooks.base import Rulebook
    from referee.rulebooks.trek.combatfile import CombatFile
    from referee.rulebooks.trek.play import Play
    from referee.rulebooks.trek.shipyard import Library

RULEBOOK = "trek"
FORMATS = ("full", "json")
_File = Annotated[str, typer.Argument(help="A combat file (JSON).")]
_Data = Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")]
_Options = Annotated[
    list[str] | None, typer.Option("--option", help="A choice about the rules, as key=value.")
]
_House = Annotated[str, typer.Option(help="A house-rules file (TOML).")]
_Json = Annotated[bool, typer.Option("--json", help="As JSON.")]
_Output = Annotated[str, typer.Option("-o", "--output", help="Write the result here.")]


def register(app: typer.Typer) -> None:
    """Adds the command group."""
    group = typer.Typer(help="Starship combat of the Star Trek RPG.", no_args_is_help=True)
    group.command("play")(trek_play)
    group.command("check")(trek_check)
    group.command("ships")(trek_ships)
    group.command("work")(trek_work)
    group.command("odds")(trek_odds)
    chart = typer.Typer(help="Charts typed in from the books.", no_args_is_help=True)
    chart.command("check")(trek_chart_check)
    group.add_typer(chart, name="chart")
    app.add_typer(group, name="trek")


def trek_play(
    file: _File,
    data: _Data = "",
    side: Annotated[str, typer.Option("--as", help="Only what this side knows.")] = "",
    dice: Annotated[str, typer.Option(help="Rolls instead of the file's, in order.")] = "",
    seed: Annotated[str, typer.Option(help="Practice dice from this text instead of the file's.")] = "",
    option: _Options = None,
    house: _House = "",
    json: _Json = False,
    output: _Output = "",
) -> None:
    """Play a combat file to its end, and print its log. Exit 1 if an action was against a rule."""
    from json import dumps

    from referee.cli.dicecup import must_be_used_up
    from referee.cli.output import chosen_format, write_output
    from referee.core.finding import Report
    from referee.report.checkjson import finding_json
    from referee.report.trektext import combat_text
    from referee.rulebooks.trek.turns import play_combat
    from referee.rulebooks.trek.views import findings_for, report_json, side_json

    form = chosen_format("json" if json else "", output, FORMATS)
    book, shelf, combat = _read(file, data, option, house)
    cup = _cup(combat, dice, seed)
    play = play_combat(book, shelf.charts, combat, cup)
    must_be_used_up(cup, None)
    findings = findings_for(play.findings, play.state, side) if side else play.findings
    verdict = Report(tuple(findings)).verdict.value
    told = [finding_json(finding) for finding in findings]
    title = combat.title
    report = side_json(play, title, side, told, verdict) if side else report_json(play, title, told, verdict)
    write_output(dumps(report, indent=2) + "\n" if form == "json" else combat_text(report), output, [file])
    raise typer.Exit(1 if verdict == "illegal" else 0)


def trek_check(
    file: _File,
    data: _Data = "",
    option: _Options = None,
    house: _House = "",
    json: _Json = False,
    output: _Output = "",
) -> None:
    """Judge what a combat file declares; actions that depend on dice need the file's dice or seed."""
    from referee.core.dice import ScriptedDice, seeded_dice
    from referee.rulebooks.trek.turns import NoDice, play_combat

    book, shelf, combat = _read(file, data, option, house)
    cup: Any = NoDice()
    if combat.dice is not None:
        cup = ScriptedDice(combat.dice)
    elif combat.seed:
        cup = seeded_dice(combat.seed)
    _tell(_report(play_combat(book, shelf.charts, combat, cup), file), json, output, file)


def trek_chart_check(file: _File, json: _Json = False, output: _Output = "") -> None:
    """Judge typed-in charts: falling with range, complete, mirror-symmetric, in proportion."""
    from referee.core.finding import Report
    from referee.rulebooks.registry import load_rulebook
    from referee.rulebooks.trek.chartcheck import check_charts

    findings = check_charts(load_rulebook(RULEBOOK), _document(file, "trek-charts"), file)
    rules = ("trek-19", "trek-46", "trek-55", "trek-66")
    _tell(Report(tuple(findings), rules, inputs=(_input(file),), rulebook=RULEBOOK), json, output, file)


def trek_ships(data: _Data = "", json: _Json = False) -> None:
    """List the ships there are, packaged and your own."""
    from json import dumps

    from referee.rulebooks.registry import load_rulebook

    shelf = library_at(load_rulebook(RULEBOOK), data)
    rows = [
        {"id": id, "name": ship.name, "kind": ship.kind, "homebrew": ship.homebrew}
        for id, ship in sorted(shelf.ships.items())
    ]
    if json:
        typer.echo(dumps({"schema": "referee/trek-ships/1", "ships": rows}, indent=2))
        return
    for row in rows:
        typer.echo(f"{row['id']:<20} {row['name']} ({row['kind']}{', homebrew' if row['homebrew'] else ''})")


def trek_work(
    rule: Annotated[str, typer.Argument(help="A rule that works something out: trek-51.")],
    given: Annotated[
        list[str] | None, typer.Argument(help="What is given, as name=value: damage=10.")
    ] = None,
    data: _Data = "",
    json: _Json = False,
) -> None:
    """Work one rule out: what a shield absorbs, what an explosion does, who acts first."""
    from json import dumps

    from referee.rulebooks.trek.working import work_out, worked_from

    shelf = library_at(_book(), data)
    values = worked_from(given or [])
    result = work_out(_book(), shelf.charts, rule, values)
    if json:
        document = {"schema": "referee/trek-work/1", "rule": rule, "given": values, "result": result}
        typer.echo(dumps(document))
    else:
        typer.echo(result if isinstance(result, str) else dumps(result))


def _book() -> Rulebook:
    from referee.rulebooks.registry import load_rulebook

    return load_rulebook(RULEBOOK)


def _read(file: str, data: str, option: list[str] | None, house: str) -> tuple[Rulebook, Library, CombatFile]:
    """A combat file, in the options of house rules, of the file itself, and of settings, the last winning."""
    from referee.cli.settings import accept_options, read_settings, rulebook_in_force
    from referee.rulebooks.trek.combatfile import in_force, read_combat

    said = _document(file, "trek-combat")
    settings = read_settings("", option, house)
    accept_options(settings)
    book = rulebook_in_force(RULEBOOK, settings, lenient=True)
    chosen = {name: value for name, value in settings.options.items() if name in book.options}
    book = in_force(book, said, chosen)
    shelf = library_at(book, data)
    return book, shelf, read_combat(said, shelf.ships, shelf.crews, shelf.charts, file)


def _document(file: str, schema: str) -> dict[str, Any]:
    from referee.formats.files import read_bytes
    from referee.formats.limits import MAX_JSON_FILE
    from referee.formats.schemas import hold_against
    from referee.formats.strictjson import load_json

    value = load_json(read_bytes(file, MAX_JSON_FILE), file)
    hold_against(value, schema, file)
    assert isinstance(value, dict)
    return value


def library_at(book: Rulebook, folder: str) -> Library:
    """The packaged ships, crews and charts, with those of an owner's folder in front."""
    from referee.rulebooks.trek.shipyard import library

    return library(book, _owned(folder) if folder else ())


def _owned(folder: str) -> Iterable[tuple[str, dict[str, Any]]]:
    """The documents of an owner's folder, each held against the schema it names."""
    from referee.core.errors import BadInput
    from referee.formats.files import read_bytes
    from referee.formats.limits import MAX_JSON_FILE
    from referee.formats.strictjson import load_json

    if not Path(folder).is_dir():
        raise BadInput("is no folder", file=folder, hint="--data takes a folder of JSON files")
    schemas = {f"referee/trek-{name}/1": f"trek-{name}" for name in ("ship", "crew", "charts")}
    for path in sorted(Path(folder).glob("*.json")):
        value = load_json(read_bytes(path, MAX_JSON_FILE), str(path))
        named = value.get("schema") if isinstance(value, dict) else None
        if named not in schemas:
            raise BadInput("names no schema of ships, crews or charts", file=str(path), place="/schema")
        yield str(path), _document(str(path), schemas[named])


def _cup(combat: CombatFile, dice: str, seed: str) -> Any:
    """The dice a player asked for, else those of the file, else drawn."""
    from referee.cli.dicecup import chosen_dice
    from referee.core.dice import ScriptedDice

    if dice or seed:
        return chosen_dice(dice, seed, False)
    if combat.dice is not None:
        return ScriptedDice(combat.dice)
    return chosen_dice("", combat.seed, False)


def _input(file: str) -> InputFile:
    """The file that was judged, by what its bytes hash to."""
    from hashlib import sha256

    from referee.core.finding import InputFile
    from referee.formats.files import read_bytes
    from referee.formats.limits import MAX_JSON_FILE

    return InputFile(file, sha256(read_bytes(file, MAX_JSON_FILE)).hexdigest())


def _report(play: Play, file: str) -> Any:
    from referee.core.finding import Report

    return Report(
        findings=tuple(play.findings),
        checked=tuple(play.checked),
        not_checked=tuple(dict.fromkeys(play.not_checked)),
        inputs=(_input(file),),
        rulebook=RULEBOOK,
        options={name: play.book.option(name) for name in play.book.options},
    )


def _tell(report: Any, json: bool, output: str, file: str) -> None:
    import sys

    from referee.cli.output import chosen_format, write_output
    from referee.core.finding import Verdict
    from referee.report.checkjson import as_json
    from referee.report.checktext import full
    from referee.report.paint import paint_for

    form = chosen_format("json" if json else "", output, FORMATS)
    paint = paint_for(sys.stdout, "never" if output else "auto")
    write_output(as_json(report) if form == "json" else full(report, paint), output, [file])
    raise typer.Exit(1 if report.verdict is Verdict.ILLEGAL else 0)
