"""Generated games of movement, legal or with one thing wrong, are judged alike at every door."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.conftest import mostly_long
from tests.doors.games import ASIDE
from tests.doors.played import DOORS, Played, Told, told
from tests.property.test_movement_properties import Game, legal_game

__all__ = ["own_folder", "referee"]

SPOILS = ("nothing", "a move left out", "another way", "out of turn", "a speed too great")
SEEDS = 20


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", mostly_long(range(SEEDS), lambda seed: seed < 2 * len(SPOILS)))
def test_a_generated_game_is_judged_alike_at_every_door(referee: Run, seed: int) -> None:
    game = spoilt(seed)
    played = Played(f"{game.text()}turn {game.turns + 1}\n")
    still = set(game.ships) - {step.ship for step in game.steps}
    found = {
        door: _compared(
            told(does(referee, played), {key for at, key in ASIDE if at == door}), still, game.turns
        )
        for door, does in DOORS.items()
    }
    assert found["record"] == found["orders"], SPOILS[seed % len(SPOILS)]
    # A log takes what is moved before its clock goes on as put in place: of the first impulse it tells nothing.
    first = {one for one in found["log"] | found["orders"] if one[3:] == (1, 1)}
    assert found["log"] - first == found["orders"] - first, SPOILS[seed % len(SPOILS)]
    # The online client tells no speeds: what a ship does not move may be its speed.
    assert found["play"] <= found["orders"], SPOILS[seed % len(SPOILS)]
    if SPOILS[seed % len(SPOILS)] not in ("a move left out", "a speed too great"):
        assert found["play"] == found["orders"], SPOILS[seed % len(SPOILS)]


def spoilt(seed: int) -> Game:
    """A legal game with one thing wrong, by its seed."""
    random, spoil = Random(seed), SPOILS[seed % len(SPOILS)]
    game = legal_game(random)
    steps, n = list(game.steps), random.randrange(len(game.steps))
    if spoil == "a move left out":
        del steps[n]
    elif spoil == "another way":
        others = [way for way in ("ahead", "left", "right") if way != steps[n].way]
        steps[n] = replace(steps[n], way=random.choice(others))
    elif spoil == "out of turn":
        pairs = [at for at in range(len(steps) - 1) if _together(steps[at], steps[at + 1])]
        if pairs:
            at = random.choice(pairs)
            steps[at], steps[at + 1] = steps[at + 1], steps[at]
    elif spoil == "a speed too great":
        name, turn = sorted(game.speeds)[seed % len(game.speeds)]
        game = replace(game, speeds={**game.speeds, (name, turn): game.of})
    return replace(game, steps=tuple(steps))


def _together(one: object, other: object) -> bool:
    return [getattr(one, name) for name in ("turn", "impulse")] == [
        getattr(other, name) for name in ("turn", "impulse")
    ]


def _compared(found: set[Told], still: set[str], turns: int) -> set[Told]:
    """What is compared. Not what a door is not known: a log has one speed before the game for all ships, and none of
    the forms. Of a ship that never moves an orders file may simply not tell: there its moves are undecided. And nothing
    of the turn that is only begun, so that the last one is over: there the speeds of the last one still stand."""
    kept = (one for one in found if _number(one) not in ("B3.0", "B3.0-14") and (one[3] or 0) <= turns)
    return {("error", *one[1:]) if _number(one) == "C1.4" and one[2] in still else one for one in kept}


def _number(found: Told) -> str:
    """The number of the rule of a finding."""
    return found[1].partition("/")[0]
