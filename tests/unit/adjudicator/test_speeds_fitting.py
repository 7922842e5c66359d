"""Turns in which several speeds fit what is told: which of them is taken, and what is no more sure by that."""

from __future__ import annotations

from referee.adjudicator.speeds_fitting import OTHER_SPEED, settled
from referee.core.account import Account, Coverage, Event
from referee.core.finding import SURE
from referee.core.location import Location
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-standard").with_options({"impulses": "32"})
FIRST = {"format": 1, "fold": 2, "rulebook": BOOK.id, "players": ["a", "b"], "dice": {"mode": "seed"}}
STEP = BOOK.descriptor["sequence_of_play"]["impulse"][0]
D7, CA = "standard/klingon-d7", "standard/federation-ca"


def account(*moves: tuple[int, str, str], kharg: int, sabre: int) -> Account:
    """Ships that say their speeds, and move in some impulses: Kharg's is said in event 4, Sabre's in event 5."""
    first = FIRST | {
        "options": {"impulses": "32"},
        "from": {"file": "x", "sha256": "", "lines": 10**9, "turn": 1, "impulse": 1},
    }
    rows: list[tuple[str, dict[str, object]]] = [
        ("genesis", first),
        ("ship", {"ship": "Kharg", "class": D7, "player": "a", "at": "2020A"}),
        ("ship", {"ship": "Sabre", "class": CA, "player": "b", "at": "2010D"}),
        ("step", {"turn": 1, "step": BOOK.offers.moments(BOOK, 1)[0][2]}),
    ]
    order = {"text": [], "turn": 1}
    rows.append(("order", order | {"player": "a", "speed": {"ship": "Kharg", "speed": kharg}}))
    rows.append(("order", order | {"player": "b", "speed": {"ship": "Sabre", "speed": sabre}}))
    for impulse in range(1, max(at for at, _, _ in moves) + 1):
        rows.append(("step", {"turn": 1, "impulse": impulse, "step": STEP}))
        rows += [
            (
                "order",
                order
                | {"player": "ab"[ship == "Sabre"], "impulse": impulse, "move": {"ship": ship, "way": way}},
            )
            for at, ship, way in moves
            if at == impulse
        ]
    events = [Event(n, kind, data, at=Location("x", line=n)) for n, (kind, data) in enumerate(rows)]
    return Account(tuple(events), Coverage(energy="no form", steps="none"), "x")


def speeds(of: Account) -> list[int]:
    return [event.data["speed"]["speed"] for event in of.events if "speed" in event.data]


def test_the_speeds_against_which_there_is_least_are_taken() -> None:
    """The slower moves first."""
    told = account((3, "Kharg", "ahead"), (3, "Sabre", "ahead"), kharg=15, sabre=14)
    taken = settled(BOOK, load_ship, told, {4: (15, 14), 5: (14, 15)})
    assert speeds(taken) == [14, 15] and all(event.sure is SURE for event in taken.events)


def test_what_all_speeds_make_an_error_stays_one() -> None:
    told = account((3, "Kharg", "ahead"), (5, "Kharg", "left"), (7, "Kharg", "left"), kharg=15, sabre=0)
    taken = settled(BOOK, load_ship, told, {4: (15, 14)})
    assert speeds(taken) == [15, 0] and all(event.sure is SURE for event in taken.events)


def test_what_only_some_of_them_make_an_error_is_no_more_sure() -> None:
    """One speed is against the order of movement, the other against a call."""
    told = account((2, "Kharg", "ahead"), (2, "Sabre", "ahead"), (4, "Sabre", "ahead"), kharg=17, sabre=16)
    taken = settled(BOOK, load_ship, told, {4: (17, 8)})
    assert OTHER_SPEED in {event.sure for event in taken.events}
