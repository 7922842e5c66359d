from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.formats.sheets import WorkbookSheet, read_sheets, values
from referee.formats.sheets.grid import UNSAVED
from tests.unit.formats.sheets.conftest import calls_for, calls_in

Build = Callable[..., bytes]


GAP = '<table:table-cell table:number-columns-repeated="600"/>'


def table(*rows: str, name: str = "Ship") -> str:
    return f'<table:table table:name="{name}">{"".join(rows)}</table:table>'


def row(*cells: str, times: int = 1) -> str:
    return f'<table:table-row table:number-rows-repeated="{times}">{"".join(cells)}</table:table-row>'


def text(words: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{words}</text:p></table:table-cell>'


def number(value: str, more: str = "") -> str:
    return f'<table:table-cell office:value-type="float" office:value="{value}" {more}/>'


def refusal(data: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        read_sheets(data, "t.ods", ".ods")
    words = str(caught.value)
    assert "\n" not in words and words.startswith("t.ods: ") and len(words) <= 300
    return words


def test_values_and_repeats(ods: Build) -> None:
    blank = '<table:table-cell table:number-columns-repeated="16380"/>'
    note = "<office:annotation><text:p>a comment</text:p></office:annotation>"
    data = ods(
        table(
            row(text("Turn"), number("1"), number("2"), blank),
            row("<table:table-cell/>", times=2),
            row(text(f"{note}Move<text:s/>ment"), number("2.5", 'table:number-columns-repeated="2"')),
            row('<table:table-cell table:number-columns-repeated="16384"/>', times=1_048_572),
        )
        + table(name="Other")
    )
    sheets = read_sheets(data, "t.ods", ".ods")
    assert [sheet.title for sheet in sheets] == ["Ship", "Other"]
    assert sheets[0].rows == (("Turn", "1", "2"), ("", "", ""), ("", "", ""), ("Move ment", "2.5", "2.5"))
    assert str(sheets[0].at(3, 1)) == "t.ods:Ship:B4"
    assert sheets[1].rows == ()


def test_saved_values_of_formulas(ods: Build) -> None:
    (sheet,) = read_sheets(ods(table(row(text("a"), number("13", 'table:formula="of:=10+3"')))), "t", ".ods")
    assert isinstance(sheet, WorkbookSheet)
    assert sheet.rows == (("a", "13"),) and sheet.formulas == {(0, 1)}
    twice = '<table:table-cell table:formula="of:=1" table:number-columns-repeated="2"/>'
    (sheet,) = read_sheets(ods(table(row(), row(text("a"), twice))), "t", ".ods")
    assert isinstance(sheet, WorkbookSheet)
    assert sheet.rows[1] == ("a", UNSAVED, UNSAVED) and sheet.formulas == {(1, 1), (1, 2)}


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (
            table(
                row(
                    '<table:table-cell table:formula="of:=1/0" office:value-type="string" '
                    'calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>'
                )
            ),
            "Ship:A1: error value #DIV/0!",
        ),
        (
            table(
                row(
                    '<table:table-cell table:formula="of:=x" office:value-type="float" office:value="0">'
                    "<text:p>Err:508</text:p></table:table-cell>"
                )
            ),
            "error value Err:508",
        ),
        (table(row(number("NaN"))), "A1: cell with a damaged number"),
        (table(row(number("inf"))), "A1: cell with a damaged number"),
        (table(row(text("a" * 4097))), "more than 4096 characters"),
        (table(row(text("a\u0085"))), "control character U+0085"),
        (table(row(number("1", 'table:number-columns-repeated="16384"'))), "cell beyond column ZZ"),
        (table(row(number("1"), times=1_048_576)), "cell beyond column ZZ or row 5000"),
        (table(row(number("1", 'table:number-columns-repeated="700"'), times=30)), "more than 20000 filled"),
        (table(row(number("1", 'table:number-columns-repeated="9999999999"'))), "is not a count"),
        (table(row(number("1", 'table:number-columns-repeated="0"'))), "is not a count"),
        (table(row(number("1", 'table:number-columns-spanned="16384"'))), "cell beyond"),
        (
            table(row(number("1")), row(times=4000), row(GAP, number("1"))),
            "too far apart",
        ),
        (table() + table(), "names a sheet twice"),
        (table(table()), "table inside a table"),
        ("", "has no sheet"),
        (table(name="a" * 101), "worksheet name with more than 100"),
        ("<a>" * 40 + "</a>" * 40, "nested deeper than 32"),
        ("<a/>" * 200_001, "more than 200000 XML elements"),
    ],
)  # fmt: skip
def test_refusals(ods: Build, inside: str, words: str) -> None:
    assert words in refusal(ods(inside))


def test_refused_workbooks(ods: Build) -> None:
    assert "content.xml: XML with a document type" in refusal(ods(table(), head="<!DOCTYPE a>"))
    locked = "<m><encryption-data/></m>"
    assert "is locked with a password" in refusal(ods(table(), manifest=locked))
    assert "is not an .ods workbook" in refusal(ods(table(), kind="application/vnd.oasis.opendocument.text"))


def test_hostile_repeats_cost_little(ods: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in so many calls for an element and in little memory, and the library builds no cell of them."""
    opened: list[Any] = []
    real = values._open
    monkeypatch.setattr(values, "_open", lambda *parts: opened.append(real(*parts)) or opened[-1])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wide = '<table:table-cell table:number-columns-repeated="999999999"/>'
    rows = (row(f'<table:table-cell table:number-columns-repeated="{10**6 + n}"/>') for n in range(60_000))
    for inside in (table(row(wide, times=999_999_999)), table(*rows)):
        data, sheets = ods(inside), []
        assert calls_in(lambda data=data, sheets=sheets: sheets.extend(read_sheets(data, "t", ".ods"))) < (
            calls_for(inside)
        )
        assert [sheet.rows for sheet in sheets] == [()]
        found = opened.pop().get_sheet_by_name("Ship")
        assert (found.total_height, found.total_width) == (0, 0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * 1024
