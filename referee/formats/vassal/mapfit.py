"""Which names of a module map match nothing in a file, and what names there are instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.formats.modulemap import Marks, Match, ModuleMap, pointer_part
from referee.formats.sheets.labels import folds
from referee.formats.vassal.marks import is_meant, names_shown, shield_of
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import displays_ship, is_counter, told_where

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module

MOST = 12  # names told


@frozen
class Misfit:
    """A name of a map that matches nothing, where it stands in the map, and the names there are.

    `grave` where something cannot be judged for it; a map for many games may well name ships and boxes
    that are not in this one.
    """

    pointer: str
    name: str
    what: str
    there: tuple[str, ...]
    grave: bool = True


def misfits(
    module_map: ModuleMap, save: Save, pieces: Iterable[Piece], module: Module | None
) -> tuple[Misfit, ...]:
    """The names of a map that match nothing among the pieces, trackers and properties of a file."""
    return tuple(_Fit(module_map, save, tuple(pieces), module).misfits())


def unmapped(module_map: ModuleMap, pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The names of pieces a map that tells pieces apart says nothing of."""
    if not (module_map.counter or module_map.ssd or module_map.ships):
        return ()
    strange = [
        "a hidden piece" if piece.hidden else "a masked piece" if piece.masked else piece.basic_name
        for piece in pieces
        if piece.kind == "piece"
        and not (
            is_counter(piece, module_map) or displays_ship(piece, module_map) or module_map.is_mark(piece)
        )
        and not module_map.ignores(piece)
    ]
    return _names(strange)


