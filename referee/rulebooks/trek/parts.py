"""The parts of a ship as players call them: `Shield 2`, `shield-2` and `2` are one, others `beam A1` and `port
engine`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from referee.core.naming import folded
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.ships import UNDIVIDED, TrekShip

_WORD = re.compile(r"[a-z]+|[0-9]+")
_NUMBER = re.compile(r"\W*([0-9])\W*", re.ASCII)
_IDLE = ("weapon", "engine", "warp", "power", "generator", "system")
"""Words that a name may have and need not."""


class Part(NamedTuple):
    """A part of a ship: how the record calls it, and how it is shown."""

    key: str
    name: str


def weapons_of(ship: TrekShip) -> list[Part]:
    """The weapons of a ship."""
    return [Part(f"weapon {weapon.id}", weapon.id) for weapon in ship.weapons]


def engines_of(ship: TrekShip) -> list[Part]:
    """The engines of a ship, where they are told apart."""
    return [Part(f"engine {name}", f"engine {name}") for name in ship.engines if name != UNDIVIDED]


def systems_of(charts: Charts) -> list[Part]:
    """Shields, power grids and the systems of the bridge, which every ship has."""
    grids = dict.fromkeys(grid for row in charts.engineering for grid in row["down"])
    shaken = dict.fromkeys(str(row["system"]) for row in charts.shaken if row.get("system"))
    keys = [f"shield {n}" for n in range(1, 7)] + [f"grid {grid}" for grid in grids] + list(shaken)
    return [Part(key, key) for key in keys]


def parts_of(charts: Charts, ship: TrekShip) -> list[Part]:
    """Every part whose state may be asked for: weapons, shields, engines and systems."""
    whole = Part("superstructure", "superstructure")
    return [*weapons_of(ship), *systems_of(charts), *engines_of(ship), whole]


def find_part(called: str, parts: Sequence[Part]) -> Part | None:
    """The one part of some that a player means, by its name in any order and spelling; None where none is
    meant, or several are."""
    for exactly in (_is_said, _is_like):
        if len(found := [part for part in parts if exactly(called, part)]) == 1:
            return found[0]
        if found:
            return None
    return None


def _is_said(called: str, part: Part) -> bool:
    return called in part


def _is_like(called: str, part: Part) -> bool:
    words = _words(called)
    if bare := _NUMBER.fullmatch(called):
        return part.key == f"shield {bare[1]}"
    return bool(words) and (
        folded(called) in map(folded, part) or words in (_words(part.key), _words(part.name))
    )


def _words(text: str) -> list[str]:
    """The words and numbers of a name, in an order of their own, without those that say nothing."""
    words = _WORD.findall(text.casefold())
    return sorted(word for word in words if word not in _IDLE) or sorted(words)


def named(parts: Iterable[Part]) -> str:
    """The names of some parts, numbered ones together: `shield 1 to 6`."""
    shown = [part.name for part in parts]
    shields = [name for name in shown if name.startswith("shield ")]
    others = [name for name in shown if name not in shields]
    return ", ".join([*others, *(["shield 1 to 6"] if shields else [])])


def is_down(
    key: str, ship: TrekShip, damage: Mapping[str, object], engines: Mapping[str, int], hull: int
) -> bool:
    """Is a part of a ship damaged, by what is recorded of it?"""
    if key.startswith("engine "):
        engine = key.removeprefix("engine ")
        return engines[engine] < ship.engines[engine]
    return hull < ship.superstructure if key == "superstructure" else key in damage
