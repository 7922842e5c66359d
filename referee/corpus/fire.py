"""Shots, launches, fades and seekers as a case declares them: what our own program makes of each.

A case has one of these

- `shots`, with `dice` where they are rolled, and `impacts` of seekers that strike with them (`given` holds for all);
- `launch`, drones or torpedoes declared in one step, with `launched` earlier in the turn;
- `cloak`: a history, with `order` for an announcement that is judged, or `phases` by moment;
- `lock`: an attempt for lock-on;
- `guidance`, `move`, `seeker`: what a ship guides, where a seeker moved, what becomes of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.fire import resolve_shots, volleys_of
from referee.core import combat
from referee.core.combat import (
    CloakHistory,
    Declaration,
    Guidance,
    LockAttempt,
    Seeker,
    SeekerMove,
    Shot,
    Unit,
    parse_cloak,
    parse_moment,
)
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked
from referee.core.hexgrid import Hex, parse_position
from referee.core.naming import find_mounts
from referee.core.state import ShipState, new_state
from referee.corpus.forms import CaseFacts
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship
from referee.rulebooks.sfb.seekers import SeekerMoved, full_warhead

SHOT = {
    *("firer", "ship", "weapon", "type", "at", "state", "kind", "crippled", "cloak", "side", "target_side"),
    *("target", "target_ship", "target_at", "target_cloak", "target_kind"),
    *("range", "turn", "impulse", "impulses", "last_fired", "energy", "fire_control", "lock_on", "scanner"),
    *("mode", "shield"),
}


# -- what is declared --------------------------------------------------------------------


def shot_of(facts: Mapping[str, Any]) -> Shot:
    """A shot from the facts of a case. Raises BadInput for a misspelling."""
    if unknown := set(facts) - SHOT:
        raise BadInput(f"no such fact: {', '.join(sorted(unknown))}")
    ship = load_ship(facts["ship"]) if "ship" in facts else None
    mount = find_mounts(facts["weapon"], ship.mounts)[0] if ship and "weapon" in facts else None
    weapon = mount.id if mount else facts.get("weapon", facts.get("type", ""))
    firer = _unit(facts, "", facts.get("firer", "firer"), facts.get("kind", "ship"))
    target = _unit(facts, "target_", facts.get("target", "target"), facts.get("target_kind", "ship"))
    last = facts.get("last_fired", "none")
    return Shot(
        weapon=weapon,
        type=facts.get("type", mount.type if mount else ""),
        firer=firer,
        target=target,
        mount=mount,
        last_fired=None if last == "none" else last if last == "unknown" else parse_moment(last),
        energy=facts.get("energy", "paid"),
        **{
            name: facts[name]
            for name in (
                "range",
                "turn",
                "impulse",
                "impulses",
                "fire_control",
                "lock_on",
                "scanner",
                "mode",
                "shield",
            )
            if name in facts
        },
    )


def _unit(facts: Mapping[str, Any], prefix: str, name: str, kind: str) -> Unit:
    ship = load_ship(facts[f"{prefix}ship"]) if f"{prefix}ship" in facts else None
    at = facts.get(f"{prefix}at")
    hex, facing = parse_position(at) if at else (None, None)
    state: ShipState | None = None
    if ship:
        marks = {} if prefix else facts.get("state", {})
        whole = new_state(ship)
        state = ShipState(
            ship.id,
            whole.shields,
            frozenset(marks.get("destroyed", ())),
            marks.get("dead", False),
            capacitor=Fraction(marks["capacitor"]) if "capacitor" in marks else None,
            tubes={tube: tuple(map(Fraction, paid)) for tube, paid in marks.get("tubes", {}).items()},
            speed=Fraction(marks["speed"]) if "speed" in marks else None,
        )
    cloak = parse_cloak(facts.get(f"{prefix}cloak", ""))
    crippled, side = not prefix and facts.get("crippled", False), facts.get(f"{prefix}side", "")
    return Unit(name, ship, state, hex, facing, cloak, kind, crippled, side)


def declaration_of(facts: CaseFacts, what: str) -> Declaration:
    """All shots or launches of a case."""
    shots = tuple(shot_of({**facts.get("given", {}), **shot}) for shot in facts[what])
    launched = tuple((ship, rack) for ship, rack in facts.get("launched", ()))
    return Declaration(shots, launched=launched)


def seeker_of(facts: Mapping[str, Any]) -> Seeker:
    """A seeker from the facts of a case."""
    hex, facing = _placed(facts.get("at", "0101C"))
    measures = ("hexes", "damage", "phaser_damage", "straight", "speed")
    rest = {name: facts[name] for name in measures if name in facts}
    if "target_at_launch" in facts:
        rest["at_launch"] = _hex(facts["target_at_launch"])
    launched = parse_moment(facts.get("launched", "1.1"))
    names = (
        facts.get("name", "A"),
        facts.get("type", "drone"),
        facts.get("owner", "firer"),
        facts.get("target", "target"),
    )
    return Seeker(*names, hex, facing, launched, **rest)


def _placed(position: str) -> tuple[Hex, str]:
    hex, facing = parse_position(position)
    if facing is None:
        raise BadInput(f"{position!a} has no facing", hint="such as 0101C")
    return hex, facing


def history_of(facts: Mapping[str, Any]) -> CloakHistory:
    """A cloak's history from the facts of a case."""
    announced = tuple((parse_moment(when), order) for when, order in facts.get("announced", ()))
    return CloakHistory(
        "cloaker",
        facts.get("impulses", 32),
        frozenset(facts.get("paid", ())),
        announced,
        facts.get("cloaked", False),
    )


# -- judging and resolving ---------------------------------------------------------------


