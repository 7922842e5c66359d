"""Every ship's form in a VASSAL save or log, judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.cli.inputs import InputBytes, read_input
from referee.cli.judging import Asked, label_index, note
from referee.cli.settings import rulebook_in_force
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, Severity, merge_reports
from referee.core.forms import EnergyForm
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.ship import ShipClass

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.recognise import Clock, ShipOnTable, TableState


def judge_save(source: InputBytes, asked: Asked) -> Report:
    """The report on all forms of a save; of a log, as they stand when it ends."""
    from referee.formats.eaform import looks_like_form, read_form
    from referee.formats.vassal.game import read_save

    save = read_save(source.data, source.name, asked.encoding)
    table = at_the_end(save, module_of(asked))
    labels = label_index(asked)
    unused = {name.partition("=")[0]: name for name in asked.ships if "=" in name}
    reports: list[Report] = []
    place = Location(file=source.name)
    for ship in table.ships:
        unused = {name: given for name, given in unused.items() if folded(name) != folded(ship.name)}
        if ship.table is not None and looks_like_form(ship.table, labels):
            form = read_form(ship.table, labels)
            reports.append(_judge_ship(ship, form, table.clock, save, asked, place))
        elif ship.counter is not None:
            lacks = NotChecked("B3.0", "no energy form was found for it", ship.name)
            reports.append(Report(not_checked=(lacks,)))
    if unused:
        there = ", ".join(ship.name for ship in table.ships) or "no ships"
        raise BadInput(f"no ship {next(iter(unused))} in it", file=source.name, hint=f"there are {there}")
    if not any(report.checked or report.findings for report in reports):
        reports.append(
            Report(not_checked=(NotChecked("B3.0", "no ship with an energy form was found in it"),))
        )
    if save.kind == "log":
        unplayed = NotChecked("C1.0", "moves and fire of a log are not judged yet, only its energy forms")
        reports.append(Report(not_checked=(unplayed,)))
    return merge_reports(reports)


def at_the_end(save: Save, module: Module | None) -> TableState:
    """The ships and the clock when a save was made, or a log ended."""
    from referee.formats.vassal.recognise import TableState, read_clock, recognise

    if not save.steps:
        return recognise(save, module)
    from collections import deque

    from referee.formats.vassal.replay import replay

    last = deque(replay(save, module), maxlen=1)[0]
    ended = recognise(replace(save, pieces=tuple(last.pieces.values())), module)
    turns = list(last.turns.values())
    return TableState(ended.ships, read_clock(turns[0])) if turns else ended


def module_of(asked: Asked) -> Module | None:
    """The module named with `--module`."""
    if not asked.module:
        return None
    from referee.formats.vassal.module import read_module

    source = read_input(asked.module)
    return read_module(source.data, source.name)


def _judge_ship(
    ship: ShipOnTable, form: EnergyForm, clock: Clock, save: Save, asked: Asked, place: Location
) -> Report:
    from referee.adjudicator.check import check_form

    classes = _classes(ship, form, save, asked)
    if len(classes) != 1:
        return Report(findings=(_which_ship(ship, classes, place),))
    chosen = classes[0]
    book = rulebook_in_force(asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True)
    known, remarks = _known(ship, chosen, book, clock, form, place)
    report = check_form(book, chosen, form, subject=ship.name, known=known)
    return replace(report, findings=(*remarks, *report.findings))


def _classes(ship: ShipOnTable, form: EnergyForm, save: Save, asked: Asked) -> tuple[ShipClass, ...]:
    """The classes a ship in a save may be: as the player says, else by its names and its power."""
    from referee.cli.shipfiles import find_ship
    from referee.rulebooks.registry import ships_called

    for given in asked.ships:
        name, equals, wanted = given.partition("=")
        if not equals or folded(name) == folded(ship.name):
            return (find_ship(wanted if equals else given, asked.settings.rulebook),)
    hints = (*ship.hints, *((form.ship,) if form.ship else ()))
    classes = ships_called(hints, asked.settings.rulebook)
    if len(classes) > 1:
        module = save.module.name if save.module else ""
        by_module = [found for found in classes if found.id.partition("/")[0] in (module or "").lower()]
        classes = tuple(by_module) or classes
    if len(classes) > 1:
        first = next((a.amount("1") for a in form.allocations if a.amount("1")), None)
        exact = tuple(found for found in classes if first is not None and found.warp == first)
        classes = exact if len(exact) == 1 else classes
    return classes


def _which_ship(ship: ShipOnTable, classes: tuple[ShipClass, ...], place: Location) -> Finding:
    choices = ", ".join(found.id for found in classes[:6])
    return Finding(
        key="NOTE/ship",
        severity=Severity.UNDECIDED,
        message="which class this ship is cannot be told" + (f": it may be {choices}" if choices else ""),
        subject=ship.name,
        location=place.within(piece=ship.name),
        fix=f'say --ship "{ship.name}={classes[0].id if classes else "cadet/federation-ca"}"',
    )


def _known(
    ship: ShipOnTable, chosen: ShipClass, book: object, clock: Clock, form: EnergyForm, place: Location
) -> tuple[object, tuple[Finding, ...]]:
    """What the display shows of a ship's damage, and remarks on what it does not."""
    from referee.adjudicator.seen import seen_state
    from referee.core.state import new_state
    from referee.rulebooks.base import Rulebook

    assert isinstance(book, Rulebook)
    seen = seen_state(chosen, ship.boxes_left, ship.shields, book.table("box_labels"))
    remarks = tuple(_remarks(ship, chosen, seen, place))
    if not seen.power_seen:
        return None, remarks
    last = form.allocations[-1].turn if form.allocations else 0
    before_fire = clock.turn == last and (clock.impulse or 1) <= 1 and (clock.step_number or 1) <= 1
    settled = clock.turn is not None and (clock.turn < last or before_fire)
    known = book.procedure("known damage")(new_state(chosen), seen.state, settled=settled)
    return known, remarks


def _remarks(ship: ShipOnTable, chosen: ShipClass, seen: object, place: Location) -> Iterator[Finding]:
    from referee.adjudicator.seen import Seen

    assert isinstance(seen, Seen)
    here = place.within(piece=ship.ssd.basic_name if ship.ssd else ship.name)
    for label, shown, printed in seen.disagree:
        yield note(
            "boxes",
            f"the display shows {shown} boxes of {label}, the ship known here has {printed}",
            ship.name,
            location=here,
            found=str(shown),
            expected=str(printed),
        )
