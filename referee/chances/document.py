"""Odds as plain data, by `schemas/odds.schema.json`; the tables and pictures are made from it too."""

from __future__ import annotations

from typing import Any

from referee.chances.comparison import Comparison
from referee.chances.result import BoxesLeft, OddsAsked, Result

SCHEMA = "referee/odds/1"


def odds_document(result: Result) -> dict[str, Any]:
    """Everything a result says."""
    facts = result.facts
    systems = result.systems
    document: dict[str, Any] = {"schema": SCHEMA, **_question(facts), **_method(result)}
    document |= {
        "mean": {name: float(count.mean_lost) for name, count in systems.items()},
        "standard_error": {name: count.standard_error for name, count in systems.items()},
        "standard_deviation": {name: count.deviation for name, count in systems.items()},
        "distribution": {name: _lost(count) for name, count in systems.items()},
        "last_lost": {name: float(count.chance_of_none) for name, count in systems.items() if count.start},
        "destroyed": float(result.destroyed),
        "destroyed_error": result.destroyed_error,
        "power": _left(result.power),
        "weapons": {
            **_left(result.weapons),
            "lost": {box: float(chance) for box, chance in result.lost_by_weapon().items()},
        },
        "boxes": {
            name: {"printed": dict(facts.printed).get(name, count.start), "before": count.start}
            for name, count in systems.items()
        },
        "digest": result.digest(),
    }
    if result.method == "exact":
        document["exact"] = {
            "mean": {name: str(count.mean_lost) for name, count in systems.items()},
            "destroyed": str(result.destroyed),
        }
    if len(facts.points) > 1:
        document["curve"] = [_step(result, at, points) for at, points in enumerate(facts.points)]
    return document


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The first ship's odds, with the other's and the differences in `comparison`."""
    document = odds_document(comparison.first)
    document["comparison"] = {
        "other": odds_document(comparison.second),
        "difference": {
            name: {
                "mean": difference.mean,
                "standard_error": difference.standard_error,
                "independent_error": difference.independent_error,
            }
            for name, difference in comparison.differences.items()
        },
    }
    return document


def _question(facts: OddsAsked) -> dict[str, Any]:
    question: dict[str, Any] = {
        "ship": facts.ship,
        "name": facts.name,
        "rulebook": facts.rulebook,
        "title": facts.title,
        "policy": facts.policy,
        "damage": facts.damage,
        "internals": facts.internals,
        "reinforcement": facts.reinforcement,
        "armor": {"before": facts.armor[0], "after": facts.armor[1]},
    }
    if facts.shield:
        number, before, after = facts.shield
        question["shield"] = {"number": number, "before": before, "after": after}
    if facts.fire:
        total = sum(arrival.weight for arrival in facts.arrivals)
        question["fire"] = facts.fire
        question["damage_mean"] = sum(a.damage * a.weight for a in facts.arrivals) / total
        question["damage_distribution"] = {str(a.damage): a.weight / total for a in facts.arrivals}
    return question


def _method(result: Result) -> dict[str, Any]:
    if result.method == "exact":
        return {"method": "exact"}
    method: dict[str, Any] = {
        "method": "sampled",
        "algorithm": "referee-odds-1",
        "volleys": result.volleys,
        "seed": result.seed,
    }
    figures = {"precision": result.precision, "states_tried": result.beyond}
    return method | {name: value for name, value in figures.items() if value}


def _lost(count: BoxesLeft) -> dict[str, float]:
    """The chance of each number of boxes lost that can happen."""
    chances = {str(boxes): float(count.chance_lost(boxes)) for boxes in range(count.start + 1)}
    return {boxes: chance for boxes, chance in chances.items() if chance}


def _left(count: BoxesLeft) -> dict[str, Any]:
    """What is left: mean, error, and the chance of each number that can happen."""
    return {
        "before": count.start,
        "mean": float(count.mean_left),
        "standard_error": count.standard_error,
        "standard_deviation": count.deviation,
        "distribution": {str(n): weight / count.total for n, weight in enumerate(count.weights) if weight},
    }


def _step(result: Result, at: int, points: int) -> dict[str, Any]:
    """One step of a curve."""
    # Armor takes its points before the first gets inside.
    systems = {name: result.count(name, at) for name in result.systems}
    return {
        "internals": points,
        "mean": {name: float(count.mean_lost) for name, count in systems.items()},
        "standard_error": {name: count.standard_error for name, count in systems.items()},
        "power": float(result.count("power", at).mean_left),
        "weapons": float(result.count("weapons", at).mean_left),
        "destroyed": result.weights[at].destroyed / result.weights[at].total,
    }
