"""JUnit XML: one suite a ship, one case a rule, nothing passed that was not judged."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.report.checkjunit import NO_SHIP, PASSES, render


def _cases(report: Report) -> dict[tuple[str, str], ET.Element]:
    root = ET.fromstring(render(report))
    return {
        (suite.get("name", ""), case.get("name", "")): case
        for suite in root
        for case in suite.iter("testcase")
    }


def test_golden(report: Report, golden: Callable[[str, str], None]) -> None:
    golden("check.junit.xml", render(report))


def test_counts(report: Report) -> None:
    root = ET.fromstring(render(report))
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == (
        "6",
        "1",
        "0",
        "2",
    )


def test_error_fails_and_undecided_is_skipped(report: Report) -> None:
    cases = _cases(report)
    assert cases["Constellation", "B3.0-20"].find("failure") is not None
    assert cases["Constellation", "B3.0-14/given-twice"].find("skipped") is not None
    assert cases["Constellation", "B3.0-14/acceleration"].find("skipped") is not None
    assert not list(cases["Constellation", "C5.2"])


def test_a_rule_not_checked_in_one_turn_does_not_pass(report: Report) -> None:
    told = replace(report, checked=(*report.checked, "B3.0-14/acceleration"))
    assert _cases(told)["Constellation", "B3.0-14/acceleration"].find("skipped") is not None


def test_with_several_ships_silent_rules_stand_apart(report: Report) -> None:
    ships = (*report.ships, {"name": "Destruction", "ship": "cadet/klingon-d6"})
    cases = _cases(replace(report, ships=ships))
    assert (PASSES, "C5.2") in cases
    assert ("Constellation", "C5.2") not in cases


def test_the_longest_ship_name_is_meant() -> None:
    ships = ({"name": "Fox"}, {"name": "Fox, Red"})
    cases = _cases(Report(ships=ships, not_checked=(NotChecked("C5.2", "no speed", "Fox, Red, turn 1"),)))
    assert ("Fox, Red", "C5.2") in cases


def test_a_finding_on_no_ship() -> None:
    report = Report(findings=(Finding("STACKING", Severity.ERROR, "two in a hex"),))
    assert (NO_SHIP, "STACKING") in _cases(report)


def test_hostile_text_is_spelt_out(hostile_report: Report) -> None:
    text = render(hostile_report)
    assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "\x00", "<script"))
    assert ET.fromstring(text).find(".//script") is None
