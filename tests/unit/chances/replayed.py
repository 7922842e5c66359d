"""A sampled volley, taken out of its chunk and resolved again by the real resolver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from referee.adjudicator.policies import RandomChoice
from referee.adjudicator.volley import resolve
from referee.chances.forecast import Forecast, with_points
from referee.chances.kernel import SampledVolleys
from referee.chances.planes import Plane, rolls_of, stream_of
from referee.chances.sampling import CHUNK, Inside, Job, drawn_arrivals
from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.volley import Choice, Chooser, VolleyResult


@dataclass(frozen=True, slots=True)
class Traced:
    """A sampled volley: its name, damage that struck, the rolls, and the pool each point was scored on
    (-1 where it destroyed the ship)."""

    name: str
    damage: int
    rolls: tuple[int, ...]
    pools: tuple[int, ...]


class DrawnBoxes:
    """Chooses what chance chose in the sample. A sample counts boxes by pool; which box of a pool it was is
    drawn by dice that the volley's name seeds, each as likely."""

    name = "random"

    def __init__(self, forecast: Forecast, traced: Traced) -> None:
        self._boxes = [pool.boxes for pool in forecast.asker.pools]
        self._pools = traced.pools
        self._within = RandomChoice(seeded_dice(f"choices of {traced.name}"))

    def choose(self, choice: Choice) -> str:
        """A box offered of the pool that was drawn."""
        wanted = self._boxes[self._pools[choice.n - 1]]
        return self._within.choose(replace(choice, boxes=tuple(box for box in choice.boxes if box in wanted)))


def trace_all(forecast: Forecast, job: Job, chunk: int, lanes: tuple[int, ...]) -> Iterator[Traced]:
    """What happened to some volleys of a chunk."""
    plan = job.plans[0]
    words, bits = np.array(lanes) >> 6, (np.array(lanes) & 63).astype(np.uint64)

    def of(plane: Plane) -> Plane:
        bit: Plane = plane[words] >> bits & np.uint64(1)
        return bit

    walk = SampledVolleys(plan, stream_of(job.seed, chunk, 1))
    inside = Inside(plan, job.seed, chunk)
    totals = np.array(list(forecast.asker.rows))
    rolls = np.zeros((plan.points, len(lanes)), np.int16)
    pools = np.full((plan.points, len(lanes)), -2, np.int16)
    dead = np.zeros(len(lanes), np.uint64)
    source = rolls_of(job.seed, chunk, plan.shares)
    for n in range(1, plan.points + 1):
        rows = next(source)
        for total, row in zip(totals, rows, strict=True):
            rolls[n - 1] += (of(row) * np.uint64(total)).astype(np.int16)
        for k, hit in walk.point(n, rows, inside.at(n), keep=True).items():
            pools[n - 1][of(hit).astype(np.bool_)] = k
        if walk.dead is not None:
            now = of(walk.dead)
            pools[n - 1][(now & ~dead & np.uint64(1)).astype(np.bool_)] = -1
            dead = now
    damages = [forecast.inquiry.order.points] * len(lanes)
    if plan.arrivals:
        drawn = drawn_arrivals(plan.arrivals, stream_of(job.seed, chunk, 2))
        damages = [forecast.arrivals[int(drawn[lane])].damage for lane in lanes]
    for lane in range(len(lanes)):
        scored = int((pools[:, lane] != -2).sum())
        yield Traced(
            f"volley {chunk * CHUNK + lanes[lane]} of odds seed {job.seed}",
            damages[lane],
            tuple(int(roll) for roll in rolls[:scored, lane]),
            tuple(int(pool) for pool in pools[:scored, lane]),
        )


def replay(forecast: Forecast, traced: Traced) -> VolleyResult:
    """The real resolver's volley with these rolls. AssertionError where it differs from the sample."""
    asker = forecast.asker
    chooser: Chooser = DrawnBoxes(forecast, traced) if asker.random else asker.chooser
    order = with_points(forecast.inquiry.order, traced.damage)
    dice = ScriptedDice(traced.rolls)
    result = resolve(forecast.inquiry.rulebook, asker.ship, asker.before, order, dice, chooser)
    dice.finish()
    where = {box: k for k, pool in enumerate(asker.pools) for box in pool.boxes}
    scored = tuple(where[hit.box] if hit.box else -1 for hit in result.hits)
    if scored != traced.pools:
        raise AssertionError(f"the sample scored {traced.pools}, the resolver {scored}")
    return result
