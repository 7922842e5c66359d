"""A VASSAL log judged as a game: the forms as they were played here, the rest in the modules beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import judge_charge, judge_lent
from referee.adjudicator.played_energy import PlayedTurn, energy_turns, form_remarks, judge_energy
from referee.core.energy import show_energy
from referee.core.finding import (
    Finding,
    NotChecked,
    Report,
    Severity,
    merge_reports,
    unless_nothing_judged,
)
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import DroneHit
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.formats.modulemap import ModuleMap
from referee.formats.sheets.labels import LabelIndex
from referee.formats.vassal.game import Save
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.logged import read_log
from referee.formats.vassal.module import Module
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.played import FormPlayed, LateEdit, form_played
from referee.formats.vassal.recognise import ShipOnTable, as_it_stood, is_counter
from referee.logs.batteries import batteries_lost, batteries_ordered, judge_batteries
from referee.logs.damage import Damage, judge_marks, markings, misread, strikes_said
from referee.logs.dice import judge_dice, taken_back, warning
from referee.logs.displays import shown_in
from referee.logs.doubtful_marks import unmarked_in_doubt
from referee.logs.fire import Orders, judge_orders, phasers_fired
from referee.logs.flights import Flown, Followed
from referee.logs.guidance import Sensors
from referee.logs.hits_on_ship import Strike
from referee.logs.hypotheses import Spare, Table, rows_fired
from referee.logs.log_events import events_of
from referee.logs.moves import judge_moves, judge_ordered, moves_seen, moves_told, placed_for_fire
from referee.logs.notes import judge_secrets, orders_in
from referee.logs.orders_without_prefix import without_prefix
from referee.logs.owners import Owners, drags_by_others, hands_not_told
from referee.logs.perhaps_lost import not_blamed
from referee.logs.repairs import Marking, Unpaid
from referee.logs.rolls import judge_rolls
from referee.logs.seekers import judge_seekers
from referee.logs.ship_under_audit import Judged, rules_named
from referee.logs.shots_without_dice import as_called_off
from referee.logs.speeds import judge_speeds, speeds_told
from referee.logs.spoken_results import Row
from referee.logs.steps import judge_in_steps
from referee.logs.summary import by_ship_and_turn, game_logged
from referee.logs.turned_in_place import judge_swung
from referee.logs.turns_skipped import judge_turns
from referee.logs.turns_without_form import judge_unfiled
from referee.logs.unmapped_pieces import unmapped
from referee.logs.unreadable_steps import in_doubt, unread_steps
from referee.logs.weapon_last_used import weapons_used
from referee.sources.asked import Asked
from referee.sources.counters import is_no_ship, is_seeker, seeker_kind
from referee.sources.forms import form_book
from referee.sources.modules import module_beside
from referee.sources.saves import (
    begun_with,
    classes_of,
    formless,
    hold_names,
    labels_of,
    map_remarks,
    remarks_on,
    shifted_cells,
    which_ship,
)
from referee.sources.settings import rulebook_in_force
from referee.sources.ssd_display import seen_state

_ALLOCATE_FIRST = "energy is allocated before the turn is played"
_MANY = 4  # figures written late that make a column filled in late


@frozen
class Audited:
    """A log as it was judged: the report on it, the marks of damage that were taken off for nothing, by ship,
    and the seekers that were followed."""

    report: Report
    unpaid: Mapping[str, tuple[Unpaid, ...]] = field(default_factory=dict)
    followed: tuple[Followed, ...] = ()


def judge_log(save: Save, asked: Asked, says: ModuleMap | None = None) -> Report:
    """The report on a whole log; a map says what the module's names mean."""
    return audited(save, asked, says).report


