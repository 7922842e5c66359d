"""Weapon fire, shot by shot: to hit, damage, the shield struck, absorption."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from referee.core.hexgrid import true_range
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.acts.location import locate, strike_aimed
from referee.rulebooks.trek.acts.sensors import moving
from referee.rulebooks.trek.damage import aimed_skill
from referee.rulebooks.trek.facts import Use, weapon_use
from referee.rulebooks.trek.firing import laser_shots, shield_can_absorb
from referee.rulebooks.trek.geometry import shields_towards
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.powering import half_power
from referee.rulebooks.trek.ships import Weapon
from referee.rulebooks.trek.shooting import (
    absorption,
    grazed,
    hits,
    lock_after_hit,
    number_to_hit,
    shot_damage,
    through,
)


@dataclass(frozen=True, slots=True)
class TrekShot:
    """One shot at one ship. `power` is a beam's."""

    firer: str
    target: str
    weapon: Weapon
    power: int
    half: bool
    aim: str


def fire(play: Play, ship: str, action: Mapping[str, Any]) -> None:
    """The weapons of one action, in the order named. The power is spent before anything is resolved."""
    vessel = play.vessel(ship)
    uses = [weapon_use(vessel.ship, weapon, action.get("at", "")) for weapon in action["weapons"]]
    for use in uses:
        play.spend(34, ship, _cost(play, use), f"fire {use.id}")
        play.emit(34, e.Fired(ship, use.id, use.at))
    aims: dict[str, bool] = {}
    for shot in (shot for use in uses for shot in _shots(play, ship, use, str(action.get("aim", "")))):
        if play.vessel(shot.target).active and play.vessel(ship).active:
            _shoot(play, shot, aims)


def _cost(play: Play, use: Use) -> int:
    weapon = use.weapon
    if weapon is None:
        return 0
    if weapon.kind in ("beam", "laser"):
        return use.power or 0
    arm = weapon.power_to_arm
    return half_power(play.charts, arm, play.option("half_plasma_power")) if use.half else arm


def _shots(play: Play, ship: str, use: Use, aim: str) -> Iterator[TrekShot]:
    if use.weapon is None:
        return
    powers = [use.power or 0]
    if use.weapon.kind == "laser":
        powers = laser_shots(play.charts, use.weapon.max_power, use.power or 0, play.option("laser_power"))
    for power in powers:
        yield TrekShot(ship, use.at, use.weapon, power, use.half, aim)


def _shoot(play: Play, shot: TrekShot, aims: dict[str, bool]) -> None:
    bank = shot.weapon.bank or shot.weapon.id
    if shot.aim and play.option("aimed_when") == "before" and bank not in aims:
        aims[bank] = _take_aim(play, shot)
    if not _hit(play, shot):
        return
    firer, target = play.vessel(shot.firer), play.vessel(shot.target)
    kept = lock_after_hit(play.charts, target.cloaked, target.lock, firer.name)
    if target.lock and not kept and play.plays(48):
        play.emit(48, e.LockLost(target.name, f"hit by {firer.name}"), play.own(target.name))
    damage = _damage(play, shot)
    shield = _shield(play, shot)
    play.emit(
        49,
        e.Struck(target.name, firer.name, shot.weapon.id, shield, damage),
        (target.side, firer.side),
    )
    absorbed = absorb(play, target.name, shield, damage)
    left = through(play.charts, damage, absorbed)
    if not left:
        return
    if shot.aim and bank not in aims:
        aims[bank] = _take_aim(play, shot)
    if shot.aim and aims[bank]:
        strike_aimed(play, shot.firer, shot.target, shot.aim, shield, left)
    else:
        locate(play, shot.firer, shot.target, shot.weapon.kind, shield, left)


def _take_aim(play: Play, shot: TrekShot) -> bool:
    modifier = aimed_skill(play.charts, 0)
    penalty = play.allows("aimed_casualties")
    return play.skill(56, shot.firer, "weaponry_operation", modifier=modifier, penalty=penalty)


