"""The energy of a ship turn by turn as a game goes on: no turn is worked out again, or judged again, for every entry."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.played_energy import PlayedTurn, energy_turns, judge_energy
from referee.core.finding import Report
from referee.core.frozen import frozen
from referee.core.once import Same
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

_SHIPS, _TURNS, _WAYS = 256, 1024, 4
"""How many ships, turns that were judged, and ways to play one turn are kept."""


def energy_by_turn(
    rulebook: Rulebook, ship_class: ShipClass, name: str, played: Sequence[PlayedTurn]
) -> tuple[EnergyFacts, ...]:
    """The facts of each turn's energy of a ship of a game."""
    return _energy_of(Same(rulebook), Same(ship_class), name).of(played) if played else ()


def judge_turn_of(rulebook: Rulebook, ship_class: ShipClass, name: str, facts: EnergyFacts) -> Report:
    """The report on one turn's energy."""
    return _judged(Same(rulebook), Same(ship_class), name, Same(facts))


@lru_cache(maxsize=_TURNS)
def _judged(
    rulebook: Same[Rulebook], ship_class: Same[ShipClass], name: str, facts: Same[EnergyFacts]
) -> Report:
    return judge_energy(rulebook.held, ship_class.held, (facts.held,), name)


@lru_cache(maxsize=_SHIPS)
def _energy_of(rulebook: Same[Rulebook], ship_class: Same[ShipClass], name: str) -> _EnergyByTurn:
    return _EnergyByTurn(rulebook.held, ship_class.held, name)


@frozen
class _Way:
    """A turn as it was played after the turn before it, as the last one or not, and its energy."""

    before: EnergyFacts | None
    turn: PlayedTurn
    last: bool
    facts: EnergyFacts


class _EnergyByTurn:
    """What is known of a ship's energy, turn after turn."""

    def __init__(self, rulebook: Rulebook, ship_class: ShipClass, name: str) -> None:
        self._rulebook, self._ship_class, self._name = rulebook, ship_class, name
        self._known: list[deque[_Way]] = []

    def of(self, played: Sequence[PlayedTurn]) -> tuple[EnergyFacts, ...]:
        """The facts of these turns: of the first ones those that are known."""
        known: list[EnergyFacts] = []
        for number, turn in enumerate(played):
            found = self._found(number, known[-1] if known else None, turn, last=number + 1 == len(played))
            if found is None:
                break
            known.append(found)
        if len(known) == len(played):
            return tuple(known)
        every = energy_turns(self._rulebook, self._ship_class, played, self._name, worked_out=known)
        facts = tuple(every)
        for number in range(len(known), len(played)):
            if number == len(self._known):
                self._known.append(deque(maxlen=_WAYS))
            before, last = facts[number - 1] if number else None, number + 1 == len(played)
            self._known[number].append(_Way(before, played[number], last, facts[number]))
        return facts

    def _found(
        self, number: int, before: EnergyFacts | None, turn: PlayedTurn, *, last: bool
    ) -> EnergyFacts | None:
        ways = self._known[number] if number < len(self._known) else ()
        same = (way for way in ways if way.before is before and way.last is last and way.turn == turn)
        return next((way.facts for way in same), None)
