"""The energy forms of a log as they were played: the facts of each ship's energy, the report on them, and the turns that
were played without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.forms_seen import PlayedForm
from referee.adjudicator.played_energy import PlayedTurn, energy_turns
from referee.adjudicator.table import GameTable
from referee.core.account import PLAYED, TURN_PLAYED, Event
from referee.core.energy import show_energy
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.forms import FormLines
from referee.core.frozen import frozen, replace
from referee.core.location import Location
from referee.core.orders import UseBattery
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves
from referee.formats.vassal.played import FormPlayed, LateEdit
from referee.formats.vassal.recognise import as_it_stood
from referee.logs.damage import misread
from referee.logs.dice import warning
from referee.logs.fire import FireInLog, Orders, phasers_fired
from referee.logs.gaps import not_marked
from referee.logs.reading import LogRead
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.saves import begun_with, formless, remarks_on
from referee.sources.ssd_display import seen_state

if TYPE_CHECKING:
    from referee.logs.played import PlayedLog
    from referee.logs.speeds import SpeedTold
    from referee.logs.standing import Standing

Points = Mapping[int, Fraction]
_ALLOCATE_FIRST = "energy is allocated before the turn is played"
_MANY = 4  # figures written late that make a column filled in late


@frozen
class ShipForm:
    """A ship with the facts of its energy, its form, and what is to be said of its display beside it."""

    audited: ShipUnderAudit
    form: FormPlayed | None
    remarks: tuple[Finding, ...] = ()


def ship_forms(
    read: LogRead, judged: Iterable[ShipUnderAudit], standing: Standing | None = None
) -> list[ShipForm]:
    """The ships with the facts of their energy; what their phasers fired, and batteries were ordered to give, is as
    chat has it. What is `standing` is not worked out again."""
    found = []
    for ship, form in zip(judged, read.forms, strict=True):
        if form is None:
            found.append(ShipForm(ship, form))
            continue
        orders, logged = read.orders, read.logged
        turns, remarks = _turns(ship, form, Location(logged.file))
        if turns:
            known = begun_with(logged.module_map, ship.rulebook, ship.chosen, turns[0].known)
            turns[0] = replace(turns[0], known=known)
        fired = phasers_fired(orders, ship)
        fed = _batteries(orders, ship) if orders.has(UseBattery) else ({}, {})
        facts = _energy(ship, turns, fired, logged.end.turn, *fed, standing)
        found.append(ShipForm(replace(ship, energy=facts, filed=True), form, remarks))
    return found


def _energy(
    ship: ShipUnderAudit,
    turns: Sequence[PlayedTurn],
    fired: Points,
    now: int | None,
    ordered: Points,
    lost: Points,
    standing: Standing | None,
) -> tuple[EnergyFacts, ...]:
    """The facts of a ship's energy turn by turn: those of its first turns as they are `standing`."""
    if standing is not None:
        return standing.energy(ship, turns, fired, now, ordered, lost)
    return tuple(energy_turns(ship.rulebook, ship.chosen, turns, ship.ship.name, fired, now, ordered, lost))


def _batteries(orders: Orders, ship: ShipUnderAudit) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The points of its batteries that chat orders, turn by turn, and those of them that no phaser takes."""
    from referee.logs.batteries import batteries_lost, batteries_ordered  # Few orders name batteries.

    return batteries_ordered(orders, ship.ship.name), batteries_lost(orders, ship)


def forms_played(read: LogRead, ships: Iterable[ShipForm], done: PlayedLog) -> Iterator[Report]:
    """The reports on all forms, and what tells that there is none."""
    energy = filed = False
    for ship in ships:
        energy, filed = energy or bool(ship.audited.energy), filed or ship.audited.filed
        yield Report(tuple(misread(ship.audited, read.logged)))
        yield _played(read, ship, done)
    if not energy:
        why = "no energy form in it is filled in" if filed else "no ship with an energy form was found in it"
        yield Report(not_checked=(NotChecked(read.labels.chapter, why),))


def _played(read: LogRead, ship: ShipForm, done: PlayedLog) -> Report:
    """The report on a ship's form, which goes to the table."""
    audited, form, logged = ship.audited, ship.form, read.logged
    name = audited.ship.name
    if form is None:
        pieces = {**logged.pieces, **logged.final.pieces}
        return formless(
            as_it_stood(audited.ship, pieces, logged.file, logged.module_map), read.labels, logged.module_map
        )
    assert done.table is not None
    fired = phasers_fired(read.orders, audited)
    unmarked = not_marked(logged, audited, done.damage.strikes.get(name, ()), done.marks.get(name, ()))
    played = PlayedForm(name, audited.chosen, audited.rulebook, form.form, audited.energy, fired, unmarked)
    done.table.take(Event(0, PLAYED, {"form": played}))
    report = done.table.beside.energy.seen.reports[name]
    late = _late_edits(form.late, name, audited.rulebook.lines)
    return replace(report, findings=(*ship.remarks, *report.findings, *late))


