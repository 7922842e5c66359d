"""Where on a sheet a form stands: the column of its labels and the row that names its turns."""

from __future__ import annotations

from referee.core.frozen import frozen
from referee.core.sheet import Sheet
from referee.formats.sheets.labels import LabelIndex

ENOUGH_LABELS = 4
"""Lines of the form, each of another label, that make a column the column of labels."""


@frozen
class Layout:
    """The row of the headings, None where no row names turns, and the column of the labels, both from 0."""

    header: int | None
    labels: int


def layout_of(sheet: Sheet, index: LabelIndex) -> Layout:
    """How a sheet is laid out. The labels stand in the first column, unless it has not enough of them and
    another has: rows that are only numbered may well be numbered otherwise than the lines of the form."""
    labels = _label_column(sheet, index)
    return Layout(_header_row(sheet, index, labels), labels)


def why_no_form(sheet: Sheet, index: LabelIndex) -> str:
    """Why a sheet that holds labels of a form is none; nothing where it does not hold them."""
    labels = _label_column(sheet, index)
    if len(_lines(sheet, index, labels)) >= ENOUGH_LABELS:
        return "no row over its figures names the turns, such as Turn,1,2,3"
    for number, row in enumerate(sheet.rows, 1):
        if len({line for cell in row if (line := _worded(cell, index))}) >= ENOUGH_LABELS:
            return f"its labels stand in row {number} beside each other and not below each other"
    return ""


def _label_column(sheet: Sheet, index: LabelIndex) -> int:
    if len(_lines(sheet, index, 0)) >= ENOUGH_LABELS:
        return 0
    found: dict[int, set[str]] = {0: set()}
    for row in sheet.rows:
        for column, cell in enumerate(row):
            if cell and (line := _worded(cell, index)):
                found.setdefault(column, set()).add(line)
    best = max(sorted(found), key=lambda column: len(found[column]))
    return best if len(found[best]) >= ENOUGH_LABELS else 0


def _lines(sheet: Sheet, index: LabelIndex, column: int) -> set[str]:
    """The lines that labels in words name in a column."""
    return {line for row in sheet.rows if len(row) > column and (line := _worded(row[column], index))}


def _worded(cell: str, index: LabelIndex) -> str | None:
    return index.line(cell) if any(map(str.isalpha, cell)) else None


def _header_row(sheet: Sheet, index: LabelIndex, labels: int) -> int | None:
    """The row that names the turns: one that says "Turn" over the labels, else the first that could."""
    candidates = [number for number, row in enumerate(sheet.rows) if _names_turns(row, index, labels)]
    said = (number for number in candidates if _says_turn(sheet.rows[number], index, labels))
    return next(said, candidates[0] if candidates else None)


def _says_turn(row: tuple[str, ...], index: LabelIndex, labels: int) -> bool:
    return any(index.is_turn(cell) for cell in row[: labels + 1])


def _names_turns(row: tuple[str, ...], index: LabelIndex, labels: int) -> bool:
    label = row[labels] if len(row) > labels else ""
    if index.line(label) or index.is_ignored(label) or any(map(index.is_ship, row[: labels + 1])):
        return False
    said = _says_turn(row, index, labels)
    return any(index.turn_number(cell, said=said) is not None for cell in row[labels + 1 :])
