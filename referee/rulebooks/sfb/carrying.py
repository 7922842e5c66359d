"""What a ship brings into an allocation and takes out of it (B3.0 lines 5, 6 and 21, H6.1, E4.22), and what pays for
what in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from referee.core.energy import left_over
from referee.core.finding import LedgerLine, TurnLedger
from referee.core.forms import EnergyAllocation, LineNotRead
from referee.core.frozen import replace
from referee.core.ship import ShipClass
from referee.core.state import live_boxes, new_state
from referee.rulebooks.base import Rulebook
from referee.rulebooks.sfb.allocation import (
    NOTHING,
    POWER_LINES,
    UNBOUNDED,
    EnergyTurn,
)
from referee.rulebooks.sfb.arming import Tube, figure, readings, starting_tubes
from referee.rulebooks.sfb.carried import Carried, Knowledge
from referee.rulebooks.sfb.overspent import taken_off, within

Value = TypeVar("Value")


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
    paid = form.entries.get("14")
    if paid is not None and paid.unit.startswith("hex") and paid.amount and not ship.hex_costs_a_point:
        rest = {line: entry for line, entry in form.entries.items() if line != "14"}
        form = replace(form, entries=rest, unread={**form.unread, "14": paid.location})
    else:
        paid = None
    return EnergyTurn(ship, rulebook, form, before, known, subject, last, paid)


def _arming(ship: ShipClass, weapons: Mapping[str, Mapping[str, object]], tube: str) -> Mapping[str, object]:
    mount = ship.mount(tube)
    arming = weapons[mount.type]["arming"] if mount else {}
    return arming if isinstance(arming, Mapping) else {}


def carry_over(turn: EnergyTurn) -> Carried:
    """What the ship brings into the next turn (B3.0 lines 5, 6 and 21, H6.1, E4.22)."""
    unread: dict[str, str] = {}
    charges = _asked(lambda: _charges_left(turn), "batteries", turn, unread)
    held = _asked(lambda: _capacitor_left(turn), "capacitor", turn, unread)
    hexes = _asked(lambda: turn.movement.hexes, "speed", turn, unread)
    most = UNBOUNDED if turn.unknown_boxes("battery") else figure(turn.most("battery"))
    left, sure, helped = held or (NOTHING, NOTHING, turn.capacity)
    return Carried(
        turn=turn.form.turn,
        speed=hexes,
        # Anything that the boxes can hold, where that is not known.
        batteries=charges or (most, NOTHING),
        capacitor=left,
        capacitor_certain=held is not None,
        capacitor_sure=sure,
        capacitor_most=helped,
        tubes=_tubes_left(turn),
        seen={source: turn.power(source) for source in POWER_LINES if turn.power_read(source)},
        battery_boxes=None if turn.unknown_boxes("battery") else most,
        righted=_asked(lambda: _righted(turn, most), "batteries", turn, {}) or () if charges else (),
        spare=_asked(lambda: _spare(turn), "batteries", turn, {}) or NOTHING,
        unread=unread,
    )


def _righted(turn: EnergyTurn, most: Fraction) -> tuple[Fraction, ...]:
    """The batteries that a turn leaves once it is put right, and the most it can; nothing where it needs as many as it is
    written. It is told of that turn, and the next is not held to it."""
    right, gave = within(turn), turn.form.amount("6")
    gives_too_much = turn.excess > turn.charged or turn.form.amount("5") > turn.batteries
    if not gives_too_much and (gave or right.needed >= turn.excess):
        return ()
    held = turn.batteries_told + turn.form.amount("16")
    left = left_over(held, right.needed + (turn.form.amount("21") or turn.lent))
    return min(most, left), min(most, max(held, turn.form.amount("5") + turn.form.amount("16")))


def _spare(turn: EnergyTurn) -> Fraction:
    """The batteries that a turn could have charged, and did not."""
    empty = left_over(turn.empty, turn.form.amount("16"))
    return min(empty, left_over(turn.total_power, turn.spent))


def _asked(
    work_out: Callable[[], Value], what: str, turn: EnergyTurn, unread: dict[str, str]
) -> Value | None:
    """What is carried over; None, and why in `unread`, where it hangs on a figure that could not be read."""
    try:
        return work_out()
    except LineNotRead as why:
        unread[what] = str(why) if why.earlier else f"{why} in turn {turn.form.turn}"
        return None


def _charges_left(turn: EnergyTurn) -> tuple[Fraction, ...]:
    """The charged batteries a turn may leave, likeliest first."""
    in_allocation = turn.form.amount("6") or turn.excess
    in_turn = turn.form.amount("21") or turn.lent
    most = UNBOUNDED if turn.unknown_boxes("battery") else figure(turn.most("battery"))
    # Line 21 counts what is used in the turn on the module's sheet; on the printed form it counts
    # what line 6 does again. Either may be meant where a form fills in both.
    used = [in_allocation + in_turn, max(in_allocation, in_turn)] if in_turn else [in_allocation]
    used = used[-1:] if turn.one_record else used
    held = turn.batteries_told + turn.form.amount("16")
    return tuple(dict.fromkeys(min(most, left_over(held, amount)) for amount in used))


def _capacitor_left(turn: EnergyTurn) -> tuple[Fraction, Fraction, Fraction]:
    """What the capacitor is left with: without batteries, with as many as line 21 surely gives, and with as many
    as it may give."""
    fired = turn.form.amount("9:fired")
    added = turn.form.amount("9")
    # What is held wrongly is told of this turn, and not of the next. Batteries used in the turn may have charged phasers
    # that fired, or not.
    held = max(turn.charge_before, min(turn.form.amount("9:held"), turn.capacity))
    charges = (turn.charge_before, *(held + used for used in turn.used_in_turn))
    left, sure, most = (min(turn.capacity, left_over(charge + added, fired)) for charge in charges)
    return left, sure, most


def _tubes_left(turn: EnergyTurn) -> dict[str, frozenset[Tube]]:
    tubes = {}
    for tube, states in turn.before.tubes.items():
        if turn.form.entries.get(f"fired:{tube}"):
            tubes[tube] = frozenset({Tube()})
            continue
        if tube in turn.unread_tubes:
            tubes[tube] = starting_tubes(turn.arming_of(tube), None, False)
            continue
        arming: Mapping[str, Any] = turn.arming_of(tube)
        outcomes = readings(arming, states, turn.given.get(tube, NOTHING))
        if not outcomes:  # A wrong amount is told of this turn: the next may follow any that is right.
            right = (NOTHING, *map(figure, arming.get("steps", ())))
            outcomes = frozenset().union(*(readings(arming, states, amount) for amount in right))
        tubes[tube] = frozenset(outcome.tube for outcome in outcomes)
    return tubes


def shields_unpaid(rulebook: Rulebook, allocation: EnergyAllocation) -> bool:
    """Does a turn's form pay less for shields than the game asks (B3.0-11)? Not where its line cannot be read."""
    cost = rulebook.descriptor["form"]["lines"]["11"].get("cost")
    paid = allocation.known("11")
    return cost is not None and paid is not None and paid < Fraction(cost)


