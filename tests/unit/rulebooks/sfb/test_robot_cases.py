"""Every case of the Robot Opponent, each a test of its own; and no instruction without its cases."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.rulebooks.base import rules_in
from referee.rulebooks.cadet import robot as cadet_robot
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.sfb import robot
from referee.rulebooks.standard import robot as standard_robot
from tests.unit.rulebooks.sfb.robotcases import BOOKS, RobotCase, decided, robot_cases

ALL = robot_cases()
MODULES = (robot, cadet_robot, standard_robot)


def agrees(gives: dict[str, Any], found: dict[str, Any]) -> bool:
    """Is this what the case says? Of the sentence a part will do."""
    return all(
        value in found["why"] if name == "why" else found[name] == value for name, value in gives.items()
    )


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case(case: RobotCase) -> None:
    gives = case.says["gives"]
    assert gives, "the case says nothing of what comes out"
    found = decided(case, without=case.kind == "switched-off")
    assert agrees(gives, found) == (case.kind != "wrong"), found
    if case.kind == "switched-off":
        try:
            other = decided(case, without=False)
        except BadInput:
            return
        assert not agrees(gives, other), "the rule makes no difference"


@pytest.mark.parametrize("rulebook", BOOKS)
def test_each_instruction_has_its_cases(rulebook: str) -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for case in ALL:
        if case.rulebook == rulebook:
            kinds[case.rule].add(case.kind)
    rules = load_rulebook(rulebook).rules
    mine = {rule.key for rule in rules_in(*MODULES)} & set(rules)
    assert set(kinds) == mine
    for key in mine:
        assert {"resolves", "switched-off"} <= kinds[key], key


def test_all_nine_instructions_are_there() -> None:
    numbers = {rule.number for rule in rules_in(*MODULES)}
    assert {f"ROBOT-{n}" for n in range(1, 10)} <= numbers
    for rule in rules_in(*MODULES):
        assert "Legal:" in rule.text and "Illegal:" in rule.text, rule.key
