"""Whom a ship may fire and launch at: units of the other side (D1.0) that are on the map."""

from __future__ import annotations

from referee.core.scenario import off_map
from referee.rulebooks.base import check
from referee.rulebooks.sfb.sensors import Aim, Findings


@check("D1.0", "Fire is at the other side", on="shot", passes="plain")
def fire_at_the_other_side(aim: Aim) -> Findings:
    """Combat is fire at the units of the opposing players: no ship fires at itself, nor at a unit of its own
    side. Where nobody says whose the units are, every ship is taken to be on a side of its own.

    Legal: fire at a ship of another player. Illegal: fire at itself, or at a drone of its own.
    Fix: name another target.
    """
    yield from _opposed(aim, "fires")


@check("D1.0/launch", "Seekers go after the other side", on="launch")
def launch_at_the_other_side(aim: Aim) -> Findings:
    """A seeking weapon is launched at a unit of an opposing player, as other weapons are fired at one.

    Legal: a drone at a ship of another player. Illegal: a drone at the ship that launches it.
    Fix: name another target.
    """
    yield from _opposed(aim, "launches")


@check("MAP/fire", "No fire over the edge of the map", on="shot", passes="plain")
def fire_on_the_map(aim: Aim) -> Findings:
    """In a game on a map (option `map`) a ship that has left it neither fires nor is fired at: it has
    disengaged and takes no more damage.

    Legal: fire at a ship in a hex of the map's edge. Illegal: fire at one beyond it. Fix: choose another
    target.
    """
    yield from _on_the_map(aim)


@check("MAP/launch", "No launch over the edge of the map", on="launch")
def launch_on_the_map(aim: Aim) -> Findings:
    """In a game on a map (option `map`) a ship that has left it launches nothing, and nothing is launched
    at it.

    Legal: a drone at a ship on the map. Illegal: a drone at one that has left it. Fix: choose another target.
    """
    yield from _on_the_map(aim)


def _on_the_map(aim: Aim) -> Findings:
    for unit in (aim.shot.firer, aim.shot.target):
        if off_map(aim.rulebook.option("map"), unit.hex):
            yield aim.error(f"{unit.name} has left the map", found=str(unit.hex))


def _opposed(aim: Aim, does: str) -> Findings:
    firer, target = aim.shot.firer, aim.shot.target
    if firer.name and firer.name == target.name:
        yield aim.error(f"{firer.name} {does} at itself", fix="name another target")
    elif firer.side and firer.side == target.side:
        yield aim.error(
            f"{firer.name} {does} at {target.name}, of its own side",
            found=target.side,
            fix="name another target",
        )
    elif bool(firer.side) != bool(target.side):
        yield aim.unknown(f"whose {target.name if firer.side else firer.name} is, is not known")
