"""Turns of a log that its clock passed over: play goes on in a later turn than the next (B2.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from referee.adjudicator.check import judge, perhaps
from referee.core.finding import About, Finding, NotChecked, Perhaps, Report, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.rulebooks.base import NamedRules, Rulebook


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


def judge_skipped(
    rulebook: Rulebook,
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
            found += _between(rulebook, last, since, event.turn, filed, file)
        elif mid_game and _leap(since[0].before, since, event.turn):
            found.append(_not_in_it(rulebook.named, since[0].before, event.turn))
        last, since = event.turn, []
    if last is not None and since and (leap := _leap(last, since, since[-1].after)):
        found.append(_put_on(last, leap, file))
    return Report(
        tuple(item for item in found if isinstance(item, Finding)),
        (rulebook.named.turns_in_order,) if last is not None else (),
        tuple(item for item in found if isinstance(item, NotChecked)),
    )


def _between(
    rulebook: Rulebook, last: int, since: list[ClockSet], turn: int, filed: frozenset[int], file: str
) -> Iterator[Finding | NotChecked]:
    """What is to be said of the turns between two in which something was done."""
    if leap := _leap(last, since, turn):
        yield from _against(rulebook, last, leap, file)
    for one in since if last in filed else ():
        if last < one.before < min(turn, one.after) and one.before not in filed:
            about = About("", one.before, location=Location(file, step=one.step))
            yield rulebook.offers.seen_moves.turn_ran_through(about, last)


def _leap(last: int, since: list[ClockSet], turn: int) -> ClockSet | None:
    """The setting of the clock that came to a turn after the last, where it never stood in one between them."""
    stood = {one.after for one in since}
    if turn <= last + 1 or all(
        between in stood for between in range(last + 1, min(turn, last + len(since) + 2))
    ):
        return None
    return next((one for one in reversed(since) if one.after == turn), None)


def _against(rulebook: Rulebook, last: int, leap: ClockSet, file: str) -> Iterator[Finding | NotChecked]:
    movement = rulebook.offers.movement(rulebook)
    place = Location(file, step=leap.step)
    facts = rulebook.offers.sequence_facts(
        movement, "", leap.after, None, place, "TurnBegins", "", "", last, 0
    )
    for rule in rulebook.rules_on("sequence", "check"):
        for item in judge(rule, rulebook, facts):
            if not isinstance(item, Finding) or rule.key != rulebook.named.turns_in_order:
                continue
            said = replace(
                item, location=place, fix=f"play {_turns(last, leap.after)}, then turn {leap.after}"
            )
            yield perhaps(said, Perhaps("nothing but chat tells the time")) if leap.called else said


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
