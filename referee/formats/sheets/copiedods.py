"""Figures written into the content of an ODS workbook."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.formats.archive import Archive
from referee.formats.sheets.editedpart import Figures, figure_text, parsed, unparsed
from referee.formats.sheets.grid import clean_title

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTENT = "content.xml"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_ROWS, _COLUMNS = f"{_TABLE}number-rows-repeated", f"{_TABLE}number-columns-repeated"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")


def changed_parts(archive: Archive, sheet: str, figures: Figures) -> dict[str, bytes]:
    """The content with the figures on one sheet."""
    root = parsed(archive, _CONTENT)
    for table in root.iter(f"{_TABLE}table"):
        if clean_title(table.get(f"{_TABLE}name", ""), archive.file, _CONTENT) == sheet:
            for (row, column), figure in figures.items():
                _write(_cell(table, row, column), figure)
            return {_CONTENT: unparsed(root)}
    raise BadInput(f"has no sheet {sheet}", file=archive.file)


def _cell(table: _Element, row: int, column: int) -> _Element:
    lines = list(table.iter(f"{_TABLE}table-row"))
    if not lines:
        lines = [_added(table, f"{_TABLE}table-row")]
    line = _alone(lines, row, _ROWS)
    cells = [child for child in line if child.tag in _CELLS]
    if not cells:
        cells = [_added(line, _CELLS[0])]
    return _alone(cells, column, _COLUMNS)


def _added(parent: _Element, tag: str) -> _Element:
    made = parent.makeelement(tag, {})
    parent.append(made)
    return made


def _alone(elements: list[_Element], wanted: int, repeated: str) -> _Element:
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


def _write(cell: _Element, figure: Fraction) -> None:
    for name in ("value-type", "string-value", "boolean-value", "date-value", "time-value", "currency"):
        cell.attrib.pop(f"{_OFFICE}{name}", "")
        cell.attrib.pop(f"{_CALC}{name}", "")
    cell.set(f"{_OFFICE}value-type", "float")
    cell.set(f"{_OFFICE}value", figure_text(figure))
    for child in cell.findall(f"{_TEXT}p"):
        cell.remove(child)
    shown = _added(cell, f"{_TEXT}p")
    shown.text = figure_text(figure)
