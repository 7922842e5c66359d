"""The fire of one step, of which is said how firers and targets stand and what was paid; nothing is known of what was
before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import check_batteries
from referee.adjudicator.fire import check_fire
from referee.adjudicator.record_fire import RecordFire
from referee.core.account import Account, Event
from referee.core.board import LoadShip
from referee.core.bought_energy import BatteryOrder
from referee.core.combat import Declaration, Shot
from referee.core.finding import Finding
from referee.rulebooks.base import Rulebook

Data = Mapping[str, Any]


class FireInStep(RecordFire):
    """All shots are of one step and are judged together, with the batteries that were ordered for them. What phasers
    may draw on is told of the ships as they enter."""

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, account: Account) -> None:
        super().__init__(rulebook, load_ship)
        self._shots: list[Shot] = []
        self._ordered_batteries: list[BatteryOrder] = []
        self._capacitors: dict[str, Fraction] = {}
        self._batteries: dict[str, Fraction] = {}
        for ship in account.ships:
            if "capacitor" in ship:
                self._capacitors[ship["ship"]] = ship["capacitor"]
                self._batteries[ship["ship"]] = ship["batteries"]

    @property
    def declaration(self) -> Declaration:
        """All that is fired in the step."""
        capacitors, batteries = tuple(self._capacitors.items()), tuple(self._batteries.items())
        return Declaration(tuple(self._shots), capacitors, batteries=batteries)

    def end(self) -> tuple[Finding, ...]:
        """What the rules say of all that was fired, and of the batteries."""
        declaration = self.declaration
        report = check_fire(self.rulebook, declaration)
        on_batteries, unknown = check_batteries(self.rulebook, self._ordered_batteries)
        untold = self.rulebook.offers.shields_untold(self.rulebook, declaration)
        found = (*report.findings, *on_batteries)
        self._rows.append(
            replace(report, findings=found, not_checked=(*report.not_checked, *untold, *unknown))
        )
        return found

    def _fires(self, event: Event, stated: Data) -> Iterator[Finding]:
        self._shots.append(stated["shot"])
        return iter(())

    def _drains(self, event: Event, stated: Data) -> Iterator[Finding]:
        self._ordered_batteries.append(stated["ordered"])
        return iter(())

    alone: Mapping[str, Callable[[Any, Event, Any], Any]] = {"fire": _fires, "battery": _drains}
