"""A column put into a worksheet of an XLSX workbook, behind the one whose looks, formulas and rules it takes over."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.formats.archive import Archive
from referee.formats.sheets.copiedxlsx import (
    WORKBOOK,
    cells_of,
    placed_cell,
    shared_texts,
    workbook_of,
    write_value,
)
from referee.formats.sheets.editedpart import parsed, unparsed
from referee.formats.sheets.formulas import Value, moved, worked_out
from referee.formats.sheets.grid import cell_position
from referee.formats.sheets.references import in_xlsx, of_ranges
from referee.formats.sheets.xlsx import worksheet_parts

if TYPE_CHECKING:
    from lxml.etree import _Element

_GROW = frozenset(("conditionalFormatting", "dataValidation", "protectedRange", "ignoredError"))
"""What holds for a turn's column and so for the new one."""
_ANCHORED = {
    "drawing": "a picture or shape",
    "comments": "a comment",
    "table": "a table",
    "pivotTable": "a pivot table",
}
_OF_BOOK = {"xl/vbaProject.bin": "macros", "xl/pivotCache/": "a pivot table"}
_PRINTED = "_xlnm.Print_Area"


def with_column(archive: Archive, sheet: str, at: int) -> dict[str, bytes]:
    """The parts that are other with a new column at `at` (from 0) of a sheet. Raises BadInput where something stands in
    the workbook of which it is not known how to move it."""
    parts = worksheet_parts(archive)
    _must_be_movable(archive, parts[sheet], sheet, at)
    roots = {title: parsed(archive, part) for title, part in parts.items()}
    for root in roots.values():
        _unshare(root, archive.file)
    for title, root in roots.items():
        _formulas(root, sheet, at, on_it=title == sheet)
    _columns_behind(roots[sheet], at)
    _rules_and_marks(roots[sheet], sheet, at)
    made = list(_new_cells(roots[sheet], at))
    workbook = workbook_of(roots, shared_texts(archive))
    # Nothing is filled in yet: what its formulas come to hangs on nothing but blank cells.
    blank: dict[tuple[str, int, int], Value] = {
        (sheet, row, at): None for row, _ in made if (sheet, row, at) not in workbook.formulas
    }
    worth = worked_out(workbook, blank)
    for row, cell in made:
        if (sheet, row, at) in workbook.formulas:
            write_value(cell, worth.get((sheet, row, at)))
    listed = parsed(archive, WORKBOOK)
    _names(listed, sheet, at)
    changed = {parts[title]: unparsed(root) for title, root in roots.items()} | {WORKBOOK: unparsed(listed)}
    if "xl/calcChain.xml" in archive.names:
        changed["xl/calcChain.xml"] = _chain(archive, listed, sheet, at)
    return changed


def _must_be_movable(archive: Archive, part: str, sheet: str, at: int) -> None:
    """Raises BadInput for what cannot be moved with its cells."""

    def refused(what: str) -> BadInput:
        reason = f"has no free column for the turn, and {what} keeps one from being put in"
        return BadInput(reason, file=archive.file, place=sheet, hint="put one in yourself, or write a .csv")

    for name, what in _OF_BOOK.items():
        if any(member.startswith(name) for member in archive.names):
            raise refused(what)
    for kind, target in _related(archive, part):
        if kind in ("table", "pivotTable"):
            raise refused(_ANCHORED[kind])
        if kind in _ANCHORED and max(_columns_in(parsed(archive, target)), default=0) >= at:
            raise refused(f"{_ANCHORED[kind]} behind the turns")
    for name in archive.names:
        if name.startswith("xl/charts/chart") and sheet in _texts(parsed(archive, name)):
            raise refused("a chart of it")


def _related(archive: Archive, part: str) -> Iterator[tuple[str, str]]:
    """The kind and the part of each thing that belongs to a worksheet."""
    folder, _, name = part.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels"
    if rels in archive.names:
        for relation in parsed(archive, rels):
            if isinstance(relation.tag, str) and relation.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/" + folder, relation.get("Target", ""))).lstrip(
                    "/"
                )
                if target in archive.names:
                    yield relation.get("Type", "").rpartition("/")[2], target


def _columns_in(root: _Element) -> Iterator[int]:
    """The columns that drawings are anchored in and comments stand at."""
    for element in root.iter("{*}col", "{*}comment"):
        if element.get("ref"):
            position = cell_position(element.get("ref", ""))
            yield position[1] if position else 0
        elif element.text and element.text.isdecimal():
            yield int(element.text)


