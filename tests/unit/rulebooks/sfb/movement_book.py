"""The cases of the rules of movement as a player could have written them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.core.finding import Report
from referee.corpus.movement import moves_of, orders_judged
from referee.rulebooks.base import Rule, Rulebook, rules_in
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.sfb import board, movement, turning

CASES = Path(__file__).parent / "cases" / "movement"


def book(id: str = "sfb-cadet") -> Rulebook:
    """The rulebook."""
    return load_rulebook(id)


def movement_rules() -> tuple[Rule, ...]:
    """The rules of movement, turning and the map."""
    return rules_in(movement, turning, board)


def judged(text: str, *, without: tuple[str, ...] = (), open_end: bool = False) -> Report:
    """The report on an orders file."""
    return orders_judged(text, without=without, open_end=open_end, house="sfb-cadet")


def keys(report: Report) -> list[tuple[str, str]]:
    """Severity and key of each finding."""
    return [(str(finding.severity), finding.key) for finding in report.findings]


@dataclass(frozen=True)
class Case:
    """One case of one rule."""

    rule: str
    name: str
    kind: str
    says: dict[str, Any]

    def report(self, without: tuple[str, ...] = ()) -> Report:
        """The report on the orders or the moves of the case."""
        if "orders" in self.says:
            return judged(self.says["orders"], without=without, open_end=self.says.get("open_end", False))
        rulebook = book(self.says.get("rulebook", "sfb-cadet")).without(without)
        return moves_of(rulebook, self.says)


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, in the order of the files."""
    cases = []
    for path in sorted(CASES.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        assert path.name == f"{data['rule'].replace('/', '-')}.toml", path
        cases += [Case(data["rule"], case["name"], case["kind"], case) for case in data["case"]]
    return tuple(cases)
