"""Case files of the Trek rules: a declaration or some numbers, and what the rule says of them.

A file `tests/cases/trek/trek-N.toml` (`trek-N-slug.toml` for a second check of a number) names its rule
and holds its cases. A case's `kind` is

- `legal`, `illegal`, `undecided`, `warned`, `unknown`: the check on `do` by `ship`, where `set` changes
  the ships of the standing scene (Lancer at 0510A, Shade at 0505D, both with full power in round 1 of
  turn 1), `class` its data sheet, `options` the options and `obstacles` the map; or on `acting` in round `round`; or on the
  entry of a ship changed by `class`; or on where the ships stand; `expected` and `found` are the figures it shows,
  `subject`, `turn` and `impulse` (the round) whose and when;
- `resolves`: from `given` comes what `expect` says;
- `wrong`: somebody claims `claim`, and it does not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[3] / "cases" / "trek"
CHECK_KINDS = ("legal", "illegal", "undecided", "warned", "unknown")
KINDS = (*CHECK_KINDS, "resolves", "wrong")
FACTS = {
    *("name", "kind", "do", "ship", "set", "options", "obstacles", "acting", "round", "order", "class"),
    *("given", "expect", "claim", "vector", "expected", "found", "subject", "turn", "impulse"),
}


@dataclass(frozen=True)
class Case:
    """One case of one rule."""

    rule: str
    name: str
    kind: str
    says: dict[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        """What pytest calls it."""
        return f"{self.rule}:{self.kind}: {self.name}"


def all_cases() -> list[Case]:
    """Every case, in the order of the files. Raises ValueError for a misspelling."""
    return [case for path in sorted(CASES.glob("*.toml")) for case in _cases(path)]


def _cases(path: Path) -> Iterator[Case]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if path.stem != data["rule"].replace("/", "-"):
        raise ValueError(f"{path} holds cases of {data['rule']}")
    for case in data["case"]:
        if unknown := set(case) - FACTS:
            raise ValueError(f"{path}: {case['name']}: no such line: {', '.join(sorted(unknown))}")
        if case["kind"] not in KINDS:
            raise ValueError(f"{path}: {case['name']}: no kind {case['kind']}")
        yield Case(data["rule"], case["name"], case["kind"], case)
