"""`form next` of a workbook writes into a copy: nothing of it is lost, and only cells of the turn are other."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
import xlsxwriter

from referee.core.sheet import Sheet
from referee.formats.sheets import read_sheets
from tests.cli.conftest import Run

ROWS = (
    ("Warp Power", 16), ("Impulse Power", 2), ("Reactor Power", 2), ("Total Power", None),
    ("Batteries Available", 2), ("Phas Cap", 0), ("Scenario", 7), ("Charge Phasers", 2), ("Movement", 8),
)  # fmt: skip
WANTED = {
    "Warp Power": "16",
    "Impulse Power": "2",
    "Reactor Power": "2",
    "Total Power": "20",
    "Batteries Available": "2",
    "Phas Cap": "2",
}


def workbook(*, turns: int = 3, formulas: bool = True, behind: str = "Notes") -> bytes:
    """An energy form as players make them: colours, comments, notes, sums, and a sheet beside it."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    blue = book.add_format({"bg_color": "#99CCFF", "num_format": "0.0"})
    sheet, other = book.add_worksheet("CA Form"), book.add_worksheet("Fleet")
    sheet.write_row(0, 0, ["Ship", "cadet/federation-ca"])
    sheet.write_row(1, 0, ["Turn", *range(1, turns + 1), *([behind] if behind else [])])
    for number, (label, figure) in enumerate(ROWS, 2):
        sheet.write(number, 0, label)
        if label == "Total Power":
            for column in range(1, turns + 1) if formulas else (1,):
                letter, value = "ABCDEFG"[column], 20 if column == 1 else 0
                sheet.write_formula(number, column, f"=SUM({letter}3:{letter}5)", blue, value)
        else:
            sheet.write_number(number, 1, figure or 0, blue)
            if turns > 1:
                sheet.write_blank(number, 2, None, blue)
        if behind:
            sheet.write(number, turns + 1, f"note on {label}")
    sheet.write_comment(2, 1, "sixteen boxes left")
    sheet.conditional_format(2, 1, 9, 3, {"type": "cell", "criteria": ">", "value": 9, "format": blue})
    other.write_row(0, 0, ["Ship", "Points"])
    other.write_formula(1, 1, "='CA Form'!C3+1", None, 1)
    book.close()
    return out.getvalue()


def cells(sheet: Sheet) -> dict[tuple[int, int], str]:
    return {(r, c): text for r, row in enumerate(sheet.rows) for c, text in enumerate(row) if text}


def figures(sheet: Sheet, column: int) -> dict[str, str]:
    return {row[0]: row[column] for row in sheet.rows[2:] if len(row) > column and row[column]}


def parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("formulas", [True, False])
def test_only_the_cells_of_the_turn_are_other(referee: Run, own_folder: Path, formulas: bool) -> None:
    data = workbook(formulas=formulas)
    Path("f.xlsx").write_bytes(data)
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert (ran.code, ran.err) == (0, "wrote n.xlsx\n")
    assert Path("f.xlsx").read_bytes() == data
    (old, other), (new, same) = (read_sheets(Path(f).read_bytes(), f) for f in ("f.xlsx", "n.xlsx"))
    assert cells(other) == cells(same)
    then, now = cells(old), cells(new)
    changed = {place for place in {*then, *now} if then.get(place) != now.get(place)}
    assert {column for _, column in changed} == {2}
    assert figures(new, 2) == WANTED
    before, after = parts(data), parts(Path("n.xlsx").read_bytes())
    assert list(before) == list(after)
    differ = {name for name in before if before[name] != after[name]}
    assert differ == {"xl/worksheets/sheet1.xml", *(["xl/workbook.xml"] if formulas else [])} - (
        {"xl/workbook.xml"} if before["xl/workbook.xml"] == after["xl/workbook.xml"] else set()
    )
    page = after["xl/worksheets/sheet1.xml"].decode()
    assert len(re.findall(r"<f>SUM", page)) == (3 if formulas else 1)
    # The colours of the column stay, and so does what the sheet says of its comments.
    assert page.count("conditionalFormatting") == 2 and "legacyDrawing" in page
    assert len(set(re.findall(r'<c r="C[3-6]" s="(\d+)"', page))) == 1
    assert referee("check", "n.xlsx").code == 0
    assert referee("show", "n.xlsx", "--json").code == 0


def test_the_turn_after_the_last_column_gets_one(referee: Run, own_folder: Path) -> None:
    Path("f.xlsx").write_bytes(workbook(turns=1, behind=""))
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 0, ran.err
    sheet = read_sheets(Path("n.xlsx").read_bytes(), "n.xlsx")[0]
    assert sheet.rows[1][:3] == ("Turn", "1", "2") and figures(sheet, 2) == WANTED


def test_where_there_is_no_room_it_is_refused(referee: Run, own_folder: Path) -> None:
    Path("f.xlsx").write_bytes(workbook(turns=1))
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 2 and not Path("n.xlsx").exists()
    assert "has no column for turn 2" in ran.err and "head an empty column with 2" in ran.err


