"""Damage of ships whose displays are seen: what is marked on each, held against what struck it (D4.1).

A ship is judged with all that struck it and all that was marked: marks may be made late, and taken off again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.hits_on_ship import Displayed, Strike, unmarked
from referee.adjudicator.repairs import Marking, Unpaid, purse_of, reinforced_by_turn
from referee.core.finding import About, Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.location import Location
from referee.rulebooks.base import Rulebook


class SeenDamage(Forked):
    """The damage of all ships; `paid` are the facts of each ship's energy by turn."""

    def __init__(self, paid: Mapping[str, Mapping[int, EnergyFacts]], file: str) -> None:
        self._paid, self._file = paid, file
        self._findings: list[Finding] = []
        self._lacking: dict[NotChecked, None] = {}
        self._checked: dict[str, None] = {}
        self._elsewhere: set[str] = set()
        self.unpaid: dict[str, tuple[Unpaid, ...]] = {}
        """What was taken off each display again, and nothing paid for."""

    def marked_elsewhere(self, data: Mapping[str, Any]) -> list[Finding]:
        """What struck one ship is marked on the display of another."""
        strike: Strike = data["strike"]
        last: Marking = data["marks"][-1]
        rulebook: Rulebook = data["rulebook"]
        place = Location(self._file, piece=data["ship"], step=last.step)
        about = About(data["ship"], last.when.turn, last.when.impulse, place)
        seen = rulebook.offers.seen_damage
        found = seen.marked_on_another(about, strike.step, strike.points, data["struck"])
        self._elsewhere.add(data["ship"])
        self._findings.append(found)
        return [found]

    def take(self, data: Mapping[str, Any]) -> list[Finding]:
        """What is against the marks on a ship's display."""
        rulebook: Rulebook = data["rulebook"]
        strikes, marks = data["strikes"], data["marks"]
        shown: Displayed = data["display"]
        if marks or data["turn"] is not None:
            judged = self._judged(rulebook, shown, data)
        else:  # No damage is marked in the game, and none is repaired.
            hits = [strike for strike in strikes if strike.points or strike.why]
            judged = list(unmarked(rulebook, shown, hits, self._file, None)) if hits else []
        found = [item for item in judged if isinstance(item, Finding)]
        self._findings += found
        self._lacking.update({item: None for item in judged if isinstance(item, NotChecked)})
        self.unpaid[shown.name] = tuple(item for item in judged if isinstance(item, Unpaid))
        if marks or shown.name in self._elsewhere:
            absorbed = [rulebook.named.absorbed] if strikes else []
            keys = (*absorbed, *(rule.key for rule in rulebook.rules_on("mended", "check")))
            self._checked |= dict.fromkeys(keys)
        return found

    def _judged(
        self, rulebook: Rulebook, shown: Displayed, data: Mapping[str, Any]
    ) -> list[Finding | NotChecked | Unpaid]:
        """What is against the marks on a display of a game in which damage is marked."""
        from referee.adjudicator.marked_damage import judge_damage  # Many keep their SSDs on paper.

        shown, strikes, marks = self._with_paid(rulebook, shown), data["strikes"], data["marks"]
        return list(judge_damage(rulebook, shown, strikes, marks, self._file, data["turn"]))

    def _with_paid(self, rulebook: Rulebook, shown: Displayed) -> Displayed:
        """A ship with what its forms paid for reinforcement and repairs."""
        energy = tuple(self._paid.get(shown.name, {}).values())
        if not energy:
            return shown
        reinforced = reinforced_by_turn(rulebook, energy)
        return replace(shown, reinforced=reinforced, purse=purse_of(rulebook, energy, reinforced))

    def report(self) -> Report:
        """What was found of all ships."""
        return Report(tuple(self._findings), tuple(self._checked), tuple(self._lacking))
