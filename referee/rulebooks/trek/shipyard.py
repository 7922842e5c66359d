"""The ships of this folder, and an owner's ships, crews and charts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def fleet_json(rulebook: Rulebook) -> Mapping[str, Mapping[str, Any]]:
    """The packaged ships' JSON by id."""
    return {id: rulebook.table(FLEET.format(id)) for id in rulebook.descriptor["ships"]}


class Fleet(Mapping[str, TrekShip]):
    """The packaged ships by id, each read when it is asked for, with an owner's in front."""

    def __init__(self, rulebook: Rulebook, charts: Charts, own: Mapping[str, TrekShip]) -> None:
        self._rulebook, self._charts, self._own = rulebook, charts, own
        self._read: dict[str, TrekShip] = {}

    def __getitem__(self, id: str) -> TrekShip:
        if id in self._own:
            return self._own[id]
        if id not in self._read:
            if id not in self._rulebook.descriptor["ships"]:
                raise KeyError(id)
            self._read[id] = ship_from_json(self._rulebook.table(FLEET.format(id)), self._charts.stress)
        return self._read[id]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._rulebook.descriptor["ships"], *self._own)))

    def __len__(self) -> int:
        return len(set(self._rulebook.descriptor["ships"]) | set(self._own))


@dataclass(frozen=True)
class Library:
    """Ships, crews and charts at hand: the packaged ones, with the owner's in front."""

    charts: Charts
    ships: Mapping[str, TrekShip]
    crews: Mapping[str, Crew] = field(default_factory=dict)


def library(rulebook: Rulebook, owned: Iterable[tuple[str, Mapping[str, Any]]] = ()) -> Library:
    """What is at hand, with an owner's documents (file name and JSON that fits its schema)."""
    documents = list(owned)
    charts = charts_of(rulebook)
    for _, data in documents:
        if data["schema"] == CHART_SCHEMA:
            charts = with_owners(charts, data)
    ships: dict[str, TrekShip] = {}
    crews: dict[str, Crew] = {}
    for file, data in documents:
        if data["schema"] == SHIP_SCHEMA:
            ship = ship_from_json(data, charts.stress, file)
            ships[ship.id] = ship
        elif data["schema"] == CREW_SCHEMA:
            crews[data["id"]] = crew_from_json(data, charts, file)
        elif data["schema"] != CHART_SCHEMA:
            raise BadInput("is no ship, crew or chart file of the Trek rules", file=file)
    return Library(charts, Fleet(rulebook, charts, ships), crews)
