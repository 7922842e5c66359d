"""What of a log's findings may be otherwise than it looks: asked of each finding once, in one place.

What a log leaves in doubt is fire that was perhaps called off, damage that is not marked, ships that may be destroyed; and
steps that could not be read, of which the module of these tells. None of it changes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.adjudicator.check import in_doubt
from referee.adjudicator.damage_told import Struck
from referee.adjudicator.hits_on_ship import Strike, comes_through, if_boxes_were_lost, waiting
from referee.adjudicator.repairs import Marking
from referee.adjudicator.rolled_fire import Row
from referee.core.finding import Certainty, Finding, NotChecked, Perhaps, Report, Severity, Unknown
from referee.core.frozen import frozen
from referee.core.play import Move, When
from referee.core.ship import ShipClass
from referee.core.state import live_boxes
from referee.formats.vassal.gathered import Logged
from referee.logs.dice import Paired
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.rulebooks.base import NamedRules

_MOST = 12  # steps that are named


@frozen
class Doubt:
    """Why a finding is not sure; and what is to be done, where that is another thing than the finding says."""

    sure: Certainty
    fix: str = ""


Asks = Callable[[Finding], Doubt | None]
"""Whether a finding is in doubt, for one kind of reason."""


def doubted(report: Report, reasons: Sequence[Asks]) -> Report:
    """The report with each finding as sure as the first reason for doubt leaves it."""
    weighed = [_as_sure(found, reasons) for found in report.findings] if reasons else report.findings
    findings = tuple([item for item in weighed if isinstance(item, Finding)])
    open_ = [item for item in weighed if isinstance(item, NotChecked)]
    not_checked = (*report.not_checked, *dict.fromkeys(open_))
    return replace(report, findings=findings, not_checked=not_checked)


def _as_sure(found: Finding, reasons: Sequence[Asks]) -> Finding | NotChecked:
    for asks in reasons:
        if (doubt := asks(found)) is not None:
            item = in_doubt(found, doubt.sure)
            return replace(item, fix=doubt.fix) if doubt.fix and isinstance(item, Finding) else item
    return found


# -- fire that was perhaps called off ------------------------------------------------------


def called_off(named: NamedRules, rows: Sequence[Row], paired: Paired, unclear: Collection[int] = ()) -> Asks:
    """Doubts errors where a weapon for which dice fell is said to have fired before, and for that earlier shot none
    did; or where the step it was ordered in is among the `unclear`."""
    before: dict[str, bool] = {}
    doubtful = set()
    for row, fire in enumerate(rows):
        for place, (declared, shot, _) in enumerate(fire.shots()):
            weapon = f"{declared.firer.name} {shot.weapon}"
            rolled = (row, place) in paired.dice and declared.place.step not in unclear
            if rolled and before.get(weapon) is False:
                doubtful.add((declared.place.step, weapon))
            before[weapon] = rolled

    def asks(found: Finding) -> Doubt | None:
        asked = found.severity is Severity.ERROR and found.key in named.fired_before
        if not asked or (found.location.step, found.subject) not in doubtful:
            return None
        fix = "tell it with !undo before the next fire, where the earlier shot was called off"
        return Doubt(Perhaps("no dice fell for that shot, which may have been called off"), fix)

    return asks


# -- damage that is not marked --------------------------------------------------------------


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
        id(item): steps for ship in judged for item, steps in _doubts(report, logged, ship, strikes, marks)
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
    ship: ShipUnderAudit,
    strikes: Mapping[str, Sequence[Strike]],
    marks: Mapping[str, Sequence[Marking]],
) -> Iterator[tuple[Finding, str]]:
    """The errors of a ship's forms that are in doubt, each with the steps of the fire that is not marked."""
    name = ship.ship.name
    begun = {at.turn: at.step for at in logged.forms}
    for energy in ship.energy if strikes.get(name) else ():
        step = begun.get(energy.turn, logged.final.step)
        unseen = waiting(strikes[name], marks[name], step)
        if comes_through(unseen, energy.facts.known.at_start.shields):
            own = [item for item in report.findings if (item.subject, item.turn) == (name, energy.turn)]
            steps = ", ".join(str(strike.step) for strike in unseen[:_MOST])
            yield from ((item, steps) for item in if_boxes_were_lost(ship.rulebook, energy, own))


# -- ships that may be destroyed --------------------------------------------------------------


def last_excess(ship: ShipClass, marks: Sequence[Marking]) -> Marking | None:
    """The mark by which a ship's display came to show no box of excess damage left, and has shown none since."""
    if not ship.box_ids("excess"):
        return None
    found: Marking | None = None
    for mark in marks:
        if live_boxes(ship, mark.after, "excess"):
            found = None
        elif found is None:
            found = mark
    return found


def last_strike(
    ship: ShipUnderAudit, marks: Sequence[Marking], strikes: Iterable[Strike], *, surely: bool = False
) -> Strike | None:
    """What struck a ship and may have destroyed it, with all before it, where nothing of it was ever marked; with
    `surely`, where no ship of its class lives through it."""
    struck = Struck(ship.rulebook)
    for strike in sorted(strikes, key=lambda strike: strike.step):
        if any(mark.step >= strike.step for mark in marks):
            return None  # The display tells what became of it.
        for volley in strike.volleys:
            points, shield = volley.order.points, volley.order.shield
            if not points or shield is None:
                continue
            fate = struck.hit(ship.ship.name, ship.chosen, points, shield)
            if fate == "destroyed" or (fate == "perhaps destroyed" and not surely):
                return strike
    return None


@frozen
class _Lost:
    """Since when a ship may be destroyed, and by what."""

    step: int
    when: When
    why: str


def _lost(ship: ShipUnderAudit, marks: Sequence[Marking], strikes: Iterable[Strike]) -> _Lost | None:
    if (mark := last_excess(ship.chosen, marks)) is not None:
        shown = f"its display shows no box of excess damage left from step {mark.step} on"
        return _Lost(mark.step, mark.when, shown)
    if (strike := last_strike(ship, marks, strikes)) is not None:
        return _Lost(strike.step, strike.when, f"what struck it by step {strike.step} is not marked")
    return None


def perhaps_lost(
    ships: Iterable[ShipUnderAudit],
    marks: Mapping[str, Sequence[Marking]],
    strikes: Mapping[str, Sequence[Strike]],
    moves: Iterable[Move],
) -> Asks:
    """No ship that may be destroyed is asked why it does not move: one that is destroyed is off the map at the instant
    (D4.41), whatever its counter does. One that moves since is alive."""
    made = list(moves)
    lost: dict[tuple[str, str], _Lost] = {}
    for ship in ships:
        name = ship.ship.name
        found = _lost(ship, marks.get(name, ()), strikes.get(name, ()))
        if found and not any(move.ship == name and (move.location.step or 0) > found.step for move in made):
            lost[ship.rulebook.named.move_missed, name] = found

    def asks(missed: Finding) -> Doubt | None:
        since = lost.get((missed.key, missed.subject))
        if since is None or (missed.turn or 0, missed.impulse or 0) < (
            since.when.turn or 0,
            since.when.impulse or 0,
        ):
            return None
        return Doubt(Unknown(f"{since.why}: it may be destroyed, and is then off the map"))

    return asks
