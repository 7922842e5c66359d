"""Phasers fired in a log held against what the form says was fired (H6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from referee.adjudicator.check import judge
from referee.core.bought_energy import BatteryOrder
from referee.core.energy import parse_energy
from referee.core.finding import About, Finding, NotChecked
from referee.core.forms import EnergyAllocation, Figure, FormLines
from referee.core.frozen import frozen, replace
from referee.core.play import When
from referee.core.ship import Mount, ShipClass
from referee.rulebooks.base import Rulebook


@frozen
class EnergyFacts:
    """One turn's energy as the rulebook sees it (`facts`), and what the ship takes into the next (`after`), in
    points. `lent` is what batteries must have given to phasers that fired: the form does not tell it, `facts` do.
    `ordered` is what of line 21 the orders of the turn account for. `lost` is the part of it that no phaser takes."""

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
    return sum(
        (parse_energy(weapon["energy"]) for weapon in own if weapon.get("system") == "phaser"), Fraction(0)
    )


def with_fired(lines: FormLines, form: EnergyAllocation, points: Fraction) -> EnergyAllocation:
    """A turn's form that says at least so many points were fired."""
    line = lines.phasers_fired
    known = form.known(line)
    if known is None or points <= known:
        return form
    return replace(form, entries={**form.entries, line: Figure(points, form.place_of(line))})


def lent_by_batteries(rulebook: Rulebook, facts: Any, points: Fraction, *, goes_on: bool) -> Fraction:
    """What charged batteries must have given to phasers that fired so many points, where the form does not tell
    (B3.0-21): what the capacitor lacks, as far as they have it; while the turn `goes_on` a nought may yet be changed."""
    form, used = facts.form, rulebook.lines.used_in_turn
    if used in form.entries and (form.amount(used) or not goes_on):
        return Fraction(0)
    charge: Fraction | None = rulebook.offers.fire_energy(facts)[1]
    left: Fraction | None = facts.batteries_known_left
    if charge is None or left is None or form.known(used) is None:
        return Fraction(0)
    short = points - charge
    return max(Fraction(0), min(short, left))


def with_lent(lines: FormLines, form: EnergyAllocation, points: Fraction) -> EnergyAllocation:
    """A turn's form that says so many points of batteries were used in the turn."""
    if not points:
        return form
    line = lines.used_in_turn
    return replace(form, entries={**form.entries, line: Figure(points, form.place_of(line))})


def may_lend(turn: EnergyFacts) -> Fraction | None:
    """What charged batteries can still give to phasers though nobody has said that they do: nothing where the
    form says what they gave (line 21), None where that is not known."""
    used: Fraction | None = turn.facts.form.known(turn.facts.rulebook.lines.used_in_turn)
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
    items = [
        item
        for order in orders
        for rule in rules
        for item in judge(rule, rulebook, rulebook.offers.battery_order(rulebook, order))
    ]
    findings = tuple(item for item in items if isinstance(item, Finding))
    return findings, tuple(item for item in items if isinstance(item, NotChecked))


def judge_lent(turns: Iterable[EnergyFacts], subject: str, end: When) -> Iterator[Finding]:
    """Phasers that fired by batteries of which the form says nothing. What was ordered is said, and only to be written
    down as the turn ends."""
    for turn in turns:
        over = end.turn is not None and end.turn > turn.turn
        stated = turn.ordered >= turn.lent
        if turn.lent and (over or not stated):
            seen = turn.facts.rulebook.offers.seen_fire
            yield seen.batteries_fed(
                turn.facts, About(subject, turn.turn), turn.lent, stated=stated, over=over
            )


def judge_charge(
    turns: Iterable[EnergyFacts], fired: Mapping[int, Fraction], subject: str, start: When, end: When
) -> Iterator[Finding | NotChecked]:
    """Where a form says another figure than was fired by the chat; a blank says nothing. The log begins at
    `start` and stands at its `end`: what was fired before it, and what is yet to be written, is not known."""
    for turn in turns:
        if (points := fired.get(turn.turn)) is None:
            continue
        whole = start.turn != turn.turn or start.impulse == 1
        over = end.turn is not None and end.turn > turn.turn
        charge = turn.facts.rulebook.offers.seen_fire.charge_fired
        yield from charge(turn.facts, About(subject, turn.turn), points, seen_whole=whole, over=over)
