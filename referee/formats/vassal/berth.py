"""A counter put into a hex, facing a way, as its module shows both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.core.errors import BadInput
from referee.core.hexgrid import Hex
from referee.formats.vassal.command_types import Boards
from referee.formats.vassal.course import MapChart, Stand
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.traits import Facing


def berth(
    draft: Draft, chart: MapChart, piece: Piece, boards: Mapping[str, Boards], hex: Hex, facing: str | None
) -> None:
    """Puts a counter where it then stands in the hex and faces that way. Raises BadInput where none of its
    steps shows the facing, the hex is on no board, or others are stacked with it."""
    if piece.map is None:
        raise BadInput("its counter is on no map")
    wanted = Stand(hex, facing)
    turns = range(piece.facing.of) if piece.facing else range(1)
    for x, y in chart.spots(piece.map, boards, hex):
        for index in turns:
            there = replace(piece, x=x, y=y, facings=_turned(piece, index))
            if chart.stand(there, boards) == wanted:
                draft.place(piece.id, piece.map, x, y)
                if piece.facing and index != piece.facing.index:
                    draft.set_facing(piece.id, index)
                return
    raise BadInput(f"its counter cannot show {hex}{facing or ''}")


def _turned(piece: Piece, index: int) -> tuple[Facing, ...]:
    """The rotations of a piece with the outermost at a step."""
    if not piece.facing:
        return piece.facings
    first = replace(piece.facing, index=index, degrees=index * 360 / piece.facing.of)
    return (first, *piece.facings[1:])
