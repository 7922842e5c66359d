"""Whether a workbook is one that this program wrote, by what its properties say."""

from __future__ import annotations

from referee.formats.archive import Archive
from referee.formats.limits import MAX_MODULE_ENTRIES

WRITTEN = "Written by referee"
_PROPERTIES = ("docProps/core.xml", "meta.xml")
"""Where an XLSX and an ODS workbook have their properties."""


def is_own_workbook(data: bytes, file: str) -> bool:
    """Was a workbook written by this program? Its totals are formulas that nobody has to be told of."""
    archive = Archive(data, file, max_entries=MAX_MODULE_ENTRIES, narrow_names=False)
    parts = [name for name in _PROPERTIES if name in archive]
    return any(WRITTEN.encode() in archive.read(name, 1 << 16) for name in parts)
