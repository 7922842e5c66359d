"""What a ship brings into an energy allocation: its damage, and what the turn before left it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from referee.core.frozen import frozen
from referee.core.state import ShipState
from referee.rulebooks.sfb.arming import Tube


@frozen
class Knowledge:
    """What is known of a ship's damage: boxes it had `at_start`, boxes it still has `at_end`.

    `at_start` holds when the form's first turn is allocated, `at_end` when the last has been
    filled in. `settled` says that nothing was lost since that last allocation, so that its power
    must be exactly what `at_end` shows.
    """

    at_start: ShipState
    at_end: ShipState | None = None
    exact_start: bool = False
    settled: bool = False


@frozen
class Carried:
    """What a ship brings into an allocation. `turn` is the turn before; None at the start.

    `batteries` are the charges it may have, likeliest first, and `spare` those that the turn before could have charged.
    Where that turn is wrong about them `righted` are the fewest and the most that it leaves once it is put right.
    `tubes` the states each heavy weapon may be in. `fresh` is false where earlier turns are not known: then nothing carried can be held
    against the form. `seen` is the power stated a turn ago. `capacitor_most` is what the capacitor may
    hold if batteries paid for fire in the turn, where that is more than `capacitor`; `capacitor_sure` as much of
    that as it holds whichever way line 21 is read. What hangs on a figure that could not be read is told in `unread`,
    and the batteries, capacitor or speed of which it tells are not known.
    """

    turn: int | None
    speed: Fraction | None
    batteries: tuple[Fraction, ...]
    capacitor: Fraction
    tubes: Mapping[str, frozenset[Tube]]
    fresh: bool = True
    seen: Mapping[str, Fraction] = field(default_factory=dict)
    capacitor_certain: bool = True
    capacitor_most: Fraction | None = None
    capacitor_sure: Fraction | None = None
    battery_boxes: Fraction | None = None
    righted: tuple[Fraction, ...] = ()
    spare: Fraction = Fraction(0)
    unread: Mapping[str, str] = field(default_factory=dict)
