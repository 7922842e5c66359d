"""The log cases as they are written: `tests/cases/logs`."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "cases" / "logs"
EXPECTED = {"found", "open", "not_open", "judged", "name"}
"""What is no part of the log of a case."""
Case = dict[str, Any]


@cache
def files() -> dict[str, Any]:
    """The files of log cases."""
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.toml"))
    }


def cases() -> dict[str, Case]:
    """Every case by its name."""
    return {
        f"{stem}: {case['name']}": {**file.get("all", {}), **case}
        for stem, file in files().items()
        for case in file["case"]
    }


def digest(case: Case) -> str:
    """What the log of a case is made of: it is written anew where that is changed."""
    told = {name: part for name, part in case.items() if name not in EXPECTED}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def asked_of(case: Case, ships: Mapping[str, str], speeds: set[int]) -> list[str]:
    """The command by which the log of a case is judged."""
    options = {"previous_speed": str(speeds.pop())} if len(speeds) == 1 else {}
    options |= case.get("options", {})
    (book,) = {id.partition("/")[0] for id in ships.values()}
    asked = ["check", "game.vlog", "--module", "generated.vmod", "--json", "--rulebook", f"sfb-{book}"]
    asked += [part for name, id in ships.items() for part in ("--ship", f"{name}={id}")]
    return asked + [part for name, value in options.items() for part in ("--option", f"{name}={value}")]
