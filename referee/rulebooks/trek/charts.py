"""The tables in force: those of the document, this project's homebrew, and the owner's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from referee.rulebooks.base import Rulebook

STANDARD_CHART = "HB"
"""The damage chart that stands in for a lost one."""
OUTPOST_CHART = "outpost"


class Cell(NamedTuple):
    """One entry of a damage location table."""

    effect: str
    half: bool
    casualty_mult: int


class BasicMove(NamedTuple):
    """One basic move: the motion it needs, hexes ahead of where the bow or stern points, and a turn."""

    motion: str
    hexes: int
    turn: int


@dataclass(frozen=True)
class Charts:
    """Every table a combat looks at, as values."""

    numbers: Mapping[str, int]
    to_hit: Mapping[str, tuple[int, ...]]
    plasma: Mapping[str, tuple[int, ...]]
    location: Mapping[str, Mapping[int, Mapping[int, Cell]]]
    outpost: Mapping[int, Cell]
    stress: Mapping[str, Mapping[int, int]]
    moves: Mapping[str, BasicMove]
    arcs: Mapping[str, tuple[int, ...]]
    actions: Mapping[str, Mapping[str, Any]]
    repairs: Mapping[str, Any]
    skills: Mapping[str, str]
    cloak_detection: tuple[Mapping[str, Any], ...]
    engineering: tuple[Mapping[str, Any], ...]
    shaken: tuple[Mapping[str, Any], ...]
    banks: Mapping[str, tuple[Mapping[str, Any], ...]]
    casualties: tuple[Mapping[str, Any], ...]
    owned: tuple[str, ...] = ()
    """What the owner's files gave, such as `firing A` and `moves`."""

    def n(self, name: str) -> int:
        """A single number of the rules."""
        return self.numbers[name]

    def chart_for(self, letter: str) -> str:
        """The damage chart that is used for a ship's letter: its own, or the one standing in."""
        return letter if letter in self.location or letter == OUTPOST_CHART else STANDARD_CHART

    def is_homebrew(self, name: str) -> bool:
        """Is a chart, named as in `owned`, this project's own and not the owner's?"""
        return name not in self.owned


def charts_of(rulebook: Rulebook) -> Charts:
    """The tables of the rulebook, without any of an owner's."""
    firing = rulebook.table("firing_charts")
    location = rulebook.table("damage_location")["charts"]
    return Charts(
        numbers=rulebook.table("numbers")["numbers"],
        to_hit={name: tuple(chart["to_hit"]) for name, chart in firing["charts"].items()},
        plasma={name: tuple(damage) for name, damage in firing["plasma"].items()},
        location={name: location_chart(chart) for name, chart in location.items()},
        outpost={int(die): _cell(cell) for die, cell in rulebook.table("defense_outpost")["rows"].items()},
        stress={},
        moves=_moves(rulebook.table("moves")["moves"]),
        arcs={name: tuple(shields) for name, shields in rulebook.table("arcs")["arcs"].items()},
        actions=rulebook.table("actions")["actions"],
        repairs=rulebook.table("repairs"),
        skills=rulebook.table("skills")["skills"],
        cloak_detection=tuple(rulebook.table("cloak_detection")["rows"]),
        engineering=tuple(rulebook.table("engineering")["rows"]),
        shaken=tuple(rulebook.table("system_shaken")["rows"]),
        banks={
            "reconciled": tuple(rulebook.table("banked_weapons")["rows"]),
            "printed": tuple(rulebook.table("banked_weapons_printed")["rows"]),
        },
        casualties=tuple(rulebook.table("crew_casualties")["rows"]),
    )


def with_owners(charts: Charts, data: Mapping[str, Any]) -> Charts:
    """The tables with those of an owner's chart file put in, which fits its schema."""
    firing = {name: tuple(chart["to_hit"]) for name, chart in data.get("firing_charts", {}).items()}
    plasma = {name: tuple(damage) for name, damage in data.get("plasma", {}).items()}
    location = {name: location_chart(chart) for name, chart in data.get("damage_location", {}).items()}
    stress = {
        name: {int(warp): points for warp, points in chart.items()}
        for name, chart in data.get("stress", {}).items()
    }
    banks = {name: tuple(rows) for name, rows in data.get("banked_weapons", {}).items()}
    moves = _moves(data["moves"]) if "moves" in data else charts.moves
    arcs = {name: tuple(shields) for name, shields in data.get("arcs", {}).items()}
    owned = (
        *(f"firing {name}" for name in firing),
        *(f"plasma {name}" for name in plasma),
        *(f"location {name}" for name in location),
        *(f"stress {name}" for name in stress),
        *(f"banks {name}" for name in banks),
        *(("moves",) if "moves" in data else ()),
        *(("arcs",) if arcs else ()),
    )
    return replace(
        charts,
        to_hit={**charts.to_hit, **firing},
        plasma={**charts.plasma, **plasma},
        location={**charts.location, **location},
        stress={**charts.stress, **stress},
        banks={**charts.banks, **banks},
        moves=moves,
        arcs={**charts.arcs, **arcs},
        owned=(*charts.owned, *owned),
    )


def location_chart(chart: Mapping[str, Any]) -> Mapping[int, Mapping[int, Cell]]:
    """A damage location chart by shield and die from its JSON."""
    return {
        int(shield): {int(die): _cell(cell) for die, cell in rows.items()} for shield, rows in chart.items()
    }


def _cell(cell: Mapping[str, Any]) -> Cell:
    return Cell(cell["effect"], bool(cell.get("half")), int(cell.get("casualty_mult", 0)))


def _moves(moves: Mapping[str, Any]) -> Mapping[str, BasicMove]:
    return {name: BasicMove(move["motion"], move["hexes"], move["turn"]) for name, move in moves.items()}
