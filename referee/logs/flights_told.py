"""Seekers and tries for lock-on of a log, as what happened in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from referee.adjudicator.flight_end import HitOnSeeker
from referee.adjudicator.flights import Followed
from referee.core.account import Event
from referee.core.play import When
from referee.logs.fire import Orders
from referee.sources.shown import shown


def flights_told(followed: Iterable[Followed], orders: Orders) -> Iterator[Event]:
    """Every seeker from its launch to its end; what was fired at it comes when it was said."""
    when = {heard.sentence.step: heard.when for heard in orders.heard}
    for tracked in followed:
        flight, seeker, name = tracked.flight, tracked.flight.seeker, tracked.flight.seeker.name
        step, weapon = flight.launch
        launched = When(seeker.launched.turn, seeker.launched.impulse)
        launch = {
            "ship": seeker.owner,
            "weapon": weapon,
            "type": seeker.type,
            "target": seeker.target,
            "facing": seeker.facing,
            "name": name,
        }
        yield shown("order", {"launch": launch}, launched, step)
        moves = [
            move for move in flight.moves if tracked.over is None or (move.location.step or 0) <= tracked.over
        ]
        for move in moves:
            if move.to_hex is not None and move.facing_after is not None:
                stand = {"seeker": name, "hex": move.to_hex, "facing": move.facing_after}
                yield shown("order", {"flew": stand}, move.when, move.location.step or 0)
        yield from _scored(tracked, when)
        if tracked.over is None or tracked.over in {hit.step for hit in flight.hits}:
            continue
        last = moves[-1] if moves else None
        struck = last is not None and last.location.step == tracked.over
        over = last.when if last is not None and struck else When()
        gone = {"seeker": name, "why": f"struck {seeker.target}" if struck else "left the map"}
        yield shown("order", {"gone": gone}, over, tracked.over)


def _scored(tracked: Followed, when: dict[int, When]) -> Iterator[Event]:
    """The points that fire scored on a seeker, order by order, where its dice tell them."""
    by_step: dict[int, list[HitOnSeeker]] = {}
    for hit in tracked.flight.hits:
        if tracked.over is None or hit.step <= tracked.over:
            by_step.setdefault(hit.step, []).append(hit)
    for step, row in by_step.items():
        points = sum(hit.points or 0 for hit in row)
        phasers = sum(hit.points or 0 for hit in row if hit.phaser)
        gone = step == tracked.over
        if points or gone:
            name = tracked.flight.seeker.name
            scored = {"seeker": name, "points": points, "phasers": phasers, "gone": gone}
            yield shown("order", {"scored": scored}, when.get(step, When()), step)


def tries_told(orders: Orders, ships: Collection[str], left: dict[str, None]) -> Iterator[Event]:
    """What ships rolled for lock-on; `left` takes the tries whose roll, or target, is not known."""
    for lock in orders.locks:
        step = lock.place.step or 0
        if lock.roll is None or lock.ship not in ships or lock.target not in ships:
            why = "what it rolled is not known" if lock.roll is None else "no ship of the game is its target"
            left[f"step {step}: {lock.ship} tries for lock-on on {lock.target}: {why}"] = None
        else:
            tried = {"ship": lock.ship, "target": lock.target, "roll": lock.roll}
            yield shown("order", {"lock": tried}, lock.when, step)
