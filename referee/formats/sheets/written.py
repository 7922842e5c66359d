"""Where on a sheet the figures of a turn are written."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.sheet import Sheet
from referee.formats.sheets.labels import LabelIndex


def cells_of_turn(sheet: Sheet, labels: LabelIndex, turn: int) -> Mapping[str, tuple[int, int, str]] | None:
    """Row, column and text of the cell of each line in a turn's column; None where no column is headed so.

    Rows and columns count from 0. Of a line that has several rows it is the first.
    """
    for number, row in enumerate(sheet.rows):
        columns = [column for column, text in enumerate(row) if column and labels.turn_number(text) == turn]
        if columns and not labels.line(row[0]) and not labels.is_ship(row[0]):
            return _below(sheet, labels, number, columns[0])
    return None


def _below(sheet: Sheet, labels: LabelIndex, header: int, column: int) -> Mapping[str, tuple[int, int, str]]:
    cells: dict[str, tuple[int, int, str]] = {}
    for number, row in enumerate(sheet.rows[header + 1 :], header + 1):
        line = labels.line(row[0].strip()) if row and row[0].strip() else None
        if line is not None and len(row) > column:
            cells.setdefault(line, (number, column, row[column]))
    return cells
