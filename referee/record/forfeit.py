"""In records of version 1: the dice of a roll whose key a player withheld, the worst there are for him."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

from referee.core.errors import BadInput
from referee.record.chain import Data
from referee.record.limits import MAX_FORFEIT_FACES

Evaluate = Callable[[str, Sequence[int]], int | Fraction]
"""What some faces of a group of dice are worth to the player who declared the roll."""


def worst_dice(order: Sequence[Data], evaluate: Evaluate, toward: str) -> list[Data]:
    """Each group's faces of least (`min`) or greatest (`max`) value; of equals the lowest faces.

    `evaluate` scores one group by the rules: what the roll is worth to the player who declared it.
    Groups count apart from each other. Raises BadInput when there are too many faces to try.
    """
    if toward not in ("min", "max"):
        raise BadInput(f"{toward!a} is neither min nor max")
    return [{**group, "faces": _worst(group, evaluate, toward)} for group in order]


def _worst(group: Data, evaluate: Evaluate, toward: str) -> list[int]:
    count, sides = group["count"], group["sides"]
    if sides**count > MAX_FORFEIT_FACES:
        raise BadInput(
            f"{count}d{sides} has too many faces to try", hint="the umpire rules on this roll instead"
        )
    every = (list(faces) for faces in itertools.product(range(1, sides + 1), repeat=count))
    sign = 1 if toward == "min" else -1
    return min(every, key=lambda faces: sign * evaluate(group["for"], faces))
