"""Turns that a log's clock passed over while it was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.finding import Report
from referee.formats.vassal.course import goes
from referee.formats.vassal.gathered import Logged
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.logs.skipped_turns import ClockSet, InTurn, judge_skipped


def judge_turns(logged: Logged, judged: Sequence[ShipUnderAudit]) -> Report:
    """The report on turns passed over between moves and orders in chat."""
    if not logged.turns_shown or not judged:
        return Report()
    start = logged.start
    mid_game = (start.turn or 1) > 1 or (start.impulse or 1) > 1
    sets = [ClockSet(one.step, one.before, one.after, one.called) for one in logged.turns_shown]
    filed = frozenset(energy.turn for one in judged for energy in one.energy)
    return judge_skipped(judged[0].book, _done(logged), sets, logged.file, mid_game=mid_game, filed=filed)


def _done(logged: Logged) -> Iterator[InTurn]:
    for change in (change for row in logged.changes.values() for change in row):
        if (turn := change.clock.turn) is not None and goes(change):
            yield InTurn(change.step, turn)
    for said in logged.said:
        if not said.bare and said.note is None and said.undone is None and said.clock.turn is not None:
            yield InTurn(said.step, said.clock.turn)
