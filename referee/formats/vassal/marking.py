"""Damage written onto a display the way the display shows it: on layers, sheet fields or properties, or with
markers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.formats.vassal.marks import NUMBERED, is_meant, places_of
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.place_markers import Laid, Lay, TakeUp, laid_on
from referee.formats.vassal.traits import Layer, integer

if TYPE_CHECKING:
    from referee.formats.modulemap import Marks, ModuleMap
    from referee.formats.vassal.edit import Draft
    from referee.formats.vassal.game import Save

_LEVELS = 2
_MANY = 100  # boxes that a count of lost boxes without a greatest may still count


@frozen
class Level:
    """A layer brought to a level; 0 is not shown."""

    name: str
    level: int

    def write(self, draft: Draft, piece: str) -> None:
        """Writes it."""
        draft.set_layer(piece, self.name, max(1, self.level), self.level > 0)


@frozen
class Field:
    """A field of a property sheet."""

    name: str
    text: str

    def write(self, draft: Draft, piece: str) -> None:
        """Writes it."""
        draft.set_field(piece, self.name, self.text)


@frozen
class Value:
    """A dynamic property."""

    name: str
    text: str

    def write(self, draft: Draft, piece: str) -> None:
        """Writes it."""
        draft.set_property(piece, self.name, self.text)


@frozen
class Nothing:
    """What is as it should be already."""

    def write(self, draft: Draft, piece: str) -> None:
        """Writes nothing."""


Edit = Level | Field | Value | Lay | TakeUp | Nothing


@frozen
class BoxMark:
    """One thing of a display that shows boxes of a label: how many are left and lost, `most` may be neither,
    and what it comes to show for each number lost, from none on; `box` is its name where it shows one box alone."""

    label: str
    left: int
    lost: int
    edits: tuple[Edit, ...]
    box: str = ""

    @property
    def most(self) -> int:
        """All the boxes that it can show as lost."""
        return len(self.edits) - 1


def marked(units: Iterable[BoxMark], more: int) -> tuple[list[Edit], int]:
    """What to write for so many boxes more lost, or fewer under nought; and how many found no place."""
    row = list(units)
    edits: list[Edit] = []
    for unit in row if more > 0 else reversed(row):
        step = max(-unit.lost, min(more, unit.most - unit.lost))
        if step:
            edits.append(unit.edits[unit.lost + step])
        more -= step
    return edits, more


def marked_each(units: Sequence[BoxMark], boxes: Sequence[str], gone: Container[str]) -> list[Edit] | None:
    """What to write so that a row of boxes shows just those that are gone; None where the units are not known to
    be those boxes one by one."""
    places = places_of([unit.box for unit in units]) if units and all(unit.box for unit in units) else []
    if sorted(places) != list(range(len(boxes))):
        return None
    wanted = [(unit, int(boxes[place] in gone)) for place, unit in zip(places, units, strict=True)]
    return [unit.edits[lost] for unit, lost in wanted if unit.lost != lost]


def units_of(
    save: Save, display: Piece, module_map: ModuleMap | None = None
) -> Mapping[str, tuple[BoxMark, ...]]:
    """What a display shows boxes and shields with, by label; with a map, as it says. Of a label that markers
    and something else can show it is what shows it now; the empty row where there is no marker to lay."""
    ways = module_map.damage if module_map else ()
    shields = module_map.shields if module_map else None
    found: dict[str, tuple[BoxMark, ...]] = {}
    rows = [_by_way(display, way) for way in ways if way.way != "markers"] if ways else [_by_itself(display)]
    later: dict[str, tuple[BoxMark, ...]] = {}
    for place, way in enumerate(ways):
        if module_map is not None and way.way == "markers":
            row = laid_on(save, display, way, module_map)
            laid = {label: _markers(label, markers) for label, markers in row.items()}
            now = {label: units for label, units in laid.items() if any(unit.lost for unit in units)}
            rows.insert(sum(other.way != "markers" for other in ways[:place]), now)
            later.update({label: units for label, units in laid.items() if label not in now})
    if shields is not None:
        named = _by_way(display, shields)
        rows.insert(0, {f"shield {label}": units for label, units in named.items()})
    for each in (*rows, later):
        for label, shown in each.items():
            found.setdefault(label, shown)
    return found


def _markers(label: str, laid: Laid) -> tuple[BoxMark, ...]:
    """A unit for each marker on a display, and for each that can be laid there."""
    there = [BoxMark(label, 0, 1, (TakeUp(piece.id), Nothing())) for piece in laid.on_it]
    return (*there, *(BoxMark(label, 1, 0, (Nothing(), lay)) for lay in laid.more))


# -- as a display shows it by itself -----------------------------------------------------


def _by_itself(display: Piece) -> Mapping[str, tuple[BoxMark, ...]]:
    found: dict[str, list[BoxMark]] = {}
    for layer in display.layers:
        match = NUMBERED.fullmatch(layer.name.strip())
        if layer.name.strip() and (match or layer.levels <= _LEVELS):
            label = match[1] if match else layer.name.strip()
            found.setdefault(label, []).append(_box(label, layer))
    counted: list[BoxMark] = []
    for sheet in display.sheets:
        for item in sheet.fields:
            if item.ticks:
                counted.append(_ticks(item.name.strip(), item.name, *item.ticks, lost_shown=False))
    for prop in display.dynamic:
        left = integer(prop.value.strip())
        if left is not None and left >= 0:
            most = prop.most if prop.most and prop.most >= left else left
            counted.append(_number(prop.name.strip(), Value(prop.name, prop.value), left, most))
    for unit in counted:
        found.setdefault(unit.label, [unit])
    return {label: tuple(units) for label, units in found.items()}


def _box(label: str, layer: Layer) -> BoxMark:
    """A layer for one box: level 1 is whole and 2 destroyed; one with a single picture marks a hit."""
    if layer.levels == 1:
        return _single(label, layer.name, gone=layer.active, whole=0, destroyed=1)
    return _single(label, layer.name, gone=layer.level >= _LEVELS and layer.active, whole=1, destroyed=2)


def _single(label: str, name: str, *, gone: bool, whole: int, destroyed: int) -> BoxMark:
    return BoxMark(
        label, int(not gone), int(gone), (Level(name, whole), Level(name, destroyed)), name.strip()
    )


def _ticks(label: str, name: str, shown: int, most: int, *, lost_shown: bool) -> BoxMark:
    lost = shown if lost_shown else most - shown
    texts = [f"{n if lost_shown else most - n}/{most}" for n in range(most + 1)]
    return BoxMark(label, most - lost, lost, tuple(Field(name, text) for text in texts))


def _number(label: str, edit: Field | Value, left: int, most: int) -> BoxMark:
    edits = tuple(replace(edit, text=str(most - n)) for n in range(most + 1))
    return BoxMark(label, left, most - left, edits)


# -- as a map says -----------------------------------------------------------------------


def _by_way(display: Piece, way: Marks) -> Mapping[str, tuple[BoxMark, ...]]:
    found: dict[str, tuple[BoxMark, ...]] = {}
    for name, unit in _units_shown(display, way):
        if not is_meant(name, way):
            continue
        found[unit.label] = (*found.get(unit.label, ()), unit)
    return found


def _units_shown(display: Piece, way: Marks) -> Iterator[tuple[str, BoxMark]]:
    if way.way in ("layers", "layer-count"):
        for layer in display.layers:
            unit = _unit_of_layer(layer, way)
            if unit is not None:
                yield layer.name, unit
    elif way.way == "sheet":
        for sheet in display.sheets:
            for item in sheet.fields if way.title in ("", sheet.title) else ():
                label = way.names.get(item.name, item.name.strip())
                if item.ticks:
                    yield item.name, _ticks(label, item.name, *item.ticks, lost_shown=way.counts == "lost")
                elif (value := integer(item.value.strip())) is not None and value >= 0:
                    yield item.name, _counting(way, label, Field(item.name, item.value), value, None)
    elif way.way == "properties":
        for prop in display.dynamic:
            value = integer(prop.value.strip())
            if value is not None and value >= 0:
                label = way.names.get(prop.name, prop.name.strip())
                yield prop.name, _counting(way, label, Value(prop.name, prop.value), value, prop.most)


def _unit_of_layer(layer: Layer, way: Marks) -> BoxMark | None:
    level = layer.level if layer.active else 0
    if way.way == "layers":
        match = NUMBERED.fullmatch(layer.name.strip())
        label = way.names.get(layer.name, match[1] if match else layer.name.strip())
        whole = way.whole if way.whole is not None else int(way.destroyed != 1)
        destroyed = way.destroyed if way.destroyed != whole else whole + 1
        gone = level == way.destroyed if way.whole is None else level != way.whole
        return _single(label, layer.name, gone=gone, whole=whole, destroyed=destroyed)
    span = layer.levels - way.first
    if span <= 0:
        return None
    label = way.names.get(layer.name, layer.name.strip())
    shown = min(max(level - way.first, 0), span)
    lost = span - shown if way.counts == "left" else shown
    numbers = [span - n if way.counts == "left" else n for n in range(span + 1)]
    return BoxMark(label, span - lost, lost, tuple(Level(layer.name, way.first + n) for n in numbers))


def _counting(way: Marks, label: str, edit: Field | Value, value: int, most: int | None) -> BoxMark:
    """A number of boxes left, or lost; without its greatest nothing is known of boxes beyond it."""
    top = most if most and most >= value else None
    if way.counts == "left":
        return _number(label, edit, value, top if top is not None else value)
    limit = top if top is not None else value + _MANY
    edits = tuple(replace(edit, text=str(n)) for n in range(limit + 1))
    return BoxMark(label, limit - value, value, edits)
