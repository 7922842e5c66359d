"""Resolves a damage volley by the rulebook in force."""

from __future__ import annotations

from referee.core.arcs import direction_offset, directions_like
from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.hexgrid import DIRECTIONS, Offset, parse_position, relative_offset, struck_shields
from referee.core.naming import how_many
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.core.volley import Chooser, VolleyOrder, VolleyResult
from referee.rulebooks.base import Rulebook


def resolve(
    rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder, dice: Dice, chooser: Chooser
) -> VolleyResult:
    """One volley; same state, order, dice and choices give the same result for ever."""
    result: VolleyResult = rulebook.offers.volley(rulebook, ship, state, order, dice, chooser)
    return result


def origin_of(direction: str) -> Offset:
    """Where a volley comes from, as seen from the target's bow: `row:B`, `LF`, or two hexes
    `0719>0619A`. Raises BadInput for anything else."""
    firer, between, target = direction.partition(">")
    try:
        if not between:
            return direction_offset(direction)
        (hex_from, _), (hex_to, facing) = parse_position(firer), parse_position(target)
        if facing is None:
            raise ValueError(f"{target!r} has no facing")
        return relative_offset(hex_to, facing, hex_from)
    except ValueError as error:
        near = () if between else directions_like(direction)
        meant = f"did you mean {' or '.join(near)}?" if near else ""
        hinted = "did you mean" in str(error)
        hint = meant or ("" if hinted else "write row:B, LF, or FIRER>TARGET as 0719>0619A")
        raise BadInput(str(error), hint=hint) from None


def volley_order(
    points: int,
    *,
    shield: int | None = None,
    internal: bool = False,
    reinforcement: tuple[int, int] = (0, 0),
    directions: tuple[tuple[int | None, str], ...] = (),
) -> VolleyOrder:
    """What strikes, from the ways a player says it.

    A shield alone means the hex row through it, so that weapons of both adjoining arcs bear; a
    direction alone gives the shield it strikes. All points come from somewhere: what is said to come from
    directions must add up. Several directions are sorted most damage first (D4.34).
    """
    origins = tuple((points if part is None else part, origin_of(where)) for part, where in directions)
    if origins and sum(part for part, _ in origins) != points:
        raise BadInput(
            f"the directions account for {sum(part for part, _ in origins)} of {how_many(points, 'point')}",
            hint="say how many come from each: --direction 20:row:A --direction 10:RF",
        )
    if origins and shield is None and not internal:
        struck = struck_shields(origins[0][1])
        if len(struck) != 1:
            corner = " or ".join(f"#{number}" for number in struck) or "none in particular"
            raise BadInput(f"that direction strikes shield {corner}", hint="say which with --shield")
        shield = struck[0]
    if shield is not None:
        for _, origin in origins:
            struck = struck_shields(origin)
            if struck and shield not in struck:
                names = " or ".join(f"#{number}" for number in struck)
                raise BadInput(
                    f"that direction strikes shield {names}, not #{shield}", hint="leave one of the two out"
                )
    if shield is not None and not 1 <= shield <= len(DIRECTIONS):
        raise BadInput(f"shield {shield}", hint="shields are numbered 1 to 6")
    if not origins and shield is not None:
        origins = ((points, DIRECTIONS[shield - 1]),)
    return VolleyOrder(
        points=points,
        shield=None if internal else shield,
        internal=internal,
        general_reinforcement=reinforcement[0],
        specific_reinforcement=reinforcement[1],
        origins=tuple(sorted(origins, key=lambda origin: -origin[0])),
    )


def plays_reinforcement(rulebook: Rulebook) -> bool:
    """Can shields be reinforced by the rules in force?"""
    return "reinforcement" in rulebook.options and rulebook.allows("reinforcement")
