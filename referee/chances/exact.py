"""Exact odds: every state a volley can reach, point by point, with how many rolls lead there.

States that are alike are merged, weights are whole numbers of equally likely rolls, and what a roll
does in a state is asked of the resolver once for each situation that can make a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm

from referee.chances.asking import DESTROYED, PASSED, Asker, Question
from referee.chances.boxpools import Quantity
from referee.core.errors import BadInput

BUDGET = 3_000_000
"""States kept at once before an exact answer is refused."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What holds after some points, in rolls out of `total`: for each quantity how many rolls leave so
    many boxes of it, and how many destroy the ship."""

    total: int
    left: tuple[tuple[int, ...], ...]
    destroyed: int


class BeyondBudget(BadInput):
    """An exact answer needs more states than allowed."""


def beyond(budget: int, point: int) -> BeyondBudget:
    """The refusal of an answer whose states are too many from this point on."""
    return BeyondBudget(
        f"an exact answer needs more than {budget} states from point {point} on", hint=SAMPLED_INSTEAD
    )


SAMPLED_INSTEAD = "leave --exact out to have it sampled"

Move = tuple[int, int]
"""What a cell does to a packed state: the number to add, and its share of the cell's weight."""


class ChartEntry:
    """A chart entry in one direction: which part of a state it depends on, and what it does there."""

    def __init__(self, asker: Asker, packing: Packing, name: str, point: int) -> None:
        self._asker, self._packing, self._name, self._point = asker, packing, name, point
        self.steps: dict[int, int] = {}
        """By the part of a state: what to add to it, nothing where the cell is passed, or `drawn`."""
        self.draws: dict[int, tuple[Move, ...]] = {}
        pools = asker.pools
        situations = asker.run_down(name, point)
        answers = asker.ask([Question(name, left, asker.hits_after(left), point) for left in situations])
        offered = {k for answer in answers for k, _ in answer.offered}
        self.most = sum(pools[k].size for k in offered)
        """The most boxes there can be to choose from."""
        systems = {pools[k].system for k in offered}
        concerned = [k for k, pool in enumerate(pools) if pool.system in systems]
        self.mask = sum(packing.masks[k] for k in concerned)
        self.last = answers[-1].pool == DESTROYED
        """Does the entry destroy the ship when its boxes are gone?"""
        self._learn(situations)

    def step_in(self, state: int) -> int:
        """What to add to a state; nothing where the cell is passed."""
        if state & self.mask not in self.steps:
            self._learn([self._packing.unpacked(state)])
        return self.steps[state & self.mask]

    def pools_lost(self, lefts: Sequence[tuple[int, ...]]) -> list[int]:
        """The pool that each of these situations loses a box of, PASSED or DESTROYED; for an owner who does
        not choose by chance."""
        asker = self._asker
        questions = [Question(self._name, left, asker.hits_after(left), self._point) for left in lefts]
        return [answer.pool for answer in asker.ask(questions)]

    def _learn(self, lefts: Sequence[tuple[int, ...]]) -> None:
        asker, packing = self._asker, self._packing
        questions = [Question(self._name, left, asker.hits_after(left), self._point) for left in lefts]
        for left, answer in zip(lefts, asker.ask(questions), strict=True):
            key = packing.packed(left) & self.mask
            if answer.pool == PASSED:
                self.steps[key] = 0
            elif answer.pool == DESTROYED:
                self.steps[key] = packing.dead
            elif asker.random and len(answer.offered) > 1:
                self.steps[key] = packing.drawn
                self.draws[key] = tuple((-packing.ones[k], boxes) for k, boxes in answer.offered)
            else:
                self.steps[key] = -packing.ones[answer.pool]


class Packing:
    """A state as one whole number: boxes left by pool, cells that are used up, destroyed or not."""

    def __init__(self, asker: Asker) -> None:
        shift = 0
        self.ones: list[int] = []
        self.masks: list[int] = []
        self.shifts: list[int] = []
        for size in asker.whole:
            if shift // 64 < (shift + size.bit_length() - 1) // 64:
                # No pool stands across two 64-bit words, so arrays can hold a state word by word.
                shift += -shift % 64
            self.shifts.append(shift)
            self.ones.append(1 << shift)
            self.masks.append(((1 << size.bit_length()) - 1) << shift)
            shift += size.bit_length()
        self.boxes = (1 << shift) - 1
        self.used: dict[str, int] = {}
        for row in asker.rows.values():
            for cell in row:
                if cell.once:
                    self.used[cell.name] = 1 << shift
                    shift += 1
        self.dead = 1 << shift
        self.drawn = 2 << shift
        """Stands for a step that chance decides; never part of a state."""

    def packed(self, left: Sequence[int]) -> int:
        return sum(n << shift for n, shift in zip(left, self.shifts, strict=True))

    def unpacked(self, state: int) -> tuple[int, ...]:
        return tuple((state & mask) >> shift for mask, shift in zip(self.masks, self.shifts, strict=True))


def offered_ever(
    asker: Asker, entry: str, point: int, hits: tuple[tuple[str, int], ...] = ()
) -> tuple[int, ...]:
    """The pools an entry may ever cost a box of: those offered on the whole ship, then those offered
    once these are gone, and so on."""
    left = list(asker.whole)
    found: dict[int, None] = {}
    while True:
        answer = asker.ask([Question(entry, tuple(left), hits, point)])[0]
        fresh = [k for k, _ in answer.offered if left[k]]
        if answer.pool < 0 or not fresh:
            return tuple(found)
        for k in fresh:
            found[k] = None
            left[k] = 0


