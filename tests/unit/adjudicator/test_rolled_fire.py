"""Fire of ships that are seen, with the dice that fell for it, and what is said of it, on the one table."""

from __future__ import annotations

from typing import Any

import pytest

from referee.adjudicator.beside_orders import TAKES
from referee.adjudicator.rolled_fire import RolledFire, struck
from referee.adjudicator.table import GameTable
from referee.core.account import BESIDE_ORDERS, ROLLED, STATED, Event
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_ship
from tests.unit.adjudicator.test_fire_seen import BOOK, account, fires


def table(**dice: int) -> GameTable:
    """The Hood fires two phaser-1 at the Excalibur, four hexes away, and these dice fall for them."""
    on = GameTable(BOOK, load_ship, account(fires(10, "PH-1/A PH-1/B", 3)))
    on.take(Event(0, ROLLED, {"row": 0, "dice": {"AB".index(mark): die for mark, die in dice.items()}}))
    return on


def rolled(on: GameTable) -> RolledFire:
    assert on.beside.rolled is not None
    return on.beside.rolled


def wrong(on: GameTable, **figure: Any) -> list[tuple[str, str, str, int | None]]:
    event = Event(12, STATED, figure, at=Location("g.vlog", step=12), when=When(1, 3))
    found = on.take(event)
    return [(one.key, one.expected, one.found, one.location.step) for one in found]


def test_the_dice_of_a_row_score_what_the_table_says() -> None:
    on = table(A=1, B=6)
    (volley,), unknown = struck(BOOK, rolled(on).rows[0])
    assert (volley.target, volley.order.shield, volley.order.points) == ("Excalibur", 1, 7)
    assert not unknown


def test_what_struck_is_not_known_while_a_die_is_missing() -> None:
    assert struck(BOOK, rolled(table(A=1)).rows[0]) == ((), frozenset({"Excalibur"}))


def test_a_fork_takes_other_dice_and_the_first_table_keeps_its_own() -> None:
    on = table(A=1, B=1)
    other = on.fork()
    other.take(Event(0, ROLLED, {"row": 0, "dice": {0: 6, 1: 6}}))
    assert [one.damage for one in rolled(on).rows[0].results if one] == [5, 5]
    assert [one.damage for one in rolled(other).rows[0].results if one] == [2, 2]


@pytest.mark.parametrize(
    ("hit", "points", "told"), [(None, 5, ""), (None, 4, "4 points"), (False, None, "a miss")]
)
def test_a_score_that_is_said_is_what_the_die_came_to(
    hit: bool | None, points: int | None, told: str
) -> None:
    found = wrong(table(A=1, B=6), what="score", row=0, shot=0, hit=hit, points=points)
    assert found == ([("E2.4", "5 points", told, 12)] if told else [])


def test_a_score_is_not_judged_while_its_die_is_missing() -> None:
    on = table(A=1)
    assert wrong(on, what="score", row=0, shot=1, hit=None, points=99) == []
    (open_,) = on.beside.report().not_checked
    assert open_.key == BOOK.named.firing_tables and "PH-1/B" in open_.reason


@pytest.mark.parametrize(("points", "right"), [(7, True), (8, False)])
def test_a_total_is_the_sum_of_its_shots(points: int, right: bool) -> None:
    figure = {"what": "total", "row": 0, "shots": [0, 1], "ship": "Hood", "step": 10, "points": points}
    assert wrong(table(A=1, B=6), **figure) == ([] if right else [("D4.22", "7", str(points), 12)])


@pytest.mark.parametrize(("shield", "right"), [(1, True), (2, False)])
def test_a_hit_is_on_the_shield_that_was_struck(shield: int, right: bool) -> None:
    figure = {"what": "hit", "ship": "Excalibur", "shield": shield, "points": 7, "struck": {1: 7}}
    said = ("D4.22", "7 on shield 1", f"7 on shield {shield}", 12)
    assert wrong(table(A=1, B=6), **figure) == ([] if right else [said])


def test_what_is_told_beside_orders_is_of_the_kinds_there_are() -> None:
    assert set(TAKES) == BESIDE_ORDERS
