"""A module map drafted from a real file: what was recognised, and what its writer must look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.hexgrid import FACINGS
from referee.formats.modulemap import SCHEMA
from referee.formats.sheets.labels import LabelIndex
from referee.formats.sheets.layout import label_column, unread_labels
from referee.formats.vassal.game import Save
from referee.formats.vassal.recognise import ShipOnTable, loose, recognise
from referee.formats.vassal.trackers import named_turns

if TYPE_CHECKING:
    from referee.formats.vassal.module import Module

_ROWS = 40

ClassesOf = Callable[[ShipOnTable], tuple[str, ...]]
StepOf = Callable[[str], str]
MarksMeant = Callable[[ShipOnTable, str], tuple[str, ...]]


def draft_map(
    save: Save,
    module: Module | None,
    classes_of: ClassesOf,
    labels: LabelIndex,
    step_of: StepOf = lambda _: "",
    steps: Sequence[str] = (),
    marks_meant: MarksMeant = lambda *_: (),
) -> dict[str, Any]:
    """The map as JSON; its `note` says what is unsure. `classes_of` gives the ids a ship may be of, `labels`
    tell the rows of a form; `step_of` the step of the sequence of play a name is like, one of `steps`.
    `marks_meant` gives the marks of a ship's weapons that a row of line 10 may mean and does not name."""
    unsure: list[str] = []
    table = recognise(save, module)
    name = (save.module.name if save.module else "") or (module.name if module else "")
    draft: dict[str, Any] = {"schema": SCHEMA, "module": {"name": name or "the module's name"}}
    if not name:
        unsure.append("the file does not name its module")
    if table.clock.impulses in (8, 16, 32):
        draft["impulses"] = table.clock.impulses
    draft |= _maps(table.ships)
    draft |= {"ships": list(_ships(table.ships, classes_of, unsure))}
    draft |= _facing(table.ships, unsure)
    draft |= _form(table.ships, labels, unsure)
    unsure += _two_meanings(table.ships, labels, marks_meant)
    draft |= _damage(table.ships, unsure)
    draft |= _tracker(save, module, unsure)
    if module and "tracker" in draft and (meanings := _steps(module, step_of, steps, unsure)):
        draft["tracker"]["steps"] = meanings
    strange = {piece.basic_name for piece in loose(save.pieces, table.ships)}
    if strange:
        unsure.append(f"pieces that are no ship: {', '.join(sorted(strange)[:20])}")
    draft["note"] = ("unsure: " + "; ".join(dict.fromkeys(unsure)))[:2000] if unsure else "nothing is unsure"
    return draft


def _maps(ships: tuple[ShipOnTable, ...]) -> dict[str, Any]:
    space = dict.fromkeys(ship.counter.map for ship in ships if ship.counter and ship.counter.map)
    displays = dict.fromkeys(ship.ssd.map for ship in ships if ship.ssd and ship.ssd.map)
    found = {"space": list(space), "ssd": list(displays)}
    return {"maps": {kind: names for kind, names in found.items() if names}} if space else {}


def _ships(ships: tuple[ShipOnTable, ...], classes_of: ClassesOf, unsure: list[str]) -> Iterator[Any]:
    listed: set[str] = set()
    for ship in ships:
        if ship.counter is None:
            unsure.append(f"{ship.name} has a display and no counter")
            continue
        if ship.counter.basic_name in listed:
            # A map knows counters by their names: one entry is for all of a name.
            unsure.append(f"more than one counter is called {ship.counter.basic_name}: listed once, for all")
            continue
        classes = classes_of(ship)
        if not classes:
            unsure.append(f"the class of {ship.name} is not known: it is left out")
            continue
        if len(classes) > 1:
            unsure.append(f"{ship.name} may be {' or '.join(classes[:4])}")
        ssd = {"ssd": ship.ssd.basic_name} if ship.ssd and ship.ssd is not ship.counter else {}
        listed.add(ship.counter.basic_name)
        yield {"counter": ship.counter.basic_name, **ssd, "ship": classes[0]}


def _facing(ships: tuple[ShipOnTable, ...], unsure: list[str]) -> dict[str, Any]:
    facings = [ship.counter.facing for ship in ships if ship.counter and ship.counter.facing]
    named = [facing for facing in facings if facing.name and facing.of % 6 == 0]
    if not named:
        unsure.append("no rotation of a counter has a name: facings are taken as drawn, A up")
        return {}
    unsure.append("facing letters: the artwork is taken to point up the map at state 0")
    first = named[0]
    return {"facing": {"trait": "rotate", "name": first.name, "states": first.of, "letters": FACINGS}}


