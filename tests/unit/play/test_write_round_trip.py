"""`referee vassal write --game`: what a save shows beyond what a record knows stays, what the record adds is there."""

from __future__ import annotations

from csv import reader
from io import StringIO
from pathlib import Path

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import read_save
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import COLUMNS, ROWS
from tests.unit.formats.vassal.vassal_saves import game_text, piece_text
from tests.unit.logs.test_logs_write import changed
from tests.unit.play.test_write_back import on_sheet, table

PLAYED = Path(__file__).parents[3] / "examples" / "games" / "cadet-duel.jsonl"
SHIPS = {"Constellation": "cadet/federation-ca", "Destruction": "cadet/klingon-d6"}
WHO = ("--players", "ann,ben", "--player", "Constellation=ann", "--player", "Destruction=ben", "--alone")
AS = [part for name, ship in SHIPS.items() for part in ("--ship", f"{name}={ship}")]


def save_of(path: Path, boxes: str = "", cells: str = "") -> Path:
    """Two ships with blank forms, `boxes` as LABEL=LEFT/ALL on the sheets of their displays."""
    rows = [[label, *(str(n) if label == "Turn" else "" for n in range(1, COLUMNS))] for label in ROWS]
    for cell in cells.split():
        label, turn, text = cell.split("=")
        rows[ROWS.index(label)][int(turn)] = text
    form = (f"table;{len(ROWS)};{COLUMNS};Show Data", ",".join(",".join(row) for row in rows))
    shown = dict(one.split("=") for one in boxes.split(", ")) if boxes else {}
    sheet = [
        (f"propertysheet;{'~'.join(f'6{label}' for label in shown)};Damage;;2", "~".join(shown.values()))
    ]
    pieces = []
    for n, name in enumerate(SHIPS):
        pieces.append(piece_text(f"{n}1", [("rotate;6", "0")], name, f"Space;{900 * n};0"))
        display = [form, *(sheet if shown else [])]
        pieces.append(piece_text(f"{n}2", display, f"SSD {name}", f"SSD;{900 * n};0"))
    path.write_bytes(write_save_bytes(game_text(*pieces), key=7))
    return path


def fired(referee: Run, ship: str) -> list[str]:
    """What `form next` says of the phasers fired, by turn."""
    rows = reader(StringIO(referee("form", "next", PLAYED, "--ship", ship).out))
    return next(row[1:4] for row in rows if row[0] == "Phasers Fired")


def test_what_phasers_fired_is_written_as_form_next_tells_it(referee: Run, tmp_path: Path) -> None:
    source, new, again = save_of(tmp_path / "a.vsav"), tmp_path / "new.vsav", tmp_path / "again.vsav"
    ran = referee("vassal", "write", source, "-o", new, "--game", PLAYED)
    assert ran.code == 0 and "Phasers Fired" not in ran.err
    assert "does not show it so" not in ran.err, ran.err
    for ship in SHIPS:
        told = [on_sheet(new, ship, turn)["9:fired"] for turn in (1, 2, 3)]
        assert told == fired(referee, ship) and all(told)
    # The capacitor of each turn follows from it.
    assert "H6.1" not in referee("check", new, *AS).out
    assert referee("vassal", "write", new, "-o", again, "--game", PLAYED).code == 0
    assert changed(new, again) == []


def test_what_else_is_written_there_as_fired_stays_and_is_named(referee: Run, tmp_path: Path) -> None:
    source, new = save_of(tmp_path / "a.vsav", cells="PhasFired=1=1"), tmp_path / "new.vsav"
    ran = referee("vassal", "write", source, "-o", new, "--game", PLAYED)
    cell = f"B{ROWS.index('PhasFired') + 1}"
    for ship in SHIPS:
        would = fired(referee, ship)[0]
        assert f"not written: {ship}: {cell} holds 1, and {would} would go there" in ran.err
        assert on_sheet(new, ship, 1)["9:fired"] == "1"
        # The form that was filed goes there nevertheless.
        assert on_sheet(new, ship, 1)["1"]
    # A form that is another's takes nothing, neither what was filed nor what was fired.
    other = save_of(tmp_path / "b.vsav", cells="Movement=1=31")
    ran = referee("vassal", "write", other, "-o", new, "--game", PLAYED, "--force")
    assert ran.err.count("its form of turn 1: its sheet does not show it so") == 2
    assert all(on_sheet(new, ship, 1) == {"14": "31"} for ship in SHIPS)


def test_a_sheet_without_a_row_for_what_was_fired_is_named(referee: Run, tmp_path: Path) -> None:
    source, bare = save_of(tmp_path / "a.vsav"), tmp_path / "bare.vsav"
    row = ROWS.index("PhasFired") + 1
    cells = [part for ship in SHIPS for part in ("--cell", f"SSD {ship}:A{row}=Notes")]
    assert referee("vassal", "write", source, "-o", bare, *cells).code == 0
    ran = referee("vassal", "write", bare, "-o", tmp_path / "n.vsav", "--game", PLAYED)
    lines = [line for line in ran.err.splitlines() if "line 9 Phasers Fired of turn" in line]
    assert len(lines) == 6 and all("its sheet has no row for it" in line for line in lines)


@pytest.mark.parametrize(
    "boxes",
    [
        "Shield 3=2/12, Excess=1/3",
        "Shield 1=0/40, Shield 2=1/13, Bridge=0/9, F Hull=0/2",
        "PH-1=2/3, Photon=1/2, Shield 6=3/3, A Hull=7/9, Warp L=0/0",
    ],
)
def test_marks_beyond_the_ship_known_here_stay(referee: Run, tmp_path: Path, boxes: str) -> None:
    source, new = save_of(tmp_path / "a.vsav", boxes), tmp_path / "new.vsav"
    assert referee("game", "new", "g.jsonl", "--from", source, *WHO, *AS).code == 0
    ran = referee("vassal", "write", source, "-o", new, "--game", "g.jsonl")
    assert ran.code == 0 and "boxes" not in ran.err and "shown lost" not in ran.err, ran.err
    for ship in SHIPS:
        before, after = (table(path).ship(ship).ship for path in (source, new))
        assert (before.boxes_left, before.shields) == (after.boxes_left, after.shields)
    sheets = [[p.sheets for p in read_save(f.read_bytes(), f.name).pieces] for f in (source, new)]
    assert sheets[0] == sheets[1]


def test_marks_beyond_the_ship_known_here_go_when_its_last_box_does(referee: Run, tmp_path: Path) -> None:
    source, new = save_of(tmp_path / "a.vsav", "Shield 3=3/12, Excess=1/3"), tmp_path / "new.vsav"
    assert referee("game", "new", "g.jsonl", "--from", source, *WHO, *AS).code == 0
    strike = ("volley", "Constellation", "--game", "g.jsonl", "--as", "ben", "--damage", "1", "--shield", "3")
    assert referee(*strike, "--force").code in (0, 1)
    ran = referee("vassal", "write", source, "-o", new, "--game", "g.jsonl")
    told = "Constellation: Shield 3: none is left of the 10 known here, all 12 are shown lost\n"
    assert told in ran.err and "Destruction: Shield" not in ran.err, ran.err
    struck, other = (table(new).ship(ship).ship.shields[3] for ship in SHIPS)
    assert (struck, other) == ((0, 12), (3, 12))
