"""A VASSAL log judged as a game: energy forms as they were played, moves, dice; see `logfire` for fire."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.judging import Asked, note
from referee.cli.saves import (
    classes_of,
    hold_names,
    labels_of,
    map_remarks,
    module_of,
    remarks_on,
    which_ship,
)
from referee.cli.settings import rulebook_in_force
from referee.core.finding import Finding, NotChecked, Report, Severity, merge_reports
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.play import When
from referee.core.ship import ShipClass

if TYPE_CHECKING:
    from referee.adjudicator.logaudit import EnergyFacts, PlayedTurn
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.logged import Logged
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.moves import Moves
    from referee.formats.vassal.played import FormPlayed, LateEdit
    from referee.formats.vassal.recognise import ShipOnTable


_ALLOCATE_FIRST = "energy is allocated before the turn is played"
_MANY = 4  # figures written late that make a column filled in late
_NO_SHIP = re.compile(r"(?i)drone|missile|plasma|torpedo|shuttle|fighter|mine|probe|seeker|planet|asteroid")


@frozen
class Judged:
    """A ship of a log: what it is by the rules, and the facts of its energy turn by turn."""

    ship: ShipOnTable
    chosen: ShipClass
    book: Any
    energy: tuple[EnergyFacts, ...] = ()
    says: ModuleMap | None = None


def judge_log(save: Save, asked: Asked, says: ModuleMap | None = None) -> Report:
    """The report on a whole log; a map says what the module's names mean."""
    from referee.formats.vassal.logged import read_log
    from referee.formats.vassal.played import form_played

    module, said = _module(save, asked)
    logged = read_log(save, module, says)
    labels = labels_of(asked, says)
    hold_names(asked, logged.ships, save.file)
    pieces = {piece.id: piece for piece in (*save.pieces, *logged.final.pieces.values())}
    reports = [Report(findings=(*said, *map_remarks(says, save, pieces.values(), module)))]
    judged: list[Judged] = []
    strangers: list[ShipOnTable] = []
    for ship in logged.ships:
        form = form_played(logged, ship, labels)
        alone = form is None and ship.ssd is None
        told = says.class_of(ship.counter) if says else ""
        if alone and not told and any(_NO_SHIP.search(hint) for hint in ship.hints):
            strangers.append(ship)
            continue
        classes = classes_of(ship, form.form if form else None, save, asked, says)
        if len(classes) == 1:
            one, report = _judge_forms(ship, classes[0], form, logged, asked)
            judged.append(one)
            reports.append(report)
        elif not alone:
            reports.append(Report(findings=(which_ship(ship, classes, Location(save.file)),)))
        else:
            strangers.append(ship)
    if not any(one.energy for one in judged):
        reports.append(
            Report(not_checked=(NotChecked("B3.0", "no ship with an energy form was found in it"),))
        )
    reports.append(_judge_moves(logged, judged, strangers, asked, named=module is not None))
    if logged.said:
        from referee.cli.logfire import judge_chat

        reports.append(judge_chat(save, logged, judged))
    reports.append(Report(findings=tuple(_dice(logged))))
    return merge_reports(reports)


# -- the module --------------------------------------------------------------------------


def _module(save: Save, asked: Asked) -> tuple[Module | None, Iterator[Finding]]:
    """The module named, else the only one beside the log if it is the log's; and that it was used."""
    if asked.module or save.file.startswith("-"):
        return module_of(asked), iter(())
    beside = sorted(Path(save.file).parent.glob("*.vmod"))[:2] if Path(save.file).is_file() else []
    wanted = save.module.name if save.module else ""
    if len(beside) != 1 or not wanted:
        return None, iter(())
    from referee.core.errors import BadInput

    try:
        module = module_of(replace(asked, module=str(beside[0])))
    except BadInput:
        return None, iter(())
    if module is None or module.name != wanted:
        return None, iter(())
    said = note(
        "module",
        f"hexes are named by {beside[0].name}, which lies beside it",
        "",
        location=Location(save.file),
    )
    return module, iter((said,))


# -- energy ------------------------------------------------------------------------------