def _turns(
    ship: ShipUnderAudit, form: FormPlayed, place: Location
) -> tuple[list[PlayedTurn], tuple[Finding, ...]]:
    """The turns with what the display showed of the ship's damage when each was played."""
    turns = []
    remarks: dict[tuple[str, str], Finding] = {}
    shown, known = None, None
    for turn in form.turns:
        counts = ship.shown.filled(turn.ship.boxes_left, turn.ship.shields, turn.step)
        read = not ship.shown.unknown(turn.step)
        now = *counts, read, sum(lost.step < turn.step for lost in ship.unpaid)
        if shown == now:
            turns.append(PlayedTurn(turn.allocation, known))
            continue
        shown = now
        seen = seen_state(ship.chosen, *counts, ship.rulebook.table("box_labels"), ship.used)
        state = ship.truly(seen.state, turn.step)
        known = ship.rulebook.offers.known_damage(state, state) if seen.power_seen and read else None
        turns.append(PlayedTurn(turn.allocation, known))
        for remark in remarks_on(ship.ship, ship.chosen, seen, place):
            remarks.setdefault((remark.message, remark.found), remark)
    return turns, tuple(remarks.values())


def _late_edits(edits: Iterable[LateEdit], subject: str, lines: FormLines) -> Iterator[Finding]:
    """What was written when movement had begun, a column that was blank as one: warnings, but undecided where a
    figure stood there before. It is the first figures that are judged."""
    by_turn: dict[int, list[LateEdit]] = {}
    for edit in edits:
        by_turn.setdefault(edit.turn, []).append(edit)
    for turn, row in by_turn.items():
        if len(row) >= _MANY and all(edit.before is None for edit in row):
            yield warning(
                "filled-late",
                f"the form of turn {turn} was filled in after movement had begun",
                subject,
                row[0].place.within(cell=None),
                fix=_ALLOCATE_FIRST,
                turn=turn,
            )
        else:
            yield from (_late(edit, subject, lines) for edit in row)


def _late(edit: LateEdit, subject: str, lines: FormLines) -> Finding:
    was, now = ("blank" if x is None else show_energy(x) for x in (edit.before, edit.after))
    return Finding(
        key="NOTE/changed-later",
        severity=Severity.WARNING if edit.before is None else Severity.UNDECIDED,
        message=f"{lines.named(edit.line)} of turn {edit.turn} was changed after movement had begun",
        subject=subject,
        turn=edit.turn,
        location=edit.place,
        expected=was,
        found=now,
        fix=_ALLOCATE_FIRST,
    )


# -- turns that were played without a form -----------------------------------------------

Deeds = dict[tuple[str, int], dict[str, int]]
"""What ships did in turns, in words, each with its first step."""


def turns_played(
    table: GameTable | None,
    logged: Logged,
    judged: list[ShipUnderAudit],
    moves: Moves,
    speeds: Iterable[SpeedTold],
    fired: FireInLog,
) -> Report:
    """The turns that were played of every ship that has a form go to the table; the report on them."""
    if table is None:
        return Report()
    did = _deeds(moves, fired)
    stated = {(speed.ship, speed.turn) for speed in speeds}
    for ship in judged:
        name, filled = ship.ship.name, {energy.turn for energy in ship.energy}
        for turn in sorted(_turns_of(ship, logged, did)) if ship.filed else ():
            # A speed that is said or shown stands for the form where a game is played without.
            deeds = {} if (name, turn) in stated else did.get((name, turn), {})
            place = Location(logged.file, piece=name, step=min(deeds.values(), default=None))
            played = {"ship": name, "turn": turn, "deeds": tuple(deeds), "filed": turn in filled}
            table.take(Event(0, TURN_PLAYED, {**played, "rulebook": ship.rulebook}, at=place))
    return table.beside.turns.report()


def _turns_of(ship: ShipUnderAudit, logged: Logged, did: Deeds) -> Iterator[int]:
    """The turns in which a ship was there when they began to be played, or did something."""
    id = ship.ship.counter.id if ship.ship.counter else ""
    begun = {at.turn for at in logged.forms if id in at.pieces}
    yield from begun | {turn for name, turn in did if name == ship.ship.name}


def _deeds(moves: Moves, fired: FireInLog) -> Deeds:
    did: Deeds = {}
    moved = ((move.ship, move.when.turn, "moves", move.location.step) for move in moves.moves)
    shots = (
        (declared.firer.name, declared.when.turn, "fires", declared.place.step)
        for row, _ in fired.rows
        for declared in row
    )
    launches = (
        (declared.firer.name, declared.when.turn, "launches", declared.place.step)
        for declared in fired.launched
    )
    for name, turn, what, step in (*moved, *shots, *launches):
        if turn is not None:
            did.setdefault((name, turn), {}).setdefault(what, step or 0)
    return did
