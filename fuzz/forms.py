"""Energy forms: CSV, a workbook, its sheet alone (`<`), JSON (`{`), or the rows of a piece's Show Data (`table;`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from fuzz.harness import files, judged
from fuzz.published import inputs
from referee.corpus.forms import text_of
from referee.formats.archive import Archive
from referee.formats.eaform import form_on
from referee.formats.vassal.chain import pair_traits
from referee.formats.vassal.container import write_zip
from referee.formats.vassal.pieces import read_piece
from referee.sources.asked import Asked
from referee.sources.forms import label_index
from referee.sources.settings import Settings

AIMS = (
    "referee/formats/sheets",
    "referee/formats/eaform.py",
    "referee/formats/archive.py",
    "referee/judging/forms.py",
)
_XLSX, _ODS = "xl/worksheets/sheet1.xml", "content.xml"


def take(data: bytes) -> None:
    """Reads and judges a form."""
    start = data.lstrip()[:1]
    if data.startswith(b"table;"):
        _shown(data.decode("utf-8", "replace"))
    elif start == b"<" and b"worksheet" in data[:500]:
        judged(write_zip({**_book("xlsx"), _XLSX: data}), "fuzzed.xlsx", "workbook")
    elif start == b"<":
        judged(write_zip({**_book("ods"), _ODS: data}), "fuzzed.ods", "workbook")
    elif data.startswith(b"PK"):
        judged(data, "fuzzed.xlsx", "workbook")
    else:
        judged(data, "fuzzed.csv", "json" if start in (b"{", b"[") else "text")


def _shown(text: str) -> None:
    """The table of a piece: its definition in the first line, its cells in the others."""
    type, _, state = text.partition("\n")
    chain = pair_traits(f"{type}\tpiece;;;;CA", f"{state}\tnull;0;0;1;0", {})
    piece = read_piece("1", chain, lambda _: None, None)
    for number, _ in enumerate(piece.tables):
        form_on(piece.table_sheet(number, "fuzzed.vsav"), label_index(Asked(Settings("sfb-cadet"))))


@cache
def _book(kind: str) -> dict[str, bytes]:
    """The files in a workbook, by name."""
    from referee.formats.sheets.writexlsx import blank_form_xlsx
    from tests.unit.formats.sheets.conftest import ods_bytes
    from tests.unit.formats.sheets.test_sheets_ods import number, row, table, text
    from tests.unit.formats.sheets.test_sheets_write import BLANK

    rows = row(text("Turn"), number("1")), row(text("Movement"), number("8"))
    data = blank_form_xlsx(BLANK) if kind == "xlsx" else ods_bytes(table(*rows))
    book = Archive(data, kind, max_entries=100, narrow_names=False)
    return {name: book.read(name, 1 << 24) for name in book.names}


def seeds() -> Iterator[bytes]:
    """The forms of the published cases and of the examples, as text, workbook, sheet, table and JSON."""
    for said in inputs("form"):
        rows = text_of(said["rows"])
        yield f"Ship,{said['ship']}\n{rows}".encode()
        cells = "\\,".join(cell for row in said["rows"] for cell in row)
        yield f"table;{len(said['rows'])};{len(said['rows'][0])};Show Data\n{cells}".encode()
    yield from files("examples/**/*.csv", "examples/**/*.xlsx", "examples/duel/constellation.json")
    yield from (_book("xlsx")[_XLSX], _book("ods")[_ODS], write_zip(_book("xlsx")), write_zip(_book("ods")))
