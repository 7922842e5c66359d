"""What a module map and the ships of a VASSAL file say to a judge: classes, labels, names that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.forms import EnergyForm
from referee.core.location import Location
from referee.core.naming import folded, how_many, most_like, names_like, tube_named
from referee.core.ship import ShipClass
from referee.sources.asked import Asked, form_labels, note
from referee.sources.forms import form_rulebook, label_index
from referee.sources.inputs import read_input

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.sheets.labels import LabelIndex
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.pieces import Piece
    from referee.formats.vassal.recognise import ShipOnTable


HEAD_SAID = "- referee: head "
"""How the line of chat begins that tells the head code of the record written into a save."""


def formless(ship: ShipOnTable, labels: LabelIndex, module_map: ModuleMap | None) -> Report:
    """The report on a ship without a form: undecided where it has a table that is one and cannot be read."""
    from referee.formats.sheets.layout import what_stands, why_no_form

    why = why_no_form(ship.table, labels) if ship.table else ""
    if ship.table and module_map and (module_map.label_column or module_map.header_row is not None):
        why = "there is none where the map's form says, its label_column and header_row"
    if not why or ship.table is None:
        lacks = "no energy form was found for it: it has no table"
        if ship.table is not None:
            titled = f" {ship.table.title}" if ship.table.title else ""
            lacks = f"no energy form was found for it: in its table{titled} {what_stands(ship.table, labels)}"
            lacks += "; form.rows of a map says which line a row is (referee init map drafts one, for --map)"
        return Report(not_checked=(NotChecked(labels.chapter, lacks, ship.name),))
    found = Finding(
        key="NOTE/form",
        severity=Severity.UNDECIDED,
        message=f"its energy form cannot be read: {why}",
        subject=ship.name,
        location=ship.table.place,
        fix="head the columns 1, 2, 3 in a row that begins with Turn, or name both in the form of a map: "
        "label_column, header_row",
    )
    return Report(findings=(found,))


def shifted_cells(ships: Iterable[ShipOnTable], pieces: Iterable[Piece], file: str) -> Iterator[Finding]:
    """Findings on tables of ships, as they are among some pieces, of which a cell has swallowed the next one."""
    own = {piece.id: ship.name for ship in ships for piece in (ship.counter, ship.ssd) if piece}
    for piece in pieces:
        for index, table in enumerate(piece.tables if piece.id in own else ()):
            if (cell := table.swallowing) is None:
                continue
            text = table.rows[cell[0]][cell[1]].partition(",")[0]
            yield Finding(
                "NOTE/cells",
                Severity.UNDECIDED,
                f"a cell ends with a backslash, {text[-30:]}\\, which swallows the next: all cells behind it are shifted",
                own[piece.id],
                location=piece.table_sheet(index, file).at(*cell),
                fix="write the cell again in VASSAL without the backslash, and look at those behind it",
            )


def hold_names(asked: Asked, ships: Iterable[ShipOnTable], file: str) -> None:
    """Raises BadInput where `--ship NAME=SHIP` names a ship that is not there."""
    names = [ship.name for ship in ships]
    there = {folded(name) for name in names}
    for given in asked.ships:
        name, equals, _ = given.partition("=")
        if equals and folded(name) not in there:
            raise BadInput(f"no ship {name} in it", file=file, hint=names_like(name, names))


def map_of(asked: Asked) -> ModuleMap | None:
    """The module map named with `--map`."""
    path = asked.map
    if not path:
        return None
    from referee.formats.modulemap import read_module_map

    source = read_input(path)
    module_map = read_module_map(source.data, source.name)
    _hold_classes(module_map)
    return module_map


def _hold_classes(module_map: ModuleMap) -> None:
    """Raises BadInput, at its place in the map, for a ship class or a rulebook that does not exist."""
    from referee.formats.modulemap import pointer_part
    from referee.formats.shipchanges import as_mapped
    from referee.rulebooks.base import nearest
    from referee.rulebooks.registry import is_rulebook, load_ship, rulebook_ids, ship_ids

    named = [(f"/ships/{n}/ship", ship.ship) for n, ship in enumerate(module_map.ships)]
    named += [(f"/identify/classes/{pointer_part(name)}", id) for name, id in module_map.classes.items()]
    known = ship_ids()
    for pointer, id in named:
        if id not in known:
            raise BadInput(f"no ship {id}", file=module_map.file, place=pointer, hint=nearest(id, known))
    _hold_boxes(module_map)
    _hold_rows(module_map)
    for n, ship in enumerate(module_map.ships):
        if ship.changes or ship.weapons:
            as_mapped(load_ship(ship.ship), ship, module_map.file, f"/ships/{n}")
    if module_map.rulebook and not is_rulebook(module_map.rulebook):
        hint = nearest(module_map.rulebook, rulebook_ids())
        raise BadInput(
            f"no rulebook {module_map.rulebook}", file=module_map.file, place="/rulebook", hint=hint
        )


def _hold_rows(module_map: ModuleMap) -> None:
    """Raises BadInput, at its place in the map, for a row that is said to be what no form has: a part of a line
    that has no such part, or a weapon of none of the map's ships."""
    from referee.rulebooks.registry import load_rulebook, load_ship

    rulebook = load_rulebook("sfb")
    table, lines = rulebook.table("form_labels"), rulebook.lines
    listed = [(n, load_ship(ship.ship)) for n, ship in enumerate(module_map.ships)]
    other = [load_ship(id) for id in module_map.classes.values()]
    for label, line in module_map.rows.items():
        number, colon, part = line.partition(":")
        place = module_map.row_places[label]
        parts = [key for key in table["lines"] if key.startswith(f"{number}:")]
        if number == lines.reinforcement_specific:
            parts = [lines.reinforced(shield) for shield in range(1, 7)]
        if not colon or line in parts:
            continue
        if number != lines.heavy_weapons:
            hint = f"{number} or {', '.join(parts)}" if parts else f"{number}: the line has no parts"
            raise BadInput(f"no line {line}", file=module_map.file, place=place, hint=hint)
        ships = [ship for n, ship in listed if place.startswith(f"/ships/{n}/")]
        ships = ships or [*(ship for _, ship in listed), *other]
        if not ships and part.partition("/")[0].upper() in table["weapons"]:
            continue
        if not any(ship.mount(part) or tube_named(part, ship.mounts) for ship in ships):
            heavy = ("torpedo", "other_weapon")
            marks = dict.fromkeys(m.id for ship in ships for m in ship.mounts if m.system in heavy)
            whose = ships[0].name if len(ships) == 1 else "none of the map's ships"
            reason = f"{whose} has {'no ' if len(ships) == 1 else ''}{part}"
            hint = (
                ", ".join(map(lines.tube, marks)) or f"a weapon by its mark, such as {lines.tube('PHOT/A')}"
            )
            raise BadInput(reason, file=module_map.file, place=place, hint=hint)


