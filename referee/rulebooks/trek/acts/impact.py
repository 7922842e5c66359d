"""Damage inside a ship: engines, superstructure, crew, systems, weapons; and explosions."""

from __future__ import annotations

from referee.core.hexgrid import true_range
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.acts.sensors import uncover
from referee.rulebooks.trek.damage import (
    after_damage_control,
    blast,
    bridge_hit,
    casualties,
    collapse_modifier,
    engine_hit,
    grids_down,
    shaken,
)
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.sensing import device_starved
from referee.rulebooks.trek.ships import UNDIVIDED

SURRENDERED = "surrendered"
"""How a ship that is out of the combat may still be there."""


def damage_part(play: Play, rule: int, ship: str, part: str, points: int) -> None:
    """A part goes out of action; a repair of it that was under way is undone."""
    _cancel_repair(play, ship, part)
    play.emit(rule, e.Damaged(ship, part, points), play.own(ship))


def _cancel_repair(play: Play, ship: str, part: str) -> None:
    if any(item.part == part for item in play.vessel(ship).pending):
        play.emit(70, e.RepairCancelled(ship, part), play.own(ship))


def damage_engine(play: Play, rule: int, ship: str, engine: str, points: int) -> None:
    """An engine and this turn's budget lose power; a cloak without enough of it ends."""
    vessel = play.vessel(ship)
    lost = int(engine_hit(play.charts, vessel.engines.get(engine, 0), vessel.left, points)["lost"])
    if not lost:
        return
    if engine == UNDIVIDED:
        play.warn(
            57, ship, f"how the power of {ship} is shared between engines is not known: all lose {lost}"
        )
    _cancel_repair(play, ship, f"engine {engine}")
    play.emit(rule if rule == 19 else 57, e.EngineDamaged(ship, engine, lost), play.own(ship))
    vessel = play.vessel(ship)
    if vessel.cloaked and device_starved(play.charts, vessel.engine_power, vessel.ship.cloak or 0):
        uncover(play, 32, ship, "too little power for the device")


def damage_superstructure(play: Play, rule: int, ship: str, points: int, *, control: bool) -> None:
    """Superstructure loses points, less what damage control saves; at zero it may give way."""
    if control and points and play.plays(59) and not play.vessel(ship).down("communications"):
        points = after_damage_control(play.charts, points, play.skill(59, ship, "damage_control"))
    if not points:
        return
    _cancel_repair(play, ship, "superstructure")
    play.emit(rule if rule in (19, 61, 64) else 59, e.SuperstructureDamaged(ship, points), play.own(ship))
    modifier = collapse_modifier(play.charts, play.vessel(ship).superstructure)
    if not play.plays(60):
        return
    if modifier is not None and not play.skill(60, ship, "damage_control", modifier=modifier):
        explode(play, ship)


def explode(play: Play, ship: str) -> None:
    """A ship is gone, and what is left in its engines strikes the ships around it."""
    vessel = play.vessel(ship)
    power = vessel.engine_power if play.option("blast_power") == "total" else int(vessel.left)
    play.emit(60, e.LeftPlay(ship, "destroyed"))
    if not play.plays(61):
        return
    reach = int(play.option("blast_reach"))
    for other in list(play.state.vessels):
        near = play.vessel(other)
        distance = true_range(vessel.hex, near.hex)
        there = near.active or near.out == SURRENDERED
        if there and distance <= reach:
            points = blast(play.charts, power, distance)
            _blasted(play, other, points)


def _blasted(play: Play, ship: str, points: int) -> None:
    if not points:
        return
    if play.allows("blast_chain"):
        damage_superstructure(play, 61, ship, points, control=play.allows("blast_damage_control"))
    else:
        _cancel_repair(play, ship, "superstructure")
        play.emit(61, e.SuperstructureDamaged(ship, points), play.own(ship))


def hurt(play: Play, rule: int, ship: str, percent: int) -> None:
    """Casualties, never above the whole crew."""
    percent = min(percent, play.charts.n("percent_base") - play.vessel(ship).casualties)
    if percent:
        play.emit(rule, e.CrewHurt(ship, percent), play.own(ship))
        if play.vessel(ship).casualties >= play.charts.n("percent_base"):
            play.warn(
                62, ship, f"the whole crew of {ship} is out of action; the text does not say what follows"
            )


def crew_hit(play: Play, ship: str, points: int, mult: int, half: bool) -> None:
    """Casualties of a location marked C or 2C."""
    if mult and play.vessel(ship).active and play.plays(62):
        rule, halving = play.option("casualty_rule"), play.option("half_casualties")
        original = play.vessel(ship).ship.superstructure
        hurt(play, 62, ship, casualties(play.charts, original, points, mult, half, rule, halving))


def strike_engineering(play: Play, ship: str, points: int) -> None:
    """Power grids go down."""
    for grid in grids_down(play.charts, play.d10(63, ship, "engineering damage")):
        damage_part(play, 63, ship, f"grid {grid}", points)


def strike_bridge(play: Play, ship: str, points: int, mult: int, half: bool) -> None:
    """Superstructure, crew, and the systems that are shaken."""
    medical = play.skill(64, ship, "damage_control")
    outcome = bridge_hit(play.charts, points, medical)
    damage_superstructure(play, 64, ship, outcome["superstructure"], control=False)
    if not play.vessel(ship).active:
        return
    if play.option("bridge_casualties") == "table":
        crew_hit(play, ship, points, mult, half)
    else:
        hurt(play, 64, ship, outcome["casualties"])
    for system, share in _shaken(play, ship, points).items():
        damage_part(play, 65, ship, system, share)
        if system == "sensors":
            lose_lock(play, ship)


def _shaken(play: Play, ship: str, points: int) -> dict[str, int]:
    rolls: list[int] = []
    while True:
        outcome = shaken(play.charts, rolls, points, play.option("shaken_rerolls"))
        if not outcome["more"]:
            systems = outcome["systems"]
            assert isinstance(systems, dict)
            return systems
        rolls.append(play.d10(65, ship, "system shaken"))


def strike_sensors(play: Play, ship: str, points: int) -> None:
    """Sensors are out and any lock is lost."""
    lose_lock(play, ship)
    damage_part(play, 69, ship, "sensors", points)


def lose_lock(play: Play, ship: str) -> None:
    """A lock ends with the sensors."""
    if play.vessel(ship).lock:
        play.emit(69, e.LockLost(ship, "sensors out"), play.own(ship))
