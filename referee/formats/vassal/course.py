"""Where counters went in a log: from hex to hex and facing to facing; what was taken back is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from referee.core.frozen import frozen, replace
from referee.core.hexgrid import FACINGS, Hex, parse_position
from referee.formats.vassal.command_types import Boards
from referee.formats.vassal.grid import BoardLayout, LaidBoard
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import Clock

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module

_HALF_CIRCLE = 3  # steps of 60 degrees a board is turned by when it lies reversed


class Stand(NamedTuple):
    """Where a counter stands and which way it faces; None is not known, or no hex."""

    hex: Hex | None
    facing: str | None


NOT_SEEN = Stand(None, None)
"""Removed from the game, off the board, masked or hidden."""


@frozen
class Change:
    """A counter moved or turned: in which step of the log, when in the game, from where to where."""

    step: int
    clock: Clock
    before: Stand
    after: Stand


@frozen
class TakenBack:
    """What a step took back: `first` is the earliest step undone, `undo` whether VASSAL's undo did it, `piece` the
    id of the counter, `changes` all that was taken back of it."""

    step: int
    first: int
    undo: bool
    piece: str = ""
    changes: tuple[Change, ...] = field(default=(), compare=False)


def is_ahead(before: Stand, after: Stand) -> bool:
    """Did a counter go one hex, the way it then faced?"""
    return before.hex is not None and after.facing is not None and before.hex.step(after.facing) == after.hex


class Hops:
    """Where counters were put before play began: from hex to hex dead ahead, or anywhere."""

    def __init__(self) -> None:
        self._ahead = self._elsewhere = 0

    def add(self, before: Stand, after: Stand) -> None:
        """A counter was put elsewhere, or turned."""
        if before.hex == after.hex and before.hex is not None:
            return
        ahead = is_ahead(before, after)
        self._ahead += ahead
        self._elsewhere += not ahead

    @property
    def are_play(self) -> bool:
        """Did they all go as ships move, more than once?"""
        return self._ahead > 1 and not self._elsewhere


class Course:
    """The way of one counter, as the steps of a log tell it."""

    def __init__(self, stand: Stand) -> None:
        self.began = stand
        self.stand = stand
        self.changes: list[Change] = []

    def set_up(self, stand: Stand) -> None:
        """The counter was put somewhere before play began."""
        self.stand = stand
        if not self.changes:
            self.began = stand

    def go(self, step: int, clock: Clock, stand: Stand, *, undo: bool) -> TakenBack | None:
        """The counter stands elsewhere. Back where it was, by an undo or by hand in the same impulse, it
        never moved; one that is removed by hand was there. A step before its last change tells which way it
        has faced since."""
        if self.changes and self.changes[-1].step > step:
            self._faced(step, clock, stand)
            return None
        index = self._back_to(stand, clock, undo)
        before, self.stand = self.stand, stand
        if index is None:
            if self._put_back(stand, clock):
                before = self.changes.pop().before
            self.changes.append(Change(step, clock, before, stand))
            return None
        gone = tuple(self.changes[index:])
        del self.changes[index:]
        return TakenBack(step, gone[0].step, undo, changes=gone)

    def _faced(self, step: int, clock: Clock, stand: Stand) -> None:
        index = next(n for n, change in enumerate(self.changes) if change.step > step)
        hex, earlier = self.changes[index].before.hex, self.changes[index - 1] if index else None
        since = [
            replace(c, before=Stand(c.before.hex, stand.facing), after=Stand(c.after.hex, stand.facing))
            for c in self.changes[index:]
        ]
        if earlier and earlier.step == step:
            self.changes[index - 1] = replace(earlier, after=Stand(hex, stand.facing))
        else:
            facing = earlier.after.facing if earlier else self.began.facing
            if facing != stand.facing:
                since.insert(0, Change(step, clock, Stand(hex, facing), Stand(hex, stand.facing)))
        self.changes[index:] = since
        self.stand = stand

    def _put_back(self, stand: Stand, clock: Clock) -> bool:
        """Is the counter in the hex again from which it was gone in this impulse? Then all it did was to turn."""
        last = self.changes[-1] if self.changes else None
        if last is None or last.after.hex is not None or stand.hex is None:
            return False
        return last.before.hex == stand.hex and last.clock.moment == clock.moment is not None

    def _back_to(self, stand: Stand, clock: Clock, undo: bool) -> int | None:
        moment = clock.moment if stand != NOT_SEEN else None
        for index in range(len(self.changes) - 1, -1, -1):
            change = self.changes[index]
            # An undo takes back what came last; a ship that circled stood here before as well.
            last = undo and index == len(self.changes) - 1
            if not last and (moment is None or change.clock.moment != moment):
                return None
            if change.before == stand:
                return index
        return None


class MapChart:
    """Reads hex and facing of counters off the boards of the maps; without a module no hex has a name."""

    def __init__(self, module: Module | None, module_map: ModuleMap | None = None) -> None:
        self._module, self._module_map = module, module_map
        self._layouts: dict[str, tuple[Boards | None, BoardLayout | None]] = {}
        self._here: dict[tuple[str, int, int], tuple[LaidBoard, Hex | None] | None] = {}

    def stand(self, piece: Piece | None, boards: Mapping[str, Boards]) -> Stand:
        """Where a counter stands; nowhere if it cannot be seen."""
        return NOT_SEEN if piece is None or piece.masked or piece.hidden else self._stand(piece, boards)

    def lurking(self, pieces: Iterable[Piece], boards: Mapping[str, Boards]) -> dict[str, Hex]:
        """The hexes in which pieces lie that are masked or hidden, by id."""
        unseen = (piece for piece in pieces if piece.masked or piece.hidden)
        return {piece.id: hex for piece in unseen if (hex := self._stand(piece, boards).hex)}

    def _stand(self, piece: Piece, boards: Mapping[str, Boards]) -> Stand:
        if piece.map is None or piece.deck is not None:  # what lies in a deck is in the deck, in no hex
            return NOT_SEEN
        chosen = boards.get(piece.map)
        known = self._layouts.get(piece.map)
        layout = known[1] if known and known[0] is chosen else self._layout(piece.map, chosen)
        if layout is None:
            turned = bool(chosen) and all(board.reversed for board in chosen.boards) if chosen else False
            return Stand(None, self._facing(piece, turned=turned))
        there = piece.map, piece.x, piece.y
        if there in self._here:
            place = self._here[there]
        else:
            place = self._here[there] = self._place(layout, piece.x, piece.y)
        if place is None:
            return NOT_SEEN
        board, hex = place
        return Stand(hex, self._facing(piece, turned=board.reversed))

    def _place(self, layout: BoardLayout, x: int, y: int) -> tuple[LaidBoard, Hex | None] | None:
        """The board under a map pixel and the hex, None off the boards."""
        board = layout.board_at(x, y)
        name = board.name_at(x, y) if board else None
        return (board, self._hex(name) if name else None) if board else None

    def spots(self, map_name: str, boards: Mapping[str, Boards], hex: Hex) -> Iterator[tuple[int, int]]:
        """The map pixels in the middle of a hex; of no hex there are none."""
        layout = self._layout(map_name, boards.get(map_name))
        for board in layout.boards if layout else ():
            yield from ((x, y) for name, x, y in board.centres() if self._hex(name) == hex)

    def hexes(self, map_name: str, boards: Mapping[str, Boards]) -> dict[Hex, str]:
        """The hexes of a map, with what its module calls them."""
        layout = self._layout(map_name, boards.get(map_name))
        named = (
            ((self._hex(name), name) for board in layout.boards for name, _, _ in board.centres())
            if layout
            else ()
        )
        return {hex: name for hex, name in named if hex is not None}

    def _hex(self, name: str) -> Hex | None:
        return self._module_map.hex(name) if self._module_map else _hex_named(name)

    def _facing(self, piece: Piece, *, turned: bool) -> str | None:
        if self._module_map and self._module_map.facing:
            return self._module_map.facing.of(piece, turned=turned)
        return facing_of(piece, turned=turned)

    def _layout(self, name: str, chosen: Boards | None) -> BoardLayout | None:
        known = self._layouts.get(name)
        if known is None or known[0] is not chosen:
            found = self._module.map(name) if self._module else None
            self._here.clear()
            known = self._layouts[name] = (chosen, found.layout(chosen) if found else None)
        return known[1]


def facing_of(piece: Piece, *, turned: bool) -> str | None:
    """The facing A to F of a counter whose artwork points up the map; None between two hex sides."""
    return _side(piece.facings[0].degrees, _HALF_CIRCLE * turned) if piece.facings else None


@lru_cache(maxsize=1024)
def _side(degrees: float, less: int) -> str | None:
    """The facing that so many degrees clockwise are, less some sixths of a circle; None between two hex sides."""
    sixths, rest = divmod(round(degrees), 60)
    return None if rest else FACINGS[(sixths - less) % len(FACINGS)]


@lru_cache(maxsize=4096)
def _hex_named(name: str) -> Hex | None:
    try:
        return parse_position(name)[0]
    except ValueError:
        return None


def moved(changes: Iterable[Change]) -> bool:
    """Did a counter go from one hex to another?"""
    return any(map(goes, changes))


def moved_once(changes: Iterable[Change]) -> bool:
    """Did a counter go to no more than one other hex?"""
    return sum(map(goes, changes)) <= 1


def goes(change: Change) -> bool:
    """Was a counter put from one hex into another?"""
    before, after = change.before.hex, change.after.hex
    return before is not None and after is not None and before != after


# -- turned without moving, and back ---------------------------------------------------------


@frozen
class TurnInPlace:
    """A counter turned in an impulse in which it did not move, and turned back, or to the facing it moved with, in
    a later one: `first` is the first turn, `back` the one that ended it. It truly stood as `true` says."""

    first: Change
    back: Change
    true: Stand

    def covers(self, step: int) -> bool:
        """Did the counter face the wrong way after a step?"""
        return self.first.step <= step < self.back.step


def turns_in_place(changes: Iterable[Change]) -> Iterator[TurnInPlace]:
    """The turns in place among the changes of a counter, in order. A turn made with a move is none."""
    run: list[Change] = []
    hop: Change | None = None
    for change in changes:
        if change.before.hex == change.after.hex:
            # What is turned after a move, in its impulse, is a turn of that move.
            if hop is None or hop.clock.moment != change.clock.moment:
                run.append(change)
            continue
        yield from _turns_in_place(run, change)
        run, hop = [], change
    yield from _turns_in_place(run, None)


def _turns_in_place(run: Sequence[Change], move: Change | None) -> Iterator[TurnInPlace]:
    """The turns in place among the turns in a hex that a `move` ends."""
    if len(run) < 2:
        return
    true, first = run[0].before, None
    called = move.clock.moment if move and move.after.hex is not None else None
    for change in run:
        away = change.after.facing != true.facing
        if first is None:
            first = change if away else None
            continue
        here, there = first.clock.moment, change.clock.moment
        if away and (there != called or there == here):
            continue
        if None not in (true.hex, true.facing, here, there) and here != there:
            yield TurnInPlace(first, change, true)
        if away:
            return  # that is the turn of the move
        first = None
