"""Fire, launches and cloaks of an account that shows how the ships stood when they were said: by their counters and
displays. What its ships paid for is worked out beforehand and comes with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts, battery_order, check_batteries
from referee.adjudicator.declared_fire import Announced, Battery, Cloaks, Declared, fouled_in
from referee.adjudicator.fire import check_launches, check_shots
from referee.adjudicator.fire_in_step import FireInStep
from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.record_movement import start_of
from referee.core.account import Account, Event
from referee.core.board import LoadShip
from referee.core.combat import Declaration, Fouled
from referee.core.finding import Finding, Report
from referee.rulebooks.base import Rulebook

Data = Mapping[str, Any]


class SeenFire(RecordFire):
    """The fire of an impulse is judged together once something is fired in another, and so are its launches. Who
    cloaks when is known from all that is announced."""

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip, account: Account) -> None:
        super().__init__(rulebook, load_ship, account.since, together=True)
        self.paid: dict[str, Mapping[int, EnergyFacts]] = {}
        self._class_of: dict[str, str] = {}
        self.locks: dict[tuple[str, str, int], tuple[int, int]] = {}
        """What was rolled for lock-on first, by ship, target and turn: in which step, and the die."""
        announced: list[Announced] = []
        for event in account.events:
            if event.type == "ship":
                facts = event.data.get("energy", ())
                name = event.data["ship"]
                self.paid[name] = {turn_paid.turn: turn_paid for turn_paid in facts}
                self._class_of[name] = event.data["class"]
            elif stated := event.data.get("lock"):
                self.locks[stated["ship"], stated["target"], stated["turn"]] = (
                    event.at.step or 0,
                    stated["roll"],
                )
            elif stated := event.data.get("cloak"):
                announced.append(_announced(event, stated))
        self.cloaks = Cloaks(rulebook, self.paid, announced, account.since)
        self._battery = Battery(rulebook, self.paid, account.since, self.cloaks, self.locks)
        self.rows: list[tuple[tuple[Declared, ...], Declaration]] = []
        """What was fired, impulse by impulse, with its shots."""
        self.launched: list[Declared] = []
        self._firing: list[Declared] = []
        self._launching: list[Declared] = []
        self._launched_in: dict[int | None, list[tuple[str, str]]] = {}
        self._foul_launches: list[Fouled] = []
        self.on_batteries: list[Report] = []
        """What was said of batteries ordered."""
        self._drained: dict[tuple[str, int | None], Fraction] = {}
        self._on_fire: list[Report] = []
        self._on_shields: list[Report] = []
        self._on_launches: list[Report] = []
        self._on_cloaks: list[Report] = []

    @property
    def reports(self) -> list[Report]:
        """All that was said of batteries and of fire."""
        return [*self.on_batteries, *self.on_fire]

    @property
    def on_fire(self) -> list[Report]:
        """What was said of fire, of the shields it was said to strike, of launches, and of cloaks."""
        return [*self._on_fire, *self._on_shields, *self._on_launches, *self._on_cloaks]

    def impulse_over(self) -> tuple[Finding, ...]:
        """Which impulse a thing is fired in it says itself."""
        return ()

    def end(self) -> tuple[Finding, ...]:
        """No more is fired."""
        return (*self._fire_over(), *self._launches_over())

    def _fires(self, event: Event, stated: Data) -> Iterator[Finding]:
        declared: Declared = stated["declared"]
        if self._firing and self._firing[0].when != declared.when:
            yield from self._fire_over()
        self._firing.append(declared)

    def _fire_over(self) -> tuple[Finding, ...]:
        if not self._firing:
            return ()
        row, self._firing = tuple(self._firing), []
        declaration = self._battery.declaration(row)
        self.rows.append((row, declaration))
        report = check_shots(self.rulebook, declaration)
        self._battery.fouled += fouled_in(declaration, report)
        offers = self.rulebook.offers
        astray = tuple(offers.shields_astray(self.rulebook, declaration))
        untold = tuple(offers.shields_untold(self.rulebook, declaration))
        self._on_fire.append(report)
        self._on_shields.append(Report(astray, (), untold))
        return (*report.findings, *astray)

    def _launches(self, event: Event, stated: Data) -> Iterator[Finding]:
        declared: Declared = stated["declared"]
        if self._launching and self._launching[0].when != declared.when:
            yield from self._launches_over()
        self._launching.append(declared)
        self.launched.append(declared)

    def _launches_over(self) -> tuple[Finding, ...]:
        if not self._launching:
            return ()
        row, self._launching = self._launching, []
        earlier = self._launched_in.setdefault(row[0].when.turn, [])
        shots = tuple(self._battery.shot(declared, mount) for declared in row for mount in declared.mounts)
        launches = Declaration(shots, launched=tuple(earlier), fouled=tuple(self._foul_launches))
        report = check_launches(self.rulebook, launches)
        self._foul_launches += fouled_in(launches, report)
        earlier += [(shot.firer.name, shot.weapon) for shot in shots]
        self._on_launches.append(report)
        return report.findings

    def _cloaks(self, event: Event, stated: Data) -> tuple[Finding, ...]:
        report = self.cloaks.judge(_announced(event, stated), self.paid)
        self._on_cloaks.append(report)
        return report.findings

    def _drains(self, event: Event, stated: Data) -> tuple[Finding, ...]:
        """Batteries give what they hold by the form, less what they were ordered to give before."""
        name, (turn, impulse) = stated["ship"], (event.when.turn, event.when.impulse)
        ship, paid = self.load_ship(self._class_of[name]), self.paid[name].get(turn or 0)
        charged = None if paid is None else paid.facts.batteries_known_left
        drained = self._drained.get((name, turn), Fraction(0))
        left = None if charged is None else max(Fraction(0), charged - drained)
        self._drained[name, turn] = drained + stated["points"]
        order = battery_order(
            self.rulebook, ship, name, (turn, impulse), stated["points"], stated["weapons"], left
        )
        found, lacking = check_batteries(self.rulebook, [order])
        placed = tuple(replace(finding, location=event.at.within(piece=name)) for finding in found)
        self.on_batteries.append(Report(placed, (), lacking))
        return placed

    def _tries(self, event: Event, stated: Data) -> tuple[Finding, ...]:
        """What was rolled for lock-on is judged with the fire."""
        return ()

    alone: Mapping[str, Callable[[Any, Event, Any], Any]] = {
        "fire": _fires,
        "launch": _launches,
        "cloak": _cloaks,
        "lock": _tries,
        "battery": _drains,
    }


def fire_of(rulebook: Rulebook, load_ship: LoadShip, account: Account) -> RecordFire:
    """The fire of an account: that of one step, ordered on the table, or said by ships that are seen as they stood."""
    if account.coverage.moves:
        return FireInStep(rulebook, load_ship, account)
    told_apart = bool(account.coverage.steps) and not account.kept
    if told_apart and account.coverage.ways:
        return SeenFire(rulebook, load_ship, account)
    return RecordFire(rulebook, load_ship, start_of(account), account.taken, together=told_apart)


def _announced(event: Event, stated: Data) -> Announced:
    return Announced(stated["ship"], stated["to"], event.when, event.at)
