"""Every case of every Trek rule, each a test of its own; no rule without cases; all twenty vectors."""

from __future__ import annotations

from collections import defaultdict

import pytest

from referee.core.finding import Finding, NotChecked, Severity
from referee.rulebooks.registry import load_rulebook
from tests.unit.trek.trekcases import CHECK_KINDS, Case, all_cases, judge, outcome

ALL = all_cases()
VECTORS = 20
RULES = 77


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    chosen = [pytest.param(case, id=case.id) for case in ALL if case.kind in kinds]
    return pytest.mark.parametrize("case", chosen)


@of_kind(*CHECK_KINDS)
def test_check(case: Case) -> None:
    found = judge(case)
    severities = [item.severity for item in found if isinstance(item, Finding)]
    wanted = {"illegal": Severity.ERROR, "undecided": Severity.UNDECIDED, "warned": Severity.WARNING}
    if case.kind == "unknown":
        assert any(isinstance(item, NotChecked) for item in found), found
    elif case.kind == "legal":
        assert not {Severity.ERROR, Severity.UNDECIDED} & set(severities), found
    else:
        assert wanted[case.kind] in severities, found
        assert case.kind == "illegal" or Severity.ERROR not in severities


@of_kind("resolves")
def test_resolves(case: Case) -> None:
    assert outcome(case) == case.says["expect"]


@of_kind("wrong")
def test_wrong(case: Case) -> None:
    assert outcome(case) != case.says["claim"]


def test_each_rule_has_its_cases() -> None:
    """The gate: each rule at work, and the rule against something; no Trek rule needs an excuse."""
    rules = load_rulebook("trek").rules
    kinds: dict[str, set[str]] = defaultdict(set)
    for case in ALL:
        kinds[case.rule].add(case.kind)
    assert not set(kinds) - set(rules), "cases of rules there are not"
    wanted = {"check": ({"legal"}, {"illegal"}), "resolve": ({"resolves"}, {"wrong"})}
    lacking = [key for key, rule in rules.items() if not all(kinds[key] & way for way in wanted[rule.kind])]
    assert not lacking, f"without both cases: {lacking}"


def test_all_rules_are_there() -> None:
    numbers = {int(rule.number.partition("-")[2]) for rule in load_rulebook("trek").rules.values()}
    assert numbers == set(range(1, RULES + 1))


def test_every_vector_is_a_case() -> None:
    shown = {case.says["vector"] for case in ALL if "vector" in case.says}
    assert shown == {f"V-{n}" for n in range(1, VECTORS + 1)}


def test_case_names_are_their_own() -> None:
    ids = [case.id for case in ALL]
    assert len(ids) == len(set(ids))
