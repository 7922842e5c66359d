"""What a report shows beside its words: the rows of a form around a cell, ships as a volley left them, the dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.core.location import Location

if TYPE_CHECKING:
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState


@frozen
class RowShown:
    """A row of a form: its place on the sheet (`13`, nothing where it has no rows), the line of the form that stands in
    it (`14 Movement`, nothing where it is none), and its cells."""

    place: str
    line: str
    cells: tuple[str, ...]


@frozen
class FormPart:
    """The rows of a form around one cell, or the lines of a text around one, as rows of one cell: `heads` are the names of the columns, `row` and `column` count from 0."""

    heads: tuple[str, ...]
    rows: tuple[RowShown, ...]
    row: int
    column: int


@frozen
class ShipStruck:
    """A ship as a volley left it: the boxes and the shield boxes it took."""

    name: str
    ship: ShipClass
    state: ShipState
    boxes: frozenset[str]
    shields: Mapping[int, int]
    summary: str


@frozen
class Broadside:
    """What a ship fired at another in a step, and what it could do: each number of points with its chance, and the number
    that fell; None where no dice are recorded."""

    turn: int | None
    impulse: int | None
    firer: str
    target: str
    summary: str
    chances: Mapping[int, float]
    fell: int | None


@frozen
class DiceFallen:
    """How often each face of a player's dice fell, from 1 on."""

    who: str
    counts: tuple[int, ...]


@frozen
class Beside:
    """What stands beside the findings of a report, by their places; the dice are of the whole file."""

    forms: Mapping[Location, FormPart] = field(default_factory=dict)
    ships: Mapping[Location, tuple[ShipStruck, ...]] = field(default_factory=dict)
    fire: Mapping[Location, tuple[Broadside, ...]] = field(default_factory=dict)
    dice: tuple[DiceFallen, ...] = ()


def all_beside(parts: Sequence[Beside]) -> Beside:
    """What stands beside the findings of several files."""
    return Beside(
        {place: part for beside in parts for place, part in beside.forms.items()},
        {place: part for beside in parts for place, part in beside.ships.items()},
        {place: part for beside in parts for place, part in beside.fire.items()},
        tuple(dice for beside in parts for dice in beside.dice),
    )
