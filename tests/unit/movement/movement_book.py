"""The cases of the rules of movement as a player could have written them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.core.finding import Report
from referee.core.hexgrid import parse_position
from referee.core.location import Location
from referee.core.play import Move, When
from referee.formats.orders import parse_orders
from referee.judging.orders import judge_orders
from referee.rulebooks.base import Rule, Rulebook, rules_in
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb import board, movement, turning
from tests.unit.movement.moves_judged import Mover, judge_moves

CASES = Path(__file__).parent / "cases"


def book(id: str = "sfb-cadet") -> Rulebook:
    """The rulebook."""
    return load_rulebook(id)


def movement_rules() -> tuple[Rule, ...]:
    """The rules of movement, turning and the map."""
    return rules_in(movement, turning, board)


def judged(text: str, *, without: tuple[str, ...] = (), open_end: bool = False) -> Report:
    """The report on an orders file."""
    orders = parse_orders(text, "orders.txt", load_ship)
    rulebook = book(orders.rulebook or "sfb-cadet").without(without)
    return judge_orders(rulebook, orders, load_ship, goes_on=open_end)


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
        rulebook = rulebook.with_options({"impulses": str(self.says.get("impulses", 8))})
        units = [
            Mover(
                name,
                load_ship(unit["ship"]) if "ship" in unit else None,
                {int(turn): speed for turn, speed in unit.get("speeds", {}).items()},
                previous_speed=unit.get("before"),
                kind=unit.get("kind", "ship"),
                counting=unit.get("counting", "start"),
            )
            for name, unit in self.says["units"].items()
        ]
        moves = [made(line, n) for n, line in enumerate(self.says["moves"], 1)]
        return judge_moves(rulebook, units, moves, open_end=True)


def made(line: str, n: int) -> Move:
    """A move from a line: `1.2 Constellation 0111A 0110A`; `?` for an impulse or facing not known."""
    when, ship, start, end = line.split()
    turn, impulse = when.split(".")
    (from_hex, before), (to_hex, after) = parse_position(start), parse_position(end)
    moment = When(int(turn), None if impulse == "?" else int(impulse))
    return Move(ship, moment, from_hex, to_hex, before, after, Location(file="log", step=n))


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, in the order of the files."""
    cases = []
    for path in sorted(CASES.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        assert path.name == f"{data['rule'].replace('/', '-')}.toml", path
        cases += [Case(data["rule"], case["name"], case["kind"], case) for case in data["case"]]
    return tuple(cases)
