"""What is gathered from a log in one pass: forms as turns began, moves, marks of damage, chat, dice, notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.formats.vassal.course import Change, Stand, TakenBack
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import Clock, ShipOnTable
from referee.formats.vassal.spoken import ButtonRoll, TypedLine
from referee.formats.vassal.unreadable_steps import Kind

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap

Edits = Mapping[int, Mapping[int, Sequence[int]]]
"""The steps that changed each cell of a sheet, by its column and row."""


@frozen
class FormsAt:
    """Counters and displays just before a step, by id."""

    turn: int
    step: int
    pieces: Mapping[str, Piece] = field(repr=False)


@frozen
class Noted:
    """A secret note as it was written in a step, 0 for the start; `text` is not for others while hidden."""

    step: int
    clock: Clock
    name: str
    owner: str
    hidden: bool
    text: str = field(repr=False)


@frozen
class Misplaced:
    """A counter that was `seen` where it was put for a while, and the `true` place."""

    seen: Stand
    true: Stand


@frozen
class ChatOrder:
    """An order in chat: when, by whom, and how the table stood; `pieces` and `stands` by id.

    It may be a line of a secret `note` that was shown then; a `bare` one does not begin as orders do. The counters
    that are `misplaced`, by id, were put elsewhere then, which was taken back or put right: they stand where they
    truly stood. `undone` is the step, and its time, in which VASSAL's undo took the line back.
    """

    step: int
    clock: Clock
    line: TypedLine
    pieces: Mapping[str, Piece] = field(repr=False)
    stands: Mapping[str, Stand] = field(repr=False)
    note: Noted | None = None
    bare: bool = False
    misplaced: Mapping[str, Misplaced] = field(default_factory=dict, repr=False)
    undone: tuple[int, Clock] | None = None


@frozen
class ChatLine:
    """A line of chat that is no order and may tell what dice came to."""

    step: int
    clock: Clock
    line: TypedLine


@frozen
class Marked:
    """A step in which displays came to show other boxes, and they and what lies on them before and after;
    `undo` where VASSAL's undo did it."""

    step: int
    clock: Clock
    before: Mapping[str, Piece] = field(repr=False)
    after: Mapping[str, Piece] = field(repr=False)
    undo: bool = False


@frozen
class Dragged:
    """A counter dragged in a step by a player of the game, by its id and his name."""

    step: int
    piece: str
    player: str


@frozen
class UnreadStep:
    """What of a step could not be read or played, and when that was.

    It may have been about some `pieces`, or any where they are None; `placed` and `shown` say by piece in which
    step its place, and its whole state, were seen again, `until` when the tracker told the time again.
    """

    step: int
    clock: Clock
    what: str
    kind: Kind = "other"
    pieces: tuple[str, ...] | None = None
    placed: Mapping[str, int] = field(default_factory=dict)
    shown: Mapping[str, int] = field(default_factory=dict)
    until: tuple[int, Clock] | None = None


@frozen
class WentBack:
    """A step in which the clock was put back, but for undoing it."""

    step: int
    before: Clock
    after: Clock


@frozen
class TurnShown:
    """A step in which the clock came to another turn, by VASSAL's undo or not; `called` where nothing but chat
    tells the time."""

    step: int
    before: int
    after: int
    called: bool = False


@frozen
class LoggedRoll:
    """Dice rolled in a step; `taken_back` is the step that undid it."""

    step: int
    clock: Clock
    roll: ButtonRoll
    taken_back: int | None = None


@frozen
class Logged:
    """A log as a game. Steps are counted from 1, and pieces are named by their id.

    Of its time: `ends` says in which step an impulse was over. `steps_taken` is false where the tracker stayed in one
    step all the time. `clocks` say how it stood in each impulse.

    Of its forms: `forms` are as each turn's movement began, `final` as the log ended. `edits` are the steps that
    changed a cell, by piece, column and row.

    Of its counters: `set_up` are those put in place before play began. `arrived` says when a counter was put on the
    table. `passing` are those of them that are gone again and never moved. `copies` were put down in play beside a
    ship's counter of their name that is still there: by id the id of that one. `strayed` are counters in plain sight,
    by id and step, that left the hexes of the board or were removed.

    Of what is out of sight: `lurking` says where counters lie that are masked or hidden as play begins. `stirred`
    says when one of them was first dragged in play, unseen. `unseen` counts the pieces that are masked or hidden as
    the log ends. `private` are the owners of private notes.

    Of its chat: `imitated` are typed lines that look like the report of a roll. `cancels` are those that take back
    what their player ordered before.
    """

    file: str
    ships: tuple[ShipOnTable, ...]
    start: Clock
    end: Clock
    began: Mapping[str, Stand]
    changes: Mapping[str, tuple[Change, ...]]
    forms: tuple[FormsAt, ...]
    final: FormsAt
    edits: Mapping[str, Edits]
    ends: Mapping[tuple[int, int], int]
    taken_back: tuple[TakenBack, ...]
    set_up: tuple[str, ...]
    chat_orders: tuple[ChatOrder, ...]
    rolled: tuple[LoggedRoll, ...]
    chat_lines: tuple[ChatLine, ...] = ()
    cancels: tuple[ChatLine, ...] = ()
    imitated: tuple[ChatLine, ...] = ()
    dragged: tuple[Dragged, ...] = ()
    unread: tuple[UnreadStep, ...] = ()
    strayed: frozenset[tuple[str, int]] = frozenset()
    lurking: Mapping[str, Hex] = field(default_factory=dict, repr=False)
    stirred: Mapping[str, Clock] = field(default_factory=dict, repr=False)
    marked: tuple[Marked, ...] = ()
    noted: tuple[Noted, ...] = ()
    went_back: tuple[WentBack, ...] = ()
    turns_shown: tuple[TurnShown, ...] = ()
    steps_taken: bool = True
    clocks: Mapping[tuple[int, int], Collection[Clock]] = field(default_factory=dict, repr=False)
    private: tuple[str, ...] = ()
    unseen: int = 0
    arrived: Mapping[str, Clock] = field(default_factory=dict, repr=False)
    passing: frozenset[str] = frozenset()
    copies: Mapping[str, str] = field(default_factory=dict, repr=False)
    pieces: Mapping[str, Piece] = field(default_factory=dict, repr=False)
    module_map: ModuleMap | None = field(default=None, repr=False)


def column_filled(rows: tuple[tuple[str, ...], ...], turn: int) -> bool:
    """Is anything written below the heading of a turn?"""
    heading = str(turn)
    for number, row in enumerate(rows):
        columns = [column for column, text in enumerate(row) if column and text.strip() == heading]
        if columns:
            return any(below[columns[0]].strip() for below in rows[number + 1 :] if columns[0] < len(below))
    return False
