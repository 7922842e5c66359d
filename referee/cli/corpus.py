"""`referee corpus`: runs the published cases on this or another program, and makes a case of a dispute."""

from __future__ import annotations

import sys
from json import dumps
from typing import Annotated

import typer

from referee.cli.output import chosen_format, one_format, write_output
from referee.core.errors import BadInput
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings


def register(app: typer.Typer) -> None:
    """Adds the group."""
    group = typer.Typer(no_args_is_help=True, help="The published cases: measure a program by them, add one.")
    group.command("run")(run)
    group.command("add")(add)
    app.add_typer(group, name="corpus")


def run(
    adapter: Annotated[
        str, typer.Option(help="The program that is asked, as it is started: 'node adapter.mjs'.")
    ] = "",
    rulebook: Annotated[str, typer.Option(help="Only the cases of this rulebook.")] = "",
    rule: Annotated[str, typer.Option(help="Only rules whose number begins so.")] = "",
    cases: Annotated[str, typer.Option(help="A case file of your own instead of the published ones.")] = "",
    timeout: Annotated[float, typer.Option(min=0.1, max=600, help="Seconds a program has for a case.")] = 10,
    format: Annotated[str, typer.Option(help="text, json or html.")] = "",
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write the statement here.")] = "",
) -> None:
    """Run the published cases on this program, or on another that speaks the protocol of docs/corpus.md.

    Exit 0: every case passed or was skipped with a reason. Exit 1: one failed, or none passed.
    """
    from referee.corpus.published import own_cases, published
    from referee.corpus.running import run_cases, statement
    from referee.report.compliance import compliance_html, compliance_text

    form = chosen_format(one_format(format, json=json), output, ("text", "json", "html"))
    mine = own_cases(cases, rulebook, rule) if cases else published(rulebook, rule)
    ran = run_cases(list(mine), adapter, seconds=timeout)
    document = statement(ran)
    if form == "json":
        text = dumps(document, indent=2, ensure_ascii=False) + "\n"
    else:
        text = compliance_html(document) if form == "html" else compliance_text(document)
    write_output(text, output, [cases] if cases else [])
    raise typer.Exit(0 if ran.complies else 1)


def add(
    file: Annotated[
        str, typer.Argument(help="An energy form (CSV, XLSX, ODS), an orders file, a log or a record.")
    ],
    rule: Annotated[str, typer.Option(help="The number of the rule it is about.")] = "",
    verdict: Annotated[str, typer.Option(help="What you hold it is: legal, illegal or cannot-tell.")] = "",
    sentence: Annotated[
        str, typer.Option("--says", help="What happens in it, in a sentence of your own.")
    ] = "",
    ship: Annotated[
        list[str] | None,
        typer.Option(
            help="The class of ship a form is for, - for orders; of a log NAME=CLASS, as for check."
        ),
    ] = None,
    at: Annotated[str, typer.Option(help="The turn and impulse a log or record is cut to: 2.5.")] = "",
    module: Annotated[str, typer.Option(help="The VASSAL module of a log.")] = "",
    option: Annotated[
        list[str] | None, typer.Option(help="What is played otherwise, as key=value; - for nothing.")
    ] = None,
    rulebook: Annotated[str, typer.Option(help="The rulebook, where file and ship do not say it.")] = "",
    output: Annotated[str, typer.Option("-o", "--output", help="Write the case here.")] = "",
) -> None:
    """Make a case of a dispute: five questions, asked on a terminal where they are not answered here.

    A log or record is cut to the moment, its ships called One and Two. It is refused if it holds names, or more than the one fault. Exit 1 if this program rules otherwise than you.
    """
    from referee.corpus.dispute import QUESTIONS, Dispute, case_of, file_name, questions_for

    source, ships = read_input(file), tuple(ship or ())
    given = {"rule": rule, "verdict": verdict, "sentence": sentence, "ship": " ".join(ships), "at": at}
    given["options"] = " ".join(option or ())
    answers = given | {name: given[name] or _ask(name, QUESTIONS[name]) for name in questions_for(source)}
    named = tuple(name for name in ships if name != "-")
    dispute = Dispute(
        source, rulebook, **answers, asked=Asked(Settings(rulebook), ships=named, module=module)
    )
    document, ruling = case_of(dispute)
    whole = dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_output(whole, output or file_name(document), new=True)
    held = document["cases"][0]["expected"]["verdict"]
    typer.echo(f"you hold it {held}; this program rules it {ruling}")
    raise typer.Exit(0 if held == ruling else 1)


def _ask(name: str, question: str) -> str:
    """The answer to a question on a terminal. Raises BadInput without one."""
    from referee.cli.asking import ask

    option = {"options": "option", "sentence": "says"}.get(name, name)
    if not sys.stdin.isatty():
        raise BadInput(f"not said: {question}", hint=f"--{option}, or answer on a terminal")
    reply = ask(f"{question} ")
    if reply is None:
        raise typer.Abort
    return reply.strip()
