"""XLSX workbooks: screened part by part, then read."""

from __future__ import annotations

import re

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.core.sheet import Sheet
from referee.formats.archive import Archive
from referee.formats.limits import MAX_CSV_FIELD, MAX_XLSX_PART
from referee.formats.sheets.grid import Bounds, cell_position
from referee.formats.sheets.values import ScreenedSheet, read_values
from referee.formats.sheets.xmlscreen import Silent, XmlScreen

_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_STRINGS = "xl/sharedstrings.xml"
# What the reading library looks at beside the sheets; everything else stays unopened.
_PLAIN_PARTS = ("[content_types].xml", "_rels/.rels", "xl/styles.xml")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_RECALCULATE = "open it in a spreadsheet program, let it calculate, and save it again"


def read_xlsx(archive: Archive) -> tuple[Sheet, ...]:
    """The worksheets of a workbook, in its order; numbers as exact texts, formulas by saved value."""
    screen, bounds = XmlScreen(archive.file), Bounds(archive.file)
    parts = {name: archive.read(name, MAX_XLSX_PART) for name in _fixed_parts(archive)}
    strings = _Strings(bounds)
    listed, relations = _Listed(), _Relations()
    watchers = {_WORKBOOK: listed, _RELATIONS: relations, _STRINGS: strings}
    for name, data in parts.items():
        screen.walk(data, name, watchers.get(name.lower(), Silent()))
    screened: list[ScreenedSheet] = []
    for title, relation, hidden in listed.sheets:
        part = _part(relations.targets.get(relation, ""), relations.worksheets, relation)
        if part is None:
            continue
        _check_sheet(archive, parts, title, part, [sheet.name for sheet in screened])
        data = parts[part] = archive.read(part, MAX_XLSX_PART)
        bounds.begin(title)
        cells = _Cells(bounds, strings.lengths)
        screen.walk(data, part, cells)
        screened.append(ScreenedSheet(title, frozenset(cells.formulas), hidden))
    if not screened:
        raise BadInput("has no worksheet", file=archive.file)
    return read_values(parts, archive.file, screened)


def _fixed_parts(archive: Archive) -> list[str]:
    if _RELATIONS not in archive.names:
        raise BadInput("is not a whole .xlsx workbook", file=archive.file, place=_RELATIONS)
    wanted = (_WORKBOOK, _RELATIONS, _STRINGS, *_PLAIN_PARTS)
    return [name for name in archive.names if name.lower() in wanted]


def _part(target: str, worksheets: set[str], relation: str) -> str | None:
    """The archive entry a sheet is in; None for chart sheets and the like."""
    if relation not in worksheets:
        return None
    return target[1:] if target.startswith("/") else f"xl/{target}"


def _check_sheet(archive: Archive, parts: dict[str, bytes], title: str, part: str, titles: list[str]) -> None:
    if part not in archive.names:
        raise BadInput("the workbook names a sheet that is not in it", file=archive.file, place=title)
    if part in parts or title in titles:
        # One part read many times over would cost what the limits are there to prevent.
        raise BadInput("the workbook names a sheet twice", file=archive.file, place=title)


def _local(name: str) -> str:
    return name.rpartition(":")[2]


class _Listed(Silent):
    """The sheets a workbook lists: name, relation, hidden or not."""

    __slots__ = ("sheets",)

    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if _local(name) == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), relation, hidden))


class _Relations(Silent):
    """Which entry each relation points at, and which of them are worksheets."""

    __slots__ = ("targets", "worksheets")

    def __init__(self) -> None:
        self.targets: dict[str, str] = {}
        self.worksheets: set[str] = set()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if _local(name) == "Relationship":
            relation = attributes.get("Id", "")
            self.targets[relation] = attributes.get("Target", "")
            if attributes.get("Type", "").endswith("/worksheet"):
                self.worksheets.add(relation)


