"""Verbs that a rulebook answers in its own way: ships without SSD, fire without an energy form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from json import dumps
from typing import TYPE_CHECKING, Any

import typer

from referee.cli.output import chosen_format, json_text, write_output, write_result
from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.core.frozen import frozen
from referee.rulebooks.registry import own_ships
from referee.sources.own_documents import own_document, own_document_of, owned_documents, rulebook_of_ship

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.rulebooks.base import Rulebook
    from referee.sources.inputs import InputBytes
    from referee.sources.settings import Settings

FORMATS = ("full", "json")


@frozen
class AnswerForm:
    """How an answer is to be given: format, output file, an owner's folder, and a file for the state after."""

    format: str = ""
    json: bool = False
    output: str = ""
    data: str = ""
    state_out: str = ""


@frozen
class OwnWay:
    """A rulebook in force and its own answer to a verb."""

    verb: str
    rulebook: Rulebook
    procedure: Callable[..., Any]

    @property
    def takes(self) -> tuple[str, ...]:
        """What the answer is worked out from, by name."""
        return tuple(signature(self.procedure).parameters)[2:]

    def answer(self, data: str, given: Mapping[str, Any]) -> Any:
        """The answer to what was said on the command line; empty values were not said.

        Raises BadInput for an option that the rulebook has no use for, or one that it cannot do without.
        """
        options = {name: value for name, value in given.items() if value not in (None, "", False, (), [], {})}
        shown = ", ".join(
            f"--{name.replace('_', '-')}" for name in self.takes if name not in ("ship", "dice")
        )
        for name in options:
            if name not in self.takes:
                option = f"--{name.replace('_', '-')}"
                raise BadInput(f"{self.verb} by {self.rulebook.id} has no {option}", hint=f"it takes {shown}")
        owned = owned_documents(data)
        try:
            signature(self.procedure).bind(self.rulebook, owned, **options)
        except TypeError as error:
            raise BadInput(f"{self.verb} by {self.rulebook.id}: {error}", hint=f"it takes {shown}") from None
        return self.procedure(self.rulebook, owned, **options)

    def tell(self, options: Mapping[str, Any], files: Mapping[str, str], cup: Any, shown: AnswerForm) -> None:
        """Prints the answer to what was said and to the JSON files that were named, and exits 1 if the
        rules say no. A ship may be named by its file or its id."""
        from referee.report.documents import as_text
        from referee.sources.dice_cup import must_be_used_up
        from referee.sources.ship_files import is_file

        form = chosen_format("json" if shown.json else shown.format, shown.output, FORMATS)
        read = {name: _file_or_ship(name, file) for name, file in files.items() if file}
        dice = {"dice": cup} if "dice" in self.takes else {}
        answer = self.answer(shown.data, {**options, **read, **dice})
        document = with_findings(answer)
        # What is refused throws no dice: those that were given for it are no mistake.
        if cup is not None and document["verdict"] != "illegal":
            must_be_used_up(cup, None)
        asked = "json" if shown.json else shown.format

        def rendered(form: str, _to_file: bool) -> str:
            return as_text(document) if form == "full" else json_text(document)

        inputs = [file for file in files.values() if is_file(file)]
        write_result(rendered, form, asked, shown.output, inputs)
        if shown.state_out:
            # The state before may make way for the state after: that is what a player names it twice for.
            kept = [file for file in inputs if file != files.get("state")]
            after = document["state"]
            text = dumps(after, indent=2) + "\n"
            write_output(text, shown.state_out, kept, instead_of=after["schema"])
        if document["verdict"] == "illegal":
            raise typer.Exit(1)


def _file_or_ship(name: str, file: str) -> Any:
    """The JSON of a file, or the ship that is named by its id."""
    from referee.sources.ship_files import is_file

    if name.endswith("state") or name == "choose" or is_file(file):
        if not is_file(file):
            raise BadInput(f"--{name.replace('_', '-')} {file} is no file", hint="a JSON file")
        return own_document(file)
    return file


def refuse_unless_own(verb: str, **options: object) -> None:
    """Raises BadInput for an option that only rulebooks with an answer of their own know."""
    for name, given in options.items():
        if given:
            rulebooks = " or ".join(dict.fromkeys(own_ships().values()))
            raise BadInput(f"{verb} has no --{name} for ships with an SSD", hint=f"--rulebook {rulebooks}")


def own_way(verb: str, settings: Settings, ship: str = "") -> OwnWay | None:
    """The rulebook's own answer to a verb: of the one asked for, else of that whose ship is named.

    None where the verb is answered as for any ship with an SSD.
    """
    from referee.sources.settings import rulebook_in_force

    id = settings.rulebook or rulebook_of_ship(ship)
    if not id:
        return None
    rulebook = rulebook_in_force(id, settings)
    name = f"answer_{verb}"
    return OwnWay(verb, rulebook, rulebook.procedure(name)) if rulebook.has(name) else None


def with_findings(answer: Any) -> dict[str, Any]:
    """An answer's document with what was found and the verdict."""
    from referee.report.checkjson import finding_json

    findings: tuple[Finding, ...] = tuple(answer.findings)
    verdict = Report(findings).verdict.value
    return {**answer.document, "verdict": verdict, "findings": [finding_json(found) for found in findings]}


def show_own(source: InputBytes, schema: str, side: str, settings: Settings, data: str) -> dict[str, Any]:
    """What is in a file that one rulebook alone has, as a document."""
    from referee.judging.own_documents import chosen_options, rulebook_of

    rulebook = rulebook_of(schema, settings, source.name)
    document = own_document_of(source)
    answer = rulebook.offers.show_document(
        rulebook, owned_documents(data), document, source.name, side, chosen_options(rulebook, settings)
    )
    return with_findings(answer) if side else dict(answer.document)
