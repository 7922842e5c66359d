"""Where on a sheet a form stands: the column of its labels and the row that names its turns."""

from __future__ import annotations

from referee.core.frozen import frozen
from referee.core.sheet import Sheet
from referee.formats.sheets.labels import LabelIndex

ENOUGH_LABELS = 4
"""Lines of the form, each of another label, that make a column the column of labels."""
_SHOWN = 4


@frozen
class FormLayout:
    """The row of the headings, None where no row names turns, and the column of the labels, both from 0."""

    header: int | None
    labels: int


def layout_of(sheet: Sheet, index: LabelIndex) -> FormLayout:
    """How a sheet is laid out. The labels stand in the first column, unless it has not enough of them and
    another has: rows that are only numbered may well be numbered otherwise than the lines of the form."""
    labels = label_column(sheet, index)
    return FormLayout(_header_row(sheet, index, labels), labels)


def why_no_form(sheet: Sheet, index: LabelIndex) -> str:
    """Why a sheet that holds labels of a form is none; nothing where it does not hold them."""
    labels = label_column(sheet, index)
    if len(_lines(sheet, index, labels)) >= ENOUGH_LABELS:
        return "no row over its figures names the turns, such as Turn,1,2,3"
    for number, row in enumerate(sheet.rows, 1):
        if len({line for cell in row if (line := _worded(cell, index))}) >= ENOUGH_LABELS:
            return f"its labels stand in row {number} beside each other and not below each other"
    return ""


def what_stands(sheet: Sheet, index: LabelIndex) -> str:
    """The labels that a sheet without a form should have, and the texts its cells have instead."""
    looked_for = ", ".join(index.usual[:_SHOWN])
    sought = f"looked for rows such as {looked_for} below Turn, 1, 2, 3"
    cells = unread_labels(sheet, index, known=True)
    if not cells:
        return f"{sought}; it is empty"
    known = [(place, text) for place, text in cells if _worded(text, index)]
    clause = (
        f"; of these {_listed(known)} {'is a line' if len(known) == 1 else 'are lines'} of it"
        if known
        else ""
    )
    return f"{sought}; found {_listed(cells)}{clause}"


def unread_labels(sheet: Sheet, index: LabelIndex, *, known: bool = False) -> list[tuple[str, str]]:
    """The cells of the column with most words, with their texts: those that are no line of the form nor head
    it, or with `known` all of them; of a sheet without words, all its cells."""
    columns: dict[int, list[tuple[str, str]]] = {}
    others: list[tuple[str, str]] = []
    for number, row in enumerate(sheet.rows):
        for column, cell in enumerate(row):
            if text := cell.strip():
                place = sheet.at(number, column).cell or ""
                worded = any(map(str.isalpha, text))
                (columns.setdefault(column, []) if worded else others).append((place, text))
    labels = max((columns[column] for column in sorted(columns)), key=len, default=others)
    if known:
        return labels
    header = _header_row(sheet, index, label_column(sheet, index))
    heading = (
        {sheet.at(header, column).cell for column in range(len(sheet.rows[header]))}
        if header is not None
        else set()
    )
    strange = [(place, text) for place, text in labels if place not in heading and labels is not others]
    return [(place, text) for place, text in strange if not _is_known(text, index)]


def _is_known(text: str, index: LabelIndex) -> bool:
    named = index.line(text) or index.is_ignored(text) or index.is_turn(text) or index.is_ship(text)
    return bool(named) or index.turn_number(text) is not None


def _listed(cells: list[tuple[str, str]]) -> str:
    """The first of some cells, with their texts."""
    shown = ", ".join(f"{place} {' '.join(text.split())[:30]}" for place, text in cells[:_SHOWN])
    return shown + (f" and {len(cells) - _SHOWN} more" if len(cells) > _SHOWN else "")


def label_column(sheet: Sheet, index: LabelIndex) -> int:
    """The column of the labels, from 0."""
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
    headed = (number for number in candidates if _says_turn(sheet.rows[number], index, labels))
    return next(headed, candidates[0] if candidates else None)


def _says_turn(row: tuple[str, ...], index: LabelIndex, labels: int) -> bool:
    return any(index.is_turn(cell) for cell in row[: labels + 1])


def _names_turns(row: tuple[str, ...], index: LabelIndex, labels: int) -> bool:
    label = row[labels] if len(row) > labels else ""
    if index.line(label) or index.is_ignored(label) or any(map(index.is_ship, row[: labels + 1])):
        return False
    of_turns = _says_turn(row, index, labels)
    return any(index.turn_number(cell, of_turns=of_turns) is not None for cell in row[labels + 1 :])
