"""A ship of a log as it is judged, and the steps of its clock by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.core.frozen import frozen
from referee.core.ship import ShipClass

if TYPE_CHECKING:
    from referee.adjudicator.chargelog import EnergyFacts
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.recognise import Clock, ShipOnTable


@frozen
class Judged:
    """A ship of a log: what it is by the rules, and the facts of its energy turn by turn."""

    ship: ShipOnTable
    chosen: ShipClass
    book: Any
    energy: tuple[EnergyFacts, ...] = ()
    says: ModuleMap | None = None


def step_name(clock: Clock) -> str:
    """What the tracker calls the step, its number where it has no name; nothing where it tells none."""
    return clock.step or (str(clock.step_number) if clock.step_number is not None else "")
