"""Seekers and tries for lock-on of a log, as what happened in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from referee.adjudicator.flight_end import Harm
from referee.core.play import When
from referee.core.shown import Flew, Happening, Launched, Left, Scored, Tried
from referee.logs.fire import Orders
from referee.logs.flights import Followed


def flights_told(followed: Iterable[Followed], orders: Orders) -> Iterator[Happening]:
    """Every seeker from its launch to its end; what was fired at it comes when it was said."""
    when = {one.said.step: one.when for one in orders.heard}
    for one in followed:
        flight, seeker, name = one.flight, one.flight.seeker, one.flight.seeker.name
        step, weapon = flight.launch
        launched = When(seeker.launched.turn, seeker.launched.impulse)
        yield Launched(step, launched, seeker.owner, weapon, seeker.type, seeker.target, name, seeker.facing)
        moves = [move for move in flight.moves if one.over is None or (move.location.step or 0) <= one.over]
        for move in moves:
            if move.to_hex is not None and move.facing_after is not None:
                yield Flew(move.location.step or 0, move.when, name, move.to_hex, move.facing_after)
        yield from _scored(one, when)
        if one.over is None or one.over in {harm.step for harm in flight.harm}:
            continue
        last = moves[-1] if moves else None
        struck = last is not None and last.location.step == one.over
        over = last.when if last is not None and struck else When()
        yield Left(one.over, over, name, f"struck {seeker.target}" if struck else "left the map")


def _scored(one: Followed, when: dict[int, When]) -> Iterator[Scored]:
    """The points that fire scored on a seeker, order by order, where its dice tell them."""
    by_step: dict[int, list[Harm]] = {}
    for harm in one.flight.harm:
        if one.over is None or harm.step <= one.over:
            by_step.setdefault(harm.step, []).append(harm)
    for step, row in by_step.items():
        points = sum(harm.points or 0 for harm in row)
        phasers = sum(harm.points or 0 for harm in row if harm.phaser)
        gone = step == one.over
        if points or gone:
            yield Scored(step, when.get(step, When()), one.flight.seeker.name, points, phasers, gone)


def tries_told(orders: Orders, ships: Collection[str], left: dict[str, None]) -> Iterator[Tried]:
    """What ships rolled for lock-on; `left` takes the tries whose roll, or target, is not known."""
    for lock in orders.locks:
        step = lock.place.step or 0
        if lock.roll is None or lock.ship not in ships or lock.target not in ships:
            why = "what it rolled is not known" if lock.roll is None else "no ship of the game is its target"
            left[f"step {step}: {lock.ship} tries for lock-on on {lock.target}: {why}"] = None
        else:
            yield Tried(step, lock.when, lock.ship, lock.target, lock.roll)
