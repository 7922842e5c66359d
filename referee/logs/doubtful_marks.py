"""Forms held against a display on which damage is not marked: what that may explain is no ship's fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.adjudicator.damage_not_marked import comes_through, if_boxes_were_lost, waiting
from referee.adjudicator.hits_on_ship import Strike
from referee.adjudicator.repairs import Marking
from referee.core.finding import Finding, Perhaps, Report
from referee.formats.vassal.gathered import Logged
from referee.logs.doubt import Asks, Doubt
from referee.logs.ship_under_audit import ShipUnderAudit

_MOST = 12  # steps that are named


def not_marked(
    report: Report,
    logged: Logged,
    judged: Sequence[ShipUnderAudit],
    strikes: Mapping[str, Sequence[Strike]],
    marks: Mapping[str, Sequence[Marking]],
) -> Asks:
    """Doubts errors of forms that are none if what struck the ship before, and was not marked when the turn began,
    cost the boxes that the form leaves out."""
    doubts = {
        id(item): steps for one in judged for item, steps in _doubts(report, logged, one, strikes, marks)
    }

    def asks(found: Finding) -> Doubt | None:
        steps = doubts.get(id(found))
        if steps is None:
            return None
        unmarked = Perhaps(f"damage by the fire of step {steps} is not marked")
        return Doubt(unmarked, "mark the damage on the display, box by box")

    return asks


def _doubts(
    report: Report,
    logged: Logged,
    one: ShipUnderAudit,
    strikes: Mapping[str, Sequence[Strike]],
    marks: Mapping[str, Sequence[Marking]],
) -> Iterator[tuple[Finding, str]]:
    """The errors of a ship's forms that are in doubt, each with the steps of the fire that is not marked."""
    name = one.ship.name
    begun = {at.turn: at.step for at in logged.forms}
    for energy in one.energy if strikes.get(name) else ():
        step = begun.get(energy.turn, logged.final.step)
        unseen = waiting(strikes[name], marks[name], step)
        if comes_through(unseen, energy.facts.known.at_start.shields):
            own = [item for item in report.findings if (item.subject, item.turn) == (name, energy.turn)]
            steps = ", ".join(str(strike.step) for strike in unseen[:_MOST])
            yield from ((item, steps) for item in if_boxes_were_lost(one.book, energy, own))
