"""What a firing ship sees and reaches: the facts of a shot, its range, arc and lock-on (D1.4, D2.0, D6.0).

Rules of fire read an `Aim` and yield findings from it. The range on the weapons' tables is worked
out by the rules on "range" in the order of the book: doubled first, then what is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.arcs import COMBINATIONS, arcs_at, bears, tokens
from referee.core.combat import NOT_KNOWN, CloakState, Declaration, LockAttempt, Moment, Seeker, Shot
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.once import Remembers, once
from referee.core.ship import STATUSES
from referee.core.state import best_of_track
from referee.rulebooks.base import Rulebook, check, resolves

Findings = Iterator[Finding | NotChecked]


@frozen
class Aim(Remembers):
    """One shot with all a rule may ask about it; `step` is the declaration it belongs to."""

    shot: Shot
    rulebook: Rulebook
    step: Declaration

    # -- the weapon ----------------------------------------------------------------------

    @once
    def weapon(self) -> Mapping[str, Any]:
        """The weapon's entry in the book's table; empty for a type the book does not have."""
        entry: Mapping[str, Any] = self.rulebook.table("weapons")["weapons"].get(self.shot.type, {})
        return entry

    @once
    def chart(self) -> Mapping[str, Any]:
        """The firing table it uses: its own, or another weapon's (E2.1)."""
        chart = self.weapon
        for rule in self.rulebook.rules_on("firing table"):
            chart = rule.decide(chart, self)
        return chart

    @property
    def seeking(self) -> bool:
        """Is it launched rather than fired (D1.3)?"""
        return bool(self.weapon.get("seeking"))

    @property
    def launched(self) -> bool:
        """Does it leave the ship to move by itself: a seeking weapon, or a shuttle sent out as a decoy?"""
        return self.seeking or "ship_speed_at_most" in self.weapon

    @property
    def phaser(self) -> bool:
        """Does it fire by a phaser's table?"""
        return "phaser" in (self.weapon.get("system"), self.chart.get("system"))

    @property
    def band(self) -> int | None:
        """The column of its table at the effective range, None beyond the table or where range is unknown."""
        reach = self.effective_range
        bands = enumerate(self.chart.get("bands", ()))
        return next((n for n, (low, high) in bands if reach is not None and low <= reach <= high), None)

    @property
    def data_status(self) -> str:
        """How sure the numbers are that the shot leans on; empty where all are verified."""
        used = [self.weapon.get("status", "verified"), self.chart.get("status", "verified")]
        used += [self.shot.mount.status] if self.shot.mount else []
        worst = max(used, key=STATUSES.index)
        return "" if worst == "verified" else worst

    # -- range and lock-on ---------------------------------------------------------------

    @once
    def true_range(self) -> int | None:
        """Hexes to the target (D1.4)."""
        return self.shot.range if self.shot.hexes is None else self.shot.hexes

    @once
    def lock_on(self) -> bool | None:
        """Does the firer have lock-on? None where that is not known."""
        state, ship = self.shot.firer.state, self.shot.firer.ship
        rating = best_of_track(ship, state, "sensor") if ship and state else None
        attempt = LockAttempt(rating, self.shot.fire_control, self.shot.target.cloak)
        return lock_held(self.rulebook, attempt, self.shot.lock_on)

    @once
    def effective_range(self) -> int | None:
        """The range on the tables: the true range as the rules change it."""
        reach = self.true_range
        if reach is None:
            return None
        for rule in self.rulebook.rules_on("range"):
            reach = rule.decide(reach, self)
        return reach

    # -- saying so -----------------------------------------------------------------------

    @property
    def subject(self) -> str:
        """How findings name the shot."""
        return " ".join(part for part in (self.shot.firer.name, self.shot.weapon) if part)

    def finding(self, severity: Severity, message: str, **parts: str) -> Finding:
        """A finding about this shot."""
        return Finding(
            key="",
            severity=severity,
            message=message,
            subject=self.subject,
            turn=self.shot.turn,
            impulse=self.shot.impulse,
            location=self.shot.place,
            **parts,
        )

    def error(self, message: str, **parts: str) -> Finding:
        """Against the rule."""
        return self.finding(Severity.ERROR, message, **parts)

    def unknown(self, reason: str) -> NotChecked:
        """The rule cannot be judged for want of a fact."""
        return NotChecked("", reason, self.subject)


