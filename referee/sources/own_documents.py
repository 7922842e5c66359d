"""Files that one rulebook alone has: its ships, crews, charts and combat files, and an owner's folder of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.rulebooks.base import nearest
from referee.rulebooks.registry import load_rulebook, own_documents, own_ships, ship_ids

if TYPE_CHECKING:
    from referee.core.finding import Report
    from referee.rulebooks.base import Rulebook
    from referee.sources.inputs import InputBytes


def rulebook_of_ship(name: str) -> str:
    """The rulebook whose ship a name or a file is, where its data sheet is no SSD; empty otherwise."""
    from referee.sources.ship_files import is_file

    if name in own_ships():
        return own_ships()[name]
    if not is_file(name):
        # An owner's ship is named as the packaged ones are: by the rulebook's folder.
        folders = {id.partition("/")[0]: rulebook for id, rulebook in own_ships().items()}
        folder, slash, _ = name.partition("/")
        return folders.get(folder, "") if slash else ""
    return own_documents().get(_schema_of_file(name), "")


def schema_of(source: InputBytes) -> str:
    """The schema a JSON input names; empty where it names none or is no JSON."""
    from referee.formats.strictjson import load_json

    data = load_json(source.data, source.name) if source.kind == "json" and not source.is_record else None
    return str(data.get("schema", "")) if isinstance(data, dict) else ""


def _schema_of_file(file: str) -> str:
    from referee.sources.inputs import read_input

    return schema_of(read_input(file))


def own_sheets(data: str = "") -> dict[str, Mapping[str, Mapping[str, Any]]]:
    """The ships of every rulebook that has data sheets of its own, by rulebook and id."""
    rulebooks = [load_rulebook(id) for id in dict.fromkeys(own_ships().values())]
    owned = owned_documents(data)
    return {rulebook.id: rulebook.offers.ship_sheets(rulebook, owned) for rulebook in rulebooks}


def own_sheet(name: str, rulebook: str = "", data: str = "") -> dict[str, Any] | None:
    """The JSON of a ship whose data sheet is its rulebook's own; None for any other name."""
    from referee.sources.settings import read_settings, rulebook_in_force

    settings = read_settings(rulebook)
    id = rulebook_of_ship(name) or ("" if name in ship_ids() and not rulebook else settings.rulebook)
    in_force = rulebook_in_force(id, settings, lenient=True) if id else None
    if in_force is None or not in_force.has("ship_sheets"):
        return None
    sheets = in_force.offers.ship_sheets(in_force, owned_documents(data))
    called = [id for id, ship in sheets.items() if name in (id, id.partition("/")[2], ship["name"])]
    if len(called) != 1:
        raise BadInput(f"no ship {name} in {in_force.id}", hint=nearest(name, sheets))
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
        raise BadInput("names a schema that does not exist", file=source.name, place="/schema")
    hold_against(value, named[1], source.name)
    assert isinstance(value, dict)
    return value


def owned_documents(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The JSON files of an owner's folder. Raises BadInput for what a check of them calls an error: nothing
    is worked out from it."""
    owned = read_owned(folder)
    for file, document in owned:
        rulebook = load_rulebook(own_documents()[document["schema"]])
        must_be_right(rulebook, owned, document, file, {})
    return owned


def must_be_right(
    rulebook: Rulebook,
    owned: list[tuple[str, dict[str, Any]]],
    document: Mapping[str, Any],
    file: str,
    options: Mapping[str, str],
) -> None:
    """Raises BadInput, with its place, for the first thing in a document that is against the rules."""
    report: Report = rulebook.offers.check_document(rulebook, owned, document, file, options)
    for found in report.findings:
        if found.severity is Severity.ERROR:
            subject = f"{found.subject}: " if found.subject else ""
            place = found.location.pointer or ""
            reason = f"{subject}{found.message} ({found.rule})"
            raise BadInput(reason, file=file, place=place, hint=found.fix or "referee check lists them all")


def read_owned(folder: str) -> list[tuple[str, dict[str, Any]]]:
    """The JSON files of an owner's folder, each held against the schema it names."""
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise BadInput("is no folder", file=folder, hint="--data takes a folder of JSON files")
    files = sorted(map(str, Path(folder).glob("*.json")))
    for file in files:
        if _schema_of_file(file) not in own_documents():
            raise BadInput("names no schema of ships, crews or charts", file=file, place="/schema")
    return [(file, own_document(file)) for file in files]
