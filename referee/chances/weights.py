"""The exact odds of a volley, point by point: with a dictionary of states while they are few, then with arrays."""

from __future__ import annotations

from collections.abc import Iterator

from referee.chances.asking import Asker
from referee.chances.boxpools import quantities_of
from referee.chances.exact import BUDGET, Packing, Weights, walk, weigh

DICTIONARY = 500_000
"""States kept at once in a dictionary: where arrays cannot do the work, these are the most."""
ARRAYS_FROM = 10_000
"""States from which arrays are quicker than a dictionary."""


def exact_weights(asker: Asker, budget: int = BUDGET, every: bool = False) -> Iterator[Weights]:
    """The weights before the first point, and after each (`every`) or only after the last.

    Raises BeyondBudget as soon as more states than that are needed.
    """
    packing = Packing(asker)
    quantities = quantities_of(asker.pools)
    for n, states, total in walk(asker, packing, min(budget, DICTIONARY)):
        if every or n == asker.scored:
            yield weigh(states, total, quantities, packing)
        if len(states) > ARRAYS_FROM and n < asker.scored and not asker.random:
            # NumPy costs a tenth of a second to load: only where it pays.
            from referee.chances.exact_arrays import ArrayWalk

            yield from ArrayWalk(asker, packing, states, total).weights(n, quantities, every, budget)
            return
