"""The Robot Opponent at a moment of a game, as a case writes it: what our own program has it do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.adjudicator.robot import Robot
from referee.core.combat import parse_moment
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.hexgrid import parse_position
from referee.core.play import ShipInPlay
from referee.core.robot import Decision, Memory, ShipSeen, Situation
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.corpus.forms import CaseFacts
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship

MOMENT = {
    *(
        "ask",
        "at",
        "robot",
        "target",
        "targets",
        "fired",
        "launched",
        "primary",
        "turned",
        "map",
        "coin",
        "options",
    )
}
SHIP = {"ship", "at", "speed", "before", "straight", "destroyed", "engines", "shields", "dead"}


def situation_of(facts: CaseFacts, rulebook: Rulebook) -> Situation:
    """The moment of a case. Raises BadInput for a misspelling."""
    if unknown := set(facts) - MOMENT - {"name", "kind", "gives", "rulebooks"}:
        raise BadInput(f"no such fact: {', '.join(sorted(unknown))}")
    turn, _, impulse = facts.get("at", "1.1").partition(".")
    first, last = (parse_position(corner)[0] for corner in facts.get("map", "0101-2817").split("-"))
    targets = facts.get("targets", {"Target": facts["target"]} if "target" in facts else {})
    return Situation(
        int(turn),
        int(impulse),
        int(rulebook.option("impulses")),
        _ship("Robot", facts["robot"]),
        tuple(_ship(name, target) for name, target in targets.items()),
        (first, last),
        Memory(
            {mark: parse_moment(when) for mark, when in facts.get("fired", {}).items()},
            facts.get("launched", {}),
            facts.get("primary"),
            facts.get("turned"),
        ),
    )


def _ship(name: str, facts: Mapping[str, Any]) -> ShipSeen:
    if unknown := set(facts) - SHIP:
        raise BadInput(f"{name}: no such fact: {', '.join(sorted(unknown))}")
    ship = load_ship(facts["ship"])
    hex, facing = parse_position(facts["at"])
    unit = ShipInPlay(
        name,
        ship.id,
        hex,
        facing,
        speed=facts.get("speed", 12),
        previous_speed=facts.get("before"),
        counting="turn" if "straight" in facts else "start",
        straight=facts.get("straight", 0),
        start_speed=facts.get("speed", 12),
    )
    shields = {**ship.shields, **{int(number): boxes for number, boxes in facts.get("shields", {}).items()}}
    return ShipSeen(
        ship, unit, ShipState(ship.id, shields, _destroyed(ship, facts), facts.get("dead", False))
    )


def _destroyed(ship: ShipClass, facts: Mapping[str, Any]) -> frozenset[str]:
    """The boxes that are gone: those named (`impulse/*` for all of a system), and all warp but so much."""
    gone = set()
    for name in facts.get("destroyed", ()):
        system, _, box = name.partition("/")
        gone |= set(ship.box_ids(system)) if box == "*" else {name}
    if "engines" in facts:
        warp = [box for side in ("left_warp", "right_warp", "center_warp") for box in ship.box_ids(side)]
        gone |= set(warp[facts["engines"] :])
    return frozenset(gone)


def decided(rulebook: Rulebook, facts: CaseFacts, *, all_tosses: bool = True) -> dict[str, Any]:
    """What the robot decides, under the names a case may expect. Raises BadInput unless all tosses are needed."""
    dice = ScriptedDice([facts["coin"]] if "coin" in facts else [])
    robot, situation = Robot(rulebook, dice), situation_of(facts, rulebook)
    ask = facts["ask"]
    if ask == "launch":
        launches = robot.launches(situation)
        gives = {"launch": [each.launch for each in launches], "by": [each.instruction for each in launches]}
        return gives | {"why": " ".join(each.why for each in launches)}
    if ask == "point":
        return {"point": robot.at_point(situation)}
    decision: Decision | None = getattr(robot, ask)(situation)
    if all_tosses:
        dice.finish()
    if decision is None:
        return {"by": "", "way": "", "fire": [], "why": ""}
    return {
        "speed": decision.speed,
        "way": decision.way or "",
        "fire": list(decision.fire),
        "shield": decision.shield,
        "coin": decision.coin,
        "primary": decision.primary,
        "by": decision.instruction,
        "why": decision.why,
    }
