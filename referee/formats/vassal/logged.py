"""What happened in a log, gathered in one pass: moves, energy forms as turns began, chat and dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, count
from operator import ne
from typing import TYPE_CHECKING

from referee.core.frozen import replace
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chat_log import Talk
from referee.formats.vassal.corrected_positions import truly_placed
from referee.formats.vassal.course import (
    NOT_SEEN,
    Change,
    Course,
    Hops,
    MapChart,
    Stand,
    TakenBack,
    is_ahead,
    moved,
    moved_once,
)
from referee.formats.vassal.fleet import ShipsSeen
from referee.formats.vassal.game import Save, StepForward
from referee.formats.vassal.gathered import (
    ChatOrder,
    Dragged,
    FormsAt,
    Logged,
    LoggedRoll,
    Marked,
    TurnShown,
    WentBack,
    column_filled,
)
from referee.formats.vassal.marks import shows_same
from referee.formats.vassal.piece_identity import FollowedBoard
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import Clock, is_counter, read_clock, read_properties, tracker_told
from referee.formats.vassal.spoken import called_out, reported, tells_nothing, typed
from referee.formats.vassal.unreadable_steps import UnreadCommand, unread_in

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.recovered_steps import Lost

_LEAP = 32  # impulses a clock may pass over in a step
_Touched = tuple[str, Piece | None, Piece | None]
"""A piece that a step touched: its id, the piece as it is and as it was, None where it is or was not seen."""


def read_log(
    save: Save,
    module: Module | None = None,
    module_map: ModuleMap | None = None,
    begins: tuple[int, int | None] | None = None,
) -> Logged:
    """Plays a log and gathers what happened in it; a map says what the module's names mean. Where its tracker
    does not tell the time, it `begins` in that turn and impulse, or where the map says."""
    mapped = (module_map.start.turn, module_map.start.impulse) if module_map else (None, None)
    start = Clock(*(begins or mapped))
    reading = _Playback(save, module, module_map, start).played()
    if reading.hops.are_play and not reading.tells_time and not reading.locked:
        # Neither forms nor a clock tell play from what is put in place before it.
        reading = _Playback(save, module, module_map, start, sets_up=False).played()
    return reading.logged()


class _Playback:
    """One log being played."""

    def __init__(
        self,
        save: Save,
        module: Module | None,
        module_map: ModuleMap | None,
        begins: Clock,
        *,
        sets_up: bool = True,
    ) -> None:
        self.save, self.module_map, self.begins, self.sets_up = save, module_map, begins, sets_up
        self.board = FollowedBoard(save, module, module_map)
        self.chart = MapChart(module, module_map)
        self.hands = frozenset(module_map.properties.values()) if module_map else frozenset()
        self.tells_time = any(self._tells(leaf) for step in save.steps for leaf in step.commands)
        shown = self._tracker()
        # A tracker that is never moved does not tell the time to someone who says it.
        idle = begins.turn is not None and not self.tells_time
        self.clock = self.start = begins if idle or shown is None or shown.turn is None else shown
        self.stepped = False
        self.clocks: dict[tuple[int, int], dict[Clock, None]] = {}
        self._see_clock()
        self.courses = {
            piece.id: Course(self.chart.stand(piece, self.board.boards))
            for piece in save.pieces
            if is_counter(piece, module_map)
        }
        self.lurking = self.chart.lurking(save.pieces, self.board.boards)
        self.stirred: dict[str, Clock] = {}
        self.fleet = ShipsSeen(save.file, module_map)
        self.newcomers = True
        self._see_ships()
        self.edits: dict[str, dict[int, dict[int, list[int]]]] = {}
        self.locked: dict[int, FormsAt] = {}
        self.ends: dict[tuple[int, int], int] = {}
        self.back: list[TakenBack] = []
        self.set_up: dict[str, None] = {}
        self.hops = Hops()
        # What each counter did last as it was put in place: the step, and how it stood before and after.
        self.turned_in_place: dict[str, tuple[int, Stand, Stand]] = {}
        self.dragged: list[Dragged] = []
        self.strayed: set[tuple[str, int]] = set()
        self.lost: Lost | None = None
        self.marked: list[Marked] = []
        self.talk = Talk(save, module_map, self._look, self._order_given)
        for leaf in save.secret_notes:
            self.talk.notes.write(0, self.clock, leaf)
        self.went_back: list[WentBack] = []
        self.turns_shown: list[TurnShown] = []
        self.arrived: dict[str, Clock] = {}
        self._filled: set[int] = set()
        if self.clock.turn is not None and (self.clock.impulse or 1) > 1:
            self._lock(self.clock.turn, 1)

    def played(self) -> _Playback:
        """Itself, with all steps played."""
        for step in self.save.steps:
            self.play(step)
        return self

    def play(self, step: StepForward) -> None:
        for lost, clock in self.lost.steps_before(step, self.board) if self.lost else ():
            self._play_lost(lost, clock)
        changed = self.board.play(step)
        if self.board.unread or self.board.odd:
            for command in (*self.board.unread, *unread_in(step)):
                self._lose(step, command)
        if self.board.clocked or self.hands or not self.tells_time:
            self._tell_time(step)
        if changed:
            self._see(step, changed)
        if not tells_nothing(step):
            self.talk.listen(step, self.clock)

    def _see(self, step: StepForward, changed: Iterable[str]) -> None:
        pieces, replaced = self.board.pieces, self.board.replaced
        # Of what lies in a stack nothing is seen of the stack itself.
        touched = [(i, pieces.get(i), replaced.get(i)) for i in changed if i in pieces or i in replaced]
        if self.board.altered or self.module_map:
            self._edits(step, touched)
            self._marks(step, touched)
        self._moves(step, touched)

    def _lose(self, step: StepForward, command: UnreadCommand) -> None:
        """Takes note of a command that could not be read, as few logs have."""
        from referee.formats.vassal.recovered_steps import Lost

        self.lost = self.lost or Lost()
        self.lost.add(step.n, self.clock, command, self.board)

    def _play_lost(self, step: StepForward, clock: Clock) -> None:
        """Plays what an unread command did, now that it shows: what was seen since is seen as it was."""
        from referee.formats.vassal.recovered_steps import seen_anew, standing_anew

        now, self.clock = self.clock, clock
        self._see(step, self.board.play(step))
        shown = {i: self.board.pieces[i] for i in self.board.replaced if i in self.board.pieces}
        self.locked = {at.turn: at for at in seen_anew(self.locked.values(), step.n, shown)}
        stands = {i: self.courses[i].stand for i in shown if i in self.courses}
        self.talk.chat_orders = standing_anew(seen_anew(self.talk.chat_orders, step.n, shown), step.n, stands)
        self.clock = now

    # -- when ----------------------------------------------------------------------------

    def _tells(self, leaf: lv.Leaf) -> bool:
        """Does a command move the hands of the clock?"""
        return isinstance(leaf, lv.Turn) or (isinstance(leaf, lv.MutableProperty) and leaf.name in self.hands)

    def _tracker(self) -> Clock | None:
        state = tracker_told(self.board.turns.values(), self.module_map)
        clock = read_clock(state, self.module_map) if state else None
        if not self.hands:
            return clock
        values = {name: value for (_, name), value in self.board.properties.items()}
        return read_properties(clock or Clock(), values, self.module_map)

    def _tell_time(self, step: StepForward) -> None:
        before, clock = self.clock, self.clock
        if not self.tells_time:
            for leaf in step.commands:
                if isinstance(leaf, lv.Chat):
                    line = typed(leaf.text)
                    clock = called_out(line.text, clock) if line else reported(leaf.text, clock)
        elif self.board.clocked or any(map(self._tells, step.commands)):
            clock = self._tracker() or clock
            if self.lost and not self.board.unread:
                self.lost.clock_told(step.n, clock)
        self.clock = clock
        self.stepped = self.stepped or (clock.step, clock.step_number) != (before.step, before.step_number)
        if clock is before or clock.turn is None:
            return
        self._see_clock()
        if before.turn is not None and clock.turn != before.turn:
            self.turns_shown.append(TurnShown(step.n, before.turn, clock.turn, not self.tells_time))
        if clock.impulse != before.impulse or clock.turn != before.turn:
            self._pass(step, before)
        if not step.undo and (clock.impulse or 0) > 1 and clock.turn not in self.locked:
            self._lock(clock.turn, step.n)

    def _see_clock(self) -> None:
        if (moment := self.clock.moment) is not None:
            self.clocks.setdefault(moment, {})[self.clock] = None

    def _pass(self, step: StepForward, before: Clock) -> None:
        """Takes note that impulses are over, or that the clock was put back."""
        was, now = before.moment, self.clock.moment
        if was is None or now is None:
            return
        if now > was:
            turn, impulse = was
            last = now[1] - 1 if now[0] == turn else self.clock.impulses or impulse
            last = min(last, impulse + _LEAP)
            self.ends.update(((turn, over), step.n) for over in range(impulse, last + 1))
            return
        begun = self.locked.get(now[0]) if now[1] <= 1 else None
        moves = (course.changes for course in self.courses.values())
        rows: tuple[Sequence[ChatOrder | LoggedRoll | Change], ...] = (
            self.talk.chat_orders,
            self.talk.rolled,
            *moves,
        )
        if begun and not any(row and row[-1].step >= begun.step for row in rows):
            del self.locked[now[0]]  # the clock was put on too early
        if not step.undo:
            self.went_back.append(WentBack(step.n, before, self.clock))

    # -- forms ---------------------------------------------------------------------------

    def _edits(self, step: StepForward, touched: Iterable[_Touched]) -> None:
        for identity, now, before in touched:
            if now is None or before is None:
                self.newcomers = self.newcomers or (now is not None and now.kind == "piece")
                continue
            for new, old in zip(now.tables, before.tables, strict=False):
                if new is not old:
                    self._edit(step.n, identity, new.rows, old.rows)

    def _edit(
        self, n: int, piece: str, new: Sequence[tuple[str, ...]], old: Sequence[tuple[str, ...]]
    ) -> None:
        for number in compress(count(), map(ne, new, old)):
            columns = self.edits.setdefault(piece, {})
            for column in compress(count(), map(ne, new[number], old[number])):
                columns.setdefault(column, {}).setdefault(number, []).append(n)

    def _lock(self, turn: int, n: int) -> None:
        """A turn's movement began in a step: its forms are as they stood before it."""
        self.locked[turn] = FormsAt(turn, n, self._table(self.board.replaced))
        if self.newcomers:
            self._see_ships()

    def _see_ships(self) -> None:
        self.newcomers = False
        self.fleet.see(self.board.pieces)
        self.board.ships |= self.fleet.displayed

    def _table(self, before: Mapping[str, Piece]) -> dict[str, Piece]:
        """Counters and displays as they stood, some of them as they were `before`."""
        pieces = {**self.board.pieces, **before} if before else self.board.pieces
        module_map = self.module_map
        return {
            i: p
            for i, p in pieces.items()
            if p.tables
            or p.sheets
            or p.layers
            or p.dynamic
            or i in self.courses
            or (module_map and module_map.is_mark(p))
        }

    def _is_filled(self, turn: int) -> bool:
        """Has anyone written a figure below the heading of a turn?"""
        if turn not in self._filled and any(
            column_filled(table.rows, turn) for piece in self.board.pieces.values() for table in piece.tables
        ):
            self._filled.add(turn)
        return turn in self._filled

    # -- damage --------------------------------------------------------------------------

    def _marks(self, step: StepForward, touched: list[_Touched]) -> None:
        """Takes note of displays that show other boxes than before the step."""
        module_map = self.module_map
        if module_map and any(module_map.is_mark(p) for _, *both in touched for p in both if p):
            replaced, changed = self.board.replaced, {i for i, _, _ in touched}
            before = {i: p for i, p in self._table(replaced).items() if i in replaced or i not in changed}
            self.marked.append(Marked(step.n, self.clock, before, self._table({}), step.undo))
            return
        marked = [(i, now, was) for i, now, was in touched if now and was and not shows_same(now, was)]
        if marked:
            before, after = {i: was for i, _, was in marked}, {i: now for i, now, _ in marked}
            self.marked.append(Marked(step.n, self.clock, before, after, step.undo))

    # -- moves ---------------------------------------------------------------------------

    def _moves(self, step: StepForward, touched: Iterable[_Touched]) -> None:
        for identity, piece, _ in touched:
            if piece is not None and identity in self.lurking:
                self._lurk(piece)
            course = self.courses.get(identity)
            if course is None:
                if piece is not None and is_counter(piece, self.module_map):
                    self._arrive(step, piece)
                continue
            stand = self.chart.stand(piece, self.board.boards)
            if self.lost and self.lost.heading_lost(identity):
                stand = Stand(stand.hex, None)
            if stand != course.stand:
                self._move(step, identity, piece, course, stand)

    def _lurk(self, piece: Piece) -> None:
        """A piece that is masked or hidden since the start is put in place before play began, or dragged in play."""
        hex, turn = self.chart.lurking([piece], self.board.boards).get(piece.id), self.clock.turn
        if hex is None or hex == self.lurking[piece.id]:
            return
        sets_up = self.sets_up and turn == self.start.turn and not self.locked
        if turn is not None and sets_up and not self._is_filled(turn):
            self.lurking[piece.id] = hex
        else:
            self.stirred.setdefault(piece.id, self.clock)

    def _arrive(self, step: StepForward, piece: Piece) -> None:
        """A counter came to be: before movement began it is put in place, and is nowhere before that else."""
        course = self.courses[piece.id] = Course(NOT_SEEN)
        self.arrived[piece.id] = self.clock
        self._see_ships()
        stand, turn = self.chart.stand(piece, self.board.boards), self.clock.turn
        if turn is None or (turn == self.start.turn and not self.locked):
            course.set_up(stand)
            return
        self.board.hold_copy(piece.id)
        course.go(step.n, self.clock, stand, undo=step.undo)

    def _move(
        self, step: StepForward, identity: str, piece: Piece | None, course: Course, stand: Stand
    ) -> None:
        turn = self.clock.turn
        if turn is not None and turn not in self.locked:
            if self._is_filled(turn) and stand.hex and course.stand.hex and stand.hex != course.stand.hex:
                self._lock(turn, step.n)
                self.turned_in_place.clear()
            elif self.sets_up and turn == self.start.turn and not self.locked and not self._is_filled(turn):
                # A hex ahead once a speed was said is a move, though nobody fills in a form.
                if not (self.talk.speed_said and is_ahead(course.stand, stand)):
                    self.set_up[identity] = None
                    self.turned_in_place[identity] = step.n, course.stand, stand
                    self.hops.add(course.stand, stand)
                    course.set_up(stand)
                    return
                self._lock(turn, step.n)
        at, before, turned = self.turned_in_place.pop(identity, (0, stand, stand))
        if before.hex == turned.hex and self.talk.speed_said and is_ahead(turned, stand):
            # It turned in its hex just before: that was the turn of its move.
            self.set_up.pop(identity, None)
            course.set_up(before)
            course.go(at, self.clock, turned, undo=False)
        self._drag(step, identity)
        if stand.hex is None and (piece is None or not (piece.masked or piece.hidden)):
            self.strayed.add((identity, step.n))
        back = course.go(step.n, self.clock, stand, undo=step.undo)
        if back is not None:
            self.back.append(replace(back, piece=identity))

    def _drag(self, step: StepForward, identity: str) -> None:
        """Takes note of who moved a counter, where its step tells."""
        if step.undo:
            return
        for leaf in step.commands:
            if isinstance(leaf, lv.MovePiece):
                if name := self.save.roster.name_of(leaf.player):
                    self.dragged.append(Dragged(step.n, identity, name))
                return

    # -- orders in chat ------------------------------------------------------------------

    def _look(self) -> tuple[Mapping[str, Piece], Mapping[str, Stand]]:
        """The table, and where counters stand, by id."""
        return self._table({}), {identity: course.stand for identity, course in self.courses.items()}

    def _order_given(self, step: StepForward) -> None:
        """An order that is only given in play: the turn's movement began with it."""
        turn = self.clock.turn
        if turn is not None and turn not in self.locked:
            self._lock(turn, step.n)

    # -- all of it -----------------------------------------------------------------------

    def logged(self) -> Logged:
        self._see_ships()
        changes = {identity: tuple(course.changes) for identity, course in self.courses.items()}
        left = [identity for identity in self.arrived if identity not in self.board.pieces]
        idle = not self.tells_time and self.clock == self.start
        # Where somebody says when a log begins, it may be over before the impulse is.
        short = self.begins.moment is not None and all(map(moved_once, changes.values()))
        timeless = idle and not short and any(map(moved, changes.values()))
        if timeless:
            changes = {i: tuple(replace(c, clock=Clock()) for c in row) for i, row in changes.items()}
        orders = truly_placed(self.talk.chat_orders, self.courses, self.back)
        return Logged(
            file=self.save.file,
            ships=self.fleet.ships({i for i in left if not changes[i] and self.courses[i].began == NOT_SEEN}),
            start=Clock() if timeless else self.start,
            end=Clock() if timeless else self.clock,
            began={identity: course.began for identity, course in self.courses.items()},
            changes=changes,
            forms=tuple(self.locked.values()),
            final=FormsAt(0, len(self.save.steps) + 1, self._table({})),
            lurking=self.lurking,
            stirred=self.stirred,
            edits=self.edits,
            ends=self.ends,
            taken_back=tuple(self.back),
            set_up=tuple(self.set_up),
            chat_orders=tuple(map(self.lost.known_stands, orders)) if self.lost else orders,
            rolled=tuple(self.talk.rolled),
            chat_lines=tuple(self.talk.heard),
            cancels=tuple(self.talk.cancels),
            imitated=tuple(self.talk.imitated),
            dragged=tuple(self.dragged),
            strayed=frozenset(self.strayed),
            unread=self.lost.unread() if self.lost else (),
            marked=tuple(self.marked),
            noted=tuple(self.talk.notes.noted),
            went_back=tuple(self.went_back),
            turns_shown=tuple(self.turns_shown),
            private=tuple(self.talk.notes.private),
            arrived=self.arrived,
            copies=self.board.copies,
            passing=frozenset(identity for identity in left if not moved(changes[identity])),
            unseen=sum(p.kind == "piece" and (p.masked or p.hidden) for p in self.board.pieces.values()),
            steps_taken=self.stepped,
            clocks=self.clocks,
            pieces=self.board.pieces,
            module_map=self.module_map,
        )