def _hit(play: Play, shot: TrekShot) -> bool:
    """The Weaponry roll, the die, and who is told what of them."""
    firer, target = play.vessel(shot.firer), play.vessel(shot.target)
    weaponry = play.skill(47, shot.firer, "weaponry_operation", penalty=play.allows("casualty_twice"))
    distance = true_range(firer.hex, target.hex)
    needed = number_to_hit(
        play.charts,
        play.charts.to_hit[shot.weapon.firing_chart][distance - 1],
        weaponry,
        firer.casualties,
        firer.emergency,
        target.cloaked,
        moving(play, target),
    )
    roll = play.d10(46, shot.firer, f"{shot.weapon.id} to hit")
    play.emit(46, e.Aimed(shot.firer, shot.weapon.id, distance, needed, roll), play.own(shot.firer))
    hit = hits(play.charts, needed, roll)
    play.emit(46, e.Landed(shot.firer, shot.weapon.id, shot.target, hit))
    return hit


def _damage(play: Play, shot: TrekShot) -> int:
    """What the shot does, after a grazing hit."""
    weapon = shot.weapon
    distance = true_range(play.vessel(shot.firer).hex, play.vessel(shot.target).hex)
    rounding = play.option("halving")
    damage = shot_damage(
        play.charts,
        weapon.kind,
        distance,
        shot.power,
        weapon.bonus(distance),
        weapon.damage,
        weapon.damage_table,
        shot.half,
        rounding,
    )
    may_graze = weapon.kind in ("missile", "plasma") and play.plays(50)
    if may_graze and _tries_to_graze(play, shot, damage):
        damage = grazed(play.charts, damage, play.skill(50, shot.target, "strategy_tactics"), rounding)
    return damage


def _tries_to_graze(play: Play, shot: TrekShot, damage: int) -> bool:
    """Does the target's captain try to have a hit graze the ship? He does unless he says no."""
    question = f"{damage} points of {shot.weapon.id} of {shot.firer} strike: is a grazing hit tried for"
    return play.asked(shot.target, "graze", question, "yes, or no") is not False


def _shield(play: Play, shot: TrekShot) -> int:
    """The shield struck: on a corner the one the target's captain names, else the fuller one."""
    firer, target = play.vessel(shot.firer), play.vessel(shot.target)
    shields = shields_towards(target.hex, target.facing, firer.hex)
    if len(shields) == 1:
        return shields[0]
    named = play.reply(shot.target, "corner")
    if named in shields:
        return int(named)
    return max(
        shields, key=lambda shield: (target.shield_works(shield), target.shield_power.get(shield, 0), -shield)
    )


def absorb(play: Play, ship: str, shield: int, damage: int) -> int:
    """What the navigator has the shield absorb: as much as it can, unless told otherwise."""
    target = play.vessel(ship)
    hidden = target.cloaked and not play.allows("cloaked_fire")
    if not shield_can_absorb(play.charts, target.raised, target.shield_works(shield), hidden):
        return 0
    absorbing = partial(
        absorption,
        left=target.left,
        shield_power=target.shield_power.get(shield, Fraction(0)),
        ratio=target.ship.shield_ratio,
        cap=play.option("shield_cap"),
        cost=play.option("shield_cost"),
    )
    most = int(absorbing(play.charts, damage, None)["absorbed"])
    question = f"{damage} points strike shield {shield}: how many does it absorb"
    wished = play.asked(ship, "absorb", question, f"0 to {most}") if most else play.reply(ship, "absorb")
    outcome = absorbing(play.charts, damage, wished)
    absorbed = int(outcome["absorbed"])
    if absorbed:
        power, own = Fraction(outcome["power"]), Fraction(outcome["shield_power"])
        play.emit(51, e.Absorbed(target.name, shield, absorbed, power, own), play.own(target.name))
    return absorbed
