"""The map a game is played on: as its rules say it, or its VASSAL module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from referee.core.hexgrid import Hex
from referee.core.positions import NO_BOARD, MapBounds
from referee.core.scenario import corners

if TYPE_CHECKING:
    from referee.formats.vassal.command_types import Boards
    from referee.formats.vassal.course import MapChart
    from referee.rulebooks.base import Rulebook


def board_of(rulebook: Rulebook) -> MapBounds:
    """The map that the game's own option says (`map=0101-2817`)."""
    span = rulebook.option("map") if "map" in rulebook.options else ""
    return MapBounds(corners(span)) if span else NO_BOARD


def board_in(chart: MapChart, boards: Mapping[str, Boards], maps: Iterable[str]) -> MapBounds:
    """The map that a module's boards make, of those counters lie on; none where no module names its hexes."""
    names = {hex: name for map in dict.fromkeys(maps) for hex, name in chart.hexes(map, boards).items()}
    if not names:
        return NO_BOARD
    columns, rows = [hex.column for hex in names], [hex.row for hex in names]
    edges = Hex(min(columns), min(rows)), Hex(max(columns), max(rows))
    return MapBounds(edges, {hex: name for hex, name in names.items() if name != str(hex)})
