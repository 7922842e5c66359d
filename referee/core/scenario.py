"""Scenarios: who starts where, what is special, and what ends the game. Pure facts, and the judge of victory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal

from referee.core.frozen import frozen
from referee.core.hexgrid import Hex, parse_position
from referee.core.orders import Placement

Edge = Literal["top", "bottom", "left", "right"]


@frozen
class ScenarioUnit:
    """A ship at the start. `hex` is None where the sources do not say; `speed` is one the scenario fixes."""

    name: str
    class_id: str
    side: str
    hex: Hex | None = None
    facing: str | None = None
    speed: int | None = None
    previous_speed: int | None = None
    robot: bool = False
    optional: bool = False
    status: str = "verified"
    note: str = ""
    slows: bool = False
    """Does damage lower the speed the scenario fixes?"""


@frozen
class ScenarioSeeker:
    """A drone on the map from the start; `course` says whether it flies straight or follows its target. One that
    follows is ordered by the player of its side, if somebody plays that; else, and straight ahead, it flies by
    itself."""

    name: str
    type: str
    hex: Hex
    facing: str
    speed: int
    course: Literal["straight", "follows"]
    target: str = ""
    status: str = "verified"
    note: str = ""
    side: str = ""
    elsewhere: tuple[tuple[Hex, str], ...] = ()
    """Where other sources put it, with its facing: the players choose."""


@frozen
class WeaponTerms:
    """What a scenario says of weapons of a type where no form does: whether they are used in it, how many turns
    they take to load again, and whether they begin unarmed."""

    type: str
    used: bool = True
    reload: int = 0
    unarmed: bool = False
    status: str = "verified"


@frozen
class Ending:
    """Something that ends the game, and the side it is won or `lost` by; empty where that is for the players to
    say.

    It looks at one unit, at all units of a side, or at the seekers of the start.
    """

    when: str
    wording: str
    wins: str = ""
    lost: str = ""
    unit: str = ""
    side: str = ""
    edges: tuple[Edge, ...] = ()
    status: str = "verified"


@frozen
class Scenario:
    """A scenario: its rules, map, units, what is special in it, its aim and its endings."""

    id: str
    title: str
    rulebook: str
    impulses: int
    options: tuple[tuple[str, str], ...]
    within: tuple[Hex, Hex]
    units: tuple[ScenarioUnit, ...]
    seekers: tuple[ScenarioSeeker, ...]
    special: tuple[tuple[str, str], ...]
    objective: str
    endings: tuple[Ending, ...]
    map_status: str = "verified"
    forms: bool = True
    """Are energy forms filled in?"""
    weapons: tuple[WeaponTerms, ...] = ()

    @property
    def rules(self) -> dict[str, str]:
        """The options of the rulebook it is played by, its impulses and map among them."""
        first, last = self.within
        return {**dict(self.options), "impulses": str(self.impulses), "map": f"{first}-{last}"}

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that have ships, in the order of their units."""
        return tuple(dict.fromkeys(unit.side for unit in self.units))

    @property
    def opponents(self) -> tuple[str, ...]:
        """The sides, then those that have nothing but seekers of the start."""
        return tuple(dict.fromkeys((*self.sides, *(each.side for each in self.seekers if each.side))))


@frozen
class UnitStatus:
    """How a unit or a seeker of the start stands now: where (None: not known), destroyed, holed (None: not to be
    told yet). `spent` is a seeker that is on the map no more, and was not destroyed."""

    name: str
    hex: Hex | None = None
    destroyed: bool = False
    internals: int | None = None
    spent: bool = False
    left: bool = False
    """Has it left the map, and is it not known by which edge?"""


@frozen
class Victory:
    """How a game stands: over or not, won or lost by whom (empty: nobody, or not to be told), and why."""

    over: bool
    winner: str
    why: str
    decided: bool = True
    loser: str = ""

    @property
    def sentence(self) -> str:
        """It in one line."""
        if not self.over:
            return f"nobody has won: {self.why}"
        lost = f"{self.loser} has lost" if self.loser else "who has won is the players' to say"
        who = f"{self.winner} has won" if self.winner else lost
        return f"the game is over, {who}: {self.why}"


def scenario_from_json(data: Mapping[str, Any]) -> Scenario:
    """A scenario from the JSON of `schemas/scenario.schema.json`, already valid."""
    corners = parse_position(data["map"]["from"])[0], parse_position(data["map"]["to"])[0]
    return Scenario(
        data["id"],
        data["title"],
        data["rulebook"],
        data["impulses"],
        tuple(data["options"].items()),
        corners,
        tuple(_unit(row) for row in data["units"]),
        tuple(_seeker(row) for row in data["seekers"]),
        tuple((row["text"], row["status"]) for row in data["special"]),
        data["objective"],
        tuple(_ending(row) for row in data["endings"]),
        data["map"]["status"],
        data.get("forms", True),
        tuple(_terms(row) for row in data.get("weapons", ())),
    )


def _unit(row: Mapping[str, Any]) -> ScenarioUnit:
    hex, facing = parse_position(row["at"]) if row["at"] else (None, None)
    return ScenarioUnit(
        row["name"],
        row["class"],
        row["side"],
        hex,
        facing,
        row.get("speed"),
        row.get("previous_speed"),
        row.get("robot", False),
        row.get("optional", False),
        row["status"],
        row.get("note", ""),
        row.get("slows", False),
    )


