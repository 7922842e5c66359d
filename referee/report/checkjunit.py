"""A check report as JUnit XML, for whatever shows test results.

One suite a ship, one test case a rule that said something about that ship, whatever the turn:

- an error is a `failure`;
- an undecided finding, or a rule that could not be judged, is `skipped`: seen, but like the exit code
  it fails nothing, and it is never shown as passed;
- warnings and notes stand in the `system-out` of a case that passes;
- rules that were judged and said nothing pass. With one ship they stand in its suite; with several
  they stand in a suite of their own, `rules without findings`, since the report does not say which ship
  each was judged on.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass, field

from referee.core.finding import Finding, NotChecked, Report, Severity, rule_number
from referee.core.safe import safe_line

PASSES = "rules without findings"
NO_SHIP = "files"


@dataclass
class _Case:
    """What one rule said about one ship."""

    key: str
    findings: list[Finding] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)

    def of(self, severity: Severity) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity is severity]


Suites = dict[str, dict[str, _Case]]


def render(report: Report) -> str:
    """The report as one XML document."""
    root = ET.Element("testsuites", name="referee")
    for name, cases in _suites(report).items():
        _add_suite(root, name, cases.values())
    _count(root, list(root.iter("testcase")))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suites(report: Report) -> Suites:
    ships = [ship.get("name", "") for ship in report.ships]
    suites: Suites = {ship: {} for ship in ships if ship}
    for finding in report.findings:
        _case(suites, finding.subject or NO_SHIP, finding.key).findings.append(finding)
    for item in report.not_checked:
        _case(suites, _ship_of(item, ships), item.key).not_checked.append(item)
    reported = {key for cases in suites.values() for key in cases}
    silent = ships[0] if len(ships) == 1 and ships[0] else PASSES
    for key in report.checked:
        if key not in reported:
            _case(suites, silent, key)
    return suites


def _case(suites: Suites, suite: str, key: str) -> _Case:
    return suites.setdefault(suite, {}).setdefault(key, _Case(key))


def _ship_of(item: NotChecked, ships: list[str]) -> str:
    """The ship a subject such as `Constellation, turn 1` names."""
    named = [
        ship for ship in ships if ship and (item.subject == ship or item.subject.startswith(f"{ship}, "))
    ]
    return max(named, key=len, default=item.subject or NO_SHIP)


def _add_suite(root: ET.Element, name: str, cases: Iterable[_Case]) -> None:
    suite = ET.SubElement(root, "testsuite", name=safe_line(name))
    for case in cases:
        _add_case(suite, name, case)
    _count(suite, list(suite.iter("testcase")))


def _count(element: ET.Element, cases: list[ET.Element]) -> None:
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    element.set("errors", "0")
    element.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))


def _add_case(suite: ET.Element, name: str, case: _Case) -> None:
    element = ET.SubElement(suite, "testcase", name=safe_line(case.key), classname=safe_line(name))
    errors, undecided = case.of(Severity.ERROR), case.of(Severity.UNDECIDED)
    place = (errors or case.findings)[0].location if case.findings else None
    if place and place.file:
        element.set("file", safe_line(place.file))
        if place.line:
            element.set("line", str(place.line))
    asides: list[str] = []
    if errors:
        failure = ET.SubElement(element, "failure", type=rule_number(case.key), message=_summary(errors))
        failure.text = _lines(_sentence(finding) for finding in errors)
        asides += [_sentence(finding) for finding in undecided]
        asides += [_reason(item) for item in case.not_checked]
    elif undecided or case.not_checked:
        reasons = [f"cannot tell: {_sentence(finding)}" for finding in undecided]
        reasons += [_reason(item) for item in case.not_checked]
        ET.SubElement(element, "skipped", message="; ".join(reasons))
    asides += [_sentence(f) for severity in (Severity.WARNING, Severity.NOTE) for f in case.of(severity)]
    if asides:
        ET.SubElement(element, "system-out").text = _lines(asides)


def _summary(errors: list[Finding]) -> str:
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return safe_line(errors[0].message) + more


def _lines(lines: Iterable[str]) -> str:
    return "\n" + "\n".join(lines) + "\n"


def _sentence(finding: Finding) -> str:
    """A finding on one line: place, gravity, turn, what was seen, and how to fix it."""
    where = f"{finding.where} " if finding.where else ""
    facts = [
        f"{name} {value}"
        for name, value in (("expected", finding.expected), ("found", finding.found), ("fix:", finding.fix))
        if value
    ]
    tail = f" ({'; '.join(facts)})" if facts else ""
    return safe_line(f"{where}{finding.severity.value}: {finding.dated}{tail}")


def _reason(item: NotChecked) -> str:
    subject = f"{item.subject}: " if item.subject else ""
    return safe_line(f"not checked: {subject}{item.reason}")
