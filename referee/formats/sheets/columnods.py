"""A column put into a table of an ODS workbook, behind the one whose looks, formulas and rules it takes over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.formats.archive import Archive
from referee.formats.sheets.copiedods import (
    CALC,
    CELLS,
    COLUMNS,
    CONTENT,
    FORMULA,
    MATRIX,
    OFFICE,
    TABLE,
    alone,
    tables_of,
    workbook_of,
    write_value,
)
from referee.formats.sheets.editedpart import parsed, unparsed
from referee.formats.sheets.formulas import Value, worked_out
from referee.formats.sheets.references import in_ods, one_further_in_ods

if TYPE_CHECKING:
    from lxml.etree import _Element

_SPANS = f"{TABLE}number-columns-spanned"
_CELL, _COVERED = CELLS
_UNSAFE = {
    f"{TABLE}data-pilot-table": "a pivot table",
    f"{TABLE}tracked-changes": "recorded changes",
    f"{TABLE}scenario": "a scenario",
    "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}object": "a chart or other object",
    f"{TABLE}shapes": "a picture or shape",
}
_ADDRESSES = frozenset(
    ("cell-range-address", "base-cell-address", "target-range-address", "print-ranges", "range-address")
)
_CONDITIONS = frozenset(("condition", "expression"))
_GROW = frozenset((f"{TABLE}print-ranges", f"{CALC}target-range-address"))
"""What holds for a turn's column and so for the new one."""
_OWN = ("style-name", "content-validation-name", "protected", "protect")
"""What a cell of the new column has of the one before it."""


def with_column(archive: Archive, sheet: str, at: int) -> dict[str, bytes]:
    """The parts that are other with a new column at `at` (from 0) of a sheet. Raises BadInput where something stands in
    the workbook of which it is not known how to move it."""
    root = parsed(archive, CONTENT)
    tables = tables_of(root, archive.file)
    _must_be_movable(root, archive.file, sheet)
    for title, table in tables.items():
        for element in table.iter(*CELLS):
            if formula := element.get(FORMULA):
                element.set(FORMULA, in_ods(formula, sheet, at, on_it=title == sheet))
    _addresses(root, sheet, at)
    table = tables[sheet]
    _widened(table.iter(f"{TABLE}table-column"), at)
    made = [cell for row in table.iter(f"{TABLE}table-row") if (cell := _new_cell(row, at)) is not None]
    workbook = workbook_of(tables)
    new = [place for place in workbook.formulas if place[0] == sheet and place[2] == at]
    # Nothing is filled in yet: what its formulas come to hangs on nothing but blank cells.
    rows = 1 + max((row for of, row, _ in workbook.values if of == sheet), default=0)
    blank: dict[tuple[str, int, int], Value] = {
        (sheet, row, at): None for row in range(rows) if (sheet, row, at) not in workbook.formulas
    }
    worth = worked_out(workbook, blank)
    for place, cell in zip(new, (cell for cell in made if cell.get(FORMULA)), strict=True):
        write_value(cell, worth.get(place))
    return {CONTENT: unparsed(root)}


def _must_be_movable(root: _Element, file: str, sheet: str) -> None:
    """Raises BadInput for what cannot be moved with its cells."""
    found = [what for tag, what in _UNSAFE.items() if next(root.iter(tag), None) is not None]
    if next((cell for cell in root.iter(_CELL) if cell.get(MATRIX) is not None), None) is not None:
        found.append("a formula over several cells")
    if found:
        reason = f"has no free column for the turn, and {found[0]} keeps one from being put in"
        raise BadInput(reason, file=file, place=sheet, hint="put one in yourself, or write a .csv")


def _addresses(root: _Element, sheet: str, at: int) -> None:
    """Ranges and conditions that stand beside the cells: of names, rules, filters and print."""
    before, new = cell_name(0, at - 1)[:-1], cell_name(0, at)[:-1]
    ends = re.compile(rf"(\$?){before}(\$?[0-9]+)(?=\s|$)")
    for element in root.iter("{*}*"):
        if element.tag in CELLS:
            continue
        for name, value in element.attrib.items():
            key = str(name)
            bare = key.rpartition("}")[2]
            if bare in _ADDRESSES:
                now = in_ods(str(value), sheet, at, on_it=False)
                if key in _GROW and _names_sheet(str(value), sheet):
                    now = ends.sub(rf"\g<1>{new}\g<2>", now)
                element.set(key, now)
            elif bare in _CONDITIONS or key == f"{CALC}value":
                element.set(key, in_ods(str(value), sheet, at, on_it=_is_about(element, sheet)))


def _names_sheet(address: str, sheet: str) -> bool:
    named = address.rpartition(".")[0].rpartition(":")[2].lstrip("$")
    return (named[1:-1].replace("''", "'") if named.startswith("'") else named) == sheet


def _is_about(condition: _Element, sheet: str) -> bool:
    """Is a condition one of the sheet's own cells?"""
    base = condition.get(f"{TABLE}base-cell-address") or condition.get(
        "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}base-cell-address"
    )
    base = base or condition.get(f"{CALC}base-cell-address") or ""
    return _names_sheet(base, sheet)


def _widened(columns: Iterable[_Element], at: int) -> None:
    """The new column is as wide and looks as the one before it."""
    end = 0
    for column in columns:
        end += int(column.get(COLUMNS, "1"))
        if end >= at:
            column.set(COLUMNS, str(int(column.get(COLUMNS, "1")) + 1))
            return


def _new_cell(row: _Element, at: int) -> _Element | None:
    """The cell of the new column in a row, as the one before it looks; None where the row ends before it."""
    cells = [child for child in row if child.tag in CELLS]
    if sum(int(cell.get(COLUMNS, "1")) for cell in cells) < at:
        return None
    over = _spanned_over(cells, at)
    model = alone(cells, at - 1, COLUMNS)
    made = model.makeelement(_CELL if over is None else _COVERED, {})
    for key, value in model.attrib.items():
        if str(key).rpartition("}")[2] in _OWN:
            made.set(str(key), value)
    if over is not None:
        over.set(_SPANS, str(int(over.get(_SPANS, "1")) + 1))
    elif formula := model.get(FORMULA):
        made.set(FORMULA, one_further_in_ods(formula))
        made.set(f"{OFFICE}value-type", "float")
    model.addnext(made)
    return made


def _spanned_over(cells: list[_Element], at: int) -> _Element | None:
    """The merged cell that reaches from before the new column to behind it."""
    return next(
        (cell for cell, column in _from(cells) if column < at < column + int(cell.get(_SPANS, "1"))), None
    )


def _from(cells: list[_Element]) -> Iterator[tuple[_Element, int]]:
    column = 0
    for cell in cells:
        yield cell, column
        column += int(cell.get(COLUMNS, "1"))
