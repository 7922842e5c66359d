"""Verbs that a rulebook answers in its own way: ships without SSD, fire without an energy form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from referee.core.errors import BadInput
from referee.core.frozen import frozen

if TYPE_CHECKING:
    from referee.core.finding import Finding, Report
    from referee.rulebooks.base import Rulebook
    from referee.sources.inputs import InputBytes
    from referee.sources.settings import Settings

FORMATS = ("full", "json")


@frozen
class Shown:
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
    book: Rulebook
    procedure: Callable[..., Any]

    @property
    def takes(self) -> tuple[str, ...]:
        """What the answer is worked out from, by name."""
        from inspect import signature

        return tuple(signature(self.procedure).parameters)[2:]

    def answer(self, data: str, given: Mapping[str, Any]) -> Any:
        """The answer to what was said on the command line; empty values were not said.

        Raises BadInput for an option that the rulebook has no use for, or one that it cannot do without.
        """
        from inspect import signature

        said = {name: value for name, value in given.items() if value not in (None, "", False, (), [], {})}
        shown = ", ".join(
            f"--{name.replace('_', '-')}" for name in self.takes if name not in ("ship", "dice")
        )
        for name in said:
            if name not in self.takes:
                option = f"--{name.replace('_', '-')}"
                raise BadInput(f"{self.verb} by {self.book.id} has no {option}", hint=f"it takes {shown}")
        owned = owned_documents(data)
        try:
            signature(self.procedure).bind(self.book, owned, **said)
        except TypeError as error:
            raise BadInput(f"{self.verb} by {self.book.id}: {error}", hint=f"it takes {shown}") from None
        return self.procedure(self.book, owned, **said)

    def tell(self, said: Mapping[str, Any], files: Mapping[str, str], cup: Any, shown: Shown) -> None:
        """Prints the answer to what was said and to the JSON files that were named, and exits 1 if the
        rules say no. A ship may be named by its file or its id."""
        from json import dumps

        from referee.cli.output import chosen_format, write_output
        from referee.report.documents import as_text
        from referee.sources.dice_cup import must_be_used_up
        from referee.sources.ship_files import is_file

        form = chosen_format("json" if shown.json else shown.format, shown.output, FORMATS)
        read = {name: _file_or_ship(name, file) for name, file in files.items() if file}
        dice = {"dice": cup} if "dice" in self.takes else {}
        answer = self.answer(shown.data, {**said, **read, **dice})
        document = with_findings(answer)
        # What is refused throws no dice: those that were given for it are no mistake.
        if cup is not None and document["verdict"] != "illegal":
            must_be_used_up(cup, None)
        text = dumps(document, indent=2, ensure_ascii=False) + "\n" if form == "json" else as_text(document)
        inputs = [file for file in files.values() if is_file(file)]
        write_output(text, shown.output, inputs)
        if shown.state_out:
            # The state before may make way for the state after: that is what a player names it twice for.
            kept = [file for file in inputs if file != files.get("state")]
            write_output(dumps(document["state"], indent=2) + "\n", shown.state_out, kept)
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
    from referee.rulebooks.registry import own_ships

    for name, given in options.items():
        if given:
            books = " or ".join(dict.fromkeys(own_ships().values()))
            raise BadInput(f"{verb} has no --{name} for ships with an SSD", hint=f"--rulebook {books}")


def own_way(verb: str, settings: Settings, ship: str = "") -> OwnWay | None:
    """The rulebook's own answer to a verb: of the one asked for, else of that whose ship is named.

    None where the verb is answered as for any ship with an SSD.
    """
    from referee.sources.settings import rulebook_in_force

    id = settings.rulebook or rulebook_of_ship(ship)
    if not id:
        return None
    book = rulebook_in_force(id, settings)
    name = f"answer {verb}"
    return OwnWay(verb, book, book.procedure(name)) if name in book.procedures else None


def rulebook_of_ship(name: str) -> str:
    """The rulebook whose ship a name or a file is, where its data sheet is no SSD; empty otherwise."""
    from referee.rulebooks.registry import own_documents, own_ships
    from referee.sources.ship_files import is_file

    if name in own_ships():
        return own_ships()[name]
    if not is_file(name):
        # An owner's ship is named as the packaged ones are: by the rulebook's folder.
        folders = {id.partition("/")[0]: book for id, book in own_ships().items()}
        folder, slash, _ = name.partition("/")
        return folders.get(folder, "") if slash else ""
    return own_documents().get(_schema_of_file(name), "")


def schema_of(source: InputBytes) -> str:
    """The schema a JSON input names; empty where it names none or is no JSON."""
    from referee.formats.strictjson import load_json

    data = (
        load_json(source.data, source.name) if source.kind == "json" and source.suffix != ".jsonl" else None
    )
    return str(data.get("schema", "")) if isinstance(data, dict) else ""


def _schema_of_file(file: str) -> str:
    from referee.sources.inputs import read_input

    return schema_of(read_input(file))


def own_sheets(data: str = "") -> dict[str, Mapping[str, Mapping[str, Any]]]:
    """The ships of every rulebook that has data sheets of its own, by rulebook and id."""
    from referee.rulebooks.registry import load_rulebook, own_ships

    books = [load_rulebook(id) for id in dict.fromkeys(own_ships().values())]
    owned = owned_documents(data)
    return {book.id: book.procedure("ship sheets")(book, owned) for book in books}


def own_sheet(name: str, rulebook: str = "", data: str = "") -> dict[str, Any] | None:
    """The JSON of a ship whose data sheet is its rulebook's own; None for any other name."""
    from referee.rulebooks.registry import ship_ids
    from referee.sources.settings import read_settings, rulebook_in_force

    settings = read_settings(rulebook)
    id = rulebook_of_ship(name) or ("" if name in ship_ids() and not rulebook else settings.rulebook)
    book = rulebook_in_force(id, settings, lenient=True) if id else None
    if book is None or "ship sheets" not in book.procedures:
        return None
    sheets = book.procedure("ship sheets")(book, owned_documents(data))
    called = [id for id, ship in sheets.items() if name in (id, id.partition("/")[2], ship["name"])]
    if len(called) != 1:
        from referee.rulebooks.base import nearest

        raise BadInput(f"no ship {name} in {book.id}", hint=nearest(name, sheets))
    return dict(sheets[called[0]])


