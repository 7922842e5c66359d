"""A copy of a workbook in which some cells hold other figures; everything else stays as it was.

Comments, colours, other sheets and pictures are in parts of the file that are copied byte for byte. A cell that is a
formula stays one: its saved value is worked out again where it depends on what is written, and taken out where that cannot
be done here, so that nobody reads an old one.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from referee.formats.archive import Archive
from referee.formats.limits import MAX_SHEET_ENTRIES, MAX_XLSX_PART
from referee.formats.sheets.editedpart import Figures
from referee.formats.sheets.formulas import Place


def with_figures(data: bytes, file: str, sheet: str, figures: Figures) -> tuple[bytes, tuple[Place, ...]]:
    """The copy of an XLSX or ODS workbook, which was read before, and the formulas in it whose saved value was taken
    out, for what they come to now is not known. Raises BadInput."""
    archive = Archive(data, file, max_entries=MAX_SHEET_ENTRIES, narrow_names=False)
    if "xl/workbook.xml" in archive.names:
        from referee.formats.sheets.copiedxlsx import changed_parts
    else:
        from referee.formats.sheets.copiedods import changed_parts
    parts, lost = changed_parts(archive, sheet, figures)
    return _rewritten(data, archive, parts), lost


def with_column(data: bytes, file: str, sheet: str, at: int) -> bytes:
    """The copy of a workbook with a column put in at `at` (from 0) of a sheet, which looks and reckons as the one before
    it. Raises BadInput where something in it cannot be moved with its cells."""
    archive = Archive(data, file, max_entries=MAX_SHEET_ENTRIES, narrow_names=False)
    if "xl/workbook.xml" in archive.names:
        from referee.formats.sheets.columnxlsx import with_column
    else:
        from referee.formats.sheets.columnods import with_column
    return _rewritten(data, archive, with_column(archive, sheet, at))


def _rewritten(data: bytes, archive: Archive, changed: Mapping[str, bytes]) -> bytes:
    """The archive with other contents in some entries, all in their order and with their dates."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for entry in before.infolist():
            name = entry.filename
            if name in changed:
                after.writestr(entry, changed[name])
            else:
                after.writestr(entry, b"" if entry.is_dir() else archive.read(name, MAX_XLSX_PART))
    return out.getvalue()
