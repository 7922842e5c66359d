"""The energy that weapons draw on as they fire: phasers on capacitor and batteries (E2.21, B3.0-21), photons on turns of
arming (E4.2)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from referee.core.combat import Moment
from referee.core.energy import parse_energy, show_energy
from referee.core.finding import Severity
from referee.core.naming import how_many
from referee.rulebooks.base import check
from referee.rulebooks.sfb.direct_fire import DeclaredShots, capacitor
from referee.rulebooks.sfb.sensors import Aim, Findings, when


def charged(aim: Aim) -> Fraction:
    """The points that charged batteries can add to a ship's capacitor, by the declaration or its state."""
    name, state = aim.shot.firer.name, aim.shot.firer.state
    if name in dict(aim.step.capacitors):
        return dict(aim.step.batteries).get(name, Fraction(0))
    return (state.batteries if state else None) or Fraction(0)


@check("E2.21", "As many phasers as there is energy for", on="step", passes="plain")
def phasers_within_energy(step: DeclaredShots) -> Findings:
    """A ship fires as many phasers on an impulse as it likes, if its capacitor holds energy for them all.
    Charged batteries may add to it in the turn (B3.0-21): an order or line 21, Batteries Used In Turn,
    states it; where neither does, it is assumed and noted.

    Legal: three phaser-1 with 3 points, or with 2 and a charged battery. Illegal: three with 2 points alone.
    """
    held: dict[str, Fraction] = {}
    used: dict[str, Fraction] = {}
    over: dict[str, list[str]] = {}
    first: dict[str, Aim] = {}
    for aim in step.aims:
        name, energy = aim.shot.firer.name, aim.weapon.get("energy")
        if aim.weapon.get("system") != "phaser" or aim.shot.firer.kind != "ship" or not energy:
            continue
        points = parse_energy(energy)
        used[name] = used[name] + points if name in used else points
        if (charge := capacitor(aim)) is not None:
            held[name] = charge
            if used[name] > charge:
                first.setdefault(name, aim)
                over.setdefault(name, []).append(aim.shot.weapon)
    for name, aim in first.items():
        there, wanted = show_energy(held[name]), show_energy(used[name])
        message = f"phasers for {how_many(wanted, 'point')} with {there} in the capacitor"
        if (short := used[name] - held[name]) <= charged(aim):
            lent = show_energy(short)
            remark = f"{message}: {lent} of battery power is counted as used in the turn"
            fix = f"say `battery {lent} for {', '.join(over[name])}`, or write {lent} on line 21 Batteries Used In Turn"
            yield replace(aim.finding(Severity.NOTE, remark, fix=fix), subject=name)
            continue
        more = charged(aim)
        cure = f"; charged batteries can add {show_energy(more)}" if more else ""
        against = aim.error(message, expected=f"≤ {there}", found=wanted, fix=f"fire fewer phasers{cure}")
        yield replace(against, subject=name)


@check("E4.21/again", "Arming a photon again", on="shot", passes="plain")
def armed_anew(aim: Aim) -> Findings:
    """A photon tube takes two turns to arm once it has fired: it fires in the turn after the next at the
    earliest, whatever was paid for it.

    Legal: PHOT/A in turns 2 and 4. Illegal: PHOT/A in turns 1 and 2. Fix: fire another tube.
    """
    arming = aim.weapon.get("arming") or {}
    last, turn = aim.shot.last_fired, aim.shot.turn
    if arming.get("kind") != "photon" or not isinstance(last, Moment) or turn is None:
        return
    first = last.turn + len(arming["steps"])
    if last.turn < turn < first:
        yield aim.error(
            f"it fired on {when(last)}, and takes {how_many(len(arming['steps']), 'turn')} to arm",
            expected=f"turn {first} or later",
            found=f"turn {turn}",
            fix=f"wait for turn {first}",
        )
