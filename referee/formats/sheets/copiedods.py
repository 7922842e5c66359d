"""Figures written into the content of an ODS workbook."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.formats.archive import Archive
from referee.formats.sheets.editedpart import Figures, figure_text, parsed, unparsed
from referee.formats.sheets.formulas import Place, Value, Workbook, as_in_xlsx, worked_out
from referee.formats.sheets.grid import clean_title

if TYPE_CHECKING:
    from lxml.etree import _Element

CONTENT = "content.xml"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_ROWS, COLUMNS = f"{TABLE}number-rows-repeated", f"{TABLE}number-columns-repeated"
FORMULA, MATRIX = f"{TABLE}formula", f"{TABLE}number-matrix-columns-spanned"
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")


def changed_parts(
    archive: Archive, sheet: str, figures: Figures
) -> tuple[dict[str, bytes], tuple[Place, ...]]:
    """The content with the figures on one sheet and what formulas come to by them, and the formulas of which that is
    not known."""
    root = parsed(archive, CONTENT)
    tables = tables_of(root, archive.file)
    if sheet not in tables:
        raise BadInput(f"has no sheet {sheet}", file=archive.file)
    workbook = workbook_of(tables)
    asked = {(sheet, *place): float(figure) for place, figure in figures.items()}
    written: dict[Place, Value] = {
        place: figure for place, figure in asked.items() if place not in workbook.formulas
    }
    again = worked_out(workbook, written)
    written |= {
        place: value for place, value in again.items() if value != workbook.values.get(place) or value is None
    }
    for (title, row, column), value in written.items():
        # A figure is written to its last part; what a formula comes to is a float.
        given = title == sheet and (title, row, column) not in workbook.formulas
        write_value(_cell(tables[title], row, column), figures[row, column] if given else value)
    return {CONTENT: unparsed(root)}, tuple(place for place, value in again.items() if value is None)


def tables_of(root: _Element, file: str) -> dict[str, _Element]:
    """The tables of a workbook's content, by their names."""
    return {
        clean_title(table.get(f"{TABLE}name", ""), file, CONTENT): table
        for table in root.iter(f"{TABLE}table")
    }


def workbook_of(tables: Mapping[str, _Element]) -> Workbook:
    """What stands in the tables."""
    values: dict[Place, Value] = {}
    formulas: dict[Place, str] = {}
    for title, table in tables.items():
        row = 0
        for line in table.iter(f"{TABLE}table-row"):
            rows, column = int(line.get(_ROWS, "1")), 0
            for cell in line.iterchildren(*CELLS):
                columns = int(cell.get(COLUMNS, "1"))
                if cell.get(f"{OFFICE}value-type") is not None or cell.get(FORMULA) is not None:
                    for place in ((title, row + r, column + c) for r in range(rows) for c in range(columns)):
                        values[place] = _value(cell)
                        if (formula := cell.get(FORMULA)) is not None:
                            # What stands for many cells at once, or fills several, is not worked out here.
                            alone = rows == columns == 1 and cell.get(MATRIX) is None
                            formulas[place] = as_in_xlsx(formula) if alone else ""
                column += columns
            row += rows
    return Workbook(values, formulas)


def _value(cell: _Element) -> Value:
    kind, number = cell.get(f"{OFFICE}value-type"), cell.get(f"{OFFICE}value")
    if kind in ("float", "percentage", "currency") and number is not None:
        return float(number)
    text = cell.get(f"{OFFICE}string-value")
    shown = "\n".join("".join(map(str, line.itertext())) for line in cell.findall(f"{_TEXT}p"))
    return None if kind is None else shown if text is None else text


def _cell(table: _Element, row: int, column: int) -> _Element:
    lines = list(table.iter(f"{TABLE}table-row"))
    if not lines:
        lines = [_added(table, f"{TABLE}table-row")]
    line = alone(lines, row, _ROWS)
    cells = [child for child in line if child.tag in CELLS]
    if not cells:
        cells = [_added(line, CELLS[0])]
    return alone(cells, column, COLUMNS)


def _added(parent: _Element, tag: str) -> _Element:
    made = parent.makeelement(tag, {})
    parent.append(made)
    return made


def alone(elements: list[_Element], wanted: int, repeated: str) -> _Element:
    """The row or cell at a place: cut out of the run it is one of, made after the last where there is none."""
    at = 0
    for element in elements:
        times = int(element.get(repeated, "1"))
        if wanted < at + times:
            before, after = wanted - at, at + times - wanted - 1
            for count, put in ((before, element.addprevious), (after, element.addnext)):
                if count:
                    twin = deepcopy(element)
                    twin.tail = None
                    put(_times(twin, count, repeated))
            return _times(element, 1, repeated)
        at += times
    last = elements[-1]
    if wanted > at:
        empty = last.makeelement(last.tag, {})
        last.addnext(_times(empty, wanted - at, repeated))
        last = empty
    made = last.makeelement(last.tag, {})
    last.addnext(made)
    return made


def _times(element: _Element, count: int, repeated: str) -> _Element:
    element.attrib.pop(repeated, "")
    if count > 1:
        element.set(repeated, str(count))
    return element


def write_value(cell: _Element, content: Fraction | Value) -> None:
    """Puts a figure or a formula's text into a cell, or takes out what it had."""
    for name in (
        "value",
        "value-type",
        "string-value",
        "boolean-value",
        "date-value",
        "time-value",
        "currency",
    ):
        cell.attrib.pop(f"{OFFICE}{name}", "")
        cell.attrib.pop(f"{CALC}{name}", "")
    for child in cell.findall(f"{_TEXT}p"):
        cell.remove(child)
    if content is None:
        return
    text = content if isinstance(content, str) else figure_text(content)
    cell.set(f"{OFFICE}value-type", "string" if isinstance(content, str) else "float")
    if not isinstance(content, str):
        cell.set(f"{OFFICE}value", text)
    _added(cell, f"{_TEXT}p").text = text