def _seeker(row: Mapping[str, Any]) -> ScenarioSeeker:
    hex, facing = parse_position(row["at"])
    return ScenarioSeeker(
        row["name"],
        row["type"],
        hex,
        facing or "A",
        row["speed"],
        row["course"],
        row.get("target", ""),
        row["status"],
        row.get("note", ""),
        row.get("side", ""),
        tuple((hex, facing or "A") for hex, facing in map(parse_position, row.get("elsewhere", ()))),
    )


def _terms(row: Mapping[str, Any]) -> WeaponTerms:
    return WeaponTerms(
        row["type"],
        row.get("used", True),
        row.get("reload", 0),
        row.get("unarmed", False),
        row["status"],
    )


def _ending(row: Mapping[str, Any]) -> Ending:
    return Ending(
        row["when"],
        row["says"],
        row.get("wins", ""),
        row.get("lost", ""),
        row.get("unit", ""),
        row.get("side", ""),
        tuple(row.get("edges", ())),
        row["status"],
    )


# -- victory -----------------------------------------------------------------------------


WHOLE_MAP = (Hex(1, 1), Hex(99, 99))
"""Every hex that has a printed number; a scenario's map is smaller."""


def edges_left_by(hex: Hex, within: tuple[Hex, Hex]) -> tuple[Edge, ...]:
    """The edges of the map a hex lies beyond; none for a hex on the map."""
    (left, top), (right, bottom) = ((corner.column, corner.row) for corner in within)
    beyond: dict[Edge, bool] = {
        "top": hex.row < top,
        "bottom": hex.row > bottom,
        "left": hex.column < left,
        "right": hex.column > right,
    }
    return tuple(edge for edge, is_beyond in beyond.items() if is_beyond)


@lru_cache(maxsize=64)
def corners(span: str) -> tuple[Hex, Hex]:
    """The first and the last hex of a map said as `0101-2817`. Raises ValueError for anything else."""
    first, _, last = span.partition("-")
    return parse_position(first)[0], parse_position(last)[0]


def off_map(span: str, hex: Hex | None) -> bool:
    """Does a hex lie beyond a map said as `0101-2817`? Where no map is said none does."""
    return bool(span) and hex is not None and bool(edges_left_by(hex, corners(span)))


def victory(scenario: Scenario, standings: Iterable[UnitStatus]) -> Victory:
    """Who has won, by the first ending of the scenario that has come about, and why.

    The rules give no points for a lead: while no ending has come about nobody leads. Where a fact an
    ending turns on is not known, or the sources do not say who wins by it, it is not known; nor can it by a
    later ending, since the first counts.
    """
    known = {standing.name: standing for standing in standings}
    unsure = ""
    for ending in scenario.endings:
        came = _came_about(ending, scenario, known)
        if came and not unsure:
            decided = bool(ending.wins or ending.lost)
            return Victory(True, ending.wins, ending.wording, decided, ending.lost)
        if came is None and not unsure:
            unsure = f"cannot tell whether {ending.wording}"
    if unsure:
        return Victory(False, "", unsure, decided=False)
    return Victory(
        False, "", "no ending of the scenario has come about, and its rules give no points for a lead"
    )


def _came_about(ending: Ending, scenario: Scenario, known: Mapping[str, UnitStatus]) -> bool | None:
    if ending.when.startswith("seekers-"):
        looked_at = [known.get(seeker.name) for seeker in scenario.seekers]
    elif ending.unit:
        looked_at = [known.get(ending.unit)]
    else:
        played = (unit for unit in scenario.units if unit.side == ending.side)
        looked_at = [known.get(unit.name) for unit in played if unit.name in known or not unit.optional]
    return _all(_has(ending, each, scenario.within) for each in looked_at)


def _all(answers: Iterable[bool | None]) -> bool | None:
    """Do all hold? None where it hangs on one that is not known."""
    given = list(answers)
    return False if False in given else None if None in given else bool(given)


def _has(ending: Ending, standing: UnitStatus | None, within: tuple[Hex, Hex]) -> bool | None:
    """Does what an ending asks hold for one unit? None where it is not known."""
    if standing is None:
        return None
    beyond = None if standing.hex is None else edges_left_by(standing.hex, within)
    gone = standing.destroyed or standing.spent or standing.left
    match ending.when.rpartition("-")[2]:
        case "destroyed":
            return standing.destroyed
        case "damage":
            return standing.destroyed or (None if standing.internals is None else standing.internals > 0)
        case "map":
            if standing.destroyed:
                return False
            if standing.left and not ending.edges:
                return True
            return None if beyond is None else bool(set(beyond) & set(ending.edges or beyond))
        case "gone":
            return True if gone else None if beyond is None else bool(beyond)
    raise ValueError(f"no ending {ending.when}")


def placement(unit: ScenarioUnit) -> Placement:
    """A unit of a scenario as the order language places it: its speed is that of the turn before."""
    assert unit.hex is not None and unit.facing is not None
    before = unit.speed if unit.previous_speed is None else unit.previous_speed
    return Placement(unit.name, unit.class_id, unit.hex, unit.facing, before, unit.side)
