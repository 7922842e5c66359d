"""Exact odds with many states: the walk of `exact` with arrays in place of a dictionary.

A state is a few 64-bit words, a weight a few limbs of whole numbers, so nothing is rounded. States that
are alike are brought together by sorting, by one number made of their words. Two different states that give
the same number (of ten million questions one may meet that) are noticed, and the answer is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.chances.asking import DESTROYED, PASSED, Asker
from referee.chances.boxpools import Quantity
from referee.chances.exact import (
    SAMPLED_INSTEAD,
    BeyondBudget,
    ChartEntry,
    Packing,
    Row,
    Weights,
    beyond,
    rows_at,
    rows_by_head,
)

Words = NDArray[np.uint64]
Codes = NDArray[np.int8]
Places = NDArray[np.int32]

_WORD = (1 << 64) - 1
_UNKNOWN, _PASSED = -2, -1
_TABLE_BITS = 22
"""An entry that depends on more of a state than this is looked up in a dictionary."""
_MULTIPLIERS = (1, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class _Outcome:
    """States that a cell takes on: where they stand, the pool each loses a box of (one more than the last
    pool where the ship is destroyed), the cell that is closed, and the rolls that lead there."""

    places: Places
    codes: Codes
    closed: int
    rolls: int


class _Table:
    """What an entry costs by the part of a state it depends on: a pool, nothing, or the ship."""

    def __init__(self, entry: ChartEntry, packing: Packing, pools: int) -> None:
        self._entry, self._packing, self._pools = entry, packing, pools
        self._pieces: list[tuple[int, int, int, int]] = []
        """Word, shift in it, mask after the shift, and shift in the index."""
        bits = 0
        for mask, shift in zip(packing.masks, packing.shifts, strict=True):
            if entry.mask & mask:
                part = mask >> shift
                self._pieces.append((shift // 64, shift % 64, part, bits))
                bits += part.bit_length()
        self._wide = bits > _TABLE_BITS
        self._codes = np.full(1 if self._wide else 1 << bits, _UNKNOWN, np.int8)

    def look_up(self, words: Sequence[Words]) -> Codes:
        """The codes of states; those not known yet are asked of the resolver."""
        if self._wide:
            return self._look_up_wide(words)
        index = np.zeros(len(words[0]), np.uint64)
        for word, shift, part, at in self._pieces:
            index |= (words[word] >> np.uint64(shift) & np.uint64(part)) << np.uint64(at)
        codes = self._codes[index]
        unknown = np.flatnonzero(codes == _UNKNOWN)
        if len(unknown):
            fresh, first = np.unique(index[unknown], return_index=True)
            self._codes[fresh] = self._ask([_state(words, place) for place in unknown[first]])
            codes = self._codes[index]
        return codes

    def _look_up_wide(self, words: Sequence[Words]) -> Codes:
        masks = [np.uint64(self._entry.mask >> 64 * n & _WORD) for n in range(len(words))]
        parts = np.stack([word & mask for word, mask in zip(words, masks, strict=True)])
        _, first, which = np.unique(parts, axis=1, return_index=True, return_inverse=True)
        codes = np.array(self._ask([_state(words, place) for place in first]), np.int8)
        found: Codes = codes[which.reshape(-1)]
        return found

    def _ask(self, states: Sequence[int]) -> list[int]:
        lost = self._entry.pools_lost([self._packing.unpacked(state) for state in states])
        return [{DESTROYED: self._pools, PASSED: _PASSED}.get(pool, pool) for pool in lost]


class ArrayWalk:
    """The states after some points, all at once. `total` is how many rolls there are."""

    def __init__(self, asker: Asker, packing: Packing, states: Mapping[int, int], total: int) -> None:
        self.asker, self.packing, self.total = asker, packing, total
        self._pools = len(asker.pools)
        count, sides = asker.shape
        self._every = sides**count
        self._closing = (0, *packing.used.values())
        # A state is reached from one state a pool and cell at most, by all rolls there are.
        reached = (self._every * (self._pools + 1) * len(self._closing)).bit_length()
        self._limb = 63 - reached
        self._limbs = -(-(self._every**asker.scored).bit_length() // self._limb)
        size = -(-packing.dead.bit_length() // 64)
        packed = list(states)
        self._words = [_words([state >> 64 * n & _WORD for state in packed]) for n in range(size)]
        limb = (1 << self._limb) - 1
        weights = [states[state] for state in packed]
        self._weights = [_words([w >> self._limb * n & limb for w in weights]) for n in range(self._limbs)]
        steps = [-unit for unit in packing.ones] + [packing.dead]
        self._steps = [
            np.array(
                [[_word(step, n) + _word(bit, n) & _WORD for step in steps] + [0] for bit in self._closing],
                np.uint64,
            )
            for n in range(size)
        ]
        """What is added to a word of a state, by closed cell and code; the last code, -1, adds nothing."""
        self._tables: dict[int, _Table] = {}

    def __len__(self) -> int:
        return len(self._words[0])

    def weights(
        self, after: int, quantities: Sequence[Quantity], every: bool, budget: int
    ) -> Iterator[Weights]:
        """The weights of the points that are left, after each (`every`) or only after the last.

        Raises BeyondBudget as soon as more states than that are needed."""
        asker = self.asker
        rows = rows_at(asker, self.packing, max(n for n in asker.directions if n <= after + 1))
        for n in range(after + 1, asker.scored + 1):
            if n in asker.directions:
                rows = rows_at(asker, self.packing, n)
            outcomes = list(self._outcomes(rows))
            self.total *= self._every
            if every or n == asker.scored:
                yield self._weighed(outcomes, quantities)
            if n < asker.scored:
                self._merge(outcomes)
                if len(self) > budget:
                    raise beyond(budget, n)

    # -- what a point costs ----------------------------------------------------------------

    def _outcomes(self, rows: Sequence[Row]) -> Iterator[_Outcome]:
        dead = self._bit(self.packing.dead, np.arange(len(self), dtype=np.int32))
        gone, alive = np.flatnonzero(dead).astype(np.int32), np.flatnonzero(~dead).astype(np.int32)
        if len(gone):
            yield _Outcome(gone, np.full(len(gone), _PASSED, np.int8), 0, self._every)
        for together, (closing, *_, first), tails in rows_by_head(rows, 1):
            codes = self._codes(first, closing, alive)
            hit = codes != _PASSED
            yield _Outcome(alive[hit], codes[hit], self._closing.index(closing), together)
            left = alive[~hit]
            for rolls, cells in tails:
                passed = left
                for used, _, _, entry in cells:
                    if not len(passed):
                        break
                    codes = self._codes(entry, used, passed)
                    hit = codes != _PASSED
                    if hit.any():
                        yield _Outcome(passed[hit], codes[hit], self._closing.index(used), rolls)
                    passed = passed[~hit]

    def _codes(self, entry: ChartEntry, used: int, places: Places) -> Codes:
        """What an entry costs at these places; nothing where its cell is closed."""
        if id(entry) not in self._tables:
            self._tables[id(entry)] = _Table(entry, self.packing, self._pools)
        codes = np.full(len(places), _PASSED, np.int8)
        there = ~self._bit(used, places) if used else np.ones(len(places), bool)
        at = places[there]
        codes[there] = self._tables[id(entry)].look_up([word[at] for word in self._words])
        return codes

    def _bit(self, bit: int, places: Places) -> NDArray[np.bool_]:
        at = bit.bit_length() - 1
        return (self._words[at // 64][places] >> np.uint64(at % 64) & np.uint64(1)).astype(bool)

    # -- states that are alike -------------------------------------------------------------

    def _merge(self, outcomes: list[_Outcome]) -> None:
        key, added = _sorting_number(self._words), _sorting_number(self._steps)
        keys = np.concatenate([key[o.places] + added[o.closed][o.codes] for o in outcomes])
        order = np.argsort(keys)
        keys = keys[order]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        del keys
        places = np.concatenate([o.places for o in outcomes])[order]
        codes = np.concatenate([o.codes for o in outcomes])[order]
        closed = np.concatenate([np.full(len(o.places), o.closed, np.int8) for o in outcomes])[order]
        rolls = np.concatenate([np.full(len(o.places), o.rolls, np.uint16) for o in outcomes])[order]
        outcomes.clear()
        del order
        words = [
            word[places[starts]] + step[closed[starts], codes[starts]]
            for word, step in zip(self._words, self._steps, strict=True)
        ]
        self._prove_alike(words, starts, places, codes, closed)
        self._weights = self._carried([np.add.reduceat(w[places] * rolls, starts) for w in self._weights])
        self._words = words

    def _prove_alike(
        self, words: Sequence[Words], starts: NDArray[np.intp], places: Places, codes: Codes, closed: Codes
    ) -> None:
        """Raises BeyondBudget where states that are brought together differ."""
        sizes = np.diff(np.append(starts, len(places)))
        group = np.repeat(np.arange(len(starts), dtype=np.int32), sizes)
        for begin in range(0, len(places), _BLOCK):
            part = slice(begin, begin + _BLOCK)
            for merged, word, step in zip(words, self._words, self._steps, strict=True):
                if (merged[group[part]] != word[places[part]] + step[closed[part], codes[part]]).any():
                    raise BeyondBudget("an exact answer cannot tell two states apart", hint=SAMPLED_INSTEAD)

    def _carried(self, limbs: Sequence[Words]) -> list[Words]:
        """Limbs below their size again: what is over goes to the next."""
        low = np.uint64((1 << self._limb) - 1)
        carried, over = [], np.zeros_like(limbs[0])
        for limb in limbs:
            full = limb + over
            carried.append(full & low)
            over = full >> np.uint64(self._limb)
        return carried

    # -- weights ---------------------------------------------------------------------------

    def _weighed(self, outcomes: Sequence[_Outcome], quantities: Sequence[Quantity]) -> Weights:
        """What is left of each quantity after these outcomes, without their states brought together."""
        lost = np.zeros((self._pools + 1, len(self)), np.uint16)
        for outcome in outcomes:
            # A place stands once in an outcome, so nothing is counted twice.
            hit = outcome.codes != _PASSED
            lost[outcome.codes[hit], outcome.places[hit]] += np.uint16(outcome.rolls)
        parts = self._parts()
        left = [
            np.asarray(self._words[shift // 64] >> np.uint64(shift % 64) & np.uint64(mask >> shift), np.int64)
            for mask, shift in zip(self.packing.masks, self.packing.shifts, strict=True)
        ]
        gone = self._bit(self.packing.dead, np.arange(len(self), dtype=np.int32))
        destroyed = np.where(gone, self._every, lost[self._pools].astype(np.int64))
        rows = []
        for quantity in quantities:
            members = list(quantity.pools)
            there = sum((left[k] for k in members), np.zeros(len(self), np.int64))
            rows.append(
                self._counted(there, lost[members].sum(axis=0, dtype=np.int64), quantity.start, parts)
            )
        ended = self._summed(destroyed, parts)
        return Weights(self.total, tuple(rows), sum(rolls * weight for rolls, weight in enumerate(ended)))

    def _counted(
        self, there: NDArray[np.int64], lost: NDArray[np.int64], most: int, parts: Sequence[_Part]
    ) -> tuple[int, ...]:
        """The rolls that leave 0, 1, ... boxes, of states with so many and the rolls that cost one."""
        counted = [0] * (most + 1)
        for index, weight in enumerate(self._summed(there * (self._every + 1) + lost, parts)):
            if weight:
                boxes, rolls = divmod(index, self._every + 1)
                counted[boxes] += weight * (self._every - rolls)
                if rolls:
                    counted[boxes - 1] += weight * rolls
        return tuple(counted)

    def _parts(self) -> list[_Part]:
        """The weights in parts that a float adds up without rounding."""
        bits = 52 - len(self).bit_length()
        parts = []
        for n, limb in enumerate(self._weights):
            for shift in range(0, self._limb, bits):
                mask = np.uint64((1 << min(bits, self._limb - shift)) - 1)
                part = (limb >> np.uint64(shift) & mask).astype(np.float64)
                if part.any():
                    parts.append((n * self._limb + shift, part))
        return parts

    @staticmethod
    def _summed(index: NDArray[np.int64], parts: Sequence[_Part]) -> list[int]:
        """The weights of states added up by an index."""
        summed: list[int] = []
        for shift, part in parts:
            for n, weight in enumerate(np.bincount(index, part)):
                if n == len(summed):
                    summed.append(0)
                summed[n] += int(weight) << shift
        return summed


_Part = tuple[int, NDArray[np.float64]]


def _sorting_number(words: Sequence[Words]) -> Words:
    """One number of the words of each state. What a step adds to the words it adds to the number too."""
    number = np.zeros_like(words[0])
    for n, word in enumerate(words):
        number += word * np.uint64(_MULTIPLIERS[n])
    return number


def _words(numbers: Sequence[int]) -> Words:
    return np.array(numbers, np.uint64)


def _word(number: int, n: int) -> int:
    """The n-th word of what a step adds; a step that takes away stays within its word."""
    if number < 0:
        taken = -number
        return -(taken >> 64 * n) & _WORD if (taken.bit_length() - 1) // 64 == n else 0
    return number >> 64 * n & _WORD


def _state(words: Sequence[Words], place: int) -> int:
    return sum(int(word[place]) << 64 * n for n, word in enumerate(words))
