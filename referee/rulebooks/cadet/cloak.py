"""The cadet cloak of scenario 6: cloaked or not for a whole turn (RULES 100, sources 001 and module)."""

from __future__ import annotations

from referee.core.combat import CloakHistory, CloakState, Moment
from referee.rulebooks.base import Rulebook, check, resolves
from referee.rulebooks.sfb.cloak import CloakOrder
from referee.rulebooks.sfb.sensors import Findings


@resolves("G13.0/turn", "Cloaked for the whole turn", on="cloak")
def cloaked_whole_turn(
    cloak: CloakState, history: CloakHistory, now: Moment, rulebook: Rulebook
) -> CloakState:
    """In the cadet game a ship that paid for its cloak is cloaked from the first impulse of the turn to the
    last, and one that did not is not; there is no fading.

    Legal: paid: cloaked on impulse 1. Illegal: fading in on the first impulses of an unpaid turn.
    """
    return CloakState("cloaked") if now.turn in history.paid else CloakState()


@check("G13.0/announce", "No cloaking during the turn", on="cloak order")
def not_during_the_turn(order: CloakOrder) -> Findings:
    """In the cadet game a ship does not cloak or uncloak during a turn: what it paid for decides.

    Legal: announced on impulse 1, as a reminder. Illegal: uncloaking on impulse 8.
    Fix: pay for the cloak, or do not, when energy is allocated.
    """
    paid = order.moment.turn in order.history.paid
    fits = order.moment.impulse == 1 and paid == (order.order == "cloak")
    if not fits:
        yield order.error(f"{order.order} announced during a turn", "let energy allocation decide")
