"""Cloaking devices (G13.0): fading by impulse, what lock-on and range do meanwhile, what is forbidden."""

from __future__ import annotations

from typing import Literal

from referee.core.combat import CloakHistory, CloakState, LockAttempt, Moment
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook, check, resolves
from referee.rulebooks.sfb.sensors import Aim, Findings, cloak_seen, when

VISIBLE, CLOAKED = CloakState(), CloakState("cloaked")


@frozen
class CloakOrder:
    """One announcement to cloak or uncloak, with the history it belongs to."""

    history: CloakHistory
    moment: Moment
    order: Literal["cloak", "uncloak"]
    rulebook: Rulebook
    ship: ShipClass | None = None

    def error(self, message: str, fix: str = "", severity: Severity = Severity.ERROR) -> Finding:
        """Against the rule."""
        return Finding(
            key="",
            severity=severity,
            message=message,
            subject=self.history.ship,
            turn=self.moment.turn,
            impulse=self.moment.impulse,
            fix=fix,
        )


def cloak_at(rulebook: Rulebook, history: CloakHistory, moment: Moment) -> CloakState:
    """How far a ship is hidden at a moment, the announcements of that impulse included."""
    cloak = CLOAKED if history.cloaked_at_start else VISIBLE
    for turn in range(1, moment.turn + 1):
        last = moment.impulse if turn == moment.turn else history.impulses
        for impulse in range(1, last + 1):
            now = Moment(turn, impulse)
            for rule in rulebook.rules_on("cloak"):
                cloak = rule.decide(cloak, history, now, rulebook)
    return cloak


def cloak_before(rulebook: Rulebook, history: CloakHistory, moment: Moment) -> CloakState:
    """How far a ship is hidden just before a moment's announcements."""
    earlier = CloakHistory(
        history.ship,
        history.impulses,
        history.paid,
        tuple(entry for entry in history.announced if entry[0] < moment),
        history.cloaked_at_start,
    )
    return cloak_at(rulebook, earlier, moment)


def fade_impulses(rulebook: Rulebook) -> int:
    """Impulses a fade takes, the one of the announcement counted."""
    return int(rulebook.table("combat")["cloak"]["fade_impulses"])


# -- the fade, impulse by impulse --------------------------------------------------------


@resolves("G13.0/fade", "Fading goes on", on="cloak")
def fade_goes_on(cloak: CloakState, history: CloakHistory, now: Moment, rulebook: Rulebook) -> CloakState:
    """A fade takes four impulses, the one of its announcement counted, and goes on into the next turn.
    After fading out the ship is cloaked, after fading in it is plain to see.

    Legal: announced on impulse 5, cloaked on impulse 9. Illegal: cloaked on impulse 6.
    """
    if cloak.impulse and cloak.impulse < fade_impulses(rulebook):
        return CloakState(cloak.phase, cloak.impulse + 1)
    if cloak.phase == "fading-out":
        return CLOAKED
    return VISIBLE if cloak.phase == "fading-in" else cloak


@resolves("G13.0/order", "Cloaking and uncloaking by announcement", on="cloak")
def fade_by_announcement(
    cloak: CloakState, history: CloakHistory, now: Moment, rulebook: Rulebook
) -> CloakState:
    """In the cloak step of an impulse a visible ship that paid may begin to fade out, and a cloaked one to
    fade in.

    Legal: cloak announced on impulse 5 of a paid turn: fading out, impulse 1. Illegal: an announcement in
    a turn that was not paid has no effect.
    """
    announced = next((order for moment, order in history.announced if moment == now), None)
    if announced == "cloak" and cloak.phase == "visible" and now.turn in history.paid:
        return CloakState("fading-out", 1)
    return CloakState("fading-in", 1) if announced == "uncloak" and cloak.phase == "cloaked" else cloak


@resolves("G13.0/turn", "Turn boundaries", on="cloak")
def at_turn_boundary(cloak: CloakState, history: CloakHistory, now: Moment, rulebook: Rulebook) -> CloakState:
    """A ship that was cloaked and does not pay again fades in on the first four impulses of the turn. One
    that pays after a turn uncloaked waits for its owner's word, or fades out at once by option
    `fade_at_once`; one that was cloaked and pays stays cloaked.

    Legal: unpaid after a cloaked turn: range +4 on impulse 1. Illegal: staying cloaked without paying.
    """
    if now.impulse != 1:
        return cloak
    paid = now.turn in history.paid
    if cloak.phase in ("cloaked", "fading-out") and not paid:
        return CloakState("fading-in", 1)
    if cloak.phase == "visible" and paid and rulebook.allows("fade_at_once"):
        return CloakState("fading-out", 1)
    return cloak


# -- announcements -----------------------------------------------------------------------


@check("G13.0/device", "A cloaking device", on="cloak order")
def has_a_device(order: CloakOrder) -> Findings:
    """Only a ship with a cloaking device cloaks and uncloaks: one whose ship card names what its cloak costs.

    Legal: a War Eagle cloaks. Illegal: a Klingon D7 does. Fix: take the order back.
    """
    if order.ship is None:
        yield NotChecked("", "whether it has a cloaking device is not known", order.history.ship)
    elif order.ship.cloak_cost is None:
        yield order.error(f"{order.ship.name} has no cloaking device", f"take the {order.order} back")


@check("G13.0/paid", "The cloak is paid for", on="cloak order")
def cloaking_is_paid(order: CloakOrder) -> Findings:
    """A ship may announce that it cloaks only in a turn in which it paid for the cloak at the start.

    Legal: paid, announced on impulse 12. Illegal: not paid, and announced.
    """
    if order.order == "cloak" and order.moment.turn not in order.history.paid:
        yield order.error(f"the cloak is not paid for in turn {order.moment.turn}", "pay it on line 19 Cloak")


