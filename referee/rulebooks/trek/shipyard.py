"""The ships of this folder, and an owner's ships, crews and charts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.core.errors import BadInput
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek.charts import Charts, charts_of, with_owners
from referee.rulebooks.trek.combatfile import crew_from_json
from referee.rulebooks.trek.ships import TrekShip, ship_from_json
from referee.rulebooks.trek.state import Crew

FLEET = "../fleet/{}"
"""Where the packaged ships stand beside the tables: what loads a table loads them too."""
SHIP_SCHEMA, CREW_SCHEMA, CHART_SCHEMA = "referee/trek-ship/1", "referee/trek-crew/1", "referee/trek-charts/1"


def fleet_json(book: Rulebook) -> Mapping[str, Mapping[str, Any]]:
    """The packaged ships' JSON by id."""
    return {id: book.table(FLEET.format(id)) for id in book.descriptor["ships"]}


@dataclass(frozen=True)
class Library:
    """Ships, crews and charts at hand: the packaged ones, with the owner's in front."""

    charts: Charts
    ships: Mapping[str, TrekShip]
    crews: Mapping[str, Crew] = field(default_factory=dict)


def library(book: Rulebook, owned: Iterable[tuple[str, Mapping[str, Any]]] = ()) -> Library:
    """What is at hand, with an owner's documents (file name and JSON that fits its schema)."""
    documents = list(owned)
    charts = charts_of(book)
    for _, data in documents:
        if data["schema"] == CHART_SCHEMA:
            charts = with_owners(charts, data)
    ships = {id: ship_from_json(data, charts.stress) for id, data in fleet_json(book).items()}
    crews: dict[str, Crew] = {}
    for file, data in documents:
        if data["schema"] == SHIP_SCHEMA:
            ship = ship_from_json(data, charts.stress, file)
            ships[ship.id] = ship
        elif data["schema"] == CREW_SCHEMA:
            crews[data["id"]] = crew_from_json(data, charts, file)
        elif data["schema"] != CHART_SCHEMA:
            raise BadInput("is no ship, crew or chart file of the Trek rules", file=file)
    return Library(charts, ships, crews)
