"""How far a ship is hidden, and what it may announce (G13.0)."""

from __future__ import annotations

import pytest

from referee.adjudicator.cloak import Announcement, cloak_at, history_of, judge_announcement
from referee.core.combat import CloakState, Moment
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-standard")
EAGLE, D7 = load_ship("standard/romulan-we"), load_ship("standard/klingon-d7")
CLOAKS: tuple[Moment, Announcement] = (Moment(1, 5), "cloak")


def phases(paid: tuple[int, ...], *impulses: int) -> list[CloakState]:
    history = history_of(BOOK, "Eagle", paid, [CLOAKS])
    return [cloak_at(BOOK, history, Moment(1, impulse)) for impulse in impulses]


def test_a_paid_cloak_takes_four_impulses_from_its_announcement() -> None:
    fading = CloakState("fading-out", 1), CloakState("fading-out", 4), CloakState("cloaked")
    assert phases((1,), 4, 5, 8, 9) == [CloakState("visible"), *fading]


def test_a_cloak_that_is_not_paid_hides_nothing() -> None:
    assert phases((), 5, 9) == [CloakState("visible")] * 2


def test_a_ship_of_which_nothing_is_known_is_plain_to_see() -> None:
    history = history_of(BOOK, "Eagle")
    assert history.impulses == 32 and cloak_at(BOOK, history, Moment(2, 9)) == CloakState()


def against(
    order: Announcement, impulse: int, *, paid: tuple[int, ...] = (1,), ship: object = EAGLE
) -> list[tuple[str, str]]:
    """The rules against an announcement after one of impulse 5, unless it is that one; how each stands."""
    said = [CLOAKS] if impulse > 5 else []
    known = ship if ship in (EAGLE, D7) else None
    history = history_of(BOOK, "Eagle", paid, said)
    found = judge_announcement(BOOK, history, Moment(1, impulse), order, known)  # type: ignore[arg-type]
    assert all((one.subject, one.turn) == ("Eagle", 1) for one in found if isinstance(one, Finding))
    return [(one.key, "open" if isinstance(one, NotChecked) else one.severity.value) for one in found]


def test_a_ship_with_a_device_that_paid_may_cloak() -> None:
    assert against("cloak", 5) == []


@pytest.mark.parametrize(
    ("order", "impulse", "more", "wrong"),
    [
        ("cloak", 5, {"paid": ()}, ("G13.0/paid", "error")),
        ("cloak", 5, {"ship": D7}, ("G13.0/device", "error")),
        ("cloak", 5, {"ship": None}, ("G13.0/device", "open")),
        ("uncloak", 4, {}, ("G13.0/announce", "error")),
        ("cloak", 7, {}, ("G13.0/announce", "undecided")),
        ("uncloak", 12, {}, ("G13.0/remains", "error")),
    ],
)
def test_what_is_against_an_announcement(
    order: Announcement, impulse: int, more: dict[str, object], wrong: tuple[str, str]
) -> None:
    assert against(order, impulse, **more) == [wrong]  # type: ignore[arg-type]
