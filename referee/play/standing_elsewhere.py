"""A ship that stands elsewhere on the table than in the record: where, and the moves that lead there."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.gameorders import after
from referee.core.hexgrid import Hex, parse_map_position, parse_open_position
from referee.core.orders import WAYS, Way

MOST_MOVES = 4
"""Moves that are seen in how a counter stands; where it stands further off, it is accepted by a ruling."""


def standing(where: str, *, on_a_map: bool = True) -> str:
    """A hex and facing as a record writes them; not `on_a_map` a hex may have no number: `-109F`. Raises BadInput."""
    there, turned = _position(where, on_a_map)
    return f"{there}{turned}"


def _position(where: str, on_a_map: bool = True) -> tuple[Hex, str]:
    try:
        there, turned = parse_map_position(where) if on_a_map else parse_open_position(where)
    except ValueError as error:
        raise BadInput(str(error), hint="a hex and a facing: 1512B") from None
    if turned is None:
        raise BadInput(f"{where} lacks a facing", hint="a hex and a facing: 1512B")
    return there, turned


def moves_to(name: str, hex: Hex | None, facing: str | None, where: str) -> list[Way]:
    """The fewest moves that take a unit to a hex and facing, `1512B`. Raises BadInput where a few do not."""
    there, turned = _position(where)
    if hex is None or facing is None:
        raise BadInput(f"{name} is nowhere on the map")
    rows: list[tuple[Hex, str, tuple[Way, ...]]] = [(hex, facing, ())]
    seen = {(hex, facing)}
    for _ in range(MOST_MOVES):
        new = {
            after(now, bow, way): (*made, way) for now, bow, made in reversed(rows) for way in reversed(WAYS)
        }
        rows = [(*stand, made) for stand, made in new.items() if stand not in seen]
        if (there, turned) in new:
            return list(new[there, turned])
        seen |= new.keys()
    raise BadInput(
        f"{name} does not come from {hex}{facing} to {where} in {MOST_MOVES} moves",
        hint="undo to before it went astray, or accept where it stands",
    )
