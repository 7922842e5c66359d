"""The ships of a log as they come to be seen: each keeps the display it had, whatever is put beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import ShipOnTable, ships_among

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap


class ShipsSeen:
    """All ships that were ever seen in a log, in the order they were."""

    def __init__(self, file: str, module_map: ModuleMap | None = None) -> None:
        self._file, self._module_map = file, module_map
        self._seen: dict[str, ShipOnTable] = {}

    def see(self, pieces: Mapping[str, Piece]) -> None:
        """Looks for ships on the table. A display stays with the ship whose counter is off it or covered, and with
        one it is removed from while no other takes its place."""
        whole = [ship for ship in self._seen.values() if ship.counter and ship.ssd]
        pairs = {ship.counter.id: ship.ssd.id for ship in whole if ship.counter and ship.ssd}
        kept = {ssd for counter, ssd in pairs.items() if not _in_sight(pieces.get(counter))}
        free = [piece for identity, piece in pieces.items() if identity not in kept]
        shown = {ship.ssd.id: ship for ship in self._seen.values() if ship.ssd}
        found = ships_among(free, self._file, self._module_map, pairs, shown)
        for ship in found:
            key, counter = ship_key(ship), ship.counter
            before = self._seen.get(key)
            lost = counter and not ship.ssd and before and before.ssd and before.ssd.id not in pieces
            self._seen[key] = replace(before, counter=counter) if lost and before else ship

    @property
    def displayed(self) -> set[str]:
        """The ids of the counters and displays of ships that have a display."""
        there = [ship for ship in self._seen.values() if ship.ssd]
        return {piece.id for ship in there for piece in (ship.counter, ship.ssd) if piece}

    def ships(self, undone: Set[str]) -> tuple[ShipOnTable, ...]:
        """The ships, without counters whose coming was `undone`; a display that was seen alone before its
        counter came is none of its own."""
        paired = {ship.ssd.id for key, ship in self._seen.items() if ship.ssd and ship.ssd.id != key}
        return named_apart(ship for key, ship in self._seen.items() if key not in paired | undone)


def ship_key(ship: ShipOnTable) -> str:
    """What tells a ship from the others of a game: the id of its counter, else of its display."""
    piece = ship.counter or ship.ssd
    return piece.id if piece else ship.name


def named_apart(ships: Iterable[ShipOnTable]) -> tuple[ShipOnTable, ...]:
    """The ships, those of one name told apart by a number."""
    taken: dict[str, int] = {}
    apart = []
    for ship in ships:
        taken[ship.name] = count = taken.get(ship.name, 0) + 1
        apart.append(ship if count == 1 else replace(ship, name=f"{ship.name} ({count})"))
    return tuple(apart)


def _in_sight(piece: Piece | None) -> bool:
    return piece is not None and not piece.masked and not piece.hidden
