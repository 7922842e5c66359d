"""Cases of the Robot Opponent: a moment of a game, and what the robot does in it.

A file `cases/<rule>.toml` names its rule; `given` holds for every case in it. A case says

- `ask`: `speed`, `move`, `launch`, `fire` or `point`; `at`, the turn and impulse, such as `2.5`;
- `robot` and `target` (or `targets`, by name): `ship`, `at`, `speed`, `before` (the speed of the turn before),
  `straight` (hexes since its last turn of 60 degrees; left out: none made yet), `destroyed`, `engines` (warp boxes left),
  `shields`;
- `fired`: when its weapons last fired; `launched`: drones gone by rack; `primary`: the impulse of the Primary Fire
  Point; `turned`: the side it has begun to turn to; `map`; `coin`, the toss where one is made; `options`;
- `gives`: what it decides, of `speed`, `way`, `fire`, `launch`, `shield`, `coin`, `primary`, `point`, `by` (the instruction), `why` (a
  part of the sentence); `{}` for nothing.

Kinds: `resolves`, `wrong` (somebody says so, and it is not), `switched-off` (without the rule, and so differently).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.adjudicator.robot import Robot
from referee.core.combat import parse_moment
from referee.core.dice import ScriptedDice
from referee.core.hexgrid import parse_position
from referee.core.play import ShipInPlay
from referee.core.robot import Decision, Flown, Memory, Situation
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship

HERE = Path(__file__).parent / "cases"
BOOKS = ("sfb-cadet", "sfb-standard")
KINDS = ("resolves", "wrong", "switched-off")
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


@dataclass(frozen=True)
class RobotCase:
    """One case of one rule, played by one rulebook."""

    rulebook: str
    rule: str
    name: str
    kind: str
    says: dict[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        """What pytest calls the case."""
        return f"{self.rulebook}:{self.rule}:{self.kind}: {self.name}"


def robot_cases() -> list[RobotCase]:
    """Every case, in the order of the files, once for each rulebook that plays it."""
    return [case for path in sorted(HERE.glob("*.toml")) for case in _read(path)]


def _read(path: Path) -> Iterator[RobotCase]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rule = data["rule"]
    assert path.stem == rule.replace("/", "-"), f"{path} holds cases of {rule}"
    for case in data["case"]:
        assert case["kind"] in KINDS, f"{path}: {case['kind']}"
        says = {**data.get("given", {}), **case}
        for rulebook in case.get("rulebooks", data.get("rulebooks", BOOKS)):
            yield RobotCase(rulebook, rule, case["name"], case["kind"], says)


def book_of(case: RobotCase, *, without: bool) -> Rulebook:
    """The rulebook of a case, on 16 impulses unless it says otherwise."""
    options = {"impulses": "16", **case.says.get("options", {})}
    book = load_rulebook(case.rulebook).with_options(options)
    return book.without([case.rule]) if without else book


def situation_of(case: RobotCase, book: Rulebook) -> Situation:
    """The moment of a case. Raises ValueError for a misspelling."""
    says = case.says
    if unknown := set(says) - MOMENT - {"name", "kind", "gives", "rulebooks"}:
        raise ValueError(f"{case.id}: no such fact: {', '.join(sorted(unknown))}")
    turn, _, impulse = says.get("at", "1.1").partition(".")
    first, last = (parse_position(corner)[0] for corner in says.get("map", "0101-2817").split("-"))
    targets = says.get("targets", {"Target": says["target"]} if "target" in says else {})
    return Situation(
        int(turn),
        int(impulse),
        int(book.option("impulses")),
        _ship("Robot", says["robot"]),
        tuple(_ship(name, said) for name, said in targets.items()),
        (first, last),
        Memory(
            {mark: parse_moment(when) for mark, when in says.get("fired", {}).items()},
            says.get("launched", {}),
            says.get("primary"),
            says.get("turned"),
        ),
    )


def _ship(name: str, said: Mapping[str, Any]) -> Flown:
    if unknown := set(said) - SHIP:
        raise ValueError(f"{name}: no such fact: {', '.join(sorted(unknown))}")
    ship = load_ship(said["ship"])
    hex, facing = parse_position(said["at"])
    unit = ShipInPlay(
        name,
        ship.id,
        hex,
        facing,
        speed=said.get("speed", 12),
        previous_speed=said.get("before"),
        counting="turn" if "straight" in said else "start",
        straight=said.get("straight", 0),
        start_speed=said.get("speed", 12),
    )
    shields = {**ship.shields, **{int(number): boxes for number, boxes in said.get("shields", {}).items()}}
    return Flown(ship, unit, ShipState(ship.id, shields, _destroyed(ship, said), said.get("dead", False)))


def _destroyed(ship: ShipClass, said: Mapping[str, Any]) -> frozenset[str]:
    """The boxes that are gone: those named (`impulse/*` for all of a system), and all warp but so much."""
    gone = set()
    for name in said.get("destroyed", ()):
        system, _, box = name.partition("/")
        gone |= set(ship.box_ids(system)) if box == "*" else {name}
    if "engines" in said:
        warp = [box for side in ("left_warp", "right_warp", "center_warp") for box in ship.box_ids(side)]
        gone |= set(warp[said["engines"] :])
    return frozenset(gone)


def decided(case: RobotCase, *, without: bool) -> dict[str, Any]:
    """What the robot decides, under the names a case may expect; all tosses must be needed."""
    book = book_of(case, without=without)
    dice = ScriptedDice([case.says["coin"]] if "coin" in case.says else [])
    robot, situation = Robot(book, dice), situation_of(case, book)
    ask = case.says["ask"]
    if ask == "launch":
        launches = robot.launches(situation)
        gives = {"launch": [each.launch for each in launches], "by": [each.instruction for each in launches]}
        return gives | {"why": " ".join(each.why for each in launches)}
    if ask == "point":
        return {"point": robot.at_point(situation)}
    decision: Decision | None = getattr(robot, ask)(situation)
    if not without:
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