def _book(chosen: ShipClass, logged: Logged, asked: Asked) -> Any:
    """The rulebook in force; a tracker that counts impulses says how many there are."""
    book = rulebook_in_force(asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True)
    impulses = str(logged.start.impulses or logged.end.impulses or "")
    option = book.options.get("impulses")
    if option is None or "impulses" in asked.settings.options or impulses not in option.values:
        return book
    return book.with_options({"impulses": impulses})


def _judge_forms(
    ship: ShipOnTable, chosen: ShipClass, form: FormPlayed | None, logged: Logged, asked: Asked
) -> tuple[Judged, Report]:
    from referee.adjudicator.logaudit import energy_turns, form_remarks, judge_energy

    book = _book(chosen, logged, asked)
    if form is None:
        lacks = NotChecked("B3.0", "no energy form was found for it", ship.name)
        return Judged(ship, chosen, book, says=logged.says), Report(not_checked=(lacks,))
    turns, remarks = _turns(ship, chosen, book, form, Location(logged.file))
    energy = tuple(energy_turns(book, chosen, turns, ship.name))
    report = judge_energy(book, chosen, energy, ship.name)
    problems = form_remarks(book, chosen, form.form, ship.name)
    late = list(_late_edits(form.late, ship.name))
    findings = (*remarks, *problems, *report.findings, *late)
    return Judged(ship, chosen, book, energy, logged.says), replace(report, findings=findings)


def _turns(
    ship: ShipOnTable, chosen: ShipClass, book: Any, form: FormPlayed, place: Location
) -> tuple[list[PlayedTurn], tuple[Finding, ...]]:
    """The turns with what the display showed of the ship's damage when each was played."""
    from referee.adjudicator.logaudit import PlayedTurn
    from referee.adjudicator.seen import seen_state

    turns = []
    remarks: dict[tuple[str, str], Finding] = {}
    for turn in form.turns:
        seen = seen_state(chosen, turn.ship.boxes_left, turn.ship.shields, book.table("box_labels"))
        known = book.procedure("known damage")(seen.state, seen.state) if seen.power_seen else None
        turns.append(PlayedTurn(turn.allocation, known))
        for remark in remarks_on(ship, chosen, seen, place):
            remarks.setdefault((remark.message, remark.found), remark)
    return turns, tuple(remarks.values())