def _hold_boxes(module_map: ModuleMap) -> None:
    """Raises BadInput, at its place in the map, for a name that is said to be boxes no ship has."""
    from referee.formats.modulemap import pointer_part
    from referee.rulebooks.base import nearest
    from referee.rulebooks.registry import load_rulebook

    table = load_rulebook("sfb").table("box_labels")
    kinds = [kind for part in ("systems", "weapons") for kind in table[part]]
    spelt = {
        folded(text) for part in ("systems", "weapons") for texts in table[part].values() for text in texts
    }
    known = spelt | set(map(folded, kinds))
    for way in module_map.damage:
        for name, boxes in way.names.items():
            stems = {folded(boxes), folded(boxes.rpartition("-")[0])}
            if "/" not in boxes and not stems & known:
                place = f"{way.pointer}/names/{pointer_part(name)}"
                raise BadInput(
                    f"no boxes {boxes}", file=module_map.file, place=place, hint=nearest(boxes, kinds)
                )


def with_map(asked: Asked, module_map: ModuleMap | None) -> Asked:
    """What was asked, with what the map says of rulebook and start where the player said nothing."""
    if module_map is None:
        return asked
    given = {"impulses": module_map.impulses, "previous_speed": module_map.start.speed}
    options = {name: str(value) for name, value in given.items() if value is not None}
    settings = asked.settings
    settings = replace(
        settings, rulebook=settings.rulebook or module_map.rulebook, options={**options, **settings.options}
    )
    return replace(asked, settings=settings)


def labels_of(asked: Asked, module_map: ModuleMap | None) -> LabelIndex:
    """The row labels of the rulebook; what the map says of one goes before it."""
    if module_map is None or not module_map.rows:
        return label_index(asked)
    from referee.formats.sheets.labels import LabelIndex

    return LabelIndex(form_labels(form_rulebook(asked)), module_map.rows)


