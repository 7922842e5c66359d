"""The ships of a save that is written: what each is by the rules, and its form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import folded, names_like

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
    book: Any
    form: EnergyForm | None


@frozen
class SaveBeingWritten:
    """The ships of a save that is written, and what it is read with."""

    save: Save
    asked: Asked
    says: ModuleMap | None
    labels: LabelIndex
    ships: tuple[Afloat, ...]
    unknown: tuple[str, ...]

    def ship(self, name: str) -> Afloat:
        """A ship by name. Raises BadInput, with the names there are."""
        for one in self.ships:
            if folded(one.ship.name) == folded(name):
                return one
        why = next((told for told in self.unknown if folded(told).startswith(folded(name))), "")
        hint = names_like(name[:60], (one.ship.name for one in self.ships))
        raise BadInput(why or f"no ship {name[:60]} in it", file=self.save.file, hint=hint)


def table_in(save: Save, asked: Asked, classes: Mapping[str, str] | None = None) -> SaveBeingWritten:
    """The ships of a save, with their forms; `classes` tells those that the save itself does not tell."""
    from referee.formats.vassal.recognise import recognise
    from referee.rulebooks.registry import load_ship
    from referee.sources.saves import labels_of, map_of, with_map
    from referee.sources.settings import rulebook_in_force
    from referee.sources.ships import Reading, ships_in_save, why_left_out

    says = map_of(asked)
    asked = with_map(asked, says)
    reading = Reading(save, asked, says, None)
    ships: list[Afloat] = []
    unknown: list[str] = []
    for read in ships_in_save(reading, recognise(save, None, says).ships):
        chosen = read.chosen
        if chosen is None and (told := (classes or {}).get(folded(read.ship.name))):
            chosen = load_ship(told)
        if chosen is None:
            unknown.append(why_left_out(read, says))
        else:
            book = rulebook_in_force(asked.settings.rulebook or chosen.rulebook, asked.settings, lenient=True)
            ships.append(Afloat(read.ship, chosen, book, read.form))
    return SaveBeingWritten(save, asked, says, labels_of(asked, says), tuple(ships), tuple(unknown))
