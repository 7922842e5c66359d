"""How heavy weapons take energy over several turns (E3.2, E4.2, FP1.2).

A tube's history is seldom on the form: whether an armed torpedo was fired or kept is decided in the
turn. So a tube is followed as the set of all states it may be in, and an amount is legal if it fits
one of them. And which weapon a row of line 10 means, and of which it is not known what the form gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from referee.core.forms import EnergyAllocation, Figure
from referee.core.frozen import frozen
from referee.core.naming import tube_named
from referee.core.once import Same
from referee.core.ship import Mount, ShipClass

figure = lru_cache(maxsize=256)(Fraction)
"""A figure of the book's tables or a count of boxes, of which there are few, as a number."""
What = Literal["idle", "arming", "armed", "held", "lost", "emptied"]


@frozen
class Tube:
    """A heavy weapon between turns: how many turns of arming it holds, and whether it is armed."""

    steps: int = 0
    armed: bool = False


@frozen
class Outcome:
    """What an amount did to a tube, and the tube it leaves."""

    what: What
    tube: Tube


@frozen
class Heavy:
    """A heavy weapon in a turn: the kind of its arming, its line of the form, the entry if there is one, and
    what that may have done."""

    mount: Mount
    kind: str
    line: str
    entry: Figure | None
    outcomes: frozenset[Outcome]


def starting_tubes(
    arming: Mapping[str, Any], paid: tuple[Fraction, ...] | None, fresh: bool
) -> frozenset[Tube]:
    """The states a tube may be in before its first turn on a form.

    `paid` is the energy put in so far, in points, where the ship's state says. A fresh ship's tubes are empty.
    Otherwise nothing is known, and every state is possible.
    """
    steps = len(arming.get("steps", ()))
    if paid is not None:
        return frozenset({Tube(len(paid), armed=len(paid) >= steps > 0)})
    if fresh:
        return frozenset({Tube()})
    return frozenset(Tube(n, armed=n == steps and steps > 0) for n in range(steps + 1))


def readings(arming: Mapping[str, Any], tubes: Iterable[Tube], amount: Fraction) -> frozenset[Outcome]:
    """Every way a tube in one of these states may have taken an amount; none if it cannot have."""
    return _readings(Same(arming), frozenset(tubes), amount)


@lru_cache(maxsize=1024)
def _readings(
    arming: Same[Mapping[str, Any]], tubes: frozenset[Tube], amount: Fraction
) -> frozenset[Outcome]:
    return frozenset([outcome for tube in tubes for outcome in _outcomes(arming.held, tube, amount)])


def _outcomes(arming: Mapping[str, Any], tube: Tube, amount: Fraction) -> Iterable[Outcome]:
    if arming.get("kind") == "same-turn":
        if amount == 0:
            yield Outcome("idle", Tube())
        elif amount == figure(arming["amount"]):
            yield Outcome("armed", Tube())
        return
    steps = [figure(step) for step in arming.get("steps", ())]
    hold = arming.get("hold")
    if tube.armed:
        if hold is not None and amount == figure(hold):
            yield Outcome("held", tube)
        if amount == 0:
            yield Outcome("emptied", Tube())
    elif tube.steps and amount == 0:
        yield Outcome("lost", Tube())
    elif amount == 0:
        yield Outcome("idle", Tube())
    # An armed tube that takes the first step again was fired or emptied in between.
    done = 0 if tube.armed else tube.steps
    if done < len(steps) and amount == steps[done]:
        complete = done + 1 == len(steps)
        yield Outcome("armed" if complete else "arming", Tube(done + 1, complete))


def heavy_weapons(
    mounts: Iterable[Mount],
    weapons: Mapping[str, Mapping[str, Any]],
    entries: Mapping[str | None, tuple[str, Figure]],
    tubes: Mapping[str, Iterable[Tube]],
) -> Iterator[Heavy]:
    """The weapons that the book's table says how to arm, by their lines and entries and the states they may
    be in."""
    for mount in mounts:
        if arming := weapons[mount.type].get("arming"):
            line, entry = entries.get(mount.id, (f"10:{mount.id}", None))
            outcomes = readings(arming, tubes.get(mount.id, ()), entry.amount if entry else figure(0))
            yield Heavy(mount, arming.get("kind", ""), line, entry, outcomes)


# -- the rows of line 10 -----------------------------------------------------------------


def tube_of(line: str, ship: ShipClass) -> str | None:
    """The ship's weapon a line 10 entry means: by its mark, or by the letter where that is enough."""
    if not line.startswith("10:"):
        return None
    mount = ship.mount(line[3:]) or tube_named(line[3:], ship.mounts)
    return mount.id if mount else None


def unread_tubes(form: EnergyAllocation, ship: ShipClass) -> Iterator[tuple[str, str]]:
    """The weapons of which it is not known what a turn gives them, by their marks, and why: their row could not be
    read, or the row of some weapon could not be told from theirs."""
    rows = (*form.entries, *form.unread, *form.blanks)
    named = {line: tube_of(line, ship) for line in rows if line[:3] == "10:"}
    strays = [
        line for line, tube in named.items() if tube is None and (line in form.unread or form.amount(line))
    ]
    shared = "10" in form.unread or ("10" in form.entries and bool(form.amount("10")))
    if form.is_whole and not strays and not shared:
        return
    for mount in ship.mounts:
        line = next((line for line, tube in named.items() if tube == mount.id), f"10:{mount.id}")
        if line in form.entries:
            continue
        if line in form.unread:
            yield mount.id, form.why_unknown(line)
        elif meant := next((stray for stray in strays if may_mean(stray, mount)), ""):
            yield mount.id, f"{meant[3:]} may be {mount.id}"
        elif shared:
            yield mount.id, f"{form.named('10')} may be for {mount.id}"
        elif line not in named and (why := form.why_unknown(line)):
            yield mount.id, why


def may_mean(line: str, mount: Mount) -> bool:
    """May a row that names no weapon of the ship mean this one: `Disruptor 1` of weapons that have letters?"""
    kind, _, mark = line.removeprefix("10:").partition("/")
    if (
        not (mark and mount.mark)
        or mark.isdigit() == mount.mark.isdigit()
        or mount.system in ("phaser", "drone")
    ):
        return False
    prefix = mount.id.partition("/")[0]
    return kind in ("TORP", prefix) or prefix.startswith(f"{kind}-")
