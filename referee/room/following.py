"""The game on the table of a room, followed command by command as a log is followed step by step."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import folded
from referee.formats.limits import MAX_PIECES
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.course import NOT_SEEN, MapChart, Stand
from referee.formats.vassal.game import StepForward, live_step, read_save
from referee.formats.vassal.piece_identity import FollowedBoard
from referee.formats.vassal.recognise import Clock, is_counter, read_clock, read_properties, tracker_told
from referee.formats.vassal.restored import game_text, is_kept, kept
from referee.formats.vassal.spoken import ButtonRoll, TypedLine, rolls_of, typed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module

_REFRESH = 20_000
"""Steps after which what was remembered of places and trackers is let go."""
_MOST_KEPT = 1_000
"""Seats and notes of one game."""
_MOST_TEXT = 64 * 1024 * 1024
"""Characters of pieces that commands may add to a game."""


@frozen
class MovedShip:
    """The counter of a ship stands elsewhere, or faces another way; `by` is the stored id of whoever moved it."""

    ship: str
    before: Stand
    after: Stand
    by: str = field(default="", repr=False)


@frozen
class MessagePlayed:
    """What a message of the room did: lines that were typed or shown, ships moved, the clock where it went on, dice."""

    typed: tuple[TypedLine, ...] = ()
    shown: tuple[str, ...] = ()
    moved: tuple[MovedShip, ...] = ()
    clock: Clock | None = None
    rolls: tuple[ButtonRoll, ...] = ()
    undo: bool = False
    unread: tuple[str, ...] = ()
    changed: bool = False
    seated: bool = False
    """Did somebody take a seat, or leave one?"""


class RoomGame:
    """The game of a room. `RoomGame(text)` takes it from the command string that restores it; raises BadInput where
    that cannot be read."""

    def __init__(
        self,
        text: str,
        module: Module | None = None,
        module_map: ModuleMap | None = None,
        file: str = "room.vsav",
    ) -> None:
        self.save = read_save(write_save_bytes(text, key=0), file)
        self._module, self._module_map = module, module_map
        self.board = FollowedBoard(self.save, module, module_map, live=True)
        self._chart = MapChart(module, module_map)
        self._later: tuple[lv.Leaf, ...] = ()
        self._steps = self._added = 0
        self._ships: dict[str, str] = {}
        self._stands: dict[str, Stand] = {}
        self._counters: dict[str, str] = {}
        self._hands = frozenset(module_map.properties.values()) if module_map else frozenset()
        self.clock = self._shown_clock()

    def watch(self, ships: Iterable[str]) -> None:
        """Says which ships are followed: the counters that have their names, where one alone has."""
        self._ships = {folded(name): name for name in ships}
        self._counters, self._stands = {}, {}
        for identity in list(self.board.pieces):
            self._see(identity)

    def stand(self, ship: str) -> Stand:
        """Where a ship's counter stands."""
        return next((self._stands[i] for i, name in self._counters.items() if name == ship), NOT_SEEN)

    def play(self, text: str) -> MessagePlayed:
        """Plays a message of the room. Raises BadInput for one that cannot be taken apart: nothing of it is played."""
        self._steps += 1
        if self._steps % _REFRESH == 0:
            self._chart = MapChart(self._module, self._module_map)
            self.board.forget_readings()
        if text.startswith("CHAT") and "\x1b" not in text:  # as nearly all messages are
            return self._chat((lv.Chat(text[4:]),))
        step = live_step(self._steps, text)
        if all(type(leaf) is lv.Chat for leaf in step.commands):
            return self._chat(step.commands)
        self._must_fit(step)
        before = self.clock
        changed = self.board.play(step)
        unread = tuple([command.what for command in self.board.unread])
        seated = self._keep(step)
        moved = tuple(self._moves(step, changed)) if self._ships else ()
        if self.board.clocked or (self._hands and any(map(self._is_hand, step.commands))):
            self.clock = self._shown_clock()
        chat = self._chat(step.commands)
        clock = self.clock if self.clock != before else None
        return MessagePlayed(
            chat.typed, chat.shown, moved, clock, rolls_of(step), step.undo, unread, True, seated
        )

    @property
    def text(self) -> str:
        """The command string that restores the game as it stands. Raises BadInput where there is none."""
        return game_text(self.save, self.board, self._later)

    # -- inside --------------------------------------------------------------------------

    def _chat(self, leaves: Iterable[lv.Leaf]) -> MessagePlayed:
        lines, shown = [], []
        for leaf in leaves:
            if isinstance(leaf, lv.Chat):
                line = typed(leaf.text)
                if line:
                    lines.append(line)
                else:
                    shown.append(leaf.text)
        return MessagePlayed(tuple(lines), tuple(shown))

    def _must_fit(self, step: StepForward) -> None:
        """Raises BadInput for pieces beyond what a game may hold."""
        new = [leaf for leaf in step.commands if isinstance(leaf, lv.AddPiece)]
        if not new:
            return
        if len(self.board.pieces) + len(new) > MAX_PIECES:
            raise BadInput(f"more than {MAX_PIECES} pieces")
        self._added += sum(len(leaf.type) + len(leaf.state) for leaf in new)
        if self._added > _MOST_TEXT:
            raise BadInput("more pieces were added than a game can hold")

    def _keep(self, step: StepForward) -> bool:
        """Takes note of seats and notes; were there seats?"""
        written = [leaf for leaf in step.commands if is_kept(leaf)]
        if not written:
            return False
        if len(self._later) + len(written) > _MOST_KEPT:
            raise BadInput("more seats and notes than a game can hold")
        self._later = kept(written, self._later)
        roster = self.save.roster
        for leaf in written:
            if isinstance(leaf, lv.PlayerSeat):
                roster.seat(leaf)
            elif isinstance(leaf, lv.PlayerLeft):
                roster.leave(leaf.id)
        return any(isinstance(leaf, lv.PlayerSeat) for leaf in written)

    def _see(self, identity: str) -> None:
        """Takes note of a piece that may be the counter of a ship that is followed."""
        piece = self.board.pieces.get(identity)
        if piece is None or identity in self._counters:
            return
        name = self._ships.get(folded(piece.basic_name)) if piece.basic_name else None
        if name and name not in self._counters.values() and is_counter(piece, self._module_map):
            self._counters[identity] = name
            self._stands[identity] = self._chart.stand(piece, self.board.boards)

    def _moves(self, step: StepForward, changed: Iterable[str]) -> Iterable[MovedShip]:
        movers = {
            leaf.id: leaf.player.reveal()
            for leaf in step.commands
            if isinstance(leaf, lv.MovePiece) and leaf.player
        }
        for identity in changed:
            if identity not in self._counters:
                self._see(identity)
                continue
            before = self._stands[identity]
            piece = self.board.pieces.get(identity)
            now = self._chart.stand(piece, self.board.boards)
            if now != before:
                self._stands[identity] = now
                by = movers.get(identity) or next(iter(movers.values()), "")
                yield MovedShip(self._counters[identity], before, now, by)

    def _is_hand(self, leaf: lv.Leaf) -> bool:
        return isinstance(leaf, lv.MutableProperty) and leaf.name in self._hands

    def _shown_clock(self) -> Clock:
        """What the trackers of the table show."""
        state = tracker_told(self.board.turns.values(), self._module_map)
        clock = read_clock(state, self._module_map) if state else Clock()
        if not self._hands:
            return clock
        values = {name: value for (_, name), value in self.board.properties.items()}
        return read_properties(clock, values, self._module_map)


def chat_alone(text: str) -> MessagePlayed:
    """What is said in a message before any game is there."""
    chat = [leaf.text for leaf in live_step(0, text).commands if isinstance(leaf, lv.Chat)]
    lines = [typed(line) for line in chat]
    shown = tuple(line for line, player_line in zip(chat, lines, strict=True) if player_line is None)
    return MessagePlayed(tuple(line for line in lines if line), shown)
