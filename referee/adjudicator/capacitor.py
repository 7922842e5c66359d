"""Phasers fired in a log held against what the form says was fired (H6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.adjudicator.check import judge
from referee.core.bought_energy import BatteryOrder
from referee.core.energy import show_energy
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.forms import EnergyAllocation, Entry
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.core.play import When
from referee.core.ship import Mount, ShipClass
from referee.rulebooks.base import Rulebook

RULE = "H6.1"
FIRED = "9:fired"
"""The line of a form for the points its phasers fired."""
USED = "21"
"""The line of a form for what batteries gave in the turn, which is written as the turn ends."""


@frozen
class EnergyFacts:
    """One turn's energy as the rulebook sees it, and what the ship takes out of it; `lent` are points that its
    batteries must have given to phasers that fired, which the form itself does not tell and its facts do,
    `ordered` those of its line 21 that orders of the turn account for, and `lost` those of them that no phaser takes."""

    turn: int
    facts: Any
    after: Any
    lent: Fraction = Fraction(0)
    ordered: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)

    @property
    def speed(self) -> int | None:
        """The speed of the turn, hexes a turn; None where what is paid for it could not be read."""
        return None if self.after.speed is None else int(self.after.speed)


def phaser_energy(rulebook: Rulebook, mounts: Iterable[Mount]) -> Fraction:
    """The points the phasers among some weapons take out of the capacitor as they fire."""
    weapons: Mapping[str, Any] = rulebook.table("weapons")["weapons"]
    own = (weapons.get(mount.type, {}) for mount in mounts)
    return sum((Fraction(one["energy"]) for one in own if one.get("system") == "phaser"), Fraction(0))


def with_fired(form: EnergyAllocation, points: Fraction) -> EnergyAllocation:
    """A turn's form that says at least so many points were fired."""
    known = form.known(FIRED)
    if known is None or points <= known:
        return form
    return replace(form, entries={**form.entries, FIRED: Entry(points, form.place_of(FIRED))})


def lent_by_batteries(rulebook: Rulebook, facts: Any, points: Fraction, *, goes_on: bool) -> Fraction:
    """What charged batteries must have given to phasers that fired so many points, where the form does not tell
    (B3.0-21): what the capacitor lacks, as far as they have it; while the turn `goes_on` a nought may yet be changed."""
    form = facts.form
    if USED in form.entries and (form.amount(USED) or not goes_on):
        return Fraction(0)
    charge: Fraction | None = rulebook.procedure("fire energy")(facts)[1]
    left: Fraction | None = facts.batteries_known_left
    if charge is None or left is None or form.known(USED) is None:
        return Fraction(0)
    short = points - charge
    return max(Fraction(0), min(short, left))


def with_lent(form: EnergyAllocation, points: Fraction) -> EnergyAllocation:
    """A turn's form that says so many points of batteries were used in the turn."""
    if not points:
        return form
    return replace(form, entries={**form.entries, USED: Entry(points, form.place_of(USED))})


def may_lend(turn: EnergyFacts) -> Fraction | None:
    """What charged batteries can still give to phasers though nobody has said that they do: nothing where the
    form says what they gave (line 21), None where that is not known."""
    used: Fraction | None = turn.facts.form.known(USED)
    left: Fraction | None = turn.facts.batteries_known_left
    if used is None or left is None:
        return None
    return Fraction(0) if used > turn.ordered else max(Fraction(0), left - used)


def lost_points(
    rulebook: Rulebook, ship: ShipClass, fed: Iterable[tuple[Fraction, Iterable[str]]]
) -> Fraction:
    """Of the points that a turn's orders take out of batteries, those that none of the weapons they name takes: a
    phaser takes what it fires with, once a turn."""
    lost, full = Fraction(0), set[str]()
    for points, weapons in fed:
        named = {mount.id: mount for mark in weapons if (mount := ship.mount(mark)) is not None}
        takes = phaser_energy(rulebook, (mount for mark, mount in named.items() if mark not in full))
        full |= set(named)
        lost += max(Fraction(0), points - takes)
    return lost


def battery_order(
    rulebook: Rulebook,
    ship: ShipClass | None,
    name: str,
    when: tuple[int | None, int | None],
    points: Fraction,
    weapons: tuple[str, ...],
    left: Fraction | None,
) -> BatteryOrder:
    """An order for batteries as its rule looks at it; `left` are the points they have, None where that is not known."""
    mounts = [mount for mark in dict.fromkeys(weapons) if ship and (mount := ship.mount(mark)) is not None]
    others = tuple(mount.id for mount in mounts if mount.system != "phaser")
    takes = phaser_energy(rulebook, mounts)
    known = ship is not None and not any(path in ("boxes", "boxes/battery") for path in ship.missing)
    boxes = len(ship.box_ids("battery")) if ship is not None and known else None
    return BatteryOrder(name, *when, points, weapons, takes, others, left, boxes)


