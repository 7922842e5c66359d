"""What the player asked of a file, and one form judged: its rows read, its ship and rulebook found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.finding import NOTHING_JUDGED, Finding, Report, Severity
from referee.core.forms import EnergyAllocation, EnergyForm, FormLabels, turns_only_begun
from referee.core.frozen import frozen
from referee.core.ship import ShipClass
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings, rulebook_in_force

if TYPE_CHECKING:
    from referee.formats.sheets.labels import LabelIndex


@frozen
class Asked:
    """What the player said about the files: their ships, states, encoding, module, module map and folder of
    own data, the turn and impulse a log starts in, the record a form is of; and whether the report names them
    by their hashes, as only programs want."""

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


def form_labels(rulebook: Any) -> FormLabels:
    """How a rulebook's form rows may be labelled. Raises BadInput for one without energy forms."""
    if "open turn" not in rulebook.procedures:
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
    )


def read_forms(source: InputBytes, asked: Asked, labels: LabelIndex | None = None) -> tuple[EnergyForm, ...]:
    """The forms of a CSV file or a workbook, each sheet one ship's; `labels` before the usual ones."""
    from referee.formats.eaform import read_forms as forms_of
    from referee.formats.sheets import read_sheets

    return forms_of(read_sheets(source.data, source.name, source.suffix), labels or label_index(asked))


def label_index(asked: Asked) -> LabelIndex:
    """The row labels of the rulebook asked for, or of those SFB rulebooks share, ready for reading."""
    return _label_index(asked.settings.rulebook or "sfb")


@lru_cache(maxsize=8)
def _label_index(rulebook: str) -> LabelIndex:
    from referee.formats.sheets.labels import LabelIndex
    from referee.rulebooks.registry import load_rulebook

    return LabelIndex(form_labels(load_rulebook(rulebook)))


def judge_form(form: EnergyForm, asked: Asked) -> Report:
    """A form that stands by itself: its ship named on it or by `--ship`."""
    from referee.adjudicator.check import check_form

    must_be_readable(form)
    ship = ship_of_form(form, asked)
    book = rulebook_in_force(asked.settings.rulebook or ship.rulebook, asked.settings, lenient=True)
    known = None
    if asked.state:
        from referee.sources.states import known_from_state

        known = known_from_state(asked.state, ship, book)
    report = check_form(book, ship, form, known=known)
    return as_filled_in(report, form, form.allocations, form.ship or ship.name)


def must_be_readable(form: EnergyForm) -> None:
    """Raises BadInput for a form with a cell that cannot be read as energy."""
    unreadable = [problem for problem in form.problems if problem.kind == "unreadable"]
    if unreadable:
        first, more = unreadable[0], len(unreadable) - 1
        place = first.location.cell or first.location.pointer or ""
        also = f" (and {more} more cells)" if more else ""
        raise BadInput(
            f"{first.text!r}: {first.reason}{also}",
            file=form.place.file,
            place=f"{form.place.sheet}:{place}" if form.place.sheet else place,
            hint="write energy as 3, 2.5, 2 1/2, 2½ or 5/2",
        )


def as_filled_in(
    report: Report, form: EnergyForm, judged: Sequence[EnergyAllocation], subject: str
) -> Report:
    """The report on the turns judged of a form, but for what is blank in those that are only begun. Where there
    are no others that is no verdict."""
    from referee.adjudicator.check import as_far_as_begun

    begun = turns_only_begun(form)
    report = as_far_as_begun(report, begun, subject)
    if any(one not in begun for one in judged):
        return report
    first = next(iter(judged), None)
    unfilled = Finding(
        key="NOTE/begun",
        severity=Severity.UNDECIDED,
        message="the form is only begun: nothing is filled in of what it pays for, and that is not judged",
        subject=subject,
        turn=first.turn if first else None,
        location=first.place if first else form.place,
        fix="fill in what the turn pays for; write 0 where that is nothing",
    )
    return replace(report, findings=(*report.findings, unfilled))


def ship_of_form(form: EnergyForm, asked: Asked) -> ShipClass:
    """The ship class of a form. Raises BadInput where neither the form nor the player says."""
    from referee.sources.ship_files import known_ship, ship_asked_for

    named = [name for name in asked.ships if "=" not in name]
    if named:
        return ship_asked_for(named[0], asked.settings.rulebook)
    if not form.ship:
        raise BadInput(
            "the form does not say which ship it is for",
            file=form.place.file,
            hint="add a Ship row, or name it with --ship cadet/federation-ca",
        )
    return known_ship(form.ship, asked.settings.rulebook, file=form.place.file)


def select_findings(report: Report, select: Iterable[str], ignore: Iterable[str]) -> Report:
    """The report with only findings of some rules, or without those of others, by prefix of the key."""
    wanted, unwanted = tuple(select), tuple(ignore)

    def kept(key: str) -> bool:
        return (not wanted or key.startswith(wanted)) and not (unwanted and key.startswith(unwanted))

    def bears(finding: Finding) -> bool:
        """No choice of rules makes a file legal in which none could be judged: why stays."""
        undecided = not report.checked and finding.severity is Severity.UNDECIDED
        return undecided or finding.key == NOTHING_JUDGED

    return replace(
        report,
        findings=tuple(finding for finding in report.findings if kept(finding.key) or bears(finding)),
        checked=tuple(key for key in report.checked if kept(key)),
        not_checked=tuple(item for item in report.not_checked if kept(item.key)),
    )


def note(key: str, message: str, subject: str, **parts: Any) -> Finding:
    """A note of the reader's own, not of a rule."""
    return Finding(key=f"NOTE/{key}", severity=Severity.NOTE, message=message, subject=subject, **parts)
