"""`referee form next`: one row a weapon whatever it was called, and of a record what was played."""

from __future__ import annotations

import csv
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest

from referee.cli.form import _form
from referee.cli.judging import form_labels
from referee.formats.eaform import LabelIndex
from referee.formats.sheets.labels import fold
from referee.rulebooks.registry import load_rulebook, load_ship, ship_ids
from tests.cli.conftest import Run

HEAD = "Turn,1,2\nWarp Power,16,16\nImpulse Power,2,2\nReactor Power,2,2\nTotal Power,20,20\n"


def sheet(text: str) -> dict[str, list[str]]:
    """The rows of a form by their labels, of which there may be only one each."""
    rows = [row for row in csv.reader(StringIO(text)) if row]
    assert len({row[0] for row in rows}) == len(rows), text
    return {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize(
    ("ship", "called", "row"),
    [
        ("cadet/romulan-kr", "Plasma A", "PL-S A"),
        ("cadet/romulan-kr", "Plasma Torp b", "PL-S B"),
        ("cadet/romulan-kr", "Plasma Type S A", "PL-S A"),
        ("cadet/romulan-kr", "Torpedo A", "PL-S A"),
        ("cadet/federation-ca", "Photon A", "PHOT A"),
        ("cadet/federation-ca", "Torpedo B", "PHOT B"),
        ("cadet/federation-ca", "Heavy Weapon A", "PHOT A"),
        ("cadet/klingon-d6", "Disrupter A", "DISR A"),
        ("cadet/klingon-d6", "HW B", "DISR B"),
    ],
)
def test_a_weapon_has_one_row_whatever_it_was_called(referee: Run, ship: str, called: str, row: str) -> None:
    Path("f.csv").write_text(f"{HEAD}{called},2,2\nMovement,0,0\n", encoding="utf-8")
    ran = referee("form", "next", "f.csv", "--ship", ship, "-o", "n.csv")
    assert ran.code == 0, ran
    rows = sheet(Path("n.csv").read_text(encoding="utf-8"))
    assert rows[row][:3] == ["2", "2", ""]
    again = sheet(referee("form", "next", "n.csv").out)
    assert list(again) == list(rows) and again[row][:2] == ["2", "2"]


def test_a_line_without_its_weapon_keeps_its_label(referee: Run) -> None:
    Path("f.csv").write_text(f"{HEAD}Torpedoes,4,4\nMovement,0,0\n", encoding="utf-8")
    ran = referee("form", "next", "f.csv", "--ship", "cadet/federation-ca")
    assert sheet(ran.out)["Torpedoes"][:2] == ["4", "4"]


def test_energy_of_one_weapon_in_two_rows_stays_where_it_is(referee: Run) -> None:
    Path("f.csv").write_text(f"{HEAD}Photon A,2,2\nTorp A,2,\nMovement,0,0\n", encoding="utf-8")
    rows = sheet(referee("form", "next", "f.csv", "--ship", "cadet/federation-ca").out)
    assert rows["PHOT A"][:2] == ["2", "2"] and rows["TORP A"][:2] == ["2", ""]


@pytest.mark.parametrize("id", ship_ids())
def test_every_row_is_read_back_as_what_it_was(id: str) -> None:
    """Every line that a label means, and every weapon by every name, is one row that means the same."""
    ship = load_ship(id)
    if ship.rulebook not in ("sfb-cadet", "sfb-standard"):
        pytest.skip("no energy form of B3.0")
    book = load_rulebook(ship.rulebook)
    labels = form_labels(book)
    index = LabelIndex(labels)
    heavy = [mount for mount in ship.mounts if book.table("weapons")["weapons"][mount.type].get("arming")]
    lines = {*labels.lines, *(f"13:{n}" for n in range(1, 7))}
    for mount in heavy:
        kinds = {mount.id.partition("/")[0], "TORP"} | ({"PL"} if mount.id.startswith("PL-") else set())
        alike = [m for m in ship.mounts if m.mark == mount.mark and m.system not in ("phaser", "drone")]
        for kind in kinds if len(alike) == 1 else {mount.id.partition("/")[0]}:
            for spelling in labels.weapons[kind]:
                line = index.line(f"{spelling} {mount.mark}")
                assert line is not None, spelling
                written = _form(ship, book, {line: {1: Fraction(2)}}, last=2)
                rows = [row.label for row in written.rows]
                assert len(set(map(fold, rows))) == len(rows), (spelling, rows)
                told = [row.label for row in written.rows if row.figures]
                assert told == [mount.id.replace("/", " ")], spelling
    for line in lines:
        written = _form(ship, book, {line: {1: Fraction(2)}}, last=2)
        assert [index.line(row.label) for row in written.rows if row.figures] == [line]
