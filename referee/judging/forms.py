"""An energy form that stands by itself, judged; and a report on some rules alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.adjudicator.tables import table_of
from referee.core.finding import NOTHING_JUDGED, Finding, Report, Severity
from referee.core.forms import EnergyForm
from referee.sources.asked import Asked
from referee.sources.forms import account_of, must_be_readable, ship_of_form
from referee.sources.settings import rulebook_in_force


def judge_form(form: EnergyForm, asked: Asked) -> Report:
    """A form that stands by itself: its ship named on it or by `--ship`."""
    must_be_readable(form)
    ship, beside = ship_of_form(form, asked)
    remarks = []
    if beside:
        message = f"the ship {ship.id} is read from {beside} beside the form"
        remarks = [Finding("NOTE/ship-file", Severity.NOTE, message, ship.name, location=form.place)]
    rulebook = rulebook_in_force(asked.settings.rulebook or ship.rulebook, asked.settings, lenient=True)
    known = None
    if asked.state:
        from referee.sources.states import known_from_state

        known = known_from_state(asked.state, ship, rulebook)
    account = account_of(form, ship, rulebook, known=known, remarks=remarks)
    return table_of(rulebook, {ship.id: ship}.__getitem__, account).report()


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
