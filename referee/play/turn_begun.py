"""The lines of a turn's form that are known before anybody fills it in: power, batteries, capacitor."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState


def first_turn(ship: ShipClass, state: ShipState) -> dict[str, Fraction]:
    """The lines of a first turn that are known: power and batteries, where the SSD says how many boxes make
    them, and what the state says is charged."""
    from referee.sources.states import boxes_left

    left = {system: live for system, (live, _) in boxes_left(ship, state).items()}
    figures = {
        "1": sum(left.get(f"{side}_warp", 0) for side in ("left", "right", "center")),
        "2": left.get("impulse", 0),
        "3": left.get("apr", 0),
        "5": left.get("battery", 0),
    }
    known = {line: Fraction(figure) for line, figure in figures.items() if _is_known(ship, line)}
    if state.batteries is not None:
        known["5"] = min(state.batteries, known.get("5", state.batteries))
    return known if state.capacitor is None else {**known, "9:held": state.capacitor}


def turn_begun(
    book: Any, ship: ShipClass, form: EnergyForm, state: ShipState
) -> tuple[int, dict[str, Fraction], list[str]]:
    """The turn after the last of a form, and its lines that are known: power by what is left of the ship,
    batteries and capacitor as they carry over into what is left of them; and those that are not known, and why."""
    from referee.adjudicator.check import turn_after
    from referee.core.energy import either
    from referee.sources.states import boxes_left

    known = book.procedure("known damage")(state, state, settled=True)
    after, now = turn_after(book, ship, form, known)
    left = {system: live for system, (live, _) in boxes_left(ship, state).items()}
    warp = sum(left.get(f"{side}_warp", 0) for side in ("left", "right", "center"))
    power = {"1": warp, "2": left.get("impulse", 0), "3": left.get("apr", 0)}
    begun = {}
    for (line, boxes), source_name in zip(power.items(), ("warp", "impulse", "apr"), strict=True):
        most = after.seen.get(source_name, Fraction(boxes))
        begun[line] = min(Fraction(boxes), most)
    not_known = []
    for what, line in (("batteries", "5"), ("capacitor", "9:held")):
        why = after.unread.get(what)
        if what == "batteries" and not why and len(after.batteries) > 1:
            why = f"{either(after.batteries)}, by what line 21 of turn {after.turn} is"
        if why:
            not_known.append(f"line {line} of turn {after.turn + 1}: {why}")
        else:
            begun[line] = now.batteries if line == "5" else now.charge_before
    return after.turn + 1, begun, not_known


def _is_known(ship: ShipClass, line: str) -> bool:
    """Does the SSD say how many boxes make the figure of a line?"""
    systems = {"1": "warp", "2": "impulse", "3": "apr", "5": "battery"}
    boxes = ("left_warp", "right_warp", "center_warp") if line == "1" else (systems[line],)
    lacking = {"boxes", *(f"boxes/{name}" for name in (*boxes, systems[line]))}
    known = any(f"boxes/{name}" in ship.sources for name in boxes)
    return known or not lacking.intersection(ship.missing)
