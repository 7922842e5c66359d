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
    of_turns = any(labels.is_turn(cell) for cell in row[:first])
    headed = (c for c in range(first, len(row)) if labels.turn_number(row[c], of_turns=of_turns) == turn)
    column = next(headed, None)
    return None if column is None else _below(sheet, labels, layout.header, layout.labels, column)


def notes_of(sheet: Sheet, labels: LabelIndex) -> Mapping[str, str]:
    """What is written behind the turns, by line: the texts of columns whose heading is no turn."""
    layout = layout_of(sheet, labels)
    if layout.header is None:
        return {}
    row = sheet.rows[layout.header]
    turns = [
        c for c in range(layout.labels + 1, len(row)) if labels.turn_number(row[c], of_turns=True) is not None
    ]
    notes: dict[str, str] = {}
    for cells in sheet.rows[layout.header + 1 :]:
        line = labels.line(cells[layout.labels].strip()) if len(cells) > layout.labels else None
        texts = [text.strip() for text in cells[max(turns, default=layout.labels) + 1 :] if text.strip()]
        if line is not None and texts:
            notes[line] = "; ".join([*([notes[line]] if line in notes else []), *texts])
    return notes


def _below(
    sheet: Sheet, labels: LabelIndex, header: int, first: int, column: int
) -> Mapping[str, tuple[int, int, str]]:
    cells: dict[str, tuple[int, int, str]] = {}
    for number, row in enumerate(sheet.rows[header + 1 :], header + 1):
        line = labels.line(row[first].strip()) if len(row) > column and row[first].strip() else None
        if line is not None:
            cells.setdefault(line, (number, column, row[column]))
    return cells
