"""Damage as displays show it: on layers, sheets, properties, or by markers, as a module map says or without one; and
what of it cannot be read, or cannot be: `dead` for a number, 20 of 16, -3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.core.boxcount import BoxCount
from referee.core.once import Same, pattern
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.traits import TICK_TYPES, DynamicProperty, Layer, SheetField, integer

if TYPE_CHECKING:
    from referee.formats.modulemap import Marks, ModuleMap

NUMBERED = pattern(r"(.*\S)[ _#./]+#?([0-9]{1,3})")
"""A name with the number of a box at its end, as `Warp L 1`."""
SHIELD = pattern(r"(?i)(?:shields?|shd|sld|sh)[ _#-]*([1-6])")
"""A label that means a shield."""
_DISPLAYS = 64
Count = tuple[int, int | None]
"""Boxes left and all there are, a `BoxCount` where it is told which are gone. Where only those lost are shown, their
number below nought and None."""


def names_shown(display: Piece, way: Marks) -> Iterator[str]:
    """The names a display has for one way of showing damage."""
    if way.way in ("layers", "layer-count"):
        yield from (layer.name for layer in display.layers)
    elif way.way == "sheet":
        for sheet in display.sheets:
            if way.title in ("", sheet.title):
                yield from (item.name for item in sheet.fields)
    elif way.way == "properties":
        yield from (prop.name for prop in display.dynamic)


def shows_same(piece: Piece, other: Piece) -> bool:
    """Have two pieces, or one at two moments, the same layers, fields and properties?"""
    return piece.layers == other.layers and piece.sheets == other.sheets and piece.dynamic == other.dynamic


def boxes_shown(piece: Piece) -> Iterator[tuple[str, Count]]:
    """Boxes left and total by label where no map says how they are shown: from layers, then tick fields, then numeric properties."""
    yield from _layer_boxes(Same(piece.layers))
    for sheet in piece.sheets:
        for item in sheet.fields:
            if ticks := item.ticks:
                yield item.name.strip(), ticks
    for prop in piece.dynamic:
        left = integer(prop.value.strip())
        if left is not None and left >= 0:
            yield prop.name.strip(), (left, prop.most if prop.most and prop.most >= left else None)


@lru_cache(maxsize=_DISPLAYS)
def _layer_boxes(layers: Same[tuple[Layer, ...]]) -> tuple[tuple[str, Count], ...]:
    """One layer a box, such as `Warp L 1`; boxes of a label are counted together. A display is asked again and again
    while its layers stay as they are."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    for layer in layers.held:
        name = layer.name.strip()
        match = NUMBERED.fullmatch(name)
        if name and (match or layer.levels <= 2):
            groups.setdefault(match[1] if match else name, []).append((name, _is_whole(layer)))
    return tuple([(label, _counted_one_by_one(row)) for label, row in groups.items()])


def _counted_one_by_one(row: Sequence[tuple[str, bool]]) -> BoxCount:
    """The boxes of a label, each by its name and whether it is whole."""
    places = places_of([name for name, _ in row])
    gone = [place for place, (_, whole) in zip(places, row, strict=True) if not whole] if places else None
    return BoxCount(sum(whole for _, whole in row), len(row), None if gone is None else tuple(sorted(gone)))


def places_of(names: Sequence[str]) -> list[int]:
    """Where in the row of their label boxes stand that have these names, from 0 on; empty where the names do not
    tell. `PH-1 2` is the second phaser-1 on the display, wherever it stands among its layers."""
    numbers = [int(match[2]) for name in names if (match := NUMBERED.fullmatch(name.strip()))]
    if len(set(numbers)) < len(names):
        return [0] if len(names) == 1 else []
    first = min(1, *numbers)
    return [number - first for number in numbers]


def _is_whole(layer: Layer) -> bool:
    """Level 1 is whole and 2 destroyed; a layer with one picture is the mark of a hit."""
    if layer.levels == 1:
        return not layer.active
    return layer.level < 2 or not layer.active


def boxes_marked(display: Piece, ways: Iterable[Marks], lying: Iterable[str] = ()) -> dict[str, Count]:
    """Boxes by what the map calls them, or by their own name where it does not; `lying` are the names of the
    markers on the display. What one way shows, a later one does not show again."""
    found: dict[str, Count] = {}
    names = tuple(lying)
    for way in ways:
        shown = _lying(names, way) if way.way == "markers" else _counted(display, way)
        for label, count in shown.items():
            found.setdefault(label, count)
    return found


def shields_marked(display: Piece, way: Marks) -> dict[int, Count]:
    """Shields left by number."""
    return {int(label): count for label, count in _counted(display, way).items() if label in "123456"}


def _lying(names: Iterable[str], way: Marks) -> Mapping[str, Count]:
    lost: dict[str, int] = {}
    for name in names:
        if name in way.names:
            lost[way.names[name]] = lost.get(way.names[name], 0) + 1
    return {label: (-count, None) for label, count in lost.items()}


