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


def next_of(referee: Run, *rows: str) -> dict[str, str]:
    """The rows of the workbook after a turn with these, which are also in f.csv."""
    text = "Ship,cadet/klingon-d6\nTurn,1\nWarp Power,16\nImpulse Power,2\nReactor Power,2\nBattery Avail,2\n"
    Path("f.csv").write_text(text + "\n".join(rows) + "\n")
    assert referee("form", "next", "f.csv", "-o", "n.xlsx").code == 0
    (sheet,) = read_sheets(Path("n.xlsx").read_bytes(), "n")
    return {row[0]: row[1] for row in sheet.rows}


def test_what_is_over_stands_there_before_check_says_so(referee: Run, own_folder: Path) -> None:
    told = next_of(referee, "DISR A,2", "DISR B,2", "Movement,16", "Phasers,2")
    assert told["Over or left"] == "line 6: 2"
    assert "fix: write 2 on line 6 Batteries Discharged (B8)" in referee("check", "n.xlsx").out


@pytest.mark.parametrize("discharged", [0, 2])
def test_what_is_over_is_one_number(referee: Run, own_folder: Path, discharged: int) -> None:
    """24 points of 20 and two batteries, whether or not they are written on line 6."""
    told = next_of(referee, "DISR A,2", "DISR B,2", "Movement,16", "Phasers,4", f"BttyUsedEA,{discharged}")
    assert told["Over or left"] == "over by 2"
    out = referee("check", "n.xlsx").out
    assert (
        "24 points spent, 22 available with batteries: over by 2" in out
        and "; over by 2; to the next turn" in out
    )
    assert "fix: cut 2 points, for example write 2 on line 9 Phasers (B" in out and "unpaid 2" in out
    assert ("and write 2 on line 6" in out) is not discharged and "write the sum" not in out


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


def test_a_blank_csv_leaves_the_total_used_to_the_player(referee: Run, own_folder: Path) -> None:
    """A 0 written beforehand was an error as soon as any line was paid for."""
    assert referee("form", "blank", "cadet/federation-ca", "-o", "form.csv").code == 0
    text = Path("form.csv").read_text(encoding="utf-8")
    assert "Total Power,20" in text and "Total Power Used,," in text
    Path("form.csv").write_text(text.replace("Movement,", "Movement,10"), encoding="utf-8")
    assert referee("check", "form.csv").code == 0


def test_batteries_are_offered_once(referee: Run, own_folder: Path) -> None:
    """Three turns that are over by 1; the batteries are used up with the first."""
    rows = {
        "Total Power": 20,
        "Batteries Available": 2,
        "Phasers": 3,
        "Movement": 16,
        "DISR A": 2,
        "DISR B": 2,
    }
    text = "\n".join(f"{name},{n},{n},{n}" for name, n in rows.items())
    Path("f.csv").write_text(f"Ship,cadet/klingon-d6\nTurn,1,2,3\n{text}\n")
    out = referee("check", "f.csv", "--energy").out
    assert out.count("write 2 on line 6 Batteries Discharged") == 1
    assert (
        "C6 (turn 2), D6 (turn 3)" in out
        and "cut 3 points, for example write 0 on line 9 Phasers, and write 0 on line 5" in out
    )
    assert out.count("klingon-d6, turn 1: warp 16") == 1


def test_warp_alone_is_short_in_one_number(referee: Run, own_folder: Path) -> None:
    next_of(referee, "Movement,16")
    text = Path("f.csv").read_text().replace("klingon-d6", "federation-ca")
    Path("f.csv").write_text(text + "PHOT A,2\nPHOT B,2\nPhasers,3\n")
    out = referee("check", "f.csv").out
    assert "1 error;" in out and out.count("warp short by 3") == 2 and "over by" not in out
    text = text.replace("Warp Power,16", "Warp Power,17\nTotal Power,21").replace(
        "Movement,16", "Movement,10 3/10"
    )
    Path("f.csv").write_text(text)
    out = referee("check", "f.csv").out
    assert "write 16 on line 1 Warp Engines (B3); then write 20 on line 4 Total Power (B4)" in out.replace(
        "\n     ", ""
    )
    assert "10 3/10 points" in out and "write 10 on line 14 Movement" in out


@pytest.mark.parametrize(("movement", "offered"), [(8, True), (20, False)])
def test_a_turn_earlier_recharges_only_what_it_can_pay(
    referee: Run, own_folder: Path, movement: int, offered: bool
) -> None:
    rows = f"Batteries Available,2,0,2\nBatteries Discharged,2,,\nPhasers,4,0,0\nMovement,16,{movement},8\nDISR A,2,,\n"
    Path("f.csv").write_text(f"Ship,cadet/klingon-d6\nTurn,1,2,3\n{rows}")
    out = referee("check", "f.csv").out
    assert "fix: write 0 on line 5 Batteries Available (D3)" in out
    assert (", or recharge 2 more on line" in out) is offered
