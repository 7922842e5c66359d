"""The sampled kernel: 2^18 volleys walked along the chart at once, one bit each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.chances.boxpools import Quantity
from referee.chances.entries import Contest, Loss, Rival, Step, Take, Turn
from referee.chances.plan import Plan
from referee.chances.planes import WORDS, Bits, Plane, add_counters, fuller, lanes_of, plane_of

_and, _or, _xor, _not = np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert


def _empty() -> Plane:
    return np.empty(WORDS, np.uint64)


@dataclass
class _Counter:
    """Boxes left to hit, less one, in planes; `alive` is None while no volley has used all of them, and
    has no bit left once all volleys have. After the last box the count means nothing."""

    size: int
    planes: list[Plane]
    alive: Plane | None = None
    gone: bool = False

    @classmethod
    def of(cls, size: int) -> _Counter:
        """A counter for so many boxes."""
        full = ~np.uint64(0)
        digits = range(max(0, size - 1).bit_length())
        planes = [np.full(WORDS, full if (size - 1) >> k & 1 else 0, np.uint64) for k in digits]
        return cls(size, planes, gone=size <= 0)

    def hit(self, volleys: Plane, spare: Plane, points: int) -> None:
        """One box fewer in these volleys, after so many points in all."""
        borrow = volleys
        for plane in self.planes:
            _xor(plane, borrow, plane)
            borrow = _and(plane, borrow, spare)
        if points < self.size:
            return
        if self.alive is None:
            if borrow.any():
                self.alive = ~borrow
        else:
            _xor(self.alive, borrow, self.alive)
            self.gone = not self.alive.any()

    def left(self) -> list[Plane]:
        """Boxes left to hit as a counter."""
        if self.size <= 0 or self.gone:
            return []
        digits = []
        carry = self.alive if self.alive is not None else np.full(WORDS, ~np.uint64(0), np.uint64)
        for plane in self.planes:
            held = plane if self.alive is None else plane & self.alive
            digits.append(held ^ carry)
            carry = held & carry
        return [*digits, carry]


class SampledVolleys:
    """The volleys of one chunk while they are walked."""

    def __init__(self, plan: Plan, draws: Any) -> None:
        self.plan = plan
        self.dead: Plane | None = None
        self._draws = draws
        self._pools = [_Counter.of(size - floor) for size, floor in zip(plan.sizes, plan.floors, strict=True)]
        self._open: list[Plane | None] = [None] * plan.once_cells
        self._hits: dict[int, Plane] = {}
        self._own = [_empty() for _ in plan.sizes]
        self._spare = [_empty() for _ in range(4)]
        self._compared = _compared(plan)
        self._totals = {
            s: _Counter.of(sum(plan.sizes[k] for k in plan.systems[s]))
            for s in self._compared
            if len(plan.systems[s]) > 1
        }
        self._turns = {s: [np.zeros(WORDS, np.uint64) for _ in range(2)] for s in _turning(plan)}
        self._fuller: dict[tuple[int, int], tuple[Plane, Plane]] = {}
        self._direction = 0

    def point(self, n: int, rows: list[Plane], inside: Plane | None, keep: bool = False) -> dict[int, Plane]:
        """Scores the n-th point, from 1, by the rows rolled, which are used up; `inside` are the volleys
        that have so many. With `keep`, returns the volleys hit by pool."""
        if self._direction + 1 < len(self.plan.starts) and n >= self.plan.starts[self._direction + 1]:
            self._direction += 1
        self._hits.clear()
        self._fuller.clear()
        for row, steps in zip(rows, self.plan.rows[self._direction], strict=True):
            if self.dead is not None:
                _and(row, ~self.dead, row)
            if inside is not None:
                _and(row, inside, row)
            self._walk(row, steps)
        hits = {k: hit.copy() for k, hit in self._hits.items()} if keep else {}
        self._settle(n)
        return hits

    def _settle(self, n: int) -> None:
        """Takes the boxes that were hit."""
        spare = self._spare[0]
        for system, (after_one, after_two) in self._turns.items():
            for k in self.plan.systems[system]:
                if k in self._hits:
                    hit = self._hits[k]
                    # Of three in turn: none is neither, then one, then two, then none again.
                    first = hit & ~(after_one | after_two)
                    second = hit & after_one
                    _and(after_two, _not(hit, spare), after_two)
                    _and(after_one, spare, after_one)
                    _or(after_one, first, after_one)
                    _or(after_two, second, after_two)
        for system, counter in self._totals.items():
            for k in self.plan.systems[system]:
                if k in self._hits:
                    counter.hit(self._hits[k], spare, n)
        for k, hit in self._hits.items():
            self._pools[k].hit(hit, spare, n)

    # -- along a row ---------------------------------------------------------------------

    def _walk(self, row: Plane, steps: Sequence[Step]) -> bool:
        """Scores the volleys of a row; they leave it as they are scored. True when none is left.

        The row's own plane is used up, and may be kept as the hits of a pool.
        """
        for step in steps:
            if type(step) is Take:
                done = self._take(row, step)
            elif type(step) is Contest:
                done = self._contest(row, step)
            elif type(step) is Turn:
                done = self._turn(row, step)
            else:
                self.dead = row.copy() if self.dead is None else self.dead | row
                return True
            if done:
                return True
        return False

    def _take(self, row: Plane, step: Take) -> bool:
        pool = step.pool
        counter = self._pools[pool]
        if counter.gone:
            return False
        once = step.once
        alive = counter.alive
        still = self._open[once] if once >= 0 else None
        if alive is None and still is None and not step.needs:
            # Every volley has the box: the row is done.
            if once >= 0:
                self._open[once] = ~row
            if pool in self._hits:
                self._add(pool, row)
            else:
                self._hits[pool] = row
            return True
        fresh = pool not in self._hits
        taken = self._own[pool] if fresh else self._spare[1]
        if alive is None:
            _and(row, still if still is not None else row, taken)
        elif still is None:
            _and(row, alive, taken)
        else:
            _and(row, alive, taken)
            _and(taken, still, taken)
        for mask in self._needed(step.needs):
            _and(taken, mask, taken)
        if once >= 0:
            if still is None:
                self._open[once] = ~taken
            else:
                _xor(still, taken, still)
        if fresh:
            self._hits[pool] = taken
        else:
            self._add(pool, taken)
        _xor(row, taken, row)
        return not row.max()

    def _add(self, pool: int, taken: Plane) -> None:
        """More volleys that hit a pool hit before in this point."""
        own = self._own[pool]
        _or(self._hits[pool], taken, own)
        self._hits[pool] = own

    def _needed(self, needs: Sequence[int]) -> Iterator[Plane]:
        """Where one of these pools has a box; nothing if that is everywhere."""
        if not needs:
            return
        total: Plane | None = None
        for k in needs:
            counter = self._pools[k]
            if counter.gone:
                continue
            if counter.alive is None:
                return
            total = counter.alive if total is None else total | counter.alive
        yield np.zeros(WORDS, np.uint64) if total is None else total

    def _turn(self, row: Plane, step: Turn) -> bool:
        """The third hits by their own steps, then the others."""
        two = self._turns[step.system][1]
        third = row & two
        _xor(row, third, row)
        rest = _empty()
        rest[:] = row
        done_third = self._walk(third, step.third) or not third.any()
        done_rest = self._walk(rest, step.others) or not rest.any()
        if done_third and done_rest:
            return True
        left = np.zeros(WORDS, np.uint64)
        if not done_third:
            left |= third
        if not done_rest:
            left |= rest
        row[:] = left
        return False

    def _contest(self, row: Plane, step: Contest) -> bool:
        """Each rival's volleys are those where it is offered and loses to no other."""
        still = self._open[step.once] if step.once >= 0 else None
        reach = row if still is None else row & still
        offered = [
            (rival, plane) for rival in step.rivals if (plane := self._offered(rival, reach)) is not None
        ]
        if not offered:
            return False
        won = self._drawn(offered) if step.drawn and len(offered) > 1 else self._won(offered)
        everything = np.zeros(WORDS, np.uint64)
        for pool, taken in won:
            everything |= taken
            if pool in self._hits:
                self._add(pool, taken)
            else:
                self._hits[pool] = taken
        if step.once >= 0:
            self._open[step.once] = ~everything if still is None else still & ~everything
        _xor(row, everything, row)
        return not row.max()

    def _offered(self, rival: Rival, reach: Plane) -> Plane | None:
        counter = self._pools[rival.pool]
        if counter.gone:
            return None
        offered = reach.copy() if counter.alive is None else reach & counter.alive
        for mask in self._needed(rival.needs):
            offered &= mask
        for k in rival.behind:
            other = self._pools[k]
            if not other.gone:
                if other.alive is None:
                    return None
                offered &= ~other.alive
        return offered

    def _won(self, offered: Sequence[tuple[Rival, Plane]]) -> list[tuple[int, Plane]]:
        there = {rival.pool: plane for rival, plane in offered}
        won = []
        for rival, plane in offered:
            taken = plane.copy()
            for loss in rival.losses:
                if loss.to in there:
                    taken &= ~(there[loss.to] if loss.fuller is None else there[loss.to] & self._beats(loss))
            won.append((rival.pool, taken))
        return won

    def _beats(self, loss: Loss) -> Plane:
        assert loss.fuller is not None
        theirs, ours = loss.fuller
        if loss.fuller not in self._fuller:
            self._fuller[loss.fuller] = fuller(self._count(theirs), self._count(ours))
        more, same = self._fuller[loss.fuller]
        return more | same if loss.ties else more

    def _count(self, system: int) -> list[Plane]:
        """Boxes of a system left, less one; only looked at where there is one."""
        if system in self._totals:
            return self._totals[system].planes
        return self._pools[self.plan.systems[system][0]].planes

    def _drawn(self, offered: Sequence[tuple[Rival, Plane]]) -> list[tuple[int, Plane]]:
        """A box at random: each pool in proportion to the boxes it offers, volley by volley."""
        anyone = np.zeros(WORDS, np.uint64)
        for _, plane in offered:
            anyone |= plane
        lanes = lanes_of(anyone)
        bounds = np.zeros((len(offered), len(lanes)), np.uint64)
        word, bit = lanes >> 6, (lanes & 63).astype(np.uint64)
        for place, (rival, plane) in enumerate(offered):
            for k, digit in enumerate(self._pools[rival.pool].left()):
                bounds[place] += ((digit & plane)[word] >> bit & np.uint64(1)) << np.uint64(k)
        bounds = np.cumsum(bounds, axis=0, dtype=np.uint64)
        picks = _below(self._draws, bounds[-1])
        chosen = (picks >= bounds).sum(axis=0)
        won = []
        for place, (rival, _) in enumerate(offered):
            flags = np.zeros(WORDS * 64, np.bool_)
            flags[lanes[chosen == place]] = True
            won.append((rival.pool, plane_of(flags)))
        return won

    # -- what is left --------------------------------------------------------------------

    def left(self, quantity: Quantity) -> list[Plane]:
        """The boxes left of a quantity as a counter, those that are never hit not counted."""
        total: Bits = []
        for k in quantity.pools:
            total = add_counters(total, self._pools[k].left())
        return list(total)


