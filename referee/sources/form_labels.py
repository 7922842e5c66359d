"""How the rows of energy forms are labelled, and what is a form by its labels."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.forms import FormLabels

if TYPE_CHECKING:
    from referee.formats.sheets.labels import LabelIndex
    from referee.rulebooks.base import Rulebook


def form_labels(rulebook: Rulebook) -> FormLabels:
    """How a rulebook's form rows may be labelled. Raises BadInput for one without energy forms."""
    if not rulebook.has("open_turn"):
        raise BadInput(f"{rulebook.id} has no energy forms", hint="leave --rulebook out")
    table = rulebook.table("form_labels")
    return FormLabels(
        lines={line: tuple(spellings) for line, spellings in table["lines"].items()},
        weapons={weapon: tuple(spellings) for weapon, spellings in table["weapons"].items()},
        shields=tuple(table["shields"]),
        ship=tuple(table["ship"]),
        turn=tuple(table["turn"]),
        ignored=tuple(table["ignored"]),
        blanks=tuple(table["blanks"]),
        units={line: tuple(words) for line, words in table["units"].items()},
        either={label: tuple(lines) for label, lines in table["either"].items()},
        form=rulebook.lines,
        chapter=rulebook.named.energy,
    )


@lru_cache(maxsize=8)
def label_index_of(rulebook: str) -> LabelIndex:
    """The row labels of a rulebook, ready for reading."""
    from referee.formats.sheets.labels import LabelIndex
    from referee.rulebooks.registry import load_rulebook

    return LabelIndex(form_labels(load_rulebook(rulebook)))


def is_form(data: bytes, name: str, suffix: str) -> bool:
    """Does a text read as an energy form, whatever it is called?"""
    from referee.formats.eaform import form_on
    from referee.formats.sheets import read_sheets

    try:
        sheets = read_sheets(data, name, suffix)
    except BadInput:
        return False
    return any(form_on(sheet, label_index_of("sfb")) for sheet in sheets)
