from __future__ import annotations

import io
import resource
from collections.abc import Callable

import pytest
import xlsxwriter

from referee.core.errors import BadInput
from referee.core.sheet import Sheet
from referee.formats.sheets import WorkbookSheet, read_sheets, values
from referee.formats.sheets.grid import UNSAVED
from referee.formats.sheets.values import number_text
from tests.unit.formats.sheets.conftest import calls_for, calls_in

Build = Callable[..., bytes]


CORNERS = '<row r="1"><c r="A1"><v>1</v></c></row><row r="4999"><c r="ZZ4999"><v>1</v></c></row>'


def cells(inside: str) -> str:
    return f"<sheetData>{inside}</sheetData>"


def varied(count: int) -> str:
    """Elements that do not pack like a zip bomb."""
    return "".join(f"<a{n * 7919 % 100_000}/>" for n in range(count))


def refusal(data: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        read_sheets(data, "t.xlsx", ".xlsx")
    text = str(caught.value)
    assert "\n" not in text and text.startswith("t.xlsx: ") and len(text) <= 300
    return text


def written(fill: Callable[[xlsxwriter.worksheet.Worksheet, xlsxwriter.Workbook], None]) -> tuple[Sheet, ...]:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    fill(book.add_worksheet("Ship"), book)
    book.close()
    return read_sheets(out.getvalue(), "t.xlsx", ".xlsx")


def test_values_become_exact_texts() -> None:
    def fill(sheet: xlsxwriter.worksheet.Worksheet, book: xlsxwriter.Workbook) -> None:
        sheet.write_row(1, 0, ["Move\nment", 13, 2.5, 1 / 3, 0.1 + 0.2, 4 / 3, -3, 1e300, 0.125, 999999])
        sheet.write_row(2, 0, [True, "text", 123456.789])
        sheet.write_datetime(
            3, 0, __import__("datetime").datetime(2026, 5, 2), book.add_format({"num_format": "d/m"})
        )
        sheet.write_number(3, 1, 2.5, book.add_format({"num_format": "# ?/?"}))
        sheet.write_blank(4990, 600, None, book.add_format({"bold": True}))

    (sheet,) = written(fill)
    assert sheet.title == "Ship" and str(sheet.at(1, 2)) == "t.xlsx:Ship:C2"
    assert sheet.rows[0] == ("",) * 10
    assert sheet.rows[1] == ("Move ment", "13", "2.5", "1/3", "0.3", "4/3", "-3", "1e+300", "0.125", "999999")
    assert sheet.rows[2][:3] == ("TRUE", "text", "123456.789")
    assert sheet.rows[3][:2] == ("2026-05-02", "2.5")
    assert len(sheet.rows) == 4


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.333333333333333, "1/3"), (100 + 1 / 3, "301/3"), (100.333333333333, "100.333333333333"),
        (-0.0, "0"), (0.123456789012, "0.123456789012"), (1e15, "1e+15"), (999999.5, "999999.5"),
        (float("inf"), "inf"), (float("nan"), "nan"), (1 / 3 + 1 / 3, "2/3"), (-1 / 3, "-1/3"),
        (5e-324, "4.94065645841247e-324"),
    ],
)  # fmt: skip
def test_numbers(value: float, text: str) -> None:
    assert number_text(value) == text


def test_saved_values_of_formulas_are_used_and_known() -> None:
    (sheet,) = written(lambda sheet, _: sheet.write_formula("B2", "=10+3", None, 13))
    assert isinstance(sheet, WorkbookSheet)
    assert sheet.rows[1][1] == "13" and sheet.formulas == {(1, 1)}


def test_what_a_writer_leaves_uncalculated() -> None:
    with pytest.raises(BadInput, match="error value #DIV/0!") as caught:
        written(lambda sheet, _: sheet.write_formula("B2", "=1/0", None, "#DIV/0!"))
    assert caught.value.place == "Ship:B2"


