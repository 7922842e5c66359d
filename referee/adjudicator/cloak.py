"""How far a ship is hidden, and what is against what it announces (G13.0): asked by all who know its announcements.

Which turns are paid for is what a form tells, or what is taken for granted where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from referee.adjudicator.check import judge
from referee.core.combat import CloakHistory, CloakState, Moment
from referee.core.finding import Finding, NotChecked
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

Announcement = Literal["cloak", "uncloak"]


def history_of(
    rulebook: Rulebook,
    ship: str,
    paid: Iterable[int] = (),
    announced: Iterable[tuple[Moment, Announcement]] = (),
) -> CloakHistory:
    """What is known of a ship's cloak."""
    return CloakHistory(ship, int(rulebook.option("impulses")), frozenset(paid), tuple(announced))


def cloak_at(rulebook: Rulebook, history: CloakHistory, moment: Moment) -> CloakState:
    """How far a ship is hidden at a moment; one of which nothing is known is plain to see."""
    if not (history.paid or history.announced):
        return CloakState()
    hidden: CloakState = rulebook.offers.cloak_at(rulebook, history, moment)
    return hidden


def judge_announcement(
    rulebook: Rulebook, history: CloakHistory, moment: Moment, order: Announcement, ship: ShipClass | None
) -> list[Finding | NotChecked]:
    """What is against an announcement; `history` is what counts before it."""
    facts = rulebook.offers.cloak_order(rulebook, history, moment, order, ship)
    rules = rulebook.rules_on("cloak order", "check")
    return [item for rule in rules for item in judge(rule, rulebook, facts)]
