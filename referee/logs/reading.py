"""A log as it is read, once: its ships with class, form and display, and the orders in its chat. Nothing is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.core.errors import BadInput
from referee.core.finding import Finding, Report
from referee.core.frozen import frozen, replace
from referee.core.location import Location
from referee.core.orders import Fire, Launch
from referee.core.ship import ShipClass
from referee.formats.modulemap import ModuleMap
from referee.formats.sheets.labels import LabelIndex
from referee.formats.vassal.game import Save
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.logged import read_log
from referee.formats.vassal.module import Module
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.played import FormPlayed, form_played
from referee.formats.vassal.recognise import ShipOnTable, is_counter, loose
from referee.logs.dice import warning
from referee.logs.displays import shown_in
from referee.logs.fire import Orders, hear
from referee.logs.ship_under_audit import ShipUnderAudit, rules_named, weapons_of
from referee.rulebooks.base import NamedRules
from referee.sources.asked import Asked
from referee.sources.counters import is_no_ship, seeker_kind
from referee.sources.modules import module_beside
from referee.sources.saves import hold_names, labels_of, map_remarks, shifted_cells
from referee.sources.settings import rulebook_in_force
from referee.sources.ships import Reading, ShipRead, ship_read
from referee.sources.ssd_display import weapons_paid


@frozen
class LogRead:
    """What is read of a log. Its `ships` are all that are seen in it. Those whose class is known are `judged`, each
    with its form. `strangers` are counters that may be no ships. `remarks` are on its module, map and start."""

    save: Save
    asked: Asked
    module: Module | None
    logged: Logged
    labels: LabelIndex
    ships: tuple[ShipRead, ...]
    judged: tuple[ShipUnderAudit, ...]
    forms: tuple[FormPlayed | None, ...]
    strangers: tuple[ShipOnTable, ...]
    orders: Orders
    remarks: tuple[Finding, ...] = ()

    @property
    def named(self) -> NamedRules:
        """The rules that what is not judged in it is named by."""
        return rules_named(self.judged, self.asked)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """All pieces of the log by id, as they stand in the end."""
        return {piece.id: piece for piece in (*self.save.pieces, *self.logged.pieces.values())}


def read_game(save: Save, asked: Asked, module_map: ModuleMap | None = None) -> LogRead:
    """Reads a whole log; a map says what the module's names mean."""
    module, on_module = module_beside(save, asked)
    logged = read_log(save, module, module_map, asked.start)
    labels = labels_of(asked, module_map)
    hold_names(asked, logged.ships, save.file)
    start = {piece.id: piece for piece in save.pieces}
    ships: list[ShipRead] = []
    judged: list[ShipUnderAudit] = []
    forms: list[FormPlayed | None] = []
    strangers: list[ShipOnTable] = []
    reading = Reading(save, asked, module_map, module)
    for ship in ships_of(logged):
        form = form_played(logged, ship, labels)
        read = _ship(reading, logged, ship, form)
        ships.append(read)
        if read.chosen is not None:
            rulebook = rulebook_of(read.chosen, logged, asked)
            shown = shown_in(
                ship, read.chosen, rulebook, logged, start.get(ship.ssd.id) if ship.ssd else None
            )
            judged.append(
                ShipUnderAudit(ship, read.chosen, rulebook, module_map=logged.module_map, shown=shown)
            )
            forms.append(form)
        elif read.alone and not read.copy:
            strangers.append(ship)
    named = rules_named(judged, asked)
    orders = hear(named, save, logged, judged)
    if any(heard.sentence.note for heard in orders.heard):
        from referee.logs.notes import as_noted  # Few write secret notes.

        orders = as_noted(orders, named, logged, judged, module)
    judged = [
        replace(audited, used=_weapons_used(audited, form, orders))
        for audited, form in zip(judged, forms, strict=True)
    ]
    pieces = {**start, **logged.pieces}.values()
    remarks = (*on_module, *map_remarks(module_map, save, pieces, module), *_started(asked, logged))
    return LogRead(
        save,
        asked,
        module,
        logged,
        labels,
        tuple(ships),
        tuple(judged),
        tuple(forms),
        tuple(strangers),
        orders,
        remarks,
    )


