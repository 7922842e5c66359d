"""Batteries ordered in the chat of a log: `!battery 1 for PH-1A` (B3.0-21)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction

from referee.adjudicator.capacitor import lost_points
from referee.adjudicator.fire import weapons_named
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.location import Location
from referee.core.orders import OrderProblem, UseBattery
from referee.core.play import When
from referee.logs.fire import HeardOrder, Orders
from referee.logs.owners import not_understood
from referee.logs.ship_under_audit import ShipUnderAudit


def _of_ship(orders: Orders, ship: str) -> Iterator[tuple[HeardOrder, UseBattery]]:
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


def batteries_lost(orders: Orders, ship: ShipUnderAudit) -> dict[int, Fraction]:
    """Those of the points that no phaser takes they are ordered for, turn by turn."""
    fed: dict[int, list[tuple[Fraction, list[str]]]] = {}
    for heard, order in _of_ship(orders, ship.ship.name):
        # Of a name that is not understood nothing is held against the ship.
        with suppress(BadInput):
            marks = [mount.id for mount in weapons_named(ship.rulebook, ship.chosen, order.weapons)]
            fed.setdefault(heard.when.turn or 0, []).append((order.points, marks))
    return {turn: lost_points(ship.rulebook, ship.chosen, feeds) for turn, feeds in fed.items()}


def batteries_told(
    judged: Iterable[ShipUnderAudit], orders: Orders, findings: list[Finding]
) -> Iterator[tuple[str, dict[str, object], Location, When]]:
    """All batteries ordered, for the table; `findings` takes the orders whose weapons are not understood."""
    for ship in judged:
        for heard, order in _of_ship(orders, ship.ship.name):
            try:
                marks = tuple(mount.id for mount in weapons_named(ship.rulebook, ship.chosen, order.weapons))
            except BadInput as error:
                problem = OrderProblem(heard.sentence.line.text, error.reason, error.hint)
                findings.append(not_understood(problem, heard.sentence, heard.place))
                continue
            battery = {"ship": ship.ship.name, "points": order.points, "weapons": marks, "order": order}
            yield "battery", battery, heard.place, heard.when
