"""Cases of the rules of fire: shots, launches, fades and seekers a player could have declared.

A file `cases/sfb/<chapter>/shots/<rule>.toml` (or here under `cases/fire`) names its rule; `given` holds for
every case in it. A case has one of these

- `shots`, with `dice` where they are rolled, and what they come to in `gives`, one entry a shot, or
  `volleys` of points by target and shield;
- `launch`, drones or torpedoes declared in one step, with `launched` earlier in the turn;
- `cloak`: a history, with `order` for an announcement that is judged, or `phases` by moment;
- `lock`: an attempt for lock-on;
- `guidance`, `move`, `seeker`: what a ship guides, where a seeker moved, what becomes of one.

Kinds are those of `tests/casefile.py`: legal, illegal, undecided, unknown; resolves, wrong, switched-off.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.corpus.fire import seeker_of, shot_of

__all__ = ["seeker_of", "shot_of"]

HERE = Path(__file__).parent / "cases" / "fire"
FOLDERS = (Path(__file__).parents[3] / "cases" / "sfb", HERE)
BOOKS = ("sfb-cadet", "sfb-standard")
CHECKS = ("legal", "illegal", "undecided", "noted", "unknown")
RESOLVES = ("resolves", "wrong", "switched-off")


@dataclass(frozen=True)
class FireCase:
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


def fire_cases() -> list[FireCase]:
    """Every case, in the order of the files, once for each rulebook that plays it."""
    paths = sorted(path for folder in FOLDERS for path in folder.glob("**/*.toml") if _mine(path))
    return [case for path in paths for case in _read(path)]


def _mine(path: Path) -> bool:
    return path.parent.name == "shots" or path.is_relative_to(HERE)


def _read(path: Path) -> Iterator[FireCase]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rule, given = data["rule"], data.get("given", {})
    assert path.stem == rule.replace("/", "-"), f"{path} holds cases of {rule}"
    for case in data["case"]:
        assert case["kind"] in (*CHECKS, *RESOLVES), f"{path}: {case['kind']}"
        says = {**case, "given": given}
        for rulebook in case.get("rulebooks", data.get("rulebooks", BOOKS)):
            yield FireCase(rulebook, rule, case["name"], case["kind"], says)
