"""The step of the impulse in which each order of a log was given and each ship moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from referee.adjudicator.impulse_steps import Done, TrackerStep, judge_steps, steps_named
from referee.core.finding import NotChecked, Report
from referee.core.orders import Advance, Cloak, Fire, Launch, Uncloak
from referee.core.play import Move
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.module import Module
from referee.formats.vassal.recognise import ShipOnTable
from referee.logs.fire import Orders
from referee.logs.ship_under_audit import ShipUnderAudit, step_name

KINDS = {Fire: "fire", Launch: "launch", Cloak: "cloak", Uncloak: "cloak", Advance: "movement"}
"""What is done by an order, in the words of the sequence of play."""


def judge_in_steps(
    logged: Logged,
    judged: list[ShipUnderAudit],
    orders: Orders,
    moves: Iterable[Move],
    module: Module | None,
    seekers: Iterable[ShipOnTable] = (),
) -> Report:
    """The report on everything that was done in another step than its own, where the tracker tells steps.
    `moves` are those of ships and of the counters that are `seekers`."""
    flying = frozenset(ship.name for ship in seekers)
    ordered = tuple(_ordered(orders, flying)) if judged else ()
    if not logged.steps_taken:
        if not ordered:
            return Report()
        lacks = "its tracker stays in one step: in which step things were done is not known"
        return Report(not_checked=(NotChecked(judged[0].rulebook.named.sequence, lacks),))
    done = (*ordered, *_moved(logged, moves, flying))
    if not judged or not done:
        return Report()
    rulebook = judged[0].rulebook
    shown = {moment: frozenset(map(step_name, clocks)) for moment, clocks in logged.clocks.items()}
    names = (deed.step for deed in done)
    return judge_steps(rulebook, done, steps_told(rulebook, logged, module, names), shown)


def steps_told(
    rulebook: Any, logged: Logged, module: Module | None, seen: Iterable[str]
) -> tuple[TrackerStep, ...]:
    """What the steps of the tracker are: those of the module and of a map, and others that were `seen`."""
    mapped = logged.module_map.steps if logged.module_map else {}
    names = dict.fromkeys((*(module.steps if module else ()), *mapped, *seen))
    return steps_named(rulebook, tuple(names), mapped)


def _ordered(orders: Orders, seekers: frozenset[str]) -> Iterator[Done]:
    for lock in orders.locks:
        if lock.step:
            yield Done("lock-on", lock.ship, lock.when, lock.step, lock.place, lock.place.step or 0)
    for heard in orders.of(*KINDS):
        if heard.sentence.note and isinstance(heard.order, Advance):
            continue  # what was sealed is shown with the move or after it, and is none itself
        if name := step_name(heard.sentence.clock):
            who = heard.order.ship  # type: ignore[union-attr]
            kind = "seekers' movement" if who in seekers else KINDS[type(heard.order)]
            ordered = isinstance(heard.order, Advance)
            yield Done(
                kind,
                who,
                heard.when,
                name,
                heard.place.within(piece=who),
                heard.sentence.step,
                ordered=ordered,
            )


def _moved(logged: Logged, moves: Iterable[Move], seekers: frozenset[str]) -> Iterator[Done]:
    clocks = {change.step: change.clock for changes in logged.changes.values() for change in changes}
    clocks |= {c.step: c.clock for back in logged.taken_back for c in back.changes}
    for move in moves:
        # What was put right where its first drag shows it to go was moved with that.
        drags = [drag.step for drag in move.drags if not drag.anew] if move.drags else ()
        shown = min(drags, default=None)
        at = shown or move.location.step or 0
        clock = clocks.get(at)
        if clock and (name := step_name(clock)):
            kind = "seekers' movement" if move.ship in seekers else "movement"
            yield Done(kind, move.ship, move.when, name, move.location, at)