def _texts(root: _Element) -> str:
    return " ".join(formula.text or "" for formula in root.iter("{*}f"))


def _unshare(root: _Element, file: str) -> None:
    """Gives every cell a formula of its own: those that share one would no longer read alike. Raises BadInput for a
    formula over several cells."""
    first: dict[str, tuple[int, int, str]] = {}
    for cell, row, column in cells_of(root):
        formula = cell.find("{*}f")
        kind = "normal" if formula is None else formula.get("t", "normal")
        if formula is None or kind == "normal":
            continue
        if kind != "shared":
            reason = "has no free column for the turn, and a formula over several cells keeps one from being put in"
            hint = "put a column in yourself, or write a .csv"
            raise BadInput(reason, file=file, place=cell_name(row, column), hint=hint)
        number = formula.get("si", "")
        if formula.text:
            first[number] = row, column, formula.text
        elif number in first:
            top, left, shared = first[number]
            formula.text = moved(shared, row - top, column - left)
        for name in ("t", "si", "ref"):
            formula.attrib.pop(name, "")


def _formulas(root: _Element, sheet: str, at: int, *, on_it: bool) -> None:
    """Every formula of a worksheet, in cells and in its rules."""
    for formula in root.iter("{*}f", "{*}formula", "{*}formula1", "{*}formula2"):
        if formula.text:
            formula.text = in_xlsx(formula.text, sheet, at, on_it=on_it)


def _columns_behind(root: _Element, at: int) -> None:
    """Cells and widths behind the new column move on; the column before it gives the new one its width."""
    for row in root.iterfind("{*}sheetData/{*}row"):
        row.attrib.pop("spans", "")
    for cell, row_number, column in list(cells_of(root)):
        cell.set("r", cell_name(row_number, column + (column >= at)))
    for element in list(root.iterfind("{*}cols/{*}col")):
        first, last = int(element.get("min", "1")), int(element.get("max", "1"))
        element.set("min", str(first + (first > at)))
        element.set("max", str(last + (last >= at)))
    for element in root.iterfind("{*}colBreaks/{*}brk"):
        place = int(element.get("id", "0"))
        element.set("id", str(place + (place >= at)))


def _rules_and_marks(root: _Element, sheet: str, at: int) -> None:
    """Ranges of validation, formats and locks go on over the new column; all others move."""
    for element in root.iter("{*}*"):
        name = element.tag.rpartition("}")[2]
        if name in ("c", "f"):
            continue
        for attribute in ("sqref", "ref", "topLeftCell", "activeCell"):
            if ranges := element.get(attribute):
                element.set(attribute, of_ranges(ranges, at, grows=name in _GROW))
        if name == "sqref" and element.text:
            element.text = of_ranges(element.text, at, grows=True)


def _new_cells(root: _Element, at: int) -> Iterator[tuple[int, _Element]]:
    """The cells of the new column: each looks like the one before it, and has its formula."""
    before = [(cell, row) for cell, row, column in cells_of(root) if column == at - 1]
    data = root.find("{*}sheetData")
    assert data is not None
    for model, row in before:
        made = placed_cell(data, row, at)
        if model.get("s") is not None:
            made.set("s", model.get("s", ""))
        if (formula := model.find("{*}f")) is not None and formula.text:
            own = deepcopy(formula)
            own.text = moved(formula.text, 0, 1)
            made.append(own)
        yield row, made


def _names(workbook: _Element, sheet: str, at: int) -> None:
    """The names of the workbook; a printed range that ended before the new column goes on over it."""
    for defined in workbook.iterfind("{*}definedNames/{*}definedName"):
        if not defined.text:
            continue
        defined.text = in_xlsx(defined.text, sheet, at, on_it=False)
        if defined.get("name") == _PRINTED:
            end = re.compile(rf"(\$?){cell_name(0, at - 1)[:-1]}(\$?[0-9]+)$")
            defined.text = end.sub(rf"\g<1>{cell_name(0, at)[:-1]}\g<2>", defined.text)


def _chain(archive: Archive, workbook: _Element, sheet: str, at: int) -> bytes:
    """The order in which formulas were worked out, by where they stand now."""
    number = next(
        (
            entry.get("sheetId")
            for entry in workbook.iterfind("{*}sheets/{*}sheet")
            if entry.get("name") == sheet
        ),
        "",
    )
    root, of = parsed(archive, "xl/calcChain.xml"), ""
    for entry in root:
        of = entry.get("i", of)
        if of == number:
            entry.set("r", of_ranges(entry.get("r", ""), at, grows=False))
    return unparsed(root)
