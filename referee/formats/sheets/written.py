"""Where on a sheet the figures of a turn are written."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.sheet import Sheet
from referee.formats.sheets.labels import LabelIndex
from referee.formats.sheets.layout import layout_of


def cells_of_turn(sheet: Sheet, labels: LabelIndex, turn: int) -> Mapping[str, tuple[int, int, str]] | None:
    """Row, column and text of the cell of each line in a turn's column; None where no column is headed so.

    Rows and columns count from 0. Of a line that has several rows it is the first.
    """
    layout = layout_of(sheet, labels)
    if layout.header is None:
        return None
    row, first = sheet.rows[layout.header], layout.labels + 1
    said = any(labels.is_turn(cell) for cell in row[:first])
    headed = (c for c in range(first, len(row)) if labels.turn_number(row[c], said=said) == turn)
    column = next(headed, None)
    return None if column is None else _below(sheet, labels, layout.header, layout.labels, column)


def _below(
    sheet: Sheet, labels: LabelIndex, header: int, first: int, column: int
) -> Mapping[str, tuple[int, int, str]]:
    cells: dict[str, tuple[int, int, str]] = {}
    for number, row in enumerate(sheet.rows[header + 1 :], header + 1):
        line = labels.line(row[first].strip()) if len(row) > column and row[first].strip() else None
        if line is not None:
            cells.setdefault(line, (number, column, row[column]))
    return cells
