from __future__ import annotations

import io
import zipfile
from fractions import Fraction

import pytest

from referee.core.forms import EnergyForm
from referee.formats.eaform import LabelIndex, read_form, read_forms
from referee.formats.sheets import WorkbookSheet, read_sheets
from referee.formats.sheets.csvsheet import read_csv
from referee.formats.sheets.writeform import BlankForm, FormRow, blank_form_csv
from referee.formats.sheets.writexlsx import blank_form_xlsx

ROWS = (
    FormRow("Warp Power", {1: Fraction(16)}),
    FormRow("Impulse Power", {1: Fraction(2)}),
    FormRow("Atomic Power", {1: Fraction(2)}),
    FormRow("Total Power", sums=(0, 1, 2)),
    FormRow("Btty Avail", {1: Fraction(2)}, note="=cmd|' /C calc'!A0"),
    FormRow("Photon A"),
    FormRow("Photon B"),
    FormRow("Movement", {1: Fraction(4, 3)}),
    FormRow("Total Used", sums=(5, 6, 7)),
)
BLANK = BlankForm("=CA Constellation", (1, 2, 3), ROWS, "CA")


def figures(form: EnergyForm) -> list[tuple[int, dict[str, Fraction]]]:
    return [
        (turn.turn, {line: entry.amount for line, entry in turn.entries.items()}) for turn in form.allocations
    ]


def test_csv() -> None:
    assert blank_form_csv(BLANK).splitlines() == [
        "Ship,'=CA Constellation",
        "Turn,1,2,3,Notes",
        "Warp Power,16,,,",
        "Impulse Power,2,,,",
        "Atomic Power,2,,,",
        "Total Power,20,,,",
        "Btty Avail,2,,,'=cmd|' /C calc'!A0",
        "Photon A,,,,",
        "Photon B,,,,",
        "Movement,1 1/3,,,",
        "Total Used,1 1/3,,,",
    ]


def test_both_are_read_back_as_the_same_form(index: LabelIndex) -> None:
    from_csv = read_csv(blank_form_csv(BLANK).encode(), "t")
    (from_xlsx,) = read_sheets(blank_form_xlsx(BLANK), "t", ".xlsx")
    assert [row[0] for row in from_csv.rows] == [row[0] for row in from_xlsx.rows]
    assert from_csv.rows[:8] == tuple(
        # A workbook keeps the sums of empty columns as the 0 that it does not show.
        tuple("" if (row[0].startswith("Total") and cell == "0") else cell for cell in row)
        for row in from_xlsx.rows[:8]
    )
    assert from_csv.rows[6][4] == from_xlsx.rows[6][4] == "=cmd|' /C calc'!A0"
    first, second = read_form(from_csv, index), read_form(from_xlsx, index)
    assert first.ship == second.ship == "=CA Constellation"
    assert figures(first) == figures(second) and not first.problems and not second.problems
    assert figures(first)[0][1]["4"] == 20 and len(first.allocations) == 1


def test_the_workbook_itself() -> None:
    data = blank_form_xlsx(BLANK, BLANK)
    assert data == blank_form_xlsx(BLANK, BLANK)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>SUM(B3:B5)</f><v>20" in sheet and "<f>SUM(B8:B10)</f>" in sheet
    assert sheet.count("<f>") == 6 and "<dataValidation " in sheet and 'state="frozen"' in sheet
    sheets = read_sheets(data, "t", ".xlsx")
    assert [read.title for read in sheets] == ["CA", "CA 2"]
    assert isinstance(sheets[0], WorkbookSheet) and len(sheets[0].formulas) == 6


@pytest.mark.parametrize(
    "title", ["", "'", "a/b[c]:*?\\", "x" * 40, "\U0001f680" * 20, "=1", "a\nb", "'quoted'"]
)
def test_any_title_makes_a_sheet(index: LabelIndex, title: str) -> None:
    forms = [BlankForm("A", (1,), ROWS, title)] * 3
    sheets = read_sheets(blank_form_xlsx(*forms), "t", ".xlsx")
    assert len({sheet.title for sheet in sheets}) == 3
    assert len(read_forms(sheets, index)) == 3


def test_sums_of_scattered_rows() -> None:
    form = BlankForm("", (1,), (*ROWS[:3], FormRow("Total Used", sums=(0, 2))), "A")
    with zipfile.ZipFile(io.BytesIO(blank_form_xlsx(form))) as archive:
        assert "<f>SUM(B3,B5)</f><v>18" in archive.read("xl/worksheets/sheet1.xml").decode()
