"""Every case of the rules of fire, each a test of its own; and no rule of them without its cases."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Severity
from referee.rulebooks import cadet, sfb
from referee.rulebooks.base import rules_in
from referee.rulebooks.cadet import cloak as cadet_cloak
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.sfb import cloak, direct_fire, seekers, sensors
from tests.unit.rulebooks.sfb.firecases import BOOKS, CHECKS, RESOLVES, FireCase, fire_cases, found, judged

ALL = fire_cases()


def of(*kinds: str) -> pytest.MarkDecorator:
    chosen = [case for case in ALL if case.kind in kinds]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case.id)


@of(*CHECKS)
def test_judged(case: FireCase) -> None:
    items = judged(case)
    findings = [item for item in items if isinstance(item, Finding)]
    severities = {finding.severity for finding in findings}
    assert all(item.key == case.rule for item in items)
    by_kind = {"illegal": Severity.ERROR, "undecided": Severity.UNDECIDED, "noted": Severity.NOTE}
    expected = {by_kind[case.kind]} if case.kind in by_kind else set()
    assert severities == expected, findings
    assert any(isinstance(item, NotChecked) for item in items) == (case.kind == "unknown"), items
    for name in ("expected", "found", "data_status"):
        if name in case.says:
            assert case.says[name] in [getattr(finding, name) for finding in findings], findings


@of("resolves")
def test_resolved(case: FireCase) -> None:
    agrees(case.says, found(case))


@of("wrong")
def test_wrong_outcome(case: FireCase) -> None:
    values = found(case)
    with pytest.raises(AssertionError):
        agrees(case.says, values)


@of("switched-off")
def test_switched_off(case: FireCase) -> None:
    if case.says.get("refused"):
        with pytest.raises(BadInput):
            found(case)
        return
    agrees(case.says, found(case))
    with_the_rule = FireCase(case.rulebook, case.rule, case.name, "resolves", case.says)
    try:
        other = found(with_the_rule)
    except BadInput:
        return
    with pytest.raises(AssertionError):
        agrees(case.says, other)


def agrees(says: dict[str, Any], values: dict[str, Any]) -> None:
    """Holds what came out against what the case says."""
    named = [
        name
        for name in (
            *("gives", "volleys", "phases", "held", "speed", "course", "spent", "reached", "left"),
            *("warhead", "lost"),
        )
        if name in says
    ]
    assert named, "the case says nothing of what comes out"
    for name in named:
        if name == "gives":
            assert len(values["gives"]) == len(says["gives"])
            for got, wanted in zip(values["gives"], says["gives"], strict=True):
                assert {key: got[key] for key in wanted} == wanted
        elif name == "phases":
            assert values["phases"] == says["phases"]
        elif name == "lost":
            assert values.get(name, []) == says[name]
        else:
            assert values.get(name, "none") == says[name]


@pytest.mark.parametrize("rulebook", BOOKS)
def test_each_rule_has_its_cases(rulebook: str) -> None:
    mine = {rule.key for rule in rules_in(direct_fire, sensors, cloak, seekers, cadet_cloak)}
    kinds: dict[str, set[str]] = defaultdict(set)
    for case in ALL:
        if case.rulebook == rulebook:
            kinds[case.rule].add(case.kind)
    rules = load_rulebook(rulebook).rules
    assert not set(kinds) - set(rules), "cases of rules there are not"
    lacking = []
    for key in sorted(mine & set(rules)):
        wanted = (
            ({"legal"}, {"illegal", "undecided"})
            if rules[key].kind == "check"
            else ({"resolves"}, {"switched-off"})
        )
        lacking += [f"{key}: no {'/'.join(each)}" for each in wanted if not kinds[key] & each]
    assert not lacking, "\n".join(lacking)


def test_every_rule_says_what_is_legal_and_what_is_not() -> None:
    for rule in rules_in(direct_fire, sensors, cloak, seekers, cadet_cloak):
        assert "Legal:" in rule.text and "Illegal:" in rule.text, rule.key


def test_kinds_fit_the_rules() -> None:
    for case in ALL:
        kind = load_rulebook(case.rulebook).rules[case.rule].kind
        assert case.kind in (CHECKS if kind == "check" else RESOLVES), case.id


def test_modules_by_subject() -> None:
    """Where the rules on each subject are, as the packages of the rulebooks must say it."""
    found: dict[str, set[str]] = defaultdict(set)
    for module in (direct_fire, sensors, cloak, seekers):
        for rule in rules_in(module):
            found[rule.on].add(module.__name__.rpartition(".")[2])
    for subject, names in found.items():
        assert names <= set(sfb.MODULES[subject]), subject
    assert {rule.on for rule in rules_in(cadet_cloak)} <= set(cadet.MODULES)
