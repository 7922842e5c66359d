"""Every ship's form in a VASSAL save, judged; of a log, the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.adjudicator.tables import table_of
from referee.core.account import HELD
from referee.core.errors import BadInput
from referee.core.finding import (
    NOTHING_KNOWN,
    Finding,
    NotChecked,
    Report,
    merge_reports,
    unless_nothing_judged,
)
from referee.core.forms import EnergyAllocation, EnergyForm, FormLines, turns_only_begun
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.sources.asked import Asked
from referee.sources.forms import account_of
from referee.sources.inputs import InputBytes
from referee.sources.modules import module_beside
from referee.sources.saves import (
    HEAD_SAID,
    begun_with,
    formless,
    hold_names,
    labels_of,
    map_of,
    map_remarks,
    remarks_on,
    shifted_cells,
    which_ship,
    with_map,
)
from referee.sources.settings import rulebook_in_force
from referee.sources.ships import Reading, ship_read
from referee.sources.unmapped_pieces import unmapped

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.recognise import Clock, ShipOnTable
    from referee.logs.standing import Standing
    from referee.rulebooks.base import Rulebook


def judge_save(source: InputBytes, asked: Asked, standing: Standing | None = None) -> Report:
    """The report on all forms of a save; of a log, on all that was played in it. What is `standing` of a log since it
    was judged last is not worked out again."""
    from referee.formats.eaform import form_on
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.recognise import recognise

    save = read_save(source.data, source.name, asked.encoding)
    module_map = map_of(asked)
    asked = with_map(asked, module_map)
    if save.kind == "log":
        from referee.logs.audit import judge_log

        return judge_log(save, asked, module_map, standing)
    module, on_module = module_beside(save, asked) if module_map or asked.module else (None, ())
    if asked.start:
        raise BadInput("is no log: it needs no start position", file=save.file, hint="leave --start out")
    table = recognise(save, module, module_map)
    labels = labels_of(asked, module_map)
    hold_names(asked, table.ships, source.name)
    reports = [Report(findings=(*on_module, *map_remarks(module_map, save, module=module)))]
    place = Location(file=source.name)
    recorded = any(line.startswith(HEAD_SAID) for line in save.chat)
    known: list[tuple[ShipOnTable, ShipClass, Rulebook]] = []
    reading = Reading(save, asked, module_map, module)
    for ship in table.ships:
        if ship.table is not None and (form := form_on(ship.table, labels)):
            read = ship_read(reading, ship, form)
            if read.chosen is None:
                reports.append(Report(findings=(which_ship(ship, read.classes, place),)))
                continue
            id = asked.settings.rulebook or read.chosen.rulebook
            known.append((ship, read.chosen, rulebook_in_force(id, asked.settings, lenient=True)))
            reports.append(_judge_ship(*known[-1], form, table.clock, place, module_map, recorded))
        elif ship.counter is not None:
            reports.append(formless(ship, labels, module_map))
    reports.append(Report(findings=tuple(shifted_cells(table.ships, save.pieces, source.name))))
    reports.append(Report(findings=tuple(unmapped(save.pieces, table.ships, known, module_map, source.name))))
    if not any(report.checked or report.findings for report in reports[1:]):
        reports.append(
            Report(not_checked=(NotChecked(labels.chapter, "no ship with an energy form was found in it"),))
        )
    report = merge_reports(reports)
    if known or report.checked or report.ships:
        return report
    fix = f'referee show {source.name} lists what is in it; --ship "NAME=CLASS" names a ship of it'
    return unless_nothing_judged(report, f"a save of {_game_of(save)}; {NOTHING_KNOWN}", place, fix)


def _game_of(save: Save) -> str:
    """The module that a save was made with, as it names itself."""
    module = save.module
    return f"{module.name} {module.version}".strip() if module and module.name else "an unnamed module"


def _judge_ship(
    ship: ShipOnTable,
    chosen: ShipClass,
    rulebook: Rulebook,
    form: EnergyForm,
    clock: Clock,
    place: Location,
    module_map: ModuleMap | None,
    recorded: bool,
) -> Report:
    known, remarks = _known(ship, chosen, rulebook, clock, form, module_map, place)
    begun = _begun(form, rulebook.lines, clock, recorded)
    to_come = [allocation for allocation in begun if clock.turn is not None and allocation.turn > clock.turn]
    account = account_of(
        form,
        chosen,
        rulebook,
        name=ship.name,
        known=begun_with(module_map, rulebook, chosen, known),
        kind=HELD,
        remarks=remarks,
        begun=begun,
        to_come=to_come,
    )
    return table_of(rulebook, {chosen.id: chosen}.__getitem__, account).report()


def _begun(form: EnergyForm, lines: FormLines, clock: Clock, recorded: bool) -> tuple[EnergyAllocation, ...]:
    """The last turns that are only begun, as `vassal write` and some sheets begin them, and whose impulses have
    not begun either; in a save that a record was written into also those that are played: their forms may be
    sealed in it."""
    begun = turns_only_begun(form, lines)
    if clock.turn is None or recorded:
        return begun
    return tuple(
        allocation for allocation in begun if (clock.turn, clock.impulse or 1) <= (allocation.turn, 1)
    )


def _known(
    ship: ShipOnTable,
    chosen: ShipClass,
    rulebook: object,
    clock: Clock,
    form: EnergyForm,
    module_map: ModuleMap | None,
    place: Location,
) -> tuple[object, tuple[Finding, ...]]:
    """What the display shows of a ship's damage, and remarks on what it does not."""
    from referee.core.state import new_state
    from referee.rulebooks.base import Rulebook
    from referee.sources.ssd_display import seen_state, weapons_paid

    assert isinstance(rulebook, Rulebook)
    used = {
        weapon: allocation.turn
        for allocation in form.allocations
        for weapon in weapons_paid(rulebook.lines, chosen, allocation)
    }
    seen = seen_state(chosen, ship.boxes_left, ship.shields, rulebook.table("box_labels"), used)
    unread = tuple(_unread(ship, chosen, rulebook, module_map, place))
    remarks = (*remarks_on(ship, chosen, seen, place), *unread)
    if unread or not seen.power_seen:
        return None, remarks
    last = form.allocations[-1].turn if form.allocations else 0
    before_fire = clock.turn == last and (clock.impulse or 1) <= 1 and (clock.step_number or 1) <= 1
    settled = clock.turn is not None and (clock.turn < last or before_fire)
    known = rulebook.offers.known_damage(new_state(chosen), seen.state, settled=settled)
    return known, remarks


def _unread(
    ship: ShipOnTable, chosen: ShipClass, rulebook: Rulebook, module_map: ModuleMap | None, place: Location
) -> Iterator[Finding]:
    """Findings on boxes and shields of which the display shows nothing that can be read, or that can be."""
    from referee.formats.vassal.marks import illegible, label_of, shield_of
    from referee.logs.displays import Gap, unread_mark
    from referee.sources.ssd_display import named_boxes

    if ship.ssd is None:
        return
    named = named_boxes(chosen, rulebook.table("box_labels"))
    read = {*map(label_of, ship.boxes_left), *(f"shield {number}" for number in ship.shields)}
    for label, text in illegible(ship.ssd, module_map).items():
        if label not in read and (named(label) or shield_of(label) in chosen.shields):
            yield unread_mark(ship.name, Gap(label, text, 0), place.within(piece=ship.ssd.basic_name))
