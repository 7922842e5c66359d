"""Figures written into the parts of an XLSX workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.formats.archive import Archive
from referee.formats.sheets.editedpart import Figures, figure_text, parsed, unparsed
from referee.formats.sheets.formulas import Place, Value, Workbook, moved, worked_out
from referee.formats.sheets.grid import cell_position
from referee.formats.sheets.xlsx import worksheet_parts

if TYPE_CHECKING:
    from lxml.etree import _Element

WORKBOOK = "xl/workbook.xml"
_BEFORE_CALCULATION = (
    *("fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets"),
    *("functionGroups", "externalReferences", "definedNames"),
)
"""What stands before `calcPr` in a workbook part."""


def changed_parts(
    archive: Archive, sheet: str, figures: Figures
) -> tuple[dict[str, bytes], tuple[Place, ...]]:
    """The worksheets' parts with the figures and what formulas come to by them, and the formulas of which that is not
    known; where there are any also the workbook's part, so that programs work them out again."""
    parts = worksheet_parts(archive)
    roots = {title: parsed(archive, part) for title, part in parts.items()}
    workbook = workbook_of(roots, shared_texts(archive))
    asked: dict[Place, Value] = {(sheet, *place): float(figure) for place, figure in figures.items()}
    again = worked_out(
        workbook, {place: figure for place, figure in asked.items() if place not in workbook.formulas}
    )
    written = {place: value for place, value in asked.items() if place not in workbook.formulas}
    written |= {
        place: value for place, value in again.items() if value != workbook.values.get(place) or value is None
    }
    for title, root in roots.items():
        data = root.find("{*}sheetData")
        here = {(row, column): value for (of, row, column), value in written.items() if of == title}
        if data is None:
            if here:
                raise BadInput("has a worksheet without rows", file=archive.file, place=parts[title])
            continue
        for (row, column), value in here.items():
            # A figure is written to its last part; what a formula comes to is a float.
            given = title == sheet and (title, row, column) not in workbook.formulas
            write_value(placed_cell(data, row, column), figures[row, column] if given else value)
        _widen(root, here)
    changed = {parts[title]: unparsed(roots[title]) for title in dict.fromkeys(place[0] for place in written)}
    if workbook.formulas:
        listed = parsed(archive, WORKBOOK)
        _work_out_again(listed)
        changed[WORKBOOK] = unparsed(listed)
    return changed, tuple(place for place, value in again.items() if value is None)


def workbook_of(roots: Mapping[str, _Element], texts: Sequence[str]) -> Workbook:
    """What stands in the worksheets."""
    values: dict[Place, Value] = {}
    formulas: dict[Place, str] = {}
    for title, root in roots.items():
        shared: dict[str, tuple[int, int, str]] = {}
        for cell, row, column in cells_of(root):
            place = title, row, column
            values[place] = _value(cell, texts)
            formula = cell.find("{*}f")
            if formula is None:
                continue
            text, kind = formula.text or "", formula.get("t", "normal")
            if kind == "shared" and text:
                shared[formula.get("si", "")] = row, column, text
            elif kind == "shared" and (first := shared.get(formula.get("si", ""))):
                text = moved(first[2], row - first[0], column - first[1])
            # Of a formula over a range of cells it is not known here what it comes to.
            formulas[place] = text if kind in ("normal", "shared") else ""
    return Workbook(values, formulas)


def cells_of(root: _Element) -> Iterator[tuple[_Element, int, int]]:
    row = -1
    for line in root.iterfind("{*}sheetData/{*}row"):
        row, column = _row_number(line, row), -1
        for cell in line.iterfind("{*}c"):
            column = _column_number(cell, column)
            yield cell, row, column


def _value(cell: _Element, texts: Sequence[str]) -> Value:
    kind, content = cell.get("t", "n"), cell.findtext("{*}v")
    if kind == "inlineStr":
        return "".join(str(text) for text in cell.itertext())
    if content is None or kind == "e":
        return None
    if kind == "n":
        return float(content)
    if kind == "s":
        return texts[int(content)] if content.isdecimal() and int(content) < len(texts) else ""
    return content


def shared_texts(archive: Archive) -> list[str]:
    name = next((name for name in archive.names if name.lower() == "xl/sharedstrings.xml"), "")
    return (
        ["".join(map(str, text.itertext())) for text in parsed(archive, name).iterfind("{*}si")]
        if name
        else []
    )


def placed_cell(data: _Element, row: int, column: int) -> _Element:
    """The cell at a place, made where there is none."""
    line = _placed(data, "row", row, _row_number, str(row + 1))
    name = cell_name(row, column)
    cell = _placed(line, "c", column, _column_number, name)
    beside = cell.getprevious()
    if cell.get("s") is None and beside is not None and not len(cell) and beside.get("s") is not None:
        cell.set("s", beside.get("s", ""))  # a new figure looks like the one of the turn before
    return cell


def _column_number(cell: _Element, before: int) -> int:
    position = cell_position(cell.get("r", ""))
    return position[1] if position else before + 1


def _row_number(row: _Element, before: int) -> int:
    number = row.get("r", "")
    return int(number) - 1 if number.isascii() and number.isdecimal() else before + 1


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


def write_value(cell: _Element, content: Fraction | Value) -> None:
    """Puts a figure or a formula's text into a cell, or takes out what it had."""
    for child in list(cell):
        if str(child.tag).rpartition("}")[2] in ("v", "is"):
            cell.remove(child)
    cell.attrib.pop("t", "")
    if content is None:
        return
    if isinstance(content, str):
        cell.set("t", "str")
    value = cell.makeelement(f"{{{_namespace(cell)}}}v", {})
    value.text = content if isinstance(content, str) else figure_text(content)
    formula = cell.find("{*}f")
    if formula is not None:
        formula.addnext(value)
    else:
        cell.insert(0, value)


def _widen(root: _Element, figures: Mapping[tuple[int, int], object]) -> None:
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


def _work_out_again(workbook: _Element) -> None:
    """Has programs work out every formula when they open the workbook."""
    calculation = workbook.find("{*}calcPr")
    if calculation is None:
        calculation = workbook.makeelement(f"{{{_namespace(workbook)}}}calcPr", {})
        earlier = [child for child in workbook if str(child.tag).rpartition("}")[2] in _BEFORE_CALCULATION]
        earlier[-1].addnext(calculation)
    calculation.set("fullCalcOnLoad", "1")
