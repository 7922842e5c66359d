"""What could not be read of a form is unknown in every rule: no cell or row of a legal form that nobody can read makes
an accusation, in its turn or in the next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.adjudicator.check import check_form
from referee.core.finding import Report, Severity, Verdict
from referee.formats.eaform import LabelIndex, read_form
from referee.formats.sheets.csvsheet import read_csv
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.asked import form_labels

CADET = """Turn,1,2,3
Warp Power,16,16,16
Impulse Power,2,1,1
Atomic Power,2,0,0
Total Power,20,17,17
Btty Avail,2,1,0
BttyUsedEA,,1,
BttyRecharge,,,1
Phas Cap,0,2,1
Phasrecharge,3,1,1
PhasFired,1,2,2
Photon A,2,2,1
Photon B,2,2,
Movement,13,13,14
Total Used,20,18,17
BttyUsedInTurn,1,,
"""
STANDARD = """Turn,1,2
Warp Power,30,30
Impulse Power,4,4
Total Power,34,34
Btty Avail,4,3
BttyUsedEA,1,
Life Support,1,1
Fire Control,1,1
Phas Cap,0,1
Phasrecharge,4,2
PhasFired,3,
Photon A,2,2
Photon B,2,2
Shields,2,2
Gen Reinf,2,
Spec Reinf 1,3,1
Movement,16,20
Dam Con,2,
Total Used,35,31
BttyUsedInTurn,,
"""
FORMS = {"cadet/federation-ca": CADET, "standard/federation-ca": STANDARD}
EXTRA = {"sfb-standard": {"reinforcement": "true"}}
AGAINST = (Severity.ERROR, Severity.WARNING)


def judged(ship: str, text: str) -> Report:
    chosen = load_ship(ship)
    book = load_rulebook(chosen.rulebook)
    book = book.with_options({"previous_speed": "12"} | EXTRA.get(book.id, {}))
    return check_form(
        book, chosen, read_form(read_csv(text.encode(), "t.csv"), LabelIndex(form_labels(book)))
    )


def accused(report: Report) -> list[str]:
    return [f"{found.key} {found.message}" for found in report.findings if found.severity in AGAINST]


def altered() -> Iterator[tuple[str, str, str]]:
    """Each form with one figure that cannot be read, and with one row that is called otherwise."""
    for ship, text in FORMS.items():
        rows = [line.split(",") for line in text.splitlines()]
        for number, row in enumerate(rows[1:], 1):
            cases = [(column, [*row[:column], "?", *row[column + 1 :]]) for column in range(1, len(row))]
            cases += [(0, ["Xyzzy", *row[1:]])] if any(row[1:]) else []
            for column, changed in cases:
                lines = [*rows[:number], changed, *rows[number + 1 :]]
                what = f"{ship} {row[0]} {'called Xyzzy' if column == 0 else f'of turn {column}'}"
                yield what, ship, "\n".join(map(",".join, lines)) + "\n"


CASES = list(altered())


@pytest.mark.parametrize("ship", FORMS)
def test_the_forms_are_legal(ship: str) -> None:
    report = judged(ship, FORMS[ship])
    assert not accused(report) and not [f for f in report.findings if f.severity is Severity.UNDECIDED]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("ship", "text"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_cannot_be_read_accuses_nobody(ship: str, text: str) -> None:
    report = judged(ship, text)
    assert not accused(report)
    assert report.verdict is Verdict.CANNOT_TELL