def check_batteries(
    rulebook: Rulebook, orders: Iterable[BatteryOrder]
) -> tuple[tuple[Finding, ...], tuple[NotChecked, ...]]:
    """What the rules say of orders for batteries, and what of them they cannot."""
    rules = rulebook.rules_on("battery order", "check")
    said = [
        item
        for order in orders
        for rule in rules
        for item in judge(rule, rulebook, rulebook.procedure("battery order")(rulebook, order))
    ]
    findings = tuple(item for item in said if isinstance(item, Finding))
    return findings, tuple(item for item in said if isinstance(item, NotChecked))


def judge_lent(turns: Iterable[EnergyFacts], subject: str, end: When) -> Iterator[Finding]:
    """Phasers that fired by batteries of which the form says nothing: a note in a turn that goes on, and a warning
    in one that is over. What was ordered is said, and only to be written down as the turn ends."""
    for turn in turns:
        goes_on = end.turn is None or end.turn <= turn.turn
        said = turn.ordered >= turn.lent
        if not turn.lent or (said and goes_on):
            continue
        lent = show_energy(turn.lent)
        told = f"phasers fired by {lent} more than the capacitor held: {lent} of batteries is taken as used in the turn"
        yield Finding(
            "NOTE/battery-fire",
            Severity.NOTE if goes_on else Severity.WARNING,
            f"{lent} of batteries was ordered, and line 21 does not say so" if said else told,
            subject,
            turn.turn,
            location=turn.facts.form.place_of(USED),
            expected=lent,
            fix=f"write {lent} on line 21",
        )


def judge_charge(
    turns: Iterable[EnergyFacts], fired: Mapping[int, Fraction], subject: str, start: When, end: When
) -> Iterator[Finding | NotChecked]:
    """Where a form says another figure than was fired by the chat; a blank says nothing. The log begins at
    `start` and stands at its `end`: what was fired before it, and what is yet to be written, is not known."""
    for turn in turns:
        form, points = turn.facts.form, fired.get(turn.turn)
        if points is not None and FIRED not in form.entries:
            yield from _by_either_reading(turn, points, subject)
        if points is None or FIRED not in form.entries or form.amount(FIRED) == points:
            continue
        written = form.amount(FIRED)
        less = written < points
        if not less and start.turn == turn.turn and start.impulse != 1:
            reason = "the log does not have the turn from its beginning: what was fired before is not known"
            yield NotChecked(RULE, reason, f"{subject}, turn {turn.turn}")
        elif end.turn is None or end.turn <= turn.turn:
            reason = "the turn is not over in the log: what was fired may yet be written down"
            yield NotChecked(RULE, reason, f"{subject}, turn {turn.turn}")
        else:
            yield Finding(
                RULE,
                Severity.ERROR if less else Severity.UNDECIDED,
                f"phasers were fired for {how_many(show_energy(points), 'point')}, the form says {show_energy(written)}",
                subject,
                turn.turn,
                location=form.place_of(FIRED),
                expected=show_energy(points),
                found=show_energy(written),
                fix="write down what was fired" if less else "say every shot, or write down what was fired",
            )


def _by_either_reading(turn: EnergyFacts, points: Fraction, subject: str) -> Iterator[Finding]:
    """Phasers that fired more than the capacitor held and batteries gave, if line 21 is the turn's total, and no more
    if it is what they gave after the allocation."""
    facts = turn.facts
    charge: Fraction | None = facts.rulebook.procedure("fire energy")(facts)[1]
    if charge is None or facts.form.why_unknown(USED) or facts.form.why_unknown("6"):
        return
    least, most = facts.used_in_turn
    if charge + least < points <= charge + most:
        yield Finding(
            RULE,
            Severity.UNDECIDED,
            f"{show_energy(points)} points of phasers were fired from {show_energy(charge)} in the capacitor and "
            f"{show_energy(most)} on line 21: right where that is what batteries gave after the allocation, and not "
            "where it is the turn's total",
            subject,
            turn.turn,
            location=facts.form.place_of(USED),
            expected=f"≤ {show_energy(charge + least)} or {show_energy(charge + most)}",
            found=show_energy(points),
            fix="say which line 21 is: what came after the allocation, or all that lines 6 and 21 took",
        )
