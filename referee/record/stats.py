"""How a game's dice fell beside how they should: counts, what to expect, and how rare this is."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from referee.core.frozen import frozen
from referee.record.rolls import DeclaredRoll

# So many dice can be counted in every possible way; beyond, chi-square is close enough.
_EXACT_DICE = 30
_EXACT_SIDES = 12


@frozen
class FaceCount:
    """How often one face fell, the range that 95 games in 100 stay in, and the two-sided p-value."""

    face: int
    count: int
    low: int
    high: int
    p: float


@frozen
class DieStats:
    """One player's dice of one kind from one source.

    `p` is the chance that fair dice are at least as uneven over all faces; `exact` says that it is
    counted, not approximated by chi-square. `mean_low` to `mean_high` is the range of 95 in 100.
    """

    player: str
    sides: int
    source: str
    dice: int
    faces: tuple[FaceCount, ...]
    p: float
    exact: bool
    mean: Fraction
    mean_low: float
    mean_high: float


def dice_stats(rolls: Iterable[DeclaredRoll]) -> list[DieStats]:
    """The statistics of resolved rolls by player, sides and source; re-rolled ones count too."""
    counts: dict[tuple[str, int, str], list[int]] = {}
    for roll in rolls:
        if roll.status != "resolved":
            continue
        for group in roll.dice:
            key = (roll.who, group["sides"], roll.source)
            seen = counts.setdefault(key, [0] * group["sides"])
            for face in group["faces"]:
                seen[face - 1] += 1
    return stats_of(counts)


def stats_of(counts: Mapping[tuple[str, int, str], Sequence[int]]) -> list[DieStats]:
    """The statistics of dice that are counted already: by player, sides and source how often each face fell."""
    return [_die_stats(*key, seen) for key, seen in sorted(counts.items())]


def _die_stats(player: str, sides: int, source: str, counts: Sequence[int]) -> DieStats:
    dice = sum(counts)
    chance = Fraction(1, sides)
    low, high = binomial_range(dice, chance)
    p_of = {count: binomial_p(count, dice, chance) for count in set(counts)}
    faces = tuple(FaceCount(face, count, low, high, p_of[count]) for face, count in enumerate(counts, 1))
    exact = dice <= _EXACT_DICE and sides <= _EXACT_SIDES
    spread = 1.96 * math.sqrt((sides * sides - 1) / 12 / dice)
    middle = (sides + 1) / 2
    return DieStats(
        player, sides, source, dice, faces,
        uniform_p_exact(counts) if exact else uniform_p(counts), exact,
        Fraction(sum(face * count for face, count in enumerate(counts, 1)), dice),
        max(1.0, middle - spread), min(float(sides), middle + spread),
    )  # fmt: skip


def binomial_p(count: int, trials: int, chance: Fraction) -> float:
    """The exact two-sided p-value: the chance of all counts that are no likelier than this one."""
    terms = _binomial_terms(trials, chance)
    # Equal terms may differ in the last digits.
    limit = terms[count] * (1 + 1e-9)
    return min(1.0, math.fsum(term for term in terms if term <= limit))


def binomial_range(trials: int, chance: Fraction, share: float = 0.95) -> tuple[int, int]:
    """The counts between which at least this share of all games stays, equal tails cut off."""
    tail = (1 - share) / 2
    terms = _binomial_terms(trials, chance)
    low, below = 0, terms[0]
    while below <= tail:
        low += 1
        below += terms[low]
    high, above = trials, terms[trials]
    while above <= tail:
        high -= 1
        above += terms[high]
    return low, high


def _binomial_terms(trials: int, chance: Fraction) -> list[float]:
    yes, no = math.log(chance), math.log(1 - chance)
    whole = math.lgamma(trials + 1)
    return [
        math.exp(whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * yes + (trials - k) * no)
        for k in range(trials + 1)
    ]


def uniform_p(counts: Sequence[int]) -> float:
    """The chi-square p-value of counts that should be equal."""
    expected = sum(counts) / len(counts)
    return chi_square_p(sum((count - expected) ** 2 for count in counts) / expected, len(counts) - 1)


def uniform_p_exact(counts: Sequence[int]) -> float:
    """The chance, counted over all outcomes, that fair dice give at least this chi-square."""
    dice, sides = sum(counts), len(counts)
    ways: dict[tuple[int, int], int] = {(0, 0): 1}  # dice used, sum of squared counts: ways
    for _ in range(sides):
        after: dict[tuple[int, int], int] = defaultdict(int)
        for (used, squares), number in ways.items():
            for more in range(dice - used + 1):
                after[used + more, squares + more * more] += number * math.comb(dice - used, more)
        ways = after
    reached = sum(count * count for count in counts)
    rare = sum(number for (used, squares), number in ways.items() if used == dice and squares >= reached)
    return float(Fraction(rare, sides**dice))


def chi_square_p(value: float, degrees: int) -> float:
    """The chance of a chi-square value at least this large."""
    return upper_gamma(degrees / 2, value / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), to about 12 digits."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1.0 - scale * _series(a, x))
    return scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    step = a
    while term > total * 1e-15:
        step += 1
        term *= x / step
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """Lentz's continued fraction, which converges fast where the series does not."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value = d
    for n in range(1, 100_000):
        factor = -n * (n - a)
        b += 2
        d = 1 / ((factor * d + b) or tiny)
        c = (b + factor / c) or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value