def walk(asker: Asker, packing: Packing, budget: int) -> Iterator[tuple[int, dict[int, int], int]]:
    """The states after each number of points from none on, and the rolls there are."""
    count, sides = asker.shape
    states = {packing.packed(asker.whole): 1}
    total = 1
    factor = 1
    yield 0, states, total
    rows: list[Row] = []
    for n in range(1, asker.scored + 1):
        if n in asker.directions:
            rows = rows_at(asker, packing, n)
            most = max((entry.most for _, cells in rows for _, entry in cells), default=1)
            factor = lcm(*range(1, most + 1)) if asker.random else 1
        states = _next(states, rows, packing, factor, budget)
        if len(states) > budget:
            raise beyond(budget, n)
        total *= sides**count * factor
        yield n, states, total


Row = tuple[int, tuple[tuple[int, ChartEntry], ...]]
"""How many rolls lead to a row of the chart, and its cells: the bit that closes it, and its entry."""


def ways(count: int, sides: int) -> dict[int, int]:
    """How many rolls of so many dice give each total."""
    totals: dict[int, int] = {}
    for roll in product(range(1, sides + 1), repeat=count):
        totals[sum(roll)] = totals.get(sum(roll), 0) + 1
    return totals


def rows_at(asker: Asker, packing: Packing, point: int) -> list[Row]:
    entries: dict[str, ChartEntry] = {}
    rows = []
    for roll, rolls in ways(*asker.shape).items():
        cells = []
        for cell in asker.rows[roll]:
            if cell.entry not in entries:
                entries[cell.entry] = ChartEntry(asker, packing, cell.entry, point)
            entry = entries[cell.entry]
            if entry.mask or entry.last:
                cells.append((packing.used.get(cell.name, 0) if cell.once else 0, entry))
        rows.append((rolls, tuple(cells)))
    return rows


def _next(
    states: dict[int, int], rows: Sequence[Row], packing: Packing, factor: int, budget: int
) -> dict[int, int]:
    """The states after one more point, or the first of them if they are more than the budget. Weights
    grow by `factor`, so that a random owner's pick of one box among several divides them evenly."""
    after: dict[int, int] = {}
    get = after.get
    dead, drawn = packing.dead, packing.drawn
    heads = rows_by_head(rows, factor)
    everything = sum(rolls for rolls, _, _ in heads)
    for state, weight in states.items():
        if state & dead:
            after[state] = get(state, 0) + weight * everything
            continue
        for together, (closing, part, steps, first), tails in heads:
            if not state & closing:
                step = steps(state & part)
                if step is None:
                    step = first.step_in(state)
                if step and step != drawn:
                    to = state + step | closing
                    after[to] = get(to, 0) + weight * together
                    continue
            for rolls, cells in tails:
                for used, mask, known, entry in cells:
                    if state & used:
                        continue
                    step = known(state & mask)
                    if step is None:
                        step = entry.step_in(state)
                    if not step:
                        continue
                    if step == drawn:
                        moves = entry.draws[state & mask]
                        share = weight * rolls // sum(boxes for _, boxes in moves)
                        for move, boxes in moves:
                            to = state + move | used
                            after[to] = get(to, 0) + share * boxes
                    else:
                        to = state + step | used
                        after[to] = get(to, 0) + weight * rolls
                    break
        if len(after) > budget:
            break
    return after


_Quick = tuple[int, int, Callable[[int], int | None], ChartEntry]
"""A cell as the walk needs it: the bit that closes it, its entry's part of a state and known steps."""


def rows_by_head(
    rows: Sequence[Row], factor: int
) -> list[tuple[int, _Quick, list[tuple[int, list[_Quick]]]]]:
    """The rows by their first cell, which rows that begin alike share: the rolls of all of them, that cell,
    and for each the rolls and the cells to walk where it does not decide."""
    heads: dict[tuple[int, int], tuple[_Quick, list[tuple[int, list[_Quick]]]]] = {}
    for rolls, cells in rows:
        quick: list[_Quick] = [(used, entry.mask, entry.steps.get, entry) for used, entry in cells]
        _, tails = heads.setdefault((cells[0][0], id(cells[0][1])), (quick[0], []))
        # The first cell is walked again only where chance picks the box.
        tails.append((rolls * factor, quick if factor > 1 else quick[1:]))
    return [(sum(rolls for rolls, _ in tails), cell, tails) for cell, tails in heads.values()]


def weigh(states: dict[int, int], total: int, quantities: Sequence[Quantity], packing: Packing) -> Weights:
    """What states come to, quantity by quantity."""
    destroyed = sum(weight for state, weight in states.items() if state & packing.dead)
    left: dict[str, tuple[int, ...]] = {}
    _sum_up(_merged(states, packing.boxes), list(quantities), packing, left)
    return Weights(total, tuple(left[quantity.name] for quantity in quantities), destroyed)


def _merged(states: dict[int, int], mask: int) -> dict[int, int]:
    merged: dict[int, int] = {}
    for state, weight in states.items():
        part = state & mask
        merged[part] = merged.get(part, 0) + weight
    return merged


def _sum_up(
    states: dict[int, int], quantities: list[Quantity], packing: Packing, left: dict[str, tuple[int, ...]]
) -> None:
    """Halves the quantities until one is left, each time merging what the others told apart."""
    if not quantities:
        return
    if len(quantities) > 1:
        for half in (quantities[: len(quantities) // 2], quantities[len(quantities) // 2 :]):
            pools = {k for quantity in half for k in quantity.pools}
            _sum_up(_merged(states, sum(packing.masks[k] for k in pools)), half, packing, left)
        return
    quantity = quantities[0]
    counted = [0] * (quantity.start + 1)
    for state, weight in states.items():
        counted[sum((state & packing.masks[k]) >> packing.shifts[k] for k in quantity.pools)] += weight
    left[quantity.name] = tuple(counted)
