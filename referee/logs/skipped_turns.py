"""Turns of a log that its clock passed over: play goes on in a later turn than the next (B2.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from referee.adjudicator.table import GameTable
from referee.core.account import SURE, TURN_RUN, TURNS_PASSED, Event
from referee.core.finding import Finding, NotChecked, Perhaps, Report, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.formats.vassal.course import goes
from referee.formats.vassal.gathered import Logged
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.rulebooks.base import NamedRules


class InTurn(NamedTuple):
    """Something was done in a step, in a turn."""

    step: int
    turn: int


@frozen
class ClockSet:
    """The clock came from a turn to another in a step; `called` where nothing but chat tells the time."""

    step: int
    before: int
    after: int
    called: bool = False


def turns_passed(table: GameTable | None, logged: Logged, judged: Sequence[ShipUnderAudit]) -> Report:
    """The report on turns passed over between moves and orders in chat."""
    if not logged.turns_shown or table is None:
        return Report()
    start = logged.start
    mid_game = (start.turn or 1) > 1 or (start.impulse or 1) > 1
    sets = [ClockSet(shown.step, shown.before, shown.after, shown.called) for shown in logged.turns_shown]
    filed = frozenset(energy.turn for ship in judged for energy in ship.energy)
    return judge_skipped(table, _done(logged), sets, logged.file, mid_game=mid_game, filed=filed)


def _done(logged: Logged) -> Iterator[InTurn]:
    for change in (change for row in logged.changes.values() for change in row):
        if (turn := change.clock.turn) is not None and goes(change):
            yield InTurn(change.step, turn)
    for sentence in logged.chat_orders:
        if (
            not sentence.bare
            and sentence.note is None
            and sentence.undone is None
            and sentence.clock.turn is not None
        ):
            yield InTurn(sentence.step, sentence.clock.turn)


def judge_skipped(
    table: GameTable,
    done: Iterable[InTurn],
    sets: Iterable[ClockSet],
    file: str,
    *,
    mid_game: bool,
    filed: frozenset[int] = frozenset(),
) -> Report:
    """The report on turns in which the clock never stood between what was done in two others.

    A clock that is put on too far and back before anything is done passes over nothing. Before the first thing
    done it is put where the game stands: a log that begins in `mid_game` is not judged for it. What it is put on
    to after the last is a warning. Where forms are `filed` in turns, one that the clock only ran through is
    undecided: without a form and anything done.
    """
    found: list[Finding | NotChecked] = []
    events: list[InTurn | ClockSet] = [*sets, *done]
    last: int | None = None
    since: list[ClockSet] = []
    for event in sorted(events, key=attrgetter("step")):  # in one step the clock is set first
        if isinstance(event, ClockSet):
            since.append(event)
            continue
        if not since:
            pass  # the clock stood still between them
        elif last is not None:
            found += _between(table, last, since, event.turn, filed, file)
        elif mid_game and _leap(since[0].before, since, event.turn):
            found.append(_not_in_it(table.rulebook.named, since[0].before, event.turn))
        last, since = event.turn, []
    if last is not None and since and (leap := _leap(last, since, since[-1].after)):
        found.append(_put_on(last, leap, file))
    return Report(
        tuple(item for item in found if isinstance(item, Finding)),
        (table.rulebook.named.turns_in_order,) if last is not None else (),
        tuple(item for item in found if isinstance(item, NotChecked)),
    )


def _between(
    table: GameTable, last: int, since: list[ClockSet], turn: int, filed: frozenset[int], file: str
) -> Iterator[Finding | NotChecked]:
    """What is to be said of the turns between two in which something was done."""
    if leap := _leap(last, since, turn):
        yield from _against(table, last, leap, file)
    for setting in since if last in filed else ():
        if last < setting.before < min(turn, setting.after) and setting.before not in filed:
            ran = {"turn": setting.before, "last": last}
            yield from table.take(Event(setting.step, TURN_RUN, ran, at=Location(file, step=setting.step)))


def _leap(last: int, since: list[ClockSet], turn: int) -> ClockSet | None:
    """The setting of the clock that came to a turn after the last, where it never stood in one between them."""
    stood = {setting.after for setting in since}
    if turn <= last + 1 or all(
        between in stood for between in range(last + 1, min(turn, last + len(since) + 2))
    ):
        return None
    return next((setting for setting in reversed(since) if setting.after == turn), None)


def _against(table: GameTable, last: int, leap: ClockSet, file: str) -> list[Finding]:
    sure = Perhaps("nothing but chat tells the time") if leap.called else SURE
    place = Location(file, step=leap.step)
    return table.take(Event(leap.step, TURNS_PASSED, {"last": last, "to": leap.after}, at=place, sure=sure))


def _turns(last: int, turn: int) -> str:
    """The turns between two."""
    return f"turn {last + 1}" if turn == last + 2 else f"turns {last + 1} to {turn - 1}"


def _not_in_it(named: NamedRules, first: int, turn: int) -> NotChecked:
    reason = f"{_turns(first, turn)} not in it: its clock goes from turn {first} to turn {turn} before play"
    return NotChecked(named.turns_in_order, reason)


def _put_on(last: int, leap: ClockSet, file: str) -> Finding:
    return Finding(
        "NOTE/clock-put-on",
        Severity.WARNING,
        f"the clock goes on from turn {last} to turn {leap.after}, and nothing is done after that",
        turn=leap.after,
        location=Location(file, step=leap.step),
        fix=f"put it back to turn {last + 1} before play goes on",
    )
