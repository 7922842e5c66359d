"""What commands that could not be read did, as far as the next command of the same piece shows it.

VASSAL writes with every move where the piece lay before it, and with every change of a piece its state before.
Where that is not what is known, the command in between is played from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.course import NOT_SEEN, Stand
from referee.formats.vassal.game import StepForward
from referee.formats.vassal.gathered import ChatOrder, FormsAt, UnreadStep
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import Clock
from referee.formats.vassal.replay import Board
from referee.formats.vassal.unreadable_steps import UnreadCommand


@dataclass
class _Doubt:
    """A command that could not be read, and the pieces it may have been about, None for any of them; by piece
    the step in which its place, and its whole state, were shown again."""

    step: int
    clock: Clock
    command: UnreadCommand
    pieces: tuple[str, ...] | None
    placed: dict[str, int] = field(default_factory=dict)
    shown: dict[str, int] = field(default_factory=dict)
    until: tuple[int, Clock] | None = None

    def about(self, piece: str) -> bool:
        return self.command.kind != "clock" and (self.pieces is None or piece in self.pieces)

    def hides_place(self, piece: str) -> bool:
        return self.about(piece) and piece not in self.placed

    def hides_state(self, piece: str) -> bool:
        return self.command.kind != "move" and self.about(piece) and piece not in self.shown


NEVER = 10**9
"""A step that no log has."""
At = TypeVar("At", FormsAt, ChatOrder)


def seen_anew(row: Iterable[At], since: int, shown: Mapping[str, Piece]) -> list[At]:
    """What was seen after a step, with some pieces as they are now known to have been."""
    return [
        replace(seen, pieces={i: shown.get(i, piece) for i, piece in seen.pieces.items()})
        if seen.step > since
        else seen
        for seen in row
    ]


def standing_anew(orders: Iterable[ChatOrder], since: int, stands: Mapping[str, Stand]) -> list[ChatOrder]:
    """What was said after a step, with some counters where they are now known to have stood."""
    return [
        replace(order, stands={**order.stands, **stands}) if order.step > since else order for order in orders
    ]


def _is_placed(doubt: _Doubt, step: int, piece: str, about: Iterable[_Doubt]) -> bool:
    """Is it known where a piece stood in a step after a command? What shows it later shows what the last of several
    commands did."""
    shown = doubt.placed.get(piece)
    return shown is not None and not any(step < other.step < shown for other in about)


class Lost:
    """The commands of a log that could not be read."""

    def __init__(self) -> None:
        self._doubts: list[_Doubt] = []

    def add(self, step: int, clock: Clock, command: UnreadCommand, board: Board) -> None:
        """Takes note of a command; one of a piece that is not on the table may be about any."""
        pieces = board.lying_in(command.piece) if command.piece else ()
        self._doubts.append(_Doubt(step, clock, command, pieces or None))

    def heading_lost(self, piece: str) -> bool:
        """May a change of a piece that could not be read have turned it?"""
        if not self._doubts:
            return False
        return any(d.command.kind == "change" and d.pieces and d.hides_state(piece) for d in self._doubts)

    def clock_told(self, step: int, clock: Clock) -> None:
        """The tracker says again what time it is."""
        for doubt in self._doubts:
            if doubt.command.kind == "clock" and doubt.until is None:
                doubt.until = step, clock

    def steps_before(self, step: StepForward, board: Board) -> Iterable[tuple[StepForward, Clock]]:
        """What unread commands did to the pieces of a step that is to be played: as steps, and when they were."""
        return self._steps_before(step, board) if self._doubts else ()

    def _steps_before(self, step: StepForward, board: Board) -> Iterator[tuple[StepForward, Clock]]:
        for leaf in step.commands:
            if isinstance(leaf, lv.MovePiece):
                for piece in board.lying_in(leaf.id):
                    yield from self._placed(step, piece, leaf, board)
            elif isinstance(leaf, lv.ChangePiece) and leaf.id in board.pieces:
                yield from self._stated(step, leaf, board)

    def _placed(
        self, step: StepForward, piece: str, leaf: lv.MovePiece, board: Board
    ) -> Iterator[tuple[StepForward, Clock]]:
        open_doubts = [doubt for doubt in self._doubts if doubt.hides_place(piece)]
        if not open_doubts:
            return
        for doubt in open_doubts:
            doubt.placed[piece] = step.n
        now = board.pieces.get(piece)
        if now and (now.map or "null", now.x, now.y) != (leaf.old_map, leaf.old_x, leaf.old_y):
            old = now.map or "null", now.x, now.y, "null"
            lost = lv.MovePiece(piece, leaf.old_map, leaf.old_x, leaf.old_y, "null", *old)
            yield StepForward(open_doubts[-1].step, (lost,)), open_doubts[-1].clock

    def _stated(
        self, step: StepForward, leaf: lv.ChangePiece, board: Board
    ) -> Iterator[tuple[StepForward, Clock]]:
        open_doubts = [d for d in self._doubts if d.hides_place(leaf.id) or d.hides_state(leaf.id)]
        fits_old = leaf.old_state is not None and board.fits(leaf.id, leaf.old_state)
        if not open_doubts or not (fits_old or board.fits(leaf.id, leaf.state)):
            return
        if any(doubt.hides_place(leaf.id) for doubt in open_doubts):
            board.let_go(leaf.id, leaf.old_state if fits_old and leaf.old_state is not None else leaf.state)
        # Without its old state the piece is known after the step only.
        at = step.n + (not fits_old)
        for doubt in open_doubts:
            doubt.placed.setdefault(leaf.id, at)
            doubt.shown.setdefault(leaf.id, at)
        if fits_old and leaf.old_state is not None:
            last = open_doubts[-1]
            yield StepForward(last.step, (lv.ChangePiece(leaf.id, leaf.old_state),)), last.clock

    def known_stands(self, order: ChatOrder) -> ChatOrder:
        """An order for which no counter stands where it was seen last, if it may have gone elsewhere since."""
        stands = {piece: self._known(order.step, piece, stand) for piece, stand in order.stands.items()}
        return replace(order, stands=stands) if stands != order.stands else order

    def _known(self, step: int, piece: str, stand: Stand) -> Stand:
        about = [doubt for doubt in self._doubts if doubt.about(piece)]
        before = [doubt for doubt in about if doubt.step <= step]
        if not all(_is_placed(doubt, step, piece, about) for doubt in before):
            return NOT_SEEN
        changed = (doubt for doubt in before if doubt.command.kind == "change")
        if any(step < doubt.shown.get(piece, NEVER) for doubt in changed):
            return Stand(stand.hex, None)
        return stand

    def unread(self) -> tuple[UnreadStep, ...]:
        """All of them, with the steps in which what they may have changed was shown again."""
        return tuple(
            UnreadStep(d.step, d.clock, d.command.what, d.command.kind, d.pieces, d.placed, d.shown, d.until)
            for d in self._doubts
        )
