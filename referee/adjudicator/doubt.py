"""How sure a finding is: as sure as what it rests on.

That is decided here and nowhere else, and only the table asks for it: of an event that may not have happened, and of a gap
in what a source tells, for each rule by the kinds of fact it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.core.finding import Certainty, Finding, NotChecked, Report, Severity, Sure, Unknown
from referee.core.gap import Gap
from referee.rulebooks.base import Rulebook


def as_sure(found: Finding, sure: Certainty, fix: str = "") -> Finding | NotChecked:
    """A finding as sure as what it rests on: an error in what happened perhaps is undecided, with another fix where one
    is given; and nothing is found in what could not be read."""
    if isinstance(sure, Sure):
        return found
    if isinstance(sure, Unknown):
        return NotChecked(found.key, sure.why, found.subject)
    if found.severity not in (Severity.ERROR, Severity.WARNING):
        return found
    message = f"{found.message}; {sure.why}"
    return replace(found, severity=Severity.UNDECIDED, message=message, fix=fix or found.fix)


def all_as_sure(found: Iterable[Finding], sure: Certainty) -> tuple[list[Finding], list[NotChecked]]:
    """Findings as sure as what they rest on, and what is left open."""
    return _parted(as_sure(finding, sure) for finding in found)


def but_for_gaps(report: Report, rulebook: Rulebook, gaps: Sequence[Gap]) -> Report:
    """A report whose findings are as sure as what they rest on is told."""
    findings, left_open = _parted(_by_gaps(found, rulebook, gaps) for found in report.findings)
    not_checked = (*report.not_checked, *dict.fromkeys(left_open))
    return replace(report, findings=tuple(findings), not_checked=not_checked)


def _by_gaps(found: Finding, rulebook: Rulebook, gaps: Iterable[Gap]) -> Finding | NotChecked:
    covering = [gap for gap in gaps if gap.covers(found) and gap.of in rulebook.rests_on(found.key)]
    if not covering:
        return found
    unknown = (gap for gap in covering if isinstance(gap.sure, Unknown))
    gap = next(unknown, covering[0])
    return as_sure(found, gap.sure, gap.fix)


def _parted(judged: Iterable[Finding | NotChecked]) -> tuple[list[Finding], list[NotChecked]]:
    items = list(judged)
    return [item for item in items if isinstance(item, Finding)], [
        item for item in items if isinstance(item, NotChecked)
    ]
