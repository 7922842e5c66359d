"""What odds come to: chances as whole numbers out of a total, exact or counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from referee.chances.exact import Weights


@dataclass(frozen=True, slots=True)
class BoxesLeft:
    """How many boxes are left: `weights[n]` of `total` leave n. `exact` where that is no sample."""

    weights: tuple[int, ...]
    total: int
    exact: bool

    @property
    def start(self) -> int:
        """Boxes there were before."""
        return len(self.weights) - 1

    @property
    def mean_left(self) -> Fraction:
        """Boxes left on average."""
        return Fraction(sum(n * weight for n, weight in enumerate(self.weights)), self.total)

    @property
    def mean_lost(self) -> Fraction:
        """Boxes lost on average."""
        return self.start - self.mean_left

    @property
    def variance(self) -> Fraction:
        """The mean square of the distance from the mean."""
        squares = Fraction(sum(n * n * weight for n, weight in enumerate(self.weights)), self.total)
        return squares - self.mean_left**2

    @property
    def deviation(self) -> float:
        """The standard deviation of one volley."""
        return sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """How far the mean may be off: one standard error, nothing where it is exact."""
        return 0.0 if self.exact else sqrt(self.variance / max(1, self.total - 1))

    def chance_lost(self, boxes: int) -> Fraction:
        """The chance to lose exactly so many."""
        left = self.start - boxes
        return Fraction(self.weights[left], self.total) if 0 <= left <= self.start else Fraction(0)

    @property
    def chance_of_none(self) -> Fraction:
        """The chance that none is left."""
        return Fraction(self.weights[0], self.total)


@dataclass(frozen=True, slots=True)
class Arrival:
    """One amount of damage that weapons may do: in how many rolls, and what of it gets inside."""

    damage: int
    weight: int
    points: int
    armor_left: int


@dataclass(frozen=True, slots=True)
class OddsAsked:
    """What was asked, without the numbers that answer it."""

    ship: str
    name: str
    rulebook: str
    title: str
    policy: str
    damage: int
    internals: int
    reinforcement: int
    shield: tuple[int, int, int] | None
    armor: tuple[int, int]
    printed: tuple[tuple[str, int], ...]
    quantities: tuple[tuple[str, int], ...]
    weapons: tuple[tuple[str, tuple[str, ...]], ...]
    """The weapons of each pool, by the quantity that counts them."""
    points: tuple[int, ...]
    """After how many points inside there are numbers: one, or all from none on for a curve."""
    fire: str = ""
    arrivals: tuple[Arrival, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """Odds. `weights` answer `facts` after each of its `points`; sampled ones are counts of volleys.
    `beyond` says how many states were tried before an exact answer was given up."""

    facts: OddsAsked
    weights: tuple[Weights, ...]
    seed: str = ""
    precision: str = ""
    beyond: int = 0

    def __str__(self) -> str:
        lost = {name: float(boxes.mean_lost) for name, boxes in self.systems.items()}
        means = ", ".join(
            f"{name.replace('_', ' ')} {mean:.2f}" for name, mean in lost.items() if mean >= 0.005
        )
        facts = self.facts
        return (
            f"{facts.name}: {facts.internals} inside, {self.method}; lost on average: {means or 'nothing'};"
            f" destroyed {float(self.destroyed):.1%}"
        )

    @property
    def method(self) -> str:
        """`exact` or `sampled`."""
        return "sampled" if self.seed else "exact"

    @property
    def volleys(self) -> int:
        """Volleys sampled; none where the odds are exact."""
        return self.weights[-1].total if self.seed else 0

    def count(self, name: str, at: int = -1) -> BoxesLeft:
        """A quantity after the last of the points, or after some of them."""
        if name == "armor":
            return self._armor()
        place = next(k for k, (known, _) in enumerate(self.facts.quantities) if known == name)
        found = self.weights[at]
        return BoxesLeft(found.left[place], found.total, not self.seed)

    def _armor(self) -> BoxesLeft:
        before, after = self.facts.armor
        arrivals = self.facts.arrivals or (Arrival(self.facts.damage, 1, self.facts.internals, after),)
        weights = [0] * (before + 1)
        for arrival in arrivals:
            weights[arrival.armor_left] += arrival.weight
        return BoxesLeft(tuple(weights), sum(weights), True)

    @property
    def systems(self) -> dict[str, BoxesLeft]:
        """Every system that had a box left, in the order of the SSD."""
        known = {name for name, _ in self.facts.quantities}
        found = {name: self.count(name) for name, _ in self.facts.printed if name in known}
        return {"armor": self._armor(), **found} if self.facts.armor[0] else found

    @property
    def power(self) -> BoxesLeft:
        """Energy points that next turn's allocation starts with; batteries not counted."""
        return self.count("power")

    @property
    def weapons(self) -> BoxesLeft:
        """All weapon boxes together."""
        return self.count("weapons")

    @property
    def destroyed(self) -> Fraction:
        """The chance that the ship is destroyed."""
        return Fraction(self.weights[-1].destroyed, self.weights[-1].total)

    @property
    def destroyed_error(self) -> float:
        """One standard error of it."""
        chance = self.destroyed
        return sqrt(chance * (1 - chance) / max(1, self.volleys - 1)) if self.seed else 0.0

    def lost_by_weapon(self) -> dict[str, Fraction]:
        """The chance of each weapon to be destroyed. Of like weapons the first goes first, unless
        chance picks: then one is as likely to go as another."""
        chances = {}
        for name, boxes in self.facts.weapons:
            count = self.count(name)
            for place, box in enumerate(boxes):
                if self.facts.policy == "random":
                    chances[box] = count.mean_lost / len(boxes)
                else:
                    chances[box] = Fraction(sum(count.weights[: len(boxes) - place]), count.total)
        return chances

    def digest(self) -> str:
        """A hash of every counted number: equal for equal seeds, however the work was divided."""
        from hashlib import sha256

        return sha256(repr([(w.total, w.left, w.destroyed) for w in self.weights]).encode()).hexdigest()


def added(first: Sequence[Weights], second: Sequence[Weights]) -> tuple[Weights, ...]:
    """Two samples counted together."""
    return tuple(
        Weights(
            a.total + b.total,
            tuple(
                tuple(x + y for x, y in zip(mine, theirs, strict=True))
                for mine, theirs in zip(a.left, b.left, strict=True)
            ),
            a.destroyed + b.destroyed,
        )
        for a, b in zip(first, second, strict=True)
    )
