"""Damage that is said and not resolved: it tells whether a ship may be there still (D4.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from referee.adjudicator.volley import plays_reinforcement
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

Fate = Literal["alive", "perhaps destroyed", "destroyed"]


@dataclass
class _Struck:
    """What has struck one ship: boxes left of its shields and points inside, at the least and at the most."""

    most_left: dict[int, int]
    least_left: dict[int, int]
    least_inside: int = 0
    most_inside: int = 0


@dataclass
class Struck:
    """The ships of a game as the damage said may have left them."""

    rulebook: Rulebook
    _ships: dict[str, _Struck] = field(default_factory=dict)

    def hit(self, name: str, ship: ShipClass | None, points: int, shield: int) -> Fate:
        """Whether a ship is there still once so many points struck a shield of it.

        Every point inside costs a box as long as there is one, so more points than boxes destroy it, and no
        more than its boxes of excess damage never do.
        """
        if ship is None or not ship.boxes.get("excess") or not ship.shields:
            return "perhaps destroyed"
        struck = self._ships.setdefault(name, _Struck(dict(ship.shields), dict(ship.shields)))
        held = max(0, points - self._reinforcement(ship))
        struck.least_inside += max(0, held - struck.most_left[shield])
        struck.most_left[shield] = max(0, struck.most_left[shield] - held)
        struck.most_inside += max(0, points - struck.least_left[shield])
        struck.least_left[shield] = max(0, struck.least_left[shield] - points)
        if struck.least_inside > sum(len(ship.box_ids(system)) for system in ship.systems):
            return "destroyed"
        return "perhaps destroyed" if struck.most_inside > ship.boxes["excess"] else "alive"

    def _reinforcement(self, ship: ShipClass) -> int:
        """More points than a ship can buy of reinforcement in a turn: all it has of power."""
        if not plays_reinforcement(self.rulebook):
            return 0
        power = ("left_warp", "right_warp", "center_warp", "impulse", "apr", "battery")
        return sum(ship.boxes.get(system, 0) for system in power)
