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
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "cases" / "robot"
BOOKS = ("sfb-cadet", "sfb-standard")
KINDS = ("resolves", "wrong", "switched-off")


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
