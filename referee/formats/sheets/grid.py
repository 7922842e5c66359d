"""Grids of text cells: the sheets readers build, and what a cell's text may be."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.location import Location, cell_name
from referee.core.once import pattern
from referee.core.sheet import Sheet
from referee.formats.limits import MAX_CSV_FIELD, MAX_SHEET_CELLS, MAX_SHEET_COLUMN, MAX_SHEET_ROWS

# Readers fill the whole box up to the last cell, so two far cells cost as much as all between them.
MAX_BOX = 10 * MAX_SHEET_CELLS
MAX_TITLE = 100  # characters of a worksheet's name; spreadsheet programs allow about 31
MAX_TEXT = 4 * 1024 * 1024  # characters of all cells of one workbook

UNSAVED = "formula without a saved value"
"""What is read where a formula has no value: no figure, and nobody takes it for 0."""

_NAMED = 10**7  # rows and columns further out are not worth their long names

# U+2028 and U+2029 end a line on some terminals.
CONTROL = pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LINE_BREAKS = pattern("(?:[\t\n\r]|_x000[9AaDd]_)+")
_REFERENCE = pattern(r"([A-Z]{1,3})([1-9][0-9]{0,6})")


@frozen
class CsvSheet(Sheet):
    """A sheet from a text file, where a row is also a line."""

    def at(self, row: int, column: int) -> Location:
        """Where a cell is, with the line of the file; rows and columns count from 0."""
        return self.place.within(cell=cell_name(row, column), line=row + 1)


@frozen
class WorkbookSheet(Sheet):
    """A worksheet; `formulas` are the cells (row, column from 0) whose text is a formula's saved value."""

    formulas: frozenset[tuple[int, int]] = frozenset()
    hidden: bool = False


def rectangle(rows: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    """The rows padded to one width, without the empty rows and columns at the end."""
    lengths = [max((n for n, cell in enumerate(row, 1) if cell), default=0) for row in rows]
    height = max((n for n, length in enumerate(lengths, 1) if length), default=0)
    width = max(lengths, default=0)
    return tuple(tuple(row[:width]) + ("",) * (width - len(row)) for row in rows[:height])


def clean_text(text: str, file: str, place: str) -> str:
    """A workbook's cell text on one line; other control characters and long texts are refused."""
    if len(text) > MAX_CSV_FIELD:
        raise BadInput(f"cell with more than {MAX_CSV_FIELD} characters", file=file, place=place)
    # A label broken over two lines of its cell is common, and still the same label.
    text = _LINE_BREAKS.sub(" ", text)
    if found := CONTROL.search(text):
        raise BadInput(f"control character U+{ord(found[0]):04X} in a cell", file=file, place=place)
    return text


def clean_title(title: str, file: str, place: str) -> str:
    """A worksheet's name, which becomes part of the place of every cell on it."""
    if len(title) > MAX_TITLE:
        raise BadInput(f"worksheet name with more than {MAX_TITLE} characters", file=file, place=place)
    return clean_text(title, file, place)


def cell_position(name: str) -> tuple[int, int] | None:
    """Row and column from 0 of a cell's name (`B14` is (13, 1)), or None if it is not one."""
    match = _REFERENCE.fullmatch(name)
    if not match:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    return int(match[2]) - 1, column - 1


class Bounds:
    """Counts what a workbook's cells will cost, and refuses before anything is built from them."""

    __slots__ = ("_box", "_file", "_sheet", "_text", "cells", "columns", "rows")

    def __init__(self, file: str) -> None:
        self._file = file
        self._sheet = ""
        self._box = self._text = self.cells = self.rows = self.columns = 0

    def begin(self, sheet: str) -> None:
        """What follows is on this sheet."""
        self._box += self.rows * self.columns
        self._sheet = sheet
        self.rows = self.columns = 0

    def reach(self, row: int, column: int) -> None:
        """A cell, or the corner of a merged range, stands here (counted from 0)."""
        if row >= MAX_SHEET_ROWS or column >= MAX_SHEET_COLUMN:
            near = cell_name(row, column) if row < _NAMED and column < _NAMED else ""
            raise self.bad(f"cell beyond column ZZ or row {MAX_SHEET_ROWS}", near)

    def fill(self, row: int, column: int, length: int, *, times: int = 1) -> None:
        """`times` cells whose last is here hold a text of this length."""
        self.reach(row, column)
        self.cells += times
        self._text += times * length
        self.rows, self.columns = max(self.rows, row + 1), max(self.columns, column + 1)
        if self.cells > MAX_SHEET_CELLS:
            raise self.bad(f"more than {MAX_SHEET_CELLS} filled cells")
        if self._box + self.rows * self.columns > MAX_BOX:
            raise self.bad("filled cells lie too far apart", cell_name(row, column))
        if length > MAX_CSV_FIELD:
            raise self.too_long(row, column)
        if self._text > MAX_TEXT:
            raise self.bad(f"more than {MAX_TEXT} characters in its cells")

    def too_long(self, row: int, column: int) -> BadInput:
        """A refusal of the text in this cell."""
        return self.bad(f"cell with more than {MAX_CSV_FIELD} characters", cell_name(row, column))

    def bad(self, reason: str, cell: str = "", hint: str = "") -> BadInput:
        """A refusal that names the sheet and the cell."""
        place = ":".join(part for part in (self._sheet, cell) if part)
        return BadInput(reason, file=self._file, place=place, hint=hint)
