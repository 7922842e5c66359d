"""Ships of the Trek rules: engines, ratios, shields and weapons as their data sheet prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from referee.core.errors import BadInput

NO_STRESS: Mapping[int, int] = MappingProxyType({})
PLAIN_ENGINES = ("impulse", "antimatter")
"""Engines that are not warp engines."""
UNDIVIDED = "all"
"""The one engine of a ship of which only the power of all together is known."""


class Band(NamedTuple):
    """A beam's damage bonus from one range to another."""

    first: int
    last: int
    bonus: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon. `kind` is beam, laser, missile or plasma; weapons of one `bank` fire at one target."""

    id: str
    kind: str
    firing_chart: str
    arcs: tuple[str, ...]
    bank: str = ""
    max_power: int = 0
    power_to_arm: int = 0
    damage: int = 0
    damage_table: str = ""
    bands: tuple[Band, ...] = ()

    @property
    def family(self) -> str:
        """What the damage table calls it: a beam weapon or a missile weapon."""
        return "beam" if self.kind in ("beam", "laser") else "missile"

    def bonus(self, range: int) -> int:
        """The damage bonus at a range."""
        return next((band.bonus for band in self.bands if band.first <= range <= band.last), 0)


@dataclass(frozen=True, slots=True)
class TrekShip:
    """A class of ship, or an outpost. Ratios are power points: a move, a point absorbed.

    `missing` names what is not known of it: of an unknown movement ratio the value is 0, and what needs
    it is refused (trek-6).
    """

    id: str
    name: str
    kind: str
    race: str
    engines: Mapping[str, int]
    movement_ratio: Fraction
    shield_ratio: Fraction
    max_shield_power: int
    superstructure: int
    damage_chart: str
    engine_stress: Mapping[int, int] = field(default_factory=lambda: NO_STRESS)
    superstructure_stress: Mapping[int, int] = field(default_factory=lambda: NO_STRESS)
    cloak: int | None = None
    weapons: tuple[Weapon, ...] = ()
    homebrew: bool = False
    displacement: str = ""
    missing: tuple[str, ...] = ()
    status: str = ""

    @property
    def warp_engines(self) -> tuple[str, ...]:
        """The engines that are warp engines."""
        return tuple(engine for engine in self.engines if engine not in PLAIN_ENGINES)

    @property
    def outpost(self) -> bool:
        """Does it stay where it is?"""
        return self.kind == "outpost"

    def weapon(self, id: str) -> Weapon | None:
        """A weapon by its id."""
        return next((weapon for weapon in self.weapons if weapon.id == id), None)

    def bank_of(self, weapon: Weapon) -> tuple[Weapon, ...]:
        """The weapons banked with one, itself among them."""
        return tuple(other for other in self.weapons if weapon.bank and other.bank == weapon.bank) or (
            weapon,
        )


def plain_id(id: str) -> str:
    """A ship's id without the rulebook's folder: `lancer` of `trek/lancer`."""
    return id.rpartition("/")[2]


def ship_from_json(
    data: Mapping[str, Any], stress_charts: Mapping[str, Mapping[int, int]], file: str = ""
) -> TrekShip:
    """A ship from JSON that fits its schema. Raises BadInput for what the schema cannot say."""
    weapons = tuple(_weapon(weapon) for weapon in data["weapons"])
    ids = [weapon.id for weapon in weapons]
    if len(set(ids)) < len(ids):
        raise BadInput("two weapons of one name", file=file, place="/weapons")
    return TrekShip(
        id=plain_id(data["id"]),
        name=data["name"],
        kind=data["kind"],
        race=data.get("race", ""),
        engines=dict(data.get("engines") or {UNDIVIDED: data["total_power"]}),
        movement_ratio=_ratio(data, "movement_point_ratio", file),
        shield_ratio=_ratio(data, "shield_point_ratio", file),
        max_shield_power=data["max_shield_power"],
        superstructure=data["superstructure"],
        damage_chart=data.get("damage_chart", ""),
        engine_stress=_stress(data.get("engine_stress"), stress_charts),
        superstructure_stress=_stress(data.get("superstructure_stress"), stress_charts),
        cloak=data.get("cloak"),
        weapons=weapons,
        homebrew=bool(data.get("homebrew")),
        displacement=data.get("displacement", ""),
        missing=tuple(data.get("missing", ())),
        status=data.get("status", ""),
    )


def _weapon(data: Mapping[str, Any]) -> Weapon:
    return Weapon(
        id=data["id"],
        kind=data["kind"],
        firing_chart=data["firing_chart"],
        arcs=tuple(data.get("arcs", ())),
        bank=data.get("bank") or "",
        max_power=data.get("max_power", 0),
        power_to_arm=data.get("power_to_arm", 0),
        damage=data.get("damage", 0),
        damage_table=data.get("damage_table") or "",
        bands=tuple(
            Band(band["from"], band["to"], band["bonus"]) for band in data.get("damage_modifiers", ())
        ),
    )


def _ratio(data: Mapping[str, Any], name: str, file: str) -> Fraction:
    try:
        return Fraction(data.get(name, 0))
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{name} {data[name]!a} is no ratio", file=file, hint='write "4/1" or "1/2"') from None


def _stress(chart: Any, charts: Mapping[str, Mapping[int, int]]) -> Mapping[int, int]:
    """A stress chart given in full or by letter; empty where it is not known."""
    if isinstance(chart, str):
        return charts.get(chart, NO_STRESS)
    return {int(warp): points for warp, points in chart.items()} if chart else NO_STRESS
