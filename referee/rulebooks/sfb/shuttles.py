"""Shuttles and fighters: what they fire, and wild weasels (E2.1, B3.0 line 19)."""

from __future__ import annotations

from referee.core.energy import show_energy
from referee.core.finding import Severity
from referee.rulebooks.base import check
from referee.rulebooks.sfb.sensors import Aim, Findings


@check("E2.1/craft", "Phasers of shuttles and fighters", on="shot", passes="plain")
def craft_fires(aim: Aim) -> Findings:
    """An administrative shuttle fires its phaser-3 once a turn and a fighter all shots of its phaser-G,
    both without energy from a ship; a crippled fighter does not have them all.

    Legal: a shuttle's one shot. Illegal: a photon fired by a shuttle. Not decided: a crippled fighter's shots.
    """
    kind = aim.shot.firer.kind
    if kind not in ("shuttle", "fighter"):
        return
    own = {"shuttle": ("admin-shuttle", "phaser-3"), "fighter": ("phaser-g",)}[kind]
    if aim.shot.type not in own:
        yield aim.error(f"a {kind} has no {aim.shot.type}", expected=" or ".join(own), found=aim.shot.type)
    elif kind == "fighter" and aim.shot.firer.crippled:
        yield aim.finding(Severity.UNDECIDED, "the sources do not say what a crippled fighter may fire")


@check("B3.0-19/weasel", "Wild weasels need a slow ship", on="launch", rests_on=("form",))
def weasel_of_a_slow_ship(aim: Aim) -> Findings:
    """A wild weasel draws off seeking weapons only while the ship that launches it moves at speed 4 or
    less. What else it needs, the sources do not say.

    Legal: launched at speed 4. Illegal: launched at speed 5. Fix: slow down first.
    """
    limit = aim.weapon.get("ship_speed_at_most")
    if limit is None:
        return
    speed = aim.shot.firer.state.speed if aim.shot.firer.state else None
    if speed is None:
        yield aim.unknown("the speed of the ship is not known")
    elif speed > limit:
        yield aim.error(
            f"{aim.weapon['name']} at speed {show_energy(speed)}",
            expected=f"≤ {limit}",
            found=show_energy(speed),
            fix=f"slow down to {limit} first",
            data_status=aim.data_status,
        )
