"""Samples divided into chunks: the same integers for any number of workers on any machine.

A chunk is 2^18 volleys made from the seed and the chunk's number alone. What a chunk gives is counts,
and counts add up in any order. Any `concurrent.futures.Executor` can do the work; `run_chunks` is the
pure function it is given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from math import ceil
from typing import Any

from referee.chances.exact import Weights
from referee.chances.plan import Plan
from referee.chances.result import added
from referee.core.errors import BadInput

CHUNK = 1 << 18
TASK = 16
"""Most chunks in one task: half a second of work, so that handing it out costs nothing."""

MOST_VOLLEYS = 1 << 40
_RARE = 0.05

Sums = tuple[tuple[Weights, ...], ...]
"""For each ship, the weights after each of the points asked about."""

Products = tuple[tuple[str, int], ...]
"""By system, the sum over volleys of what two ships have left, multiplied."""

Progress = Callable[[int, int], None]
"""Called with the chunks done and the chunks in all, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is sampled: one ship, or two with the same dice. `every` asks for each prefix of the volley."""

    plans: tuple[Plan, ...]
    seed: str
    volleys: int
    every: bool = False

    @property
    def chunks(self) -> int:
        """Chunks that hold so many volleys; the last may be used in part."""
        return -(-self.volleys // CHUNK)


@dataclass(frozen=True, slots=True)
class Sample:
    """What chunks add up to: weights by ship, and sums of products of the boxes left of two ships."""

    ships: Sums
    products: Products = ()

    def __add__(self, other: Sample) -> Sample:
        theirs = dict(other.products)
        return Sample(
            tuple(added(a, b) for a, b in zip(self.ships, other.ships, strict=True)),
            tuple((name, value + theirs[name]) for name, value in self.products),
        )


def run_chunks(job: Job, start: int, stop: int) -> Sample:
    """Chunks `start` to `stop` (not included) of a job. Pure: any process on any machine may do it."""
    return reduce(lambda a, b: a + b, (_chunk(job, chunk) for chunk in range(start, stop)))


def _chunk(job: Job, chunk: int) -> Sample:
    from referee.chances.kernel import SampledVolleys
    from referee.chances.planes import first_lanes, rolls_of, stream_of

    ones = first_lanes(min(CHUNK, job.volleys - chunk * CHUNK))
    walks = [SampledVolleys(plan, stream_of(job.seed, chunk, 1)) for plan in job.plans]
    inside = [Inside(plan, job.seed, chunk) for plan in job.plans]
    rolls = rolls_of(job.seed, chunk, job.plans[0].shares)
    ships: list[list[Weights]] = [[] for _ in job.plans]
    for n in range(max(plan.points for plan in job.plans) + 1):
        rows = next(rolls) if n else []
        for place, (plan, walk) in enumerate(zip(job.plans, walks, strict=True)):
            if 0 < n <= plan.points:
                last = place == len(walks) - 1
                walk.point(n, rows if last else [row.copy() for row in rows], inside[place].at(n))
            if n == plan.points or (job.every and n < plan.points):
                ships[place].append(_weigh(plan, walk, ones))
    sums = tuple(map(tuple, ships))
    return Sample(sums, tuple(_products(job.plans, walks, ones, sums)) if len(walks) == 2 else ())


class Inside:
    """Which volleys of a chunk have so many points, where weapons decide how many come in."""

    def __init__(self, plan: Plan, seed: str, chunk: int) -> None:
        from referee.chances.planes import stream_of

        self._points = None
        if plan.arrivals:
            import numpy as np

            drawn = drawn_arrivals(plan.arrivals, stream_of(seed, chunk, 2))
            self._points = np.array([points for points, _ in plan.arrivals], np.int32)[drawn]

    def at(self, n: int) -> Any:
        """The volleys with at least n points; None where all have."""
        from referee.chances.planes import plane_of

        return None if self._points is None else plane_of(self._points >= n)


def drawn_arrivals(arrivals: Sequence[tuple[int, int]], source: Any) -> Any:
    """Which of the arrivals comes in, volley by volley: each in its exact share.

    Shares are of a total of dice rolls, which may be beyond a word: the higher words are drawn first, and
    a number that is not below the largest multiple of the total is drawn again.
    """
    import numpy as np

    total = sum(weight for _, weight in arrivals)
    words = max(1, -(-(total.bit_length() + 12) // 64))
    bounds: list[int] = []
    for _, weight in arrivals:
        bounds.append((bounds[-1] if bounds else 0) + weight)
    whole = (1 << 64 * words) // total
    edges = [
        [bound * whole >> 64 * k & 0xFFFFFFFFFFFFFFFF for k in reversed(range(words))] for bound in bounds
    ]

    def places(count: int) -> Any:
        drawn = source.random_raw(count * words).reshape(words, count)
        found = np.zeros(count, np.int64)
        for bound, edge in zip(bounds, edges, strict=True):
            if bound * whole < 1 << 64 * words:
                found += ~_below(drawn, edge)
        return found

    found = places(CHUNK)
    while (again := np.flatnonzero(found >= len(arrivals))).size:
        found[again] = places(again.size)
    return found


def _below(drawn: Any, edge: Sequence[int]) -> Any:
    """Is a number of several words below an edge?"""
    import numpy as np

    less = np.zeros(drawn.shape[1], np.bool_)
    same = np.ones(drawn.shape[1], np.bool_)
    for word, limit in zip(drawn, edge, strict=True):
        less |= same & (word < np.uint64(limit))
        same &= word == np.uint64(limit)
    return less


def _weigh(plan: Plan, walk: Any, ones: Any) -> Weights:
    from referee.chances.planes import histogram, popcount

    left = []
    for quantity in plan.quantities:
        floor = plan.floor(quantity)
        left.append((*(0,) * floor, *histogram(walk.left(quantity), ones, quantity.start - floor)))
    destroyed = 0 if walk.dead is None else popcount(walk.dead & ones)
    return Weights(popcount(ones), tuple(left), destroyed)


def _products(
    plans: Sequence[Plan], walks: Sequence[Any], ones: Any, sums: Sums
) -> Iterator[tuple[str, int]]:
    """Sums of products of what both ships have left, for the systems both have."""
    from referee.chances.planes import product_sum

    ours, theirs = (
        {
            quantity.name: (quantity, left)
            for quantity, left in zip(plan.quantities, sampled[-1].left, strict=True)
        }
        for plan, sampled in zip(plans, sums, strict=True)
    )
    for name, (quantity, left) in ours.items():
        if name in theirs and not name.startswith("pool "):
            other, others = theirs[name]
            product = product_sum(walks[0].left(quantity), walks[1].left(other), ones)
            # Walks count boxes that can be hit; (a + f)(b + g) = ab + f(b + g) + g(a + f) - fg.
            f, g = plans[0].floor(quantity), plans[1].floor(other)
            yield name, product + f * _sum(others) + g * _sum(left) - f * g * sum(left)


def _sum(left: Sequence[int]) -> int:
    return sum(n * weight for n, weight in enumerate(left))


# -- many chunks -------------------------------------------------------------------------


def sample(
    job: Job,
    executor: Executor | None = None,
    workers: int = 1,
    span: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> Sample:
    """The chunks of a job, or those of a span of it, added up; in this process without an executor."""
    start, stop = span or (0, job.chunks)
    # Four tasks a worker at least, so that none waits long for the slowest.
    each = max(1, min(TASK, ceil((stop - start) / (4 * max(1, workers))))) if executor else 1
    spans = ((first, min(stop, first + each)) for first in range(start, stop, each))
    total: Sample | None = None
    for done, found in _in_order(job, spans, executor, 4 * workers):
        total = found if total is None else total + found
        if progress:
            progress(done - start, stop - start)
    assert total is not None
    return total


def _in_order(
    job: Job, spans: Iterator[tuple[int, int]], executor: Executor | None, most: int
) -> Iterator[tuple[int, Sample]]:
    """How far each span of chunks goes, and what it gives. So many are given out at once: what nobody
    waits for any more is not begun, and however long a job is, little is held."""
    if executor is None:
        yield from ((span[1], run_chunks(job, *span)) for span in spans)
        return
    tasks: deque[tuple[int, Future[Sample]]] = deque()
    try:
        while True:
            for span in islice(spans, most - len(tasks)):
                tasks.append((span[1], executor.submit(run_chunks, job, *span)))
            if not tasks:
                return
            done, task = tasks.popleft()
            yield done, task.result()
    finally:
        for _, task in tasks:
            task.cancel()


def _further(progress: Progress | None, before: int, wanted: int) -> Progress | None:
    """The same, for whom so many chunks were done before, of so many that are wanted as far as is known."""
    return progress and (lambda done, chunks: progress(before + done, max(before + chunks, wanted)))


def sample_until(
    job: Job,
    precision: float,
    executor: Executor | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> tuple[Job, Sample]:
    """Samples on until every system's mean has a standard error of at most so much of itself.

    A mean below 0.05 boxes counts as 0.05: what hardly ever happens need not be known to its own last
    digit. How far to go on is worked out from counts, so it is the same for any number of workers.
    """
    done = 0
    found: Sample | None = None
    chunks, last = 4, 0
    while True:
        job = replace(job, volleys=chunks * CHUNK)
        more = sample(job, executor, workers, (done, chunks), _further(progress, done, last))
        found = more if found is None else found + more
        done = chunks
        wanted = max(
            _volleys_for(plan, weights[-1], precision)
            for plan, weights in zip(job.plans, found.ships, strict=True)
        )
        if wanted <= done * CHUNK:
            return job, found
        if wanted > MOST_VOLLEYS:
            raise BadInput(
                f"a precision of {precision:.3g} needs {wanted} volleys", hint=f"at most {MOST_VOLLEYS}"
            )
        last = max(done + 1, -(-int(wanted * 1.02) // CHUNK))
        chunks = min(last, done * 16)


def _volleys_for(plan: Plan, weights: Weights, precision: float) -> int:
    """Volleys after which all systems are known to this precision, by what is known so far."""
    most = 0
    for quantity, left in zip(plan.quantities, weights.left, strict=True):
        if quantity.name.startswith("pool "):
            continue
        lost = sum((quantity.start - n) * weight for n, weight in enumerate(left))
        squares = sum((quantity.start - n) ** 2 * weight for n, weight in enumerate(left))
        mean = lost / weights.total
        variance = max(0.0, squares / weights.total - mean * mean)
        most = max(most, ceil(variance / (precision * max(mean, _RARE)) ** 2))
    return most
