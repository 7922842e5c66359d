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


def filled(book: Path, to: Path, figures: dict[str, int]) -> None:
    """A copy with figures typed into the lines of turn 1, and nothing saved of what formulas come to."""
    (sheet,) = read_sheets(book.read_bytes(), book.name)
    rows = {row[0]: n for n, row in enumerate(sheet.rows, 1)}
    with zipfile.ZipFile(book) as before, zipfile.ZipFile(to, "w") as after:
        for entry in before.infolist():
            text = before.read(entry)
            if entry.filename.startswith("xl/worksheets/"):
                page = re.sub(r"(</f>)<v>[^<]*</v>", r"\1", text.decode())
                for line, figure in figures.items():
                    typed = rf"\1><v>{figure}</v></c>"
                    page, found = re.subn(rf'(<c r="B{rows[line]}" s="[0-9]+")/>', typed, page)
                    assert found == 1, line
                text = page.encode()
            after.writestr(entry, text)


def office(book: Path, kind: str, folder: Path) -> Path:
    """A workbook opened by LibreOffice and saved as another kind."""
    assert OFFICE
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    asked = [OFFICE, profile, "--headless", "--convert-to", kind, "--outdir", folder / "out", book]
    subprocess.run(list(map(str, asked)), check=True, capture_output=True, timeout=180)
    return folder / "out" / f"{book.stem}.{kind}"


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


@pytest.mark.parametrize("ship", ["cadet/federation-ca", "standard/klingon-d7"])
def test_every_line_has_a_word_of_help(referee: Run, own_folder: Path, ship: str) -> None:
    assert referee("form", "blank", ship, "-o", "form.xlsx").code == 0
    rules = re.findall(r"<dataValidation [^>]*>", sheet_xml(own_folder / "form.xlsx"))
    told = {
        found[1]: found[2]
        for one in rules
        if (found := re.search(r'promptTitle="(.*?)" prompt="(.*?)"', one))
    }
    assert len(told) == len(rules) and all(told.values())
    assert told["9 Phaser Capacitor"].startswith("The capacitor keeps its charge")
    assert ("17 Tractor" not in told) or "is added up" in told["17 Tractor"]


def test_the_capacitor_takes_no_more_than_its_phasers_do(blank: Path) -> None:
    rows = {row[0]: n for n, row in enumerate(read_sheets(blank.read_bytes(), "f.xlsx")[0].rows, 1)}
    n = rows["9 Phaser Capacitor"]
    held = re.search(rf'<dataValidation [^>]*sqref="B{n}:L{n}"[^>]*>(.*?)</dataValidation>', sheet_xml(blank))
    assert held and held[1] == "<formula1>0</formula1><formula2>3.0</formula2>"


def test_its_own_totals_are_no_note(referee: Run, blank: Path) -> None:
    keys = [finding["key"] for finding in referee("check", blank, "--json").json["findings"]]
    assert "NOTE/formulas" not in keys and "NOTE/begun" in keys


OVERSPENT = {"14 Movement": 16, "10 PHOT A": 6}
COMES_TO = {"4 Total Power": "20", "20 Total Power Used": "22", "Over or left": "line 6: 2"}


def test_the_same_form_is_the_same_bytes(referee: Run, own_folder: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        assert referee("form", "blank", "standard/klingon-d7", "-o", name).code == 0
    assert (own_folder / "a.xlsx").read_bytes() == (own_folder / "b.xlsx").read_bytes()


def test_a_players_own_formula_in_a_form_of_ours_is_noted(
    referee: Run, blank: Path, own_folder: Path
) -> None:
    page = sheet_xml(blank)
    (sheet,) = read_sheets(blank.read_bytes(), "f")
    row = next(n for n, row in enumerate(sheet.rows, 1) if row[0] == "14 Movement")
    with zipfile.ZipFile(blank) as book, zipfile.ZipFile("own.xlsx", "w") as copy:
        for name in book.namelist():
            data = book.read(name)
            if name == "xl/worksheets/sheet1.xml":
                cell = re.search(rf'<c r="B{row}" s="[0-9]+"/>', page)
                assert cell
                data = page.replace(cell[0], cell[0][:-2] + "><f>B3-4</f><v>12</v></c>").encode()
            copy.writestr(name, data)
    told = [
        one
        for one in referee("check", "own.xlsx", "--json").json["findings"]
        if one["key"] == "NOTE/formulas"
    ]
    assert [one["location"]["cell"] for one in told] == [f"B{row}"] and told[0]["message"].startswith(
        "1 cell "
    )


@pytest.mark.long
@pytest.mark.skipif(OFFICE is None, reason="no LibreOffice here")
@pytest.mark.parametrize("saved_as", ["xlsx", "ods"])
def test_libreoffice_works_it_out_and_saves_what_is_read_back(
    referee: Run, blank: Path, own_folder: Path, saved_as: str
) -> None:
    """A form that spends 22 of 20 points, without what its formulas come to: LibreOffice opens it, works them out and
    saves it, and what is read back is what they come to."""
    filled(blank, own_folder / "full.xlsx", OVERSPENT)
    saved = office(own_folder / "full.xlsx", saved_as, own_folder)
    before, after = (read_sheets(path.read_bytes(), path.name)[0] for path in (blank, saved))
    assert {row[0]: row[1] for row in after.rows if row[0] in COMES_TO} == COMES_TO
    assert after.formulas == before.formulas  # type: ignore[attr-defined]
    # Locks, ranges and what turns red are still there.
    if saved_as == "xlsx":
        page = sheet_xml(saved)
        assert "<sheetProtection" in page and "<conditionalFormatting" in page
        assert "this ship has 16 at most" in page and 'type="decimal"' in page
    again = [one["key"] for one in referee("check", saved, "--json").json["findings"]]
    assert "NOTE/formulas" not in again and "E4.21" in again