def audited(save: Save, asked: Asked, says: ModuleMap | None = None) -> Audited:
    """A whole log judged; a map says what the module's names mean."""
    module, said = module_beside(save, asked)
    logged = read_log(save, module, says, asked.start)
    labels = labels_of(asked, says)
    hold_names(asked, logged.ships, save.file)
    pieces = {piece.id: piece for piece in (*save.pieces, *logged.pieces.values())}
    remarks = (*said, *map_remarks(says, save, pieces.values(), module), *_started(asked, logged))
    reports = [Report(findings=remarks)]
    judged: list[Judged] = []
    forms: list[FormPlayed | None] = []
    strangers: list[ShipOnTable] = []
    start = {piece.id: piece for piece in save.pieces}
    for ship in ships_of(logged):
        form = form_played(logged, ship, labels)
        alone = form is None and ship.ssd is None
        if alone and (copy := copied(ship, logged, asked)):
            reports.append(
                Report(
                    not_checked=(
                        NotChecked(
                            form_book(asked).named.movement, f"{copy}: its moves are not judged", ship.name
                        ),
                    )
                )
            )
            continue
        told = says.class_of(ship.counter) if says else ""
        if alone and not told and is_no_ship(ship, says):
            strangers.append(ship)
            continue
        classes = classes_of(ship, form.form if form else None, save, asked, says)
        if len(classes) == 1:
            book = book_of(classes[0], logged, asked)
            shown = shown_in(ship, classes[0], book, logged, start.get(ship.ssd.id) if ship.ssd else None)
            judged.append(Judged(ship, classes[0], book, says=logged.says, shown=shown))
            forms.append(form)
        elif not alone:
            reports.append(Report(findings=(which_ship(ship, classes, Location(save.file)),)))
        else:
            strangers.append(ship)
    reports.append(Report(findings=tuple(shifted_cells(logged.ships, pieces.values(), save.file))))
    reports.append(Report(findings=tuple(_unmapped(logged, judged, forms, strangers, pieces))))
    orders = orders_in(rules_named(judged, asked), save, logged, judged, module)
    judged = [
        replace(one, used=weapons_used(one, form, orders)) for one, form in zip(judged, forms, strict=True)
    ]
    found = _Found(save, logged, strangers, labels, asked, module, orders, tuple(reports))
    audit = _judge_game(found, judged, forms)
    if any(audit.unpaid.values()):
        # What was taken off for nothing is lost to forms and fire as well.
        judged = [replace(one, unpaid=audit.unpaid.get(one.ship.name, ())) for one in judged]
        audit = replace(_judge_game(found, judged, forms), unpaid=audit.unpaid)
    if judged and not audit.report.checked:
        why = "its ships have no energy form that is filled in, and none is seen to move or fire"
        audit = replace(audit, report=unless_nothing_judged(audit.report, why, Location(save.file)))
    return audit


def _unmapped(
    logged: Logged,
    judged: Sequence[Judged],
    forms: Iterable[FormPlayed | None],
    strangers: Iterable[ShipOnTable],
    pieces: Mapping[str, Piece],
) -> Iterator[Finding]:
    """The findings on pieces whose meaning is not known; of strange counters on those that never move."""
    names = {one.ship.counter.basic_name for one in judged if one.ship.counter}
    still = {
        ship.counter.id
        for ship in strangers
        if ship.counter
        and not logged.changes.get(ship.counter.id)
        and ship.counter.basic_name not in names  # a copy of a ship's counter is known for what it is
        and not any(map(seeker_kind, ship.hints))
    }
    known = [(one.ship, one.chosen, one.book) for one, form in zip(judged, forms, strict=True) if form]
    ships = [ship for ship in logged.ships if not (ship.counter and ship.counter.id in still)]
    there = [piece for id, piece in pieces.items() if id in still or not is_counter(piece, logged.says)]
    return unmapped(there, ships, known, logged.says, logged.file)


@frozen
class _Found:
    """What is in a log beside the ships that are known, and the reports on it so far."""

    save: Save
    logged: Logged
    strangers: list[ShipOnTable]
    labels: LabelIndex
    asked: Asked
    module: Module | None
    orders: Orders
    reports: tuple[Report, ...]


def _judge_game(found: _Found, judged: list[Judged], forms: list[FormPlayed | None]) -> Audited:
    """Forms and play judged."""
    judged, reports = list(judged), list(found.reports)
    for n, (one, form) in enumerate(zip(judged, forms, strict=True)):
        fired = phasers_fired(found.orders, one)
        fed = batteries_ordered(found.orders, one.ship.name), batteries_lost(found.orders, one)
        judged[n], report = _judge_forms(one, form, found.logged, found.labels, fired, fed)
        reports += [Report(tuple(misread(judged[n], found.logged))), report]
    if not any(one.energy for one in judged):
        filed = any(one.filed for one in judged)
        why = "no energy form in it is filled in" if filed else "no ship with an energy form was found in it"
        reports.append(Report(not_checked=(NotChecked(found.labels.chapter, why),)))
    return _judge_play(found, judged, reports)


def _started(asked: Asked, logged: Logged) -> Iterator[Finding]:
    """A warning where the start that was told is not the one the log's own tracker shows."""
    start = logged.start
    if asked.start and asked.start != (start.turn, start.impulse):
        shown = (
            f"turn {start.turn}, impulse {start.impulse}"
            if start.turn
            else "no turn, and ships move on and on"
        )
        yield warning(
            "start",
            f"the start that was told is not used: the log shows {shown}",
            "",
            Location(logged.file),
            fix="leave --start out",
        )


