"""One bit a volley: dice, counters and comparisons on 64 volleys in a word.

A plane is an array of words; bit b of word w belongs to volley 64 w + b of its chunk. A counter is a
few planes, lowest digit first. Imports numpy, so it is only loaded when something is sampled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.core.errors import BadInput

Plane: TypeAlias = NDArray[np.uint64]
Bits = Sequence[Plane]

CHUNK = 1 << 18
"""Volleys in a chunk. Part of what a seed means: never a setting."""

WORDS = CHUNK // 64
_PLANES = 14
_EVEN = (2**64 // 36) * 36
_BIT = np.uint64(1)


def stream_of(seed: str, *key: int) -> Any:
    """The random words of a seed text for a chunk and purpose."""
    digest = hashlib.sha256(b"referee.odds.v1\n" + seed.encode()).digest()
    return np.random.PCG64DXSM(np.random.SeedSequence(int.from_bytes(digest, "big"), spawn_key=key))


def rolls_of(seed: str, chunk: int, shares: Sequence[int]) -> Iterator[list[Plane]]:
    """Rows hit in a chunk, point after point: one plane for each row of the chart. The planes are
    overwritten at the next point.

    A row with share s of 36 (2d6), or of 6 (1d6), comes up in exactly that share of rolls. Fourteen
    random planes make a number below 4095 mod 9, and two coins; the one in 4096 beyond 4095 is drawn
    again from a word of its own.
    """
    if tuple(shares) not in _DECODERS:
        raise BadInput("this damage chart is rolled with dice that cannot be sampled", hint="use --exact")
    decode = _DECODERS[tuple(shares)]
    spread = np.repeat(np.arange(len(shares)), [36 // sum(shares) * share for share in shares])
    source = stream_of(seed, chunk)
    rows = np.empty((len(shares), WORDS), np.uint64)
    listed = list(rows)
    scratch = [np.empty(WORDS, np.uint64) for _ in range(24)]
    while True:
        planes = source.random_raw(_PLANES * WORDS).reshape(_PLANES, WORDS)
        ninths, beyond = _ninths(planes, scratch)
        decode(listed, ninths, planes[12], planes[13])
        _draw_again(source, rows, beyond, spread)
        yield listed


def _add(a: Plane, b: Plane, carry: Plane | None, total: Plane, out: Plane, spare: Plane) -> None:
    """One digit of a sum; `total` and `out` (the carry) may not be a, b or the carry in."""
    np.bitwise_xor(a, b, total)
    np.bitwise_and(a, b, out)
    if carry is not None:
        np.bitwise_and(total, carry, spare)
        np.bitwise_xor(total, carry, total)
        np.bitwise_or(out, spare, out)


def _ninths(x: Plane, s: list[Plane]) -> tuple[list[Plane], Plane]:
    """Nine planes, one of them set for each volley, each for 455 of the 4095 numbers; and the number
    beyond these.

    Twelve planes are four octal digits; 8 is -1 mod 9, so the sum of two digits less that of the other
    two decides. A digit's complement is as random as the digit, so the four are simply added: the number
    left out is then 7, 0, 7, 0.
    """
    spare = s[23]
    _add(x[0], x[3], None, s[0], s[1], spare)
    _add(x[1], x[4], s[1], s[2], s[3], spare)
    _add(x[2], x[5], s[3], s[4], s[5], spare)
    _add(x[6], x[9], None, s[6], s[7], spare)
    _add(x[7], x[10], s[7], s[8], s[9], spare)
    _add(x[8], x[11], s[9], s[10], s[11], spare)
    # 14 in all, and both digits 7: first and third all set, second and fourth all clear.
    beyond, clear = s[12], s[13]
    np.bitwise_and(x[0], x[1], beyond)
    np.bitwise_or(x[3], x[4], clear)
    for k in (2, 6, 7, 8):
        np.bitwise_and(beyond, x[k], beyond)
    for k in (5, 9, 10, 11):
        np.bitwise_or(clear, x[k], clear)
    np.bitwise_and(beyond, np.invert(clear, clear), beyond)
    # The two sums of 0 to 14 make S = 8 H + L.
    _add(s[0], s[6], None, s[14], s[15], spare)
    _add(s[2], s[8], s[15], s[16], s[17], spare)
    _add(s[4], s[10], s[17], s[18], s[19], spare)
    _add(s[5], s[11], s[19], s[20], s[21], spare)
    return _less_high(s[14], s[16], s[18], s[20], s[21], s), beyond


def _less_high(l0: Plane, l1: Plane, l2: Plane, h0: Plane, h1: Plane, s: list[Plane]) -> list[Plane]:
    """Planes of (L - H) mod 9 for L of 0 to 7 and H of 0 to 3: below zero, 9 is added."""
    d0, borrow, d1, d2, spare, high = s[0], s[1], s[2], s[3], s[4], s[5]
    np.bitwise_xor(l0, h0, d0)
    np.bitwise_and(d0, h0, borrow)
    np.bitwise_xor(l1, h1, spare)
    np.bitwise_xor(spare, borrow, d1)
    # Borrow on: where the digits differ it is the lower one's, else what came in.
    np.bitwise_and(spare, h1, high)
    np.bitwise_or(spare, np.invert(borrow, borrow), borrow)
    np.bitwise_or(high, np.invert(borrow, borrow), borrow)
    np.bitwise_xor(l2, borrow, d2)
    negative = np.bitwise_and(d2, borrow, borrow)
    # Decoded in two halves: digits 2 with the sign, and 1 with 0.
    low, up = np.bitwise_xor(d2, negative, high), np.invert(d2, d2)
    both = np.bitwise_and(d1, d0, s[6])
    only1, only0 = np.bitwise_xor(d1, both, s[7]), np.bitwise_xor(d0, both, s[8])
    none = np.invert(np.bitwise_or(d1, d0, s[9]), s[9])
    below, over = up, low
    planes = [
        np.bitwise_and(below, part, s[10 + k] if k < 2 else s[12 + k])
        for k, part in enumerate((none, only0, only1, both))
    ]
    planes += [np.bitwise_and(over, part, s[16 + k]) for k, part in enumerate((none, only0, only1, both))]
    # -3 is 6, -2 is 7, -1 is 8: their last two digits are 01, 10 and 11.
    np.bitwise_or(planes[6], np.bitwise_and(negative, only0, only0), planes[6])
    np.bitwise_or(planes[7], np.bitwise_and(negative, only1, only1), planes[7])
    planes.append(np.bitwise_and(negative, both, both))
    return planes


def _decode_two(rows: list[Plane], ninths: list[Plane], coin: Plane, other: Plane) -> None:
    """Eleven rows of 2d6 from ninths and quarters."""
    r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12 = rows
    n = ninths
    r5[:], r9[:] = n[0], n[1]
    np.bitwise_and(coin, other, r8)
    np.bitwise_and(n[2], r8, r2)
    np.bitwise_xor(n[2], r2, r4)
    np.bitwise_and(n[3], r8, r12)
    np.bitwise_xor(n[3], r12, r10)
    np.bitwise_and(n[4], coin, r3)
    np.bitwise_xor(n[4], r3, r11)
    np.bitwise_and(n[5], coin, r7)
    np.bitwise_xor(n[5], r7, r8)
    np.bitwise_or(n[6], r7, r7)
    np.bitwise_and(r8, other, r6)
    np.bitwise_xor(r8, r6, r8)
    np.bitwise_or(n[7], r6, r6)
    np.bitwise_or(n[8], r8, r8)


def _decode_one(rows: list[Plane], ninths: list[Plane], coin: Plane, other: Plane) -> None:
    """Six rows of 1d6: six ninths, and halves of the other three."""
    for k in range(3):
        np.bitwise_and(ninths[6 + k], coin, rows[k])
        np.bitwise_xor(ninths[6 + k], rows[k], rows[k + 3])
    for row, ninth in zip(rows, ninths[:6], strict=True):
        np.bitwise_or(row, ninth, row)


_DECODERS = {(1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1): _decode_two, (1,) * 6: _decode_one}


def _draw_again(source: Any, rows: NDArray[np.uint64], beyond: Plane, spread: NDArray[np.int64]) -> None:
    """The volleys whose number was beyond: taken out of all rows, and put into one drawn for them."""
    words = np.flatnonzero(beyond)
    if not len(words):
        return
    rows[:, words] &= ~beyond[words]
    lanes = lanes_of(beyond)
    drawn = source.random_raw(len(lanes))
    while (again := np.flatnonzero(drawn >= _EVEN)).size:
        drawn[again] = source.random_raw(again.size)
    hit = spread[drawn % np.uint64(36)]
    np.bitwise_or.at(rows, (hit, lanes >> 6), _BIT << (lanes & 63).astype(np.uint64))


# -- volleys and planes ------------------------------------------------------------------


def lanes_of(plane: Plane) -> NDArray[np.int64]:
    """The volleys of a plane whose bit is set, in order."""
    words = np.flatnonzero(plane)
    bits = np.unpackbits(plane[words].astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    rows, columns = np.nonzero(bits)
    return words[rows] * 64 + columns


def plane_of(flags: NDArray[np.bool_]) -> Plane:
    """The plane of a flag for each volley."""
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def first_lanes(volleys: int) -> Plane:
    """A plane with so many volleys set, from the first."""
    plane = np.zeros(WORDS, np.uint64)
    plane[: volleys // 64] = ~np.uint64(0)
    if volleys % 64:
        plane[volleys // 64] = (_BIT << np.uint64(volleys % 64)) - _BIT
    return plane


def popcount(plane: Plane) -> int:
    """How many volleys are set."""
    return int(np.bitwise_count(plane).sum(dtype=np.int64))


def add_counters(a: Bits, b: Bits) -> list[Plane]:
    """The sum of two counters."""
    if len(a) < len(b):
        a, b = b, a
    total: list[Plane] = []
    carry: Plane | None = None
    for place, digit in enumerate(a):
        if place < len(b):
            both, half = digit & b[place], digit ^ b[place]
            total.append(half if carry is None else half ^ carry)
            carry = both if carry is None else both | (half & carry)
        elif carry is None:
            total.append(digit)
        else:
            total.append(digit ^ carry)
            carry = digit & carry
    return [*total, carry] if carry is not None else total


def histogram(counter: Bits, among: Plane, most: int) -> list[int]:
    """How many volleys of a plane hold each number from 0 to `most`."""
    found = [0] * (most + 1)

    def split(part: Plane, digits: Bits, number: int) -> None:
        if number > most:
            return
        if not digits:
            found[number] = popcount(part)
            return
        upper = part & digits[-1]
        rest = digits[:-1]
        if upper.any():
            split(upper, rest, number + (1 << len(rest)))
            part = part ^ upper
        split(part, rest, number)

    split(among, counter, 0)
    return found


def product_sum(a: Bits, b: Bits, among: Plane) -> int:
    """The sum over volleys of the product of two counters."""
    return sum(popcount(x & y & among) << (i + j) for i, x in enumerate(a) for j, y in enumerate(b))


def fuller(a: Bits, b: Bits) -> tuple[Plane, Plane]:
    """Where counter a holds more than b, and where both hold the same."""
    more = np.zeros(WORDS, np.uint64)
    same = ~more
    for place in reversed(range(max(len(a), len(b)))):
        x = a[place] if place < len(a) else np.zeros(WORDS, np.uint64)
        y = b[place] if place < len(b) else np.zeros(WORDS, np.uint64)
        differ = x ^ y
        more |= same & differ & x
        same &= ~differ
    return more, same
