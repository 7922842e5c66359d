"""Energy as it stood when it was played, turn by turn: what fired and what batteries gave is gone, whatever a form says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts, lent_by_batteries, with_fired, with_lent
from referee.adjudicator.check import EnergyTurns, check_form, judge_turns
from referee.core.finding import Finding, Report
from referee.core.forms import EnergyAllocation, EnergyForm
from referee.core.frozen import frozen, replace
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

_NOTHING = Fraction(0)


@frozen
class PlayedTurn:
    """One turn's column as it was when the turn was played, and what was known of the ship's damage then:
    the rulebook's own `known damage`, None where the display does not show it."""

    allocation: EnergyAllocation
    known: Any = None


def energy_turns(
    rulebook: Rulebook,
    ship: ShipClass,
    turns: Sequence[PlayedTurn],
    subject: str = "",
    fired: Mapping[int, Fraction] | None = None,
    now: int | None = None,
    ordered: Mapping[int, Fraction] | None = None,
    lost: Mapping[int, Fraction] | None = None,
    worked_out: Sequence[EnergyFacts] = (),
) -> Iterator[EnergyFacts]:
    """The facts of each turn's energy, what was carried over included: what phasers `fired` by turn, and batteries
    were `ordered` to give, is gone from the capacitor and the batteries, whatever the form says; no phaser takes
    what is `lost` of it. `now` is the turn that goes on, None where that is not known. Those of the first turns may
    be `worked_out` already."""
    if not turns:
        return
    energy = EnergyTurns(rulebook, ship, turns[0].allocation.turn, turns[0].known, subject)
    yield from worked_out
    if worked_out:
        energy.before = worked_out[-1].after
    for turn in turns[len(worked_out) :]:
        facts = energy.open(turn.allocation, turn.known, last=turn is turns[-1])
        points = (fired or {}).get(turn.allocation.turn, _NOTHING)
        goes_on = now is None or turn.allocation.turn >= now
        lent = lent_by_batteries(rulebook, facts, points, goes_on=goes_on) if points else _NOTHING
        by_order = (ordered or {}).get(turn.allocation.turn, _NOTHING)
        # An order for more than there is is wrong itself (B3.0-21/ordered); the batteries give what they have.
        if by_order and (charged := facts.batteries_known_left) is not None:
            by_order = min(by_order, charged)
        used = facts.form.known(rulebook.lines.used_in_turn)
        lent = max(lent, by_order) if used is not None and by_order > used else lent
        facts = replace(facts, form=with_lent(rulebook.lines, facts.form, lent)) if lent else facts
        form = with_fired(rulebook.lines, facts.form, points)
        # What was worked out about the form as it is filled in is not worked out again.
        after = energy.close(facts if form is facts.form else replace(facts, form=form))
        in_vain = (lost or {}).get(turn.allocation.turn, _NOTHING)
        yield EnergyFacts(turn.allocation.turn, facts, after, lent, by_order, in_vain)


def judge_energy(rulebook: Rulebook, ship: ShipClass, turns: Iterable[EnergyFacts], subject: str) -> Report:
    """All findings on the facts of a ship's turns, each held against the damage of its own time."""
    return judge_turns(rulebook, ship, ((turn.facts, turn.after) for turn in turns), subject)


def form_remarks(rulebook: Rulebook, ship: ShipClass, form: EnergyForm, subject: str) -> tuple[Finding, ...]:
    """The findings on what of a form could not be read, whatever its figures are."""
    return check_form(rulebook, ship, replace(form, allocations=()), subject=subject).findings
