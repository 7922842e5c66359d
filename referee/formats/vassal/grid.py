"""From a piece's pixels to the name of its place, as VASSAL computes it, and back for hexes.

Names use a rectangular rule, not the true hexagon: a point near a corner may be named for a
neighbour of the hex it is drawn in. That is VASSAL's rule, and players see these names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from math import floor

from referee.core.frozen import frozen

OFFBOARD = "offboard"
_PLAIN = "$gridLocation$"
Point = tuple[float, float]


@frozen
class Numbering:
    """How rows and columns of a grid are named."""

    first: str = "H"
    separator: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_offset: int = 1
    v_offset: int = 1
    h_descending: bool = False
    v_descending: bool = False
    stagger: bool = True
    location_format: str = _PLAIN

    def name(self, column: int, row: int) -> str:
        """The name of a place whose column and row count from 0."""
        columns = _count_name(column + self.h_offset, self.h_type, self.h_leading)
        rows = _count_name(row + self.v_offset, self.v_type, self.v_leading)
        pair = (columns, rows) if self.first == "H" else (rows, columns)
        if self.location_format == _PLAIN:
            return self.separator.join(pair)
        texts = {"gridLocation": self.separator.join(pair), "row": rows, "column": columns}
        return fill(self.location_format, texts)


@frozen
class HexGrid:
    """Hexes; when `sideways` the two axes change places."""

    x0: int = 0
    y0: int = 32
    dx: float = 64 * 3**0.5 / 2
    dy: float = 64.0
    sideways: bool = False
    numbering: Numbering | None = None

    def name(self, x: float, y: float, size: Size) -> str | None:
        """The name of a point of the board."""
        if self.numbering is None:
            return None
        return self.numbering.name(*self._numbers(*self.cell(x, y), size, self.numbering))

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Column and row from 0, before any renumbering; odd columns lie half a hex lower."""
        if self.sideways:
            x, y = y, x
        column = _round((x - self.x0) / self.dx)
        half = self.dy / 2 if column % 2 else 0
        return column, _round((y - self.y0 - half) / self.dy)

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """The board pixel in the middle of a cell."""
        half = self.dy / 2 if column % 2 else 0
        x, y = self.x0 + int(column * self.dx), self.y0 + int(row * self.dy + half)
        return (y, x) if self.sideways else (x, y)

    def cells(self, size: Size) -> Iterator[tuple[int, int]]:
        """Every cell a board of that size can have."""
        width, height = (size.height, size.width) if self.sideways else (size.width, size.height)
        for column in range(-1, int(width / self.dx) + 2):
            for row in range(-1, int(height / self.dy) + 2):
                yield column, row

    def _numbers(self, column: int, row: int, size: Size, numbering: Numbering) -> tuple[int, int]:
        columns_fall, rows_fall = numbering.h_descending, numbering.v_descending
        if self.sideways:
            columns_fall, rows_fall = rows_fall, columns_fall
        odd = column % 2 == 1
        if columns_fall or rows_fall:
            # The engine divides the height by dx and the width by dy, whichever way the grid lies.
            last_row = floor(size.height / self.dx + 0.5)
            last_column = floor(size.width / self.dy + 0.5)
            if self.sideways:
                last_column, last_row = last_row, last_column
            column = last_column - column if columns_fall else column
            row = last_row - row if rows_fall else row
        if numbering.stagger and odd:
            row += -1 if rows_fall else 1
        # A sideways grid is numbered along its own axes: nothing changes back.
        return column, row


