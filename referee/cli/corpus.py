"""`referee corpus`: runs the published cases on this or another program."""

from __future__ import annotations

from json import dumps
from typing import Annotated

import typer

from referee.cli.options import Json
from referee.cli.output import chosen_format, one_format, write_told


def register(app: typer.Typer) -> None:
    """Adds the group."""
    group = typer.Typer(no_args_is_help=True, help="The published cases: measure a program by them.")
    group.command("run")(run)
    app.add_typer(group, name="corpus")


def run(
    adapter: Annotated[
        str, typer.Option(help="The program that is asked, as it is started: 'node adapter.mjs'.")
    ] = "",
    rulebook: Annotated[str, typer.Option(help="Only the cases of this rulebook.")] = "",
    rule: Annotated[str, typer.Option(help="Only rules whose number begins so.")] = "",
    cases: Annotated[str, typer.Option(help="A case file of your own instead of the published ones.")] = "",
    timeout: Annotated[float, typer.Option(min=0.1, max=600, help="Seconds a program has for a case.")] = 10,
    format: Annotated[str, typer.Option(help="text or json.")] = "",
    json: Json = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write the statement here.")] = "",
) -> None:
    """Run the published cases on this program, or on another that speaks the protocol of docs/corpus.md.

    Exit 0: every case passed or was skipped with a reason. Exit 1: one failed, or none passed.
    """
    from referee.corpus.published import own_cases, published
    from referee.corpus.running import run_cases, statement
    from referee.report.compliance import compliance_text

    asked = one_format(format, json=json)
    form = chosen_format(asked, output, ("text", "json"))
    mine = own_cases(cases, rulebook, rule) if cases else published(rulebook, rule)
    ran = run_cases(list(mine), adapter, seconds=timeout)
    document = statement(ran)
    as_json = form == "json"
    for_people = compliance_text(document)
    text = dumps(document, indent=2, ensure_ascii=False) + "\n" if as_json else for_people
    line = "" if asked else for_people.splitlines()[-1]
    write_told(text, output, [cases] if cases else [], line)
    raise typer.Exit(0 if ran.complies else 1)
