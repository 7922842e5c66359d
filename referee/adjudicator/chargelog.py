"""Phasers fired in a log held against what the form says was fired (H6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from referee.core.energy import show_energy
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.forms import EnergyAllocation, Entry
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.core.play import When
from referee.core.ship import Mount
from referee.rulebooks.base import Rulebook

RULE = "H6.1"
FIRED = "9:fired"
"""The line of a form for the points its phasers fired."""
USED = "21"
"""The line of a form for what batteries gave in the turn, which is written as the turn ends."""


@frozen
class EnergyFacts:
    """One turn's energy as the rulebook sees it, and what the ship takes out of it; `lent` are points that its
    batteries must have given to phasers that fired, which the form itself does not tell and its facts do."""

    turn: int
    facts: Any
    after: Any
    lent: Fraction = Fraction(0)

    @property
    def speed(self) -> int:
        """The speed of the turn, hexes a turn."""
        return int(self.after.speed)


def phaser_energy(rulebook: Rulebook, mounts: Iterable[Mount]) -> Fraction:
    """The points the phasers among some weapons take out of the capacitor as they fire."""
    weapons: Mapping[str, Any] = rulebook.table("weapons")["weapons"]
    own = (weapons.get(mount.type, {}) for mount in mounts)
    return sum((Fraction(one["energy"]) for one in own if one.get("system") == "phaser"), Fraction(0))


def with_fired(form: EnergyAllocation, points: Fraction) -> EnergyAllocation:
    """A turn's form that says at least so many points were fired."""
    if points <= form.amount(FIRED):
        return form
    return replace(form, entries={**form.entries, FIRED: Entry(points, form.place_of(FIRED))})


def lent_by_batteries(rulebook: Rulebook, facts: Any, points: Fraction, *, goes_on: bool) -> Fraction:
    """What charged batteries must have given to phasers that fired so many points, where the form does not tell
    (B3.0-21): what the capacitor lacks, as far as they have it; while the turn `goes_on` a nought may yet be changed."""
    form = facts.form
    if USED in form.entries and (form.amount(USED) or not goes_on):
        return Fraction(0)
    short: Fraction = points - rulebook.procedure("fire energy")(facts)[1]
    left: Fraction = facts.batteries + form.amount("16") - (form.amount("6") or facts.excess)
    return max(Fraction(0), min(short, left))


def with_lent(form: EnergyAllocation, points: Fraction) -> EnergyAllocation:
    """A turn's form that says so many points of batteries were used in the turn."""
    if not points:
        return form
    return replace(form, entries={**form.entries, USED: Entry(points, form.place_of(USED))})


def judge_lent(turns: Iterable[EnergyFacts], subject: str, end: When) -> Iterator[Finding]:
    """Phasers that fired by batteries of which the form says nothing: a note in a turn that goes on, and a warning
    in one that is over."""
    for turn in turns:
        if not turn.lent:
            continue
        goes_on = end.turn is None or end.turn <= turn.turn
        lent = show_energy(turn.lent)
        yield Finding(
            "NOTE/battery-fire",
            Severity.NOTE if goes_on else Severity.WARNING,
            f"phasers fired by {lent} more than the capacitor held: {lent} of batteries is taken as used in the turn",
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
