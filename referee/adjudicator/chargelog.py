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
from referee.core.play import When
from referee.core.ship import Mount
from referee.rulebooks.base import Rulebook

RULE = "H6.1"
FIRED = "9:fired"
"""The line of a form for the points its phasers fired."""


@frozen
class EnergyFacts:
    """One turn's energy as the rulebook sees it, and what the ship takes out of it."""

    turn: int
    facts: Any
    after: Any

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
                f"{show_energy(points)} points of phasers were fired, the form says {show_energy(written)}",
                subject,
                turn.turn,
                location=form.place_of(FIRED),
                expected=show_energy(points),
                found=show_energy(written),
                fix="write down what was fired" if less else "say every shot, or write down what was fired",
            )
