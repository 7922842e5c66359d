"""Forms of a game record as they are judged: each with what the record knows of the turns before it.

A form is proposed before it is filed or sealed, shown when it is filed or its seal is opened, and stands once it is in the
record; one that is tried is of a file, and recorded nowhere. The part of the table that judges energy asks here, and nobody
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from referee.adjudicator.check import as_filled_in
from referee.adjudicator.played_energy import form_remarks, judge_turn_of
from referee.adjudicator.record_forms import allocation_from, beyond, energy_of_turns, turns_before
from referee.core.account import PROPOSED, SHOWN, STANDING, TRIED, Event
from referee.core.finding import Finding, NotChecked, Report, merge_reports
from referee.core.forms import EnergyAllocation, EnergyForm
from referee.core.frozen import replace
from referee.core.game import ShipInGame
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.rulebooks.base import NamedRules, Rulebook


def judged_in_game(rulebook: Rulebook, ship_class: ShipClass, event: Event) -> Report:
    """The report on what an event tells of a form of a ship in a game."""
    return _JUDGED[event.type](rulebook, ship_class, event.data["in_game"], event)


def _judge_turn(
    rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, allocation: EnergyAllocation
) -> list[Finding]:
    """The findings on one turn's allocation, all earlier turns in the record taken with it.

    What counts is what was left of the ship when the turn began, not what it lost since.
    """
    turns = turns_before(rulebook, ship_class, ship, allocation.turn, Location())
    now = energy_of_turns(rulebook, ship_class, ship, (*turns, allocation))[-1]
    report = judge_turn_of(rulebook, ship_class, ship.name, now)
    form = EnergyForm(ship.name, (), allocation.place)
    remarks = form_remarks(rulebook, ship_class, form, ship.name)
    return [finding for finding in (*remarks, *report.findings) if finding.turn in (None, allocation.turn)]


def _proposed(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, event: Event) -> Report:
    """The findings on one turn's allocation that is not in the record yet."""
    return Report(tuple(_judge_turn(rulebook, ship_class, ship, event.data["form"])))


def _shown(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, event: Event) -> Report:
    """The findings on a ship's form that is filed or shown now, and what is new against its forms of later turns
    that were shown before it: what this turn left over was not known to them. `ship` is the ship without it."""
    turn, form = event.data["turn"], event.data["form"]
    hidden = replace(ship, forms={known: lines for known, lines in ship.forms.items() if known != turn})
    shown = replace(ship, forms={**hidden.forms, turn: form})
    # A form is read without its place, as speeds and fire read it, so that it is worked out once.
    found = _judge_turn(rulebook, ship_class, hidden, allocation_from(form, turn, Location()))
    for later in sorted(known for known in hidden.forms if known > turn):
        allocation = allocation_from(hidden.forms[later], later, Location())
        before = _judge_turn(rulebook, ship_class, hidden, allocation)
        found += beyond(_judge_turn(rulebook, ship_class, shown, allocation), before)
    return Report(tuple(_in_file(finding, event.at.file) for finding in found))


def _in_file(finding: Finding, file: str) -> Finding:
    return replace(finding, location=finding.location.within(file=file))


def _standing(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, event: Event) -> Report:
    """Judges every form of a ship that is filed or shown, in the order of turns, and shows which source paid for
    which line. A turn begins with the energy that the turns before it left over as they were played."""
    played = turns_before(rulebook, ship_class, ship, max(ship.forms, default=0) + 1, Location())
    reports: list[Report] = []
    for number, column in enumerate(played):
        if column.turn in ship.forms:
            form = allocation_from(ship.forms[column.turn], column.turn, Location())
            filled = energy_of_turns(rulebook, ship_class, ship, (*played[:number], form))[-1]
            report = judge_turn_of(rulebook, ship_class, ship.name, filled)
            # What is carried over is what play left.
            as_it_went = energy_of_turns(rulebook, ship_class, ship, played[: number + 1])[-1]
            ledgers = judge_turn_of(rulebook, ship_class, ship.name, as_it_went).ledgers
            reports.append(replace(report, ledgers=ledgers))
    merged = merge_reports(reports)
    return replace(merged, findings=tuple(_in_file(found, event.at.file) for found in merged.findings))


def _tried(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, event: Event) -> Report:
    """The report on a ship's form as that of its game: every turn that the record does not hold yet, else every turn.
    Each is judged with what the turns before left over, and on what was left of the ship when the turn began. A turn
    to come, after the one played `now`, is judged on what is left of the ship now."""
    form, now = event.data["form"], event.data["now"]
    new = [allocation for allocation in form.allocations if allocation.turn not in ship.forms]
    findings = list(form_remarks(rulebook, ship_class, form, ship.name))
    reports = []
    for allocation in new or form.allocations:
        turn = allocation.turn
        played = turns_before(rulebook, ship_class, ship, turn, form.place)
        before = {earlier.turn: earlier for earlier in new if earlier.turn < turn}
        before |= {each.turn: each for each in played if each.turn < now or each.turn in ship.forms}
        turns = [before[number] for number in sorted(before)]
        energy = energy_of_turns(rulebook, ship_class, ship, (*turns, allocation))[-1]
        report = judge_turn_of(rulebook, ship_class, ship.name, energy)
        findings += report.findings
        lacking = [number for number in range(1, turn) if number not in before]
        not_checked = (*report.not_checked, *_left_open(rulebook.named, ship, turn, lacking))
        reports.append(replace(report, findings=(), not_checked=not_checked))
    findings += _against_later(rulebook, ship_class, ship, new, form)
    merged = merge_reports(reports)
    report = replace(merged, findings=tuple(findings), ships=merged.ships[:1])
    return as_filled_in(rulebook, report, form, new or form.allocations, ship.name)


def _against_later(
    rulebook: Rulebook,
    ship_class: ShipClass,
    ship: ShipInGame,
    new: Sequence[EnergyAllocation],
    form: EnergyForm,
) -> Iterator[Finding]:
    """What is new against the forms of later turns that the record holds, once these turns of a form are in it."""
    filled = replace(ship, forms={**ship.forms, **{each.turn: each.fields for each in new}})
    for turn in sorted(ship.forms) if new else ():
        if any(each.turn < turn for each in new):
            filed = allocation_from(ship.forms[turn], turn, form.place)
            before = _judge_turn(rulebook, ship_class, ship, filed)
            for each in beyond(_judge_turn(rulebook, ship_class, filled, filed), before):
                yield replace(each, location=form.place)


def _left_open(
    named: NamedRules, ship: ShipInGame, turn: int, lacking: Sequence[int]
) -> Iterator[NotChecked]:
    """What is not known of a turn's form where those of turns before it are not shown."""
    if lacking:
        turns = ", ".join(map(str, lacking[:10]))
        reason = f"turn {turn}: the form of turn {turns} is not in the record, nor what it left over"
        yield NotChecked(named.energy, reason, ship.name)


_JUDGED: Mapping[str, Callable[[Rulebook, ShipClass, ShipInGame, Event], Report]] = {
    PROPOSED: _proposed,
    SHOWN: _shown,
    STANDING: _standing,
    TRIED: _tried,
}
