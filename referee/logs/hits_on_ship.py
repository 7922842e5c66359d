"""What struck a ship in a log, and what its display can show of it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.combat import VolleyAt
from referee.core.frozen import frozen
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.logs.repairs import Purse


@frozen
class Loose:
    """Points of one ship's fire that strike one of some shields, it is not known which; of all where none is named."""

    points: int
    shields: tuple[int, ...] = ()


@frozen
class Strike:
    """All that struck a ship in an impulse; `known` is false where some of it is not known, and `why`.

    `chart` are the totals rolled for it on the damage chart. `perhaps` are the points of a seeker that may have
    struck it besides, on whichever shield; `loose` is fire of which it is not known what shield it strikes.
    """

    step: int
    when: When
    volleys: tuple[VolleyAt, ...] = ()
    why: str = ""
    chart: tuple[int, ...] = ()
    perhaps: int = 0
    loose: tuple[Loose, ...] = ()

    @property
    def points(self) -> int:
        """All points."""
        return sum(one.order.points for one in self.volleys) + sum(one.points for one in self.loose)


@frozen
class Displayed:
    """What is known of a ship and of what its display can show: shields at all, every box of the ship, and
    the boxes the ship is known to have; `hidden` is how many of these it lacks; `reinforced` are the most points of general reinforcement, under 0,
    and of each shield's, by turn; None where there is no form; `purse` is what it paid to mend with."""

    name: str
    ship: ShipClass
    shows_shields: bool
    shows_all: bool
    agrees: bool
    hidden: int = 0
    reinforced: Mapping[int, Mapping[int, int]] | None = None
    purse: Purse = Purse()
