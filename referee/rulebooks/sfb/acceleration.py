"""How fast a unit may go: by the impulse chart, and after the speed of the turn before."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from referee.core.energy import show_energy as show
from referee.rulebooks.base import Rulebook


def greatest_speed(rulebook: Rulebook, kind: str) -> int:
    """The greatest speed of a kind of unit, hexes a turn, on the impulse chart in force."""
    table = rulebook.table("movement")["seeker_speed" if kind == "seeker" else "max_speed"]
    return int(table[rulebook.option("impulses")]["value"])


def fastest_after(rulebook: Rulebook, speed: Any, reading: str = "") -> Any:
    """The greatest speed that acceleration allows in the turn after one at `speed`."""
    in_force = rulebook.option("acceleration") if "acceleration" in rulebook.options else "cadet"
    table = rulebook.table("movement")["acceleration"][reading or in_force]
    factor, add = table.get("factor", 0), table["add"]
    grown = speed + max(factor * speed, add)
    return grown if table.get("increase") else max(factor * speed, speed + add)


def slower(rulebook: Rulebook, before: Any, fix: str = "") -> str:
    """What puts too great an acceleration right: a lower speed, or another reading of the rule that allows more."""
    limit = fastest_after(rulebook, before)
    fix = fix or f"move no faster than {show(Fraction(limit))}"
    option = rulebook.options.get("acceleration")
    for reading in option.values if option else ():
        if (more := fastest_after(rulebook, before, reading)) > limit:
            fix += f"; read as {reading} (--option acceleration={reading}) the rule allows up to {show(Fraction(more))}"
    return fix
