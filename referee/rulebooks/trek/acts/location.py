"""Where damage goes that comes through a shield: the table, its entries, and aimed shots."""

from __future__ import annotations

from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.acts.impact import (
    crew_hit,
    damage_engine,
    damage_part,
    damage_superstructure,
    strike_bridge,
    strike_engineering,
    strike_sensors,
)
from referee.rulebooks.trek.charts import OUTPOST_CHART, Cell
from referee.rulebooks.trek.damage import aims_at, bank_hit, generator_hit, location_groups, split
from referee.rulebooks.trek.geometry import shields_towards
from referee.rulebooks.trek.parts import find_part, weapons_of
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.ships import PLAIN_ENGINES, Weapon
from referee.rulebooks.trek.shooting import halved

FAMILIES = {"beam_weapon": ("beam",), "missile_weapon": ("missile",), "beam_or_missile": ("beam", "missile")}


def locate(play: Play, firer: str, target: str, kind: str, shield: int, points: int) -> None:
    """Rolls on the target's table, once or for each five points, and applies what comes up."""
    for group in location_groups(play.charts, kind, points):
        if play.vessel(target).active:
            _locate_once(play, firer, target, shield, group)


def _locate_once(play: Play, firer: str, target: str, shield: int, points: int) -> None:
    ship = play.vessel(target).ship
    chart = play.charts.chart_for(OUTPOST_CHART if ship.outpost else ship.damage_chart)
    roll = play.d10(55, target, "damage location")
    rows = play.charts.outpost if chart == OUTPOST_CHART else play.charts.location[chart][shield]
    _apply(play, firer, target, shield, rows[roll], points, roll, chart)


def _apply(
    play: Play, firer: str, target: str, shield: int, cell: Cell, points: int, roll: int | None, chart: str
) -> None:
    """One entry of a table: halved damage by option, then each part of it, then the crew."""
    halve = cell.half and play.option("half_location") == "damage"
    done = halved(points, play.option("halving")) if halve else points
    play.emit(55, e.Located(target, shield, roll, cell.effect, done, chart), play.own(target))
    parts = cell.effect.split("+")
    shares = split(play.charts, done) if len(parts) > 1 else [done]
    for part, share in zip(parts, shares, strict=True):
        if play.vessel(target).active:
            _strike(play, firer, target, shield, part, share, cell)
    if parts != ["bridge"]:
        crew_hit(play, target, points, cell.casualty_mult, cell.half)


def _strike(play: Play, firer: str, target: str, shield: int, part: str, points: int, cell: Cell) -> None:
    if part in FAMILIES:
        _strike_weapon(play, firer, target, FAMILIES[part], points)
    elif part == "shield_generator":
        damage_part(play, 68, target, generator_hit(play.charts, shield), points)
    elif part == "superstructure":
        damage_superstructure(play, 59, target, points, control=True)
    elif part == "engineering":
        strike_engineering(play, target, points)
    elif part == "bridge":
        strike_bridge(play, target, points, cell.casualty_mult, cell.half)
    elif part == "sensors":
        strike_sensors(play, target, points)
    elif points:
        damage_engine(play, 57, target, _engine(play, target, part), points)


def _engine(play: Play, target: str, part: str) -> str:
    """The engine a location names: `either` of several by a die, and on ships built otherwise the nearest."""
    ship = play.vessel(target).ship
    name = part.removeprefix("warp_")
    if name in ship.engines:
        return name
    warp = ship.warp_engines
    if not warp:
        return next(engine for engine in (*PLAIN_ENGINES, *ship.engines) if engine in ship.engines)
    if name == "either" and len(warp) > 1:
        return warp[play.die(55, target, "which warp engine", len(warp)) - 1]
    return warp[0]


def _strike_weapon(play: Play, firer: str, target: str, families: tuple[str, ...], points: int) -> None:
    """A weapon of the kind that bears on the firer, picked by the target's captain; else superstructure."""
    bearing = [weapon for weapon in _bearing(play, firer, target) if weapon.family in families]
    if not bearing:
        damage_superstructure(play, 66, target, halved(points, play.option("halving")), control=True)
        return
    named = find_part(str(play.reply(target, "weapon") or ""), weapons_of(play.vessel(target).ship))
    picked = next((weapon for weapon in bearing if named and weapon.id == named.name), bearing[0])
    _strike_bank(play, target, picked, points)


def _bearing(play: Play, firer: str, target: str) -> list[Weapon]:
    """The target's working weapons that bear on the firer, and those whose arcs nobody knows."""
    vessel = play.vessel(target)
    towards = set(shields_towards(vessel.hex, vessel.facing, play.vessel(firer).hex))
    return [
        weapon
        for weapon in vessel.ship.weapons
        if not vessel.down(f"weapon {weapon.id}")
        and (
            not weapon.arcs
            or towards & {shield for arc in weapon.arcs for shield in play.charts.arcs.get(arc, ())}
        )
    ]


def _strike_bank(play: Play, target: str, picked: Weapon, points: int) -> None:
    missing = play.vessel(target).ship.missing
    if "arcs" in missing and not picked.arcs:
        play.warn(66, target, f"whether {picked.id} bears is not known: it is hit as picked")
    if "banks" in missing:
        play.warn(66, target, f"how {picked.id} is banked is not known: it alone is hit")
    bank = play.vessel(target).ship.bank_of(picked)
    if len(bank) == 1:
        damage_part(play, 66, target, f"weapon {picked.id}", points)
        return
    if len(bank) > (most := play.charts.n("bank_most")):
        play.warn(
            66, target, f"no table has a bank of {len(bank)}, as {picked.id} is in: read as one of {most}"
        )
    roll = play.d10(66, target, "banked weapons")
    count = bank_hit(play.charts, len(bank), points, roll, play.option("bank_table"))
    for weapon in [picked, *(other for other in bank if other is not picked)][:count]:
        damage_part(play, 66, target, f"weapon {weapon.id}", points)


def strike_aimed(play: Play, firer: str, target: str, part: str, shield: int, points: int) -> None:
    """An aimed shot strikes the part that was named, without the table."""
    meant = find_part(part, aims_at(play.vessel(target).ship))
    part = meant.key if meant else part
    play.emit(56, e.Located(target, shield, None, part, points, "aimed"), play.own(target))
    if part.startswith("weapon "):
        weapon = play.vessel(target).ship.weapon(part.removeprefix("weapon "))
        if weapon:
            _strike_bank(play, target, weapon, points)
    else:
        _strike(play, firer, target, shield, part.removeprefix("engine "), points, Cell(part, False, 0))
