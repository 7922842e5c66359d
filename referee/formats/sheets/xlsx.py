"""XLSX workbooks: screened part by part, then read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.core.sheet import Sheet
from referee.formats.archive import Archive
from referee.formats.limits import MAX_CSV_FIELD, MAX_XLSX_PART
from referee.formats.sheets.grid import UNSAVED, Bounds, cell_position, clean_title
from referee.formats.sheets.rebuilt import rebuilt, sheet_key
from referee.formats.sheets.values import ScreenedSheet, read_values
from referee.formats.sheets.xmlscreen import Silent, Watcher, XmlScreen

_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_STRINGS, _STYLES = "xl/sharedstrings.xml", "xl/styles.xml"
# As long as a program writes one, and read in one way: two ways cost the square of the length.
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?")


def read_xlsx(archive: Archive) -> tuple[Sheet, ...]:
    """The worksheets of a workbook, in its order; numbers as exact texts, formulas by saved value."""
    screen, bounds = XmlScreen(archive.file), Bounds(archive.file)
    listed, relations, strings = _Listed(), _Relations(), _Strings()
    parts = {_WORKBOOK: listed, _RELATIONS: relations, _STRINGS: strings, _STYLES: Silent()}
    kept = {name: _walk(archive, screen, name, watcher) for name, watcher in parts.items()}
    pages: list[bytes] = []
    screened: list[ScreenedSheet] = []
    for title, part, hidden in _worksheets(archive, listed, relations):
        bounds.begin(title)
        cells = _Cells(bounds, strings.lengths)
        pages.append(_walk(archive, screen, part, cells))
        formulas, unsaved = frozenset(cells.formulas), frozenset(cells.unsaved)
        screened.append(ScreenedSheet(title, formulas, hidden, sheet_key(len(pages)), unsaved))
    if not screened:
        raise BadInput("has no worksheet", file=archive.file)
    return read_values(rebuilt(pages, kept[_STRINGS], kept[_STYLES]), archive.file, screened)


def _walk(archive: Archive, screen: XmlScreen, wanted: str, watcher: Watcher) -> bytes:
    """The part of this name, ignoring case, once it passed the screen; nothing if there is none."""
    name = next((name for name in archive.names if name.lower() == wanted.lower()), None)
    if name is None:
        return b""
    data = archive.read(name, MAX_XLSX_PART)
    screen.walk(data, name, watcher)
    return data


def _worksheets(archive: Archive, listed: _Listed, relations: _Relations) -> Iterator[tuple[str, str, bool]]:
    """Title, part and whether it is hidden, of every worksheet; chart sheets are passed over."""
    seen: set[str] = set()
    for name, relation, hidden in listed.sheets:
        title = clean_title(name, archive.file, _WORKBOOK)
        if relation not in relations.worksheets:
            continue
        target = relations.worksheets[relation]
        part = target[1:] if target.startswith("/") else f"xl/{target}"
        if part not in archive.names:
            raise BadInput("the workbook names a sheet that is not in it", file=archive.file, place=title)
        if seen & {part.lower(), f"title {title}"}:
            # One part read many times over would cost what the limits are there to prevent.
            raise BadInput("the workbook names a sheet twice", file=archive.file, place=title)
        seen |= {part.lower(), f"title {title}"}
        yield title, part, hidden


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
    """Which entry each worksheet is in, by relation."""

    __slots__ = ("worksheets",)

    def __init__(self) -> None:
        self.worksheets: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if _local(name) == "Relationship" and attributes.get("Type", "").endswith("/worksheet"):
            self.worksheets[attributes.get("Id", "")] = attributes.get("Target", "")


class _Strings(Silent):
    """How long each shared string is."""

    __slots__ = ("lengths",)

    def __init__(self) -> None:
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
        "unsaved",
    )

    def __init__(self, bounds: Bounds, lengths: list[int]) -> None:
        self._bounds = bounds
        self._lengths = lengths
        self._row = self._column = -1
        self._seen: set[tuple[int, int]] = set()
        self.formulas: set[tuple[int, int]] = set()
        self.unsaved: set[tuple[int, int]] = set()
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
            # At once: adding up a text of megabytes piece by piece takes seconds.
            if len(self._value) > MAX_CSV_FIELD:
                raise self._bounds.too_long(self._row, self._column)
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
            self.formulas.add((self._row, self._column))
            if not self._value and (self._value is None or self._kind != "str"):
                self.unsaved.add((self._row, self._column))
                self._kind, self._value = "str", UNSAVED
        if self._kind == "n" and self._value and not _NUMBER.fullmatch(self._value):
            raise self._bounds.bad("cell with a damaged number", cell)
        if self._value is not None or self._inline:
            self._bounds.fill(self._row, self._column, self._length(cell))
        self._clear()

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
