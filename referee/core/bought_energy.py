"""What energy buys beside the lines of a form: batteries ordered in the turn (B3.0-21), reinforcement (lines 12, 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from referee.core.frozen import frozen


@frozen
class BatteryOrder:
    """Points of charged batteries that a ship is ordered to use in the turn, and for which weapons. `left` is what
    they had by then, None where that is not known. `boxes` is how many batteries the ship's SSD has, less those that
    orders took before in the turn, None where it does not tell. `takes` is what the phasers among the weapons take to
    fire, in points."""

    ship: str
    turn: int | None
    impulse: int | None
    points: Fraction
    weapons: tuple[str, ...]
    takes: Fraction = Fraction(0)
    others: tuple[str, ...] = ()
    left: Fraction | None = None
    boxes: Fraction | int | None = None


@frozen
class Reinforcement:
    """What lines 12 and 13 of a form buy: general points, those of each shield, and those of no shield in
    particular, of which nobody can tell what they protect."""

    general: int = 0
    shields: Mapping[int, int] = field(default_factory=dict)
    unnamed: int = 0

    def left(self, absorbed: Mapping[int, int], shield: int) -> tuple[int, int]:
        """General points and those of a shield, less what was `absorbed` of them, by shield (0: general)."""
        own = self.general, self.shields.get(shield, 0)
        general, specific = (
            max(0, points - absorbed.get(n, 0)) for n, points in zip((0, shield), own, strict=True)
        )
        return general, specific

    @property
    def most(self) -> dict[int, int]:
        """The most points there can be for each shield by itself, and under 0 for any: those of no shield in
        particular among them."""
        return {0: self.general + self.unnamed, **self.shields}
