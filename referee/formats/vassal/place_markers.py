"""Markers of damage laid on a display or taken up again: copies of one that lies in the save already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import displays_ship

if TYPE_CHECKING:
    from referee.formats.modulemap import Marks, ModuleMap
    from referee.formats.vassal.edit import Draft
    from referee.formats.vassal.game import Save

_APART = 12  # pixels between markers that are laid


@frozen
class Lay:
    """One more marker like another, at a pixel of the map the display lies on."""

    like: str
    map: str
    x: int
    y: int

    def write(self, draft: Draft, piece: str) -> None:
        """Writes it."""
        draft.lay(self.like, self.map, self.x, self.y)


@frozen
class TakeUp:
    """A marker taken off its display."""

    marker: str

    def write(self, draft: Draft, piece: str) -> None:
        """Writes it."""
        draft.take_up(self.marker)


@frozen
class Laid:
    """The markers of a label: those on a display, and what lays more of them there; none where no marker of
    its names lies anywhere in the save."""

    names: tuple[str, ...]
    on_it: tuple[Piece, ...]
    more: tuple[Lay, ...]


def laid_on(save: Save, display: Piece, way: Marks, module_map: ModuleMap) -> Mapping[str, Laid]:
    """The markers of a display by what each stands for, as a map says."""
    seen = [p for p in save.pieces if p.kind == "piece" and not p.masked and not p.hidden]
    seen = [piece for piece in seen if not module_map.ignores(piece)]
    others = [piece for piece in seen if displays_ship(piece, module_map) and piece.map == display.map]
    decks = {piece.id for piece in save.pieces if piece.kind == "deck"}
    found: dict[str, Laid] = {}
    for row, label in enumerate(dict.fromkeys(way.names.values())):
        names = tuple(name for name, meaning in way.names.items() if meaning == label)
        alike = [piece for piece in seen if piece.basic_name in names]
        on_it = [
            p for p in alike if p.map == display.map and _is_nearest(display, others, p.x, p.y, way.within)
        ]
        free = [piece for piece in (*on_it, *alike) if piece.map and piece.stack not in decks]
        spots = _spots(display, others, way.within, row, {(p.x, p.y) for p in seen if p.map == display.map})
        more = tuple(Lay(free[0].id, display.map, x, y) for x, y in spots) if free and display.map else ()
        found[label] = Laid(names, tuple(on_it), more)
    return found


def _is_nearest(display: Piece, others: list[Piece], x: int, y: int, within: int) -> bool:
    """Does a pixel belong to a display, of the first where several are as near?"""
    far = {other.id: (hypot(other.x - x, other.y - y), other.id) for other in (display, *others)}
    return far[display.id][0] <= within and far[display.id] == min(far.values())


def _spots(
    display: Piece, others: list[Piece], within: int, row: int, taken: set[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Pixels beside the middle of a display that are its own and have no piece, a row for each label."""
    for column in range(min(within // _APART, 40) + 1):
        x, y = display.x + _APART * column, display.y + _APART * row
        if (x, y) not in taken and _is_nearest(display, others, x, y, within):
            yield x, y
