"""The hexes around the ships as letters: each ship is its letter and an arrow to where it faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.core.frozen import frozen
from referee.core.hexgrid import parse_map_position
from referee.live.screen.styled import Line, Piece, flowed, line, wrapped

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.play.sight import Sight

ARROWS = dict(zip("ABCDEF", "↑↗↘↓↙↖", strict=True))
_SCALES = ((4, 2, 1), (3, 2, 1), (2, 1, 1), (1, 1, 1), (1, 1, 2), (1, 1, 4))
"""Columns of text for a column of hexes, rows of text for a hex, and hexes that stand in one place."""


@frozen
class Unit:
    """A counter on the map: its sign stands in its hex, with an arrow to where it faces."""

    name: str
    hex: Hex
    facing: str | None
    sign: str
    style: str

    @property
    def arrow(self) -> str:
        """Where it faces."""
        return ARROWS.get(self.facing or "", " ")


_LEAST = 8  # rows of a map


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
    units: list[Unit] = []
    for ship in sight.ships:
        if not ship.gone and (stands := _place(ship.at)) is not None:
            style = "now" if ship.name == sight.mover else "bold"
            units.append(Unit(ship.name, *stands, signs[ship.name], style))
    for seeker in sight.seekers:
        name, _, words = seeker.partition(" at ")
        if (stands := _place(words.partition(",")[0])) is not None:
            units.append(Unit(name, *stands, "*", "warn"))
    # The map begins with hex 0101; where it has no edges a ship may be beyond it.
    off = [ship for ship in sight.ships if ship.at and not ship.gone and _place(ship.at) is None]
    beyond = [row for ship in off for row in wrapped(line(f"{ship.name} {ship.place}"), width)]
    if not units or rows < _LEAST or width < 20:
        return beyond
    there = [ship.name for ship in sight.ships if not ship.gone]
    named = [line((signs[name], "bold"), (f" {name}", "dim")) for name in there]
    plain = all(signs[name] == name[:1].upper() for name in there)
    letters = [] if plain else flowed((), named, width)
    below: list[Line] = []
    while True:
        drawn, shared = _drawn(units, width, rows - len(below))
        below_it = [*beyond, *(row for group in shared for row in _who_shares(group, width)), *letters]
        below_it = below_it[: rows - _LEAST]
        if len(below_it) <= len(below):
            return [*drawn, *below_it]
        # What is told below takes rows of the map, which may then have less room for each hex.
        below = below_it


def _who_shares(units: Sequence[Unit], width: int) -> list[Line]:
    """Who stands where several counters do, and how each faces."""
    names = ", ".join(f"{unit.name} {unit.hex}{unit.facing or ''}" for unit in units)
    return wrapped(line((f"{_first(units).sign}+", "bold"), f" {names}"), width, 3)


def _first(units: Sequence[Unit]) -> Unit:
    """Of several counters in one place the one whose sign stands there: the ship that moves now, else the first."""
    return next((unit for unit in units if unit.style == "now"), units[0])


def _place(at: str) -> tuple[Hex, str | None] | None:
    try:
        return parse_map_position(at)
    except ValueError:
        return None


def _drawn(units: list[Unit], width: int, rows: int) -> tuple[list[Line], list[list[Unit]]]:
    """The map in so many rows, and which counters stand in one place of it."""
    left, right = min(u.hex.column for u in units), max(u.hex.column for u in units)
    top, bottom = min(u.hex.row for u in units), max(u.hex.row for u in units)
    beside, above = 3, 1
    room, high = width - beside, rows - above

    def fits(scale: tuple[int, int, int]) -> bool:
        across, down, each = scale
        wide, tall = (right - left) // each + 2, (bottom - top) // each + 2
        return wide * across + 1 <= room and tall * down <= high

    scale = next(filter(fits, _SCALES), None)
    if scale is None:
        return [line("the ships are too far apart for a map", style="dim")], []
    across, down, each = scale
    wide = min(room // across, (right - left) // each + 13)
    tall = min((high - 1) // down, (bottom - top) // each + 13)
    left = max(1, left - each * ((wide - ((right - left) // each + 1)) // 2))
    top = max(1, top - each * ((tall - ((bottom - top) // each + 1)) // 2))
    grid = [[(" ", "")] * room for _ in range(high)]
    for column in range(left, left + wide * each, each):
        for row in range(top, top + tall * each, each):
            x, y = _spot(column, row, left, top, scale)
            marked = across > 1 or ((column - left) % (5 * each) == 0 and (row - top) % (5 * each) == 0)
            if marked and 0 <= y < high and 0 <= x < room:
                grid[y][x] = ("·", "dim")
    places: dict[tuple[int, int], list[Unit]] = {}
    for unit in units:
        places.setdefault(_spot(unit.hex.column, unit.hex.row, left, top, scale), []).append(unit)
    for n in (1, 0):  # Where ships stand close the letter covers another's arrow.
        for (x, y), here in places.items():
            unit = _first(here)
            marks = unit.sign + ("+" if len(here) > 1 else unit.arrow)
            if 0 <= y < high and 0 <= x + n < room:
                grid[y][x + n] = (marks[n], unit.style)
    every = 1 if across > 2 else 5
    head = [" "] * room
    for n in range(0, wide, every):
        if n * across + 2 <= room:
            head[n * across : n * across + 2] = list(f"{left + n * each:02}"[-2:])
    lines = [line((" " * beside + "".join(head), "dim"))]
    for y in range(high):
        number, rest = divmod(y, down)
        named = f"{top + number * each:02} " if not rest and number < tall else "   "
        lines.append(((named, "dim"), *_runs(grid[y])))
    return lines, [here for here in places.values() if len(here) > 1]


def _runs(cells: list[Piece]) -> Iterator[Piece]:
    """A row in runs of one style. A space takes the style of the cell before it."""
    text, style = "", "dim"
    for letter, look in cells:
        if letter != " " and look != style:
            if text:
                yield text, style
            text, style = "", look
        text += letter
    yield text, style


def _spot(column: int, row: int, left: int, top: int, scale: tuple[int, int, int]) -> tuple[int, int]:
    """Where a hex stands in the text; hexes of even columns are half a hex lower."""
    across, down, each = scale
    lower = 1 if column % 2 == 0 and down > 1 else 0
    return (column - left) // each * across, (row - top) // each * down + lower
