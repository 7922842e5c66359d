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
    # What another sheet works out of the turn is worked out again: nobody reads the old figure.
    assert cells(other)[1, 1] == "1" and cells(same)[1, 1] == "17"
    assert {**cells(other), (1, 1): "17"} == cells(same)
    then, now = cells(old), cells(new)
    changed = {place for place in {*then, *now} if then.get(place) != now.get(place)}
    assert {column for _, column in changed} == {2}
    assert figures(new, 2) == WANTED
    before, after = parts(data), parts(Path("n.xlsx").read_bytes())
    assert list(before) == list(after)
    differ = {name for name in before if before[name] != after[name]}
    assert differ - {"xl/workbook.xml"} == {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"}
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


# -- formulas ----------------------------------------------------------------------------


def with_sheet(data: bytes, part: str, *changes: tuple[str, str]) -> bytes:
    """A workbook with some of the text of a part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            text = before.read(name)
            if name == part:
                for old, new in changes:
                    assert old.encode() in text, old
                    text = text.replace(old.encode(), new.encode())
            after.writestr(name, text)
    return out.getvalue()


def test_a_total_that_excel_shares_over_its_row_is_worked_out(referee: Run, own_folder: Path) -> None:
    shared = ("<f>SUM(B3:B5)</f>", '<f t="shared" ref="B6:D6" si="0">SUM(B3:B5)</f>')
    follows = ("<f>SUM(C3:C5)</f>", '<f t="shared" si="0"/>')
    Path("f.xlsx").write_bytes(with_sheet(workbook(), "xl/worksheets/sheet1.xml", shared, follows))
    assert referee("form", "next", "f.xlsx", "-o", "n.xlsx").code == 0
    assert figures(read_sheets(Path("n.xlsx").read_bytes(), "n.xlsx")[0], 2) == WANTED


def test_a_formula_of_which_it_is_not_known_what_it_comes_to_loses_its_old_value(
    referee: Run, own_folder: Path
) -> None:
    strange = ("<f>'CA Form'!C3+1</f>", "<f>VLOOKUP(1,'CA Form'!C3:D9,1)</f>")
    data = with_sheet(workbook(), "xl/worksheets/sheet2.xml", strange)
    Path("f.xlsx").write_bytes(data)
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 0 and "left for your spreadsheet program to work out: Fleet:B2" in ran.err
    page = parts(Path("n.xlsx").read_bytes())["xl/worksheets/sheet2.xml"].decode()
    assert re.search(r"<f>VLOOKUP[^<]*</f></c>", page)
    told = referee("check", "n.xlsx")
    assert told.code == 2 and "formula without a saved value" in told.err and "Fleet:B2" in told.err


def test_a_line_that_is_a_players_formula_stays_one_and_that_is_said(referee: Run, own_folder: Path) -> None:
    own = workbook()
    page = parts(own)["xl/worksheets/sheet1.xml"].decode()
    cell = re.search(r'<c r="C3" s="[0-9]+"/>', page)
    assert cell
    formula = cell[0].replace("/>", "><f>B3-1</f><v>15</v></c>")
    Path("f.xlsx").write_bytes(with_sheet(own, "xl/worksheets/sheet1.xml", (cell[0], formula)))
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 0 and "not written: line 1 Warp Engines is 16, and C3 is a formula" in ran.err
    (sheet, _) = read_sheets(Path("n.xlsx").read_bytes(), "n.xlsx")
    assert figures(sheet, 2) == WANTED | {"Warp Power": "15", "Total Power": "19"}


def test_formulas_of_an_ods_are_worked_out_too(referee: Run, own_folder: Path) -> None:
    blank = '<table:table-cell table:style-name="ce2" table:number-columns-repeated="2"/>'
    total = f"{said('Total Power')}{number(20)}{blank}"
    sums = "".join(
        f'<table:table-cell table:style-name="ce2" table:formula="of:=SUM([.{c}3:.{c}5])" office:value-type="float" '
        'office:value="0"><text:p>0</text:p></table:table-cell>'
        for c in "CD"
    )
    Path("f.ods").write_bytes(
        with_sheet(ods(), "content.xml", (total, f"{said('Total Power')}{number(20)}{sums}"))
    )
    assert referee("form", "next", "f.ods", "-o", "n.ods").code == 0
    assert figures(read_sheets(Path("n.ods").read_bytes(), "n.ods")[0], 2) == WANTED


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_the_next_turn_of_a_form_of_ours_is_whole(referee: Run, own_folder: Path, kind: str) -> None:
    """Begun from a CSV, its next turn begun in a copy: totals and what is left are of that turn, no formula is noted."""
    Path("f.csv").write_text(
        "Ship,cadet/federation-ca\nTurn,1\nWarp Power,16\nImpulse Power,2\nReactor Power,2\nBatt Avail,2\nMovement,8\n"
    )
    assert referee("form", "next", "f.csv", "-o", f"one.{kind}").code == 0
    first = read_sheets(Path(f"one.{kind}").read_bytes(), f"one.{kind}")[0]
    assert figures(first, 2)["Over or left"] == "20 left" and figures(first, 1)["Over or left"] == "12 left"
    # The turn is only begun: the copy begins the one after it, in its own column.
    ran = referee("form", "next", f"one.{kind}", "-o", f"two.{kind}")
    assert ran.code == 0 and ran.err == f"wrote two.{kind}\n"
    again = read_sheets(Path(f"two.{kind}").read_bytes(), f"two.{kind}")[0]
    assert figures(again, 3)["4 Total Power"] == "20" and figures(again, 3)["Over or left"] == "20 left"
    assert figures(again, 2) == figures(first, 2)
    keys = [one["key"] for one in referee("check", f"two.{kind}", "--json").json["findings"]]
    assert "NOTE/formulas" not in keys


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_never_over_the_form_it_was_read_from(referee: Run, own_folder: Path, kind: str) -> None:
    assert referee("form", "blank", "cadet/federation-ca", "-o", f"f.{kind}").code == 0
    before = Path(f"f.{kind}").read_bytes()
    ran = referee("form", "next", f"f.{kind}", "-o", f"f.{kind}")
    assert ran.code == 2 and Path(f"f.{kind}").read_bytes() == before
