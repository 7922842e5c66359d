from __future__ import annotations

import time

import pytest

from referee.core.errors import BadInput
from referee.formats.sheets import read_sheets
from referee.formats.sheets.csvsheet import read_csv


def refusal(data: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        read_csv(data, "t.csv")
    text = str(caught.value)
    assert "\n" not in text and text.startswith("t.csv: ") and len(text) <= 300
    return text


def test_cells_know_cell_and_line() -> None:
    sheet = read_csv(b"Ship,CA\n\nTurn,1,2\r\nMovement,13\r\n", "t.csv")
    assert sheet.rows == (("Ship", "CA", ""), ("", "", ""), ("Turn", "1", "2"), ("Movement", "13", ""))
    place = sheet.at(3, 1)
    assert (place.file, place.cell, place.line) == ("t.csv", "B4", 4)


@pytest.mark.parametrize(
    "text", ["Turn,1,2", "Turn;1;2", "Turn\t1\t2", "\n\nTurn;1;2", "\ufeffTurn,1,2", "sep=;\nTurn;1;2"]
)
def test_separators(text: str) -> None:
    assert read_csv(text.encode(), "t.csv").rows[-1] == ("Turn", "1", "2")


def test_only_the_first_line_decides() -> None:
    assert read_csv(b"Turn,1\nMovement;2,3\n", "t").rows[1] == ("Movement;2", "3")
    assert read_csv(b'"a,b,c";1\n', "t").rows == (("a,b,c", "1"),)
    assert read_csv(b"Ship;Smith, John\n", "t").rows == (("Ship", "Smith, John"),)


def test_decimal_comma_where_commas_do_not_separate() -> None:
    assert read_csv(b"Turn;1\nMovement;2,5\nWarp;1,500\n", "t").rows[1:] == (
        ("Movement", "2.5"),
        ("Warp", "1,500"),
    )
    assert read_csv(b'Turn,1\nMovement,"2,5"\n', "t").rows[1] == ("Movement", "2,5")


def test_formula_guards_are_removed() -> None:
    assert read_csv(b"'=x,'-3,''=y,'tis,'+\n", "t").rows == (("=x", "-3", "'=y", "'tis", "+"),)


def test_old_mac_line_ends() -> None:
    assert read_csv(b"a,1\rb,2", "t").rows == (("a", "1"), ("b", "2"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        (b"Turn,1\xff\n", "byte 6: is not UTF-8"),
        ("Turn,1".encode("utf-16-le"), "control character U+0000"),
        (b"Turn,1\nMove\x1b[2J,2\n", "line 2, column 5: control character U+001B"),
        ("Turn,1\u0085".encode(), "control character U+0085"),
        ("Turn,1\u2028".encode(), "control character U+2028"),
        (b"Turn,1\nA\tB,2\n", "A2: control character U+0009"),
        (b'Turn,"1\n2"\n', "line 1: a quoted cell is not closed"),
        (b'Turn,"1"2\n', "line 1: a quoted cell"),
        (b"Turn,1\n" + b"a" * 4097, "A2: cell with more than 4096"),
        (b"Turn,1\n" + b"," * 64, "line 2: has more than 64 columns"),
        (b"a\n" * 2001, "more than 2000 rows"),
        (b"a," * 600_000, "larger than"),
    ],
)
def test_refusals(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_a_million_columns_is_quick() -> None:
    start = time.process_time()
    assert "more than 64 columns" in refusal(b"," * (1024 * 1024 - 1) + b"1")
    assert "more than 2000 rows" in refusal(b"1" + b"\n" * (1024 * 1024 - 2) + b"1")
    assert time.process_time() - start < 2


def test_limits_are_inclusive() -> None:
    assert len(read_csv(b"," * 63 + b"1\n", "t").rows[0]) == 64
    assert len(read_csv(b"1\n" * 2000, "t").rows) == 2000
    assert read_csv(b"a" * 4096, "t").rows == (("a" * 4096,),)


def test_by_content_and_suffix() -> None:
    assert read_sheets(b"Turn\t1", "t.tsv", ".tsv")[0].rows == (("Turn", "1"),)
    for data, suffix, words in [
        (b"Turn,1", ".xlsx", "is not an .xlsx workbook"),
        (b"Turn,1", "ods", "is not an .ods workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", ".xlsx", "old .xls kind, or locked"),
        (b"PK\x03\x04", ".xlsx", "zip"),
    ]:
        with pytest.raises(BadInput, match=words):
            read_sheets(data, "t", suffix)
