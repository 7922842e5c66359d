"""CSV and TSV files, also as spreadsheets of other countries write them."""

from __future__ import annotations

import codecs
import csv
import re

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.location import Location, cell_name
from referee.core.sheet import Sheet
from referee.formats.files import as_text
from referee.formats.limits import MAX_CSV_COLUMNS, MAX_CSV_FIELD, MAX_CSV_FILE, MAX_CSV_ROWS
from referee.formats.sheets.grid import CONTROL, CsvSheet, rectangle

_SEPARATORS = ",;\t"
_LINE_END = re.compile("\r\n|\r|\n")
_QUOTED = re.compile('"[^"]*"?')
_SEPARATOR_NOTE = re.compile("sep=([,;\t])", re.IGNORECASE)
_GUARDED = re.compile(r"'+[=+\-@]")
# Two decimals at most: `1,500` in a tab-separated sheet is as likely fifteen hundred.
_DECIMAL_COMMA = re.compile(r"([0-9]{1,6}),([0-9]{1,2})")


_DECIMAL_POINT = re.compile(r"[0-9]{1,6}\.[0-9]{1,9}")
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


@frozen
class Dialect:
    """How a CSV file is written: between cells, at the end of lines, in figures with a part (`2,5`; without a sign as
    `2 1/2`), and as bytes."""

    separator: str = ","
    line_end: str = "\n"
    decimal: str = ""
    mark: bytes = b""
    note: bool = False

    def as_bytes(self, text: str) -> bytes:
        """A text of lines as a file has it."""
        return self.mark + text.encode(_MARKS.get(self.mark, "utf-8"))


def dialect_of(data: bytes, file: str) -> Dialect:
    """How a CSV file is written that was read before."""
    text = _decode(data, file)
    lines = _lines(text, file)
    separator, end = _separator(lines), _LINE_END.search(text)
    cells = [cell.strip(' "') for line in lines for cell in line.split(separator)]
    decimal = "." if any(map(_DECIMAL_POINT.fullmatch, cells)) else ""
    if separator != "," and any(map(_DECIMAL_COMMA.fullmatch, cells)):
        decimal = ","
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    note = _SEPARATOR_NOTE.fullmatch(lines[0]) is not None
    return Dialect(separator, end[0] if end else "\n", decimal, mark, note)


def read_csv(data: bytes, file: str) -> Sheet:
    """The one sheet of a CSV file; every cell's place has its cell name and its line.

    Cells are separated by commas, semicolons or tabs, whichever the first line with anything on
    it uses. Rows are padded to the widest. An apostrophe that guards a cell against being taken for
    a formula (`'=`) is removed; in sheets not separated by commas `2,5` is read as `2.5`.
    """
    lines = _lines(_decode(data, file), file)
    separator = _separator(lines)
    rows = [_row(line, number, separator, file) for number, line in enumerate(lines, 1)]
    if lines and _SEPARATOR_NOTE.fullmatch(lines[0]):
        rows[0] = []
    return CsvSheet(rectangle(rows), Location(file=file))


def _decode(data: bytes, file: str) -> str:
    if len(data) > MAX_CSV_FILE:
        raise BadInput(f"is larger than {MAX_CSV_FILE} bytes", file=file)
    text = as_text(data, file, "save it as CSV UTF-8")
    if not text.strip():
        raise BadInput("is empty", file=file)
    return text


def _lines(text: str, file: str) -> list[str]:
    lines = _LINE_END.split(text.rstrip("\r\n"))
    if len(lines) > MAX_CSV_ROWS:
        raise BadInput(f"has more than {MAX_CSV_ROWS} rows", file=file)
    for number, line in enumerate(lines, 1):
        for found in CONTROL.finditer(line):
            # A tab separates cells; inside a cell it is refused with the cell's name.
            if found[0] != "\t":
                reason = f"control character U+{ord(found[0]):04X}"
                raise BadInput(reason, file=file, place=f"line {number}, column {found.start() + 1}")
    return lines


def _separator(lines: list[str]) -> str:
    """The separator the first line with anything on it uses most; the earliest of equals."""
    first = next((line for line in lines if line.strip()), "")
    if note := _SEPARATOR_NOTE.fullmatch(first):
        return note[1]
    bare = _QUOTED.sub("", first)
    counts = {sign: bare.count(sign) for sign in _SEPARATORS}
    used = [sign for sign in _SEPARATORS if counts[sign]]
    return max(used, key=lambda sign: (counts[sign], -bare.index(sign)), default=",")


def _row(line: str, number: int, separator: str, file: str) -> list[str]:
    # A line at a time: a quoted line break would be a control character, and rows stay lines.
    try:
        cells = next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        reason = "a quoted cell is not closed, or text follows its closing quote"
        hint = "write a quote inside a cell twice, and keep a cell on one line"
        raise BadInput(reason, file=file, place=f"line {number}", hint=hint) from None
    if len(cells) > MAX_CSV_COLUMNS:
        raise BadInput(f"has more than {MAX_CSV_COLUMNS} columns", file=file, place=f"line {number}")
    return [_cell(text, number - 1, column, separator, file) for column, text in enumerate(cells)]


def _cell(text: str, row: int, column: int, separator: str, file: str) -> str:
    if len(text) > MAX_CSV_FIELD:
        reason = f"cell with more than {MAX_CSV_FIELD} characters"
        raise BadInput(reason, file=file, place=cell_name(row, column))
    if "\t" in text:
        raise BadInput("control character U+0009 in a cell", file=file, place=cell_name(row, column))
    if separator != "," and (match := _DECIMAL_COMMA.fullmatch(text.strip(" "))):
        return f"{match[1]}.{match[2]}"
    return text[1:] if _GUARDED.match(text) else text
