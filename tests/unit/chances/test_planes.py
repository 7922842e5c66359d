"""Bits: dice without bias, counters, sums and comparisons against plain arithmetic."""

from __future__ import annotations

import numpy as np
import pytest

from referee.chances import planes
from referee.chances.planes import (
    CHUNK,
    WORDS,
    add_counters,
    first_lanes,
    fuller,
    histogram,
    lanes_of,
    plane_of,
    popcount,
    product_sum,
    rolls_of,
    stream_of,
)


def _numbers(bits: int, seed: int) -> np.ndarray:
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 1 << bits, CHUNK)


def _planes(numbers: np.ndarray, bits: int) -> list[planes.Plane]:
    return [plane_of((numbers >> k & 1) == 1) for k in range(bits)]


def test_ninths_of_every_number() -> None:
    """Each of the nine classes takes exactly 455 of the 4095 numbers."""
    numbers = np.arange(CHUNK) % 4096
    source = np.zeros((14, WORDS), np.uint64)
    source[:12] = _planes(numbers, 12)
    ninths, beyond = planes._ninths(source, [np.empty(WORDS, np.uint64) for _ in range(24)])
    copies = CHUNK // 4096
    assert popcount(beyond) == copies
    assert [popcount(plane & ~beyond) // copies for plane in ninths] == [455] * 9
    together = np.zeros(WORDS, np.uint64)
    for plane in ninths:
        assert not (together & plane).any()
        together |= plane


@pytest.mark.parametrize("shares", [(1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1), (1,) * 6])
def test_rolls_come_in_their_shares(shares: tuple[int, ...]) -> None:
    rolls = rolls_of("shares", 3, shares)
    counted = np.zeros(len(shares))
    points = 12
    for _ in range(points):
        rows = next(rolls)
        together = np.zeros(WORDS, np.uint64)
        for row in rows:
            assert not (together & row).any()
            together |= row
        assert popcount(together) == CHUNK
        counted += [popcount(row) for row in rows]
    expected = np.array(shares) / sum(shares) * CHUNK * points
    assert ((counted - expected) ** 2 / expected).sum() < 45


def test_streams_differ_and_repeat() -> None:
    words = stream_of("a", 0).random_raw(4)
    assert (words == stream_of("a", 0).random_raw(4)).all()
    assert (words != stream_of("a", 1).random_raw(4)).any()
    assert (words != stream_of("b", 0).random_raw(4)).any()
    assert int(words[0]) == 1599992759886126147


def test_other_dice_are_refused() -> None:
    from referee.core.errors import BadInput

    with pytest.raises(BadInput, match="cannot be sampled"):
        next(rolls_of("a", 0, (1,) * 8))


def test_counters() -> None:
    a, b = _numbers(4, 1), _numbers(3, 2)
    among = plane_of(_numbers(1, 3) == 1)
    chosen = _numbers(1, 3) == 1
    digits_a, digits_b = _planes(a, 4), _planes(b, 3)
    total = add_counters(digits_a, digits_b)
    assert histogram(total, among, 22) == [int(((a + b)[chosen] == n).sum()) for n in range(23)]
    assert product_sum(digits_a, digits_b, among) == int((a * b)[chosen].sum())
    more, same = fuller(digits_a, digits_b)
    assert popcount(more) == int((a > b).sum())
    assert popcount(same) == int((a == b).sum())


def test_lanes() -> None:
    flags = _numbers(8, 4) == 0
    assert (lanes_of(plane_of(flags)) == np.flatnonzero(flags)).all()
    assert popcount(first_lanes(70)) == 70
    assert (lanes_of(first_lanes(70)) == np.arange(70)).all()
    assert popcount(first_lanes(CHUNK)) == CHUNK