@pytest.mark.parametrize(
    "cell", ["<f>1+1</f>", "<f>1+1</f><v/>", '<f t="shared" si="0"/><v></v>', "<f>1+1</f><is><t>a</t></is>"]
)
def test_a_formula_without_a_value_says_so(xlsx: Build, cell: str) -> None:
    (sheet,) = read_sheets(xlsx(cells(f'<row r="2"><c r="C2">{cell}</c></row>')), "t.xlsx")
    assert isinstance(sheet, WorkbookSheet)
    assert sheet.rows == (("",) * 3, ("", "", UNSAVED)) and sheet.formulas == {(1, 2)}


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<row r="2"><c r="C2" t="e"><v>#REF!</v></c></row>', "C2: error value #REF!"),
        ('<row r="2"><c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>', "C2: error value #DIV/0!"),
        ('<row r="1"><c r="A1"><v>NaN</v></c></row>', "A1: cell with a damaged number"),
        ('<row r="1"><c r="A1"><v>inf</v></c></row>', "A1: cell with a damaged number"),
        ('<row r="1"><c r="A1"><v>１</v></c></row>', "A1: cell with a damaged number"),
        ('<row r="1"><c r="AAA1"><v>1</v></c></row>', "AAA1: cell beyond column ZZ"),
        ('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', "cell beyond column ZZ or row 5000"),
        ('<row r="5001"/>', "A5001: cell beyond"),
        ('<row r="x"/>', "row without a proper number"),
        ('<row r="1"><c r="1A"><v>1</v></c></row>', "cell without a proper name"),
        ('<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>', "A1: cell given twice"),
        (
            '<row r="1"><c r="A1"><v>1</v></c></row><row r="4999"><c r="ZZ4999"><v>1</v></c></row>',
            "too far apart",
        ),
        ('<row r="1"><c r="A1" t="s"><v>7</v></c></row>', "A1: text that the workbook does not hold"),
        ('<row r="1"><c r="A1" t="str"><v>' + "a" * 4097 + "</v></c></row>", "A1: cell with more than 4096"),
        ('<row r="1"><c r="A1" t="str"><v>a\u0085b</v></c></row>', "A1: control character U+0085"),
        ('<row r="1">' + "<a>" * 40 + "</a>" * 40 + "</row>", "nested deeper than 32"),
        ("<row " + " ".join(f'a{n}="1"' for n in range(65)) + "/>", "more than 64 attributes"),
        ("<row>", "damaged XML at line"),
        ("<row r='1'><c r='A1'><v>&x;</v></c></row>", "damaged XML"),
    ],
)
def test_refused_cells(xlsx: Build, inside: str, words: str) -> None:
    assert words in refusal(xlsx(cells(inside)))


def test_amounts_are_bounded(xlsx: Build) -> None:
    row = "".join("<c><v>1</v></c>" for _ in range(100))
    assert "more than 20000 filled cells" in refusal(xlsx(cells(f"<row>{row}</row>" * 201)))
    assert "more than 200000 XML elements" in refusal(xlsx(cells(""), *[cells(varied(70_000))] * 3))
    assert "merged cells without" in refusal(xlsx('<mergeCells><mergeCell ref="A"/></mergeCells>'))
    for ref in ("A1:XFD1048576", "A1:A5001"):
        assert "cell beyond" in refusal(xlsx(f'<mergeCells><mergeCell ref="{ref}"/></mergeCells>'))


def test_cells_without_names_stand_behind_each_other(xlsx: Build) -> None:
    data = xlsx(
        cells("<row><c><v>1</v></c><c><v>2</v></c></row><row><c r='B2'><v>3</v></c><c><v>4</v></c></row>")
    )
    assert read_sheets(data, "t", ".xlsx")[0].rows == (("1", "2", ""), ("", "3", "4"))


@pytest.mark.parametrize(
    "part",
    [
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
        "xl/styles.xml",
        "xl/sharedStrings.xml",
        "xl/_rels/workbook.xml.rels",
    ],
)
@pytest.mark.parametrize("head", ["<!DOCTYPE a>", '<!DOCTYPE a [<!ENTITY b "c">]>'])
def test_document_types_are_refused_in_every_part(xlsx_with: Build, part: str, head: str) -> None:
    text = refusal(xlsx_with(cells(""), part, f'<?xml version="1.0"?>{head}<a/>'))
    assert f"{part}: XML with a document type or entities is refused" in text


