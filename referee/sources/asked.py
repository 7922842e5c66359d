"""What the player asked of a file; how the rows of an energy form are labelled, and what is a form by them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from referee.core.errors import BadInput
from referee.core.finding import Finding, Severity
from referee.core.forms import FormLabels
from referee.core.frozen import frozen
from referee.sources.settings import Settings

if TYPE_CHECKING:
    from referee.formats.sheets.labels import LabelIndex
    from referee.rulebooks.base import Rulebook


@frozen
class Asked:
    """What the player said about the files: their ships, states, encoding, module, module map and folder of own data.
    `start` is the turn and impulse a log starts in. `game` is the record a form is of, and `forms` are those beside a
    play-by-play.

    `digests` says whether the report names the files by their hashes, as only programs want, and `beside` whether
    it has the rows its findings are about, or these and what is drawn beside them.
    """

    settings: Settings
    ships: tuple[str, ...] = ()
    state: str = ""
    encoding: str | None = None
    module: str = ""
    digests: bool = True
    map: str = ""
    data: str = ""
    start: tuple[int, int | None] | None = None
    side: str = ""
    game: str = ""
    forms: tuple[str, ...] = ()
    beside: Literal["", "rows", "pictures"] = ""
    targets: tuple[str, ...] = ()
    """What seekers of a play-by-play go after, as `SEEKER=SHIP`."""
    part: int = 0
    """Which game of a play-by-play of several is meant; 0 is each."""
    workers: int = 0
    """Processes that may share one file; 0 is as many as pay."""


def note(key: str, message: str, subject: str, **parts: Any) -> Finding:
    """A note of the reader's own, not of a rule."""
    return Finding(key=f"NOTE/{key}", severity=Severity.NOTE, message=message, subject=subject, **parts)


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
