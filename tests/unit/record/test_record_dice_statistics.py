"""Nine million dice of fixed keys: even, unrelated to their neighbours, the same in every place.

The keys are fixed, so a failure is a change of the code, never bad luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import pytest

from referee.core.dice import die, stream
from referee.record.dicekeys import practice_key
from referee.record.stats import chi_square_p, uniform_p
from tests.conftest import mostly_long

DICE = 1_000_000
FEWER = 120_000
"""What the ordinary run throws; the long one throws all."""
VOLLEY = 8  # dice of one roll
KEYS = {
    "known answers": bytes.fromhex("46d302999dda645064a394035049339f8aff855998f27c0049cbdde454b8e19e"),
    "first": practice_key("first"),
    "second": practice_key("second"),
}


def thrown(key: bytes, sides: int, dice: int) -> bytes:
    """So many dice, eight to a roll, as games throw them."""
    faces = bytearray()
    for roll in range(dice // VOLLEY):
        source = stream(key, roll)
        faces += bytes([die(source, sides) for _ in range(VOLLEY)])
    return bytes(faces)


def counted(faces: Iterable[object], cells: int) -> list[int]:
    counts = Counter(faces)
    return [*counts.values(), *([0] * (cells - len(counts)))]


def frequency(faces: bytes, sides: int) -> float:
    return uniform_p(counted(faces, sides))


def serial(faces: bytes, sides: int, lag: int) -> float:
    """Pairs of a die and the one `lag` places on, without overlap, so that pairs are independent."""
    blocks = range(0, len(faces) - 2 * lag + 1, 2 * lag)
    first = b"".join(faces[start : start + lag] for start in blocks)
    second = b"".join(faces[start + lag : start + 2 * lag] for start in blocks)
    return uniform_p(counted(zip(first, second, strict=True), sides * sides))


def gap(faces: bytes, sides: int) -> float:
    """How many dice lie between one face and its next."""
    longest = 4 * sides
    gaps = Counter(min(len(between), longest) for between in faces.split(b"\x01")[1:-1])
    total = sum(gaps.values())
    miss = 1 - 1 / sides
    chances = [miss**n / sides for n in range(longest)] + [miss**longest]
    return chi_square_p(
        sum((gaps[n] - total * chance) ** 2 / (total * chance) for n, chance in enumerate(chances)), longest
    )


def position(faces: bytes, sides: int) -> float:
    """Face against place in the volley: each place as even as the others."""
    value = 0.0
    for place in range(VOLLEY):
        counts = counted(faces[place::VOLLEY], sides)
        expected = sum(counts) / sides
        value += sum((count - expected) ** 2 for count in counts) / expected
    return chi_square_p(value, VOLLEY * (sides - 1))


def mean(faces: bytes, sides: int) -> float:
    """The sums of the volleys against the exact chance of each; rare sums are taken together."""
    sums = Counter(map(sum, zip(*(faces[place::VOLLEY] for place in range(VOLLEY)), strict=True)))
    chances = sum_chances(sides)
    volleys = len(faces) // VOLLEY
    value, cells, waiting, seen = 0.0, 0, 0.0, 0
    for total in sorted(chances):
        waiting += chances[total] * volleys
        seen += sums[total]
        if waiting >= 20:
            value, cells = value + (seen - waiting) ** 2 / waiting, cells + 1
            waiting, seen = 0.0, 0
    if waiting > 0:
        value, cells = value + (seen - waiting) ** 2 / waiting, cells + 1
    return chi_square_p(value, cells - 1)


def sum_chances(sides: int) -> dict[int, float]:
    """The exact chance of each sum of a volley."""
    ways = {0: 1}
    for _ in range(VOLLEY):
        after: Counter[int] = Counter()
        for total, number in ways.items():
            for face in range(1, sides + 1):
                after[total + face] += number
        ways = dict(after)
    return {total: number / sides**VOLLEY for total, number in ways.items()}


TESTS: dict[str, Callable[[bytes, int], float]] = {
    "frequency": frequency,
    "serial 1": lambda faces, sides: serial(faces, sides, 1),
    "serial 2": lambda faces, sides: serial(faces, sides, 2),
    "serial 4": lambda faces, sides: serial(faces, sides, 4),
    "gap": gap,
    "position": position,
    "mean": mean,
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("dice", mostly_long([FEWER, DICE], lambda dice: dice == FEWER))
@pytest.mark.parametrize("sides", [6, 10, 100])
@pytest.mark.parametrize("key", KEYS)
def test_dice_look_fair(key: str, sides: int, dice: int) -> None:
    faces = thrown(KEYS[key], sides, dice)
    found = {name: test(faces, sides) for name, test in TESTS.items()}
    print(f"{key} d{sides}", {name: round(p, 4) for name, p in found.items()})  # noqa: T201
    # Too even is as wrong as too uneven.
    assert all(0.001 < p < 0.9999 for p in found.values()), found


def raw(key: bytes, count: int) -> Sequence[int]:
    source = stream(key, 0)
    return [next(source) for _ in range(count)]


def test_dice_without_rejection_fail() -> None:
    """Byte modulo 6: four of 256 bytes too many for the low faces."""
    faces = bytes(byte % 6 + 1 for byte in raw(KEYS["first"], DICE))
    assert frequency(faces, 6) < 1e-6


def test_volleys_that_repeat_fail() -> None:
    """Four dice, then the same four again."""
    fair = bytes(die(source, 6) for source in [stream(KEYS["first"], 0)] for _ in range(FEWER // 2))
    faces = b"".join(fair[start : start + 4] * 2 for start in range(0, len(fair), 4))
    assert serial(faces, 6, 4) < 1e-6
    assert frequency(faces, 6) > 1e-6
