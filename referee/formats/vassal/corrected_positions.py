"""Where counters truly stood when something was said: not where they were put for it and taken away from again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from referee.core.frozen import replace
from referee.core.hexgrid import FACINGS
from referee.formats.vassal.course import Change, Course, Stand, TakenBack, turns_in_place
from referee.formats.vassal.gathered import ChatOrder, Misplaced
from referee.formats.vassal.recognise import Clock

_Moment = tuple[int, int]


def truly_placed(
    lines: Iterable[ChatOrder], courses: Mapping[str, Course], back: Iterable[TakenBack]
) -> tuple[ChatOrder, ...]:
    """What was said, with every counter where it truly stood then, and those that were seen elsewhere by id."""
    taken: dict[str, list[TakenBack]] = {}
    for undone in back:
        taken.setdefault(undone.piece, []).append(undone)
    ways = {identity: _Way(course, taken.get(identity, ())) for identity, course in courses.items()}
    odd = {identity: way for identity, way in ways.items() if way.is_odd}
    return tuple([_placed(line, odd) if odd else line for line in lines])


def _placed(line: ChatOrder, ways: Mapping[str, _Way]) -> ChatOrder:
    stands: dict[str, Stand] = {}
    found: dict[str, Misplaced] = {}
    for identity, way in ways.items():
        seen = line.stands.get(identity)
        true = way.true_stand(line.step, line.clock, seen) if seen else None
        if true is not None and true.hex is not None and seen is not None and true != seen:
            stands[identity] = true
            if seen.hex is not None:  # one masked or hidden for a while was nowhere else
                found[identity] = Misplaced(seen, true)
    return replace(line, stands={**line.stands, **stands}, misplaced=found) if stands else line


class _Way:
    """One counter's changes, what was taken back of them, and the impulses in which it changed more than once."""

    def __init__(self, course: Course, back: Sequence[TakenBack]) -> None:
        self.back = back
        self._began, self._changes = course.began, course.changes
        rows: dict[_Moment, list[Change]] = {}
        for change in course.changes:
            if (moment := change.clock.moment) is not None:
                rows.setdefault(moment, []).append(change)
        self.several = {moment: row for moment, row in rows.items() if len(row) > 1}
        self.late = list(_late(list(rows.values())))
        self.turns = list(turns_in_place(course.changes))

    @property
    def is_odd(self) -> bool:
        """May it ever have been seen where it did not stand?"""
        return bool(self.back or self.several or self.late or self.turns)

    def true_stand(self, step: int, clock: Clock, seen: Stand) -> Stand | None:
        """Where it stood in a step in which it was `seen` somewhere; None where it was seen rightly."""
        if any(undone.first <= step < undone.step for undone in self.back):
            # A move that was undone and made again in its impulse was made.
            return None if seen in self._stands_in(clock) else self._at(step)
        turn = next((turn for turn in self.turns if turn.covers(step)), None)
        if turn is not None and seen.hex == turn.true.hex:
            return turn.true
        row = self.several.get(clock.moment) if clock.moment is not None else None
        true = _put_right(row, step, seen) if row else None
        rows = (late for late in self.late if true is None)
        return next((found for late in rows if (found := _put_right(late, step, seen))), true)

    def _stands_in(self, clock: Clock) -> Iterator[Stand]:
        for change in self._changes:
            if change.clock.moment == clock.moment:
                yield change.before
                yield change.after

    def _at(self, step: int) -> Stand:
        gone = [change for change in self._changes if change.step <= step]
        return gone[-1].after if gone else self._began


def _put_right(row: Sequence[Change], step: int, seen: Stand) -> Stand | None:
    """Where a counter stood in an impulse in which it was put somewhere, and put right later: there. None where it
    may have been where it was seen."""
    begin, end = row[0].before, row[-1].after
    if not row[0].step <= step < row[-1].step or None in (*begin, *end, *seen):
        return None
    turned = seen.facing not in (begin.facing, end.facing)
    astray = seen.hex not in (begin.hex, end.hex) and _is_move(begin, end) and not _is_move(begin, seen)
    return end if turned or astray else None


def _late(rows: Sequence[Sequence[Change]]) -> Iterator[Sequence[Change]]:
    """The changes of two impulses after each other, where those of the first lead to no hex dead ahead, and the
    first of the second from there to one."""
    for row, later in pairwise(rows):
        begin, end = row[0].before, row[-1].after
        right = next((n for n, change in enumerate(later, 1) if change.after.hex != end.hex), 0)
        wrong = None not in begin and end.hex not in (begin.hex, None) and not _is_move(begin, end)
        if right and wrong and _is_move(begin, later[right - 1].after):
            yield (*row, *later[:right])


def _is_move(begin: Stand, end: Stand) -> bool:
    """Does a move lead there: one hex dead ahead, turned by 60 degrees at most?"""
    if begin.hex is None or end.hex is None or begin.facing is None or end.facing is None:
        return False
    turn = (FACINGS.index(end.facing) - FACINGS.index(begin.facing)) % len(FACINGS)
    return turn in (0, 1, len(FACINGS) - 1) and begin.hex.leads_to(end.facing, end.hex)
