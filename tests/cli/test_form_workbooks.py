"""The workbook a player fills in: what is locked, what may be typed, what is over; opened, saved and read back by LibreOffice."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from referee.formats.sheets import read_sheets
from tests.cli.conftest import Run

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")


def sheet_xml(path: Path) -> str:
    with zipfile.ZipFile(path) as book:
        return book.read("xl/worksheets/sheet1.xml").decode()


def fill(blank: Path, to: Path, cells: dict[str, int]) -> None:
    """A copy with figures typed in, and without what its formulas came to before."""
    with zipfile.ZipFile(blank) as book, zipfile.ZipFile(to, "w") as copy:
        for name in book.namelist():
            data = book.read(name)
            if name == "xl/worksheets/sheet1.xml":
                text = re.sub(r"(</f>)<v>[^<]*</v>", r"\1", data.decode())
                for cell, figure in cells.items():
                    text, found = re.subn(rf'(<c r="{cell}" s="[0-9]+")/>', rf"\1><v>{figure}</v></c>", text)
                    assert found == 1
                data = text.encode()
            copy.writestr(name, data)


@pytest.fixture
def blank(referee: Run, own_folder: Path) -> Path:
    assert referee("form", "blank", "cadet/federation-ca", "-o", "form.xlsx").code == 0
    return own_folder / "form.xlsx"


def test_the_lines_are_numbered_as_in_the_book_and_fit_one_page(blank: Path) -> None:
    (sheet,) = read_sheets(blank.read_bytes(), "form.xlsx")
    labels = [row[0] for row in sheet.rows]
    assert "14 Movement" in labels and "10 PHOT A" in labels and labels[-1] == "Over or left"
    xml = sheet_xml(blank)
    assert 'orientation="landscape"' in xml and 'fitToPage="1"' in xml


def test_labels_and_totals_are_locked_and_figures_are_not(blank: Path) -> None:
    xml = sheet_xml(blank)
    assert "<sheetProtection " in xml and "password" not in xml
    with zipfile.ZipFile(blank) as book:
        styles = book.read("xl/styles.xml").decode()
    looks = re.findall(
        r"<xf [^>]*?(?:/>|>.*?</xf>)", styles.partition("<cellXfs")[2].partition("</cellXfs>")[0]
    )
    unlocked = {n for n, look in enumerate(looks) if 'locked="0"' in look}
    styled = dict(re.findall(r'<c r="([A-Z]+[0-9]+)" s="([0-9]+)"', xml))
    rows = {row[0]: n for n, row in enumerate(read_sheets(blank.read_bytes(), "f.xlsx")[0].rows, 1)}
    assert int(styled[f"B{rows['14 Movement']}"]) in unlocked
    assert int(styled[f"A{rows['14 Movement']}"]) not in unlocked
    assert int(styled[f"B{rows['20 Total Power Used']}"]) not in unlocked


def test_a_line_takes_no_more_than_its_boxes(blank: Path) -> None:
    xml = sheet_xml(blank)
    warp = re.search(r'<dataValidation [^>]*sqref="B3:L3"[^>]*>(.*?)</dataValidation>', xml)
    assert warp and warp[1] == "<formula1>0</formula1><formula2>16.0</formula2>"
    assert "this ship has 16 at most" in xml


def test_its_own_totals_are_no_note(referee: Run, blank: Path) -> None:
    keys = [finding["key"] for finding in referee("check", blank, "--json").json["findings"]]
    assert "NOTE/formulas" not in keys and "NOTE/begun" in keys


@pytest.mark.long
@pytest.mark.skipif(OFFICE is None, reason="no LibreOffice here")
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_libreoffice_works_it_out_and_saves_what_is_read_back(
    referee: Run, blank: Path, kind: str, tmp_path: Path
) -> None:
    """A form that spends 22 of 20 points, without its sums: LibreOffice works them out as it loads it."""
    assert OFFICE
    filled = tmp_path / "next.xlsx"
    rows = {row[0]: n for n, row in enumerate(read_sheets(blank.read_bytes(), "f.xlsx")[0].rows, 1)}
    fill(blank, filled, {f"B{rows['14 Movement']}": 16, f"B{rows['10 PHOT A']}": 6})
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    asked = [
        OFFICE,
        profile,
        "--headless",
        "--convert-to",
        kind,
        "--outdir",
        tmp_path / "out",
        tmp_path / "next.xlsx",
    ]
    subprocess.run(list(map(str, asked)), check=True, capture_output=True, timeout=180)
    saved = tmp_path / "out" / f"next.{kind}"
    before, after = (read_sheets(path.read_bytes(), path.name)[0].rows for path in (blank, saved))
    labels = {row[0]: row for row in after}
    assert [row[0] for row in before] == [row[0] for row in after]
    for row in before:
        if row[0] not in ("Over or left", "4 Total Power", "20 Total Power Used", "14 Movement", "10 PHOT A"):
            assert list(labels[row[0]][: len(row)]) == list(row), row[0]
    assert (labels["4 Total Power"][1], labels["20 Total Power Used"][1]) == ("20", "22")
    assert labels["Over or left"][1] == "over by 2"
    if kind == "xlsx":
        assert "<sheetProtection" in sheet_xml(saved) and "<dataValidation " in sheet_xml(saved)
