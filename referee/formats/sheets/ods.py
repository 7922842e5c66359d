"""ODS workbooks: screened, then read."""

from __future__ import annotations

import re

from referee.core.errors import BadInput
from referee.core.location import cell_name
from referee.core.sheet import Sheet
from referee.formats.archive import Archive
from referee.formats.limits import MAX_CSV_FIELD, MAX_XLSX_PART
from referee.formats.sheets.grid import UNSAVED, Bounds, clean_title
from referee.formats.sheets.values import ScreenedSheet, read_values
from referee.formats.sheets.xmlscreen import Silent, XmlScreen

_MANIFEST = "META-INF/manifest.xml"
_KIND = b"application/vnd.oasis.opendocument.spreadsheet"
_FIGURES = ("float", "percentage", "currency")
_CELLS = ("table:table-cell", "table:covered-table-cell")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
# As long as a program writes one, and read in one way: two ways cost the square of the length.
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,3})?")
_ERROR = re.compile(r"Err:[0-9]+|#[A-Z0-9/]+[!?]?")


def read_ods(archive: Archive) -> tuple[Sheet, ...]:
    """The sheets of a workbook, in its order; numbers as exact texts, formulas by saved value."""
    kind = archive.read("mimetype", 100) if "mimetype" in archive.names else b""
    if kind.strip() != _KIND:
        raise BadInput("is not an .ods workbook", file=archive.file, place="mimetype")
    screen = XmlScreen(archive.file)
    tables = _Tables(archive.file)
    parts = {"mimetype": _KIND}
    for name, watcher in ((_MANIFEST, _Manifest(archive.file)), ("content.xml", tables)):
        if name in archive.names:
            parts[name] = archive.read(name, MAX_XLSX_PART)
            screen.walk(parts[name], name, watcher)
    if not tables.sheets:
        raise BadInput("has no sheet", file=archive.file)
    return read_values(parts, archive.file, tables.sheets)


class _Manifest(Silent):
    """Refuses what is locked with a password."""

    __slots__ = ("_file",)

    def __init__(self, file: str) -> None:
        self._file = file

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name.endswith("encryption-data"):
            raise BadInput("is locked with a password", file=self._file, hint="save it without one")


class _Tables(Silent):
    """Checks every cell of every table, repeats and all, before the library builds anything."""

    __slots__ = (
        "_bounds",
        "_cell",
        "_column",
        "_file",
        "_formulas",
        "_name",
        "_row",
        "_row_times",
        "_shown",
        "_unsaved",
        "_within",
        "sheets",
    )

    def __init__(self, file: str) -> None:
        self._file = file
        self._bounds = Bounds(file)
        self.sheets: list[ScreenedSheet] = []
        self._formulas: set[tuple[int, int]] = set()
        self._unsaved: set[tuple[int, int]] = set()
        self._name: str | None = None
        self._cell: dict[str, str] | None = None
        self._shown = ""
        # Elements below the cell's own paragraphs that are not its text, such as a comment.
        self._within = 0
        self._row = self._column = 0
        self._row_times = 1

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table:table":
            self._start_table(attributes)
        elif self._name is None:
            return
        elif name == "table:table-row":
            self._row_times = self._count(attributes, "table:number-rows-repeated")
            self._column = 0
        elif name in _CELLS:
            if self._cell is not None:
                raise self._bounds.bad("table inside a cell", self._place())
            self._cell, self._shown = attributes, ""
        elif name == "office:annotation":
            self._within += 1

    def end(self, name: str) -> None:
        if name == "table:table":
            self._end_table()
        elif self._name is None:
            return
        elif name == "table:table-row":
            self._row += self._row_times
        elif name in _CELLS and self._cell is not None:
            self._end_cell(self._cell)
            self._cell = None
        elif name == "office:annotation":
            self._within -= 1

    def text(self, text: str) -> None:
        if self._cell is not None and not self._within:
            self._shown += text
            # At once: adding up a text of megabytes piece by piece takes seconds.
            if len(self._shown) > MAX_CSV_FIELD:
                raise self._bounds.too_long(self._row, self._column)

    def _start_table(self, attributes: dict[str, str]) -> None:
        title = attributes.get("table:name", "")
        if self._name is not None:
            raise self._bounds.bad("table inside a table", self._place())
        if any(sheet.name == title for sheet in self.sheets):
            raise self._bounds.bad("the workbook names a sheet twice", title)
        clean_title(title, self._file, "content.xml")
        self._name = title
        self._row = self._column = 0
        self._formulas, self._unsaved = set(), set()
        self._bounds.begin(title)

    def _end_table(self) -> None:
        if self._name is not None:
            formulas, unsaved = frozenset(self._formulas), frozenset(self._unsaved)
            self.sheets.append(ScreenedSheet(self._name, formulas, unsaved=unsaved))
        self._name = None

    def _end_cell(self, attributes: dict[str, str]) -> None:
        times = self._count(attributes, "table:number-columns-repeated")
        formula = attributes.get("table:formula")
        kind = attributes.get("office:value-type")
        self._check_error(attributes, formula)
        value = attributes.get("office:value")
        # The library reads a value whatever kind the cell is said to be.
        if (value is not None or kind in _FIGURES) and not _NUMBER.fullmatch(value or ""):
            raise self._bounds.bad("cell with a damaged number", self._place())
        self._check_span(attributes)
        if kind is not None or formula is not None or self._shown.strip():
            self._fill(times, attributes, formula is not None, kind is None)
        self._column += times

    def _fill(self, times: int, attributes: dict[str, str], formula: bool, unsaved: bool) -> None:
        length = max(len(self._shown), len(attributes.get("office:string-value", "")), len(UNSAVED) * unsaved)
        row, column = self._row + self._row_times - 1, self._column + times - 1
        self._bounds.fill(row, column, length, times=times * self._row_times)
        if formula:
            rows, columns = range(self._row, row + 1), range(self._column, column + 1)
            cells = [(r, c) for r in rows for c in columns]
            self._formulas.update(cells)
            self._unsaved.update(cells if unsaved else ())

    def _check_error(self, attributes: dict[str, str], formula: str | None) -> None:
        shown = self._shown.strip()
        marked = attributes.get("calcext:value-type") == "error"
        if marked or (formula is not None and _ERROR.fullmatch(shown)):
            raise self._bounds.bad(f"error value {shown[:20]}".rstrip(), self._place())

    def _check_span(self, attributes: dict[str, str]) -> None:
        down = self._count(attributes, "table:number-rows-spanned")
        across = self._count(attributes, "table:number-columns-spanned")
        if down > 1 or across > 1:
            self._bounds.reach(self._row + down - 1, self._column + across - 1)

    def _count(self, attributes: dict[str, str], name: str) -> int:
        text = attributes.get(name, "1")
        if not _COUNT.fullmatch(text):
            raise self._bounds.bad(f"{name.partition(':')[2]} is not a count", self._place())
        return int(text)

    def _place(self) -> str:
        return cell_name(self._row, self._column) if self._name is not None else ""
