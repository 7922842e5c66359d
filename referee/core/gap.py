"""What a source does not wholly tell: of one kind of fact, of whom, and since when."""

from __future__ import annotations

from typing import Literal

from referee.core.finding import Certainty, Finding
from referee.core.frozen import frozen

Fact = Literal["places", "facing", "order of moves", "moves made", "turns", "marks", "form", "earlier fire"]
"""The facts that findings rest on: where counters stand and how they face, the order of moves, whether a ship moved
at all, the order of turns, marks on a display, a form, and earlier shots of a weapon."""
Instant = tuple[int, int]
"""Turn and impulse; nought before the impulses."""


@frozen
class Gap:
    """Of one kind of fact a source does not tell all: of a `subject` or, where that is None, of anybody but some, from one
    moment to another, or from the first of some steps up to the last, which is none of them. An end that is None is
    never reached."""

    of: Fact
    sure: Certainty
    """How sure a finding is that rests on it."""
    subject: str | None = None
    but: frozenset[str] = frozenset()
    moments: tuple[Instant, Instant | None] | None = None
    steps: tuple[int, int | None] | None = None
    fix: str = ""
    """What is to be done, where that is another thing than a finding says."""

    def covers(self, found: Finding) -> bool:
        """Is something of its subject found in it?"""
        if found.subject in self.but or self.subject not in (None, found.subject):
            return False
        return self._has_moment(found) or self._has_step(found)

    def _has_moment(self, found: Finding) -> bool:
        if self.moments is None:
            return False
        first, last = self.moments
        moment = found.turn or 0, found.impulse or 0
        return first <= moment and (last is None or moment <= last)

    def _has_step(self, found: Finding) -> bool:
        """What names no impulse may be of the same one as the last step."""
        if self.steps is None:
            return False
        first, last = self.steps
        step = found.location.step or 0
        timed = found.turn is not None and found.impulse is not None
        return first <= step and (last is None or step < last or (step == last and not timed))