def lock_held(rulebook: Rulebook, attempt: LockAttempt, held: bool | None = None) -> bool | None:
    """Whether an attempt gives lock-on, by the rules in the order of the book; None if it is not known."""
    for rule in rulebook.rules_on("lock-on"):
        held = rule.decide(held, attempt, rulebook)
    return held


def sides(rulebook: Rulebook) -> int:
    """Sides of the die rolled for lock-on."""
    return int(rulebook.table("combat")["lock_on"]["die"].partition("d")[2])


# -- range -------------------------------------------------------------------------------


@check("D1.4", "Range to the target", on="shot", passes="plain")
def range_known(aim: Aim) -> Findings:
    """Range is the shortest way in hexes, the target's hex counted and the firer's not; 0 in the same hex.
    This true range may differ from the effective range, which is looked up on the tables.

    Legal: 0915 to 1114 is range 2. Illegal: calling it 3. Fix: count again, or leave the range out.
    """
    counted, stated = aim.shot.hexes, aim.shot.range
    if counted is None and stated is None:
        yield aim.unknown("neither hexes nor a range are given")
    elif counted is not None and stated is not None and counted != stated:
        yield aim.error(
            f"the range is {counted}, not {stated}",
            expected=str(counted),
            found=str(stated),
            fix="count again",
        )
    elif stated is not None and stated < 0:
        yield aim.error("a range below 0", expected="≥ 0", found=str(stated))


@resolves("D6.123", "Range doubled without lock-on", on="range")
def doubled_without_lock_on(reach: int, aim: Aim) -> int:
    """Without lock-on the true range counts double, before anything is added. On a cloaked ship this is
    the doubling of the cloak itself; it is not doubled again.

    Legal: true range 3 counts as 6. Illegal: doubling what the scanner added, or doubling twice.
    """
    return (
        reach * int(aim.rulebook.table("combat")["lock_on"]["range_factor"])
        if aim.lock_on is False
        else reach
    )


@resolves("D6.21", "Scanner adjustment", on="range")
def scanner_adjustment(reach: int, aim: Aim) -> int:
    """The lowest undestroyed number of the scanner track is added to the range, after any doubling.

    Legal: three scanner hits on 0 0 1 3 5 9 add 3. Illegal: adding before the range is doubled.
    """
    ship, state = aim.shot.firer.ship, aim.shot.firer.state
    factor = aim.shot.scanner
    if factor is None and ship and state:
        factor = best_of_track(ship, state, "scanner")
    return reach + (factor or 0)


# -- arcs --------------------------------------------------------------------------------


@check("D2.1", "Firing arc", on="shot", passes="plain")
def in_arc(aim: Aim) -> Findings:
    """A weapon fires only into its arcs, told from the bow; a row of hexes between two arcs is in both.

    Legal: LF at 1114 from 0915C. Illegal: LF at 0701 from 0915C. Fix: turn, or fire another weapon.
    """
    yield from _bearing(aim, combined=False)


@check("D2.2", "Combined firing arcs", on="shot", passes="plain")
def in_combined_arc(aim: Aim) -> Findings:
    """FA, FX, RA, RX, LS and RS are several arcs under one name: the weapon fires into each of them.

    Legal: FA at a target in LF. Illegal: FA at a target in R.
    """
    yield from _bearing(aim, combined=True)


@check("D2.1/launch", "Arc of launching", on="launch")
def launched_in_arc(aim: Aim) -> Findings:
    """A plasma torpedo is launched at a target in the arc of its tube; drones go in any direction.

    Legal: a drone at a target astern. Illegal: a torpedo in an FA tube at a target astern.
    """
    if aim.weapon.get("system") != "drone":
        yield from _bearing(aim, combined=None)


