"""What a ship brings into an allocation and takes out of it (B3.0 lines 5, 6, 21; H6.1; E4.22)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from referee.core.energy import left_over
from referee.core.forms import EnergyAllocation
from referee.core.ship import ShipClass
from referee.core.state import live_boxes, new_state
from referee.rulebooks.base import Rulebook
from referee.rulebooks.sfb.allocation import (
    NOTHING,
    POWER_LINES,
    UNBOUNDED,
    Carried,
    EnergyTurn,
    Knowledge,
)
from referee.rulebooks.sfb.arming import Tube, figure, readings, starting_tubes


def first_turn(
    ship: ShipClass, rulebook: Rulebook, known: Knowledge | None, first: int
) -> tuple[Carried, Knowledge]:
    """What a ship brings into the first turn of its form.

    Batteries are full and the capacitor empty unless the state says otherwise; the speed is that of
    the state or of option `previous_speed`, else not known. A form whose first turn is not turn 1
    may follow turns that were erased: nothing carried is then held against it.
    """
    known = known or Knowledge(new_state(ship))
    state = known.at_start
    previous = rulebook.option("previous_speed")
    speed = Fraction(previous) if previous else state.speed
    batteries = state.batteries
    if batteries is None:
        batteries = Fraction(len(live_boxes(ship, state, "battery")))
    fresh = first == 1 or state.batteries is not None
    empty_tubes = first == 1 or bool(state.tubes)
    weapons = rulebook.table("weapons")["weapons"]
    tubes = {
        mount.id: starting_tubes(weapons[mount.type]["arming"], state.tubes.get(mount.id), empty_tubes)
        for mount in ship.mounts
        if weapons[mount.type].get("arming")
    }
    start = Carried(
        turn=None,
        speed=speed,
        batteries=(batteries,),
        capacitor=state.capacitor or NOTHING,
        tubes=tubes,
        fresh=fresh,
        capacitor_certain=state.capacitor is not None,
    )
    return start, known


def open_turn(
    ship: ShipClass,
    rulebook: Rulebook,
    form: EnergyAllocation,
    before: Carried,
    known: Knowledge,
    subject: str,
    last: bool,
) -> EnergyTurn:
    """The facts of one allocation. Turns left out before it make what was carried unknown: batteries may have been
    charged again in them."""
    if before.turn is not None and form.turn != before.turn + 1:
        weapons = rulebook.table("weapons")["weapons"]
        tubes = {tube: starting_tubes(_arming(ship, weapons, tube), None, False) for tube in before.tubes}
        full = max(*before.batteries, Fraction(len(live_boxes(ship, known.at_start, "battery"))))
        before = Carried(before.turn, None, (full,), NOTHING, tubes, False, {}, False)
    return EnergyTurn(ship, rulebook, form, before, known, subject, last)


def _arming(ship: ShipClass, weapons: Mapping[str, Mapping[str, object]], tube: str) -> Mapping[str, object]:
    mount = ship.mount(tube)
    arming = weapons[mount.type]["arming"] if mount else {}
    return arming if isinstance(arming, Mapping) else {}


def carry_over(turn: EnergyTurn) -> Carried:
    """What the ship brings into the next turn (B3.0 lines 5, 6, 21; H6.1; E4.22)."""
    in_allocation = turn.form.amount("6") or turn.excess
    in_turn = turn.form.amount("21")
    recharged = turn.form.amount("16")
    most = UNBOUNDED if turn.unknown_boxes("battery") else figure(turn.most("battery"))
    # Line 21 counts what is used in the turn on the module's sheet; on the printed form it counts
    # what line 6 does again. Either may be meant where a form fills in both.
    used = [in_allocation + in_turn, max(in_allocation, in_turn)] if in_turn else [in_allocation]
    held = turn.batteries + recharged if recharged else turn.batteries
    charges = (min(most, left_over(held, amount)) for amount in used)
    fired = turn.form.amount("9:fired")
    charged = turn.charge_before + turn.form.amount("9")
    # Batteries used in the turn may have charged phasers that fired, or not.
    capacitor = min(turn.capacity, left_over(charged, fired))
    helped = min(turn.capacity, left_over(charged + in_turn, fired)) if in_turn else capacitor
    tubes = {}
    for tube, states in turn.before.tubes.items():
        amount = next((e.amount for line, e in turn.uses.items() if turn.tubes_named[line] == tube), NOTHING)
        outcomes = readings(turn.arming_of(tube), states, amount)
        tubes[tube] = frozenset(outcome.tube for outcome in outcomes) or frozenset({Tube()})
        if turn.stated(f"fired:{tube}"):
            tubes[tube] = frozenset({Tube()})
    return Carried(
        turn=turn.form.turn,
        speed=turn.movement.hexes,
        batteries=tuple(dict.fromkeys(charges)),
        capacitor=capacitor,
        capacitor_most=helped,
        tubes=tubes,
        seen={source: turn.power(source) for source in POWER_LINES},
        battery_boxes=None if turn.unknown_boxes("battery") else most,
    )


def shields_unpaid(rulebook: Rulebook, allocation: EnergyAllocation) -> bool:
    """Does a turn's form pay less for shields than the game asks (B3.0-11)?"""
    cost = rulebook.descriptor["form"]["lines"]["11"].get("cost")
    return cost is not None and allocation.amount("11") < Fraction(cost)
