"""Whom a ship may fire and launch at (D1.0)."""

from __future__ import annotations

from referee.rulebooks.base import check
from referee.rulebooks.sfb.sensors import Aim, Findings


@check("D1.0", "Fire is at the other side", on="shot")
def fire_at_the_other_side(aim: Aim) -> Findings:
    """Combat is fire at the units of the opposing players: no ship fires at itself, nor at a unit of its own
    side. Where nobody says whose the units are, every ship is taken to be on a side of its own.

    Legal: fire at a ship of another player. Illegal: fire at itself, or at a drone of its own.
    Mend: name another target.
    """
    yield from _opposed(aim, "fires")


@check("D1.0/launch", "Seekers go after the other side", on="launch")
def launch_at_the_other_side(aim: Aim) -> Findings:
    """A seeking weapon is launched at a unit of an opposing player, as other weapons are fired at one.

    Legal: a drone at a ship of another player. Illegal: a drone at the ship that launches it.
    Mend: name another target.
    """
    yield from _opposed(aim, "launches")


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
