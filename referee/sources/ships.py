"""A VASSAL file a game is taken from, as it is read: its ships' classes, sides and boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from referee.core.frozen import frozen

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.recognise import ShipOnTable
    from referee.sources.asked import Asked


@frozen
class Reading:
    """A file being read: what it is read with."""

    save: Save
    asked: Asked
    module_map: ModuleMap | None
    module: Module | None


@frozen
class ShipRead:
    """A ship of a file, its form, and the classes it may be. One may be `no_ship` known here, or a copy of a ship's
    counter: then `copy` says of which."""

    ship: ShipOnTable
    form: EnergyForm | None
    classes: tuple[ShipClass, ...] = ()
    no_ship: bool = False
    copy: str = ""

    @property
    def chosen(self) -> ShipClass | None:
        """Its class, where that can be told."""
        return self.classes[0] if len(self.classes) == 1 else None

    @property
    def alone(self) -> bool:
        """Is it a counter without form and display?"""
        return self.form is None and self.ship.ssd is None


def ship_read(reading: Reading, ship: ShipOnTable, form: EnergyForm | None) -> ShipRead:
    """A ship of a file with the classes it may be."""
    from referee.sources.counters import is_no_ship
    from referee.sources.saves import classes_of

    listed = reading.module_map.class_of(ship.counter) if reading.module_map else ""
    if form is None and ship.ssd is None and not listed and is_no_ship(ship, reading.module_map):
        return ShipRead(ship, form, no_ship=True)
    return ShipRead(ship, form, classes_of(ship, form, reading.save, reading.asked, reading.module_map))


def why_left_out(read: ShipRead, module_map: ModuleMap | None) -> str:
    """Why a ship of a file is none of its game; nothing where it is."""
    from referee.sources.counters import is_seeker

    name, classes = read.ship.name, read.classes
    if read.copy:
        return f"{name}: {read.copy}"
    if read.no_ship:
        seeker = is_seeker(read.ship, module_map)
        return stray_seeker(name) if seeker else f"{name}: not a ship, or none known here"
    if read.chosen is not None:
        return ""
    choices = f": it may be {', '.join(found.id for found in classes[:6])}" if classes else ""
    hint = f'--ship "{name}={classes[0].id if classes else "CLASS"}"'
    return f"{name}: its class is not known{choices} ({hint})"


def stray_seeker(name: str) -> str:
    """What is said of a seeker on the map that no launch is known of."""
    return f"{name}: a seeker on the map: which ship launched it, and at whom, is not known"


def say_where(left: dict[str, None], name: str, where: str) -> None:
    """Says of a seeker that is left out where it is."""
    sentence = stray_seeker(name)
    if sentence in left and where:
        sentences = [
            (text.replace("a seeker on the map", where) if text == sentence else text) for text in left
        ]
        left.clear()
        left.update(dict.fromkeys(sentences))


def sides_of(ship: ShipOnTable, chosen: ShipClass) -> tuple[str, ...]:
    """What the side of a ship may be called: by the map, else its race and the markers it bears."""
    return (ship.side,) if ship.side else tuple(dict.fromkeys((chosen.race, *ship.hints)))


def display_of(
    ship: ShipOnTable, chosen: ShipClass, labels: Any, used: Mapping[str, int] = MappingProxyType({})
) -> ShipState | None:
    """What a ship's display shows of it; None where it shows neither boxes nor shields."""
    from referee.sources.ssd_display import seen_state

    if not ship.boxes_left and not ship.shields:
        return None
    shields = {
        number: _as_printed(chosen.shields.get(number, 0), left, most)
        for number, (left, most) in ship.shields.items()
        if number in chosen.shields
    }
    return seen_state(chosen, ship.boxes_left, shields, labels, used).state


def _as_printed(printed: int, left: int, most: int | None) -> tuple[int, int | None]:
    """A shield's boxes left: as many are gone of those known here as of those the display has."""
    lost = -left if left < 0 else max(0, (most if most is not None else printed) - left)
    return max(0, printed - lost), most


def unread(ship: ShipOnTable, chosen: ShipClass, labels: Any) -> Iterator[str]:
    """What of a ship's display does not fit the ship known here."""
    from referee.sources.ssd_display import seen_state

    seen = seen_state(chosen, ship.boxes_left, ship.shields, labels)
    for label in seen.not_understood:
        left, most = ship.boxes_left[label]
        if left < 0 or (most is not None and left < most):
            yield f"{ship.name}: damage to {label}: no box of the ship known here"
    for label, lost, of, taken in seen.unsure:
        yield f"{ship.name}: which {lost} of its {of} {label} are lost: {', '.join(taken)} taken"
    other = [(label, shown, printed) for label, shown, printed in seen.disagree]
    other += [
        (f"shield {number}", most, chosen.shields[number])
        for number, (_, most) in sorted(ship.shields.items())
        if most is not None and most != chosen.shields.get(number, most)
    ]
    if other:
        others = ", ".join(f"{shown} of {label} (here {printed})" for label, shown, printed in other)
        yield f"{ship.name}: boxes that the ship known here does not have, or has more of: {others}"


def ships_in_save(reading: Reading, ships: Iterable[ShipOnTable]) -> tuple[ShipRead, ...]:
    """The ships of a save with their forms and the classes they may be, named apart. Raises BadInput where the player
    names one that is not there."""
    from referee.formats.eaform import form_on
    from referee.formats.vassal.fleet import named_apart
    from referee.sources.saves import hold_names, labels_of

    there = named_apart(ships)
    hold_names(reading.asked, there, reading.save.file)
    labels = labels_of(reading.asked, reading.module_map)
    forms = (form_on(ship.table, labels) if ship.table is not None else None for ship in there)
    return tuple(ship_read(reading, ship, form) for ship, form in zip(there, forms, strict=True))
