"""The drones a ship guides, as their counters are seen, on the one table (D6.131, D6.132)."""

from __future__ import annotations

import pytest

from referee.adjudicator.flights import Flight, Followed
from referee.adjudicator.guidance_seen import Guide, Launched
from referee.adjudicator.table import GameTable
from referee.core.account import DISPLAYED, GUIDED, Account, Coverage, Event
from referee.core.combat import Moment, Seeker, Unit
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.test_sensors_seen import sensors

BOOK = load_rulebook("sfb-standard")
SEEN = Coverage(ways="counters are seen", steps="no steps")
OVER = {(1, 1): Location("g.vlog", step=20), (2, 1): Location("g.vlog", step=40)}
GENESIS = Event(0, "genesis", {"players": ["ann"], "dice": {"mode": "seed"}, "fold": 2})


def drones(count: int, turn: int) -> tuple[Launched, ...]:
    """Drones launched one after the other in the first impulse of a turn, none of which has moved."""
    return tuple(
        Launched(
            10 * turn + n,
            When(turn, 1),
            Followed(
                Flight(
                    Seeker(f"Drone {n}", "drone", "Claw", "Prey", Hex(10, 5), "A", Moment(turn, 1)),
                    (),
                    lambda step: Unit("Prey", hex=Hex(10, 20), facing="A"),
                )
            ),
        )
        for n in range(count)
    )


def found(guide: Guide, rating: int = 6, *, shown: bool = True) -> list[tuple[str, int | None, int | None]]:
    """What is against a ship whose sensors have a rating, or are not shown."""
    table = GameTable(BOOK, load_ship, Account((GENESIS,), SEEN, "g.vlog", kept=False, over=OVER))
    table.take(Event(1, DISPLAYED, {"ship": "Claw", "display": sensors(rating, shown=shown)}))
    wrong = table.take(Event(2, GUIDED, {"guide": guide}))
    assert list(table.beside.guides.report().findings) == wrong
    return [(one.key, one.turn, one.location.step) for one in wrong]


def guide(count: int, tried: bool | None = None, turn: int = 1) -> Guide:
    return Guide("Claw", lambda turn: tried, drones(count, turn))


@pytest.mark.parametrize(("count", "wrong"), [(6, []), (7, [("D6.132", 2, 26)])])
def test_sensors_control_as_many_as_their_rating(count: int, wrong: list[tuple[str, int, int]]) -> None:
    assert found(guide(count, turn=2)) == wrong


@pytest.mark.parametrize(("tried", "wrong"), [(True, []), (False, [("D6.131", 2, 40)])])
def test_lock_on_is_tried_for_as_a_turn_begins(tried: bool, wrong: list[tuple[str, int, int]]) -> None:
    """Damaged sensors need a die while a drone launched in an earlier turn is out."""
    assert found(guide(1, tried), 4) == wrong


def test_of_sensors_that_are_not_shown_nothing_is_judged() -> None:
    assert found(guide(7, False), 4, shown=False) == []
