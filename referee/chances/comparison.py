"""Two ships struck alike: how much more the one loses than the other.

Sampled, both get the same dice, so that what differs is the ships. A ship that leaves nothing to chance,
because its shield holds everything, is answered exactly beside a sampled one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from referee.chances.forecast import Forecast, Sampling
from referee.chances.result import Result
from referee.chances.sampling import Job, Products, Sample
from referee.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more one ship loses than another, the standard error of that with the same dice for both,
    and what it would be with separate dice."""

    mean: float
    standard_error: float
    independent_error: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two ships struck alike. `products` are the sums over volleys of what both have left multiplied, by
    system, where both are sampled."""

    first: Result
    second: Result
    products: Products = ()

    @property
    def differences(self) -> Mapping[str, Difference]:
        """The first's losses less the second's, by system, for what both ships have."""
        theirs = {name for name, _ in self.second.facts.quantities}
        shared = [name for name, _ in self.first.facts.quantities if name in theirs]
        if self.first.facts.armor[0] and self.second.facts.armor[0]:
            shared.insert(0, "armor")
        return {name: self._difference(name) for name in shared if not name.startswith("pool ")}

    def _difference(self, name: str) -> Difference:
        first, second = self.first.count(name), self.second.count(name)
        mean = float(first.mean_lost - second.mean_lost)
        apart = sqrt(first.standard_error**2 + second.standard_error**2)
        together = dict(self.products).get(name)
        if together is None:
            return Difference(mean, apart, apart)
        joint = Fraction(together, first.total) - first.mean_left * second.mean_left
        variance = first.variance + second.variance - 2 * joint
        return Difference(mean, sqrt(max(Fraction(0), variance) / max(1, first.total - 1)), apart)


def compare(first: Forecast, second: Forecast, sampling: Sampling, method: str = "") -> Comparison:
    """Both ships' odds. `method` is `exact` or `sampled`, or empty for exact where that is cheap."""
    _must_share_dice(first, second)
    if method == "exact":
        return Comparison(first.exact(), second.exact())
    if not method:
        first_odds = first.cheaply_exact()
        second_odds = second.cheaply_exact() if first_odds else None
        if first_odds and second_odds:
            return Comparison(first_odds, second_odds)
    job, found = sampling.run(joint_job(first, second, sampling))
    return comparison_of(first, second, job, found)


def _must_share_dice(first: Forecast, second: Forecast) -> None:
    """Raises BadInput for ships whose damage charts are rolled with different dice."""
    if first.dice and second.dice and first.asker.shape != second.asker.shape:
        raise BadInput(
            f"{first.facts.name} and {second.facts.name} use different damage charts",
            hint="compare ships of one rulebook",
        )


def joint_job(first: Forecast, second: Forecast, sampling: Sampling) -> Job:
    """What is given to workers: the ships that leave something to chance, with the same dice."""
    _must_share_dice(first, second)
    plans = tuple(forecast.plan() for forecast in (first, second) if forecast.dice)
    return Job(plans or (first.plan(),), sampling.seed, sampling.volleys)


def comparison_of(first: Forecast, second: Forecast, job: Job, found: Sample) -> Comparison:
    """The comparison that a joint job's counts make, with exact odds of a ship that is not in it."""
    sampled = iter(found.ships)
    first_odds, second_odds = (
        forecast.result_of(job, next(sampled)) if forecast.dice else forecast.exact()
        for forecast in (first, second)
    )
    return Comparison(first_odds, second_odds, found.products)
