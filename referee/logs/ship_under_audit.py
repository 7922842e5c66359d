"""A ship of a log as it is judged, and the steps of its clock by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.repairs import Unpaid
from referee.core.frozen import frozen
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.formats.modulemap import ModuleMap
from referee.formats.vassal.recognise import Clock, ShipOnTable
from referee.logs.displays import DisplayRead
from referee.rulebooks.base import NamedRules, Rulebook
from referee.sources.asked import Asked
from referee.sources.forms import form_rulebook


@frozen
class ShipUnderAudit:
    """A ship of a log: what it is by the rules, the facts of its energy turn by turn, and the marks of damage
    that were taken off its display for nothing. `filed` says that it has a form, filled in or not; `shown` is
    its display through the log, `used` the step each weapon was paid for or fired in last."""

    ship: ShipOnTable
    chosen: ShipClass
    rulebook: Rulebook
    energy: tuple[EnergyFacts, ...] = ()
    module_map: ModuleMap | None = None
    unpaid: tuple[Unpaid, ...] = ()
    filed: bool = False
    shown: DisplayRead = DisplayRead()
    used: Mapping[str, int] = field(default_factory=dict)

    def truly(self, state: ShipState, step: int) -> ShipState:
        """A state as the display showed it just before a step, with what is lost all the same."""
        for loss in self.unpaid:
            state = loss.still_lost(state) if loss.step < step else state
        return state


def step_name(clock: Clock) -> str:
    """What the tracker calls the step, its number where it has no name; nothing where it tells none."""
    return clock.step or (str(clock.step_number) if clock.step_number is not None else "")


def rules_named(judged: Sequence[ShipUnderAudit], asked: Asked) -> NamedRules:
    """The rules that what is not judged in a log is named by: those of its ships, or of the forms looked for in it."""
    return (judged[0].rulebook if judged else form_rulebook(asked)).named