def own_document(file: str) -> dict[str, Any]:
    """A JSON file held against the schema it names."""
    from referee.sources.inputs import read_input

    return own_document_of(read_input(file))


def own_document_of(source: InputBytes) -> dict[str, Any]:
    """The JSON of an input, held against the schema it names. Raises BadInput where it names none there is."""
    from referee.formats.schemas import hold_against, schema_names
    from referee.formats.strictjson import load_json

    value = load_json(source.data, source.name)
    named = str(value.get("schema")).split("/") if isinstance(value, dict) else []
    if len(named) != 3 or named[1] not in schema_names():
        raise BadInput("names no schema there is", file=source.name, place="/schema")
    hold_against(value, named[1], source.name)
    assert isinstance(value, dict)
    return value


def owned_documents(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The JSON files of an owner's folder. Raises BadInput for what a check of them calls an error: nothing
    is worked out from it."""
    from referee.rulebooks.registry import load_rulebook, own_documents

    owned = read_owned(folder)
    for file, document in owned:
        book = load_rulebook(own_documents()[document["schema"]])
        must_be_right(book, owned, document, file, {})
    return owned


def must_be_right(
    book: Rulebook,
    owned: list[tuple[str, dict[str, Any]]],
    document: Mapping[str, Any],
    file: str,
    options: Mapping[str, str],
) -> None:
    """Raises BadInput, with its place, for the first thing in a document that is against the rules."""
    from referee.core.finding import Severity

    report: Report = book.procedure("check document")(book, owned, document, file, options)
    for found in report.findings:
        if found.severity is Severity.ERROR:
            subject = f"{found.subject}: " if found.subject else ""
            place = found.location.pointer or ""
            reason = f"{subject}{found.message} ({found.rule})"
            raise BadInput(reason, file=file, place=place, hint=found.fix or "referee check says it all")


def read_owned(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The JSON files of an owner's folder, each held against the schema it names."""
    from referee.rulebooks.registry import own_documents

    if not folder:
        return []
    if not Path(folder).is_dir():
        raise BadInput("is no folder", file=folder, hint="--data takes a folder of JSON files")
    files = sorted(map(str, Path(folder).glob("*.json")))
    for file in files:
        if _schema_of_file(file) not in own_documents():
            raise BadInput("names no schema of ships, crews or charts", file=file, place="/schema")
    return [(file, own_document(file)) for file in files]


def judge_own(source: InputBytes, schema: str, settings: Settings, data: str) -> Report:
    """The report on a file that one rulebook alone has."""
    book = _book_of(schema, settings, source.name)
    document = own_document_of(source)
    report: Report = book.procedure("check document")(
        book, read_owned(data), document, source.name, chosen_options(book, settings)
    )
    return report


def show_own(source: InputBytes, schema: str, side: str, settings: Settings, data: str) -> dict[str, Any]:
    """What is in a file that one rulebook alone has, as a document."""
    book = _book_of(schema, settings, source.name)
    document = own_document_of(source)
    answer = book.procedure("show document")(
        book, owned_documents(data), document, source.name, side, chosen_options(book, settings)
    )
    return with_findings(answer) if side else dict(answer.document)


def _book_of(schema: str, settings: Settings, file: str) -> Rulebook:
    """The rulebook whose file it is, in force. Raises BadInput where another was asked for."""
    from referee.rulebooks.registry import own_documents
    from referee.sources.settings import rulebook_in_force

    id = own_documents()[schema]
    asked = settings.origins.get("rulebook")
    if asked == "--rulebook" and settings.rulebook != id:
        raise BadInput(
            f"is a file of {id}, not of {settings.rulebook}", file=file, hint="leave --rulebook out"
        )
    book: Rulebook = rulebook_in_force(id, settings, lenient=True)
    return book


def chosen_options(book: Rulebook, settings: Settings) -> dict[str, str]:
    """The settings that win over what a file of the rulebook says."""
    return {name: value for name, value in settings.options.items() if name in book.options}


def with_findings(answer: Any) -> dict[str, Any]:
    """An answer's document with what was found and the verdict."""
    from referee.core.finding import Report
    from referee.report.checkjson import finding_json

    findings: tuple[Finding, ...] = tuple(answer.findings)
    verdict = Report(findings).verdict.value
    return {**answer.document, "verdict": verdict, "findings": [finding_json(found) for found in findings]}
