"""Section 6.4 and 6.5: which weapons may fire at whom, and shields, messages and the transporter."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.facts import Declared, Findings, Use
from referee.rulebooks.trek.geometry import shadow, shields_towards
from referee.rulebooks.trek.parts import named, weapons_of
from referee.rulebooks.trek.quantities import D100, OptionValue, Skill, Some, Within
from referee.rulebooks.trek.state import Vessel


def _at_power(use: Use) -> str:
    """A weapon and the power said for it."""
    return f"{use.id} without a power" if use.power is None else f"{use.id} at power {use.power}"


@check("trek-34", "A weapon once a turn", on="action")
def weapon_once_a_turn(act: Declared) -> Findings:
    """Any number of weapons fire in one action, each at most once a turn.

    Legal: two beams in round 1, the torpedo in round 3. Illegal: the torpedo in rounds 1 and 3.
    Fix: fire it next turn.
    """
    seen: set[str] = set()
    for use in act.uses:
        if use.weapon is None:
            reason = f"{act.vessel.name} has no weapon {use.id}"
            yield act.tell.error(reason, expected=named(weapons_of(act.ship)))
        elif use.id in act.vessel.fired or use.id in seen:
            yield act.tell.error(
                f"{use.id} fires twice in a turn", expected="1", found="2", fix="fire it next turn"
            )
        seen.add(use.id)


@check("trek-35", "Power of a weapon", on="action")
def weapon_power(act: Declared) -> Findings:
    """A beam takes one point to its maximum. A missile, an accelerator cannon among them, takes what
    arms it; plasma that, or half for half the damage.

    Legal: 6 points in a beam of 6; plasma at half. Illegal: 7 points; a torpedo at half. Fix: less power.
    """
    for use in act.uses:
        weapon = use.weapon
        if weapon is None:
            continue
        if weapon.kind == "beam" and not (use.power and 1 <= use.power <= weapon.max_power):
            yield act.tell.error(
                _at_power(use), expected=f"1 to {weapon.max_power}", found=str(use.power or "none")
            )
        if use.half and weapon.kind != "plasma":
            yield act.tell.error(f"{use.id} at half strength: only plasma does that")
        if weapon.kind in ("missile", "plasma") and use.power not in (None, weapon.power_to_arm):
            yield act.tell.error(
                _at_power(use), expected=str(weapon.power_to_arm), found=str(use.power or "none")
            )


@resolves("trek-36", "Lasers", on="shot")
def laser_shots(
    charts: Charts,
    maximum: Some,
    power: Annotated[Some, Within("maximum", "laser_times")],
    reading: Annotated[str, OptionValue("laser_power")] = "total",
) -> list[int]:
    """A laser up to its maximum fires one shot; with more power, up to twice that, two shots of half.

    Legal: maximum 2, power 4: two shots of 2. Illegal: one shot of 4. Fix: halve it; of odd power
    the first shot is the smaller.
    """
    if power <= maximum:
        return [power]
    shared = power if reading == "total" else power - maximum
    return [shared // 2, shared - shared // 2]


@check("trek-36/most", "Most power of a laser", on="action")
def laser_most(act: Declared) -> Findings:
    """A laser takes up to twice its maximum.

    Legal: 4 points in a laser of 2. Illegal: 5. Fix: 4.
    """
    times = act.charts.n("laser_times")
    for use in act.uses:
        if use.weapon is None or use.weapon.kind != "laser":
            continue
        most = use.weapon.max_power * times
        if not (use.power and 1 <= use.power <= most):
            yield act.tell.error(_at_power(use), expected=f"1 to {most}", found=str(use.power or "none"))


@check("trek-37", "A bank has one target", on="action")
def one_target_a_bank(act: Declared) -> Findings:
    """Weapons of a bank that fire together fire at one target.

    Legal: both beams of bank A at Shade. Illegal: one at Shade, one at Dusk. Fix: fire them in
    different actions, or at one ship.
    """
    targets: dict[str, set[str]] = defaultdict(set)
    for use in act.uses:
        if use.weapon and use.weapon.bank:
            targets[use.weapon.bank].add(use.at)
    for bank, names in targets.items():
        if len(names) > 1:
            yield act.tell.error(f"bank {bank} fires at {' and '.join(sorted(names))}", expected="one target")


def may_be_seen(act: Declared, target: Vessel) -> bool:
    """Is it known where a target is: in the open, or by a lock of its own, or a relayed one (trek-28)?

    Of a ship that is not, no answer may depend on where it is: the refusal (trek-40) is all there is to say.
    """
    if not target.cloaked or act.vessel.lock == target.name:
        return True
    return act.rulebook.allows("relayed_fire") and any(
        vessel.side == act.vessel.side for vessel in act.state.lockers(target.name)
    )


def bears(act: Declared, use: Use) -> bool | None:
    """Does a weapon bear on its target? None if it, its arcs or the target are not known."""
    target = act.other(use.at)
    if target is None or use.weapon is None or not use.weapon.arcs:
        return None
    facing = set(shields_towards(act.vessel.hex, act.vessel.facing, target.hex))
    return bool(facing & {shield for arc in use.weapon.arcs for shield in act.charts.arcs.get(arc, ())})


@check("trek-38", "Arc and range", on="action")
def arc_and_range(act: Declared) -> Findings:
    """The target is another ship in the weapon's arc, at a range its firing chart has.

    Legal: a forward torpedo at a ship ahead, at 4. Illegal: at a ship astern, or at 13 on a chart to 12.
    Fix: turn, or come closer.
    """
    for use in act.uses if act.kind == "fire" else ():
        target = act.other(use.at)
        if target is None or target.name == act.vessel.name:
            yield act.tell.error(f"no target {use.at}")
            continue
        if use.weapon is None or use.weapon.firing_chart not in act.charts.to_hit:
            continue
        if not may_be_seen(act, target):
            continue
        if bears(act, use) is False:
            yield act.tell.error(
                f"{use.id} does not bear on {use.at}", expected=" ".join(use.weapon.arcs), fix="turn the ship"
            )
        longest = len(act.charts.to_hit.get(use.weapon.firing_chart, ()))
        range = act.seen_from(target.hex)
        if not 1 <= range <= longest:
            yield act.tell.error(f"{use.id} at range {range}", expected=f"1 to {longest}", found=str(range))


@check("trek-39", "No fire into sensor shadow", on="action")
def fire_in_shadow(act: Declared) -> Findings:
    """A ship in sensor shadow is no target.

    Legal: fire past an asteroid beside the line. Illegal: through it. Fix: move until the line is clear.
    """
    for name in sorted({use.at for use in act.uses}):
        target = act.other(name)
        if target is None or not may_be_seen(act, target):
            continue
        seen = shadow(act.vessel.hex, target.hex, act.state.obstacles)
        if seen == "shadow":
            yield act.tell.error(f"{name} is in sensor shadow", fix="move until nothing lies between")
        elif seen == "edge":
            yield act.tell.undecided(f"the line to {name} runs along the edge of an obstacle")


@check("trek-40", "No fire at a cloaked ship without a lock", on="action")
def fire_needs_lock(act: Declared) -> Findings:
    """A cloaked ship is a target only for a ship with a lock of its own, even where its place is known.

    Legal: fire with a lock. Illegal: fire at where a friend says it is. Fix: obtain a lock.
    """
    for name in sorted({use.at for use in act.uses}):
        target = act.other(name)
        if target and not may_be_seen(act, target):
            yield act.tell.error(f"{name} is cloaked, and there is no lock on it", fix="obtain a lock")


@resolves("trek-41", "Shields up or down", on="shot")
def shield_can_absorb(charts: Charts, raised: bool, works: bool, cloaked: bool = False) -> bool:
    """Only raised shields that work absorb; messages pass either way.

    Legal: a raised shield absorbs. Illegal: a lowered one does. Fix: raise shields first.
    """
    return raised and works and not cloaked


@resolves("trek-42", "Communications", on="told")
def message_passes(charts: Charts, jammed: bool, skill: Skill, roll: D100 | None) -> bool:
    """A message passes; while an opponent jams, a Communications roll is needed. Jamming is this action.

    Legal: jammed, skill 40, roll 12: it passes. Illegal: it passes on a 60. Fix: try next round.
    """
    return not jammed or (roll is not None and roll <= skill)


@check("trek-42/down", "Communications that work", on="action")
def communications_work(act: Declared) -> Findings:
    """A ship whose communications are shaken sends and blocks nothing until they are repaired.

    Legal: a message with communications working. Illegal: while they are out. Fix: repair them.
    """
    if act.kind == "communicate" and act.vessel.down("communications"):
        yield act.tell.error("communications are out", fix="repair them")


@check("trek-43", "Transporter", on="action")
def transporter(act: Declared) -> Findings:
    """The transporter works with the ship's own shields down, and costs the Movement Point Ratio.

    Legal: shields down, 3 points at 3/1. Illegal: shields up. Fix: lower them first.
    """
    if act.kind == "transport" and act.vessel.raised:
        yield act.tell.error("transports through raised shields", fix="lower the shields first")


@check("trek-43/target", "Transport to and from a ship", on="action")
def transporter_target(act: Declared) -> Findings:
    """Nobody is beamed through the raised shields of the ship at the other end either.

    Legal: to a ship with its shields down. Illegal: to or from one whose shields are up. Fix: have them
    lowered first.
    """
    for way in ("to", "from") if act.kind == "transport" else ():
        name = str(act.detail(way))
        target = act.other(name)
        if name and name == act.vessel.name:
            yield act.tell.error(f"transports {way} {name} itself", fix="name the other end")
        elif target is not None and target.raised:
            yield act.tell.error(
                f"transports {way} {name}, whose shields are up", fix=f"{name} lowers its shields first"
            )


@check("trek-43/shields", "Raising and lowering", on="action")
def shields_change(act: Declared) -> Findings:
    """Shields that are down are raised, shields that are up are lowered.

    Legal: raise at the outset. Illegal: raise again. Fix: leave it out.
    """
    if act.kind in ("raise", "lower") and act.vessel.raised == (act.kind == "raise"):
        yield act.tell.error(
            f"shields are {'up' if act.vessel.raised else 'down'} already", fix="leave it out"
        )
