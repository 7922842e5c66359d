"""A ship's energy turn by turn: what is known of turns that are over is what working them out anew gives."""

from __future__ import annotations

from random import Random

import pytest

from referee.adjudicator.played_energy import PlayedTurn, energy_by_turn, energy_turns, judge_turn_of
from referee.core.energy import parse_energy
from referee.core.forms import EnergyAllocation, Figure
from referee.core.location import Location
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK, SHIP = load_rulebook("sfb-cadet"), load_ship("cadet/federation-ca")
LINES = ("5", "7", "8", "9", "10:PHOT/A", "14", "16", "21")


def column(turn: int, random: Random) -> PlayedTurn:
    """A turn's form of any figures."""
    figures = {line: Figure(parse_energy(str(random.randint(0, 6))), Location()) for line in LINES}
    return PlayedTurn(EnergyAllocation(turn, figures, Location()))


@pytest.mark.parametrize("seed", range(20))
def test_a_game_that_goes_on_has_the_energy_of_one_judged_at_once(seed: int) -> None:
    random, name = Random(seed), f"ship {seed}"
    turns = [column(1, random)]
    for _ in range(12):
        match random.choice(("next", "next", "again", "changed", "back")):
            case "next":
                turns = [*turns, column(len(turns) + 1, random)]
            case "changed":
                n = random.randrange(len(turns))
                turns = [*turns[:n], column(n + 1, random), *turns[n + 1 :]]
            case "back":
                turns = turns[: random.randint(1, len(turns))]
        assert energy_by_turn(BOOK, SHIP, name, turns) == tuple(energy_turns(BOOK, SHIP, turns, name))


def test_turns_that_are_over_are_not_worked_out_again() -> None:
    random = Random(1)
    turns = [column(turn, random) for turn in range(1, 5)]
    before = energy_by_turn(BOOK, SHIP, "Meridian", turns[:3])
    after = energy_by_turn(BOOK, SHIP, "Meridian", turns)
    assert [one is two for one, two in zip(before, after, strict=False)] == [True, True, False]
    again = energy_by_turn(BOOK, SHIP, "Meridian", turns)
    assert all(one is two for one, two in zip(after, again, strict=True))
    reports = [judge_turn_of(BOOK, SHIP, "Meridian", facts[-1]) for facts in (after, again)]
    assert reports[0] is reports[1]


def test_a_ship_without_a_form_has_no_energy() -> None:
    assert energy_by_turn(BOOK, SHIP, "Meridian", []) == ()