@frozen
class SquareGrid:
    """Squares."""

    x0: int = 24
    y0: int = 24
    dx: float = 48.0
    dy: float = 48.0
    numbering: Numbering | None = None

    def name(self, x: float, y: float, size: Size) -> str | None:
        """The name of a point of the board."""
        if self.numbering is None:
            return None
        column, row = self.cell(x, y)
        if self.numbering.h_descending:
            column = floor(size.width / self.dx + 0.5) - column
        if self.numbering.v_descending:
            row = floor(size.height / self.dy + 0.5) - row
        return self.numbering.name(column, row)

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Column and row from 0, before any renumbering."""
        return floor((x - self.x0) / self.dx + 0.5), floor((y - self.y0) / self.dy + 0.5)


@frozen
class RegionGrid:
    """Named points; a place is called after the nearest."""

    regions: tuple[tuple[str, int, int], ...] = field(default=())

    def name(self, x: float, y: float, size: Size) -> str | None:
        """The name of a point of the board."""
        if not self.regions:
            return None
        return min(self.regions, key=lambda region: (region[1] - x) ** 2 + (region[2] - y) ** 2)[0]


@frozen
class Zone:
    """A polygon with a name, and a grid of its own or its board's."""

    name: str
    path: tuple[tuple[int, int], ...]
    location_format: str = "$name$"
    use_parent_grid: bool = False
    grid: Grid | None = None

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in the polygon."""
        inside = False
        previous_x, previous_y = self.path[-1] if self.path else (0, 0)
        for point_x, point_y in self.path:
            crosses = (point_y > y) != (previous_y > y)
            if crosses and x < (previous_x - point_x) * (y - point_y) / (previous_y - point_y) + point_x:
                inside = not inside
            previous_x, previous_y = point_x, point_y
        return inside


@frozen
class ZonedGrid:
    """Zones over a background grid; the first zone that contains a point names it."""

    zones: tuple[Zone, ...] = ()
    background: Grid | None = None

    def name(self, x: float, y: float, size: Size) -> str | None:
        """The name of a point of the board."""
        for zone in self.zones:
            if zone.contains(x, y):
                grid = self.background if zone.use_parent_grid else zone.grid
                inner = grid.name(x, y, size) if grid else None
                texts = {"name": zone.name, "gridLocation": inner or ""}
                return fill(zone.location_format, texts) or None
        return self.background.name(x, y, size) if self.background else None


Grid = HexGrid | SquareGrid | RegionGrid | ZonedGrid


@frozen
class Size:
    """Width and height of a board in pixels."""

    width: int
    height: int


@frozen
class LaidBoard:
    """A board in its place on a map; without a size it is taken to have no end."""

    name: str
    x: int
    y: int
    size: Size | None
    reversed: bool
    grid: Grid | None

    def contains(self, x: int, y: int) -> bool:
        """Whether a map pixel lies on the board."""
        if self.size is None:
            return x >= self.x and y >= self.y
        return self.x <= x < self.x + self.size.width and self.y <= y < self.y + self.size.height

    def turn(self, x: int, y: int) -> tuple[int, int]:
        """Board pixels of the unturned board; the same step leads back."""
        if self.reversed and self.size:
            return self.size.width - x, self.size.height - y
        return x, y

    def name_at(self, x: int, y: int) -> str | None:
        """The name of a map pixel on this board."""
        if self.grid is None:
            return None
        return self.grid.name(*self.turn(x - self.x, y - self.y), self.size or Size(0, 0))

    def centres(self) -> Iterator[tuple[str, int, int]]:
        """Name and map pixel of the middle of every hex of the board."""
        for grid in _hex_grids(self.grid):
            for column, row in grid.cells(self.size or Size(0, 0)):
                x, y = self.turn(*grid.centre(column, row))
                x, y = x + self.x, y + self.y
                if self.contains(x, y) and (name := self.name_at(x, y)):
                    yield name, x, y


@frozen
class BoardLayout:
    """The boards of a map, laid out."""

    boards: tuple[LaidBoard, ...]

    def board_at(self, x: int, y: int) -> LaidBoard | None:
        """The board under a map pixel."""
        for board in self.boards:
            if board.contains(x, y):
                return board
        return None

    def name_at(self, x: int, y: int) -> str:
        """The name VASSAL shows for a map pixel."""
        board = self.board_at(x, y)
        return (board.name_at(x, y) if board else None) or OFFBOARD

    def find(self, name: str) -> tuple[int, int] | None:
        """The map pixel in the middle of the hex with a name."""
        for board in self.boards:
            for found, x, y in board.centres():
                if found == name:
                    return x, y
        return None


@frozen
class BoardPlace:
    """A board to lay: its place counts boards."""

    name: str
    column: int
    row: int
    reversed: bool
    size: Size | None
    grid: Grid | None


def lay_out(places: Sequence[BoardPlace], edge_width: int, edge_height: int) -> BoardLayout:
    """Puts boards side by side inside the map's edge."""
    sizes = {(place.column, place.row): place.size or Size(0, 0) for place in places}
    boards = []
    for place in places:
        x = edge_width + sum(s.width for (c, r), s in sizes.items() if r == place.row and c < place.column)
        y = edge_height + sum(s.height for (c, r), s in sizes.items() if c == place.column and r < place.row)
        boards.append(LaidBoard(place.name, x, y, place.size, place.reversed, place.grid))
    return BoardLayout(tuple(boards))


def fill(text: str, values: dict[str, str]) -> str:
    """A format with its `$name$` parts replaced."""
    for name, value in values.items():
        text = text.replace(f"${name}$", value)
    return text


def _round(value: float) -> int:
    """Java's rounding, which is not Python's."""
    return floor(value + 0.5)


@lru_cache(maxsize=1024)
def _count_name(number: int, kind: str, leading: int) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    if kind == "A":
        return sign + chr(65 + number % 26) * (number // 26 + 1 if number < 2600 else 1)
    return sign + str(number).zfill(min(leading, 9) + 1 if leading > 0 else 1)


def _hex_grids(grid: Grid | None) -> Iterator[HexGrid]:
    if isinstance(grid, HexGrid):
        yield grid
    elif isinstance(grid, ZonedGrid):
        for zone in grid.zones:
            yield from _hex_grids(zone.grid)
        yield from _hex_grids(grid.background)
