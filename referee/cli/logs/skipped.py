"""Turns that a log's clock passed over while it was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.core.finding import Report

if TYPE_CHECKING:
    from referee.adjudicator.skippedlog import InTurn
    from referee.formats.vassal.gathered import Logged
    from referee.rulebooks.base import Rulebook


def judge_turns(logged: Logged, rulebook: Rulebook) -> Report:
    """The report on turns passed over between moves and orders in chat."""
    if not logged.turns_shown:
        return Report()
    from referee.adjudicator.skippedlog import ClockSet, judge_skipped

    start = logged.start
    mid_game = (start.turn or 1) > 1 or (start.impulse or 1) > 1
    sets = [ClockSet(one.step, one.before, one.after, one.called) for one in logged.turns_shown]
    return judge_skipped(rulebook, _done(logged), sets, logged.file, mid_game=mid_game)


def _done(logged: Logged) -> Iterator[InTurn]:
    from referee.adjudicator.skippedlog import InTurn
    from referee.formats.vassal.course import moved

    moves = (change for row in logged.changes.values() for change in row if moved((change,)))
    orders = (said for said in logged.said if not said.bare and said.note is None)
    for one in (*moves, *orders):
        if one.clock.turn is not None:
            yield InTurn(one.step, one.clock.turn)
