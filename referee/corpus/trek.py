"""Trek: the standing scene as a case changes it, or numbers to work out; what our own program makes of either.

Lancer stands at 0510A, Shade at 0505D, the outpost Bastion aside, all with full power in round 1 of turn 1.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.core.finding import Finding, NotChecked
from referee.core.hexgrid import parse_position
from referee.core.location import Location
from referee.corpus.forms import CaseFacts
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek.facts import Action, Declared, EndOfRound, Enrolled, RoundWritten
from referee.rulebooks.trek.ships import ship_from_json
from referee.rulebooks.trek.shipyard import Library, fleet_json, library
from referee.rulebooks.trek.state import CombatState, Crew, Vessel
from referee.rulebooks.trek.working import work_out


def scene(shelf: Library) -> CombatState:
    """Two ships at five hexes, bow to bow, and an outpost aside, with the power of a turn."""
    places = {
        "Lancer": ("lancer", "alpha", "0510A", 4),
        "Shade": ("shade", "beta", "0505D", 5),
        "Bastion": ("bastion", "alpha", "1212A", 0),
    }
    vessels = {}
    for name, (id, side, at, warp) in places.items():
        ship, (hex, facing) = shelf.ships[id], parse_position(at)
        power = Fraction(sum(ship.engines.values()))
        vessels[name] = Vessel(
            name=name,
            ship=ship,
            side=side,
            crew=Crew({}, 60, 40),
            hex=hex,
            facing=facing or "A",
            warp=warp,
            engines=dict(ship.engines),
            superstructure=ship.superstructure,
            shield_power=dict.fromkeys(range(1, 7), Fraction(ship.max_shield_power)),
            produced=power,
            left=power,
        )
    return CombatState(vessels, turn=1, round=1, order=tuple(places))


def changed(vessel: Vessel, settings: dict[str, Any]) -> Vessel:
    """A ship of the scene with what a case sets."""
    parts: dict[str, Any] = dict(settings)
    if "at" in parts:
        parts["hex"], facing = parse_position(parts.pop("at"))
        parts["facing"] = facing or vessel.facing
    if "left" in parts:
        parts["left"] = Fraction(parts["left"])
        parts["spent"] = vessel.produced - parts["left"]
    for name in ("fired", "repairs"):
        if name in parts:
            parts[name] = frozenset(parts[name])
    if "damage" in parts:
        parts["damage"] = {part: tuple(hits) for part, hits in parts["damage"].items()}
    if "done" in parts:
        parts["done"] = tuple(parts["done"])
    if "engines" in parts:
        parts["engines"] = {**vessel.engines, **parts["engines"]}
    return replace(vessel, **parts)


def judged(rulebook: Rulebook, key: str, case: CaseFacts) -> list[Finding | NotChecked]:
    """What a rule says of the scene as a case changes it."""
    shelf = library(rulebook)
    state = scene(shelf)
    vessels = {
        name: changed(vessel, case.get("set", {}).get(name, {})) for name, vessel in state.vessels.items()
    }
    obstacles = frozenset(parse_position(text)[0] for text in case.get("obstacles", ()))
    state = replace(state, vessels=vessels, obstacles=obstacles)
    rule = rulebook.rules[key]
    name = case.get("ship", "Lancer")
    if "class" in case:
        sheet = {**fleet_json(rulebook)[name.lower()], **case["class"]}
        vessels[name] = replace(vessels[name], ship=ship_from_json(sheet, {}))
    facts: Any
    if rule.on == "action":
        facts = Declared(state, vessels[name], Action(case["do"]["do"], case["do"]), shelf.charts, rulebook)
    elif rule.on == "sheet":
        round, acting, order = case.get("round", 1), tuple(case["acting"]), tuple(case.get("order", ()))
        facts = RoundWritten(1, round, acting, frozenset(vessels), shelf.charts, Location(), order)
    elif rule.on == "enrolled":
        facts = Enrolled(vessels[name], shelf.charts, rulebook, Location())
    else:
        facts = EndOfRound(state, rulebook)
    return list(rule.decide(facts))


def outcome(rulebook: Rulebook, key: str, given: CaseFacts) -> Any:
    """What a resolving rule gives."""
    return work_out(rulebook, library(rulebook).charts, key, given)
