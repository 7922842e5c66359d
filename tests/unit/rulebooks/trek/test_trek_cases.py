"""Every case of every Trek rule, each a test of its own; no rule without cases; all twenty vectors."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from referee.core.finding import Finding, NotChecked, Severity
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.shipyard import library
from referee.rulebooks.trek.working import work_out
from tests.conftest import ROOT
from tests.unit.rulebooks.trek.trekcases import CHECK_KINDS, Case, all_cases, judge, outcome

SHARED = ROOT.parent / "shared" / "rules" / "trek" / "vectors.json"

ALL = all_cases()
VECTORS = 20
RULES = 77
SHOWN = ("expected", "found", "subject", "turn", "impulse")
"""What of a finding a case may name."""


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
    shown = [{name: getattr(item, name, None) for name in SHOWN} for item in found]
    wished = {name: case.says[name] for name in SHOWN if name in case.says}
    assert not wished or any(wished.items() <= figures.items() for figures in shown), shown


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


WORKED: dict[str, Callable[[Any], Any]] = {
    "V-1": lambda x: {
        "damage": x["absorb"],
        "wished": x["absorb"],
        "left": 99,
        "shield_power": 99,
        "ratio": x["spr"],
    },
    "V-2": lambda x: {"engine": 99, "left": x["start"] - x["spent"], "points": x["engine_damage"]},
    "V-3": lambda x: x,
    "V-4": lambda x: {"power": x["p"], "distance": x["d"]},
    "V-5": lambda x: x,
    "V-6": lambda x: {**x, "die": 10},
    "V-7": lambda x: x,
    "V-8": lambda x: x,
    "V-9": lambda x: {"kind": "plasma", "points": x["plasma_through"]},
    "V-10": lambda x: {"points": x["warp_superstructure"]},
    "V-11": lambda x: [{"points": x["bridge_hit"], "medical": medical} for medical in (False, True)],
    "V-12": lambda x: [{"power": x["p"], "distance": distance} for distance in x["d"]],
    "V-14": lambda x: [{"bank": x["bank"], "damage": x["damage"], "roll": roll} for roll in x["rolls"]],
    "V-15": lambda x: [
        {
            "range": x["range"],
            "moving": not x["stationary"],
            "lock": x["lock"],
            "roll": int(roll[0]),
            "bonus": "+1" in roll,
        }
        for roll in x["rolls"]
    ],
    "V-16": lambda x: {
        "number": x["to_hit"],
        "weaponry": x["weaponry_success"],
        "casualties": x["casualties"],
        "emergency": x["emergency_turn"],
    },
    "V-17": lambda x: {"maximum": x["laser_max"], "power": x["power"]},
}
"""How each vector that is data is put to the rule it is of."""
SAYS: dict[str, Callable[[Any], Any]] = {
    "V-1": lambda result: result["power"],
    "V-2": lambda result: int(result["left"]),
    "V-11": lambda result: result["casualties"],
    "V-14": lambda result: {1: "one", 2: "all"}[result],
}
"""What of the result a vector tells, where it is not the whole."""


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared rules folder is not beside the project")
def test_the_vectors_that_are_data_come_out() -> None:
    book = load_rulebook("trek")
    charts = library(book).charts
    rules = {case.says["vector"]: case.rule for case in ALL if "vector" in case.says}
    vectors = json.loads(SHARED.read_bytes())
    assert {vector["id"] for vector in vectors} == set(WORKED)
    for vector in vectors:
        id = vector["id"]
        given = WORKED[id](vector["input"])
        many = given if isinstance(given, list) else [given]
        found = [SAYS.get(id, lambda x: x)(work_out(book, charts, rules[id], one)) for one in many]
        assert (found if isinstance(given, list) else found[0]) == vector["expected"], id


def test_case_names_are_their_own() -> None:
    ids = [case.id for case in ALL]
    assert len(ids) == len(set(ids))
