"""Every case of every rule, each a test of its own; and no rule without its cases."""

from __future__ import annotations

from collections import defaultdict

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Finding, Severity
from referee.core.volley import VolleyResult
from referee.corpus.forms import absorbed
from referee.rulebooks.coverage import excuses
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from referee.rulebooks.sfb.damage import IllegalChoice
from tests.casefile import (
    FORM_KINDS,
    VOLLEY_KINDS,
    Case,
    all_cases,
    cases_kept_elsewhere,
    has,
    judge,
    judge_facts,
    shown,
    strike,
)

AGAINST = (Severity.ERROR, Severity.UNDECIDED)
ALL = all_cases()


def of_kind(*kinds: str, about: str = "") -> pytest.MarkDecorator:
    """One test for each case of some kinds."""
    chosen = [
        pytest.param(case, id=case.id)
        for case in ALL
        if case.kind in kinds and (not about or about in case.says)
    ]
    return pytest.mark.parametrize("case", chosen)


@of_kind(*FORM_KINDS, about="form")
def test_form(case: Case) -> None:
    report = judge(case)
    against = [finding for finding in report.findings if finding.severity in AGAINST]
    mine = [finding for finding in against if finding.key == case.rule]
    expected = case.says.get("expect", [])
    for wanted in expected:
        assert any(has(finding, wanted, case.rule) for finding in report.findings), lines(report.findings)
    assert case.rule in report.checked
    if case.kind in ("illegal", "undecided"):
        assert any(f.severity is AGAINST[case.kind == "undecided"] for f in mine), lines(report.findings)
        assert all(any(has(finding, wanted, case.rule) for wanted in expected) for finding in mine), lines(
            mine
        )
    else:
        assert not mine, lines(mine)
    if case.kind == "noted":
        assert any(wanted.get("rule", case.rule) == case.rule for wanted in expected)
    unjudged = {item.key for item in report.not_checked}
    assert (case.rule in unjudged) == (case.kind == "unknown"), report.not_checked
    if case.says.get("only"):
        others = [f for f in against if not any(has(f, wanted, case.rule) for wanted in expected)]
        assert not others, lines(others)


@of_kind(*FORM_KINDS, about="facts")
def test_facts(case: Case) -> None:
    said = judge_facts(case)
    errors = [finding for finding in said if finding.severity is Severity.ERROR]
    assert bool(errors) == (case.kind == "illegal"), lines(said)
    for wanted in case.says.get("expect", []):
        assert any(has(finding, wanted, case.rule) for finding in said), lines(said)


@of_kind("resolves")
def test_volley(case: Case) -> None:
    agrees(case, strike(case))


@of_kind("wrong")
def test_wrong_outcome(case: Case) -> None:
    result = strike(case)
    assert len(case.says["result"]) == 1 and "hits" not in case.says, "one claim in each case"
    with pytest.raises(AssertionError):
        agrees(case, result)


@of_kind("refused")
def test_refused_choice(case: Case) -> None:
    with pytest.raises(IllegalChoice) as refusal:
        strike(case)
    assert refusal.value.rule == case.says.get("by", case.rule)


@of_kind("switched-off")
def test_switched_off(case: Case) -> None:
    agrees(case, strike(case, switched_off=True))
    try:
        with_the_rule = strike(case)
    except BadInput:  # other dice or choices are needed: different enough
        return
    with pytest.raises(AssertionError):
        agrees(case, with_the_rule)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_each_rule_of_a_volley_makes_a_difference(rulebook: str) -> None:
    """Switched off, it changes what one of its cases comes to: else the cases would not show that it works."""
    rules = load_rulebook(rulebook).rules
    idle = {
        case.rule
        for case in ALL
        if case.rulebook == rulebook and case.kind in VOLLEY_KINDS and rules[case.rule].kind == "resolve"
    }
    for case in ALL:
        if case.rule in idle and case.rulebook == rulebook and differs(case):
            idle.discard(case.rule)
    assert not idle


def differs(case: Case) -> bool:
    """Does a volley not come out as its case says, once the rule is switched off?"""
    if case.kind not in ("resolves", "refused"):
        return case.kind == "switched-off"
    try:
        result = strike(case, switched_off=True)
    except IllegalChoice as refusal:
        return case.kind != "refused" or refusal.rule != case.says.get("by", case.rule)
    except BadInput:
        return True
    if case.kind == "refused":
        return True
    try:
        agrees(case, result)
    except AssertionError:
        return True
    return False


def agrees(case: Case, result: VolleyResult) -> None:
    """Holds the hits and the outcome against what the case says."""
    says = case.says
    assert "hits" in says or "result" in says
    if "hits" in says:
        ways = [shown(hit) for hit in result.hits]
        assert len(ways) == len(says["hits"]), [way[0] for way in ways]
        for n, (way, wanted) in enumerate(zip(ways, says["hits"], strict=True), 1):
            assert wanted in way, f"hit {n} is {way}"
    found = {
        "shuttles_lost": sorted(
            result.state.shuttles_away - set(says.get("state", {}).get("shuttles_away", ()))
        ),
        "absorbed": list(absorbed(result)),
    }
    for name, wanted in says.get("result", {}).items():
        value = found[name] if name in found else getattr(result, name)
        assert value == wanted, f"{name} is {value}"


def lines(findings: tuple[Finding, ...] | list[Finding]) -> str:
    """Findings as one reads them when a case fails."""
    return "\n".join(
        f"{f.severity} [{f.key}] turn {f.turn} {f.location.cell or f.location.pointer}: {f.message}"
        for f in findings
    )


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_each_rule_has_its_cases(rulebook: str) -> None:
    """The gate: a rule at work, and the rule against something; or a reason why no program can tell."""
    excused = excuses(rulebook)
    kinds: dict[str, set[str]] = defaultdict(set)
    for case in ALL:
        if case.rulebook == rulebook:
            kinds[case.rule].add(case.kind)
    rules = load_rulebook(rulebook).rules
    assert not set(kinds) - set(rules), "cases of rules there are not"
    for played_by, rule_key, kind in cases_kept_elsewhere():
        if played_by == rulebook:  # a rule that waits to be registered may have its cases already
            kinds[rule_key].add(kind)
    assert not set(excused) - set(rules), "rules excused that there are not"
    lacking = []
    for key, rule in rules.items():
        for name, ways in wanted_of(rule.kind).items():
            if not kinds[key] & ways and not excused.get(key):
                lacking.append(f"{key}: no {name} case")
            elif key in excused and all(kinds[key] & each for each in wanted_of(rule.kind).values()):
                lacking.append(f"{key}: excused, but it has its cases")
    assert not lacking, "\n".join(lacking)


def wanted_of(kind: str) -> dict[str, set[str]]:
    """What cases a kind of rule must have."""
    if kind == "check":
        return {"legal": {"legal"}, "illegal": {"illegal", "undecided"}}
    return {
        "resolves": {"resolves", "legal"},
        "refused, wrong or switched-off": {"refused", "wrong", "switched-off"},
    }


def test_each_case_is_about_one_thing() -> None:
    for case in ALL:
        assert (case.kind in FORM_KINDS) == (("form" in case.says) != ("facts" in case.says)), case.id


def test_case_names_are_their_own() -> None:
    ids = [case.id for case in ALL]
    assert len(ids) == len(set(ids))
