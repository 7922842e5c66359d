"""Labels and hand-made workbooks for the sheet tests."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from referee.core.forms import FormLabels
from referee.formats.eaform import LabelIndex
from referee.rulebooks.sfb import LINES

ROOT = Path(__file__).parents[4]
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
ODS_KIND = "application/vnd.oasis.opendocument.spreadsheet"


@pytest.fixture(scope="session")
def labels() -> FormLabels:
    data = json.loads((ROOT / "referee/rulebooks/sfb/tables/form_labels.json").read_text(encoding="utf-8"))
    return FormLabels(
        lines={key: tuple(texts) for key, texts in data["lines"].items()},
        weapons={key: tuple(texts) for key, texts in data["weapons"].items()},
        form=LINES,
        shields=tuple(data["shields"]),
        ship=tuple(data["ship"]),
        turn=tuple(data["turn"]),
        ignored=tuple(data["ignored"]),
        blanks=tuple(data["blanks"]),
    )


@pytest.fixture(scope="session")
def index(labels: FormLabels) -> LabelIndex:
    return LabelIndex(labels)


def calls_in(work: Callable[[], object]) -> int:
    """How many functions are called, in whatever language they are written: the same on every machine."""
    made = 0

    def count(frame: object, event: str, called: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made


def calls_for(text: str) -> int:
    """As many as reading the XML of a hostile workbook may make: by its elements, whatever they promise."""
    return 10_000 + 12 * text.count("<")


def pack(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, data, method)
    return out.getvalue()


def xlsx_parts(*sheets: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> dict[str, str | bytes]:
    numbers = range(1, len(sheets) + 1)
    listed = "".join(f'<sheet name="Ship {n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    relations = "".join(
        f'<Relationship Id="rId{n}" Type="{RELATION}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    spaces = f'xmlns="{SHEET}" xmlns:r="{RELATION}"'
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f"{head}<Types/>",
        "_rels/.rels": f'{head}<Relationships xmlns="{PACKAGE}"/>',
        "xl/workbook.xml": f"{head}<workbook {spaces}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{head}<Relationships xmlns="{PACKAGE}">{relations}</Relationships>',
    }
    for number, sheet in zip(numbers, sheets, strict=True):
        parts[f"xl/worksheets/sheet{number}.xml"] = f'{head}<worksheet xmlns="{SHEET}">{sheet}</worksheet>'
    return parts


@pytest.fixture
def xlsx() -> Callable[..., bytes]:
    """A workbook of worksheets given as the XML inside `<worksheet>`."""
    return lambda *sheets, **others: pack(xlsx_parts(*sheets, **others))


@pytest.fixture
def xlsx_with() -> Callable[..., bytes]:
    """The same with one part replaced."""
    return lambda sheet, name, data: pack(xlsx_parts(sheet) | {name: data})


def ods_bytes(inside: str, *, manifest: str = "<manifest/>", kind: str = ODS_KIND, head: str = "") -> bytes:
    """An ODS workbook with this inside `<office:spreadsheet>`."""
    urn = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<office:document-content '
        f'xmlns:office="{urn}office:1.0" xmlns:table="{urn}table:1.0" xmlns:text="{urn}text:1.0" '
        'xmlns:calcext="urn:calcext">'
        f"<office:body><office:spreadsheet>{inside}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    return pack({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


@pytest.fixture
def ods() -> Callable[..., bytes]:
    """An ODS workbook with this inside `<office:spreadsheet>`."""
    return ods_bytes
