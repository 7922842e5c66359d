"""Every ship's form in a VASSAL save, judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    from referee.formats.vassal.recognise import Clock, ShipOnTable


def judge_save(source: InputBytes, asked: Asked) -> Report:
    """The report on all forms of a save; of a log, on all that was played in it."""
    from referee.formats.eaform import looks_like_form, read_form
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.recognise import recognise

    save = read_save(source.data, source.name, asked.encoding)
    if save.kind == "log":
        from referee.cli.logs import judge_log

        return judge_log(save, asked)
    table = recognise(save, module_of(asked))
    labels = label_index(asked)
    hold_names(asked, table.ships, source.name)
    reports: list[Report] = []
    place = Location(file=source.name)
    for ship in table.ships:
        if ship.table is not None and looks_like_form(ship.table, labels):
            form = read_form(ship.table, labels)
            reports.append(_judge_ship(ship, form, table.clock, save, asked, place))
        elif ship.counter is not None:
            lacks = NotChecked("B3.0", "no energy form was found for it", ship.name)
            reports.append(Report(not_checked=(lacks,)))
    if not any(report.checked or report.findings for report in reports):
        reports.append(
            Report(not_checked=(NotChecked("B3.0", "no ship with an energy form was found in it"),))
        )
    return merge_reports(reports)


def hold_names(asked: Asked, ships: Iterable[ShipOnTable], file: str) -> None:
    """Raises BadInput where `--ship NAME=SHIP` names a ship that is not there."""
    names = [ship.name for ship in ships]
    there = {folded(name) for name in names}
    for given in asked.ships:
        name, equals, _ = given.partition("=")
        if equals and folded(name) not in there:
            hint = f"there are {', '.join(names) or 'no ships'}"
            raise BadInput(f"no ship {name} in it", file=file, hint=hint)


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

    classes = classes_of(ship, form, save, asked)
    if len(classes) != 1:
        return Report(findings=(which_ship(ship, classes, place),))
    chosen = classes[0]
    book = rulebook_in_force(asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True)
    known, remarks = _known(ship, chosen, book, clock, form, place)
    report = check_form(book, chosen, form, subject=ship.name, known=known)
    return replace(report, findings=(*remarks, *report.findings))


def classes_of(ship: ShipOnTable, form: EnergyForm | None, save: Save, asked: Asked) -> tuple[ShipClass, ...]:
    """The classes a ship in a save may be: as the player says, else by its names and its power."""
    from referee.cli.shipfiles import find_ship
    from referee.rulebooks.registry import ships_called

    for given in asked.ships:
        name, equals, wanted = given.partition("=")
        if not equals or folded(name) == folded(ship.name):
            return (find_ship(wanted if equals else given, asked.settings.rulebook),)
    hints = (*ship.hints, *((form.ship,) if form and form.ship else ()))
    classes = ships_called(hints, asked.settings.rulebook)
    if len(classes) > 1:
        module = save.module.name if save.module else ""
        by_module = [found for found in classes if found.id.partition("/")[0] in (module or "").lower()]
        classes = tuple(by_module) or classes
    if len(classes) > 1:
        filled = form.allocations if form else ()
        first = next((a.amount("1") for a in filled if a.amount("1")), None)
        exact = tuple(found for found in classes if first is not None and found.warp == first)
        classes = exact if len(exact) == 1 else classes
    return classes


def which_ship(ship: ShipOnTable, classes: tuple[ShipClass, ...], place: Location) -> Finding:
    """The finding on a ship whose class is not known, or not which of several."""
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
    remarks = tuple(remarks_on(ship, chosen, seen, place))
    if not seen.power_seen:
        return None, remarks
    last = form.allocations[-1].turn if form.allocations else 0
    before_fire = clock.turn == last and (clock.impulse or 1) <= 1 and (clock.step_number or 1) <= 1
    settled = clock.turn is not None and (clock.turn < last or before_fire)
    known = book.procedure("known damage")(new_state(chosen), seen.state, settled=settled)
    return known, remarks


def remarks_on(ship: ShipOnTable, chosen: ShipClass, seen: object, place: Location) -> Iterator[Finding]:
    """Notes where a display shows other boxes than the ship known here has."""
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