# -- the ledger ------------------------------------------------------------------------------
# Which source pays for which line (B3.0, E4.23): a legal way of paying, if there is one. Movement takes warp and at most
# one impulse point, and photon arming takes warp. Everything else takes what is left, reactors first, batteries last.
# Only movement and arming are particular: paying them first finds a legal way whenever one exists.

EASIEST_FIRST = ("apr", "impulse", "warp", "battery")


def _shown(amounts: dict[str, Fraction]) -> dict[str, str]:
    return {source: str(amount) for source, amount in amounts.items() if amount}


def _pay(amount: Fraction, left: dict[str, Fraction], sources: tuple[str, ...]) -> dict[str, Fraction]:
    paid = {}
    for source in sources:
        part = min(amount, left[source])
        if part > 0:
            paid[source] = part
            left[source] -= part
            amount -= part
    if amount:
        paid["unpaid"] = amount
    return paid


def pay(turn: EnergyTurn, after: Carried) -> TurnLedger:
    """The ledger of one allocation and what it leaves `after` it; what no source can give stands under
    `unpaid`."""
    left = {source: turn.power(source) for source in ("warp", "impulse", "apr")}
    left["battery"] = turn.charged
    available = _shown(left)
    paid: dict[str, dict[str, Fraction]] = {}
    cut = taken_off(turn)
    amounts = {line: entry.amount - cut.get(line, NOTHING) for line, entry in turn.uses.items()}
    for line in turn.warp_arming:
        paid[line] = _pay(amounts[line], left, ("warp",))
    if "14" in turn.uses:
        by_impulse = min(turn.movement.impulse, left["impulse"], amounts["14"])
        left["impulse"] -= by_impulse
        paid["14"] = _pay(amounts["14"] - by_impulse, left, ("warp",))
        if by_impulse:
            paid["14"] = {"impulse": by_impulse, **paid["14"]}
    for line in turn.uses:
        if line not in paid:
            paid[line] = _pay(amounts[line], left, EASIEST_FIRST)
    for line, amount in cut.items():
        sources = ("warp",) if line == "14" or line in turn.warp_arming else EASIEST_FIRST
        for source, part in _pay(amount, left, sources).items():
            paid[line][source] = paid[line].get(source, NOTHING) + part
    # Which of two counts is left is not known.
    batteries = {"batteries": after.batteries[0]} if len(after.batteries) == 1 else {}
    return TurnLedger(
        ship=turn.subject,
        turn=turn.form.turn,
        available=available,
        lines=tuple(
            LedgerLine(
                line,
                str(entry.amount),
                _shown(paid[line]),
                turn.rulebook.lines.title(line),
                entry.location.cell or "",
            )
            for line, entry in turn.uses.items()
        ),
        left=_shown(left),
        carried=_shown(batteries | {"capacitor": after.capacitor}) | {"speed": str(after.speed or NOTHING)},
        explains=("B3.0-6", "B3.0-14", "B3.0-20", "B3.0-21", "E4.23"),
    )
