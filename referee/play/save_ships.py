"""The ships of a save that is written: what each is by the rules, and its form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import folded, names_like
from referee.formats.vassal.recognise import recognise
from referee.rulebooks.registry import load_ship
from referee.sources.saves import labels_of, map_of, with_map
from referee.sources.settings import rulebook_in_force
from referee.sources.ships import Reading, ships_in_save, why_left_out

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm
    from referee.core.ship import ShipClass
    from referee.formats.modulemap import ModuleMap
    from referee.formats.sheets.labels import LabelIndex
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.sources.asked import Asked


@frozen
class Afloat:
    """A ship of a save: what it is by the rules, its rulebook, and its form."""

    ship: ShipOnTable
    chosen: ShipClass
    rulebook: Any
    form: EnergyForm | None


@frozen
class SaveBeingWritten:
    """The ships of a save that is written, and what it is read with."""

    save: Save
    asked: Asked
    module_map: ModuleMap | None
    labels: LabelIndex
    ships: tuple[Afloat, ...]
    unknown: tuple[str, ...]

    def ship(self, name: str) -> Afloat:
        """A ship by name. Raises BadInput, with the names there are."""
        for ship in self.ships:
            if folded(ship.ship.name) == folded(name):
                return ship
        why = next((reason for reason in self.unknown if folded(reason).startswith(folded(name))), "")
        hint = names_like(name[:60], (ship.ship.name for ship in self.ships))
        raise BadInput(why or f"no ship {name[:60]} in it", file=self.save.file, hint=hint)


def table_in(save: Save, asked: Asked, classes: Mapping[str, str] | None = None) -> SaveBeingWritten:
    """The ships of a save, with their forms; `classes` tells those that the save itself does not tell."""
    module_map = map_of(asked)
    asked = with_map(asked, module_map)
    reading = Reading(save, asked, module_map, None)
    ships: list[Afloat] = []
    unknown: list[str] = []
    for read in ships_in_save(reading, recognise(save, None, module_map).ships):
        chosen = read.chosen
        if chosen is None and (wanted := (classes or {}).get(folded(read.ship.name))):
            chosen = load_ship(wanted)
        if chosen is None:
            unknown.append(why_left_out(read, module_map))
        else:
            rulebook = rulebook_in_force(
                asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True
            )
            ships.append(Afloat(read.ship, chosen, rulebook, read.form))
    return SaveBeingWritten(
        save, asked, module_map, labels_of(asked, module_map), tuple(ships), tuple(unknown)
    )
