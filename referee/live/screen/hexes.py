"""The hexes around the ships as letters: each ship is its letter and an arrow to where it faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.hexgrid import parse_map_position
from referee.live.screen.styled import Line, line

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.play.sight import Sight

ARROWS = dict(zip("ABCDEF", "↑↗↘↓↙↖", strict=True))
_SCALES = ((4, 2), (3, 2), (2, 1), (1, 1))
"""Columns of text for a column of hexes, and rows of text for a hex."""


def letters_of(sight: Sight) -> dict[str, str]:
    """A sign for each ship: the first letter of its name that no other has."""
    taken: dict[str, str] = {}
    others = (chr(code) for code in range(ord("a"), ord("z") + 1))
    for ship in sight.ships:
        own = [letter.upper() for letter in ship.name if letter.isascii() and letter.isalnum()]
        free = next((letter for letter in own if letter not in taken.values()), None)
        taken[ship.name] = free or next(others, "?")
    return taken


def map_lines(sight: Sight, width: int, rows: int) -> list[Line]:
    """The map in so many rows at most, at the greatest scale at which all ships are on it."""
    signs = letters_of(sight)
    units: list[tuple[Hex, str, str]] = []
    for ship in sight.ships:
        if not ship.gone and (stands := _place(ship.at)) is not None:
            style = "now" if ship.name == sight.mover else "bold"
            units.append((stands[0], signs[ship.name] + ARROWS.get(stands[1] or "", " "), style))
    for seeker in sight.seekers:
        words = seeker.partition(" at ")[2].partition(",")[0]
        if (stands := _place(words)) is not None:
            units.append((stands[0], "*" + ARROWS.get(stands[1] or "", " "), "warn"))
    if not units or rows < 6 or width < 20:
        return []
    return _drawn(units, width, rows)


def _place(at: str) -> tuple[Hex, str | None] | None:
    try:
        return parse_map_position(at)
    except ValueError:
        return None


def _drawn(units: list[tuple[Hex, str, str]], width: int, rows: int) -> list[Line]:
    left, right = min(u[0].column for u in units), max(u[0].column for u in units)
    top, bottom = min(u[0].row for u in units), max(u[0].row for u in units)
    beside, above = 3, 1
    room, high = width - beside, rows - above
    fits = [
        s for s in _SCALES if (right - left + 1) * s[0] + 2 <= room and (bottom - top + 1) * s[1] + 1 <= high
    ]
    if not fits:
        return [line("the ships are too far apart for a map", style="dim")]
    across, down = fits[0]
    wide, tall = room // across, (high - 1) // down
    left = max(1, left - (wide - (right - left + 1)) // 2)
    top = max(1, top - (tall - (bottom - top + 1)) // 2)
    grid = [[(" ", "")] * room for _ in range(high)]
    for column in range(left, left + wide):
        for row in range(top, top + tall):
            x, y = _spot(column, row, left, top, across, down)
            if across > 1 and 0 <= y < high and 0 <= x < room:
                grid[y][x] = ("·", "dim")
    for n in (1, 0):  # Where ships stand close the letter covers another's arrow.
        for hex, told, style in units:
            x, y = _spot(hex.column, hex.row, left, top, across, down)
            if 0 <= y < high and 0 <= x + n < room:
                grid[y][x + n] = (told[n], style)
    every = 1 if across > 2 else 5
    head = [" "] * room
    for column in range(left, left + wide):
        if (column - left) % every == 0 and (column - left) * across + 2 <= room:
            head[(column - left) * across : (column - left) * across + 2] = list(f"{column:02}"[-2:])
    lines = [line((" " * beside + "".join(head), "dim"))]
    for y in range(high):
        number, rest = divmod(y, down)
        named = f"{top + number:02} " if not rest and number < tall else "   "
        lines.append(line((named, "dim"), *grid[y]))
    return lines


def _spot(column: int, row: int, left: int, top: int, across: int, down: int) -> tuple[int, int]:
    """Where a hex stands in the text; hexes of even columns are half a hex lower."""
    lower = 1 if column % 2 == 0 and down > 1 else 0
    return (column - left) * across, (row - top) * down + lower
