"""A file that one rulebook alone has, judged by that rulebook."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import own_documents
from referee.sources.inputs import InputBytes
from referee.sources.own_documents import own_document_of, read_owned
from referee.sources.settings import Settings, rulebook_in_force


def judge_own(source: InputBytes, schema: str, settings: Settings, data: str) -> Report:
    """The report on a file that one rulebook alone has."""
    rulebook = rulebook_of(schema, settings, source.name)
    document = own_document_of(source)
    report: Report = rulebook.offers.check_document(
        rulebook, read_owned(data), document, source.name, chosen_options(rulebook, settings)
    )
    return report


def rulebook_of(schema: str, settings: Settings, file: str) -> Rulebook:
    """The rulebook whose file it is, in force. Raises BadInput where another was asked for."""
    id = own_documents()[schema]
    asked = settings.origins.get("rulebook")
    if asked == "--rulebook" and settings.rulebook != id:
        raise BadInput(
            f"is a file of {id}, not of {settings.rulebook}", file=file, hint="leave --rulebook out"
        )
    rulebook: Rulebook = rulebook_in_force(id, settings, lenient=True)
    return rulebook


def chosen_options(rulebook: Rulebook, settings: Settings) -> dict[str, str]:
    """The settings that win over what a file of the rulebook says."""
    return {name: value for name, value in settings.options.items() if name in rulebook.options}
