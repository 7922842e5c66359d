"""Volleys to ask about: any ship, direction, damaged state and policy."""

from __future__ import annotations

from dataclasses import replace
from math import exp, lgamma, log
from random import Random

from referee.adjudicator.policies import POLICY_NAMES
from referee.adjudicator.volley import volley_order
from referee.chances.forecast import Inquiry
from referee.chances.result import BoxesLeft
from referee.core.arcs import direction_offset
from referee.core.hexgrid import struck_shields
from referee.core.ship import ShipClass
from referee.core.state import ShipState, new_state
from referee.core.volley import VolleyOrder
from referee.rulebooks.registry import load_rulebook, load_ship, ship_ids

SHIPS = tuple(ship.id for ship in map(load_ship, ship_ids()) if ship.boxes.get("excess") and ship.shields)
"""The packaged ships whose SSD is complete enough to be damaged."""

DIRECTIONS = ("row:A", "row:B", "row:C", "row:D", "row:E", "row:F", "LF", "RF", "R", "RR", "LR", "L")


def inquiry(
    ship: str, points: int, *, policy: str = "protect-weapons", curve: bool = False, **order: object
) -> Inquiry:
    """Points inside a whole ship, unless an order says otherwise."""
    of = load_ship(ship)
    struck = volley_order(points, **(order or {"internal": True}))  # type: ignore[arg-type]
    return Inquiry(load_rulebook(of.rulebook), of, new_state(of), struck, policy, curve)


def damaged(ship: ShipClass, random: Random, part: float) -> ShipState:
    """A ship with about such a part of its boxes gone, and some shuttles away."""
    boxes = [box for system in ship.systems for box in ship.box_ids(system)]
    return replace(
        new_state(ship),
        destroyed=frozenset(box for box in boxes if random.random() < part),
        shuttles_away=frozenset(box for box in ship.box_ids("shuttle") if random.random() < 0.4),
    )


def any_inquiry(random: Random, policy: str = "") -> Inquiry:
    """Any ship, state, direction and policy."""
    ship = load_ship(random.choice(SHIPS))
    state = damaged(ship, random, random.choice((0.0, 0.0, 0.2, 0.5, 0.85)))
    points = random.randint(1, 80)
    order = any_order(random, points)
    return Inquiry(load_rulebook(ship.rulebook), ship, state, order, policy or random.choice(POLICY_NAMES))


def any_order(random: Random, points: int) -> VolleyOrder:
    """Points inside, on a shield, from a direction, or from two."""
    where = random.choice(DIRECTIONS)
    match random.randrange(4):
        case 0:
            return volley_order(points, internal=True)
        case 1:
            return volley_order(points + 20, shield=random.randint(1, 6))
        case 2:
            shield = random.choice(struck_shields(direction_offset(where)))
            return volley_order(points + 10, shield=shield, directions=((None, where),))
    first = random.randint(0, points)
    directions = ((first, where), (points - first, random.choice(DIRECTIONS)))
    return volley_order(points, internal=True, directions=directions)


def chi_square_p(truth: BoxesLeft, counted: BoxesLeft) -> float:
    """How likely a sample is at least so far off; what is rarer than five in the sample is one class."""
    classes = [
        (weight / truth.total * counted.total, seen)
        for weight, seen in zip(truth.weights, counted.weights, strict=True)
    ]
    common = [pair for pair in classes if pair[0] >= 5]
    rare = [pair for pair in classes if pair[0] < 5]
    rest = (sum(e for e, _ in rare), sum(s for _, s in rare))
    if rest[0] >= 5:
        common.append(rest)
    elif rest[0] == 0:
        assert rest[1] == 0
    if len(common) < 2:
        return 1.0
    statistic = sum((seen - expected) ** 2 / expected for expected, seen in common)
    return _upper_gamma((len(common) - 1) / 2, statistic / 2)


def _upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function."""
    if x <= 0:
        return 1.0
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * exp(-x + a * log(x) - lgamma(a)))
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 500):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return h * exp(-x + a * log(x) - lgamma(a))