def _bearing(aim: Aim, combined: bool | None) -> Findings:
    mount, offset = aim.shot.mount, aim.shot.offset
    if aim.seeking and combined is not None:
        return
    if mount is None:
        if not combined:
            yield aim.unknown("which mount it is, and so its arc, is not given")
        return
    if combined is not None and combined != any(token in COMBINATIONS for token in tokens(mount.arc)):
        return
    if offset is None:
        yield aim.unknown("the arc needs both hexes and the firer's facing")
    elif not bears(mount.arc, offset):
        yield aim.error(
            f"{aim.shot.target.name or 'the target'} is out of arc",
            expected=mount.arc,
            found=f"{'+'.join(arcs_at(offset))} ({aim.shot.target.hex})",
            fix="turn, or fire a weapon that bears",
            data_status="" if mount.status == "verified" else mount.status,
        )


# -- the reach of heavy weapons ----------------------------------------------------------


@check("E3.0/range", "Reach of disruptors", on="shot", passes="plain")
def disruptor_reach(aim: Aim) -> Findings:
    """A disruptor fires no farther than its table and its ship allow, and not within its least range; the
    effective range counts.

    Legal: a D6 at range 22. Illegal: a D6 at range 23, any disruptor at range 0.
    """
    if aim.shot.type == "disruptor":
        yield from _reach(aim)


@check("E4.0/range", "Reach of photon torpedoes", on="shot", passes="plain")
def photon_reach(aim: Aim) -> Findings:
    """A photon torpedo has a least and a greatest range; the effective range counts.

    Legal: range 2. Illegal: range 1, or 31.
    """
    if aim.shot.type == "photon":
        yield from _reach(aim)


@check("E1.3/range", "Reach of other weapons", on="shot", passes="plain")
def other_reach(aim: Aim) -> Findings:
    """Other weapons than phasers fire only at the ranges of their tables. A phaser may fire beyond its
    table, and scores nothing.

    Legal: a fusion beam at 24. Illegal: a fusion beam at 25.
    """
    named = aim.shot.type in ("disruptor", "photon") or aim.seeking or not aim.weapon
    if not named and not aim.phaser:
        yield from _reach(aim)


def _reach(aim: Aim) -> Findings:
    if aim.shot.firer.name and aim.shot.firer.name == aim.shot.target.name:
        return  # No ship fires at itself (D1.0), from whatever range.
    reach = aim.effective_range
    if reach is None:
        yield aim.unknown("the range is not known")
        return
    if not aim.chart.get("bands"):
        yield aim.unknown(f"there is no firing table for {aim.shot.type}")
        return
    usable = [band for n, band in enumerate(aim.chart["bands"]) if _usable(aim, n)]
    low, high = usable[0][0], usable[-1][1]
    mount, ship = aim.shot.mount, aim.shot.firer.ship
    if mount and mount.max_range is not None:
        high = min(high, mount.max_range)
    elif mount and ship and f"mounts/{mount.id.partition('/')[0]}/max_range" in ship.missing:
        yield aim.unknown("how far this ship's mount reaches is not known; the table's limit is used")
    if not low <= reach <= high:
        yield aim.error(
            f"effective range {reach} is outside its reach",
            expected=f"{low} to {high}",
            found=str(reach),
            fix="come closer" if reach > high else "open the range",
            data_status=aim.data_status,
        )


def _usable(aim: Aim, band: int) -> bool:
    mode = aim.chart.get("modes", {}).get(aim.shot.mode)
    return mode is None or mode["hit_on_or_under"][band] is not None


# -- lock-on -----------------------------------------------------------------------------


@check("B3.0-8/fire", "No fire without fire control", on="shot", passes="plain", rests_on=("form",))
def fire_control_paid(aim: Aim) -> Findings:
    """A standard ship that did not pay for fire control fires nothing that turn.

    Legal: 1 point on line 8, Fire Control, then fire. Illegal: nothing on line 8, and a phaser fired.
    Fix: hold fire until it is paid.
    """
    if aim.shot.fire_control == "unpaid":
        yield aim.error(
            "fire control was not paid for this turn",
            fix=f"pay {aim.rulebook.lines.named('8')} of the energy form",
        )
    else:
        yield from _control_not_known(aim)


def _control_not_known(aim: Aim) -> Iterator[NotChecked]:
    """That it is not known whether a ship that has to pay for fire control did, where it is not."""
    costs = aim.rulebook.descriptor["form"]["lines"]["8"].get("cost")
    if aim.shot.fire_control == NOT_KNOWN and costs and aim.shot.firer.kind == "ship":
        yield aim.unknown(f"whether fire control was paid is not known: {no_form(aim)}")