def ships_of(logged: Logged) -> tuple[ShipOnTable, ...]:
    """The ships and seekers of a log: counters of ships that only came and went, as a copy of one that was
    deleted, are none."""
    says, passing = logged.says, logged.passing
    return tuple(
        [s for s in logged.ships if not (s.counter and s.counter.id in passing and not is_no_ship(s, says))]
    )


def copied(ship: ShipOnTable, logged: Logged, asked: Asked) -> str:
    """What is said of a counter that is a copy of a ship's, put down in play while that is there; nothing of
    another, and of one that the player says is a ship."""
    original = logged.copies.get(ship.counter.id) if ship.counter else None
    if original is None or any(said.partition("=")[0] == ship.name for said in asked.ships):
        return ""
    name = next((one.name for one in logged.ships if one.counter and one.counter.id == original), "a ship")
    return f"a copy of {name} without form or display of its own, put down while that is on the map"


def _judge_play(found: _Found, judged: list[Judged], reports: list[Report]) -> Audited:
    """The reports so far, those on what was done with the ships, and all of it by ship and turn."""
    save, logged, asked, module, orders = found.save, found.logged, found.asked, found.module, found.orders
    told = moves_told(logged, judged)
    speeds = speeds_told(logged, judged, orders)
    fired = judge_orders(logged, judged, orders)
    reports.append(judge_batteries(judged, orders))
    seekers = [ship for ship in found.strangers if fired.launched and is_seeker(ship, logged.says)]
    others = [ship for ship in found.strangers if ship not in seekers]
    reports.append(judge_moves(logged, judged, others, asked, told, speeds, named=module is not None))
    ordered = (
        judge_ordered((*told.moves, *moves_seen(logged, found.strangers)), orders, logged) if module else ()
    )
    reports.append(Report((*judge_speeds(judged, speeds, told.moves), *ordered)))
    reports.append(judge_unfiled(logged, judged, told, speeds, fired))
    rolls = judge_rolls(logged, module, save.players)
    drags = drags_by_others(logged, Owners(save.players, {one.ship.name: one for one in judged}))
    unsaid = without_prefix(logged, judged, save.players)
    told_of_hands = (
        *taken_back(logged, orders.undone),
        *rolls,
        *drags,
        *unsaid,
        *placed_for_fire(logged, orders),
        *judge_swung(logged, judged, told, orders),
    )
    shots = fired.report
    reports += [Report(told_of_hands, (), tuple(hands_not_told(logged, save.players)))]
    marks: Mapping[str, tuple[Marking, ...]] = {}
    unpaid: Mapping[str, tuple[Unpaid, ...]] = {}
    strikes: Mapping[str, tuple[Strike, ...]] = {}
    followed: tuple[Followed, ...] = ()
    if judged and (fired.rows or orders.heard or logged.marked or logged.rolled):
        marks = {one.ship.name: tuple(markings(one, logged)) for one in judged}
        sensors = Sensors(logged, judged, marks, orders.locks, fired.cloaks, strikes_said(orders))
        misheard = [found for found in fired.report.findings if found.key == "NOTE/order"]
        hurt = tuple(orders.of(DroneHit))

        def flights_and_damage(rows: tuple[Row, ...], spare: Spare) -> tuple[Flown, Damage]:
            flown = judge_seekers(logged, judged, seekers, fired.launched, rows, sensors, misheard, hurt)
            return flown, judge_marks(logged, judged, orders, fired, rows, spare, flown, marks)

        table = Table(logged, marks, flights_and_damage)
        rows, paired = rows_fired(fired, judged[0].book, table, module)
        shots = as_called_off(shots, judged[0].book.named, rows, paired, orders.unclear)
        flown, damage = table.came_to(rows, paired.spare)
        reports += [judge_dice(rows, paired, judged[0].book, logged), flown.report, damage.report]
        unpaid, followed, strikes = damage.unpaid, flown.followed, damage.strikes
    reports.append(shots)
    flew = (move for one in followed for move in one.flight.in_sight)
    reports.append(judge_in_steps(logged, judged, orders, (*told.moves, *flew), module, seekers))
    reports.append(judge_turns(logged, judged))
    if logged.noted or logged.private:
        reports.append(judge_secrets(rules_named(judged, asked), logged, save, judged))
    reports.append(Report(tuple(unread_steps(logged))))
    report = unmarked_in_doubt(merge_reports(reports), logged, judged, strikes, marks)
    report = not_blamed(report, judged, marks, strikes, told.moves)
    report = in_doubt(report, rules_named(judged, asked), logged)
    hexes = told if module is not None else None
    turns = by_ship_and_turn(logged, judged, hexes, speeds, fired, marks, report)
    report = replace(report, turns=turns, logs=(game_logged(save, logged, hexes),))
    if not asked.digests:
        return Audited(report, unpaid, followed)
    report = replace(report, events=events_of(logged, judged, told, orders, marks))
    return Audited(report, unpaid, followed)