def _counted(display: Piece, way: Marks) -> Mapping[str, Count]:
    """Counts by label; what several names of one label count is counted together."""
    groups: dict[str, list[tuple[str, Count]]] = {}
    for name, count in _single(display, way):
        if not is_meant(name, way):
            continue
        box = NUMBERED.fullmatch(name.strip()) if way.way == "layers" else None
        label = way.names.get(name, box[1] if box else name.strip())
        groups.setdefault(label, []).append((name, count))
    if way.way == "layers":
        return {
            label: _counted_one_by_one([(name, left > 0) for name, (left, _) in row])
            for label, row in groups.items()
        }
    return {label: _together([count for _, count in row]) for label, row in groups.items()}


def _together(counts: Sequence[Count]) -> Count:
    totals = [total for _, total in counts if total is not None]
    return sum(left for left, _ in counts), sum(totals) if len(totals) == len(counts) else None


def _single(display: Piece, way: Marks) -> Iterator[tuple[str, Count]]:
    """What each name shows by itself."""
    if way.way == "layers":
        for layer in display.layers:
            if way.whole is None and 0 < layer.levels < way.destroyed:
                continue
            level = layer.level if layer.active else 0
            gone = level == way.destroyed if way.whole is None else level != way.whole
            yield layer.name, (int(not gone), 1)
    elif way.way == "layer-count":
        for layer in display.layers:
            span = layer.levels - way.first
            shown = min(max((layer.level if layer.active else 0) - way.first, 0), max(span, 0))
            if span > 0:
                yield layer.name, (shown if way.counts == "left" else span - shown, span)
    elif way.way == "sheet":
        for sheet in display.sheets:
            for item in sheet.fields if way.title in ("", sheet.title) else ():
                written = integer(item.value.strip())
                count = item.ticks or (None if written is None or written < 0 else (written, None))
                if count is not None:
                    yield item.name, _left(count, way)
    elif way.way == "properties":
        for prop in display.dynamic:
            value = integer(prop.value.strip())
            if value is not None and value >= 0:
                most = prop.most if prop.most and prop.most >= value else None
                yield prop.name, _left((value, most), way)


def is_meant(name: str, way: Marks) -> bool:
    """Does a thing of a display show boxes? A map that names some fields or properties means no other; layers
    that it does not name go by the labels they bear."""
    return way.way == "layers" or not way.names or name in way.names


def _left(count: Count, way: Marks) -> Count:
    shown, total = count
    if way.counts == "left":
        return count
    return (-shown, None) if total is None else (total - shown, total)


def shield_of(label: str) -> int | None:
    """The shield a label means, None for another box."""
    match = SHIELD.fullmatch(label)
    return int(match[1]) if match else None


# -- what cannot be read -----------------------------------------------------------------


def illegible(display: Piece, module_map: ModuleMap | None = None) -> Mapping[str, str]:
    """What cannot be read by the label it stands for; of shields as `shield 3`. With a map, as it says.

    Anything may stand where a number could: whether a label means boxes at all is for others to say.
    """
    ways = module_map.damage if module_map else ()
    found: dict[str, str] = {}
    for way in ways or (None,):
        found |= _by_way(display, way)
    if module_map and module_map.shields:
        shields = _by_way(display, module_map.shields)
        found |= {f"shield {label}": text for label, text in shields.items()}
    return {label_of(label): text for label, text in found.items()}


def label_of(label: str) -> str:
    """A label as it is told: all spellings of a shield alike."""
    number = shield_of(label)
    return label if number is None else f"shield {number}"


def _by_way(display: Piece, way: Marks | None) -> Mapping[str, str]:
    items: Iterable[tuple[str, str]] = ()
    if way is None:
        items = (*_fields(display, ""), *_properties(display))
    elif way.way == "sheet":
        items = _fields(display, way.title, numbers=True)
    elif way.way == "properties":
        items = _properties(display)
    names = way.names if way else {}
    return {names.get(name, name.strip()): text for name, text in items if not names or name in names}


def _fields(display: Piece, title: str, *, numbers: bool = False) -> Iterable[tuple[str, str]]:
    for sheet in display.sheets:
        for item in sheet.fields if title in ("", sheet.title) else ():
            legible = not item.value.strip() or item.ticks is not None or (numbers and _counts(item))
            if not legible and (item.type in TICK_TYPES or numbers):
                yield item.name, item.value


def _counts(item: SheetField) -> bool:
    number = integer(item.value.strip())
    return item.type not in TICK_TYPES and number is not None and number >= 0


def _properties(display: Piece) -> Iterable[tuple[str, str]]:
    for prop in display.dynamic:
        if prop.value.strip() and prop.numeric and not _may_be(prop):
            yield prop.name, prop.value


def _may_be(prop: DynamicProperty) -> bool:
    number = integer(prop.value.strip())
    return number is not None and number >= 0 and not (prop.most and number > prop.most)
