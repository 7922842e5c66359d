"""What fire did to the seekers of a log: by the dice, and by what players said where no dice tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.adjudicator.flight_end import Harm
from referee.adjudicator.rolled_fire import Row
from referee.core.finding import NotChecked
from referee.core.orders import DroneHit
from referee.logs.fire import Heard
from referee.rulebooks.base import Rulebook


def harm_of(name: str, rows: Iterable[Row], said: Sequence[Heard] = ()) -> Iterator[Harm]:
    """What was fired at a seeker. Of an impulse whose dice are not all told it is what players `said` it was hit
    by, and so of one in which no fire at it is told."""
    told = [one for one in said if getattr(one.order, "ship", "") == name]
    left = list(told)
    for row in rows:
        shots = [
            Harm(
                declared.place.step or 0,
                None if result is None else result.damage,
                bool(shot.mount and shot.mount.system == "phaser"),
                declared.when,
            )
            for declared, shot, result in row.shots()
            if shot.target.name == name
        ]
        own = [one for one in told if shots and one.when == shots[0].when]
        left = [one for one in left if one not in own]
        if own and any(shot.points is None for shot in shots):
            by_phasers = all(shot.phaser for shot in shots)
            yield from (_said(one, by_phasers=by_phasers) for one in own)
        else:
            yield from shots
    yield from (_said(one, by_phasers=False) for one in left)


def unexplained(rulebook: Rulebook, rows: Iterable[Row], said: Iterable[Heard]) -> Iterator[NotChecked]:
    """What was said to have hit seekers in impulses in which no fire at them is told."""
    fired = {(shot.target.name, declared.when) for row in rows for declared, shot, _ in row.shots()}
    for one in said:
        order = one.order
        if isinstance(order, DroneHit) and (order.ship, one.when) not in fired:
            points = f"{order.points} point{'s' * (order.points != 1)}"
            reason = f"the {points} said to hit it in step {one.said.step}: no fire at it is recorded, so they are taken as stated"
            yield NotChecked(rulebook.named.seekers, reason, order.ship)


def _said(one: Heard, *, by_phasers: bool) -> Harm:
    assert isinstance(one.order, DroneHit)
    return Harm(one.said.step, one.order.points, by_phasers, one.when)
