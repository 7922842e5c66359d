"""A finding is as sure as what it rests on: that is decided in one place."""

from __future__ import annotations

import pytest

from referee.adjudicator.doubt import all_as_sure, as_sure, but_for_gaps
from referee.core.finding import SURE, Finding, NotChecked, Perhaps, Report, Severity, Unknown
from referee.core.gap import Gap
from referee.rulebooks.registry import load_rulebook

BOOK = load_rulebook("sfb-cadet")
MISSED = Finding("C1.4/missed", Severity.ERROR, "does not move", "A", 1, 2, fix="move it")
NOTE = Finding("NOTE/x", Severity.NOTE, "seen", "A", 1, 2)
MAY_BE, NEVER_READ = Perhaps("may be"), Unknown("could not be read")


def weighed(*gaps: Gap, found: tuple[Finding, ...] = (MISSED, NOTE)) -> Report:
    return but_for_gaps(Report(found), BOOK, gaps)


def test_what_happened_perhaps_is_undecided() -> None:
    found = as_sure(MISSED, MAY_BE)
    assert isinstance(found, Finding)
    assert (found.severity, found.message, found.fix) == ("undecided", "does not move; may be", "move it")


def test_a_note_and_what_is_sure_stay_as_they_are() -> None:
    assert as_sure(NOTE, MAY_BE) is NOTE
    assert as_sure(MISSED, SURE) is MISSED


def test_nothing_is_found_in_what_could_not_be_read() -> None:
    assert all_as_sure([MISSED], NEVER_READ) == (
        [],
        [NotChecked("C1.4/missed", "could not be read", "A")],
    )


def test_a_gap_takes_what_rests_on_its_kind_of_fact() -> None:
    always = ((0, 0), None)
    found, note = weighed(Gap("moves made", MAY_BE, moments=always)).findings
    assert (found.severity, note) == ("undecided", NOTE)
    assert weighed(Gap("marks", MAY_BE, moments=always)).findings == (MISSED, NOTE)


def test_a_gap_may_say_what_is_to_be_done() -> None:
    found, _ = weighed(Gap("places", MAY_BE, moments=((1, 2), (1, 2)), fix="look at it")).findings
    assert found.fix == "look at it"


def test_the_least_sure_of_two_gaps_decides_and_is_named_once() -> None:
    always = ((0, 0), None)
    gaps = Gap("places", MAY_BE, moments=always), Gap("moves made", NEVER_READ, moments=always)
    report = weighed(*gaps, found=(MISSED, MISSED))
    assert report.findings == ()
    assert report.not_checked == (NotChecked("C1.4/missed", "could not be read", "A"),)


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("C1.3", ("places", "order of moves")),
        ("C1.4", ("places",)),
        ("C1.4/speed", ("form",)),
        ("C3.2", ("facing",)),
        ("B3.0-15/mended", ("marks",)),
        ("E1.5/once", ("earlier fire",)),
        ("E1.2", ()),
        ("NOTE/x", ()),
    ],
)
def test_rules_say_what_they_rest_on(key: str, facts: tuple[str, ...]) -> None:
    assert BOOK.rests_on(key) == facts
