"""What of a log's findings may be otherwise than it looks: asked of each finding once, in one place.

What a log leaves in doubt (steps that could not be read, fire that was perhaps called off, damage that is not marked,
ships that may be destroyed) is told by the modules of these things; none of them changes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.adjudicator.check import in_doubt
from referee.core.finding import Certainty, Finding, NotChecked, Report
from referee.core.frozen import frozen


@frozen
class Doubt:
    """Why a finding is not sure; and what is to be done, where that is another thing than the finding says."""

    sure: Certainty
    fix: str = ""


Asks = Callable[[Finding], Doubt | None]
"""Whether a finding is in doubt, for one kind of reason."""


def doubted(report: Report, reasons: Sequence[Asks]) -> Report:
    """The report with each finding as sure as the first reason for doubt leaves it."""
    said = [_as_sure(found, reasons) for found in report.findings] if reasons else report.findings
    findings = tuple([item for item in said if isinstance(item, Finding)])
    open_ = [item for item in said if isinstance(item, NotChecked)]
    not_checked = (*report.not_checked, *dict.fromkeys(open_))
    return replace(report, findings=findings, not_checked=not_checked)


def _as_sure(found: Finding, reasons: Sequence[Asks]) -> Finding | NotChecked:
    for asks in reasons:
        if (doubt := asks(found)) is not None:
            item = in_doubt(found, doubt.sure)
            return replace(item, fix=doubt.fix) if doubt.fix and isinstance(item, Finding) else item
    return found