def _below(source: Any, bounds: Any) -> Any:
    """A number below each bound, every one as likely: high half of a product, drawn again where uneven."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    uneven = (np.uint64(1 << 32) - bounds) % bounds
    product = (source.random_raw(len(bounds)) >> half) * bounds
    while (again := np.flatnonzero((product & low) < uneven)).size:
        product[again] = (source.random_raw(again.size) >> half) * bounds[again]
    return product >> half


def _steps_in(plan: Plan) -> Iterator[Step]:
    def inside(step: Step) -> Iterator[Step]:
        yield step
        if isinstance(step, Turn):
            for part in (*step.third, *step.others):
                yield from inside(part)

    for rows in plan.rows:
        for row in rows:
            for step in row:
                yield from inside(step)


def _compared(plan: Plan) -> tuple[int, ...]:
    """The systems whose boxes are compared, so that they need a count of their own."""
    contests = (step for step in _steps_in(plan) if isinstance(step, Contest))
    losses = (loss for step in contests for rival in step.rivals for loss in rival.losses)
    return tuple(sorted({system for loss in losses if loss.fuller for system in loss.fuller}))


def _turning(plan: Plan) -> tuple[int, ...]:
    return tuple(sorted({step.system for step in _steps_in(plan) if isinstance(step, Turn)}))
