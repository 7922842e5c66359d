"""Whom a ship may fire and launch at: units of the other side (D1.0) that are on the map; and which shield direct fire
strikes, whatever was said (E1.4)."""

from __future__ import annotations

from referee.core.combat import Declaration, Shot
from referee.core.finding import About, Finding, NotChecked, Severity
from referee.core.scenario import off_map
from referee.rulebooks.base import Rulebook, check, resolves
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
    span = aim.rulebook.option("map")
    for unit in (aim.shot.firer, aim.shot.target) if span else ():
        if off_map(span, unit.hex):
            yield aim.error(f"{unit.name} has left the map", found=str(unit.hex))


def _opposed(aim: Aim, does: str) -> Findings:
    firer, target = aim.shot.firer, aim.shot.target
    if firer.name and firer.name == target.name:
        yield aim.error(f"{firer.name} {does} at itself", fix="name another target")
    elif firer.side and firer.side == target.side:
        yield aim.error(
            f"{firer.name} {does} at {target.name}, of its own side",
            expected="a target of another side",
            found=f"one of side {target.side}",
            fix="name another target",
        )
    elif bool(firer.side) != bool(target.side):
        yield aim.unknown(f"whose {target.name if firer.side else firer.name} is, is not known")


# -- which shield is struck --------------------------------------------------------------

STRUCK = "E1.4"


@resolves(STRUCK, "Nothing turns fire aside", on="struck")
def strikes_facing_shield(shot: Shot) -> tuple[int, ...]:
    """Direct fire cannot be diverted: it strikes the shield that faces the firer, and only shields take of
    it. On the corner of two shields either may be struck; where a third is named, against the rule, it is
    the lower numbered of the two.

    Legal: fire from hex row A on shield 1. Illegal: the same on shield 4.
    """
    facing = shot.facing_shields
    if shot.shield is None:
        return facing
    return facing[:1] if facing and shot.shield not in facing else (shot.shield,)


def shields_astray(rulebook: Rulebook, declaration: Declaration) -> tuple[Finding, ...]:
    """Findings on shots said to strike a shield that does not face the firer, one for each said (E1.4); none
    where the line of fire is not known."""
    findings: dict[tuple[object, ...], Finding] = {}
    for shot in declaration.shots if rulebook.rules_on("struck") else ():
        facing = shot.facing_shields if shot.target.kind == "ship" else ()
        if shot.shield is None or not facing or shot.shield in facing:
            continue
        either = " or ".join(map(str, facing))
        finding = About(shot.firer.name, shot.turn, shot.impulse, shot.place).finding(
            STRUCK,
            Severity.ERROR,
            f"fire at {shot.target.name} strikes shield {either}, said to strike {shot.shield}",
            expected=either,
            found=str(shot.shield),
            fix="the shield that faces the firer is struck",
        )
        findings.setdefault((shot.firer.name, shot.target.name, shot.place, shot.shield), finding)
    return tuple(findings.values())


def shields_untold(rulebook: Rulebook, declaration: Declaration) -> tuple[NotChecked, ...]:
    """What is not known of fire along the corner of two shields, or in the hex of a ship into which neither of the
    two moved, where it is not given which shield is struck (E1.4)."""
    unknown: dict[NotChecked, None] = {}
    for shot in declaration.shots if rulebook.rules_on("struck") else ():
        facing = shot.facing_shields if shot.target.kind == "ship" else ()
        if shot.shield is not None or shot.target.kind != "ship":
            continue
        if len(facing) > 1:
            either = " or ".join(map(str, facing))
            reason = (
                f"it strikes {shot.target.name} on the corner of shields {either}, and which is not given"
            )
        elif not facing and shot.hexes == 0:
            reason = f"it is fired in the hex of {shot.target.name}, and which shield it strikes is not given"
        else:
            continue
        unknown[NotChecked(STRUCK, reason, f"{shot.firer.name} {shot.weapon}")] = None
    return tuple(unknown)