@check("G13.0/announce", "What may be announced when", on="cloak order")
def announcement_fits(order: CloakOrder) -> Findings:
    """A ship cloaks when it is visible, and uncloaks when it is fully cloaked, with one announcement in an
    impulse; the sources do not say that a fade may be broken off.

    Legal: uncloak when cloaked. Illegal: uncloak when visible. Not decided: uncloak while fading out.
    """
    standing = [announced for moment, announced in order.history.announced if moment == order.moment]
    if standing:
        yield order.error(
            f"{order.order}, and {standing[-1]} is announced in this impulse already", "take one out"
        )
        return
    before = cloak_before(order.rulebook, order.history, order.moment)
    wanted = "visible" if order.order == "cloak" else "cloaked"
    if before.phase == wanted:
        return
    fading = before.impulse > 0
    yield order.error(
        f"{order.order} announced while {cloak_seen(before)}",
        f"announce it when {wanted}",
        Severity.UNDECIDED if fading else Severity.ERROR,
    )


@check("G13.0/remains", "Cloaked for the rest of the turn", on="cloak order")
def cloaked_for_the_rest_of_the_turn(order: CloakOrder) -> Findings:
    """A ship that announces its cloak is under it for the remainder of the turn; only one that begins a turn
    cloaked uncloaks in it. By option `uncloak_same_turn` it may uncloak when it is fully cloaked.

    Legal: cloaked from turn 1, uncloak on impulse 3 of turn 2. Illegal: cloak on impulse 3, uncloak on
    impulse 10 of the same turn. Fix: announce it next turn.
    """
    if order.order != "uncloak" or order.rulebook.allows("uncloak_same_turn"):
        return
    this_turn = (
        moment
        for moment, announced in order.history.announced
        if announced == "cloak" and moment.turn == order.moment.turn and moment < order.moment
    )
    if (cloaked := next(this_turn, None)) is not None:
        yield order.error(
            f"uncloak announced in the turn of its cloaking, which was announced in {when(cloaked)}",
            f"stay cloaked until turn {order.moment.turn + 1}, or play with uncloak_same_turn",
        )


# -- fire and the cloak ------------------------------------------------------------------


@resolves("G13.0/range", "Range to a cloaked or fading ship", on="range")
def range_added_by_cloak(reach: int, aim: Aim) -> int:
    """Direct fire at a fading ship adds one for each impulse of fading out so far, or of fading in still to
    come with this one; at a fully cloaked ship it adds five, after the doubling for lack of lock-on.

    Legal: true range 3, cloaked: 3 x 2 + 5 = 11. Illegal: adding 5 while it fades in.
    """
    cloak, terms = aim.shot.target.cloak, aim.rulebook.table("combat")["cloak"]
    if cloak.phase == "fading-out":
        return reach + cloak.impulse
    if cloak.phase == "fading-in":
        return reach + int(terms["fade_impulses"]) + 1 - cloak.impulse
    return reach + int(terms["range_added"]) if cloak.phase == "cloaked" else reach


@resolves("G13.0/lock-on", "Lock-on and the cloak", on="lock-on")
def lock_on_by_cloak(held: bool | None, attempt: LockAttempt, rulebook: Rulebook) -> bool | None:
    """Lock-on is kept while a ship fades out and lost when it is fully cloaked; there can be none on a
    cloaked ship. It returns when uncloaking is announced, to ships with fire control.

    Legal: lock-on on the last impulse of fading out. Illegal: lock-on on a cloaked ship.
    """
    phase = attempt.target_cloak.phase
    if phase == "cloaked":
        return False
    return True if phase == "fading-in" and attempt.fire_control != "unpaid" else held


@check("G13.0/fire", "No fire under the cloak", on="shot", passes="plain")
def no_fire_under_cloak(aim: Aim) -> Findings:
    """A ship fires no weapon while it is cloaked, fades out or fades in.

    Legal: firing on the impulse after the last of fading in. Illegal: firing on the first of fading out.
    """
    yield from _silent(aim)


@check("G13.0/launch", "No launch under the cloak", on="launch")
def no_launch_under_cloak(aim: Aim) -> Findings:
    """A ship launches no seeker while it is cloaked, fades out or fades in.

    Legal: a torpedo after fading in. Illegal: a torpedo while cloaked.
    """
    yield from _silent(aim)


def _silent(aim: Aim) -> Findings:
    cloak = aim.shot.firer.cloak
    if cloak.active:
        yield aim.error(
            f"fired while {cloak_seen(cloak)}",
            expected="visible",
            found=cloak_seen(cloak),
            fix="uncloak first",
        )


@check("G13.0/impulse", "An impulse of the turn", on="cloak order")
def known_moment(order: CloakOrder) -> Findings:
    """An announcement falls on an impulse of the turn.

    Legal: impulse 12 of 32. Illegal: impulse 40 of 32, or impulse 0.
    """
    if not 1 <= order.moment.impulse <= order.history.impulses:
        yield order.error(f"{when(order.moment)} is not in a turn of {order.history.impulses} impulses")


def cloak_order(
    rulebook: Rulebook,
    history: CloakHistory,
    moment: Moment,
    order: Literal["cloak", "uncloak"],
    ship: ShipClass | None = None,
) -> CloakOrder:
    """The facts of one announcement."""
    return CloakOrder(history, moment, order, rulebook, ship)