# -- energy ------------------------------------------------------------------------------


def book_of(chosen: ShipClass, logged: Logged, asked: Asked) -> Any:
    """The rulebook in force; a tracker that counts impulses says how many there are."""
    book = rulebook_in_force(asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True)
    impulses = str(logged.start.impulses or logged.end.impulses or "")
    option = book.options.get("impulses")
    if option is None or "impulses" in asked.settings.options or impulses not in option.values:
        return book
    return book.with_options({"impulses": impulses})


def _judge_forms(
    one: Judged,
    form: FormPlayed | None,
    logged: Logged,
    labels: LabelIndex,
    fired: Mapping[int, Fraction],
    fed: tuple[Mapping[int, Fraction], Mapping[int, Fraction]],
) -> tuple[Judged, Report]:
    """A ship with the facts of its energy, and the report on it; `fired` are the points its phasers fired by
    turn, as chat has it, `fed` those that its batteries were ordered to give, and of these those no phaser takes."""
    ship, chosen, book = one.ship, one.chosen, one.book
    if form is None:
        pieces = {**logged.pieces, **logged.final.pieces}
        return one, formless(as_it_stood(ship, pieces, logged.file, logged.says), labels, logged.says)
    turns, remarks = _turns(one, form, Location(logged.file))
    if turns:
        turns[0] = replace(turns[0], known=begun_with(logged.says, book, chosen, turns[0].known))
    energy = tuple(energy_turns(book, chosen, turns, ship.name, fired, logged.end.turn, *fed))
    report = judge_energy(book, chosen, energy, ship.name)
    problems = form_remarks(book, chosen, form.form, ship.name)
    late = list(_late_edits(form.late, ship.name))
    start, end = (When(clock.turn, clock.impulse) for clock in (logged.start, logged.end))
    charge = [*judge_charge(energy, fired, ship.name, start, end), *judge_lent(energy, ship.name, end)]
    wrong = (item for item in charge if isinstance(item, Finding))
    findings = (*remarks, *problems, *report.findings, *wrong, *late)
    not_checked = (*report.not_checked, *(item for item in charge if isinstance(item, NotChecked)))
    return replace(one, energy=energy, filed=True), replace(
        report, findings=findings, not_checked=not_checked
    )


def _turns(one: Judged, form: FormPlayed, place: Location) -> tuple[list[PlayedTurn], tuple[Finding, ...]]:
    """The turns with what the display showed of the ship's damage when each was played."""
    turns = []
    remarks: dict[tuple[str, str], Finding] = {}
    shown, known = None, None
    for turn in form.turns:
        counts = one.shown.filled(turn.ship.boxes_left, turn.ship.shields, turn.step)
        read = not one.shown.unknown(turn.step)
        now = *counts, read, sum(lost.step < turn.step for lost in one.unpaid)
        if shown == now:
            turns.append(PlayedTurn(turn.allocation, known))
            continue
        shown = now
        seen = seen_state(one.chosen, *counts, one.book.table("box_labels"), one.used)
        state = one.truly(seen.state, turn.step)
        known = one.book.offers.known_damage(state, state) if seen.power_seen and read else None
        turns.append(PlayedTurn(turn.allocation, known))
        for remark in remarks_on(one.ship, one.chosen, seen, place):
            remarks.setdefault((remark.message, remark.found), remark)
    return turns, tuple(remarks.values())


def _late_edits(edits: Iterable[LateEdit], subject: str) -> Iterator[Finding]:
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
            yield from (_late(edit, subject) for edit in row)


def _late(edit: LateEdit, subject: str) -> Finding:
    was, now = ("blank" if x is None else show_energy(x) for x in (edit.before, edit.after))
    return Finding(
        key="NOTE/changed-later",
        severity=Severity.WARNING if edit.before is None else Severity.UNDECIDED,
        message=f"line {edit.line} of turn {edit.turn} was changed after movement had begun",
        subject=subject,
        turn=edit.turn,
        location=edit.place,
        expected=was,
        found=now,
        fix=_ALLOCATE_FIRST,
    )
