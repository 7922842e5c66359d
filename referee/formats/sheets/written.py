"""Where on a sheet the figures of a turn are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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


def with_turn(
    sheet: Sheet, labels: LabelIndex, turn: int, *, put_in: bool = False
) -> tuple[Sheet, tuple[int, int]] | None:
    """The sheet with a turn's heading in the column after its last, and where that is; None where anything stands
    in that column, unless it was `put_in` for the turn."""
    layout, at = layout_of(sheet, labels), after_turns(sheet, labels)
    if layout.header is None or at is None:
        return None
    rows = [[*cells, *[""] * (at + 1 - len(cells))] for cells in sheet.rows]
    if not put_in and any(cells[at].strip() for cells in rows):
        return None
    rows[layout.header][at] = str(turn)
    return replace(sheet, rows=tuple(map(tuple, rows))), (layout.header, at)


def after_turns(sheet: Sheet, labels: LabelIndex) -> int | None:
    """The column after that of the last turn; None where no row names turns."""
    layout = layout_of(sheet, labels)
    if layout.header is None:
        return None
    row, first = sheet.rows[layout.header], layout.labels + 1
    headed = [c for c in range(first, len(row)) if labels.turn_number(row[c], of_turns=True) is not None]
    return max(headed, default=layout.labels) + 1


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
