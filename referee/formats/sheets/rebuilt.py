"""A new XLSX workbook around screened worksheets, so that the reading library sees nothing else.

What says where things are (relations, the list of sheets) is written anew: two readers can disagree
about a doubled relation, and then one would read what the other screened.
"""

from __future__ import annotations

from collections.abc import Sequence

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def sheet_key(number: int) -> str:
    """The name of the n-th worksheet (from 1) in the new workbook."""
    return f"sheet{number}"


def rebuilt(pages: Sequence[bytes], strings: bytes, styles: bytes) -> dict[str, bytes]:
    """The parts of the new workbook, by archive name."""
    targets = [("worksheet", f"worksheets/{sheet_key(number)}.xml") for number in range(1, len(pages) + 1)]
    parts = {f"xl/{target}": page for (_, target), page in zip(targets, pages, strict=True)}
    for kind, name, data in (
        ("sharedStrings", "sharedStrings.xml", strings),
        ("styles", "styles.xml", styles),
    ):
        if data:
            targets.append((kind, name))
            parts[f"xl/{name}"] = data
    listed = "".join(
        f'<sheet name="{sheet_key(number)}" sheetId="{number}" r:id="r{number}"/>'
        for number in range(1, len(pages) + 1)
    )
    workbook = f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'
    parts["xl/workbook.xml"] = workbook.encode()
    parts["xl/_rels/workbook.xml.rels"] = _relations(targets)
    parts["_rels/.rels"] = _relations([("officeDocument", "xl/workbook.xml")])
    return parts


def _relations(targets: Sequence[tuple[str, str]]) -> bytes:
    inside = "".join(
        f'<Relationship Id="r{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}">{inside}</Relationships>'.encode()
