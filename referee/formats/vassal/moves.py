"""From the changes of counters in a log to moves: a turn and the hex it leads into are one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, pairwise, takewhile
from operator import eq
from typing import Any

from referee.core.frozen import frozen, replace
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.core.location import Location
from referee.core.play import Drag, Move, When
from referee.formats.vassal.course import Change, Stand, TakenBack, turns_in_place


@frozen
class TurnedOnSpot:
    """A counter turned in one impulse without moving; `moved` is when it next moved, if it did."""

    ship: str
    step: int
    when: When
    before: str
    after: str
    moved: When | None


@frozen
class TurnedInPlace:
    """A counter turned in the impulse `when` without moving, in `step`, and turned back, or on as it then moved,
    in the step `back` of a later one: it had faced `before` all the time, and was seen to face `after`."""

    ship: str
    step: int
    when: When
    before: str
    after: str
    back: int
    righted: When


@frozen
class WentOrCame:
    """A counter left the table's view, or `came` to it, perhaps again; `hex` and `facing` are where it was seen
    last, or is seen now."""

    ship: str
    step: int
    when: When
    came: bool = False
    hex: Hex | None = None
    facing: str | None = None


@frozen
class PutRight:
    """A counter was dragged to a wrong hex in one step and to the right one in another: in the same impulse, or
    `late`. It was put right `anew` where the first drag does not show the hex."""

    ship: str
    first: int
    step: int
    late: bool = False
    anew: bool = False
    when: When = When()


@frozen
class Moves:
    """The moves of a log in the order they were made; `turned_in` is the step a move's turn was made in,
    by the ship and the step of the move. What was put right is one move."""

    moves: tuple[Move, ...]
    turned_in: Mapping[tuple[str, int], int]
    turned: tuple[TurnedOnSpot, ...]
    gone: tuple[WentOrCame, ...]
    put_right: tuple[PutRight, ...] = ()
    turned_in_place: tuple[TurnedInPlace, ...] = ()


_Row = tuple[list[Any], ...]
"""Changes side by side: their steps, where counters stood before and after them, and the clock."""
_Asked = tuple[str, _Row, list[tuple[TakenBack, tuple[Change, ...]]]]


class Walked:
    """The ways of ships as they were walked last: where nothing of it has changed, none is walked again."""

    def __init__(self) -> None:
        self._ways: dict[str, tuple[_Asked, _Way]] = {}

    def way(self, ship: str, file: str, changes: Sequence[Change], taken: Sequence[TakenBack]) -> _Way:
        """The way of a ship."""
        # Side by side, so that what is the same is compared without a look at each change.
        steps, clocks = [change.step for change in changes], [change.clock for change in changes]
        row = steps, [change.before for change in changes], [change.after for change in changes], clocks
        asked = file, row, [(back, back.changes) for back in taken]
        known = self._ways.get(ship)
        if known is not None and known[0] == asked:
            return known[1]
        way = _Way(ship, file)
        if known is not None and known[1].is_start_of(file, row, known[0][1]):
            way.go_on(known[1])
        way.walk(changes)
        if taken:
            left = [back for back in taken if not way.retraces(back)]
            drags = _drags(left)
            way.moves = [_with_drags(move, drags.get(move.when, ())) for move in way.moves]
        way.turned_in_place = tuple(_turned_in_place(ship, changes))
        if known is not None:  # What is as it was is the very same object, which others tell at a glance.
            was = known[1].moves
            same = [
                old if old is new or old == new else new for old, new in zip(was, way.moves, strict=False)
            ]
            way.moves[: len(same)] = same
        self._ways[ship] = asked, way
        return way


def moves_of(
    changes: Mapping[str, Sequence[Change]],
    file: str,
    taken: Mapping[str, Sequence[TakenBack]] | None = None,
    walked: Walked | None = None,
) -> Moves:
    """The moves of ships, by name, from their counters' changes and from what was `taken` back of them; those that
    were `walked` before are as they were."""
    walked, back = walked or Walked(), taken or {}
    ways = [walked.way(name, file, row, back.get(name, ())) for name, row in changes.items()]
    moves = sorted((move for way in ways for move in way.moves), key=_step)
    return Moves(
        tuple(moves),
        {key: step for way in ways for key, step in way.turned_in.items()},
        tuple(turned for way in ways for turned in way.turned),
        tuple(gone for way in ways for gone in way.gone),
        tuple(right for way in ways for right in way.put_right),
        tuple(turn for way in ways for turn in way.turned_in_place),
    )


def _turned_in_place(ship: str, changes: Sequence[Change]) -> Iterator[TurnedInPlace]:
    for turn in turns_in_place(changes):
        first, back = turn.first, turn.back
        facings = turn.true.facing or "", first.after.facing or "no hex side"
        yield TurnedInPlace(ship, first.step, _when(first), *facings, back.step, _when(back))


def _step(move: Move) -> int:
    return move.location.step or 0


class _Way:
    """One ship's changes, gone through in order; `_waiting` are turns whose hex is still to come."""

    def __init__(self, ship: str, file: str) -> None:
        self.ship = ship
        self.file = file
        self.moves: list[Move] = []
        self.turned_in: dict[tuple[str, int], int] = {}
        self.turned: list[TurnedOnSpot] = []
        self.gone: list[WentOrCame] = []
        self.put_right: list[PutRight] = []
        self.turned_in_place: tuple[TurnedInPlace, ...] = ()
        self._waiting: list[Change] = []
        self._sure = 0
        """How many changes were gone through before the last one into another hex: what is made of them stands,
        whatever comes after that."""
        self._was_sure: tuple[Sequence[Move], int, int, list[Change]] = ((), 0, 0, [])

    def is_start_of(self, file: str, now: _Row, before: _Row) -> bool:
        """Does a way that is gone `now` begin as this one, of `before`, did? Not where moves were put together."""
        n = self._sure + 1
        if file != self.file or self.put_right:
            return False
        return all(was[:n] == row[:n] for was, row in zip(before, now, strict=True))

    def go_on(self, other: _Way) -> None:
        """Stands where another stood when its changes up to the last one into another hex were gone through."""
        moves, turned, gone, waiting = other._was_sure
        self.moves, self.turned, self.gone = [*moves], other.turned[:turned], other.gone[:gone]
        steps = {(self.ship, _step(move)) for move in self.moves}
        self.turned_in = {key: step for key, step in other.turned_in.items() if key in steps}
        self._waiting, self._sure, self._was_sure = [*waiting], other._sure, other._was_sure

    def walk(self, changes: Sequence[Change]) -> None:
        last: tuple[int, int, int, int, list[Change]] | None = None
        for index, change in islice(enumerate(changes), self._sure, None):
            if change.before.hex is None or change.after.hex is None:
                self._waiting = []
                if change.before.hex != change.after.hex:
                    came = change.before.hex is None
                    seen = change.after if came else change.before
                    self.gone.append(WentOrCame(self.ship, change.step, _when(change), came, *seen))
            elif change.before.hex != change.after.hex:
                last = index, len(self.moves), len(self.turned), len(self.gone), self._waiting
                self._move(change)
            elif not self._late(change, changes, index):
                self._waiting.append(change)
        if last is not None:
            self._sure, moves, turned, gone, waiting = last
            self._was_sure = tuple(self.moves[:moves]), turned, gone, waiting
        self._leave_waiting(None)
        whens = [move.when for move in self.moves]
        if any(map(eq, whens, whens[1:])) or not all(map(_dead_ahead, self.moves)):
            rows = [list(row) for _, row in groupby(self.moves, _impulse)]
            for row, later in pairwise(rows):
                self._put_right_late(row, later)
            self.moves = [move for row in rows for move in self._righted(row)]

    def _put_right_late(self, row: list[Move], later: list[Move]) -> None:
        """Where the drags of an impulse lead to no hex dead ahead, and the first of a later one from there back to
        one, they are one move, made with the first drag."""
        if not row or not later or None in (row[0].when.impulse, later[0].when.impulse):
            return
        first, right = row[0], later[0]
        if not _follow([*row, right]) or _dead_ahead(_whole(row)):
            return
        whole = replace(_whole([*row, right]), when=first.when, location=first.location)
        if not _dead_ahead(whole):
            return
        begin, end = first.location.step or 0, right.location.step or 0
        anew = not all(_shows(Stand(move.to_hex, move.facing_after), whole) for move in row)
        turn = self._last_turn([*row, right])
        if turn is not None:
            self.turned_in[self.ship, begin] = turn
        self.put_right.append(PutRight(self.ship, begin, end, late=True, anew=anew, when=right.when))
        row[:] = [replace(whole, drags=(Drag(begin, end, anew),))]
        del later[0]

    def retraces(self, back: TakenBack) -> bool:
        """Did what was taken back by hand put an earlier move right, and move the counter again to where it had been
        dragged too early? Then these are its moves; that which it made out of sight it may have made before."""
        seen = takewhile(lambda change: None not in (change.before.hex, change.after.hex), back.changes)
        hops = [change for change in seen if change.before.hex != change.after.hex]
        if back.undo or not hops:
            return False
        made = [move for move in self.moves if _step(move) < hops[0].step]
        row = [move for move in made if move.when == made[-1].when]
        if not row or _dead_ahead(_whole(row)) or row[-1].to_hex != hops[0].before.hex:
            return False
        closing = replace(hops[-1], step=back.step, before=hops[-1].after, after=hops[0].before)
        begun, later = len(made) - len(row), [self._made(hop) for hop in (*hops, closing)]
        self._put_right_late(row, later)
        if len(later) > len(hops):
            return False
        if any(change.after.hex is None for change in back.changes):
            later[-1] = replace(later[-1], drags=(Drag(hops[-1].step, back.step, False),))
        self.moves[begun : len(made)] = [*row, *self._righted(later)]
        return True

    def _made(self, change: Change) -> Move:
        assert change.before.hex and change.after.hex
        location = Location(self.file, piece=self.ship, step=change.step)
        hexes, facings = (change.before.hex, change.after.hex), (change.before.facing, change.after.facing)
        return Move(self.ship, _when(change), *hexes, *facings, location)

    def _last_turn(self, row: list[Move]) -> int | None:
        """Takes out the steps of the turns of some moves; the last."""
        keys = [(self.ship, move.location.step or 0) for move in row]
        turns = [self.turned_in.pop(key) for key in keys if key in self.turned_in]
        return turns[-1] if turns else None

    def _righted(self, row: list[Move]) -> list[Move]:
        """The moves of an impulse; one where all of them together, or those from a wrong first one on, come to a hex
        dead ahead, which they did not each."""
        if len(row) < 2:
            return row
        whole = _whole(row)
        if row[0].when.impulse is None or not _follow(row) or not _dead_ahead(whole):
            # A counter that was put right may be put away after.
            wrong = len(row) > 2 and not _dead_ahead(row[0])
            first = self._righted(row[:-1]) if wrong else row
            return [*first, row[-1]] if first is not row else row
        steps = [move.location.step or 0 for move in row]
        turn = self._last_turn(row)
        if turn is not None:
            self.turned_in[self.ship, steps[-1]] = turn
        self.put_right.append(PutRight(self.ship, steps[0], steps[-1]))
        shown = all(_shows(Stand(move.to_hex, move.facing_after), whole) for move in row)
        return [replace(whole, drags=(Drag(steps[0], steps[-1], not shown),))]

    def _move(self, change: Change) -> None:
        waiting = self._waiting
        self._leave_waiting(change)
        move = self._made(change)
        if waiting:
            move = replace(move, facing_before=waiting[0].before.facing)
        self.moves.append(move)
        if waiting:
            self.turned_in[self.ship, change.step] = waiting[-1].step

    def _leave_waiting(self, move: Change | None) -> None:
        """Takes note of turns that were made in another impulse than the move they lead to, or to none."""
        waiting, self._waiting = self._waiting, []
        if not waiting or (move and move.clock.moment == waiting[-1].clock.moment):
            return
        first, last = waiting[0], waiting[-1]
        if first.before.facing and last.after.facing and first.before.facing != last.after.facing:
            then = _when(move) if move else None
            facings = first.before.facing, last.after.facing
            self.turned.append(TurnedOnSpot(self.ship, last.step, _when(last), *facings, then))

    def _late(self, change: Change, changes: Sequence[Change], index: int) -> bool:
        """Was the turn made after the move of its impulse? Then it belongs to that move."""
        if not self.moves or self.moves[-1].when != _when(change) or change.clock.moment is None:
            return False
        follows = (c for c in islice(changes, index + 1, None) if c.before.hex != c.after.hex)
        following = next(follows, None)
        if following is not None and following.clock.moment == change.clock.moment:
            return False
        move = self.moves[-1]
        self.moves[-1] = replace(move, facing_after=change.after.facing)
        self.turned_in[self.ship, move.location.step or 0] = change.step
        return True


