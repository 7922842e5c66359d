"""What struck a ship, and what its display can show of it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.adjudicator.repairs import Purse
from referee.adjudicator.rolled_fire import Loose
from referee.core.combat import VolleyAt
from referee.core.frozen import frozen
from referee.core.play import When
from referee.core.ship import ShipClass


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
    """What is known of a ship and of what its display can show: shields at all, and, where it `agrees`, just the boxes
    the ship is known to have; `hidden` is how many of these it lacks. `reinforced` are the most points of general
    reinforcement, under 0, and of each shield's, by turn; None where there is no form; `purse` is what it paid for
    repairs."""

    name: str
    ship: ShipClass
    shows_shields: bool
    agrees: bool
    hidden: int = 0
    reinforced: Mapping[int, Mapping[int, int]] | None = None
    purse: Purse = Purse()
