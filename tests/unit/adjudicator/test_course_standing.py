"""Where a course may go on from one that stood, and where it takes every event anew."""

from __future__ import annotations

import pytest

from referee.adjudicator.course_standing import Stood, _all_seen, _goes_on, _of_course
from referee.adjudicator.movement_seen import SeenCourse
from referee.core.account import Account, Event
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook, load_ship

STEPS = tuple(
    Event(n, "step", {"turn": 1, "impulse": n}, at=Location("game.vlog", step=n), when=When(1, n))
    for n in range(1, 7)
)
GENESIS = Event(0, "genesis", {"players": ["player"]})
SHIP = Event(7, "ship", {"ship": "A", "energy": (1,)})


def account(*events: Event, over: int = 5, file: str = "game.vlog") -> Account:
    ended = {(1, n): Location(file, step=n) for n in range(1, over + 1)}
    return Account((GENESIS, *events), file=file, kept=False, over=ended)


BEFORE = account(SHIP, *STEPS[:5], over=4)


def goes_on(now: Account) -> bool:
    """Does an account go on where a course stood before the fifth event of the first?"""
    course = SeenCourse(load_rulebook("sfb-cadet"), load_ship, account())
    events = _of_course(now)
    return _all_seen(events) and _goes_on(Stood(course, 4, (), BEFORE, _of_course(BEFORE), ()), now, events)


def test_a_longer_account_goes_on() -> None:
    assert goes_on(account(SHIP, *STEPS))


def test_what_a_ship_paid_later_is_nothing_to_its_course() -> None:
    paid = Event(7, "ship", {"ship": "A", "energy": (1, 2)})
    assert goes_on(account(paid, *STEPS))


@pytest.mark.parametrize(
    "now",
    [
        account(SHIP, *STEPS[1:]),
        account(SHIP, *STEPS, file="other.vlog"),
        account(SHIP, *STEPS, over=1),
        account(SHIP, STEPS[0]),
        account(Event(7, "ship", {"ship": "B", "energy": (1,)}), *STEPS),
        account(SHIP, *STEPS, Event(9, "order", {"left": {"ship": "A"}})),
    ],
    ids=["an event less", "another file", "other ends", "shorter", "another ship", "out of sight"],
)
def test_another_account_does_not(now: Account) -> None:
    assert not goes_on(now)