class _Strings(Silent):
    """How long each shared string is."""

    __slots__ = ("_bounds", "lengths")

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self.lengths: list[int] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if _local(name) == "si":
            self.lengths.append(0)

    def text(self, text: str) -> None:
        if self.lengths:
            self.lengths[-1] += len(text)


class _Cells(Silent):
    """Checks every cell of a worksheet before the library builds anything from it."""

    __slots__ = (
        "_bounds",
        "_column",
        "_formula",
        "_inline",
        "_inside",
        "_kind",
        "_lengths",
        "_row",
        "_seen",
        "_value",
        "formulas",
    )

    def __init__(self, bounds: Bounds, lengths: list[int]) -> None:
        self._bounds = bounds
        self._lengths = lengths
        self._row = self._column = -1
        self._seen: set[tuple[int, int]] = set()
        self.formulas: set[tuple[int, int]] = set()
        self._clear()

    def _clear(self, kind: str = "") -> None:
        self._inside = ""
        self._kind = kind
        self._value: str | None = None
        self._inline = 0
        self._formula = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match _local(name):
            case "row":
                self._start_row(attributes.get("r"))
            case "c":
                self._start_cell(attributes)
            case "f":
                self._formula = True
                self._inside = "f"
            case "v":
                self._value = ""
                self._inside = "v"
            case "is":
                self._inside = "is"
            case "mergeCell":
                self._check_merge(attributes.get("ref", ""))

    def end(self, name: str) -> None:
        match _local(name):
            case "c":
                self._end_cell()
            case "f" | "v" | "is":
                self._inside = ""

    def text(self, text: str) -> None:
        if self._inside == "v":
            self._value = (self._value or "") + text
        elif self._inside == "is":
            self._inline += len(text)

    def _start_row(self, number: str | None) -> None:
        if number is None:
            self._row += 1
        elif position := cell_position(f"A{number}"):
            self._row = position[0]
        else:
            raise self._bounds.bad("row without a proper number")
        self._column = -1
        self._bounds.reach(self._row, 0)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._clear(attributes.get("t", "n"))
        name = attributes.get("r")
        position = (self._row, self._column + 1) if name is None else cell_position(name)
        if position is None:
            raise self._bounds.bad("cell without a proper name")
        self._row, self._column = position
        self._bounds.reach(*position)
        if position in self._seen:
            raise self._bounds.bad("cell given twice", cell_name(*position))
        self._seen.add(position)

    def _end_cell(self) -> None:
        cell = cell_name(self._row, self._column)
        if self._kind == "e":
            raise self._bounds.bad(f"error value {(self._value or '')[:20]}".rstrip(), cell)
        if self._formula:
            self._check_formula(cell)
            self.formulas.add((self._row, self._column))
        if self._kind == "n" and self._value and not _NUMBER.fullmatch(self._value):
            raise self._bounds.bad("cell with a damaged number", cell)
        if self._value is not None or self._inline:
            self._bounds.fill(self._row, self._column, self._length(cell))
        self._clear()

    def _check_formula(self, cell: str) -> None:
        stored = self._value is not None and (self._value != "" or self._kind == "str")
        if not stored or (self._kind == "n" and not _NUMBER.fullmatch(self._value or "")):
            raise self._bounds.bad("formula without a saved value", cell, _RECALCULATE)

    def _length(self, cell: str) -> int:
        value = self._value or ""
        if self._kind != "s":
            return max(len(value), self._inline)
        if value.isascii() and value.isdigit() and len(value) < 7 and int(value) < len(self._lengths):
            return min(self._lengths[int(value)], MAX_CSV_FIELD + 1)
        raise self._bounds.bad("text that the workbook does not hold", cell)

    def _check_merge(self, reference: str) -> None:
        for corner in reference.split(":"):
            position = cell_position(corner)
            if position is None:
                raise self._bounds.bad("merged cells without a proper range")
            self._bounds.reach(*position)
