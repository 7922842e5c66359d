"""Turning (C3.0): 60 degrees before the move, after as many hexes straight ahead as the turn mode asks.

How hexes are counted is a row of small rules whose counts add up, so that a house rule can drop one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.core.finding import Finding, NotChecked
from referee.core.naming import how_many
from referee.core.play import ShipInPlay
from referee.core.ship import Brackets, ShipClass
from referee.rulebooks.base import Rulebook, check, resolves
from referee.rulebooks.sfb.motion import MoveFacts

Findings = Iterator[Finding | NotChecked]
ONE_SIXTH = (1, 5)
"""Sixths of a circle clockwise that are a turn of 60 degrees to one side."""


@check("C3.1", "Turn 60 degrees, then move", on="move", passes="plain", rests_on=("facing",))
def turn_then_move(facts: MoveFacts) -> Findings:
    """A ship turns 60 degrees to one side as it is called to move, before it enters the next hex.

    Legal: in 0915 facing A, turn to B, enter 1015. Illegal: enter 0914 first and then turn to B; turn on
    the spot; turn 120 degrees. Fix: rotate, then move forward.
    """
    move, sixths = facts.move, facts.sixths
    if sixths is None:
        yield facts.unknown("its facing is not known")
    elif sixths == 0:
        return
    elif not facts.distance:
        yield facts.error(
            f"turns from {move.facing_before} to {move.facing_after} without moving",
            expected="a turn, then a hex",
            found=f"a turn in {move.to_hex}",
            fix="turn on the next impulse that calls the ship to move",
        )
    elif sixths not in ONE_SIXTH:
        yield facts.error(
            f"turns {min(sixths, 6 - sixths) * 60} degrees, from {move.facing_before} to {move.facing_after}",
            expected="at most 60 degrees a move",
            found=f"{min(sixths, 6 - sixths) * 60} degrees",
            fix="turn one hex side, and again once the turn mode allows",
        )
    elif facts.ahead_of_old and not facts.ahead_of_new:
        ahead = move.from_hex.step(move.facing_after or "A")
        yield facts.error(
            f"moves to {move.to_hex}, then turns to {move.facing_after}",
            expected=f"a turn to {move.facing_after}, then {ahead}",
            found=f"{move.to_hex}, then a turn",
            fix=f"enter {ahead}, or keep facing {move.facing_before}",
        )


@check("C3.2", "Hexes straight ahead before a turn", on="move", passes="plain", rests_on=("facing",))
def turn_mode_satisfied(facts: MoveFacts) -> Findings:
    """After a turn a ship moves as many hexes straight ahead as its turn mode at its present speed asks
    before it turns again. The count starts over at each turn; what is over is not saved up.

    Legal: turn mode 2, a turn and its hex, one hex ahead, a turn. Illegal: two turns in a row.
    Fix: move straight ahead until the count is full.
    """
    if facts.sixths in (0, None):
        return
    unit = facts.before
    need = facts.movement.turn_mode(facts.ship, unit.speed)
    if need is None:
        yield facts.unknown(
            f"the turn mode is not known{'' if unit.speed is not None else ': nor is the speed'}"
        )
        return
    count = facts.movement.count(facts.ship, unit)
    if count.hexes >= need:
        return
    if not count.exact:
        yield facts.unknown("how far it moved straight ahead before this record begins is not known")
        return
    short = need - count.hexes
    yield facts.error(
        f"turns to {facts.move.facing_after} after {count.hexes} of {how_many(need, 'hex', 'hexes')} straight ahead at speed {unit.speed}",
        expected=f"{how_many(need, 'hex', 'hexes')} straight ahead (turn mode at speed {unit.speed}, C3.3)",
        found=f"{count.hexes}",
        fix=f"move {short} hex{'' if short == 1 else 'es'} straight ahead first",
        data_status=facts.ship.status_of("figures/turn_mode") if facts.ship else "",
    )


@resolves("C3.3", "Turn mode at a speed", on="turn mode")
def turn_mode_at(rulebook: Rulebook, ship: ShipClass, speed: int) -> int | None:
    """The turn mode is read off the ship's chart, or that of its category AA to F, at its present speed.

    None where the chart is not known or does not reach the speed.
    Legal: the cadet Federation cruiser at speed 8 turns after 2 hexes: its chart says 7-16 = 2.
    Illegal: it turns after 1 hex, the mode of speeds 1-6.
    """
    mode = ship.turn_mode
    table = rulebook.table("turn_modes")
    if isinstance(mode, str) and mode not in table["charts"]:
        return None
    chart: Brackets | list[Any] = table["charts"][mode] if isinstance(mode, str) else mode
    lowest = min(low for low, _, _ in chart)
    if speed < lowest:
        return int(table["speed_1"]["value"])
    return next((int(hexes) for low, high, hexes in chart if low <= speed <= high), None)


@resolves("C3.2/count", "Hexes straight ahead in this turn", on="turn count")
def straight_hexes(unit: ShipInPlay, at_start: int | None) -> int:
    """Each hex moved straight ahead since the last turn of 60 degrees counts, and none before it.

    Legal: turn mode 2, two hexes ahead, a turn. Illegal: six hexes ahead, then two turns in a row.
    """
    return unit.straight


@resolves("C3.4", "The hex of the turn counts", on="turn count")
def hex_of_the_turn(unit: ShipInPlay, at_start: int | None) -> int:
    """The hex entered on the impulse of the turn is the first of the hexes straight ahead.

    Legal: with turn mode 2 a turn and its hex, one hex ahead, and the next turn.
    Illegal: a turn and its hex, and at once the next turn.
    """
    return unit.turn_hex


@resolves("C3.41", "The count carries over", on="turn count")
def carried_since_turning(unit: ShipInPlay, at_start: int | None) -> int:
    """What was counted since a turn of 60 degrees stays counted when the next turn of play begins.

    Legal: with turn mode 4 seven hexes in A and one in B; three more in B on the next turn, then a turn.
    Illegal: a turn to C after only two more.
    """
    return unit.carried if unit.counting == "turn" else 0


@resolves("C3.42", "Straight hexes of the turn before count", on="turn count")
def carried_straight(unit: ShipInPlay, at_start: int | None) -> int:
    """Hexes moved straight ahead at the end of a turn of play count in the next, turned before or not.

    Legal: turn mode 3, three hexes ahead on turn 1, a turn with the first move of turn 2.
    Illegal: the same after two hexes.
    """
    return unit.carried if unit.counting != "turn" else 0


@resolves("C3.43", "Satisfied at the start", on="turn count")
def satisfied_at_start(unit: ShipInPlay, at_start: int | None) -> int:
    """Every ship begins a scenario with its turn mode satisfied at its speed, and may turn at once.

    Legal: a turn with the very first move. Illegal: a second turn with the second move, at turn mode 2.
    """
    return (at_start or 0) if unit.counting == "start" else 0
