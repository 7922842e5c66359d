"""The odds of a volley: what is asked, by which method it is answered, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import ceil

from referee.adjudicator.volley import resolve
from referee.chances.alike import grouped_weights, groups_of
from referee.chances.asking import Asker, open_volley
from referee.chances.boxpools import quantities_of
from referee.chances.exact import BUDGET, BeyondBudget, Weights
from referee.chances.plan import Plan, make_plan
from referee.chances.result import Arrival, OddsAsked, Result
from referee.chances.sampling import MOST_VOLLEYS, Job, Sample, sample, sample_until
from referee.chances.weights import exact_weights
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.ship import ShipClass
from referee.core.state import ShipState, live_boxes
from referee.core.volley import VolleyOrder
from referee.rulebooks.base import Rulebook

EXACT_POINTS = 12
"""Points up to which a chart with cells that count once is worked out exactly unasked."""

DEFAULT_VOLLEYS = 1 << 20
_EXACT = "leave --volleys or --precision out: the answer is exact"
_AUTO_BUDGET = 200_000
_SMALL_BUDGET = 20_000


@dataclass(frozen=True)
class Inquiry:
    """A ship in a state, struck by a volley, its owner choosing by a policy. `curve` asks for every
    number of points up to the volley's; `hits` are amounts of damage with their weights, where weapons
    decide how much strikes (the order then says where)."""

    rulebook: Rulebook
    ship: ShipClass
    state: ShipState
    order: VolleyOrder
    policy: str = "protect-weapons"
    curve: bool = False
    fire: str = ""
    hits: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to sample: volleys or a precision, the seed, who does the work, and who is told of it."""

    seed: str
    volleys: int = DEFAULT_VOLLEYS
    precision: float = 0.0
    workers: int = 1
    executor: Executor | None = None
    progress: Callable[[int, int], None] | None = None
    """Called with the chunks done and the chunks in all."""

    def run(self, job: Job) -> tuple[Job, Sample]:
        """The job done; with a precision, as many volleys of it as that takes."""
        if self.precision:
            return sample_until(job, self.precision, self.executor, self.workers, self.progress)
        return job, sample(job, self.executor, self.workers, progress=self.progress)