def _form(ships: tuple[ShipOnTable, ...], labels: LabelIndex, unsure: list[str]) -> dict[str, Any]:
    sheets = [ship.table for ship in ships if ship.table]
    if not sheets:
        unsure.append("no table looks like an energy form")
        return {}
    unread = dict.fromkeys(text for sheet in sheets for _, text in unread_labels(sheet, labels))
    strange = [text for text in unread if not labels.either(text)]
    if strange:
        rows = ", ".join(list(strange)[:_ROWS]) + (
            f" and {len(strange) - _ROWS} more" if len(strange) > _ROWS else ""
        )
        unsure.append(
            f"rows of its form that no label tells: {rows}: say in form.rows which line of the form each is, as "
            '{"Warp": "1"}, "9:held" (held in the capacitor), "9:fired" (fired from it), "10:PHOT/A", "13:1" or "ignored"'
        )
    return {"form": {"trait": "table", **({"title": sheets[0].title} if sheets[0].title else {})}}


def _two_meanings(
    ships: tuple[ShipOnTable, ...], labels: LabelIndex, marks_meant: MarksMeant
) -> Iterator[str]:
    """Rows of forms that may be several lines, or a weapon by a mark its ship has not: which is for you to say."""
    sentences: dict[str, None] = {}
    for ship in ships:
        column = label_column(ship.table, labels) if ship.table else 0
        rows = [row[column] for row in ship.table.rows if len(row) > column] if ship.table else []
        there = {labels.line(row) for row in rows}
        for row in rows:
            line, either = labels.line(row), labels.either(row)
            meant = [meaning for meaning in either if meaning not in there]
            if either and len(meant) != 1:
                lines = " or ".join(f'"{meaning}" ({labels.called(meaning)})' for meaning in either)
                sentences[f"the row {row.strip()} may be {lines}: say in form.rows which"] = None
            elif line and line.startswith(labels.form.tube("")) and (marks := marks_meant(ship, line)):
                lines = " or ".join(f'"{labels.form.tube(mark)}"' for mark in marks)
                sentences[f"the row {row.strip()} of {ship.name} may be {lines}: say in form.rows which"] = None  # fmt: skip
    return iter(sentences)


def _damage(ships: tuple[ShipOnTable, ...], unsure: list[str]) -> dict[str, Any]:
    """The ways displays show boxes, as they are read without a map."""
    displays = [ship.ssd for ship in ships if ship.ssd]
    pictures = {layer.levels for display in displays for layer in display.layers}
    ways: list[dict[str, Any]] = []
    if pictures in ({1}, {2}):
        # A layer of one picture is the mark of a hit, the second of two is a box destroyed.
        ways.append({"as": "layers", "destroyed_level": max(pictures)})
    elif pictures:
        unsure.append("damage: layers have different numbers of pictures, which of them is a lost box?")
        return {}
    if any(item.ticks for display in displays for sheet in display.sheets for item in sheet.fields):
        ways.append({"as": "sheet", "counts": "left"})
    if any(prop.value.strip().isdecimal() for display in displays for prop in display.dynamic):
        ways.append({"as": "properties", "counts": "left"})
    if not ways:
        unsure.append("no display shows damage: markers laid on it are for you to name")
        return {}
    unsure.append("damage: counts are taken as boxes left, the last picture of a layer as a lost box")
    return {"damage": ways}


def _tracker(save: Save, module: Module | None, unsure: list[str]) -> dict[str, Any]:
    states = named_turns(save, module)
    names = [level.name for level in states[0].levels] if states else []
    if not any(names):
        unsure.append("the levels of the turn tracker have no names here: give the module with --module")
        return {}
    levels = {role: name for role in ("turn", "impulse", "step") for name in names if role in name.lower()}
    if len(levels) < len(names):
        unsure.append(f"levels of the turn tracker: {', '.join(names)}")
    return {"tracker": {**({"name": states[0].name} if states[0].name else {}), "levels": levels}}


def _steps(module: Module, step_of: StepOf, steps: Sequence[str], unsure: list[str]) -> dict[str, str]:
    """What the steps of a module's tracker are by their names; those no name tells are for you to say."""
    meanings = {name: step_of(name) for name in module.steps}
    strange = [name for name, step in meanings.items() if not step]
    if strange and steps:
        unsure.append(
            f"steps of the turn tracker: {', '.join(strange[:_ROWS])}: say in tracker.steps which each is, one of"
            f" {', '.join(steps)}"
        )
    return {name: step for name, step in meanings.items() if step}
