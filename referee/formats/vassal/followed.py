"""A board on which a piece put in the place of another stays that piece: it is known by the id it had first.

VASSAL's Replace removes a piece and adds another in one step, and so does a trigger that swaps counters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.formats.vassal.game import Save, Step
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import displays_ship, is_counter
from referee.formats.vassal.replay import Board

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module


class FollowedBoard(Board):
    """A board whose `pieces` and `replaced` have counters and displays by the ids they had first.

    A piece continues one of its kind that was removed in its step, and one of `ships` that was removed before
    and has its name. A copy of a piece that is still there is a piece of its own.
    """

    def __init__(self, save: Save, module: Module | None = None, says: ModuleMap | None = None) -> None:
        super().__init__(save, module, stacks=False)
        self.ships: set[str] = set()
        self._says = says
        self._first: dict[str, str] = {}  # the id that a piece had first, by the one it has now
        self._gone: dict[str, tuple[str, str]] = {}  # kind and name of removed pieces, by first id

    def play(self, step: Step) -> tuple[str, ...]:
        """Plays a step; gives the ids of the pieces it touched."""
        before = dict(self._first) if self._first else {}
        for now, first in before.items():
            _rename(self.pieces, first, now)
        touched = super().play(step)
        self._follow(touched)
        if not before and not self._first:
            return touched
        for now, first in self._first.items():
            _rename(self.pieces, now, first)
        for now, first in before.items():
            _rename(self.replaced, now, first)
        known = {**before, **self._first}
        return tuple(dict.fromkeys(known.get(i, i) for i in touched))

    def _follow(self, touched: tuple[str, ...]) -> None:
        """Finds out which of the pieces that are new continue others."""
        pieces, replaced = self.pieces, self.replaced
        fresh = [i for i in touched if (i in pieces) is not (i in replaced)]
        if not fresh:
            return
        came, went = [i for i in fresh if i in pieces], [i for i in fresh if i in replaced]
        new = dict(self._units(came, pieces))
        removed = dict(self._units(went, replaced))
        for identity in came:
            self._gone.pop(self._first.get(identity, identity), None)
        for identity, unit in new.items():
            if (older := _continued(unit, removed, new)) is not None:
                del removed[older]
                self._continue(identity, self._first.pop(older, older))
            elif identity not in self._first and (first := self._come_back(unit)) is not None:
                self._continue(identity, first)
        # One that comes back beside the piece that continued it is itself again.
        back = {i for i in came if i not in self._first}
        self._first = {now: first for now, first in self._first.items() if first not in back}
        for identity, unit in removed.items():
            self._gone[self._first.get(identity, identity)] = unit

    def _continue(self, now: str, first: str) -> None:
        self._gone.pop(first, None)
        if now != first:
            self._first[now] = first

    def _come_back(self, unit: tuple[str, str]) -> str | None:
        """The one ship's piece that was removed and is like a new one."""
        alike = [first for first, gone in self._gone.items() if gone == unit and first in self.ships]
        return alike[0] if len(alike) == 1 else None

    def _units(self, ids: Iterable[str], pieces: dict[str, Piece]) -> Iterator[tuple[str, tuple[str, str]]]:
        """Kind and name of the counters and displays among pieces."""
        for identity in ids:
            piece = pieces[identity]
            if piece.kind == "piece" and not piece.masked and not piece.hidden:
                if displays_ship(piece, self._says):
                    yield identity, ("display", piece.basic_name)
                elif is_counter(piece, self._says):
                    yield identity, ("counter", piece.basic_name)


def _continued(
    unit: tuple[str, str], removed: dict[str, tuple[str, str]], new: dict[str, tuple[str, str]]
) -> str | None:
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
