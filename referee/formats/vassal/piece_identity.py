"""A board on which a piece put in the place of another stays that piece: it is known by the id it had first.

VASSAL's Replace removes a piece and adds another in one step, and so does a trigger that swaps counters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.core.frozen import frozen, replace
from referee.formats.vassal.game import Save, StepForward
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import displays_ship, is_counter
from referee.formats.vassal.replay import Board

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module

_Unit = tuple[str, str]
"""A piece's kind, `counter` or `display`, and its name."""


@frozen
class _Gone:
    """A piece as it was when it was removed."""

    unit: _Unit
    piece: Piece


class FollowedBoard(Board):
    """A board whose `pieces` and `replaced` have counters and displays by the ids they had first.

    A piece continues one of its kind that was removed in its step, and one of `ships` that was removed before
    and has its name; a display that is back is among `replaced` as it was when it was removed. A copy of a piece
    that is still there is a piece of its own; it continues one of `ships` that is removed beside it, but by undo.
    """

    def __init__(
        self,
        save: Save,
        module: Module | None = None,
        module_map: ModuleMap | None = None,
        *,
        live: bool = False,
    ) -> None:
        super().__init__(save, module, stacks=False, live=live)
        self.ships: set[str] = set()
        self._module_map = module_map
        self._first: dict[str, str] = {}  # the id that a piece had first, by the one it has now
        self._gone: dict[str, _Gone] = {}  # removed pieces, by first id
        self._copies: dict[str, str] = {}

    def play(self, step: StepForward) -> tuple[str, ...]:
        """Plays a step; gives the ids of the pieces it touched."""
        before = dict(self._first) if self._first else {}
        for now, first in before.items():
            _rename(self.pieces, first, now)
        touched = super().play(step)
        if not before and not self.altered:
            return touched
        back = self._follow(touched, undo=step.undo) if self.altered else {}
        if not before and not self._first:
            self.replaced |= back
            return touched
        for now, first in self._first.items():
            _rename(self.pieces, now, first)
        for now, first in before.items():
            _rename(self.replaced, now, first)
            if now not in self._first and first in touched and now in self.pieces:
                self.replaced.setdefault(first, replace(self.pieces[now], id=first))
        self.replaced |= back
        known = {**before, **self._first}
        return tuple(dict.fromkeys(known.get(i, i) for i in touched))

    def hold_copy(self, identity: str) -> None:
        """Takes note of a piece that came beside one of `ships` of its kind and name."""
        unit = self._unit(self.pieces[identity])
        if unit is not None and identity not in self.ships:
            others = (i for i in self.ships if i in self.pieces and self._unit(self.pieces[i]) == unit)
            self._copies.update((identity, other) for other in others)

    @property
    def copies(self) -> dict[str, str]:
        """Pieces that came beside one of `ships` that is still there, by id its id."""
        return {copy: original for copy, original in self._copies.items() if original in self.pieces}

    def _follow(self, touched: tuple[str, ...], *, undo: bool) -> dict[str, Piece]:
        """Finds out which of the pieces that are new continue others; displays that are back, by first id, as they
        were when they were removed."""
        pieces, replaced = self.pieces, self.replaced
        fresh = [i for i in touched if (i in pieces) is not (i in replaced)]
        if not fresh:
            return {}
        came, went = [i for i in fresh if i in pieces], [i for i in fresh if i in replaced]
        new = dict(self._units(came, pieces))
        removed = dict(self._units(went, replaced))
        returned = {self._first.get(i, i) for i in came}
        gone = self._gone
        self._gone = {first: unit for first, unit in gone.items() if first not in returned}
        for identity, unit in new.items():
            if (older := _continued(unit, removed, new)) is not None:
                del removed[older]
                self._continue(identity, self._first.pop(older, older))
            elif identity not in self._first and (first := self._come_back(unit)) is not None:
                self._continue(identity, first)
                returned.add(first)
        # One that comes back beside the piece that continued it is itself again.
        back = {i for i in came if i not in self._first}
        self._first = {now: first for now, first in self._first.items() if first not in back}
        for identity, unit in removed.items():
            first = self._first.get(identity, identity)
            copy = None if undo or first not in self.ships else self._copy_of(unit)
            if copy is not None:
                self._first.pop(identity, None)
                self._continue(copy, first)
            else:
                self._gone[first] = _Gone(unit, replaced[identity])
        there = (first for first in returned if first in gone)
        return {i: replace(gone[i].piece, id=i) for i in there if gone[i].unit[0] == "display"}

    def _continue(self, now: str, first: str) -> None:
        self._gone.pop(first, None)
        if now != first:
            self._first[now] = first

    def _come_back(self, unit: _Unit) -> str | None:
        """The one ship's piece that was removed and is like a new one."""
        alike = [first for first, gone in self._gone.items() if gone.unit == unit and first in self.ships]
        return alike[0] if len(alike) == 1 else None

    def _copy_of(self, unit: _Unit) -> str | None:
        """The one piece there that is like a ship's piece that was removed, and belongs to no ship itself."""
        others = [i for i in self.pieces if i not in self._first and i not in self.ships]
        alike = [i for i, other in self._units(others, self.pieces) if other == unit]
        return alike[0] if len(alike) == 1 else None

    def _units(self, ids: Iterable[str], pieces: dict[str, Piece]) -> Iterator[tuple[str, _Unit]]:
        """Kind and name of the counters and displays among pieces."""
        for identity in ids:
            if unit := self._unit(pieces[identity]):
                yield identity, unit

    def _unit(self, piece: Piece) -> _Unit | None:
        if piece.kind == "piece" and not piece.masked and not piece.hidden:
            if displays_ship(piece, self._module_map):
                return "display", piece.basic_name
            if is_counter(piece, self._module_map):
                return "counter", piece.basic_name
        return None


def _continued(unit: _Unit, removed: dict[str, _Unit], new: dict[str, _Unit]) -> str | None:
    """Which of the pieces removed in a step a new one continues: one of its name, or the only one of its kind."""
    alike = [identity for identity, other in removed.items() if other == unit]
    if alike:
        return alike[0]
    of_kind = [identity for identity, other in removed.items() if other[0] == unit[0]]
    alone = sum(other[0] == unit[0] for other in new.values()) == 1
    return of_kind[0] if len(of_kind) == 1 and alone else None


def _rename(pieces: dict[str, Piece], old: str, new: str) -> None:
    piece = pieces.pop(old, None)
    if piece is not None:
        pieces[new] = replace(piece, id=new)