def no_form(aim: Aim) -> str:
    """Why nothing tells what was paid for a weapon, and what would."""
    place = aim.shot.place
    if aim.shot.firer.robot:
        return "a robot fills in no energy form"
    if place.record_line is not None:
        return f"no energy form of turn {aim.shot.turn} is shown (referee game apply, or reveal)"
    if place.line is not None or place.step is not None:
        return "no energy form"
    return "no energy form that tells it (referee fire: --form, or --paid)"


@resolves("D6.1", "No fire control, no lock-on", on="lock-on")
def no_fire_control(held: bool | None, attempt: LockAttempt, rulebook: Rulebook) -> bool | None:
    """A ship that paid nothing for fire control has no lock-on, whatever its sensors.

    Legal: no roll, and no lock-on. Illegal: lock-on with nothing on line 8, Fire Control.
    """
    return False if attempt.fire_control == "unpaid" else held


@resolves("D6.11", "Lock-on by sensor rating", on="lock-on")
def lock_on_roll(held: bool | None, attempt: LockAttempt, rulebook: Rulebook) -> bool | None:
    """Lock-on is had by rolling no more than the best undestroyed number of the sensor track; a rating
    that no roll exceeds gives it without one. It is rolled once, as a turn begins, and stands for that turn.

    A ship whose sensor track is not printed is taken as undamaged. Legal: rating 5, roll 5. Illegal:
    lock-on by a roll of 6 against rating 5.
    """
    if held is not None:
        return held
    if attempt.rating is None or attempt.rating >= sides(rulebook):
        return True
    return None if attempt.roll is None else attempt.roll <= attempt.rating


@check("D6.11/known", "Lock-on of a damaged sensor", on="shot", passes="plain")
def lock_on_known(aim: Aim) -> Findings:
    """A ship whose best sensor number can be exceeded by a roll must have rolled for lock-on this turn.

    Legal: rating 5, and the player gives whether lock-on is held. Not judged: rating 5, and nothing is
    given; the range is then not doubled. Illegal: lock-on claimed without fire control, or on a cloaked ship. To
    note: given as not held while the target fades in, which gives it back.
    """
    if aim.lock_on is None:
        yield aim.unknown("whether lock-on was rolled is not known; it is taken as held")
    elif aim.shot.lock_on and not aim.lock_on:
        yield aim.error("there is no lock-on", expected="no lock-on", found="lock-on", fix="double the range")
    elif aim.shot.lock_on is False and aim.lock_on:
        message = "given as without lock-on, but lock-on is back as the target fades in (G13.0): the range is not doubled"
        yield aim.finding(Severity.NOTE, message)


# -- seekers and lock-on -----------------------------------------------------------------


@check("D6.121", "No launch without lock-on", on="launch")
def launch_needs_lock_on(aim: Aim) -> Findings:
    """A ship without lock-on launches no seeking weapon.

    Legal: a drone with lock-on. Illegal: a drone after a failed roll, or at a cloaked ship. Not judged: no form
    tells whether fire control was paid for.
    """
    if not aim.seeking:
        return
    if aim.lock_on is None:
        yield aim.unknown("whether lock-on was rolled is not known")
    elif not aim.lock_on:
        yield aim.error("launched without lock-on", expected="lock-on", found="none", fix="wait for lock-on")
    else:
        yield from _control_not_known(aim)


@resolves("D6.122", "Drones lost with lock-on", on="seekers lost")
def drones_lost(seekers: tuple[Seeker, ...], ship: str, rulebook: Rulebook) -> tuple[Seeker, ...]:
    """When a ship fails to get lock-on, the drones it guides are taken off the map. Plasma torpedoes are
    not drones, and stay.

    Legal: its drone removed, its plasma torpedo left. Illegal: removing another ship's drone.
    """
    return tuple(seeker for seeker in seekers if seeker.owner == ship and seeker.type == "drone")


def cloak_seen(cloak: CloakState) -> str:
    """A cloak in words."""
    return cloak.phase.replace("-", " ") + (f", impulse {cloak.impulse}" if cloak.impulse else "")


def when(moment: Moment | None) -> str:
    """A moment in words."""
    return f"turn {moment.turn}, impulse {moment.impulse}" if moment else "an unknown impulse"
