"""`form next` of a file: a workbook goes on as one of ours, a CSV in its own dialect, and a formula is never taken for 0."""

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
from tests.unit.formats.sheets.conftest import ods_bytes

ROWS = (
    ("Warp Power", 16), ("Impulse Power", 2), ("Reactor Power", 2), ("Total Power", None),
    ("Batteries Available", 2), ("Phas Cap", 0), ("Scenario", 7), ("Charge Phasers", 2), ("Movement", 8),
)  # fmt: skip
LOST = "not copied: comments, colours, formulas and other sheets of f.xlsx, if you put any in\n"
ODS_ROWS = (("Ship", "cadet/federation-ca"), ("Turn", "1"), ("Warp Power", "16"), ("Movement", "8"))
BEGUN = {
    "1 Warp Engines": "16",
    "2 Impulse Power": "2",
    "3 Reactor Power": "2",
    "4 Total Power": "20",
    "5 Batteries Available": "2",
    "9 Phaser Capacitor": "2",
    "Over or left": "20 left",
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


def ods_cell(text: str) -> str:
    if text.isdecimal():
        return f'<table:table-cell office:value-type="float" office:value="{text}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def figures(sheet: Sheet, column: int) -> dict[str, str]:
    return {row[0]: row[column] for row in sheet.rows[2:] if len(row) > column and row[column]}


@pytest.mark.parametrize("formulas", [True, False])
def test_a_players_workbook_goes_on_as_one_of_ours(referee: Run, own_folder: Path, formulas: bool) -> None:
    data = workbook(formulas=formulas)
    Path("f.xlsx").write_bytes(data)
    ran = referee("form", "next", "f.xlsx", "-o", "n.xlsx")
    assert ran.code == 0 and ran.err.endswith(LOST)
    assert Path("f.xlsx").read_bytes() == data
    (sheet,) = read_sheets(Path("n.xlsx").read_bytes(), "n.xlsx")
    assert {line: figure for line, figure in figures(sheet, 2).items() if figure != "0"} == BEGUN
    assert figures(sheet, 1)["14 Movement"] == "8" and figures(sheet, 12)["14 Movement"] == "note on Movement"
    keys = [one["key"] for one in referee("check", "n.xlsx", "--json").json["findings"]]
    assert "NOTE/formulas" not in keys and referee("check", "n.xlsx").code == 0


@pytest.mark.parametrize("to", ["n.csv", "-"])
def test_what_another_kind_of_file_cannot_hold_is_said(referee: Run, own_folder: Path, to: str) -> None:
    Path("f.xlsx").write_bytes(workbook())
    ran = referee("form", "next", "f.xlsx", "-o", to)
    assert ran.code == 0 and LOST in ran.err
    text = ran.out if to == "-" else Path("n.csv").read_text()
    assert "Movement,8,,,,,,,,,,,note on Movement\n" in text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("separator", "figure"), [(";", "2,5"), ("\t", "2.5"), (",", "2 1/2")])
def test_a_csv_goes_on_in_its_own_dialect(
    referee: Run, own_folder: Path, separator: str, figure: str, end: str, encoding: str
) -> None:
    rows = [("Ship", "standard/kzinti-cs"), ("Turn", "1"), ("Warp Power", "27"), ("Phasers", figure)]
    data = (end.join(separator.join(row) for row in rows) + end).encode(encoding)
    Path("f.csv").write_bytes(data)
    assert referee("form", "next", "f.csv", "-o", "n.csv").code == 0
    written = Path("n.csv").read_bytes()
    assert written[:2] == data[:2]
    lines = written.decode(encoding).split(end)
    assert separator.join(("Ship", "standard/kzinti-cs")) == lines[0]
    assert separator.join(("Phasers", figure, "")) in "\n".join(lines) and not lines[-1]
    assert not any("\r" in line or "\n" in line for line in lines)
    errors = [referee("check", name, "--json").findings("error") for name in ("f.csv", "n.csv")]
    assert [one["key"] for one in errors[0]] == [one["key"] for one in errors[1]]


def test_an_ods_is_read_and_goes_on_as_xlsx(referee: Run, own_folder: Path) -> None:
    texts = "".join(f"<table:table-row>{ods_cell(a)}{ods_cell(b)}</table:table-row>" for a, b in ODS_ROWS)
    Path("f.ods").write_bytes(ods_bytes(f'<table:table table:name="Form">{texts}</table:table>'))
    refused = referee("form", "next", "f.ods", "-o", "n.ods")
    assert refused.code == 2 and "is no .xlsx or .csv; LibreOffice opens .xlsx" in refused.err
    assert referee("form", "next", "f.ods", "-o", "n.xlsx").code == 0
    (sheet,) = read_sheets(Path("n.xlsx").read_bytes(), "n.xlsx")
    assert figures(sheet, 1)["14 Movement"] == "8" and figures(sheet, 2)["4 Total Power"] == "20"


def without_value(cell: str, data: bytes, part: str) -> bytes:
    """A workbook in which a cell of a part is a formula that nobody worked out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            text = before.read(name).decode()
            if name == f"xl/worksheets/{part}.xml":
                text, found = re.subn(rf'(<c r="{cell}"[^>]*>).*?</c>', r"\1<f>4+4</f></c>", text)
                assert found == 1
            after.writestr(name, text)
    return out.getvalue()


def test_a_formula_without_a_saved_value_is_never_0(referee: Run, own_folder: Path) -> None:
    Path("f.xlsx").write_bytes(without_value("B11", workbook(), "sheet1"))
    told = referee("check", "f.xlsx")
    assert (
        told.code == 2
        and "CA Form:B11, line 14 Movement, turn 1: 'formula without a saved value'" in told.err
    )
    assert told.err.endswith("; open the workbook and save it once\n")
    # On another sheet it is nobody's figure.
    Path("g.xlsx").write_bytes(without_value("B2", workbook(), "sheet2"))
    assert referee("check", "g.xlsx", "--json").code == 0
