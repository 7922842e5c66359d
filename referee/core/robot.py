"""What the Robot Opponent sees, and what it decides: values only, for its rules to work on."""

from __future__ import annotations

from fractions import Fraction

from referee.core.combat import Moment, Seeker
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.orders import Way
from referee.core.play import ShipInPlay
from referee.core.ship import ShipClass
from referee.core.state import ShipState


@frozen
class Flown:
    """A ship of the game as the robot sees it: its class, where it is, and what is left of it."""

    ship: ShipClass
    unit: ShipInPlay
    state: ShipState

    @property
    def name(self) -> str:
        """What the ship is called."""
        return self.unit.name


@frozen
class Situation:
    """The game as the robot stands in it; impulse 0 is before the first.

    `fired` holds when each of its weapons last fired or launched, `launched` how many drones each rack
    has launched in the game, `primary` the impulse of this turn's Primary Fire Point once it is passed,
    `turned` the side it first turned to since it last fired in this turn. `fire_control` and `lock_on` are
    as for a shot.
    """

    turn: int
    impulse: int
    impulses: int
    robot: Flown
    opponents: tuple[Flown, ...]
    within: tuple[Hex, Hex]
    fired: tuple[tuple[str, Moment], ...] = ()
    launched: tuple[tuple[str, int], ...] = ()
    primary: int | None = None
    turned: Way | None = None
    seekers: tuple[Seeker, ...] = ()
    lock_on: bool | None = None

    @property
    def moment(self) -> Moment:
        """Turn and impulse."""
        return Moment(self.turn, self.impulse)

    def last_fired(self, weapon: str) -> Moment | None:
        """When a weapon last fired or launched; None if it has not."""
        return next((when for mark, when in reversed(self.fired) if mark == weapon), None)


@frozen
class Decision:
    """What the robot does in one step, the instruction it follows, and why, in a sentence.

    One of `speed`, `way`, `fire` and `launch` is set, or none where it does nothing. `coin` is the toss it
    hung on; `primary` says that this is the Primary Fire Point of the turn.
    """

    ship: str
    instruction: str
    why: str
    speed: int | Fraction | None = None
    way: Way | None = None
    fire: tuple[str, ...] = ()
    launch: str = ""
    target: str = ""
    coin: int | None = None
    primary: bool = False
