"""`form next` of a workbook whose last turn column is taken puts a column in: nothing behind it is lost, rules and sums hold."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from lxml import etree
from xlsxwriter.workbook import Workbook as Book
from xlsxwriter.worksheet import Worksheet as Page

from referee.formats.sheets import read_sheets
from referee.formats.sheets.references import in_ods, in_xlsx, of_ranges, one_further_in_ods
from tests.cli.conftest import Run
from tests.cli.test_form_next_copies import ROWS, WANTED, figures
from tests.cli.test_form_workbooks import OFFICE, office, without_saved_values

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def workbook(add: str = "") -> bytes:
    """A form of two turns with notes behind them, as a player who knows spreadsheets makes it."""
    out = io.BytesIO()
    book = Book(out, {"in_memory": True})
    open_cell = book.add_format({"bg_color": "#99CCFF", "locked": False})
    page, other = book.add_worksheet("CA Form"), book.add_worksheet("Fleet")
    page.merge_range("A1:D1", "Constellation's form", book.add_format({"bold": True}))
    page.write_row("A2", ["Ship", "cadet/federation-ca"])
    page.write_row("A3", ["Turn", 1, 2, "Notes", "Row total"])
    for row, (label, figure) in enumerate(ROWS, 3):
        page.write(row, 0, label)
        for column in (1, 2):
            if label == "Total Power":
                letter = "BC"[column - 1]
                page.write_formula(row, column, f"=SUM({letter}4:{letter}6)", None, 20)
            else:
                page.write_number(row, column, figure or 0, open_cell)
        page.write(row, 3, f"note on {label}")
        page.write_formula(
            row,
            4,
            f"=SUM(B{row + 1}:C{row + 1})+N($D$1)",
            None,
            40 if label == "Total Power" else 2 * (figure or 0),
        )
    page.set_column(1, 2, 9)
    page.set_column(3, 3, 33)
    page.data_validation(
        "B4:C6", {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": "=$E$40"}
    )
    page.conditional_format("B4:C12", {"type": "formula", "criteria": "=B4>$E$41", "format": open_cell})
    page.print_area("A1:E14")
    page.autofilter("A3:E12")
    page.protect()
    page.freeze_panes(3, 1)
    book.define_name("Noted", "='CA Form'!$D$4:$D$12")
    other.write_formula("B2", "='CA Form'!E4+SUM('CA Form'!B4:D4)+D9", None, 64)
    _added(book, page, add)
    book.close()
    return out.getvalue()


def _added(book: Book, page: Page, add: str) -> None:
    """What keeps a column from being put in."""
    if add == "chart":
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "='CA Form'!$B$4:$C$4"})
        book.worksheets()[1].insert_chart("A20", chart)
    elif add == "comment":
        page.write_comment("D5", "behind the turns")
    elif add == "own comment":
        page.write_comment("B5", "before them")
    elif add == "shape":
        page.insert_textbox("F5", "mind the drones")
    elif add == "table":
        page.add_table("H3:I5")
    elif add == "array":
        page.write_array_formula("G4:G5", "{=B4:B5*2}")


def sheet_xml(path: str, name: str = "xl/worksheets/sheet1.xml") -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def test_a_column_is_put_in_and_all_behind_it_moves(referee: Run, own_folder: Path) -> None:
    Path("f.xlsx").write_bytes(workbook("own comment"))
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 0, ran.err
    (old, fleet), (new, same) = (read_sheets(Path(f).read_bytes(), f) for f in ("f.xlsx", "n.xlsx"))
    assert new.rows[2][:6] == ("Turn", "1", "2", "3", "Notes", "Row total")
    assert figures(new, 3) | {"Ship": ""} == {**WANTED, "Turn": "3", "Ship": ""}
    # Every other cell is as it was, one column on where it stands behind the turn.
    for then, now in zip(old.rows, new.rows, strict=True):
        assert (*now[:3], *now[4:]) == then
    # What another sheet adds up over the turns counts the new one.
    assert (fleet.rows[1][1], same.rows[1][1]) == ("64", "80")
    assert "put in: column D for turn 3; a sum that ends at turn 2 does not count it" in ran.err
    page, book = sheet_xml("n.xlsx"), sheet_xml("n.xlsx", "xl/workbook.xml")
    for told in (
        '<mergeCell ref="A1:E1"/>', 'sqref="B4:D6"', "<formula2>$F$40</formula2>", 'sqref="B4:D12"',
        "<formula>B4&gt;$F$41</formula>", '<autoFilter ref="A3:F12"/>', "<f>SUM(D4:D6)</f>",
        "<f>SUM(B4:C4)+N($E$1)</f>", '<col min="2" max="4" ', '<col min="5" max="5" ', "<sheetProtection",
    ):  # fmt: skip
        assert told in page, told
    assert "'CA Form'!$A$1:$F$14" in book and "'CA Form'!$E$4:$E$12" in book
    assert "<f>'CA Form'!F4+SUM('CA Form'!B4:E4)+D9</f>" in sheet_xml("n.xlsx", "xl/worksheets/sheet2.xml")
    # A figure of the new turn may be typed, its total not.
    looks = dict(re.findall(r'<c r="([CD][0-9]+)"(?: s="(\d+)")?', page))
    assert looks["D4"] == looks["C4"] != "" and looks["D7"] == looks["C7"]
    assert referee("check", "n.xlsx").code == referee("check", "f.xlsx").code


@pytest.mark.parametrize(
    ("add", "why"),
    [
        ("chart", "a chart"),
        ("comment", "a comment behind the turns"),
        ("shape", "a picture or shape behind the turns"),
        ("table", "a table"),
        ("array", "a formula over several cells"),
    ],
)
def test_where_a_column_cannot_be_put_in_it_is_refused(
    referee: Run, own_folder: Path, add: str, why: str
) -> None:
    Path("f.xlsx").write_bytes(workbook(add))
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 2 and not Path("n.xlsx").exists() and ran.err.count("\n") == 1
    assert f"has no free column for the turn, and {why}" in ran.err and "write a .csv" in ran.err


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_form_of_ours_goes_on_after_its_eleventh_turn(referee: Run, own_folder: Path, kind: str) -> None:
    turns = ",".join(map(str, range(1, 11)))
    rows = {"Warp Power": 16, "Impulse Power": 2, "Reactor Power": 2, "Batt Avail": 2, "Movement": 8}
    lines = "\n".join(f"{line}{f',{figure}' * 10}" for line, figure in rows.items())
    Path("f.csv").write_text(f"Ship,cadet/federation-ca\nTurn,{turns}\n{lines}\n", encoding="utf-8")
    assert referee("form", "next", "f.csv", "-o", f"t11.{kind}").code == 0
    for turn in (12, 13):
        ran = referee("form", "next", f"t{turn - 1}.{kind}", "-o", f"t{turn}.{kind}")
        assert ran.code == 0 and ran.err.startswith(f"put in: column {'LMN'[turn - 11]} for turn {turn};")
    (sheet,) = read_sheets(Path(f"t13.{kind}").read_bytes(), f"t13.{kind}")
    assert sheet.rows[1][-4:] == ("11", "12", "13", "Notes")
    assert figures(sheet, 13)["4 Total Power"] == "20" and figures(sheet, 13)["Over or left"] == "20 left"
    keys = [one["key"] for one in referee("check", f"t13.{kind}", "--json").json["findings"]]
    assert "NOTE/formulas" not in keys
    if kind == "ods":
        with zipfile.ZipFile("t13.ods") as archive:
            root = etree.fromstring(archive.read("content.xml"))
        for row in list(root.iter(f"{TABLE}table-row"))[2:16]:
            allowed = [
                cell.get(f"{TABLE}content-validation-name") for cell in row if cell.tag.endswith("cell")
            ]
            assert allowed[12] == allowed[13] == allowed[11]


@pytest.mark.long
@pytest.mark.skipif(OFFICE is None, reason="no LibreOffice here")
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_libreoffice_works_a_column_that_was_put_in_out_alike(
    referee: Run, own_folder: Path, kind: str
) -> None:
    """A player's own workbook, of each kind: put in, worked out by LibreOffice without any saved value, read back."""
    Path("f.xlsx").write_bytes(workbook())
    source = Path("f.xlsx") if kind == "xlsx" else office(Path("f.xlsx").resolve(), "ods", own_folder)
    assert referee("form", "next", source, "-o", f"n.{kind}").code == 0
    without_saved_values(Path(f"n.{kind}"), Path(f"bare.{kind}"))
    again = office(Path(f"bare.{kind}").resolve(), "xlsx" if kind == "ods" else "ods", own_folder)
    ours, theirs = (read_sheets(path.read_bytes(), path.name) for path in (Path(f"n.{kind}"), again))
    assert [sheet.rows for sheet in ours] == [sheet.rows for sheet in theirs]
    assert figures(theirs[0], 3)["Total Power"] == "20"


