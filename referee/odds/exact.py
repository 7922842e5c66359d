"""Exact odds: every state a volley can reach, point by point, with how many rolls lead there.

States that are alike are merged, weights are whole numbers of equally likely rolls, and what a roll
does in a state is asked of the resolver once for each situation that can make a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm

from referee.core.errors import BadInput
from referee.odds.asking import DESTROYED, PASSED, Asker, Question
from referee.odds.boxpools import Quantity, quantities_of

BUDGET = 500_000
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


Move = tuple[int, int]
"""What a cell does to a packed state: the number to add, and its share of the cell's weight."""


class _Entry:
    """A chart entry in one direction: which part of a state it depends on, and what it does there."""

    def __init__(self, asker: Asker, packing: _Packing, name: str, point: int) -> None:
        self._asker, self._packing, self._name, self._point = asker, packing, name, point
        self.moves: dict[int, tuple[Move, ...]] = {}
        pools = asker.pools
        offered = offered_ever(asker, name, point)
        self.most = sum(pools[k].size for k in offered)
        """The most boxes there can be to choose from."""
        systems = {pools[k].system for k in offered}
        concerned = [k for k, pool in enumerate(pools) if pool.system in systems]
        self.mask = sum(packing.masks[k] for k in concerned)
        if len(concerned) == 1:
            self._ask_all(concerned[0])

    def _ask_all(self, only: int) -> None:
        """An entry of one pool is asked for every number of boxes left at once."""
        sizes = self._asker.whole
        self._learn(
            [tuple(n if k == only else size for k, size in enumerate(sizes)) for n in range(sizes[only] + 1)]
        )

    def moves_in(self, state: int) -> tuple[Move, ...]:
        """What the entry does in a state; none where the cell is passed."""
        if state & self.mask not in self.moves:
            self._learn([self._packing.unpacked(state)])
        return self.moves[state & self.mask]

    def _learn(self, lefts: Sequence[tuple[int, ...]]) -> None:
        asker, packing = self._asker, self._packing
        questions = [Question(self._name, left, asker.hits_after(left), self._point) for left in lefts]
        for left, answer in zip(lefts, asker.ask(questions), strict=True):
            key = packing.packed(left) & self.mask
            if answer.pool == PASSED:
                self.moves[key] = ()
            elif answer.pool == DESTROYED:
                self.moves[key] = ((packing.dead, 1),)
            elif asker.random:
                self.moves[key] = tuple((-packing.ones[k], boxes) for k, boxes in answer.offered)
            else:
                self.moves[key] = ((-packing.ones[answer.pool], 1),)


class _Packing:
    """A state as one whole number: boxes left by pool, cells that are used up, destroyed or not."""

    def __init__(self, asker: Asker) -> None:
        shift = 0
        self.ones: list[int] = []
        self.masks: list[int] = []
        self.shifts: list[int] = []
        for size in asker.whole:
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


def exact_weights(asker: Asker, budget: int = BUDGET, every: bool = False) -> Iterator[Weights]:
    """The weights before the first point, and after each (`every`) or only after the last.

    Raises BeyondBudget as soon as more states than that are needed.
    """
    packing = _Packing(asker)
    quantities = quantities_of(asker.pools)
    count, sides = asker.shape
    states = {packing.packed(asker.whole): 1}
    total = 1
    factor = 1
    if every or not asker.scored:
        yield _weigh(states, total, quantities, packing)
    rows: list[_Row] = []
    for n in range(1, asker.scored + 1):
        if n in asker.directions:
            rows = _rows(asker, packing, n)
            most = max((entry.most for _, cells in rows for _, entry in cells), default=1)
            factor = lcm(*range(1, most + 1)) if asker.random else 1
        states = _next(states, rows, packing.dead, factor, budget, n)
        total *= sides**count * factor
        if every or n == asker.scored:
            yield _weigh(states, total, quantities, packing)


_Row = tuple[int, tuple[tuple[int, _Entry], ...]]
"""How many rolls lead to a row of the chart, and its cells: the bit that closes it, and its entry."""


def ways(count: int, sides: int) -> dict[int, int]:
    """How many rolls of so many dice give each total."""
    totals: dict[int, int] = {}
    for roll in product(range(1, sides + 1), repeat=count):
        totals[sum(roll)] = totals.get(sum(roll), 0) + 1
    return totals


def _rows(asker: Asker, packing: _Packing, point: int) -> list[_Row]:
    entries: dict[str, _Entry] = {}
    rows = []
    for roll, rolls in ways(*asker.shape).items():
        cells = []
        for cell in asker.rows[roll]:
            if cell.entry not in entries:
                entries[cell.entry] = _Entry(asker, packing, cell.entry, point)
            entry = entries[cell.entry]
            if entry.mask:
                cells.append((packing.used.get(cell.name, 0) if cell.once else 0, entry))
        rows.append((rolls, tuple(cells)))
    return rows


def _next(
    states: dict[int, int], rows: Sequence[_Row], dead: int, factor: int, budget: int, n: int
) -> dict[int, int]:
    """The states after one more point. Weights grow by `factor`, so that a random owner's pick of one
    box among several divides them evenly."""
    after: dict[int, int] = {}
    get = after.get
    open_rows = [
        (rolls, [(used, entry.mask, entry.moves.get, entry) for used, entry in cells])
        for rolls, cells in rows
    ]
    everything = sum(rolls for rolls, _ in rows)
    for state, was in states.items():
        weight = was * factor
        if state & dead:
            after[state] = get(state, 0) + weight * everything
            continue
        for rolls, cells in open_rows:
            for used, mask, known, entry in cells:
                if state & used:
                    continue
                moves = known(state & mask)
                if moves is None:
                    moves = entry.moves_in(state)
                if moves:
                    share = weight * rolls
                    if len(moves) > 1:
                        share //= sum(boxes for _, boxes in moves)
                        for move, boxes in moves:
                            to = state + move | used
                            after[to] = get(to, 0) + share * boxes
                    else:
                        to = state + moves[0][0] | used
                        after[to] = get(to, 0) + share
                    break
        if len(after) > budget:
            raise BeyondBudget(
                f"an exact answer needs more than {budget} states from point {n} on",
                hint="leave --exact out to have it sampled",
            )
    return after


def _weigh(states: dict[int, int], total: int, quantities: Sequence[Quantity], packing: _Packing) -> Weights:
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
    states: dict[int, int], quantities: list[Quantity], packing: _Packing, left: dict[str, tuple[int, ...]]
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