def _drags(taken: Iterable[TakenBack]) -> dict[When, list[tuple[TakenBack, list[Change]]]]:
    """What was taken back that had led to another hex, and its hops, by the impulse of the first."""
    found: dict[When, list[tuple[TakenBack, list[Change]]]] = {}
    for back in taken:
        if hops := [change for change in back.changes if change.before.hex != change.after.hex]:
            found.setdefault(_when(hops[0]), []).append((back, hops))
    return found


def _with_drags(move: Move, taken: Iterable[tuple[TakenBack, list[Change]]]) -> Move:
    """A move with the drags of its counter in its impulse that were taken back before it."""
    drags = [
        Drag(hops[0].step, back.step, not all(_shows(Stand(hop.after.hex, faced), move) for hop in hops))
        for back, hops in taken
        if back.step <= (move.location.step or 0)
        for faced in (back.changes[-1].after.facing,)
    ]
    return replace(move, drags=(*drags, *move.drags)) if drags and move.when.impulse is not None else move


def _shows(stand: Stand, move: Move) -> bool:
    """Does a counter that was put somewhere show its move: there, or too far on the same line?"""
    hex, facing = stand
    if hex is None or facing is None or facing != move.facing_after:
        return False
    far = true_range(move.from_hex, hex)
    on_line = far > 0 and move.from_hex.step(facing, far) == hex
    return on_line and move.from_hex.leads_to(facing, move.to_hex)


def _whole(row: Sequence[Move]) -> Move:
    """Some moves as one."""
    return replace(row[-1], from_hex=row[0].from_hex, facing_before=row[0].facing_before)


def _follow(row: Iterable[Move]) -> bool:
    """Does each move begin where the one before ended?"""
    return all(move.to_hex == after.from_hex for move, after in pairwise(row))


def _impulse(move: Move) -> When:
    return move.when


def _dead_ahead(move: Move) -> bool:
    """Is it one hex dead ahead, turned by 60 degrees at most?"""
    before, after = move.facing_before, move.facing_after
    if before is None or after is None or not move.from_hex.leads_to(after, move.to_hex):
        return False
    return (FACINGS.index(after) - FACINGS.index(before)) % len(FACINGS) in (0, 1, len(FACINGS) - 1)


def _when(change: Change) -> When:
    return When(change.clock.turn, change.clock.impulse)
