"""Numbers of a ship that the holder of its SSD confirmed: which may be, how they are written, and the data
sheet with them.

A number is named by its path in the data sheet: `shields/3`, `boxes/apr`, `tracks/sensor`, `mounts/PHOT/A/arc`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.core.arcs import tokens
from referee.core.ship import CONFIRMED, SECTIONS, TRACKS

Numbers = Mapping[str, Any]
"""Confirmed numbers of one ship, by path."""

MOST = 999
FARTHEST = 200
_ENERGY = re.compile(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?")
_IN_ENERGY = ("move_cost", "cloak_cost", "capacitor")
_MODES = ("AA", "A", "B", "C", "D", "E", "F")


def asked_of(sheet: Mapping[str, Any], systems: Iterable[str]) -> tuple[str, ...]:
    """The paths of the numbers of a data sheet that are not verified, in its order, then of those it says are missing
    and that are one number each. `systems` are the systems a ship may have boxes of."""
    asked = [
        f"{section}/{name}"
        for section in SECTIONS
        for name, number in sheet.get(section, {}).items()
        if number["status"] != "verified"
    ]
    asked += [
        f"mounts/{mount['id']}/{part}"
        for mount in sheet.get("mounts", ())
        for part in ("arc", "max_range")
        if mount["status"] != "verified" and part in mount
    ]
    known = {f"boxes/{system}" for system in systems} | {f"tracks/{track}" for track in TRACKS}
    known |= {f"shields/{number}" for number in range(1, 7)} | {"figures/move_cost", "figures/turn_mode"}
    return (*asked, *(path for path in sheet.get("missing", ()) if path in known))


def hold(path: str, value: Any) -> None:
    """Raises ValueError, saying why, for a value that cannot stand at a path."""
    section, _, name = path.partition("/")
    shown = json.dumps(value)[:40]
    if section == "tracks":
        _hold_track(name, value)
    elif name == "turn_mode" and section == "figures":
        brackets = isinstance(value, list) and 0 < len(value) <= 12 and all(map(_is_bracket, value))
        if not brackets and value not in _MODES:
            raise ValueError(f"{shown} is no turn mode")
    elif section == "figures" and name in _IN_ENERGY:
        if not isinstance(value, str) or not _ENERGY.fullmatch(value):
            raise ValueError(f"{shown} is no amount of energy; write 1 or 1/2")
    elif section == "figures" and name == "breakdown":
        if not isinstance(value, str) or not 0 < len(value) <= 20:
            raise ValueError(f"{shown} is no short text")
    elif section == "mounts" and name.endswith("/arc"):
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{shown} is no arc")
        if value is not None:
            tokens(value)
    elif not _is_count(value, FARTHEST if section == "mounts" else MOST):
        most = FARTHEST if section == "mounts" else MOST
        raise ValueError(f"{shown} is no whole number from 0 to {most}")


def _is_count(value: Any, most: int = 99) -> bool:
    return type(value) is int and 0 <= value <= most


def _is_bracket(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(map(_is_count, value)) and value[0] <= value[1]


def _hold_track(name: str, value: Any) -> None:
    if not isinstance(value, list) or not 0 < len(value) <= 20 or not all(map(_is_count, value)):
        raise ValueError(f"{json.dumps(value)[:40]} is no row of numbers")
    rising = name == "scanner"
    if sorted(value, reverse=not rising) != value or value[-1] != (9 if rising else 0):
        raise ValueError(f"the {name} track goes from {'0 up to 9' if rising else 'best down to 0'}")


def show_answer(value: Any) -> str:
    """A number as a player writes it; empty where there is none."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return " ".join(f"{low}-{high}:{hexes}" for low, high, hexes in value)
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def with_confirmed(sheet: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    """A data sheet with the numbers that were confirmed: they are as sure as the SSD."""
    after: dict[str, Any] = {**sheet, **{part: dict(sheet.get(part, {})) for part in SECTIONS}}
    for path, value in numbers.items():
        section, _, name = path.partition("/")
        if section != "mounts":
            after[section][name] = {"value": value, "source": [CONFIRMED], "status": "verified"}
    after = {name: part for name, part in after.items() if part or name in sheet}
    after["mounts"] = list(_mounts(sheet.get("mounts", ()), numbers))
    left = [path for path in sheet.get("missing", ()) if path not in numbers]
    after |= {"missing": left} if "missing" in sheet else {}
    return after


def _mounts(mounts: Iterable[Mapping[str, Any]], numbers: Numbers) -> Iterator[Mapping[str, Any]]:
    """The weapons, without those that the SSD does not have."""
    for mount in mounts:
        parts = [part for part in ("arc", "max_range") if part in mount]
        confirmed = {
            part: numbers[path] for part in parts if (path := f"mounts/{mount['id']}/{part}") in numbers
        }
        if "arc" in confirmed and confirmed["arc"] is None:
            continue
        whole = bool(confirmed) and len(confirmed) == len(parts)
        sure = {"source": [CONFIRMED], "status": "verified"} if whole else {}
        kept = {name: part for name, part in mount.items() if not (whole and name == "note")}
        yield {**kept, **confirmed, **sure}


Row = tuple[str, str, str]
"""A ship, the path of a number of it, and the number as a player writes it: how a game's first entry holds one."""


def rows_of(ships: Mapping[str, Numbers]) -> list[Row]:
    """Confirmed numbers as a game's first entry holds them."""
    return [
        (id, path, show_answer(value) or "none")
        for id, numbers in sorted(ships.items())
        for path, value in sorted(numbers.items())
    ]


def rows_in(entry: Any) -> list[Row]:
    """The rows of a first entry, which somebody else wrote; what is malformed in it is left out."""
    rows = entry if isinstance(entry, list) else []
    return [tuple(row) for row in rows if isinstance(row, list) and [*map(type, row)] == [str, str, str]]


def differences(here: Iterable[Row], there: Iterable[Row]) -> list[str]:
    """What two sets of confirmed numbers say otherwise: `cadet/klingon-d6 shields/3: 9 here, 8 in the game`."""
    mine, theirs = ({row[:2]: row[2] for row in rows} for rows in (here, there))
    sentences = []
    for ship, path in sorted({*mine, *theirs}):
        values = [numbers.get((ship, path), "not confirmed") for numbers in (mine, theirs)]
        if values[0] != values[1]:
            sentences.append(f"{ship[:40]} {path[:40]}: {values[0][:40]} here, {values[1][:40]} in the game")
    return sentences
