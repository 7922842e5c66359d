"""`referee check` as it is read: what is wrong first, then where; many files in a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

DUEL = ROOT / "examples" / "duel"
FORM = "Ship,cadet/federation-ca\nTurn,1,2,3\nTotal Power,20,20,20\n"
ORDERS = """rulebook sfb-cadet
ship Con = cadet/federation-ca at 2801E speed 16
turn 1
impulse 1
  Con: ahaed
"""


@pytest.fixture
def narrow(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the duel, looked at in 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("duel.vsav", "constellation.csv", "standard-form.csv", "state.json", "house.toml"):
        copy(DUEL / name, name)
    return own_folder


def test_a_finding_says_what_then_where_and_shows_its_row(referee: Run, narrow: Path) -> None:
    out = referee("check", "duel.vsav").out
    assert out.splitlines()[0] == out.splitlines()[-1] == "ILLEGAL: 8 errors; 27 rules checked"
    assert (
        """
error [E4.21] CA Constellation: turn 2, 1 point to PHOT/B, armed by 2 and 2 on
   consecutive turns
   duel.vsav › SSD Constellation › C15
                 Turn      1    2  3
      10 PHOT B  Photon B  2  [1]  2
   expected 2 or 0   found 1
   fix: pay 2 or 0; then write 10 or 8 on line 20 Total Power Used (C24), the
      sum of lines 7 to 19

"""
        in out
    )
    assert max(map(len, out.splitlines())) <= 80
    whole = referee("check", "duel.vsav", "--energy").out
    assert max(map(len, whole.splitlines())) <= 80
    assert whole.count("left: ") == 6 and out.count("left: ") == 1, (
        "the turn whose batteries are not written down"
    )


def test_the_ledger_of_a_form_over_its_power_is_shown(referee: Run, narrow: Path) -> None:
    Path("over.csv").write_text(f"{FORM}Movement,8,16,8\nPhasers,0,3,0\nPhoton A,2,4,0\n")
    out = referee("check", "over.csv").out
    assert out.count("left: ") == 1 and "turn 2: warp 16, impulse 2, apr 2, battery 2" in out, out


D6 = "Ship,cadet/klingon-d6\nTurn,1\nWarp Engines,16\nImpulse Power,2\nReactor Power,2\nBatteries Available,2\n"


def test_rows_that_are_misspelt(referee: Run, narrow: Path) -> None:
    Path("f.csv").write_text(f"{D6}Disruptr B,2\nMovement,8\nTotal,12\n")
    out = referee("check", "f.csv").out
    assert "did you mean DISR/B?" in out and "        Turn          1\n        [Disruptr B]  2\n" in out
    assert "it may be line 4 Total Power or line 20 Total Power Used" in " ".join(out.split())
    Path("f.csv").write_text(f"{D6}Phasers,twelve\nMovement,eight\n")
    error = referee("check", "f.csv").err
    assert (
        "f.csv: B7, line 9 Phasers, turn 1: 'twelve': not a number of energy points (and 1 more cell); "
        in error
    )


def test_an_order_and_a_cell_of_json_are_shown(referee: Run, narrow: Path) -> None:
    Path("orders.txt").write_text(ORDERS)
    assert "   orders.txt › line 5\n      Con: ahaed\n" in referee("check", "orders.txt").out
    out = referee("check", DUEL / "constellation.json").out
    assert "turn 1  turn 2  turn 3\n      10 PHOT B       2     [1]       2\n" in out


def test_a_long_row_keeps_its_label_and_its_cell(referee: Run, narrow: Path) -> None:
    turns = ",".join(map(str, range(1, 31)))
    Path("long.csv").write_text(
        f"Ship,cadet/federation-ca\nTurn,{turns}\nMovement,{','.join(['8'] * 29)},30\n"
    )
    row = next(line for line in referee("check", "long.csv").out.splitlines() if "[30]" in line)
    assert row.lstrip().startswith("14 Movement") and len(row) <= 80


def test_equal_findings_are_one_with_their_places(referee: Run, narrow: Path) -> None:
    Path("f.csv").write_text(
        "Ship,cadet/federation-ca\nTurn,1,2,3,4,5\nMovement,8,8,8,8,8\nDisr Q,1,1,1,1,1\n"
    )
    many = [f["message"] for f in referee("check", "f.csv", "--json").json["findings"]]
    assert len(many) > len(set(many))
    out = referee("check", "f.csv").out
    assert (
        """
error [B3.0-10] cadet/federation-ca: 1 point to DISR/Q, which Federation cadet
   cruiser does not have
   f.csv › B4 (turn 1), C4 (turn 2), D4 (turn 3), E4 (turn 4), F4 (turn 5)
                 Turn      1    2    3    4    5
      10 DISR Q  Disr Q  [1]  [1]  [1]  [1]  [1]
   expected PHOT/A, PHOT/B   found DISR/Q
