"""Where units of a play-by-play stood: hexes are told, facings often only by how a unit went on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.core.finding import SURE, Certainty, Perhaps
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.formats.sfbol import Added, Moved, Turned

Row = tuple[int, int, Added | Moved | Turned]
"""Turn, impulse and what is told of a unit's place then."""
SLIPPED = "side-slipped"


@frozen
class Leg:
    """Where a unit came to stand by a line, and how: `put`, `moved`, `turned` or `side-slipped`."""

    hex: Hex
    facing: str
    how: str
    sure: Certainty = SURE


@frozen
class Grid:
    """How the hexes of a log lie: as on the map, or with the odd columns lower, read one column on. `fits` of the
    `moves` it tells are one hex so, `otherwise` by the other reading."""

    shift: int = 0
    moves: int = 0
    fits: int = 0
    otherwise: int = 0

    def hex(self, fact: Added | Moved) -> Hex:
        """The hex a line names."""
        return Hex(fact.column + self.shift, fact.row)


def grid_of(courses: Iterable[Sequence[Row]]) -> Grid:
    """The reading under which moves are one hex each; that of the map where both are as good."""
    moves, fits = 0, [0, 0]
    for rows in courses:
        before: Added | Moved | None = None
        for _, _, fact in rows:
            if isinstance(fact, Moved) and before is not None:
                moves += 1
                for shift in (0, 1):
                    start, end = (Hex(one.column + shift, one.row) for one in (before, fact))
                    fits[shift] += true_range(start, end) <= 1
            if not isinstance(fact, Turned):
                before = fact
    if fits[1] > fits[0] + 1 and fits[1] * 10 > moves * 9:
        return Grid(1, moves, fits[1], fits[0])
    return Grid(0, moves, fits[0], fits[1])


def legs_of(rows: Sequence[Row], grid: Grid) -> Mapping[int, Leg]:
    """A unit's places, by the line that tells each."""
    legs: dict[int, Leg] = {}
    here: Hex | None = None
    facing, pending = "", ""
    for n, (turn, impulse, fact) in enumerate(rows):
        if isinstance(fact, Turned):
            if _goes_on(rows, n, turn, impulse):
                pending = fact.facing
                continue
            if here is not None:
                legs[fact.line] = leg = _turned(here, fact.facing, _next_hex(rows, n, grid))
                here = leg.hex
            facing, pending = fact.facing, ""
            continue
        hex = grid.hex(fact)
        if isinstance(fact, Added):
            facing = fact.facing or facing
            legs[fact.line] = Leg(hex, facing, "put")
        else:
            facing = fact.facing or _facing(fact.how, facing, pending, here, hex)
            legs[fact.line] = Leg(hex, facing, fact.how)
        here, pending = hex, ""
    return legs


def toward(start: Hex, end: Hex) -> str:
    """The facing that leads from a hex to the next one; nothing where none does."""
    return next((facing for facing in FACINGS if start.leads_to(facing, end)), "")


def _facing(how: str, facing: str, pending: str, here: Hex | None, hex: Hex) -> str:
    """How a unit faces after a move that does not say so: as before, straight ahead. Where that is not known, or it
    turned, by the way it went."""
    if pending:
        return pending
    if how == SLIPPED or (how == "moved" and facing):
        return facing
    return (toward(here, hex) if here is not None else "") or facing


def _goes_on(rows: Sequence[Row], n: int, turn: int, impulse: int) -> bool:
    """Is a turn whose hex is not told followed by a move of its impulse? Then they are one."""
    after = rows[n + 1] if n + 1 < len(rows) else None
    return after is not None and isinstance(after[2], Moved) and after[:2] == (turn, impulse)


def _next_hex(rows: Sequence[Row], n: int, grid: Grid) -> Hex | None:
    after = rows[n + 1][2] if n + 1 < len(rows) else None
    return grid.hex(after) if isinstance(after, Moved) else None


def _turned(here: Hex, facing: str, after: Hex | None) -> Leg:
    """A turn of which no hex is told: a unit turns, then enters the hex ahead, if where it is seen next bears that
    out."""
    ahead = here.step(facing)
    if after is None:
        return Leg(ahead, facing, "turned", Perhaps("where it stands after its turn is not told"))
    if true_range(ahead, after) == 1:
        if true_range(here, after) > 1:
            return Leg(ahead, facing, "turned")
        return Leg(ahead, facing, "turned", Perhaps("where it stands after its turn is told only by its next move"))
    if after == ahead:
        return Leg(here, facing, "turned", Perhaps("it turns, and enters the hex ahead only in a later impulse"))
    return Leg(ahead, facing, "turned", Perhaps("where it stands after its turn is not told"))