def _weapons_used(ship: ShipUnderAudit, form: FormPlayed | None, orders: Orders) -> dict[str, int]:
    """The last step in which each weapon was paid for, as a turn began, or fired or launched from: where a display does
    not tell which is lost, another is."""
    used: dict[str, int] = {}
    for turn in form.turns if form else ():
        for weapon in weapons_paid(ship.rulebook.lines, ship.chosen, turn.allocation):
            used[weapon] = max(turn.step, used.get(weapon, 0))
    for heard in orders.of(Fire, Launch):
        assert isinstance(heard.order, Fire | Launch)
        if heard.order.ship != ship.ship.name:
            continue
        try:
            mounts = weapons_of(heard.order, ship)
        except BadInput:
            continue  # said with the order itself
        for mount in mounts:
            used[mount.id] = max(heard.sentence.step, used.get(mount.id, 0))
    return used


def _ship(reading: Reading, logged: Logged, ship: ShipOnTable, form: FormPlayed | None) -> ShipRead:
    filled = form.form if form else None
    if form is None and ship.ssd is None and (copy := copied(ship, logged, reading.asked)):
        return ShipRead(ship, filled, copy=copy)
    return ship_read(reading, ship, filled)


def pieces_not_understood(read: LogRead) -> Report:
    """The findings on cells that swallowed others, and on pieces whose meaning is not known; of strange counters on
    those that never move."""
    logged, pieces = read.logged, read.pieces
    shifted = shifted_cells(logged.ships, pieces.values(), read.save.file)
    return Report(findings=(*shifted, *_unmapped(read, pieces)))


def _unmapped(read: LogRead, pieces: Mapping[str, Piece]) -> Iterable[Finding]:
    logged, judged = read.logged, read.judged
    names = {audited.ship.counter.basic_name for audited in judged if audited.ship.counter}
    still = {
        ship.counter.id
        for ship in read.strangers
        if ship.counter
        and not logged.changes.get(ship.counter.id)
        and ship.counter.basic_name not in names  # a copy of a ship's counter is known for what it is
        and not any(map(seeker_kind, ship.hints))
    }
    known = [
        (audited.ship, audited.chosen, audited.rulebook)
        for audited, form in zip(judged, read.forms, strict=True)
        if form
    ]
    ships = [ship for ship in logged.ships if not (ship.counter and ship.counter.id in still)]
    there = [piece for id, piece in pieces.items() if id in still or not is_counter(piece, logged.module_map)]
    if not known or not any(loose(there, [ship for ship in ships if ship.ssd], logged.module_map)):
        return ()
    from referee.sources.unmapped_pieces import unmapped  # Most logs hold ships and seekers alone.

    return unmapped(there, ships, known, logged.module_map, logged.file)


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
            f"the start position you gave is not used: the log shows {shown}",
            "",
            Location(logged.file),
            fix="leave --start out",
        )


def ships_of(logged: Logged) -> tuple[ShipOnTable, ...]:
    """The ships and seekers of a log: counters of ships that only came and went, as a copy of one that was
    deleted, are none."""
    module_map, passing = logged.module_map, logged.passing
    return tuple(
        [
            s
            for s in logged.ships
            if not (s.counter and s.counter.id in passing and not is_no_ship(s, module_map))
        ]
    )


def copied(ship: ShipOnTable, logged: Logged, asked: Asked) -> str:
    """What is said of a counter that is a copy of a ship's, put down in play while that is there; nothing of
    another, and of one that the player says is a ship."""
    original = logged.copies.get(ship.counter.id) if ship.counter else None
    if original is None or any(named.partition("=")[0] == ship.name for named in asked.ships):
        return ""
    name = next(
        (other.name for other in logged.ships if other.counter and other.counter.id == original), "a ship"
    )
    return f"a copy of {name} without form or display of its own, put down while that is on the map"


def rulebook_of(chosen: ShipClass, logged: Logged, asked: Asked) -> Any:
    """The rulebook in force; a tracker that counts impulses says how many there are."""
    rulebook = rulebook_in_force(asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True)
    impulses = str(logged.start.impulses or logged.end.impulses or "")
    option = rulebook.options.get("impulses")
    if option is None or "impulses" in asked.settings.options or impulses not in option.values:
        return rulebook
    return rulebook.with_options({"impulses": impulses})
