"""The ways a ship may go now, judged before any is entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import RefereeError
from referee.core.finding import Severity
from referee.core.frozen import frozen
from referee.core.orders import WAYS, Advance, Way
from referee.play.moving_on import ordering_in

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.play.game_file import Game


@frozen
class WayOpen:
    """What is against a way, and what of it cannot be decided."""

    against: tuple[Finding, ...] = ()
    doubts: tuple[Finding, ...] = ()


def ways_of(game: Game, ship: str) -> dict[str, WayOpen]:
    """Each way a ship may go now."""
    return {way: _way(game, ship, way) for way in WAYS}


def _way(game: Game, ship: str, way: Way) -> WayOpen:
    ordering = ordering_in(game, "")
    try:
        ordering.order(Advance(ship, way))
    except RefereeError:
        return WayOpen()
    errors = (finding for finding in ordering.findings if finding.severity is Severity.ERROR)
    doubts = (finding for finding in ordering.findings if finding.severity is Severity.UNDECIDED)
    return WayOpen((*errors, *ordering.asked), tuple(doubts))
