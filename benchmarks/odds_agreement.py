"""Do odds agree: with icepool, samples with exact odds, and both with the resolver run one by one?

    python benchmarks/odds_agreement.py

Leaves with 1 if they do not. `odds_speed.py` asks the same before it measures.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

CASES = [
    (ship, points, shield, part)
    for ship, shield, part in (
        ("standard/klingon-d7", 1, 0.0),
        ("standard/klingon-d7", 4, 0.5),
        ("standard/federation-ca", 2, 0.0),
        ("standard/federation-ca", 6, 0.3),
        ("standard/romulan-kr", 3, 0.4),
        ("standard/gorn-ca", 5, 0.0),
        ("cadet/klingon-d6", 1, 0.0),
        ("cadet/kzinti", 4, 0.3),
    )
    for points in (5, 10)
]
"""Ships, points inside, the shield they come through, and about which part of the boxes is gone before."""

RUNS = 20_000


def our_states(forecast):
    """The exact chance of all that may be left together, by groups of the cadet chart; () is destroyed."""
    from referee.chances.exact import BUDGET, Packing, walk

    packing = Packing(forecast.asker)
    *_, (_, packed, total) = walk(forecast.asker, packing, BUDGET)
    found = Counter()
    for state, weight in packed.items():
        found[() if state & packing.dead else packing.unpacked(state)] += weight
    groups = _groups(forecast)
    states = Counter()
    for left, weight in found.items():
        boxes = Counter()
        for pool, n in zip(forecast.asker.pools, left, strict=bool(left)):
            boxes[pool.system] += n
        state = tuple(sum(boxes[system] for system in systems) for systems in groups.values())
        states[state if left else ()] += Fraction(weight, total)
    return dict(states)


def icepool_states(forecast, points):
    """The same by icepool, which walks the printed chart."""
    die = icepool_die(forecast, points)
    return {state: Fraction(n, die.denominator()) for state, n in die.items()}


def icepool_die(forecast, points):
    """The states of a whole ship after so many points as icepool has them."""
    import icepool

    ship, chart = forecast.inquiry.ship, forecast.inquiry.rulebook.table("damage_chart")
    groups = _groups(forecast)
    names = list(groups)
    start = tuple(
        sum(len(ship.box_ids(system)) for system in systems if system in ship.systems)
        for systems in groups.values()
    )
    rows = [[names.index(cell["entry"]) for cell in row] for row in chart["rows"].values()]

    def step(state, roll):
        if not state:
            return state
        for place in rows[roll - 1]:
            if state[place]:
                return (*state[:place], state[place] - 1, *state[place + 1 :])
        return ()

    return icepool.map(
        lambda state: icepool.d6.map(lambda roll: step(state, roll)),
        icepool.Die({start: 1}),
        repeat=points,
        star=False,
    )


def icepool_standard(ship_name, points):
    """How many boxes of each system are lost of a whole ship on the standard chart, struck from ahead, with
    their chances, by icepool, which scores as the plain script does."""
    import icepool

    try:
        from benchmarks.naive_volley import load, score
    except ImportError:
        from naive_volley import load, score

    rows, boxes, phasers = load(ship_name)

    def step(state, roll):
        if not state:
            return state
        boxes_left, guns_left, used, hits = state
        left, guns, closed = dict(boxes_left), dict(guns_left), set(used)
        system = score(rows[roll], left, guns, closed, hits)
        if system is None:
            return ()
        return _frozen(left), _frozen(guns), tuple(sorted(closed)), hits + (system == "phaser")

    start = (_frozen(boxes), _frozen(phasers), (), 0)
    die = icepool.map(
        lambda state: (2 @ icepool.d6).map(lambda roll: step(state, roll)),
        icepool.Die([start]),
        repeat=points,
        star=False,
    )
    lost = {system: Counter() for system in (*boxes, "phaser")}
    for state, weight in die.items():
        left, guns = dict(state[0]), dict(state[1])
        for system in boxes:
            lost[system][boxes[system] - left[system]] += Fraction(weight, die.denominator())
        gone = sum(phasers.values()) - sum(guns.values())
        lost["phaser"][gone] += Fraction(weight, die.denominator())
    return lost


def _frozen(counts):
    return tuple(sorted(counts.items()))


def _groups(forecast):
    chart = forecast.inquiry.rulebook.table("damage_chart")
    return {name: says["takes"][0] for name, says in chart["entries"].items()}


def asked(ship_name, points, shield, part, policy="protect-weapons"):
    """So many points through a shield into a ship of which a part is gone."""
    from referee.adjudicator.volley import volley_order
    from referee.chances.forecast import Inquiry
    from referee.core.state import new_state
    from referee.rulebooks.registry import load_rulebook, load_ship

    ship = load_ship(ship_name)
    random = Random(f"{ship_name} {shield}")
    boxes = [box for system in ship.systems for box in ship.box_ids(system)]
    state = replace(new_state(ship), destroyed=frozenset(box for box in boxes if random.random() < part))
    order = volley_order(points + ship.shields[shield], shield=shield)
    return Inquiry(load_rulebook(ship.rulebook), ship, state, order, policy)


def furthest(exact, counted_of):
    """The worst |z| of a mean and the least chi-square p of a distribution, over everything counted."""
    from tests.unit.chances.volleys import chi_square_p

    worst, least = 0.0, 1.0
    for name in exact.systems:
        truth, counted = exact.count(name), counted_of(name)
        if truth.deviation:
            error = truth.deviation / counted.total**0.5
            worst = max(worst, abs(float(counted.mean_left - truth.mean_left)) / error)
            least = min(least, chi_square_p(truth, counted))
        elif counted.mean_left != truth.mean_left:
            worst, least = float("inf"), 0.0
    return worst, least


def samples_against_exact(case, volleys=1 << 19):
    """The worst |z| and least p of a sample of a case."""
    from referee.chances.forecast import Forecast, Sampling

    forecast = Forecast(asked(*case))
    sampled = forecast.sampled(Sampling("agreement", volleys))
    return furthest(forecast.exact(), sampled.count)


def resolver_against_exact(case, runs=RUNS):
    """The same of volleys resolved one by one, each with its own seeded dice."""
    from referee.adjudicator.policies import policy
    from referee.adjudicator.volley import resolve
    from referee.chances.forecast import Forecast
    from referee.chances.result import Count
    from referee.core.dice import seeded_dice
    from referee.core.volley import hits_by_system

    inquiry = asked(*case)
    exact = Forecast(inquiry).exact()
    seen = {name: Counter() for name in exact.systems}
    chooser = policy(inquiry.policy, seeded_dice("none is drawn"))
    for seed in range(runs):
        dice = seeded_dice("one by one", seed)
        result = resolve(inquiry.rulebook, inquiry.ship, inquiry.state, inquiry.order, dice, chooser)
        lost = hits_by_system(result.hits)
        for name in seen:
            seen[name][lost.get(name, 0)] += 1
    starts = {name: count.start for name, count in exact.systems.items()}

    def counted(name):
        return Count(tuple(seen[name][starts[name] - n] for n in range(starts[name] + 1)), runs, exact=False)

    return furthest(exact, counted)


def report(say):
    """A line for each agreement."""
    found = [samples_against_exact(case) for case in CASES]
    worst, least = max(z for z, _ in found), min(p for _, p in found)
    told = f"{len(CASES)} cases: worst |z| {worst:.1f}, least p {least:.2g}"
    say("sampled against exact, 5 and 10 points", told, worst < 4 and least > 1e-4)
    worst, least = resolver_against_exact(("standard/klingon-d7", 8, 1, 0.0))
    told = f"{RUNS} seeds: worst |z| {worst:.1f}, least p {least:.2g}"
    say("the resolver one by one against exact", told, worst < 4 and least > 1e-4)


def main():
    """Prints them, and leaves with 1 if one fails."""
    failed = []

    def say(what, told, reached):
        print(f"{'ok  ' if reached else 'MISS'} {what:<52} {told}", flush=True)
        if not reached:
            failed.append(what)

    report(say)
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
