"""The energy of a ship turn by turn as a game goes on: turns that are over are not worked out again for every entry."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.played_energy import PlayedTurn, energy_turns
from referee.core.once import Same
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

_KEPT = 256  # ships whose energy is kept


def energy_by_turn(
    rulebook: Rulebook, ship_class: ShipClass, name: str, played: Sequence[PlayedTurn]
) -> tuple[EnergyFacts, ...]:
    """The facts of each turn's energy of a ship of a game."""
    return _energy_of(Same(rulebook), Same(ship_class), name).of(played) if played else ()


@lru_cache(maxsize=_KEPT)
def _energy_of(rulebook: Same[Rulebook], ship_class: Same[ShipClass], name: str) -> _EnergyByTurn:
    return _EnergyByTurn(rulebook.held, ship_class.held, name)


class _EnergyByTurn:
    """A ship's turns as they were asked for last, and their energy."""

    def __init__(self, rulebook: Rulebook, ship_class: ShipClass, name: str) -> None:
        self._rulebook, self._ship_class, self._name = rulebook, ship_class, name
        self._played: Sequence[PlayedTurn] = ()
        self._facts: tuple[EnergyFacts, ...] = ()

    def of(self, played: Sequence[PlayedTurn]) -> tuple[EnergyFacts, ...]:
        """The facts of these turns: of the first ones that are as they were, those that are known."""
        if played == self._played:
            return self._facts
        # The facts of a last turn are others than those of one that is over.
        over = zip(played[:-1], self._played[:-1], strict=False)
        known = self._facts[: len(list(takewhile(lambda pair: pair[0] == pair[1], over)))]
        found = energy_turns(self._rulebook, self._ship_class, played, self._name, worked_out=known)
        self._facts, self._played = tuple(found), played
        return self._facts
