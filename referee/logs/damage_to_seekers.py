"""What fire did to the seekers of a log: by the dice, and by what players said where no dice tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.adjudicator.flight_end import HitOnSeeker
from referee.adjudicator.rolled_fire import Row
from referee.core.finding import NotChecked
from referee.core.orders import DroneHit
from referee.logs.fire import HeardOrder
from referee.rulebooks.base import Rulebook


def hits_on_seeker(
    name: str, rows: Iterable[Row], reported: Sequence[HeardOrder] = ()
) -> Iterator[HitOnSeeker]:
    """What was fired at a seeker. Of an impulse whose dice are not all told it is as players `reported` what hit
    it, and so of one in which no fire at it is told."""
    hits = [hit for hit in reported if getattr(hit.order, "ship", "") == name]
    left = list(hits)
    for row in rows:
        shots = [
            HitOnSeeker(
                declared.place.step or 0,
                None if result is None else result.damage,
                bool(shot.mount and shot.mount.system == "phaser"),
                declared.when,
            )
            for declared, shot, result in row.shots()
            if shot.target.name == name
        ]
        own = [hit for hit in hits if shots and hit.when == shots[0].when]
        left = [hit for hit in left if hit not in own]
        if own and any(shot.points is None for shot in shots):
            by_phasers = all(shot.phaser for shot in shots)
            yield from (_reported(hit, by_phasers=by_phasers) for hit in own)
        else:
            yield from shots
    yield from (_reported(hit, by_phasers=False) for hit in left)


def unexplained(
    rulebook: Rulebook, rows: Iterable[Row], reported: Iterable[HeardOrder]
) -> Iterator[NotChecked]:
    """What was said to have hit seekers in impulses in which no fire at them is told."""
    fired = {(shot.target.name, declared.when) for row in rows for declared, shot, _ in row.shots()}
    for hit in reported:
        order = hit.order
        if isinstance(order, DroneHit) and (order.ship, hit.when) not in fired:
            points = f"{order.points} point{'s' * (order.points != 1)}"
            reason = f"the {points} said to hit it in step {hit.sentence.step}: no fire at it is recorded, so they are taken as stated"
            yield NotChecked(rulebook.named.seekers, reason, order.ship)


def _reported(hit: HeardOrder, *, by_phasers: bool) -> HitOnSeeker:
    assert isinstance(hit.order, DroneHit)
    return HitOnSeeker(hit.sentence.step, hit.order.points, by_phasers, hit.when)