class Forecast:
    """One inquiry, ready to be answered."""

    def __init__(self, inquiry: Inquiry) -> None:
        most = max((damage for damage, _ in inquiry.hits), default=inquiry.order.points)
        self.inquiry = replace(inquiry, order=with_points(inquiry.order, most))
        self.asker = Asker(inquiry.rulebook, inquiry.ship, inquiry.state, self.inquiry.order, inquiry.policy)
        self.arrivals = tuple(self._arrival(damage, weight) for damage, weight in inquiry.hits)
        if self.arrivals and inquiry.curve:
            raise BadInput("a curve of weapon fire", hint="--curve goes with --damage or --internals")
        self.facts = self._facts()
        self._beyond = 0

    def _arrival(self, damage: int, weight: int) -> Arrival:
        inquiry = self.inquiry
        opened = open_volley(
            inquiry.rulebook,
            inquiry.ship,
            inquiry.state,
            with_points(inquiry.order, damage),
            self.asker.chooser,
        )
        armor = len(live_boxes(inquiry.ship, opened.start, "armor"))
        return Arrival(damage, weight, min(opened.internals, self.asker.scored), armor)

    def _facts(self) -> OddsAsked:
        asker, inquiry = self.asker, self.inquiry
        ship, order = inquiry.ship, inquiry.order
        quantities = quantities_of(asker.pools)
        shield = None
        if order.shield is not None and not order.internal:
            before, after = (state.shields.get(order.shield, 0) for state in (asker.before, asker.start))
            shield = (order.shield, before, after)
        weapons = []
        for quantity in quantities:
            if (
                len(quantity.pools) == 1
                and asker.pools[quantity.pools[0]].weapon
                and quantity.name
                not in (
                    "weapons",
                    "power",
                )
            ):
                weapons.append((quantity.name, asker.pools[quantity.pools[0]].boxes))
        points = tuple(range(asker.scored + 1)) if inquiry.curve else (asker.scored,)
        return OddsAsked(
            ship=ship.id,
            name=ship.name,
            rulebook=inquiry.rulebook.id,
            title=inquiry.rulebook.title,
            policy=inquiry.policy,
            damage=order.points,
            internals=asker.internals,
            reinforcement=asker.reinforcement,
            shield=shield,
            armor=asker.armor,
            printed=tuple((system, len(ship.box_ids(system))) for system in ship.systems),
            quantities=tuple((quantity.name, quantity.start) for quantity in quantities),
            weapons=tuple(weapons),
            points=points,
            fire=inquiry.fire,
            arrivals=self.arrivals,
        )

    # -- exact ---------------------------------------------------------------------------

    def exact(self, budget: int = BUDGET) -> Result:
        """The exact odds. Raises BeyondBudget where they take too many states."""
        every = bool(self.inquiry.curve or self.arrivals)
        if self.asker.diceless:
            found: Sequence[Weights] = self._without_dice()
        elif groups := groups_of(self.asker):
            found = list(grouped_weights(self.asker, groups, budget, every))
        else:
            found = list(exact_weights(self.asker, budget, every))
        if self.arrivals:
            found = [self._mixed(found)]
        elif not every:
            found = found[-1:]
        return Result(self.facts, tuple(found))

    def _without_dice(self) -> list[Weights]:
        """A volley that is scored without dice goes one way only."""
        asker = self.asker
        if asker.random:
            raise BadInput("a random owner without damage dice", hint="choose another --policy")
        inside = replace(asker.order, points=asker.internals, shield=None, internal=True)
        result = resolve(asker.rulebook, asker.ship, asker.start, inside, ScriptedDice(()), asker.chooser)
        left = list(asker.whole)
        quantities = quantities_of(asker.pools)
        found = []
        for n in range(asker.scored + 1):
            if 0 < n <= len(result.hits) and result.hits[n - 1].box:
                box = result.hits[n - 1].box
                left[next(k for k, pool in enumerate(asker.pools) if box in pool.boxes)] -= 1
            rows = []
            for quantity in quantities:
                there = sum(left[k] for k in quantity.pools)
                rows.append(tuple(int(boxes == there) for boxes in range(quantity.start + 1)))
            found.append(Weights(1, tuple(rows), int(result.destroyed and n >= len(result.hits))))
        return found

    def _mixed(self, found: Sequence[Weights]) -> Weights:
        """The odds after each number of points, weighed by how often that many come in."""
        most = found[-1].total
        total = most * sum(arrival.weight for arrival in self.arrivals)
        left = [[0] * len(row) for row in found[-1].left]
        destroyed = 0
        for arrival in self.arrivals:
            part = found[arrival.points]
            factor = arrival.weight * (most // part.total)
            destroyed += part.destroyed * factor
            for row, weights in zip(left, part.left, strict=True):
                for n, weight in enumerate(weights):
                    row[n] += weight * factor
        return Weights(total, tuple(tuple(row) for row in left), destroyed)

    def by_itself(self, sampling: Sampling) -> Result:
        """Exact where that is cheap, else sampled."""
        return self.cheaply_exact() or self.sampled(sampling)

    def cheaply_exact(self) -> Result | None:
        """The exact odds where few states are enough for them."""
        asker = self.asker
        once = any(cell.once for row in asker.rows.values() for cell in row)
        if asker.diceless or not once or asker.scored <= EXACT_POINTS:
            budget = _AUTO_BUDGET if once else _SMALL_BUDGET
            try:
                return self.exact(budget)
            except BeyondBudget:
                self._beyond = budget
        return None

    # -- sampled -------------------------------------------------------------------------

    @property
    def dice(self) -> bool:
        """Is anything left to chance? Not where nothing gets inside, or is scored without dice."""
        return bool(self.asker.rows) and not self.asker.diceless

    def plan(self) -> Plan:
        """The tables the kernel works by. Raises BadInput for a volley that has no dice to sample."""
        if self.asker.diceless:
            raise BadInput("this volley is scored without dice", hint=_EXACT)
        if not self.asker.rows:
            raise BadInput("nothing gets inside", hint=_EXACT)
        plan = make_plan(self.asker, self.asker.scored)
        return replace(plan, arrivals=tuple((arrival.points, arrival.weight) for arrival in self.arrivals))

    def job(self, sampling: Sampling) -> Job:
        """What is given to workers."""
        return Job((self.plan(),), sampling.seed, sampling.volleys, self.inquiry.curve)

    def sampled(self, sampling: Sampling) -> Result:
        """The odds counted in sampled volleys: so many, or until a precision is reached."""
        job, found = sampling.run(self.job(sampling))
        return self.result_of(job, found.ships[0])

    def result_of(self, job: Job, weights: Sequence[Weights]) -> Result:
        """The result that sampled weights make."""
        return Result(self.facts, tuple(weights), job.seed, beyond=self._beyond)


def with_points(order: VolleyOrder, points: int) -> VolleyOrder:
    """The same volley with other points; fire comes from one direction."""
    if points == order.points:
        return order
    return replace(order, points=points, origins=tuple((points, origin) for _, origin in order.origins[:1]))


def volleys_of(text: str) -> int:
    """A number of volleys as `1000000` or `1e6`. Raises BadInput."""
    try:
        volleys = ceil(float(text)) if "e" in text.lower() else int(text)
    except (ValueError, OverflowError):
        raise BadInput(f"--volleys {text}", hint="a number, as 1000000 or 1e6") from None
    if not 1 <= volleys <= MOST_VOLLEYS:
        raise BadInput(f"{text} volleys", hint=f"1 to {MOST_VOLLEYS}")
    return volleys
