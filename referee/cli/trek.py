"""`referee trek`: what the shared verbs have no word for: a combat file played out, one rule worked out."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import AsJson, DataFolder, House, Result
from referee.cli.output import chosen_format, write_told
from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.rulebooks.registry import load_rulebook
from referee.sources.own_documents import own_document_of, owned_documents

if TYPE_CHECKING:
    from referee.rulebooks.trek.combatfile import CombatFile

RULEBOOK = "trek"


def register(app: typer.Typer) -> None:
    """Adds the command group."""
    group = typer.Typer(help="Starship combat of the Star Trek RPG.", no_args_is_help=True)
    group.command("play")(trek_play)
    group.command("work")(trek_work)
    app.add_typer(group, name="trek")


def _must_be_here() -> None:
    """Raises BadInput where this installation has no such rulebook."""
    load_rulebook(RULEBOOK)


def trek_play(
    file: Annotated[str, typer.Argument(help="A combat file (JSON).")],
    data: DataFolder = "",
    side: Annotated[str, typer.Option("--as", help="Only what this side knows.")] = "",
    dice: Annotated[str, typer.Option(help="Rolls instead of the file's, in order.")] = "",
    seed: Annotated[str, typer.Option(help="Practice dice from this text instead of the file's.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", help="A choice about the rules, as key=value.")
    ] = None,
    house: House = "",
    json: AsJson = False,
    output: Result = "",
) -> None:
    """Play a combat file to its end, and print its log. Exit 1 if an action was against a rule."""
    _must_be_here()

    from referee.cli.rulebook_verbs import FORMATS
    from referee.judging.own_documents import chosen_options
    from referee.report.checkjson import finding_json
    from referee.report.trektext import combat_text
    from referee.rulebooks.trek.views import findings_for, report_json, side_json
    from referee.sources.dice_cup import must_be_used_up
    from referee.sources.inputs import read_input
    from referee.sources.settings import accept_options, read_settings, rulebook_in_force

    form = chosen_format("json" if json else "", output, FORMATS)
    settings = read_settings("", option, house)
    accept_options(settings)
    rulebook = rulebook_in_force(RULEBOOK, settings, lenient=True)
    document = own_document_of(read_input(file))
    if document["schema"] != "referee/trek-combat/1":
        raise BadInput(f"is {document['schema']}, no combat", file=file, place="/schema")
    play, combat = rulebook.offers.play(
        rulebook,
        owned_documents(data),
        document,
        file,
        chosen_options(rulebook, settings),
        lambda it: _cup(it, dice, seed),
    )
    if Report(tuple(play.findings)).verdict.value != "illegal":
        # What is refused throws no dice: those that were given for it are no mistake.
        must_be_used_up(play.dice, None)
    findings = findings_for(play.findings, play.state, side) if side else play.findings
    verdict = Report(tuple(findings)).verdict.value
    rows = [finding_json(finding) for finding in findings]
    title = combat.title
    report = side_json(play, title, side, rows, verdict) if side else report_json(play, title, rows, verdict)
    write_told(dumps(report, indent=2) + "\n" if form == "json" else combat_text(report), output, [file])
    raise typer.Exit(1 if verdict == "illegal" else 0)


def _cup(combat: CombatFile, dice: str, seed: str) -> Any:
    """The dice a player asked for, else those of the file, else drawn."""
    from referee.core.dice import ScriptedDice
    from referee.sources.dice_cup import chosen_dice

    if dice or seed:
        return chosen_dice(dice, seed, False)
    if combat.dice is not None:
        return ScriptedDice(combat.dice)
    return chosen_dice("", combat.seed, False)


def trek_work(
    rule: Annotated[str, typer.Argument(help="A rule that works something out: trek-51.")],
    given: Annotated[
        list[str] | None, typer.Argument(help="What is given, as name=value: damage=10.")
    ] = None,
    data: DataFolder = "",
    json: AsJson = False,
) -> None:
    """Work one rule out: what a shield absorbs, what an explosion does, who acts first."""
    _must_be_here()

    from referee.rulebooks.trek.working import worked_from

    rulebook = load_rulebook(RULEBOOK)
    values = worked_from(given or [])
    result = rulebook.offers.work_out(rulebook, owned_documents(data), rule, values)
    if json:
        document = {"schema": "referee/trek-work/1", "rule": rule, "given": values, "result": result}
        typer.echo(dumps(document))
    else:
        typer.echo(result if isinstance(result, str) else dumps(result))
