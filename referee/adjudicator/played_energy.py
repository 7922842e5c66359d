"""Energy as it stood when it was played, turn by turn: what fired and what batteries gave is gone, whatever a form says.

As a game goes on no turn is worked out again, or judged again, for every entry.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts, lent_by_batteries, with_fired, with_lent
from referee.adjudicator.check import EnergyTurns, check_form, judge_turns
from referee.core.finding import Finding, Report
from referee.core.forms import EnergyAllocation, EnergyForm
from referee.core.frozen import frozen, replace
from referee.core.once import Same
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


# -- as a game goes on -------------------------------------------------------------------

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
