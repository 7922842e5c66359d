"""A rulebook with the rules of movement in it, whether or not its folder already collects them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from referee.adjudicator.track import judge_track
from referee.core.finding import Report
from referee.formats.orders import parse_orders
from referee.rulebooks.base import Rulebook, compose, rules_in
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb import movement, turning


@cache
def book(id: str = "sfb-cadet") -> Rulebook:
    """The rulebook, ready to judge movement."""
    loaded = load_rulebook(id)
    rules = compose(loaded.rules, rules_in(movement, turning), (), "sfb")
    return replace(loaded, rules=rules, procedures={**loaded.procedures, **movement.PROCEDURES_MOVEMENT})


def judged(text: str, *, without: tuple[str, ...] = (), open_end: bool = False) -> Report:
    """The report on an orders file."""
    orders = parse_orders(text, "orders.txt", load_ship)
    rulebook = book(orders.rulebook or "sfb-cadet").without(without)
    return judge_track(rulebook, orders, load_ship, open_end=open_end)


def keys(report: Report) -> list[tuple[str, str]]:
    """Severity and key of each finding."""
    return [(str(finding.severity), finding.key) for finding in report.findings]
