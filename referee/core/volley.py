"""A damage volley: what struck a ship, what absorbed it, and which boxes it cost, hit by hit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee.core.events import Event
from referee.core.frozen import frozen
from referee.core.hexgrid import Offset
from referee.core.ship import ShipClass
from referee.core.state import ShipState


@frozen
class VolleyOrder:
    """What strikes: so many points on one shield, or `internal` ones that are inside already.

    `origins` says where the points come from as seen from the target's bow, most damage first
    (D4.34): points and offset; None where the direction is not known.
    """

    points: int
    shield: int | None = None
    internal: bool = False
    general_reinforcement: int = 0
    specific_reinforcement: int = 0
    origins: tuple[tuple[int, Offset], ...] = ()


@frozen
class Hit:
    """One point that came through: its roll, the chart cell it was scored at, and the box it cost.

    `result` is the chart entry, `system` that of the box; a point with neither was wasted.
    """

    n: int
    roll: int | None
    cell: str
    result: str
    system: str
    box: str
    note: str = ""


@frozen
class Choice:
    """A box for the owner to pick (D4.223): hit `n`, scored as `result`, on one of `boxes`."""

    n: int
    result: str
    boxes: tuple[str, ...]
    ship: ShipClass
    state: ShipState
    refused: tuple[tuple[str, str], ...] = ()
    """Boxes that a rule takes out of the choice, each with that rule's key."""
    rule: str = ""
    """The rule by which any other box is refused."""


class Chooser(Protocol):
    """Whoever makes the owner's choices: a written policy, a person, a file, the record."""

    @property
    def name(self) -> str:
        """How the report names who chose."""
        ...

    def choose(self, choice: Choice) -> str:
        """The box picked; the resolver holds it against the rules."""
        ...


@frozen
class VolleyResult:
    """A resolved volley. `events` fold the state before into `state`."""

    ship: ShipClass
    order: VolleyOrder
    reinforcement: int
    shield_before: int | None
    shield_after: int | None
    armor_before: int
    armor_after: int
    internals: int
    hits: tuple[Hit, ...]
    wasted: int
    destroyed: bool
    state: ShipState
    events: tuple[Event, ...]
    chooser: str
    rules: tuple[str, ...]


def hits_by_system(hits: Sequence[Hit]) -> dict[str, int]:
    """Boxes lost by system, in the order first hit."""
    lost: dict[str, int] = {}
    for hit in hits:
        if hit.system:
            lost[hit.system] = lost.get(hit.system, 0) + 1
    return lost
