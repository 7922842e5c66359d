"""What a display shows of boxes that cannot be read, or cannot be: `dead` for a number, 20 of 16, -3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import shield_of
from referee.formats.vassal.traits import TICK_TYPES, DynamicProperty, SheetField, integer

if TYPE_CHECKING:
    from referee.formats.modulemap import Marks, ModuleMap


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