@pytest.mark.parametrize("to", ["n.csv", "-"])
def test_what_another_kind_of_file_cannot_hold_is_said(referee: Run, own_folder: Path, to: str) -> None:
    Path("f.xlsx").write_bytes(workbook())
    ran = referee("form", "next", "f.xlsx", "-o", to)
    assert ran.code == 0 and "not copied: comments, colours and other sheets of f.xlsx" in ran.err
    text = ran.out if to == "-" else Path("n.csv").read_text()
    assert "Movement,8,,,,,,,,,,,note on Movement\n" in text


def test_a_csv_keeps_its_notes(referee: Run, own_folder: Path) -> None:
    form = 'Ship,cadet/federation-ca\nTurn,1,2,Notes,More\nWarp Power,16,,"hit, turn 1",\nMovement,8,,,to 2204\nPhoton A,2,,armed,\nBatt Avail,2,,,\n'
    Path("f.csv").write_text(form)
    for name, number in (("n.csv", False), ("n.xlsx", True)):
        assert referee("form", "next", "f.csv", "-o", name).code == 0
        (sheet,) = read_sheets(Path(name).read_bytes(), name)
        notes = {row[0]: row[-1] for row in sheet.rows[2:] if row[-1] not in ("", "-")}
        lines = ("1 ", "14 ", "10 ") if number else ("", "", "")
        named = [
            line + label for line, label in zip(lines, ("Warp Engines", "Movement", "PHOT A"), strict=True)
        ]
        assert notes == dict(zip(named, ("hit, turn 1", "to 2204", "armed"), strict=True))


# -- ODS ---------------------------------------------------------------------------------

ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2"><office:body><office:spreadsheet>
<table:table table:name="CA Form" table:style-name="ta1">
<table:table-row>{ship}<table:table-cell table:number-columns-repeated="4"/></table:table-row>
<table:table-row>{head}</table:table-row>{rows}
<table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="6"/></table:table-row>
</table:table>
<table:table table:name="Fleet"><table:table-row><table:table-cell office:value-type="string"><text:p>CA Form</text:p></table:table-cell></table:table-row></table:table>
</office:spreadsheet></office:body></office:document-content>"""


MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'


def said(text: str, more: str = "") -> str:
    return f'<table:table-cell table:style-name="ce1" office:value-type="string"><text:p>{text}</text:p>{more}</table:table-cell>'


def number(value: int, more: str = "") -> str:
    return f'<table:table-cell table:style-name="ce2" office:value-type="float" office:value="{value}">{more}<text:p>{value}</text:p></table:table-cell>'


def ods() -> bytes:
    comment = "<office:annotation><dc:creator>Ann</dc:creator><text:p>sixteen boxes left</text:p></office:annotation>"
    rows = ""
    for label, figure in ROWS:
        first = number(20 if figure is None else figure, comment if label == "Warp Power" else "")
        blank = '<table:table-cell table:style-name="ce2" table:number-columns-repeated="2"/>'
        rows += f"<table:table-row>{said(label)}{first}{blank}{said(f'note on {label}')}</table:table-row>\n"
    head = said("Turn") + "".join(map(number, (1, 2, 3))) + said("Notes")
    content = ODS.format(ship=said("Ship") + said("cadet/federation-ca"), head=head, rows=rows)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", content, zipfile.ZIP_DEFLATED)
        archive.writestr("styles.xml", "<styles/>", zipfile.ZIP_DEFLATED)
        archive.writestr("Pictures/ship.png", b"\x89PNG")
    return out.getvalue()


def test_an_ods_is_copied_too(referee: Run, own_folder: Path) -> None:
    Path("f.ods").write_bytes(ods())
    ran = referee("form", "next", "f.ods", "-o", "n.ods")
    assert (ran.code, ran.err) == (0, "wrote n.ods\n")
    (old, other), (new, same) = (read_sheets(Path(f).read_bytes(), f) for f in ("f.ods", "n.ods"))
    then, now = cells(old), cells(new)
    assert cells(other) == cells(same)
    assert {
        column for place in {*then, *now} if then.get(place) != now.get(place) for column in place[1:]
    } == {2}
    assert figures(new, 2) == WANTED
    before, after = parts(Path("f.ods").read_bytes()), parts(Path("n.ods").read_bytes())
    assert {name for name in before if before[name] != after[name]} == {"content.xml"}
    assert list(before) == list(after)
    content = after["content.xml"].decode()
    assert "<text:p>sixteen boxes left</text:p>" in content and "note on Movement" in content
    # The next figure is in the column's own style.
    assert content.count('table:style-name="ce2" office:value-type="float"') == 3 + len(ROWS) + len(WANTED)
    assert referee("check", "n.ods").code == 0
    refused = referee("form", "next", "f.ods", "-o", "n.txt")
    assert refused.code == 2 and "is no .xlsx, .ods or .csv" in refused.err


def test_a_form_of_two_workbooks_on_goes_on(referee: Run, own_folder: Path) -> None:
    """The copy is a form again: the turn is filled in there, and the next one begun."""
    Path("f.ods").write_bytes(ods())
    assert referee("form", "next", "f.ods", "-o", "n.ods").code == 0
    assert (
        referee("check", "n.ods", "--json").json["verdict"]
        == referee("check", "f.ods", "--json").json["verdict"]
    )
