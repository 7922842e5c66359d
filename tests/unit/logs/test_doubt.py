"""What of a log's findings is in doubt is decided in one place."""

from __future__ import annotations

from referee.core.finding import Finding, NotChecked, Perhaps, Report, Severity, Unknown
from referee.logs.doubt import Doubt, doubted

ERROR = Finding("C1.4", Severity.ERROR, "moved", "A", 1, 2, fix="do not move")
NOTE = Finding("NOTE/x", Severity.NOTE, "seen", "A")


def test_the_first_reason_for_doubt_decides() -> None:
    report = doubted(
        Report((ERROR, NOTE)),
        [
            lambda found: None,
            lambda found: Doubt(Perhaps("may be")),
            lambda found: Doubt(Unknown("never asked")),
        ],
    )
    error, note = report.findings
    assert (error.severity, error.message, error.fix) == ("undecided", "moved; may be", "do not move")
    assert note == NOTE


def test_a_doubt_may_say_what_is_to_be_done() -> None:
    (found,) = doubted(Report((ERROR,)), [lambda found: Doubt(Perhaps("may be"), "mark it")]).findings
    assert found.fix == "mark it"


def test_nothing_is_found_in_what_is_not_known_and_that_is_said_once() -> None:
    twice = Report((ERROR, ERROR), not_checked=(NotChecked("C3.1", "no speed"),))
    report = doubted(twice, [lambda found: Doubt(Unknown("it may be destroyed"))])
    assert report.findings == ()
    assert report.not_checked == (
        NotChecked("C3.1", "no speed"),
        NotChecked("C1.4", "it may be destroyed", "A"),
    )
