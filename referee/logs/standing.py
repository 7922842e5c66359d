"""What was worked out of a log when it was judged last, for a log that goes on.

Nothing is taken from here but where the very same is asked: a turn's column, what was known of the ship's damage, what
it fired, and every turn before it are equal. So the findings are those of a log that is judged for the first time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.course_standing import CourseGoingOn
from referee.adjudicator.played_energy import PlayedTurn, energy_turns
from referee.core.account import Account, Event
from referee.core.ship import ShipClass
from referee.formats.vassal.moves import Walked
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.logs.summary import MovesMade
from referee.rulebooks.base import Rulebook

Points = Mapping[int, Fraction]
_Asked = tuple[Any, ...]


class Standing:
    """The energy of each ship of a log as it was worked out last, and how its ships had moved."""

    def __init__(self) -> None:
        self._energy: dict[tuple[str, bool], tuple[_Asked, list[tuple[_Asked, EnergyFacts]]]] = {}
        self._course: CourseGoingOn | None = None
        self.events: Sequence[Event] = ()
        """The account of the log as it was told last."""
        self.walked = Walked()
        self.moves = MovesMade()

    def energy(
        self,
        audited: ShipUnderAudit,
        turns: Sequence[PlayedTurn],
        fired: Points,
        now: int | None,
        ordered: Points,
        lost: Points,
    ) -> tuple[EnergyFacts, ...]:
        """The facts of a ship's energy: those of its first turns as they were, while all is as it was."""
        of = audited.ship.name, bool(audited.unpaid)
        ship = audited.rulebook.id, dict(audited.rulebook.chosen), audited.chosen
        asked = [_asked(turn, turns[-1], fired, now, ordered, lost) for turn in turns]
        before, row = self._energy.get(of, (ship, []))
        same = 0
        if before == ship:
            while same < min(len(row), len(asked)) and row[same][0] == asked[same]:
                same += 1
        stands = [facts for _, facts in row[:same]]
        facts = energy_turns(
            audited.rulebook,
            audited.chosen,
            turns,
            audited.ship.name,
            fired,
            now,
            ordered,
            lost,
            worked_out=stands,
        )
        made = tuple(facts)
        self._energy[of] = ship, list(zip(asked, made, strict=True))
        return made

    def course(self, rulebook: Rulebook, classes: Mapping[str, ShipClass], account: Account) -> CourseGoingOn:
        """The course of a log's account, which goes on from where that of the last time stood."""
        by = rulebook.id, dict(rulebook.chosen), dict(classes)
        stood = self._course.stood if self._course is not None else None
        self.events = account.events
        self._course = CourseGoingOn(rulebook, classes.__getitem__, account, by, stood)
        return self._course


def _asked(
    turn: PlayedTurn, last: PlayedTurn, fired: Points, now: int | None, ordered: Points, lost: Points
) -> _Asked:
    """All that the facts of a turn hang on beside the turns before it."""
    n = turn.allocation.turn
    goes_on = now is None or n >= now
    return turn.allocation, turn.known, turn is last, goes_on, fired.get(n), ordered.get(n), lost.get(n)
