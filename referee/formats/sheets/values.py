"""Screened workbook parts to cell texts, through python-calamine."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite, ulp
from typing import TYPE_CHECKING

import python_calamine

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.location import Location, cell_name
from referee.core.sheet import Sheet
from referee.formats.limits import MAX_FRACTION_DIGITS, MAX_SHEET_COLUMN, MAX_SHEET_ROWS
from referee.formats.sheets.grid import UNSAVED, WorkbookSheet, clean_text, rectangle

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

# Enough for every part of an energy point that a move cost or a weapon asks for.
_SMALL_DENOMINATOR = 60
_CUT = Fraction(1, 10**12)
_DECIMAL = 10**MAX_FRACTION_DIGITS  # denominators that divide it are decimals
_EXACT = 10**15  # whole numbers below this are exact in a spreadsheet


@frozen
class ScreenedSheet:
    """A worksheet that passed the screen: its name, and which cells hold formulas.

    `key` is its name in the parts handed on, where that is another; `unsaved` are formulas without a value.
    """

    name: str
    formulas: frozenset[tuple[int, int]] = frozenset()
    hidden: bool = False
    key: str = ""
    unsaved: frozenset[tuple[int, int]] = frozenset()


def read_values(
    parts: Mapping[str, bytes], file: str, screened: Sequence[ScreenedSheet]
) -> tuple[Sheet, ...]:
    """The texts of the sheets named, from the parts that were screened and nothing else."""
    workbook = _open(parts, file)
    return tuple(_sheet(workbook, file, sheet) for sheet in screened)


def number_text(value: float) -> str:
    """A number as a spreadsheet shows it: 15 digits, `13` and not `13.0`.

    What is a fraction but for rounding, and no decimal, becomes that fraction: one third is `1/3`.
    """
    if abs(value) < _EXACT and value == int(value):
        return str(int(value))
    shown = f"{value:.15g}"
    if "e" in shown or not isfinite(value):
        return shown
    exact = Fraction(value)
    near = exact.limit_denominator(_SMALL_DENOMINATOR)
    # Programs that save 15 digits instead of 17 cut a third short; more decimals than a player types.
    cut = len(shown.partition(".")[2]) > MAX_FRACTION_DIGITS
    close = abs(near - exact) <= (_CUT if cut else 4 * Fraction(ulp(value)))
    return str(near) if close and _DECIMAL % near.denominator else shown


def _open(parts: Mapping[str, bytes], file: str) -> CalamineWorkbook:
    # A new archive of the screened parts, so that the library cannot find another one in the file.
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    packed.seek(0)
    try:
        return python_calamine.load_workbook(packed)
    except BaseException as error:
        raise _refusal(error, file, "") from None


def _sheet(workbook: CalamineWorkbook, file: str, screened: ScreenedSheet) -> Sheet:
    try:
        found = workbook.get_sheet_by_name(screened.key or screened.name)
        row, column = found.end or (0, 0)
        if row >= MAX_SHEET_ROWS or column >= MAX_SHEET_COLUMN:
            raise BadInput("cells beyond the limits", file=file, place=screened.name)
        values = found.to_python(skip_empty_area=False)
    except BaseException as error:
        raise _refusal(error, file, screened.name) from None
    rows = [
        [_text(value, file, screened.name, row, column) for column, value in enumerate(cells)]
        for row, cells in enumerate(values)
    ]
    for row, column in screened.unsaved:
        rows += [[] for _ in range(row + 1 - len(rows))]
        rows[row] += [""] * (column + 1 - len(rows[row]))
        rows[row][column] = UNSAVED
    place = Location(file=file, sheet=screened.name)
    return WorkbookSheet(rectangle(rows), place, screened.name, screened.formulas, screened.hidden)


def _text(value: object, file: str, title: str, row: int, column: int) -> str:
    if isinstance(value, str):
        return clean_text(value, file, f"{title}:{cell_name(row, column)}") if value else ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return number_text(value)
    # Dates and times, in the one form that nobody takes for a fraction.
    return str(value)


def _refusal(error: BaseException, file: str, place: str) -> BaseException:
    """What to raise instead: a panic of the library is no Exception, yet only a damaged workbook."""
    if isinstance(error, BadInput):
        return error
    if isinstance(error, Exception) and not isinstance(error, MemoryError):
        return BadInput("damaged workbook", file=file, place=place)
    if type(error).__name__ == "PanicException":
        return BadInput("damaged workbook", file=file, place=place)
    return error