"""
        in out
    )


def test_concise_keeps_the_fix(referee: Run, narrow: Path) -> None:
    lines = referee("check", "duel.vsav", "--format", "concise").out.splitlines()
    assert lines[1].startswith(
        "duel.vsav:SSD Constellation:Show Data:C15 line 10 PHOT B  error [E4.21] CA Const"
    )
    assert (
        lines[1].endswith("(C24), the sum of lines 7 to 19")
        and "; fix: pay 2 or 0; then" in lines[1]
        and len(lines) == 9
    )


@pytest.mark.parametrize("given", [["."], ["*.csv", "duel.vsav"]])
def test_many_files_are_a_table_first(
    referee: Run, narrow: Path, holds: Callable[[object], None], given: list[str]
) -> None:
    (narrow / "broken.csv").write_text("nothing\n")
    (narrow / ".hidden.csv").write_text("nothing\n")
    ran = referee("check", *given)
    lines = ran.out.splitlines()
    assert ran.code == 2 and ran.err == "" and "hidden" not in ran.out
    assert lines[0].startswith("ILLEGAL: 12 errors") and lines[0].endswith("; 1 file unreadable")
    assert lines[2] == "file               ship                              verdict      errors"
    assert "broken.csv         UNREADABLE: no header row" in ran.out
    assert "duel.vsav          CA Constellation, D6 Destruction  ILLEGAL           8" in lines
    assert "standard-form.csv  standard/klingon-d7               LEGAL             0" in lines
    assert lines[-1] == "1 legal, 2 illegal, 1 unreadable"
    assert ("passed by, 2 files of no game: house.toml, state.json" in lines) is (given == ["."])
    brief = referee("check", *given, "--summary").out.splitlines()
    assert brief[0] == lines[2] and brief[-1] == lines[-1] and "[E4.21]" not in "".join(brief)
    for form, row in (
        ("markdown", "| broken.csv |  | unreadable | no header row"),
        ("html", "<tr><td>broken.csv</td><td></td><td>unreadable</td><td>no header row"),
    ):
        page = referee("check", *given, "--format", form).out
        assert row in page and "1 legal, 2 illegal, 1 unreadable." in page
    told = referee("check", *given, "--json")
    assert "broken.csv: no header row" in told.err
    report = told.json
    holds(report)
    assert {file["file"]: (file["verdict"], file.get("errors")) for file in report["files"]} == {
        "broken.csv": ("unreadable", None), "constellation.csv": ("illegal", 4), "duel.vsav": ("illegal", 8),
        "standard-form.csv": ("legal", 0),
    }  # fmt: skip
    assert all(found["location"]["file"] for found in report["findings"])
    assert {ledger["file"] for ledger in report["ledgers"]} == {*(f["file"] for f in report["files"])} - {
        "broken.csv"
    }


def test_what_is_ignored_counts_for_no_file(referee: Run, narrow: Path) -> None:
    out = referee("check", "constellation.csv", "standard-form.csv", "--ignore", "B3.0,E4,H6").out
    assert out.endswith("\n2 legal\n")


def test_a_folder_is_written_into_again_and_needs_a_game(referee: Run, narrow: Path) -> None:
    assert [referee("check", ".", "-o", "report.txt").code for _ in "12"] == [1, 1]
    (narrow / "empty").mkdir()
    ran = referee("check", "empty")
    assert ran.code == 2 and "empty: no file of a game is in this folder; looked for .csv" in ran.err
    watched = referee("watch", "empty", "--once")
    assert "empty: no save or log is in it; files called .vsav, .vlog or .sav are judged" in watched.out


def test_folders_in_a_folder_are_named(referee: Run, narrow: Path, holds: Callable[[object], None]) -> None:
    (narrow / "club" / "by_mail").mkdir(parents=True)
    copy("standard-form.csv", "club/by_mail/one.csv")
    alone = referee("check", "club")
    assert alone.code == 2 and "club: no file of a game is in this folder; there are folders in it: referee check club/by_mail" in alone.err  # fmt: skip
    copy("standard-form.csv", "club/two.csv")
    for more in ((), ("--summary",)):
        out = referee("check", "club", *more).out
        assert "folders not looked into: by_mail (referee check club/by_mail)\n" in out
    report = referee("check", "club", "--json").json
    holds(report)
    assert report["folders_not_looked_into"] == ["club/by_mail"]
    rows = referee("check", "club/**", "--summary").out.splitlines()
    assert rows[0] == "club:" and [row.split()[0] for row in rows[2:4]] == ["by_mail/one.csv", "two.csv"]


def test_the_table_of_a_far_folder_keeps_its_rows(referee: Run, narrow: Path) -> None:
    ran = referee("check", DUEL, "--summary")
    lines = ran.out.splitlines()
    assert ran.code == 1 and "unreadable" not in ran.out.casefold() and len(lines[1]) < 80
    assert lines[0] == f"{DUEL}:" and lines[-1] == "3 legal, 4 illegal"
    assert "duel.vsav            CA Constellation, D6 Destruction  ILLEGAL           8" in lines
    assert "choices.json, state.json\n" in ran.out
    name = f"{'a-long-name-' * 5}.csv"
    copy("standard-form.csv", name)
    rows = referee("check", name, "constellation.csv", "--summary").out.splitlines()
    wrapped = [
        row.split("  ")[0] for row in rows[1 : rows.index(next(r for r in rows if "constellation" in r))]
    ]
    assert "".join(wrapped) == name and rows[1].endswith("LEGAL             0"), rows


def test_an_empty_folder_beside_a_file_stands_in_the_table(referee: Run, narrow: Path) -> None:
    (narrow / "empty").mkdir()
    ran = referee("check", "constellation.csv", "empty")
    assert (
        "constellation.csv  cadet/federation-ca  ILLEGAL" in ran.out
        and "\nempty              UNREADABLE: is a folder" in ran.out
    )
    assert ran.code == 2 and ran.out.endswith("1 illegal, 1 unreadable\n")


def test_a_written_report_says_its_verdict(referee: Run, narrow: Path) -> None:
    ran = referee("check", "duel.vsav", "-o", "x.html")
    assert (ran.out, ran.err) == ("ILLEGAL: 8 errors; 27 rules checked\n", "wrote x.html\n")
    assert referee("check", "duel.vsav", "--json", "-o", "x.json").out == ""