def judged(rulebook: Rulebook, key: str, case: CaseFacts) -> list[Finding | NotChecked]:
    """What a rule says. Raises BadInput where what is declared never comes to it."""
    rule = rulebook.rules[key]
    asked = _facts(case, rulebook, rule.on)
    if not asked:
        raise BadInput(f"nothing in it is judged by {key}")
    return [item for facts in asked for item in judge(rule, rulebook, facts)]


def _facts(facts: CaseFacts, rulebook: Rulebook, subject: str) -> list[Any]:
    if "shots" in facts or "launch" in facts:
        what = "shots" if "shots" in facts else "launch"
        step = rulebook.offers.fire_step(rulebook, declaration_of(facts, what))
        return [step] if subject.endswith("step") else list(step.aims)
    if "cloak" in facts:
        moment, order = facts["cloak"]["order"]
        history, ship = history_of(facts["cloak"]), facts["cloak"].get("ship")
        shown = load_ship(ship) if ship else None
        return [rulebook.offers.cloak_order(rulebook, history, parse_moment(moment), order, shown)]
    if "move" in facts:
        hex, facing = _placed(facts["move"]["to"])
        target = _hex(facts["move"]["target_at"])
        seeker, now = seeker_of(facts["move"]), parse_moment(facts["move"].get("now", "1.2"))
        due = facts["move"].get("due", True)
        return [SeekerMoved(SeekerMove(seeker, hex, facing, target, now, 16, due), rulebook)]
    guidance = facts["guidance"]
    seekers = tuple(seeker_of(each) for each in guidance["seekers"])
    return [Guidance("firer", guidance.get("rating"), seekers, guidance.get("attempted"), 2)]


def found(rulebook: Rulebook, facts: CaseFacts) -> dict[str, Any]:
    """What a case that is worked out comes to, under the names it may expect."""
    if "shots" in facts:
        dice = ScriptedDice([int(total) for total in facts["dice"].split()])
        results = resolve_shots(rulebook, declaration_of(facts, "shots"), dice)
        dice.finish()
        gives = [
            {
                "effective": result.effective_range,
                "needed": result.needed,
                "hit": result.hit,
                "damage": result.damage,
                "shields": list(result.shields),
            }
            for result in results
        ]
        if "volleys" not in facts:
            return {"gives": gives}
        hits = [_impact(impact, rulebook) for impact in facts.get("impacts", ())]
        return {
            "gives": gives,
            "volleys": [_volley(volley) for volley in volleys_of(rulebook, [*hits, *results])],
        }
    if "cloak" in facts:
        history = history_of(facts["cloak"])
        cloaks = (
            (when, rulebook.offers.cloak_at(rulebook, history, parse_moment(when)))
            for when in facts["phases"]
        )
        return {
            "phases": {when: f"{cloak.phase}:{cloak.impulse}".removesuffix(":0") for when, cloak in cloaks}
        }
    if "lock" in facts:
        lock = facts["lock"]
        attempt = LockAttempt(
            lock.get("rating"),
            lock.get("fire_control", "paid"),
            parse_cloak(lock.get("target_cloak", "")),
            lock.get("roll"),
        )
        return {
            "held": {True: "yes", False: "no", None: "unknown"}[rulebook.offers.lock_on(rulebook, attempt)]
        }
    return _seekers_found(facts, rulebook)


def _hex(position: str) -> Hex | None:
    """A hex; None for nothing said: a seeker that goes after nothing."""
    return parse_position(position)[0] if position else None


def _seekers_found(facts: CaseFacts, rulebook: Rulebook) -> dict[str, Any]:
    if "lost" in facts:
        seekers = tuple(seeker_of(each) for each in facts["seekers"])
        gone: tuple[Seeker, ...] = ()
        if facts.get("when") == "destroyed":
            for rule in rulebook.rules_on("ship lost"):
                gone = rule.decide(gone, seekers, "firer")
        else:
            for rule in rulebook.rules_on("seekers lost"):
                gone = rule.decide(seekers, "firer", rulebook)
        return {"lost": [seeker.name for seeker in gone]}
    seeker = seeker_of(facts["seeker"])
    values: dict[str, Any] = {}
    for rule in rulebook.rules_on("seeker speed"):
        values["speed"] = rule.decide(seeker, facts.get("impulses", 16), rulebook)
    for rule in rulebook.rules_on("seeker course"):
        target = _hex(facts.get("target_at", "0101"))
        values["course"] = [f"{hex}{facing}" for hex, facing in rule.decide(seeker, target, rulebook)]
    for rule in rulebook.rules_on("seeker spent"):
        values["spent"] = rule.decide(
            seeker, parse_moment(facts.get("now", "1.1")), facts.get("impulses", 16), rulebook
        )
    for rule in rulebook.rules_on("seeker reached"):
        values["reached"] = rule.decide(seeker, _hex(facts.get("target_at", "0101")))
    for rule in rulebook.rules_on("drone off map"):
        values["left"] = rule.decide(seeker, rulebook)
    points = full_warhead(seeker, rulebook)
    for rule in rulebook.rules_on("warhead"):
        points = rule.decide(points, seeker, rulebook)
    return {**values, "warhead": points}


def _impact(facts: Mapping[str, Any], rulebook: Rulebook) -> combat.ShotResult:
    target = _unit(facts, "target_", facts.get("target", "target"), "ship")
    came_from, _ = parse_position(facts["from"])
    moment = parse_moment(facts.get("now", "2.5"))
    result: combat.ShotResult = rulebook.offers.seeker_hit(
        rulebook, seeker_of(facts), target, came_from, moment
    )
    return result


def _volley(volley: combat.VolleyAt) -> list[Any]:
    return [
        volley.target,
        volley.order.shield,
        volley.order.points,
        [points for points, _ in volley.order.origins],
    ]
