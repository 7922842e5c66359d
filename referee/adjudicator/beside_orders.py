"""What an account tells beside orders and entries of a record: which dice fell, how seekers flew, what was
marked on displays, and stated of it all.

No record holds any of it. Each kind of event has a part that judges it as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.adjudicator.energy_table import Energy
from referee.adjudicator.fire_seen import SeenFire
from referee.adjudicator.movement_seen import moves_untold
from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.rolled_fire import RolledFire
from referee.core.account import (
    DAMAGED,
    DISPLAYED,
    FLEW,
    FORMS,
    GUIDED,
    MISMARKED,
    PLAYED,
    ROLLED,
    STATED,
    TURN_PLAYED,
    TURN_RUN,
    TURNED_BACK,
    TURNS_PASSED,
    UNTOLD,
    Account,
    Event,
)
from referee.core.finding import Finding, Report, merge_reports
from referee.core.forked import Forked
from referee.core.game import GameState
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.adjudicator.damage_seen import SeenDamage
    from referee.adjudicator.guidance_seen import SeenGuides
    from referee.adjudicator.seekers_seen import SeenSeekers
    from referee.adjudicator.sensors_seen import SeenSensors
    from referee.adjudicator.stated import StatedFigures
    from referee.adjudicator.turns_seen import SeenTurns


Now = Callable[[], GameState]
"""The game as it stands, worked out where it is asked for."""


class BesideOrders(Forked):
    """The parts of a table that judge what is told beside orders."""

    def __init__(self, rulebook: Rulebook, fire: RecordFire, account: Account) -> None:
        self._rulebook, self._file = rulebook, account.file
        self._ends = {at: place.step or 0 for at, place in account.over.items()}
        self._fire = fire
        self.rolled = RolledFire(rulebook, fire.rows) if isinstance(fire, SeenFire) else None
        self._figures: StatedFigures | None = None
        self._seekers: SeenSeekers | None = None
        self._guides: SeenGuides | None = None
        self._damage: SeenDamage | None = None
        self._sensors: SeenSensors | None = None
        self._turns: SeenTurns | None = None
        self.gaps = [*moves_untold(account), *account.gaps]
        """What is not wholly told of the game."""
        self.energy = Energy(rulebook, fire.load_ship, account)

    @property
    def stated(self) -> StatedFigures:
        """The figures that are stated of the game."""
        if self._figures is None:
            from referee.adjudicator.stated import StatedFigures  # Many sources state none.

            self._figures = StatedFigures(self._rulebook, self._fire, self.rolled)
        return self._figures

    @property
    def seekers(self) -> SeenSeekers:
        """The flights of seekers whose counters are seen."""
        if self._seekers is None:
            from referee.adjudicator.seekers_seen import SeenSeekers  # Most accounts show no seeker.

            self._seekers = SeenSeekers(self._rulebook, self._ends, self._file)
        return self._seekers

    @property
    def guides(self) -> SeenGuides:
        """The ships that guide such seekers."""
        if self._guides is None:
            from referee.adjudicator.guidance_seen import SeenGuides

            self._guides = SeenGuides(self._rulebook, self.sensors, self._ends, self._file)
        return self._guides

    @property
    def sensors(self) -> SeenSensors:
        """The sensors of ships whose displays are seen."""
        if self._sensors is None:
            from referee.adjudicator.sensors_seen import SeenSensors

            assert isinstance(self._fire, SeenFire)
            self._sensors = SeenSensors(self._fire, self._ends)
        return self._sensors

    @property
    def damage(self) -> SeenDamage:
        """The damage of ships whose displays are seen."""
        if self._damage is None:
            from referee.adjudicator.damage_seen import SeenDamage

            assert isinstance(self._fire, SeenFire)
            self._damage = SeenDamage(self._fire.paid, self._file)
        return self._damage

    @property
    def turns(self) -> SeenTurns:
        """The turns of a game as they are seen to go by."""
        if self._turns is None:
            from referee.adjudicator.turns_seen import SeenTurns

            self._turns = SeenTurns(self._rulebook)
        return self._turns

    def take(self, event: Event, state: Now) -> list[Finding]:
        """What is against something that is told now."""
        return TAKES[event.type](self, event, state)

    def report(self) -> Report:
        """Which rules were asked, and what could not be."""
        stated = (self._figures.report(),) if self._figures else ()
        seen = (self._seekers.flown.report,) if self._seekers else ()
        guided = (self._guides.report(),) if self._guides else ()
        damage = (self._damage.report(),) if self._damage else ()
        turns = (self._turns.report(),) if self._turns else ()
        return replace(
            merge_reports([*stated, *seen, *guided, *damage, *self.energy.reports, *turns]), findings=()
        )

    def _stated(self, event: Event, state: Now) -> list[Finding]:
        return self.stated.take(event, state)

    def _rolled(self, event: Event, state: Now) -> list[Finding]:
        """Dice of fire that was judged when it was declared."""
        assert self.rolled is not None
        self.rolled.take(event.data["row"], event.data["dice"])
        return []

    def _flew(self, event: Event, state: Now) -> list[Finding]:
        flight = event.data["flight"]
        unlocked = self.sensors.unlocked(flight.seeker, flight.launch[0])
        return self.seekers.take(replace(flight, unlocked=unlocked))

    def _guided(self, event: Event, state: Now) -> list[Finding]:
        return self.guides.take(event.data["guide"])

    def _displayed(self, event: Event, state: Now) -> list[Finding]:
        self.sensors.take(event.data)
        return []

    def _damaged(self, event: Event, state: Now) -> list[Finding]:
        return self.damage.take(event.data)

    def _mismarked(self, event: Event, state: Now) -> list[Finding]:
        return self.damage.marked_elsewhere(event.data)

    def _turn_played(self, event: Event, state: Now) -> list[Finding]:
        return self.turns.played(event)

    def _turns_passed(self, event: Event, state: Now) -> list[Finding]:
        return self.turns.passed_over(event)

    def _turn_run(self, event: Event, state: Now) -> list[Finding]:
        return self.turns.ran_through(event)

    def _turned_back(self, event: Event, state: Now) -> list[Finding]:
        return self.turns.turned_back(event)

    def _told_of_energy(self, event: Event, state: Now) -> list[Finding]:
        return self.energy.take(event)

    def _untold(self, event: Event, state: Now) -> list[Finding]:
        self.gaps.append(event.data["gap"])
        return []


TAKES: Mapping[str, Callable[[BesideOrders, Event, Now], list[Finding]]] = {
    STATED: BesideOrders._stated,
    ROLLED: BesideOrders._rolled,
    FLEW: BesideOrders._flew,
    GUIDED: BesideOrders._guided,
    DISPLAYED: BesideOrders._displayed,
    DAMAGED: BesideOrders._damaged,
    MISMARKED: BesideOrders._mismarked,
    **dict.fromkeys(FORMS, BesideOrders._told_of_energy),
    PLAYED: BesideOrders._told_of_energy,
    TURN_PLAYED: BesideOrders._turn_played,
    TURNS_PASSED: BesideOrders._turns_passed,
    TURN_RUN: BesideOrders._turn_run,
    TURNED_BACK: BesideOrders._turned_back,
    UNTOLD: BesideOrders._untold,
}
