"""Where a course may go on from one that stood, and where it takes every event anew."""

from __future__ import annotations

import pytest

from referee.adjudicator.course_standing import _goes_on
from referee.core.account import Account, Event
from referee.core.location import Location
from referee.core.play import When

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


def test_a_longer_account_goes_on() -> None:
    assert _goes_on(BEFORE, account(SHIP, *STEPS), 4)


def test_what_a_ship_paid_later_is_nothing_to_its_course() -> None:
    paid = Event(7, "ship", {"ship": "A", "energy": (1, 2)})
    assert _goes_on(BEFORE, account(paid, *STEPS), 4)


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
    assert not _goes_on(BEFORE, now, 4)
