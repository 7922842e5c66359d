"""A game as a VASSAL save or log shows it: its ships, and what happened with them, in facts of the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from referee.core.forms import EnergyAllocation
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.orders import Order
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.core.state import ShipState


@frozen
class ShipTaken:
    """A ship as the file shows it, what its side may be called; its forms by turn, the speeds said or shown where a form says none, what
    was left of it when a turn began and at the start of the file. `speed` is that before the first turn."""

    name: str
    ship: ShipClass
    player: str = ""
    sides: tuple[str, ...] = ()
    hex: Hex | None = None
    facing: str | None = None
    speed: int | None = None
    forms: Mapping[int, EnergyAllocation] = field(default_factory=dict)
    speeds: Mapping[int, int] = field(default_factory=dict)
    begun: Mapping[int, ShipState] = field(default_factory=dict)
    shown: ShipState | None = None

    @property
    def at(self) -> str:
        """Its hex and facing; an empty text off the map."""
        return "" if self.hex is None else f"{self.hex}{self.facing or ''}"


@frozen
class Stood:
    """A counter came to stand somewhere; without a hex it was no longer to be seen."""

    step: int
    when: When
    ship: str
    hex: Hex | None
    facing: str | None


@frozen
class Showed:
    """A ship's display came to show a state."""

    step: int
    when: When
    ship: str
    state: ShipState


@frozen
class Said:
    """An order was given."""

    step: int
    when: When
    order: Order


@frozen
class Threw:
    """Dice were rolled, and what they showed."""

    step: int
    when: When
    text: str


@frozen
class Struck:
    """A ship was said to be hit: the dice of the fire before it have fallen."""

    step: int
    when: When
    ship: str


@frozen
class Launched:
    """A seeker came onto the map after it was launched: its name there, which way it faced, and what from."""

    step: int
    when: When
    ship: str
    weapon: str
    type: str
    target: str
    name: str
    facing: str


@frozen
class Flew:
    """A seeker came to stand somewhere."""

    step: int
    when: When
    name: str
    hex: Hex
    facing: str


@frozen
class Scored:
    """Fire scored points on a seeker; `gone` says that they destroyed it."""

    step: int
    when: When
    name: str
    points: int
    phasers: int
    gone: bool


@frozen
class Left:
    """A seeker left the map, and why."""

    step: int
    when: When
    name: str
    why: str


@frozen
class Tried:
    """A ship tried for lock-on, and rolled."""

    step: int
    when: When
    ship: str
    target: str
    roll: int


Happening = Stood | Showed | Said | Threw | Struck | Launched | Flew | Scored | Left | Tried


@frozen
class Shown:
    """All that a file shows of a game, from when to when. `step` is where in its last impulse it ends, empty
    for the beginning; `fresh` says that it begins with a turn, `log` that it tells every move, `steps` that
    its clock goes by the steps of an impulse."""

    file: str
    ships: tuple[ShipTaken, ...]
    start: When
    end: When
    step: str = ""
    fresh: bool = True
    log: bool = False
    steps: bool = True
    happenings: tuple[Happening, ...] = ()
    left_out: tuple[str, ...] = ()