def _late_edits(edits: Iterable[LateEdit], subject: str) -> Iterator[Finding]:
    """Warnings on what was written when movement had begun; a column that was blank is one."""
    by_turn: dict[int, list[LateEdit]] = {}
    for edit in edits:
        by_turn.setdefault(edit.turn, []).append(edit)
    for turn, row in by_turn.items():
        if len(row) >= _MANY and all(edit.before is None for edit in row):
            yield _warning(
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
    from referee.core.energy import show_energy

    was, now = ("blank" if x is None else show_energy(x) for x in (edit.before, edit.after))
    return Finding(
        key="NOTE/changed-later",
        severity=Severity.WARNING,
        message=f"line {edit.line} of turn {edit.turn} was changed after movement had begun",
        subject=subject,
        turn=edit.turn,
        location=edit.place,
        expected=was,
        found=now,
        fix=_ALLOCATE_FIRST,
    )


# -- moves -------------------------------------------------------------------------------


def _judge_moves(
    logged: Logged, judged: list[Judged], strangers: list[ShipOnTable], asked: Asked, *, named: bool
) -> Report:
    """The report on all moves, once hexes have names."""
    if not any(logged.changes.values()) and not logged.ends:
        return Report(not_checked=(NotChecked("C1.0", "no counter moves in it"),))
    if not named:
        return Report(not_checked=(NotChecked("C1.0", "hex names need --module"),))
    if not judged:
        return Report(not_checked=(NotChecked("C1.0", "no ship known here moves in it"),))
    from referee.adjudicator.logaudit import Span, Steps, Vanished, judge_course
    from referee.formats.vassal.moves import moves_of

    ids = {one.ship.name: one.ship.counter.id for one in judged if one.ship.counter}
    told = moves_of({name: logged.changes.get(id, ()) for name, id in ids.items()}, logged.file)
    span = Span(
        When(logged.start.turn, logged.start.impulse),
        When(logged.end.turn, logged.end.impulse),
        (logged.start.step_number or 1) > 1,
        (logged.end.step_number or 1) > 1,
    )
    report = judge_course(
        judged[0].book,
        [_mover(one, logged, asked) for one in judged if one.ship.name in ids],
        told.moves,
        span,
        vanished=[Vanished(gone.ship, gone.when, gone.step) for gone in told.gone],
        steps=Steps(logged.file, told.turned_in, logged.ends),
    )
    findings = (*report.findings, *_turned(told, judged[0].book, logged), *_remarks(logged, judged))
    not_checked = (*report.not_checked, *_not_judged(told, logged, strangers))
    return replace(report, findings=findings, not_checked=not_checked, ships=())


def _mover(one: Judged, logged: Logged, asked: Asked) -> Any:
    from referee.adjudicator.track import Mover

    assert one.ship.counter
    by_turn = {energy.turn: energy.speed for energy in one.energy}
    first = logged.start.turn
    option = asked.settings.options.get("previous_speed", "")
    before = int(option) if option.isdigit() else None
    began = logged.began[one.ship.counter.id]
    fresh = first == 1 and logged.start.impulse == 1
    return Mover(
        one.ship.name,
        one.chosen,
        by_turn,
        by_turn.get(first - 1, before) if first else before,
        hex=began.hex,
        facing=began.facing,
        counting="start" if fresh else "unknown",
    )


def _turned(told: Moves, book: Any, logged: Logged) -> Iterator[Finding]:
    from referee.adjudicator.logaudit import turned_early

    for turn in told.turned:
        now = turn.moved is None and logged.end.moment == (turn.when.turn, turn.when.impulse)
        if now or turn.when.impulse is None:
            continue
        place = Location(logged.file, piece=turn.ship, step=turn.step)
        facings = turn.before, turn.after
        if found := turned_early(book, turn.ship, facings, turn.when, turn.moved, place):
            yield found


def _remarks(logged: Logged, judged: list[Judged]) -> Iterator[Finding]:
    """Notes on what was taken as put in place or taken back by hand."""
    by_id = {one.ship.counter.id: one.ship.name for one in judged if one.ship.counter}
    if placed := [by_id[id] for id in logged.set_up if id in by_id]:
        yield note(
            "set-up",
            f"{', '.join(placed)} put in place before play began: not judged as moves",
            "",
            location=Location(logged.file),
        )
    for back in logged.taken_back:
        if not back.undo:
            yield note(
                "taken-back",
                f"the move of step {back.first} was taken back by hand",
                "",
                location=Location(logged.file, step=back.step),
            )


def _not_judged(told: Moves, logged: Logged, strangers: Iterable[ShipOnTable]) -> Iterator[NotChecked]:
    for gone in {gone.ship: gone for gone in reversed(told.gone)}.values():
        reason = f"out of sight from step {gone.step}: which impulses call it in that turn is not judged"
        yield NotChecked("C1.4", reason, gone.ship)
    moved = [
        ship.name for ship in strangers if ship.counter is not None and logged.changes.get(ship.counter.id)
    ]
    if moved:
        reason = f"what {', '.join(sorted(set(moved)))} are is not known: their moves are not judged"
        yield NotChecked("C1.0", reason)


# -- dice --------------------------------------------------------------------------------


def _dice(logged: Logged) -> Iterator[Finding]:
    """Warnings on dice that were taken back, and on moves taken back after dice had been rolled."""
    for rolled in logged.rolled:
        if rolled.taken_back is not None:
            yield _warning(
                "dice-taken-back",
                f"the roll of {rolled.roll.button} = {rolled.roll.faces} in step {rolled.step} was undone",
                rolled.roll.player,
                Location(logged.file, step=rolled.taken_back),
            )
    for back in logged.taken_back:
        between = [r for r in logged.rolled if back.first < r.step < back.step and r.taken_back is None]
        if between:
            yield _warning(
                "undo-over-dice",
                f"the move of step {back.first} was taken back after dice were rolled in step {between[0].step}",
                "",
                Location(logged.file, step=back.step),
            )


def _warning(
    key: str,
    message: str,
    subject: str,
    place: Location,
    *,
    fix: str = "dice stand as they fell",
    turn: int | None = None,
) -> Finding:
    return Finding(f"NOTE/{key}", Severity.WARNING, message, subject, turn, location=place, fix=fix)
