"""Whether a workbook is one that this program wrote, by what its properties say, and what players added to it."""

from __future__ import annotations

from referee.formats.archive import Archive
from referee.formats.limits import MAX_MODULE_ENTRIES
from referee.formats.sheets.grid import WorkbookSheet
from referee.formats.sheets.labels import LabelIndex

WRITTEN = "Written by referee"
BALANCE = "Over or left"
"""The label of the row that says whether a turn's energy is overspent; it is none of the form's lines."""
_PROPERTIES = ("docProps/core.xml", "meta.xml")
"""Where an XLSX has its properties, and an ODS that LibreOffice made of it."""


def is_own_workbook(data: bytes, file: str) -> bool:
    """Was a workbook written by this program? Its totals are formulas that nobody has to be told of."""
    archive = Archive(data, file, max_entries=MAX_MODULE_ENTRIES, narrow_names=False)
    parts = [name for name in _PROPERTIES if name in archive]
    return any(WRITTEN.encode() in archive.read(name, 1 << 16) for name in parts)


def players_formulas(sheet: WorkbookSheet, labels: LabelIndex) -> frozenset[tuple[int, int]]:
    """The cells of a form of this program's that are formulas, and none of the totals it wrote."""

    def is_total(row: int) -> bool:
        label = sheet.rows[row][0] if row < len(sheet.rows) and sheet.rows[row] else ""
        return label == BALANCE or labels.line(label) in (labels.form.power, labels.form.spent)

    return frozenset(cell for cell in sheet.formulas if not is_total(cell[0]))
