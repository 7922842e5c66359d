"""The rules must not drift: the kernel and the exact states against the resolver of `referee volley`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from referee.adjudicator.policies import POLICY_NAMES, policy
from referee.adjudicator.volley import resolve
from referee.chances.forecast import Forecast, Inquiry, Sampling
from referee.chances.result import BoxesLeft
from referee.chances.sampling import CHUNK
from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.errors import BadInput
from referee.core.state import live_boxes
from referee.core.volley import Choice, hits_by_system
from tests.conftest import mostly_long
from tests.unit.chances.replayed import replay, trace_all
from tests.unit.chances.volleys import any_inquiry, chi_square_p, inquiry


@pytest.mark.parametrize("volleys", mostly_long([100, 2500], lambda volleys: volleys == 100))
@pytest.mark.parametrize("policy_name", POLICY_NAMES)
def test_volleys_hit_by_hit(policy_name: str, volleys: int) -> None:
    """The same dice through the kernel and the resolver, over ships, shields, directions and states."""
    random = Random(f"hit by hit {policy_name}")
    checked = 0
    while checked < volleys:
        forecast = Forecast(any_inquiry(random, policy_name))
        if not forecast.asker.rows:
            continue
        job = forecast.job(Sampling(f"seed {checked}"))
        lanes = tuple(sorted(random.sample(range(CHUNK), 100)))
        for traced in trace_all(forecast, job, random.randrange(4), lanes):
            replay(forecast, traced)
            checked += 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("ship", "points", "policy_name"),
    mostly_long(
        [
            ("cadet/federation-ca", 5, "protect-weapons"),
            ("cadet/kzinti", 5, "spread"),
            ("standard/klingon-d7", 3, "protect-power"),
            ("standard/romulan-kr", 3, "spread"),
            ("standard/federation-ca", 3, "protect-weapons"),
        ],
        # One ship on each chart.
        lambda ship, points, policy_name: ship in ("cadet/federation-ca", "standard/klingon-d7"),
    ),
)
def test_exact_is_every_roll_counted(ship: str, points: int, policy_name: str) -> None:
    """Every sequence of dice through the resolver gives the exact weights."""
    asked = inquiry(ship, points, policy=policy_name, shield=2, curve=False)
    forecast = Forecast(asked)
    inside = forecast.asker.scored
    if not inside:
        asked = inquiry(ship, points, policy=policy_name)
        forecast = Forecast(asked)
        inside = forecast.asker.scored
    count, sides = forecast.asker.shape
    lost: dict[str, Counter[int]] = {}
    totals = Counter(sum(dice) for dice in product(range(1, sides + 1), repeat=count))
    for rolls in product(totals, repeat=inside):
        weight = 1
        for roll in rolls:
            weight *= totals[roll]
        chooser = policy(policy_name, seeded_dice("x"))
        result = resolve(asked.rulebook, asked.ship, asked.state, asked.order, ScriptedDice(rolls), chooser)
        hits = hits_by_system(result.hits)
        for system in asked.ship.systems:
            lost.setdefault(system, Counter())[hits.get(system, 0)] += weight
    found = forecast.exact()
    for system, counted in found.systems.items():
        told = {counted.start - n: weight for n, weight in enumerate(counted.weights) if weight}
        assert told == dict(lost[system]), system


class _Nth:
    """Chooses by the places given, then the first box; notes how many boxes there were each time."""

    name = "random"

    def __init__(self, places: tuple[int, ...]) -> None:
        self._places = places
        self.offered: list[int] = []

    def choose(self, choice: Choice) -> str:
        n = len(self.offered)
        self.offered.append(len(choice.boxes))
        return choice.boxes[self._places[n] if n < len(self._places) else 0]


def test_random_owner_exactly() -> None:
    """A random owner takes every box he may as often as any other: all his picks, one by one."""
    asked = inquiry("cadet/klingon-d6", 2, policy="random")
    mean: dict[str, Fraction] = {}

    def explore(rolls: tuple[int, ...], places: tuple[int, ...], chance: Fraction) -> None:
        chooser = _Nth(places)
        result = resolve(asked.rulebook, asked.ship, asked.state, asked.order, ScriptedDice(rolls), chooser)
        if len(places) < len(chooser.offered):
            boxes = chooser.offered[len(places)]
            for place in range(boxes):
                explore(rolls, (*places, place), chance / boxes)
            return
        for system, lost in hits_by_system(result.hits).items():
            mean[system] = mean.get(system, Fraction(0)) + chance * lost

    for rolls in product(range(1, 7), repeat=2):
        explore(rolls, (), Fraction(1, 36))
    found = Forecast(asked).exact()
    assert {name: count.mean_lost for name, count in found.systems.items() if count.mean_lost} == mean


@pytest.mark.parametrize("runs", mostly_long([1_000, 20_000], lambda runs: runs == 1_000))
def test_the_seeds_of_the_resolver(runs: int) -> None:
    """The resolver one by one, with its own seeded dice, has the distribution that odds have."""
    asked = inquiry("standard/klingon-d7", 8, internal=True, directions=((None, "row:A"),))
    exact = Forecast(asked).exact()
    seen: dict[str, Counter[int]] = {name: Counter() for name in exact.systems}
    chooser = policy("protect-weapons", seeded_dice("x"))
    for seed in range(runs):
        dice = seeded_dice("one by one", seed)
        lost = hits_by_system(
            resolve(asked.rulebook, asked.ship, asked.state, asked.order, dice, chooser).hits
        )
        for name in seen:
            seen[name][lost.get(name, 0)] += 1
    for name, truth in exact.systems.items():
        counted = BoxesLeft(tuple(seen[name][truth.start - n] for n in range(truth.start + 1)), runs, False)
        if truth.deviation:
            assert abs(float(counted.mean_lost - truth.mean_lost)) < 4 * truth.deviation / runs**0.5, name
        assert chi_square_p(truth, counted) > 1e-4, name


def test_a_rule_switched_off_is_honoured() -> None:
    """Without D4.31 a bold cell counts every time; without D4.33 a track may lose its last box."""
    asked = inquiry("standard/klingon-d7", 6)
    plain = Forecast(asked).exact()
    free = Forecast(Inquiry(asked.rulebook.without(["D4.31"]), asked.ship, asked.state, asked.order)).exact()
    assert free.count("bridge").mean_lost > plain.count("bridge").mean_lost
    asked = inquiry("standard/klingon-d7", 70)
    book = asked.rulebook.without(["D4.33", "D4.31"])
    loose = Forecast(Inquiry(book, asked.ship, asked.state, asked.order)).sampled(Sampling("a", 1 << 18))
    kept = Forecast(asked).sampled(Sampling("a", 1 << 18))
    assert loose.count("scanner").weights[0] > 0
    assert kept.count("scanner").weights[0] == 0


def test_a_house_rule_that_cannot_be_tabled_is_refused() -> None:
    """A rule that decides by the whole state is not bent into a table."""
    from dataclasses import replace

    from referee.rulebooks.base import Rule

    def odd_boxes(boxes: tuple[str, ...], cell: object, volley: object) -> tuple[str, ...]:
        gone = len(volley.state.destroyed)  # type: ignore[attr-defined]
        return boxes if gone % 2 == 0 or cell.entry == "excess" else ()  # type: ignore[attr-defined]

    asked = inquiry("standard/klingon-d7", 20)
    rules = {**asked.rulebook.rules, "D4.999": Rule("D4.999", "odd", "resolve", "boxes", odd_boxes)}
    book = replace(asked.rulebook, rules=rules)
    with pytest.raises(BadInput, match="cannot be sampled"):
        Forecast(Inquiry(book, asked.ship, asked.state, asked.order)).sampled(Sampling("a", 1000))


def test_armor_goes_before_the_chart() -> None:
    """A War Eagle's armor takes the first five points inside."""
    asked = inquiry("standard/romulan-we", 9)
    found = Forecast(asked).exact()
    assert found.count("armor").mean_lost == 5
    assert found.facts.internals == 4
    assert len(live_boxes(asked.ship, asked.state, "armor")) == 5
