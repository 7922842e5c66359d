"""Batteries ordered in the chat of a log: `!battery 1 for PH-1A` (B3.0-21)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from referee.adjudicator.capacitor import battery_order, check_batteries, lost_points
from referee.adjudicator.fire import weapons_named
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report
from referee.core.orders import OrderProblem, UseBattery
from referee.logs.fire import Heard, Orders
from referee.logs.owners import not_understood
from referee.logs.ship_under_audit import Judged


def _of_ship(orders: Orders, ship: str) -> Iterator[tuple[Heard, UseBattery]]:
    for heard in orders.of(UseBattery):
        assert isinstance(heard.order, UseBattery)
        if heard.order.ship == ship:
            yield heard, heard.order


def batteries_ordered(orders: Orders, ship: str) -> dict[int, Fraction]:
    """The points of a ship's batteries that chat orders, turn by turn."""
    found: dict[int, Fraction] = {}
    for heard, order in _of_ship(orders, ship):
        if heard.when.turn is not None:
            found[heard.when.turn] = found.get(heard.when.turn, Fraction(0)) + order.points
    return found


def batteries_lost(orders: Orders, one: Judged) -> dict[int, Fraction]:
    """Those of the points that no phaser takes they are ordered for, turn by turn."""
    fed: dict[int, list[tuple[Fraction, list[str]]]] = {}
    for heard, order in _of_ship(orders, one.ship.name):
        # Of a name that is not understood nothing is held against the ship.
        with suppress(BadInput):
            marks = [mount.id for mount in weapons_named(one.book, one.chosen, order.weapons)]
            fed.setdefault(heard.when.turn or 0, []).append((order.points, marks))
    return {turn: lost_points(one.book, one.chosen, said) for turn, said in fed.items()}


def judge_batteries(judged: Iterable[Judged], orders: Orders) -> Report:
    """The report on all batteries ordered in a log."""
    reports = [item for one in judged for item in _judged(one, orders)]
    findings = tuple(item for item in reports if isinstance(item, Finding))
    return Report(findings, not_checked=tuple(item for item in reports if isinstance(item, NotChecked)))


def _judged(one: Judged, orders: Orders) -> Iterator[Finding | NotChecked]:
    known = ((energy.turn, energy.facts.batteries_known_left) for energy in one.energy)
    left: dict[int, Fraction] = {turn: points for turn, points in known if points is not None}
    for heard, order in _of_ship(orders, one.ship.name):
        try:
            marks = tuple(mount.id for mount in weapons_named(one.book, one.chosen, order.weapons))
        except BadInput as error:
            problem = OrderProblem(heard.said.line.text, error.reason, error.hint)
            yield not_understood(problem, heard.said, heard.place)
            continue
        turn = heard.when.turn or 0
        when = heard.when.turn, heard.when.impulse
        facts = battery_order(one.book, one.chosen, one.ship.name, when, order.points, marks, left.get(turn))
        if turn in left:
            left[turn] = max(Fraction(0), left[turn] - order.points)
        found, lacking = check_batteries(one.book, [facts])
        yield from (replace(item, location=heard.place.within(piece=one.ship.name)) for item in found)
        yield from lacking
