"""Games that robots played on both sides: asked again before each order, a robot decides as it did."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from referee.adjudicator.robot import Robot, orders_of
from referee.adjudicator.robot_orders import OrdersTable
from referee.core.dice import seeded_dice
from referee.core.orders import Advance, Fire, Launch, Order, SetSpeed
from referee.core.robot import Decision
from referee.core.scenario import corners
from referee.formats.orders import parse_orders
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.conftest import mostly_long
from tests.net.gamefiles import games

FAST = [
    text
    for game in games("robots")
    for does in game["does"]
    if isinstance(does, dict)
    for text in does.values()
    if "option damage=fast" in text
]
"""Their orders files whose hits need no dice: these leave the ships as they were in the game itself."""


@pytest.mark.parametrize("n", mostly_long(list(range(len(FAST))), lambda n: n < 2))
def test_a_robot_decides_as_in_the_game_it_played(n: int) -> None:
    orders = parse_orders(FAST[n], "duel.txt", load_ship)
    book = load_rulebook(orders.rulebook).with_options(
        {**dict(orders.options), "impulses": str(orders.impulses)}
    )
    robot = Robot(book, seeded_dice("coins"))
    names = [placed.ship for placed in orders.ships if load_ship(placed.class_id).boxes]
    game = OrdersTable(robot, replace(orders, orders=()), load_ship, names, corners(book.option("map")))

    def decided(order: Order) -> tuple[Decision | None, ...]:
        match order:
            case SetSpeed() | Advance() | Launch() | Fire():
                now = game.seats[order.ship].situation(game.table.state)
            case _:
                return ()
        match order:
            case SetSpeed():
                return (robot.speed(now),)
            case Advance():
                return (robot.move(now),)
            case Launch():
                return robot.launches(now)
        return (robot.fire(now),)

    asked: Counter[str] = Counter()
    for order in orders.orders:
        decisions = [decision for decision in decided(order) if decision is not None]
        if decisions and not any(decision.coin for decision in decisions):
            given = [each for decision in decisions for each in orders_of(decision)]
            assert replace(order, location=given[0].location) in given, decisions
            asked[type(order).__name__] += 1
            for decision in decisions:
                assert decision.instruction in book.rules and len(decision.why) > 8
        game.take(order)
    assert asked["Advance"] > 60 and asked["Fire"] > 10 and asked["SetSpeed"] > 5 and asked["Launch"]
