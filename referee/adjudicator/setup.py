"""A game held against the scenario it was begun from: its set-up, the speeds and weapons the scenario fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.adjudicator.check import judge
from referee.core.finding import Finding, Severity
from referee.core.game import EntryLike, FireOrdered, GameState
from referee.core.scenario import Scenario
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_scenario

SET_UP = "NOTE/set-up"


def scenario_of(genesis: Mapping[str, Any]) -> Scenario | None:
    """The scenario a first entry names; None where it names none. Raises BadInput for one that is not known."""
    return load_scenario(str(genesis["scenario"])) if "scenario" in genesis else None


def judge_set_up(scenario: Scenario, entry: EntryLike) -> Iterator[Finding]:
    """What a ship or drone that enters has other than in the scenario: who wins is judged by that one's endings."""
    data = entry.data
    name = str(data.get("ship" if entry.type == "ship" else "name"))
    known: dict[str, tuple[Any, ...]]
    if entry.type == "ship":
        known = {unit.name: (unit.class_id,) for unit in scenario.units}
        places = {unit.name: [f"{unit.hex}{unit.facing}"] for unit in scenario.units if unit.hex}
        has: tuple[Any, ...] = (data.get("class"),)
    else:
        known = {each.name: (each.speed, each.target) for each in scenario.seekers}
        places = {
            each.name: [f"{hex}{facing}" for hex, facing in ((each.hex, each.facing), *each.elsewhere)]
            for each in scenario.seekers
        }
        has = (data["speed"], data.get("target", ""))
    there = places.get(name, [data.get("at", "")])
    if known.get(name) != has or data.get("at", "") not in there:
        message = f"is not set up as in scenario {scenario.id}: who wins by that is not known"
        yield Finding(
            SET_UP,
            Severity.UNDECIDED,
            message,
            name,
            expected=" or ".join(there),
            found=str(data.get("at", "")),
        )


def judge_speed(
    rulebook: Rulebook, scenario: Scenario, ship: str, turn: int, speed: int
) -> Iterable[Finding]:
    """What a scenario that fixes the speed of a ship says of another."""
    unit = next((unit for unit in scenario.units if unit.name == ship), None)
    if unit is None or unit.speed is None or (unit.slows and speed <= unit.speed):
        return ()
    facts = rulebook.offers.scenario_speed(rulebook, ship, turn, speed, unit.speed)
    return _found_by(rulebook, "scenario speed", facts)


def judge_shots(
    rulebook: Rulebook, scenario: Scenario, state: GameState, order: FireOrdered, types: Mapping[str, str]
) -> Iterator[Finding]:
    """What a scenario's terms for weapons say of fire; `types` are those of the weapons, by mark."""
    for terms in scenario.weapons:
        for mark in (mark for mark in order.weapons if types.get(mark) == terms.type):
            fired = [when.turn for when, weapon in state.ships[order.ship].fired if weapon == mark]
            conditions = (terms.used, terms.reload, terms.unarmed, terms.status)
            facts = rulebook.offers.scenario_shot(
                rulebook, order.ship, mark, *order.moment, max(fired, default=0), *conditions
            )
            yield from _found_by(rulebook, "scenario shot", facts)


def _found_by(rulebook: Rulebook, subject: str, facts: Any) -> Iterator[Finding]:
    for rule in rulebook.rules_on(subject, "check"):
        yield from (item for item in judge(rule, rulebook, facts) if isinstance(item, Finding))
