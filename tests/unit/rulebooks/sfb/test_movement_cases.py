"""Every case of every rule of movement, and no rule without a case for it and one against it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.core.finding import Finding, Severity
from tests.unit.rulebooks.sfb.movement_book import Case, all_cases, movement_rules

AGAINST = (Severity.ERROR, Severity.UNDECIDED)


def fits(finding: Finding, wanted: dict[str, Any], rule: str) -> bool:
    facts = {
        "rule": finding.key,
        "severity": str(finding.severity),
        "turn": finding.turn,
        "impulse": finding.impulse,
        "line": finding.location.line or finding.location.step,
        "subject": finding.subject,
        "expected": finding.expected,
        "found": finding.found,
    }
    return all(facts[name] == value for name, value in {"rule": rule, **wanted}.items())


def movement_kind(key: str) -> str:
    """Does a rule check or resolve?"""
    return next(rule.kind for rule in movement_rules() if rule.key == key)


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: f"{case.rule}:{case.kind}: {case.name}")
def test_case(case: Case) -> None:
    report = case.report()
    against = [finding for finding in report.findings if finding.severity in AGAINST]
    unjudged = {item.key for item in report.not_checked}
    if case.kind == "switched-off":
        assert report.verdict != case.report((case.rule,)).verdict
        assert str(report.verdict) == case.says["verdict"]
        return
    if case.kind == "refused":
        (finding,) = against
        assert finding.severity is Severity.ERROR
        assert all(fits(finding, wanted, case.says["by"]) for wanted in case.says["expect"]), finding
        return
    if movement_kind(case.rule) == "check":
        assert case.rule in report.checked, "the case never comes to its rule"
    if case.kind == "unknown":
        assert case.rule in unjudged
    if case.kind in ("legal", "unknown"):
        assert not against, against
        return
    expected = case.says["expect"]
    for wanted in expected:
        assert any(fits(finding, wanted, case.rule) for finding in against), against
    severity = Severity.ERROR if case.kind == "illegal" else Severity.UNDECIDED
    assert any(finding.key == case.rule and finding.severity is severity for finding in against), against
    others = [f for f in against if not any(fits(f, wanted, case.rule) for wanted in expected)]
    assert not others, others


def test_each_rule_has_its_cases() -> None:
    lacking = []
    for rule in movement_rules():
        kinds = {case.kind for case in all_cases() if case.rule == rule.key}
        wanted = (
            [{"illegal", "undecided"}]
            if rule.kind == "check"
            else [{"switched-off"}, {"refused", "switched-off"}]
        )
        if "legal" not in kinds or not all(kinds & some for some in wanted):
            lacking.append(rule.key)
    assert not lacking


def test_each_rule_is_explained() -> None:
    for rule in movement_rules():
        assert len(rule.text.split()) > 10, rule.key
