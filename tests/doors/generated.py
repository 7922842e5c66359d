"""Generated games of movement, legal or with one thing wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.property.test_movement_properties import Game, legal_game

SPOILS = ("nothing", "a move left out", "another way", "out of turn", "a speed too great")
SEEDS = 20


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
