"""The lines of a turn's form that are known before anybody fills it in: power, batteries, capacitor."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.adjudicator.check import turn_after
from referee.core.energy import either
from referee.sources.states import boxes_left

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm, FormLines
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState

_SOURCES = ("warp", "impulse", "apr")
"""The sources of power, in the order of the form's lines of them."""


def first_turn(lines: FormLines, ship: ShipClass, state: ShipState) -> dict[str, Fraction]:
    """The lines of a first turn that are known: power and batteries, where the SSD says how many boxes make
    them, and what the state says is charged."""
    left = {system: live for system, (live, _) in boxes_left(ship, state).items()}
    lined = {**dict(zip(_SOURCES, lines.sources, strict=True)), "battery": lines.batteries}
    known = {
        line: Fraction(sum(left.get(boxes, 0) for boxes in _boxes_of(system)))
        for system, line in lined.items()
        if _is_known(ship, system)
    }
    if state.batteries is not None:
        known[lines.batteries] = min(state.batteries, known.get(lines.batteries, state.batteries))
    return known if state.capacitor is None else {**known, lines.capacitor_held: state.capacitor}


def turn_begun(
    rulebook: Any, ship: ShipClass, form: EnergyForm, state: ShipState
) -> tuple[int, dict[str, Fraction], list[str]]:
    """The turn after the last of a form, and its lines that are known: power by what is left of the ship,
    batteries and capacitor as they carry over into what is left of them; and those that are not known, and why."""
    known = rulebook.offers.known_damage(state, state, settled=True)
    after, now = turn_after(rulebook, ship, form, known)
    left = {system: live for system, (live, _) in boxes_left(ship, state).items()}
    lines = rulebook.lines
    begun = {}
    for system, line in zip(_SOURCES, lines.sources, strict=True):
        boxes = Fraction(sum(left.get(each, 0) for each in _boxes_of(system)))
        begun[line] = min(boxes, after.seen.get(system, boxes))
    not_known = []
    for what, line in (("batteries", lines.batteries), ("capacitor", lines.capacitor_held)):
        why = after.unread.get(what)
        if what == "batteries" and not why and len(after.batteries) > 1:
            why = f"{either(after.batteries)}, by what {lines.named(lines.used_in_turn)} of turn {after.turn} is"
        if why:
            not_known.append(f"{lines.named(line)} of turn {after.turn + 1}: {why}")
        else:
            begun[line] = now.batteries if line == lines.batteries else now.charge_before
    return after.turn + 1, begun, not_known


def _boxes_of(system: str) -> tuple[str, ...]:
    """The boxes that make the power of a source."""
    return ("left_warp", "right_warp", "center_warp") if system == "warp" else (system,)


def _is_known(ship: ShipClass, system: str) -> bool:
    """Does the SSD say how many boxes a source of power has?"""
    boxes = _boxes_of(system)
    lacking = {"boxes", *(f"boxes/{name}" for name in (*boxes, system))}
    known = any(f"boxes/{name}" in ship.sources for name in boxes)
    return known or not lacking.intersection(ship.missing)