def uncounted(module_map: ModuleMap, pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The fields with boxes on displays that a map which names others means not: what they show is not read."""
    ways = [way for way in (*module_map.damage, module_map.shields) if way and way.way == "sheet"]
    if not any(way.names for way in ways):
        return ()
    displays = (piece for piece in pieces if piece.kind == "piece" and displays_ship(piece, module_map))
    return _names(
        item.name
        for piece in displays
        for sheet in piece.sheets
        for item in sheet.fields
        if item.ticks and not any(way.title in ("", sheet.title) and is_meant(item.name, way) for way in ways)
        and not (module_map.shields is None and shield_of(item.name.strip()))
    )  # fmt: skip


class _Fit:
    """A map being held against a file."""

    def __init__(
        self, module_map: ModuleMap, save: Save, pieces: tuple[Piece, ...], module: Module | None
    ) -> None:
        self.module_map, self.save, self.module = module_map, save, module
        self.pieces = [piece for piece in pieces if piece.kind == "piece" and not piece.hidden]
        seen = [piece for piece in self.pieces if not piece.masked and not module_map.ignores(piece)]
        self.counters = [piece for piece in seen if is_counter(piece, module_map)]
        self.displays = [piece for piece in seen if displays_ship(piece, module_map)]

    def misfits(self) -> Iterator[Misfit]:
        for part in (self._maps, self._pieces, self._facing, self._markers, self._ships, self._form,
                     self._tracker, self._damage, self._speed):  # fmt: skip
            yield from part()

    def _maps(self) -> Iterator[Misfit]:
        laid = (piece.map for piece in self.pieces if piece.map)
        there = _names((*laid, *(boards.map for boards in self.save.boards)))
        for kind, names in (("space", self.module_map.space), ("ssd", self.module_map.displays)):
            for n, name in enumerate(names):
                if name not in there:
                    yield Misfit(f"/maps/{kind}/{n}", name, "map", there)

    def _pieces(self) -> Iterator[Misfit]:
        wanted: tuple[tuple[str, Match | None], ...] = (
            ("counter", self.module_map.counter),
            ("ssd", self.module_map.ssd),
        )
        for kind, match in wanted:
            if match and not any(match.fits(piece) for piece in self.pieces):
                yield Misfit(f"/pieces/{kind}", kind, "piece", _names(p.basic_name for p in self.pieces))

    def _facing(self) -> Iterator[Misfit]:
        facing = self.module_map.facing
        if facing is None or not self.counters:
            return
        named: Mapping[str, Callable[[Piece], Iterable[str]]] = {
            "rotate": lambda piece: (trait.name for trait in piece.facings),
            "layer": lambda piece: (trait.name for trait in piece.layers),
            "property": lambda piece: piece.properties,
            "marker": lambda piece: piece.markers,
        }
        of = named[facing.trait]
        there = _names(name for piece in self.counters for name in of(piece))
        if facing.name not in there:
            yield Misfit("/facing/name", facing.name, f"{facing.trait} of a counter", there)
        elif all(facing.of(piece, turned=False) is None for piece in self.counters):
            states = _names(facing.state_of(piece) for piece in self.counters)
            yield Misfit("/facing", facing.name, "facing in any of the states counters are in", states)

    def _markers(self) -> Iterator[Misfit]:
        there = _names(name for piece in self.counters for name in piece.markers)
        places = (
            ("/pairing/marker", self.module_map.pairing.get("marker", "")),
            ("/identify/type_marker", self.module_map.type_marker),
            ("/identify/side_marker", self.module_map.side_marker),
            ("/identify/race_marker", self.module_map.race_marker),
        )
        for pointer, name in places:
            if name and self.counters and name not in there:
                yield Misfit(pointer, name, "marker of a counter", there)

    def _ships(self) -> Iterator[Misfit]:
        counters = _names(piece.basic_name for piece in self.counters)
        displays = _names(piece.basic_name for piece in self.displays)
        listed: set[str] = set()
        for n, ship in enumerate(self.module_map.ships):
            if ship.counter in listed and ship.counter in counters:
                yield Misfit(f"/ships/{n}/counter", ship.counter, "second counter", counters)
                continue
            listed.add(ship.counter)
            if ship.counter not in counters:
                none = not any(listed.counter in counters for listed in self.module_map.ships)
                yield Misfit(f"/ships/{n}/counter", ship.counter, "counter", counters, grave=none)
            elif ship.ssd and ship.ssd not in displays:
                yield Misfit(f"/ships/{n}/ssd", ship.ssd, "display", displays)

    def _form(self) -> Iterator[Misfit]:
        tables = [table for piece in (*self.displays, *self.counters) for table in piece.tables]
        titles = _names(table.title for table in tables)
        if self.module_map.title and self.module_map.title not in titles:
            yield Misfit("/form/title", self.module_map.title, "table of a ship", titles)
            return
        rows = [table.rows for table in tables if table.rows and self.module_map.title in ("", table.title)]
        layouts = [told_where(found, self.module_map) for found in rows]
        wanted, header = self.module_map.label_column, self.module_map.header_row
        if rows and wanted and not any(labels == wanted for labels, _ in layouts):
            yield Misfit("/form/label_column", str(wanted), "labels in column", ("figures or nothing",))
        if rows and header is not None and not any(heading == header < len(found) for (_, heading), found in zip(layouts, rows, strict=True)):  # fmt: skip
            yield Misfit("/form/header_row", str(header), "turns in row", ("other figures or nothing",))
        there = _names(row[labels].strip() for (labels, _), found in zip(layouts, rows, strict=True) for row in found if len(row) > labels)  # fmt: skip
        known = {reading for cells in rows for row in cells for cell in row for reading in folds(cell)}
        for label, pointer in self.module_map.row_places.items() if rows else ():
            if not known.intersection(folds(label)):
                yield Misfit(pointer, label, "row of a form", there, grave=False)

    def _tracker(self) -> Iterator[Misfit]:
        there = _names(item.name for item in self.save.properties)
        for role, name in self.module_map.properties.items():
            if name not in there:
                yield Misfit(f"/tracker/properties/{role}", name, "global property", there)
        # Trackers and their levels have no names but in the module.
        trackers = self.module.trackers if self.module else ()
        names = _names(tracker.name for tracker in trackers)
        if trackers and self.module_map.tracker and self.module_map.tracker not in names:
            yield Misfit("/tracker/name", self.module_map.tracker, "turn tracker", names)
        levels = [level for tracker in trackers for level in tracker.levels]
        for level in levels:
            levels += level.levels
        there = _names(level.name for level in levels)
        for role, name in self.module_map.levels.items():
            if levels and name not in there:
                yield Misfit(f"/tracker/levels/{role}", name, "level of the turn tracker", there)
        steps = self.module.steps if self.module and "step" not in self.module_map.properties else ()
        for name in self.module_map.steps if steps else ():
            if name not in steps:
                pointer = f"/tracker/steps/{pointer_part(name)}"
                yield Misfit(pointer, name, "step of the turn tracker", steps, grave=False)

    def _damage(self) -> Iterator[Misfit]:
        if not self.displays:
            return
        read = any(self._works(way) for way in self.module_map.damage)
        for way in self.module_map.damage:
            yield from self._way(way, grave=not read)
        if self.module_map.shields:
            # Displays without any such thing show no shields, as far as anybody can tell.
            there = bool(self._marks_there(self.module_map.shields) or self.module_map.shields.title)
            yield from self._way(self.module_map.shields, grave=there)

    def _works(self, way: Marks) -> bool:
        there = self._marks_there(way)
        return any(name in there for name in way.names) if way.names else bool(there)

    def _way(self, way: Marks, *, grave: bool) -> Iterator[Misfit]:
        there = self._marks_there(way)
        if way.way == "layers" and way.whole is None and not self._reached(way):
            levels = _names(str(layer.levels) for piece in self.displays for layer in piece.layers)
            most = f"at most {max(map(int, levels), default=0)} levels"
            yield Misfit(f"{way.pointer}/destroyed_level", str(way.destroyed), "layer with a level", (most,))
            return
        if not self._works(way):
            name = way.title or next(iter(way.names), "")
            if not (name or grave):
                return  # displays of other files may show it so
            yield Misfit(way.pointer, name, f"{way.way} on a display", there, grave=grave)
            return
        for name in way.names:
            if name not in there:
                pointer = f"{way.pointer}/names/{pointer_part(name)}"
                yield Misfit(pointer, name, f"{way.way} on a display", there, grave=False)

    def _reached(self, way: Marks) -> bool:
        """Whether a layer has the level that is destroyed; no layers at all are told of otherwise."""
        layers = [layer for piece in self.displays for layer in piece.layers]
        meant = [layer for layer in layers if not way.names or layer.name in way.names]
        return not meant or any(not 0 < layer.levels < way.destroyed for layer in meant)

    def _marks_there(self, way: Marks) -> tuple[str, ...]:
        if way.way == "markers":
            maps = {display.map for display in self.displays}
            return _names(p.basic_name for p in self.pieces if p.map in maps and p not in self.displays)
        return _names(name for piece in self.displays for name in names_shown(piece, way))

    def _speed(self) -> Iterator[Misfit]:
        shown = self.module_map.speed_shown
        if shown is None or not self.counters:
            return
        named: Mapping[str, Callable[[Piece], Iterable[str]]] = {
            "property": lambda piece: piece.properties,
            "marker": lambda piece: piece.markers,
            "label": lambda piece: piece.labels,
        }
        there = _names(name for piece in self.counters for name in named[shown.way](piece))
        if not any(shown.name in text if shown.way == "label" else shown.name == text for text in there):
            yield Misfit("/speed/name", shown.name, f"{shown.way} of a counter", there)


def _names(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in found if name))
