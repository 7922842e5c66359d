"""Findings, verdicts, places and errors."""

from __future__ import annotations

import pytest

from referee.core.errors import BadInput, IntegrityFailure, RecordInUse, RefereeError, TornTail
from referee.core.finding import (
    Finding,
    InputFile,
    NotChecked,
    Report,
    Severity,
    Verdict,
    merge_reports,
    rule_number,
)
from referee.core.location import Location, cell_name


def report(*severities: Severity, **parts: object) -> Report:
    return Report(findings=tuple(Finding("X1", severity, "said") for severity in severities), **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("severities", "verdict"),
    [
        ((), Verdict.LEGAL),
        ((Severity.NOTE, Severity.WARNING), Verdict.LEGAL),
        ((Severity.UNDECIDED, Severity.NOTE), Verdict.CANNOT_TELL),
        ((Severity.ERROR,), Verdict.ILLEGAL),
        ((Severity.UNDECIDED, Severity.ERROR), Verdict.ILLEGAL),
    ],
)
def test_verdict(severities: tuple[Severity, ...], verdict: Verdict) -> None:
    assert report(*severities).verdict is verdict


def test_rules_not_checked_never_change_the_verdict() -> None:
    assert report(not_checked=(NotChecked("D2.1", "no arcs known"),)).verdict is Verdict.LEGAL


def test_a_finding_knows_the_number_of_its_rule() -> None:
    assert Finding("B3.0-14/acceleration", Severity.ERROR, "").rule == "B3.0-14"
    assert rule_number("D4.31") == "D4.31"


def test_reports_are_merged_in_their_order() -> None:
    first = report(Severity.NOTE, checked=("A1", "B1"), rulebook="one", inputs=(InputFile("a", "0"),))
    second = report(Severity.ERROR, checked=("B1", "C1"), rulebook="two", inputs=(InputFile("a", "0"),))
    both = merge_reports([first, second])
    assert [finding.severity for finding in both.findings] == [Severity.NOTE, Severity.ERROR]
    assert both.checked == ("A1", "B1", "C1")
    assert (both.rulebook, len(both.inputs), both.verdict) == ("one, two", 1, Verdict.ILLEGAL)
    assert merge_reports([]).verdict is Verdict.LEGAL


@pytest.mark.parametrize(
    ("row", "column", "name"), [(13, 2, "C14"), (0, 0, "A1"), (0, 25, "Z1"), (0, 26, "AA1"), (9, 701, "ZZ10")]
)
def test_cells_are_named_as_in_a_spreadsheet(row: int, column: int, name: str) -> None:
    assert cell_name(row, column) == name


def test_a_place_says_what_applies() -> None:
    place = Location("form.xlsx", sheet="Turn 2").within(cell="B14", line=14)
    assert str(place).startswith("form.xlsx:Turn 2:B14")
    assert str(Location("game.vlog", step=3)) == "game.vlog:step 3"
    assert place.to_json() == {"file": "form.xlsx", "sheet": "Turn 2", "cell": "B14", "line": 14}
    assert Location().to_json() == {}


def test_errors_say_file_place_reason_and_hint() -> None:
    error = BadInput("is torn", hint="glue it").at(file="a.csv", place="B2").at(file="other")
    assert str(error) == "a.csv: B2: is torn; glue it"
    assert str(RefereeError("broke")) == "broke"


def test_exit_codes() -> None:
    codes = {
        kind: kind.exit_code for kind in (BadInput, IntegrityFailure, TornTail, RecordInUse, RefereeError)
    }
    assert list(codes.values()) == [2, 3, 4, 75, 70]
