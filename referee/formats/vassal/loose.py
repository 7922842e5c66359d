"""Pieces of a table that are no ship's counter or display, and those of them that lie on a display."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import TYPE_CHECKING

from referee.formats.vassal.pieces import Piece

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.recognise import ShipOnTable


def loose(
    pieces: Iterable[Piece], ships: Iterable[ShipOnTable], module_map: ModuleMap | None = None
) -> Iterator[Piece]:
    """The pieces in plain sight that belong to none of the ships, and of which a map says nothing."""
    taken = {piece.id for ship in ships for piece in (ship.counter, ship.ssd) if piece}
    for piece in pieces:
        if piece.kind != "piece" or piece.id in taken or not piece.basic_name or piece.masked:
            continue
        seeker = module_map.seeker if module_map else None
        if not (
            module_map
            and (module_map.ignores(piece) or module_map.is_mark(piece) or (seeker and seeker.fits(piece)))
        ):
            yield piece


def on_displays(
    pieces: Iterable[Piece], ships: Sequence[ShipOnTable]
) -> Iterator[tuple[Piece, ShipOnTable, bool]]:
    """Those of some pieces that lie on a map with displays, each with the ship whose display is nearest, and
    whether the map is one for displays, without a ship's counter."""
    space = {ship.counter.map for ship in ships if ship.counter and ship.counter is not ship.ssd}
    shown = [(ship.ssd, ship) for ship in ships if ship.ssd and ship.ssd is not ship.counter]
    for piece in pieces:
        near = [
            (hypot(display.x - piece.x, display.y - piece.y), number)
            for number, (display, _) in enumerate(shown)
            if display.map == piece.map and piece.map is not None
        ]
        if near:
            yield piece, shown[min(near)[1]][1], piece.map not in space