def test_references_move_as_a_spreadsheet_moves_them() -> None:
    def moved(formula: str, on_it: bool = True) -> str:
        return in_xlsx(formula, "CA Form", 3, on_it=on_it)

    assert moved("SUM(B4:C4,$D$4)+LOG10(D9)") == "SUM(B4:C4,$E$4)+LOG10(E9)"
    assert moved('IF(D4>0,"D4 is",Other!D4)') == 'IF(E4>0,"D4 is",Other!D4)'
    assert moved("'CA Form'!D4+D4", on_it=False) == "'CA Form'!E4+D4"
    assert moved("SUM(B:D)+SUM(Other!B:D)") == "SUM(B:E)+SUM(Other!B:D)"
    assert in_ods("of:=SUM([.B4:.D4])+[$Other.D4]", "CA", 3, on_it=True) == "of:=SUM([.B4:.E4])+[$Other.D4]"
    assert in_ods("'CA Form'.B3:'CA Form'.D9", "CA Form", 3, on_it=False) == "'CA Form'.B3:'CA Form'.E9"
    assert one_further_in_ods("of:=SUM([.C4:.C6];[.$B$1])") == "of:=SUM([.D4:.D6];[.$B$1])"
    assert of_ranges("B4:C12 C3 D1", 3, grows=True) == "B4:D12 C3:D3 E1"
    assert of_ranges("B4:C12 C3 D1", 3, grows=False) == "B4:C12 C3 E1"
