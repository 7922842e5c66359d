"""A movement plan drawn with letters: the hexes a ship can reach, and the ways it can face there."""

from __future__ import annotations

from referee.core.hexgrid import Hex
from referee.core.play import Plan, Reached
from referee.report.paint import Paint
from referee.report.plansvg import hexes_of, plan_heading

_NAMED, _COUNTED = 8, 3
"""Columns of text a hex takes with its number and facings, and with the count of facings alone."""


def plan_map(
    plan: Plan, to: Reached | None = None, *, paint: Paint, width: int = 110, ways: bool = False
) -> str:
    """The heading, the map, and the way to `to`, or with `ways` to every place. Hexes are named where the map is narrow enough for
    `width`; else each shows how many ways the ship can face in it."""
    facings = _facings(plan)
    way = set(hexes_of(plan, to)) if to else set()
    hexes = [*facings, plan.hex, *way]
    columns = range(min(hex.column for hex in hexes), max(hex.column for hex in hexes) + 1)
    rows = range(min(hex.row for hex in hexes), max(hex.row for hex in hexes) + 1)
    named = len(columns) * _NAMED <= width
    size = _NAMED if named else _COUNTED

    def cell(hex: Hex, below: bool) -> str:
        if below:
            text = facings.get(hex, "") if named else ""
        elif named:
            text = _named(plan, hex, facings, way)
        else:
            text = _counted(plan, hex, facings, way)
        style = "red" if hex == plan.hex else "bold" if hex in way else "cyan"
        return paint(text, style) + " " * (size - len(text)) if text else " " * size

    lines = [
        "".join(cell(*_cell_at(column, half)) for column in columns).rstrip()
        for half in range(2 * rows[0], 2 * rows[-1] + 3)
    ]
    key = "*ship, +way, letters: facings" if named else "@ ship, + way, digits: in how many facings"
    shown = plan.reached if ways else (to,) if to else ()
    tracks = (
        f"to {place.hex}{place.facing}: {', '.join(f'{plan.when(step)} {step.way}' for step in place.track) or 'stays'}"
        for place in shown
    )
    return "\n".join([*plan_heading(plan), *filter(None, lines), key, *tracks, ""])


def _cell_at(column: int, half: int) -> tuple[Hex, bool]:
    """The hex of a column that a line of text runs through, and whether through its lower half. Even
    columns stand half a hex lower."""
    row, below = divmod(half - (column % 2 == 0), 2)
    return Hex(column, row), bool(below)


def _facings(plan: Plan) -> dict[Hex, str]:
    found: dict[Hex, str] = {}
    for reached in plan.reached:
        found[reached.hex] = found.get(reached.hex, "") + reached.facing
    return found


def _named(plan: Plan, hex: Hex, facings: dict[Hex, str], way: set[Hex]) -> str:
    if hex == plan.hex:
        return f"*{hex}{plan.facing}"
    if hex in way:
        return f"+{hex}"
    return f" {hex}" if hex in facings else ""


def _counted(plan: Plan, hex: Hex, facings: dict[Hex, str], way: set[Hex]) -> str:
    if hex == plan.hex:
        return "@"
    return "+" if hex in way else str(len(facings[hex])) if hex in facings else ""