def map_remarks(
    module_map: ModuleMap | None, save: Save, pieces: Iterable[Piece] = (), module: Module | None = None
) -> Iterator[Finding]:
    """What is amiss with a map: names in it that match nothing among the pieces of a save, what is not
    used of it, and that it is for another module."""
    if module_map is None:
        return
    from referee.formats.vassal.mapfit import MOST, misfits, uncounted, unmapped

    there_are = tuple(pieces or save.pieces)
    if strange := unmapped(module_map, there_are):
        names = ", ".join(strange[:MOST]) + (
            f" and {len(strange) - MOST} more" if len(strange) > MOST else ""
        )
        place = Location(module_map.file, pointer="/pieces")
        yield note("unmapped", f"the map says nothing of {names}", "", location=place)
    if unread := uncounted(module_map, there_are):
        reason = f"the map names other fields of a display, so {', '.join(unread[:MOST])} are not read"
        yield note("map-unread", reason, "", location=Location(module_map.file, pointer="/damage"))
    for misfit in misfits(module_map, save, there_are, module):
        near = most_like(misfit.name, [name for name in misfit.there if name != misfit.name])
        there = f"there are {', '.join(misfit.there[:MOST]) or 'none'}"
        yield Finding(
            "NOTE/map",
            Severity.UNDECIDED if misfit.grave else Severity.NOTE,
            " ".join(f"no {misfit.what} {misfit.name} in {save.file}".split()),
            location=Location(module_map.file, pointer=misfit.pointer),
            found=misfit.name,
            fix=f"did you mean {' or '.join(near)}? {there}" if near else there,
        )
    place = Location(save.file)
    stored = save.module
    if stored and (
        stored.name != module_map.module
        or (module_map.versions and stored.version not in module_map.versions)
    ):
        meant, here = module_map.module, stored.name
        if stored.name == module_map.module:
            meant, here = (
                f"{meant} {' or '.join(module_map.versions)}",
                f"version {stored.version or 'not told'}",
            )
        yield note("map", f"the map is for module {meant}, this is {here}", "", location=place)
    if module_map.tracker and module is None and save.turn_leaves:
        place = Location(module_map.file, pointer="/tracker/name")
        yield note(
            "map", f"whether the turn tracker is {module_map.tracker} needs --module", "", location=place
        )


def classes_of(
    ship: ShipOnTable, form: EnergyForm | None, save: Save, asked: Asked, module_map: ModuleMap | None = None
) -> tuple[ShipClass, ...]:
    """The classes a ship in a save may be: as the player or the map says, else by its names and power."""
    from referee.formats.shipchanges import as_mapped
    from referee.rulebooks.registry import load_ship, ships_called
    from referee.sources.ship_files import ship_asked_for

    for given in asked.ships:
        name, equals, wanted = given.partition("=")
        if not equals or folded(name) == folded(ship.name):
            return (ship_asked_for(wanted if equals else given, asked.settings.rulebook),)
    if module_map and (id := module_map.class_of(ship.counter)):
        listed = module_map.listed(ship.counter)
        return (as_mapped(load_ship(id), listed, module_map.file, "") if listed else load_ship(id),)
    hints = (*ship.hints, *((form.ship,) if form and form.ship else ()))
    classes = ships_called(hints, asked.settings.rulebook)
    if module_map and (race := folded(module_map.race_of(ship.counter))):
        classes = tuple(found for found in classes if folded(found.race) == race) or classes
    if len(classes) > 1:
        module = save.module.name if save.module else ""
        by_module = [found for found in classes if found.id.partition("/")[0] in (module or "").lower()]
        classes = tuple(by_module) or classes
    if len(classes) > 1:
        filled = form.allocations if form else ()
        first = next((known for a in filled if (known := a.known(form_rulebook(asked).lines.warp))), None)
        exact = tuple(found for found in classes if first is not None and found.warp == first)
        classes = exact if len(exact) == 1 else classes
    return classes


def which_ship(ship: ShipOnTable, classes: tuple[ShipClass, ...], place: Location) -> Finding:
    """The finding on a ship whose class is not known, or not which of several."""
    choices = ", ".join(found.id for found in classes[:6])
    return Finding(
        key="NOTE/ship",
        severity=Severity.UNDECIDED,
        message="the class of this ship is not known" + (f": it may be {choices}" if choices else ""),
        subject=ship.name,
        location=place.within(piece=ship.name),
        fix=f'say --ship "{ship.name}={classes[0].id if classes else "cadet/federation-ca"}"',
    )


def begun_with(module_map: ModuleMap | None, rulebook: object, chosen: ShipClass, known: object) -> object:
    """What is known of a ship's damage, with what a map says its batteries and capacitor held at the start."""
    from referee.rulebooks.base import Rulebook
    from referee.sources.ssd_display import charged

    assert isinstance(rulebook, Rulebook)
    start = module_map.start if module_map else None
    return charged(rulebook, chosen, known, start.batteries, start.capacitor) if start else known


def remarks_on(ship: ShipOnTable, chosen: ShipClass, seen: object, place: Location) -> Iterator[Finding]:
    """Notes where a display shows other boxes than the ship known here has."""
    from referee.sources.ssd_display import StateShown

    assert isinstance(seen, StateShown)
    here = place.within(piece=ship.ssd.basic_name if ship.ssd else ship.name)
    for label, shown, printed in seen.disagree:
        yield note(
            "boxes",
            f"the display shows {how_many(shown, 'box', 'boxes')} of {label}, the ship known here has {printed}",
            ship.name,
            location=here,
            found=str(shown),
            expected=str(printed),
        )
    for label, lost, of, taken in seen.unsure:
        yield note(
            "which-box",
            f"{lost} of {of} {label} {'is' if lost == 1 else 'are'} lost, which the display does not tell: "
            f"{', '.join(taken)} taken, as used the longest ago",
            ship.name,
            location=here,
        )
