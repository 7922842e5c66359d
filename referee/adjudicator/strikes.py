"""What struck a ship in a log, and what its display can show of it."""

from __future__ import annotations

from collections.abc import Mapping

from referee.adjudicator.mendlog import Purse
from referee.core.combat import VolleyAt
from referee.core.frozen import frozen
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

ABSORBS = "D4.1"


@frozen
class Strike:
    """All that struck a ship in an impulse; `known` is false where some of it cannot be told, and `why`.

    `chart` are the totals rolled for it on the damage chart. `perhaps` are the points of a seeker that may have
    struck it besides, on whichever shield.
    """

    step: int
    when: When
    volleys: tuple[VolleyAt, ...] = ()
    why: str = ""
    chart: tuple[int, ...] = ()
    perhaps: int = 0

    @property
    def points(self) -> int:
        """All points."""
        return sum(volley.order.points for volley in self.volleys)


@frozen
class Displayed:
    """What is known of a ship and of what its display can show: shields at all, every box of the ship, and
    the boxes the ship is known to have; `reinforced` are the most points of general reinforcement, under 0,
    and of each shield's, by turn; None where there is no form; `purse` is what it paid to mend with."""

    name: str
    ship: ShipClass
    shows_shields: bool
    shows_all: bool
    agrees: bool
    reinforced: Mapping[int, Mapping[int, int]] | None = None
    purse: Purse = Purse()


def plays_reinforcement(rulebook: Rulebook) -> bool:
    """Can shields be reinforced by the rules in force?"""
    return "reinforcement" in rulebook.options and rulebook.allows("reinforcement")
