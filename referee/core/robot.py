"""What the Robot Opponent sees, and what it decides: values only, for its rules to work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from referee.core.combat import CloakState, Moment
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.orders import Way
from referee.core.play import ShipInPlay
from referee.core.ship import ShipClass
from referee.core.state import ShipState


@frozen
class ShipSeen:
    """A ship of the game as the robot sees it: its class, where it is, what is left of it, how far it is hidden."""

    ship: ShipClass
    unit: ShipInPlay
    state: ShipState
    cloak: CloakState = field(default_factory=CloakState)

    @property
    def name(self) -> str:
        """What the ship is called."""
        return self.unit.name


@frozen
class Memory:
    """What a robot remembers of a game: when each of its weapons last fired or launched, and how many drones each
    rack has launched. Of this turn it remembers the impulse of its Primary Fire Point once that is passed. It also
    remembers the side it first turned to since it last fired after that point."""

    fired: Mapping[str, Moment] = field(default_factory=dict)
    launched: Mapping[str, int] = field(default_factory=dict)
    primary: int | None = None
    turned: Way | None = None


@frozen
class Situation:
    """The game as the robot stands in it; impulse 0 is before the first. `locks` says at whom it has tried for
    lock-on in this turn, and whether it has it."""

    turn: int
    impulse: int
    impulses: int
    robot: ShipSeen
    opponents: tuple[ShipSeen, ...]
    within: tuple[Hex, Hex]
    memory: Memory = field(default_factory=Memory)
    locks: Mapping[str, bool | None] = field(default_factory=dict)

    @property
    def moment(self) -> Moment:
        """Turn and impulse."""
        return Moment(self.turn, self.impulse)


@frozen
class Decision:
    """What the robot does in one step, the instruction it follows, and why, in a sentence.

    One of `speed`, `way`, `fire` and `launch` is set, or none where it does nothing. `shield` is the one struck
    on a corner of two. `coin` is the toss it hung on. `primary` says that this is the Primary Fire Point.
    """

    ship: str
    instruction: str
    why: str
    speed: int | Fraction | None = None
    way: Way | None = None
    fire: tuple[str, ...] = ()
    launch: str = ""
    target: str = ""
    shield: int | None = None
    coin: int | None = None
    primary: bool = False
