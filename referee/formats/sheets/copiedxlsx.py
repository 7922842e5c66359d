"""Figures written into the parts of an XLSX workbook."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.formats.archive import Archive
from referee.formats.sheets.editedpart import Figures, figure_text, parsed, unparsed
from referee.formats.sheets.grid import cell_position
from referee.formats.sheets.xlsx import worksheet_parts

if TYPE_CHECKING:
    from lxml.etree import _Element

_WORKBOOK = "xl/workbook.xml"
_BEFORE_CALCULATION = (
    *("fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets"),
    *("functionGroups", "externalReferences", "definedNames"),
)
"""What stands before `calcPr` in a workbook part."""


def changed_parts(archive: Archive, sheet: str, figures: Figures) -> dict[str, bytes]:
    """The worksheet's part with the figures; where it has formulas also the workbook's, so that programs work
    them out again."""
    part = worksheet_parts(archive)[sheet]
    root = parsed(archive, part)
    data = root.find("{*}sheetData")
    if data is None:
        raise BadInput("has a worksheet without rows", file=archive.file, place=part)
    for (row, column), figure in figures.items():
        _write(_cell(data, row, column), figure)
    _widen(root, figures)
    changed = {part: unparsed(root)}
    if any(True for _ in data.iter("{*}f")):
        book = parsed(archive, _WORKBOOK)
        _work_out_again(book)
        changed[_WORKBOOK] = unparsed(book)
    return changed


def _cell(data: _Element, row: int, column: int) -> _Element:
    """The cell at a place, made where there is none."""
    line = _placed(data, "row", row, _row_number, str(row + 1))
    name = cell_name(row, column)

    def number(found: _Element, before: int) -> int:
        position = cell_position(found.get("r", ""))
        return position[1] if position else before + 1

    cell = _placed(line, "c", column, number, name)
    beside = cell.getprevious()
    if cell.get("s") is None and beside is not None and not len(cell) and beside.get("s") is not None:
        cell.set("s", beside.get("s", ""))  # a new figure looks like the one of the turn before
    return cell


def _row_number(row: _Element, before: int) -> int:
    said = row.get("r", "")
    return int(said) - 1 if said.isascii() and said.isdecimal() else before + 1


def _placed(
    parent: _Element, tag: str, wanted: int, number: Callable[[_Element, int], int], name: str
) -> _Element:
    """The child with a number, in its place among the others; made where there is none."""
    at = -1
    children = [child for child in parent if isinstance(child.tag, str)]
    for child in children:
        at = number(child, at)
        if at == wanted:
            return child
        if at > wanted:
            made = child.makeelement(child.tag, {"r": name})
            child.addprevious(made)
            return made
    made = parent.makeelement(f"{{{_namespace(parent)}}}{tag}", {"r": name})
    parent.append(made)
    return made


def _namespace(element: _Element) -> str:
    return str(element.tag).partition("}")[0].lstrip("{")


def _write(cell: _Element, figure: Fraction) -> None:
    for child in list(cell):
        if str(child.tag).rpartition("}")[2] in ("v", "is"):
            cell.remove(child)
    cell.attrib.pop("t", "")
    value = cell.makeelement(f"{{{_namespace(cell)}}}v", {})
    value.text = figure_text(figure)
    formula = cell.find("{*}f")
    if formula is not None:
        formula.addnext(value)
    else:
        cell.insert(0, value)


def _widen(root: _Element, figures: Figures) -> None:
    """Makes the range the worksheet says it uses hold the cells written."""
    dimension = root.find("{*}dimension")
    if dimension is None:
        return
    first, _, last = dimension.get("ref", "").partition(":")
    corner, end = cell_position(first), cell_position(last or first)
    if corner and end:
        rows, columns = zip(*figures, strict=True) if figures else ((), ())
        first = cell_name(min(corner[0], *rows), min(corner[1], *columns)) if figures else first
        last = cell_name(max(end[0], *rows), max(end[1], *columns)) if figures else last
        dimension.set("ref", f"{first}:{last}")


def _work_out_again(book: _Element) -> None:
    """Has programs work out every formula when they open the workbook."""
    calculation = book.find("{*}calcPr")
    if calculation is None:
        calculation = book.makeelement(f"{{{_namespace(book)}}}calcPr", {})
        earlier = [child for child in book if str(child.tag).rpartition("}")[2] in _BEFORE_CALCULATION]
        earlier[-1].addnext(calculation)
    calculation.set("fullCalcOnLoad", "1")
