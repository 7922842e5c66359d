"""Spreadsheets and CSV files to `Sheet`s: text cells with their places, no judgement."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.sheet import Sheet
from referee.formats.limits import MAX_SHEET_ENTRIES, MAX_XLSX_FILE
from referee.formats.sheets.grid import WorkbookSheet

__all__ = ["SUFFIXES", "WorkbookSheet", "read_sheets"]

SUFFIXES = (".csv", ".tsv", ".xlsx", ".ods")

_ZIP = b"PK"
_OLE = b"\xd0\xcf\x11\xe0"


def read_sheets(data: bytes, file: str, suffix: str = "") -> tuple[Sheet, ...]:
    """The worksheets of a CSV, TSV, XLSX or ODS file; a CSV or TSV file is one sheet.

    What the bytes are decides between a workbook and text; `suffix` (`.xlsx`, `.csv`, with or
    without the dot) is only held against it, so a renamed file is named as such.
    """
    kind = suffix.lower().lstrip(".")
    if data.startswith(_ZIP):
        return _workbook(data, file)
    if data.startswith(_OLE):
        raise BadInput(
            "is a workbook of the old .xls kind, or locked with a password",
            file=file,
            hint="save it as .xlsx, .ods or .csv without a password",
        )
    if kind in ("xlsx", "ods"):
        raise BadInput(f"is not an .{kind} workbook", file=file)
    from referee.formats.sheets.csvsheet import read_csv

    return (read_csv(data, file),)


def _workbook(data: bytes, file: str) -> tuple[Sheet, ...]:
    """The sheets of a zipped workbook, told apart by what is inside."""
    from referee.formats.archive import Archive

    if len(data) > MAX_XLSX_FILE:
        raise BadInput(f"is larger than {MAX_XLSX_FILE} bytes", file=file)
    archive = Archive(data, file, max_entries=MAX_SHEET_ENTRIES, narrow_names=False)
    if "xl/workbook.xml" in archive.names:
        from referee.formats.sheets.xlsx import read_xlsx

        return read_xlsx(archive)
    if "content.xml" in archive.names:
        from referee.formats.sheets.ods import read_ods

        return read_ods(archive)
    raise BadInput("is a zip archive, but neither an .xlsx nor an .ods workbook", file=file)