def test_only_utf8(xlsx_with: Build) -> None:
    latin = '<?xml version="1.0" encoding="ISO-8859-1"?><styleSheet/>'
    assert "not UTF-8" in refusal(xlsx_with(cells(""), "xl/styles.xml", latin))
    wide = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a><styleSheet/>'.encode("utf-16")
    assert "xl/styles.xml: " in refusal(xlsx_with(cells(""), "xl/styles.xml", wide))


def test_broken_workbooks(xlsx_with: Build, xlsx: Build) -> None:
    rels = "xl/_rels/workbook.xml.rels"
    kind = 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"'
    missing = f'<Relationships><Relationship Id="rId1" {kind} Target="worksheets/no.xml"/></Relationships>'
    assert "Ship 1: the workbook names a sheet that is not in it" in refusal(
        xlsx_with(cells(""), rels, missing)
    )
    assert "has no worksheet" in refusal(xlsx_with(cells(""), rels, "<Relationships/>"))
    twice = xlsx_with(
        cells(""),
        "xl/workbook.xml",
        '<workbook xmlns:r="r"><sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId1"/></workbook>',
    )
    assert "B: the workbook names a sheet twice" in refusal(twice)
    assert "not an .ods workbook" not in refusal(xlsx(cells(""))[:-30])


def test_parts_nobody_needs_stay_unopened(xlsx_with: Build) -> None:
    data = xlsx_with(cells("<row><c><v>1</v></c></row>"), "xl/media/image1.png", b"<!DOCTYPE a>")
    assert read_sheets(data, "t", ".xlsx")[0].rows == (("1",),)


def test_a_sheet_a_ship(xlsx: Build) -> None:
    sheets = read_sheets(xlsx(cells("<row><c><v>1</v></c></row>"), cells("")), "t", ".xlsx")
    assert [(sheet.title, sheet.rows, sheet.place.sheet) for sheet in sheets] == [
        ("Ship 1", (("1",),), "Ship 1"),
        ("Ship 2", (), "Ship 2"),
    ]


def test_shared_strings_cannot_be_multiplied(xlsx_with: Build) -> None:
    strings = f"<sst><si><t>{'a' * 4096}</t></si></sst>"
    many = cells("".join("<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>" for _ in range(150)))
    assert "characters in its cells" in refusal(xlsx_with(many, "xl/sharedStrings.xml", strings))
    long = f"<sst><si><t>{'a' * 4097}</t></si></sst>"
    assert "A1: cell with more than 4096" in refusal(
        xlsx_with(cells('<row><c t="s"><v>0</v></c></row>'), "xl/sharedStrings.xml", long)
    )


def test_hostile_sizes_cost_little(xlsx: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused after so many calls for an element, in little memory, and before the library sees anything."""
    opened: list[object] = []
    monkeypatch.setattr(values, "_open", lambda *parts: opened.append(parts))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for inside in (
        f'<dimension ref="A1:XFD1048576"/>{cells(CORNERS)}',
        cells('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
        cells("<row><c/></row>" * 69_000) + '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        cells("<row>" + "<c/>" * 180_000 + "</row>"),
        cells(f"<row>{varied(199_990)}</row>") + '<mergeCells><mergeCell ref="AAA1"/></mergeCells>',
    ):
        data = xlsx(inside)
        assert calls_in(lambda data=data: refusal(data)) < calls_for(inside)
    assert not opened
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * 1024


def test_parts_are_bounded_together(xlsx: Build) -> None:
    padding = "".join(f"<!--{n}-->" + " " * 100 for n in range(60_000))
    assert "with the parts before it" in refusal(xlsx(padding, padding, padding))


def test_a_claimed_dimension_reserves_nothing(xlsx: Build) -> None:
    data = xlsx('<dimension ref="A1:XFD1048576"/>' + cells("<row><c><v>1</v></c></row>"))
    assert read_sheets(data, "t", ".xlsx")[0].rows == (("1",),)
