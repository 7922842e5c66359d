"""A random owner on a chart whose entries share no boxes: which box of a group goes is a lottery of its own.

Such a chart (the cadet one) takes boxes from groups, and a random owner loses any box of a group as likely
as another. So it is enough to count how many of each group are left; of those, every choice of boxes is as
likely, which says how many of each system they are. States stay few, however many systems there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb, lcm, prod
from random import Random

from referee.chances.asking import PASSED, Asker, Question
from referee.chances.boxpools import Pool, quantities_of
from referee.chances.exact import BUDGET, Packing, Weights, walk

_TRIALS = 24


def groups_of(asker: Asker) -> tuple[tuple[int, ...], ...]:
    """The pools of the boxes that go together; none where the chart or the owner is of another kind."""
    if not asker.random or any(cell.once for row in asker.rows.values() for cell in row):
        return ()
    entries = dict.fromkeys(cell.entry for row in asker.rows.values() for cell in row)
    found: dict[tuple[int, ...], None] = {}
    for entry in entries:
        (answer,) = asker.ask([Question(entry, asker.whole)])
        group = tuple(sorted(k for k, _ in answer.offered))
        if group:
            found[group] = None
        if not all(_is_offered(asker, entry, group, left) for left in _situations(asker, entry)):
            return ()
    taken = [k for group in found for k in group]
    if len(set(taken)) < len(taken):
        return ()
    return (*found, *((k,) for k in range(len(asker.pools)) if k not in taken))


def _situations(asker: Asker, entry: str) -> Iterator[tuple[int, ...]]:
    """Some of what may be left: with few boxes gone, and with many."""
    random = Random(entry)
    for trial in range(_TRIALS):
        yield tuple(max(0, size - random.randint(0, size * (trial + 1) // 6)) for size in asker.whole)


def _is_offered(asker: Asker, entry: str, group: Sequence[int], left: tuple[int, ...]) -> bool:
    """Does an entry offer every box of a group that is left, and no other?"""
    (answer,) = asker.ask([Question(entry, left)])
    there = {k: left[k] for k in group if left[k]}
    return dict(answer.offered) == there and (answer.pool >= 0 if there else answer.pool <= PASSED)


def grouped_weights(
    asker: Asker, groups: Sequence[Sequence[int]], budget: int = BUDGET, every: bool = False
) -> Iterator[Weights]:
    """The weights before the first point and after each (`every`), or only after the last."""
    whole = asker.with_pools([_together([asker.pools[k] for k in group]) for group in groups])
    packing = Packing(whole)
    for n, states, total in walk(whole, packing, budget):
        if every or n == whole.scored:
            lefts = [(packing.unpacked(state), weight) for state, weight in states.items()]
            destroyed = sum(weight for state, weight in states.items() if state & packing.dead)
            yield _spread(asker, groups, lefts, total, destroyed)


def _together(pools: Sequence[Pool]) -> Pool:
    return Pool(pools[0].system, tuple(box for pool in pools for box in pool.boxes), weapon=False)


def _spread(
    asker: Asker,
    groups: Sequence[Sequence[int]],
    lefts: Sequence[tuple[tuple[int, ...], int]],
    total: int,
    destroyed: int,
) -> Weights:
    """What is left of each quantity, where every choice of the boxes left of a group is as likely."""
    sizes = [sum(asker.whole[k] for k in group) for group in groups]
    # So many times the rolls: then every share of them is a whole number.
    shares = [lcm(*(comb(size, left) for left in range(size + 1))) for size in sizes]
    rows = []
    for quantity in quantities_of(asker.pools):
        ours = [sum(asker.whole[k] for k in group if k in quantity.pools) for group in groups]
        places = [g for g, boxes in enumerate(ours) if boxes]
        rest = prod(share for g, share in enumerate(shares) if g not in places)
        merged: dict[tuple[int, ...], int] = {}
        for left, weight in lefts:
            part = tuple(left[g] for g in places)
            merged[part] = merged.get(part, 0) + weight
        row = [0] * (quantity.start + 1)
        for part, weight in merged.items():
            ways = {0: weight * rest}
            for g, there in zip(places, part, strict=True):
                ways = _both(ways, _drawn(sizes[g], there, ours[g], shares[g]))
            for boxes, share in ways.items():
                row[boxes] += share
        rows.append(tuple(row))
    scale = prod(shares)
    return Weights(total * scale, tuple(rows), destroyed * scale)


def _drawn(size: int, left: int, ours: int, share: int) -> dict[int, int]:
    """How many of our boxes are among those left of a group, in so many shares."""
    each = share // comb(size, left)
    most = range(max(0, left - (size - ours)), min(ours, left) + 1)
    return {boxes: comb(ours, boxes) * comb(size - ours, left - boxes) * each for boxes in most}


def _both(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for a, ways in first.items():
        for b, more in second.items():
            found[a + b] = found.get(a + b, 0) + ways * more
    return found
