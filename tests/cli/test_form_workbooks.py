"""The workbook a player fills in: what is locked, what may be typed, what is over; opened, saved and read back by LibreOffice."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

from referee.formats.sheets import read_sheets
from referee.formats.sheets.copied import with_figures
from tests.cli.conftest import Run

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")


def sheet_xml(path: Path) -> str:
    with zipfile.ZipFile(path) as book:
        return book.read("xl/worksheets/sheet1.xml").decode()


FORMULA = re.compile(
    r'<table:table-cell([^>]*table:formula="[^"]*"[^>]*)>(?:<text:p>[^<]*</text:p>)?</table:table-cell>'
)


def without_saved_values(book: Path, to: Path) -> None:
    """A copy without what its formulas came to: who reads it works them out."""
    with zipfile.ZipFile(book) as before, zipfile.ZipFile(to, "w") as after:
        for entry in before.infolist():
            text = before.read(entry)
            if entry.filename.startswith("xl/worksheets/"):
                text = re.sub(r"(</f>)<v>[^<]*</v>", r"\1", text.decode()).encode()
            elif entry.filename == "content.xml":
                text = FORMULA.sub(
                    lambda cell: "<table:table-cell" + re.sub(r' office:[a-z-]+="[^"]*"', "", cell[1]) + "/>",
                    text.decode(),
                ).encode()
            after.writestr(entry, text)


def filled(book: Path, to: Path, figures: dict[str, int]) -> None:
    """A copy with figures typed into the lines of turn 1."""
    (sheet,) = read_sheets(book.read_bytes(), book.name)
    rows = {row[0]: n for n, row in enumerate(sheet.rows)}
    cells = {(rows[line], 1): Fraction(figure) for line, figure in figures.items()}
    to.write_bytes(with_figures(book.read_bytes(), book.name, sheet.title, cells)[0])


def office(book: Path, kind: str, folder: Path) -> Path:
    """A workbook opened by LibreOffice and saved as another kind."""
    assert OFFICE
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    asked = [OFFICE, profile, "--headless", "--convert-to", kind, "--outdir", folder / "out", book]
    subprocess.run(list(map(str, asked)), check=True, capture_output=True, timeout=180)
    return folder / "out" / f"{book.stem}.{kind}"


def part(book: Path, name: str) -> str:
    with zipfile.ZipFile(book) as archive:
        return archive.read(name).decode()


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


def test_the_forms_of_both_kinds_say_the_same(referee: Run, blank: Path, own_folder: Path) -> None:
    assert referee("form", "blank", "cadet/federation-ca", "-o", "form.ods").code == 0
    (one,), (other,) = (read_sheets((own_folder / f"form.{k}").read_bytes(), "f") for k in ("xlsx", "ods"))
    assert one.rows == other.rows and one.title == other.title
    assert one.formulas == other.formulas  # type: ignore[attr-defined]
    page = part(own_folder / "form.ods", "content.xml")
    assert 'table:protected="true"' in page and "protection-key" not in page
    assert page.count("<table:content-validation ") == len(one.rows) - 3
    assert "cell-content-is-between(0,16)" in page and "this ship has 16 at most" in page
    assert "undestroyed warp engine boxes" in page  # a word of help from the rule
    looks = part(own_folder / "form.ods", "styles.xml")
    assert 'style:print-orientation="landscape"' in looks and 'style:scale-to-Y="1"' in looks


def test_the_same_form_is_the_same_bytes(referee: Run, own_folder: Path) -> None:
    for name in ("a.ods", "b.ods", "a.xlsx", "b.xlsx"):
        assert referee("form", "blank", "standard/klingon-d7", "-o", name).code == 0
    for kind in ("ods", "xlsx"):
        assert (own_folder / f"a.{kind}").read_bytes() == (own_folder / f"b.{kind}").read_bytes()


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_what_is_over_stands_there_before_check_says_so(referee: Run, own_folder: Path, kind: str) -> None:
    assert referee("form", "blank", "cadet/federation-ca", "-o", f"b.{kind}").code == 0
    filled(own_folder / f"b.{kind}", own_folder / f"f.{kind}", OVERSPENT)
    (sheet,) = read_sheets((own_folder / f"f.{kind}").read_bytes(), "f")
    assert {row[0]: row[1] for row in sheet.rows if row[0] in COMES_TO} == COMES_TO
    assert "fix: write 2 on line 6 Batteries Discharged (B8)" in referee("check", f"f.{kind}").out


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
@pytest.mark.parametrize("discharged", [0, 2])
def test_what_is_over_is_one_number(referee: Run, own_folder: Path, kind: str, discharged: int) -> None:
    """25 points of 20 and two batteries, whether or not they are written on line 6."""
    assert referee("form", "blank", "cadet/federation-ca", "-o", f"b.{kind}").code == 0
    figures = {"14 Movement": 16, "10 PHOT A": 6, "9 Phasers": 3, "6 Batteries Discharged": discharged}
    filled(own_folder / f"b.{kind}", own_folder / f"f.{kind}", figures)
    (sheet,) = read_sheets((own_folder / f"f.{kind}").read_bytes(), "f")
    assert sheet.rows[-1][:2] == ("Over or left", "over by 3")
    told = referee("check", f"f.{kind}").out
    assert "25 points spent, 22 available: over by 3" in told and "; over by 3; to the next turn" in told
    assert f"fix: cut 3 points on lines 7 to 19{'' if discharged else ' and write 2 on line 6'}" in told


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
@pytest.mark.parametrize("kind", ["xlsx", "ods"])
@pytest.mark.parametrize("turn", ["blank", "next"])
def test_libreoffice_works_it_out_and_saves_what_is_read_back(
    referee: Run, own_folder: Path, turn: str, kind: str, saved_as: str
) -> None:
    """A form that spends 22 of 20 points, without what its formulas come to: LibreOffice opens it, works them out and
    saves it, and what is read back is cell for cell what stands in ours."""
    assert referee("form", "blank", "cadet/federation-ca", "-o", f"form.{kind}").code == 0
    filled(own_folder / f"form.{kind}", own_folder / f"full.{kind}", OVERSPENT)
    if turn == "next":
        (own_folder / f"full.{kind}").rename(own_folder / f"before.{kind}")
        assert referee("form", "next", f"before.{kind}", "-o", f"full.{kind}").code == 0
    ours = own_folder / f"full.{kind}"
    bare = own_folder / f"bare.{kind}"
    without_saved_values(ours, bare)
    saved = office(bare, saved_as, own_folder)
    before, after = (read_sheets(path.read_bytes(), path.name)[0] for path in (ours, saved))
    assert after.rows == before.rows
    assert {row[0]: row[1] for row in after.rows if row[0] in COMES_TO} == COMES_TO
    assert after.formulas == before.formulas  # type: ignore[attr-defined]
    # Locks, ranges and what turns red are still there.
    if saved_as == "xlsx":
        page = sheet_xml(saved)
        assert "<sheetProtection" in page and "<conditionalFormatting" in page
        assert "this ship has 16 at most" in page and 'type="decimal"' in page
        looks = part(saved, "xl/styles.xml")
        assert 'locked="0"' in looks or 'locked="false"' in looks
    else:
        page = part(saved, "content.xml")
        assert 'table:protected="true"' in page and 'style:cell-protect="none"' in page
        assert "cell-content-is-between(0,16)" in page and "this ship has 16 at most" in page
        assert "conditional-format" in page or "style:map" in page
    again = [one["key"] for one in referee("check", saved, "--json").json["findings"]]
    assert "NOTE/formulas" not in again and "B3.0-6" in again


def test_a_blank_csv_leaves_the_total_used_to_the_player(referee: Run, own_folder: Path) -> None:
    """A 0 written beforehand was an error as soon as any line was paid for."""
    assert referee("form", "blank", "cadet/federation-ca", "-o", "form.csv").code == 0
    text = Path("form.csv").read_text(encoding="utf-8")
    assert "Total Power,20" in text and "Total Power Used,," in text
    Path("form.csv").write_text(text.replace("Movement,", "Movement,10"), encoding="utf-8")
    assert referee("check", "form.csv").code == 0
