"""What happened to a ship. State is a fold of these (`referee.core.state`)."""

from __future__ import annotations

from referee.core.frozen import frozen


@frozen
class Reinforced:
    """Points a turn's reinforcement took off a volley; `kind` is `general` or `specific`."""

    kind: str
    points: int


@frozen
class ShieldHit:
    """Boxes knocked off one shield."""

    shield: int
    points: int


@frozen
class ArmorHit:
    """Armor boxes shot away before the chart was used (D4.12)."""

    boxes: tuple[str, ...]


@frozen
class BoxDestroyed:
    """One box of the SSD marked as destroyed."""

    box: str


@frozen
class ShuttleLost:
    """The shuttle that stood in a shuttle box died with it (D4.325)."""

    box: str


@frozen
class WeaponFired:
    """A weapon was fired; when, the entry says that holds it. It takes nothing off the ship."""

    weapon: str


@frozen
class ShipDestroyed:
    """The ship is gone (D4.4)."""

    by_rule: str


@frozen
class ShieldRestored:
    """Boxes of one shield that are there again: mended, or marked by mistake. No dice do that."""

    shield: int
    points: int


@frozen
class BoxRestored:
    """One box of the SSD that is whole again: mended, or marked by mistake. No dice do that."""

    box: str


Event = (
    Reinforced
    | ShieldHit
    | ArmorHit
    | BoxDestroyed
    | ShuttleLost
    | WeaponFired
    | ShipDestroyed
    | ShieldRestored
    | BoxRestored
)
