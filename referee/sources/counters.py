"""What a counter on the map is, by its names: a ship, a seeker, or something else."""

from __future__ import annotations

from referee.core.once import pattern
from referee.formats.modulemap import ModuleMap
from referee.formats.vassal.recognise import ShipOnTable

_PLASMA = pattern(r"(?i)plasma|(?<![a-z])pl-?[a-z]/")
_DRONE = pattern(r"(?i)drone|missile|(?<![a-z])drn/")
_SEEKER = pattern(r"(?i)seeker|torpedo")
_NO_SHIP = pattern(r"(?i)shuttle|fighter|mine|probe|planet|asteroid")


def seeker_kind(name: str) -> str:
    """What kind of seeker a counter is by its name, `seeker` where that alone is told: a module's `Drone 3`, a
    record's `Harrow DRN/1 t2`; nothing for another."""
    if _PLASMA.search(name):
        return "plasma"
    return "drone" if _DRONE.search(name) else "seeker" if _SEEKER.search(name) else ""


def is_seeker(ship: ShipOnTable, module_map: ModuleMap | None) -> bool:
    """Is a counter a seeker: by the map, else by its name?"""
    if module_map and module_map.seeker and ship.counter:
        return module_map.seeker.fits(ship.counter)
    return bool(seeker_kind(ship.name))


def is_no_ship(ship: ShipOnTable, module_map: ModuleMap | None = None) -> bool:
    """Is a counter called after something else than a ship, or a seeker by the map?"""
    if module_map and module_map.seeker and ship.counter and module_map.seeker.fits(ship.counter):
        return True
    return any(_NO_SHIP.search(hint) or seeker_kind(hint) for hint in ship.hints)
