"""Seekers of an account that does not tell how they move."""

from __future__ import annotations

import pytest

from referee.adjudicator.seekers_by_rule import SeekersByRule
from referee.adjudicator.table import GameTable
from referee.core.combat import Moment
from tests.unit.adjudicator.recorded import FED
from tests.unit.adjudicator.told import BOOK, CADET, Said, at, errors, says, table

SHIPS = (("Claw", "standard/kzinti-cs", "1020A", "0"), ("Prey", "standard/klingon-d7", "1005D", "0"))
STILL = says("speed", ship="Claw", speed=0), says("speed", ship="Prey", speed=0)


def launch(weapon: str = "DRN/1", target: str = "Prey") -> Said:
    return says("launch", ship="Claw", weapon=weapon, target=target, name="One", type="drone")


def played(*lines: Said) -> GameTable:
    """Claw launches in impulse 1 at Prey, 15 hexes ahead; both stand still."""
    return table(at(None), *STILL, at(1), *lines, rulebook=BOOK, ships=SHIPS)


def seekers(game: GameTable) -> SeekersByRule:
    assert game.unresolved is not None
    return game.unresolved.seekers


def scored(points: int) -> Said:
    return says("scored", name="One", points=points)


def test_it_flies_straight_at_its_target() -> None:
    game = played(launch(), at(10))
    assert errors(game) == []
    one = game.state.seekers["One"]
    assert (str(one.hex), one.hexes) == ("1011", 9) and seekers(game).guessed == set()


def test_it_strikes_in_the_hex_of_its_target_and_is_gone() -> None:
    assert "One" in played(launch(), at(14)).state.seekers
    game = played(launch(), at(16))
    assert game.state.seekers == {} and seekers(game).gone == {"One": Moment(1, 16)}
    (note,) = [one for one in game.report().findings if one.subject == "One"]
    assert (note.key, note.severity.value, note.impulse) == ("F2.0", "note", 16)
    assert "strikes Prey in 1005 for 12 on its shield 1" in note.message


def test_a_way_that_is_not_its_course() -> None:
    assert errors(played(launch(), at(10), says("seeker", name="One", way="ahead"))) == []
    game = played(launch(), at(10), says("seeker", name="One", way="right"))
    assert errors(game) == [("F2.0", "One")] and str(game.state.seekers["One"].hex) == "1112"


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (launch(target="Nobody"), "it goes after Nobody, which is no ship"),
        (launch("PH-1/1"), "PH-1/1 launches no seeker known here"),
    ],
)
def test_what_is_not_followed(order: Said, why: str) -> None:
    game = played(order)
    assert seekers(game).unfollowed == {"One": why} and game.state.seekers == {}
    assert [one.reason for one in game.report().not_checked if one.subject == "One"] == [why]


def test_four_points_destroy_a_drone_and_one_does_not() -> None:
    assert played(launch(), at(10), scored(1)).state.seekers["One"].damage == 1
    game = played(launch(), at(10), scored(4))
    assert game.state.seekers == {} and seekers(game).gone == {"One": Moment(1, 10)}


def test_one_that_is_gone_is_scored_on_no_more() -> None:
    assert errors(played(launch(), at(10), scored(4))) == []
    assert errors(played(launch(), at(10), scored(4), scored(1))) == [("F2.0", "One")]


def test_a_seeker_that_nobody_launched() -> None:
    (note,) = played(says("scored", name="Ghost", points=1)).report().findings
    assert (note.key, note.message) == ("NOTE/order", "no ship Ghost is placed")


def placed(at_hex: str, *impulses: int) -> GameTable:
    """A drone of the set-up of a Cadet game behind a ship that stands still."""
    drone = "drone", {"name": "One", "at": at_hex, "speed": 16, "target": "A", "side": ""}
    lines = drone, at(None), says("speed", ship="A", speed=0), *(at(impulse) for impulse in impulses)
    return table(*lines, rulebook=CADET, ships=(("A", FED, "1006D", "0"),))


def test_a_drone_that_was_placed_flies_one_hex_in_an_impulse() -> None:
    assert [str(placed("1010A", *row).state.seekers["One"].hex) for row in ((1,), (1, 2))] == ["1009", "1008"]


def test_a_drone_that_was_placed_reaches_its_target_and_is_gone() -> None:
    game = placed("1007A", 1)
    assert game.state.seekers == {}
    (note,) = [one for one in game.report().findings if one.subject == "One"]
    assert note.severity.value == "note" and "reaches A in 1006" in note.message
