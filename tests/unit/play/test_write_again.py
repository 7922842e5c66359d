"""`referee vassal write --game` into a save that an earlier state of the record was written into."""

from __future__ import annotations

from json import dumps
from pathlib import Path

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.record.reading import read
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import ROWS
from tests.unit.formats.vassal.vassal_saves import game_text, piece_text
from tests.unit.logs.test_logs_write import changed
from tests.unit.play.test_write_back import on_sheet
from tests.unit.play.test_write_round_trip import AS, PLAYED, SHIPS, save_of

BOXES = "Warp L=8/8, Warp R=8/8, Impulse=2/2, APR=2/2, Battery=2/2, PH-1=3/3, Shield 1=16/16, Shield 2=12/12"
WHO = {"Constellation": "ann", "Destruction": "ben"}
POWER = ("Warp Power,16", "Impulse Power,2", "Atomic Power,2")


def cut(path: Path, kind: str, turn: int) -> Path:
    """The record of the example up to the first entry of a kind of a turn."""
    end = next(e.seq for e in read(str(PLAYED)) if e.type == kind and e.data.get("turn") == turn)
    path.write_text("".join(PLAYED.read_text().splitlines(keepends=True)[:end]))
    return path


def file(referee: Run, ship: str, *rows: str) -> None:
    """Files a form of turn 1 openly."""
    Path("form.csv").write_text("\n".join([f"Ship,{SHIPS[ship]}", "Turn,1", *POWER, *rows]) + "\n")
    filed = referee("game", "apply", "g.jsonl", "form.csv", "--ship", ship, "--as", WHO[ship])
    assert filed.code == 0, filed.err


@pytest.fixture
def mid_turn(referee: Run, tmp_path: Path) -> Path:
    """A save into which a record was written in the middle of turn 1, after which more was fired and hit."""
    source, first = save_of(tmp_path / "a.vsav", BOXES), tmp_path / "first.vsav"
    at = {"Constellation": "1010A/8", "Destruction": "1008D/8"}
    placed = [part for n, ship in SHIPS.items() for part in ("--ship", f"{n}={ship}:{WHO[n]}@{at[n]}")]
    start = ("--players", "ann,ben", "--dice", "seed", "--seed", "x", "--rulebook", "sfb-cadet")
    assert referee("game", "new", "g.jsonl", *start, *placed).code == 0
    assert referee("game", "next", "g.jsonl", "--to", "1.energy-allocation").code == 0
    for ship in SHIPS:
        file(referee, ship, "Movement,0", "Phasrecharge,3")
    assert referee("game", "next", "g.jsonl", "--to", "1.2.fire").code == 0
    fires = ("game", "say", "g.jsonl", "Constellation: fire {} at Destruction", "--as", "ann")
    assert referee(*(part.format("PH-1/A") for part in fires)).code == 0
    assert referee("game", "resolve", "g.jsonl").code == 0
    assert referee("vassal", "write", source, "-o", first, "--game", "g.jsonl").code == 0
    assert on_sheet(first, "Constellation", 1)["9:fired"] == "1"
    assert on_sheet(first, "Constellation", 2)["9:held"] == "2"
    assert referee("game", "next", "g.jsonl", "--to", "1.5.fire").code == 0
    assert referee(*(part.format("PH-1/B") for part in fires)).code == 0
    assert referee("game", "resolve", "g.jsonl").code == 0
    strike = ("volley", "Constellation", "--game", "g.jsonl", "--as", "ann", "--internals", "25")
    assert referee(*strike, "--force").code == 0
    return first


def cell(line: str, turn: int, text: str) -> tuple[str, str]:
    """The option that writes what a player would on the sheet of the Constellation."""
    return "--cell", f"SSD Constellation:{chr(ord('A') + turn)}{ROWS.index(line) + 1}={text}"


def test_what_was_begun_is_brought_up_to_date(referee: Run, tmp_path: Path, mid_turn: Path) -> None:
    once, again, more = (tmp_path / f"{name}.vsav" for name in ("once", "again", "more"))
    ran = referee("vassal", "write", mid_turn, "-o", again, "--game", "g.jsonl")
    assert ran.code == 0 and " holds " not in ran.err
    assert "Constellation: turn 1 as the record has it since: B13 1 is now 2\n" in ran.err
    assert "Constellation: turn 2 as the record has it since: " in ran.err and "C11 2 is now " in ran.err
    assert "Destruction: turn" not in ran.err
    assert referee("vassal", "write", tmp_path / "a.vsav", "-o", once, "--game", "g.jsonl").code == 0
    for ship in SHIPS:
        assert all(on_sheet(again, ship, turn) == on_sheet(once, ship, turn) for turn in (1, 2))
    assert on_sheet(again, "Constellation", 2)["4"] != "20"
    assert referee("check", again, *AS).code == 0
    # Written once more it is as it was.
    ran = referee("vassal", "write", again, "-o", more, "--game", "g.jsonl")
    assert " since: " not in ran.err and changed(again, more) == []


@pytest.mark.parametrize(
    ("line", "turn", "text"),
    [
        ("Phas Cap", 2, "1.5"),
        ("Warp Power", 2, "9"),
        ("Movement", 2, "5"),
        ("Btty Avail", 2, ""),
        ("PhasFired", 1, "3"),
        ("Gen Reinf", 1, "1"),
        ("Movement", 1, "5"),
    ],
)
def test_a_column_with_a_figure_of_the_player_stays(
    referee: Run, tmp_path: Path, mid_turn: Path, line: str, turn: int, text: str
) -> None:
    """One figure of his, or one he struck out, and nothing in the column is replaced."""
    own, new = tmp_path / "own.vsav", tmp_path / "new.vsav"
    assert referee("vassal", "write", mid_turn, "-o", own, *cell(line, turn, text)).code == 0
    before = on_sheet(own, "Constellation", turn)
    assert before != on_sheet(mid_turn, "Constellation", turn)
    ran = referee("vassal", "write", own, "-o", new, "--game", "g.jsonl")
    assert ran.code == 0 and f"Constellation: turn {turn} as the record has it since" not in ran.err
    assert before.items() <= on_sheet(new, "Constellation", turn).items()
    assert "not written: Constellation: " in ran.err and " would go there" in ran.err


def test_a_form_filed_anew_replaces_the_one_taken_back(referee: Run, tmp_path: Path) -> None:
    source, first, again, once = (save_of(tmp_path / "a.vsav"), *(tmp_path / f"{n}.vsav" for n in "bcd"))
    placed = [part for n, ship in SHIPS.items() for part in ("--ship", f"{n}={ship}:{WHO[n]}")]
    start = ("--players", "ann,ben", "--dice", "seed", "--seed", "x", "--rulebook", "sfb-cadet")
    assert referee("game", "new", "g.jsonl", *start, *placed).code == 0
    assert referee("game", "next", "g.jsonl", "--to", "1.energy-allocation").code == 0
    file(referee, "Constellation", "Movement,12", "Photon A,2")
    assert referee("vassal", "write", source, "-o", first, "--game", "g.jsonl").code == 0
    assert on_sheet(first, "Constellation", 1)["10:PHOT/A"] == "2"
    number = next(entry.seq for entry in read("g.jsonl") if entry.type == "form")
    undo = ("game", "undo", "g.jsonl", str(number), "--reason", "x", "--agreed", "ann,ben")
    assert referee(*undo).code == 0
    file(referee, "Constellation", "Movement,8", "Phasrecharge,3")
    ran = referee("vassal", "write", first, "-o", again, "--game", "g.jsonl")
    assert ran.code == 0 and " holds " not in ran.err and "does not show it so" not in ran.err
    assert "Constellation: turn 1 as the record has it since: " in ran.err
    assert referee("vassal", "write", source, "-o", once, "--game", "g.jsonl").code == 0
    assert all(
        on_sheet(again, "Constellation", turn) == on_sheet(once, "Constellation", turn) for turn in (1, 2)
    )


def test_what_was_begun_and_the_form_leaves_out_is_the_form_as_filed(referee: Run, tmp_path: Path) -> None:
    """The forms of the example have neither batteries nor capacitor, which `vassal write` begins turns with."""
    source, first, again = save_of(tmp_path / "a.vsav"), tmp_path / "first.vsav", tmp_path / "again.vsav"
    early = cut(tmp_path / "early.jsonl", "seal", 1)
    assert referee("vassal", "write", source, "-o", first, "--game", early).code == 0
    assert all(on_sheet(first, ship, 1)["5"] == "2" for ship in SHIPS)
    late = cut(tmp_path / "late.jsonl", "seal", 2)
    ran = referee("vassal", "write", first, "-o", again, "--game", late)
    assert ran.code == 0 and "does not show it so" not in ran.err, ran.err
    # Without a form that is so, the speed is told by what is paid for it.
    other = tmp_path / "other.vsav"
    assert referee("vassal", "write", again, "-o", other, *cell("Tractor", 1, "1")).code == 0
    ran = referee("vassal", "write", other, "-o", tmp_path / "n.vsav", "--game", late)
    assert ran.err.count("its form of turn 1: its sheet does not show it so") == 1
    assert "its speed" not in ran.err


@pytest.mark.parametrize(("written", "impulse"), [(True, 1), (True, 9), (False, 1)])
def test_what_is_only_begun_in_a_save_a_record_was_written_into(
    referee: Run, tmp_path: Path, written: bool, impulse: int
) -> None:
    """Its form may be sealed, so that not even its impulses tell that it was left blank."""
    rows = ["Turn,1,2,3", "Warp Power,30,30,30", "Impulse Power,5,5,5", "Reactor Power,4,4,4"]
    rows += ["Life Support,1,,", "Fire Control,1,,", "Movement,8,,", "Shields,2,,"]
    cells = ",".join(",".join(row.split(",")) for row in rows)
    damage = ("propertysheet;6Impulse;Damage;;2", "4/5")
    text = game_text(
        piece_text("1", [("rotate;6", "0")], "D7 One", "Space;0;0"),
        piece_text("2", [(f"table;{len(rows)};4;Show Data", cells), damage], "SSD D7 One", "SSD;100;0"),
        f"GlobalProperty\t;Turn;2;Module\x1bGlobalProperty\t;Impulse;{impulse};Module",
        *(["CHAT- referee: head #3 AAAA"] if written else []),
    )
    save, map = tmp_path / "game.vsav", tmp_path / "map.json"
    save.write_bytes(write_save_bytes(text, key=7))
    clock = {"properties": {"turn": "Turn", "impulse": "Impulse"}}
    map.write_text(dumps({"schema": "referee/module-map/1", "module": {"name": "Any"}, "tracker": clock}))
    ran = referee("check", save, "--map", map, "--ship", "D7 One=standard/klingon-d7", "--json")
    assert ran.findings("error") == []
    reasons = [one["reason"] for one in ran.json["not_checked"] if "only begun" in one["reason"]]
    assert reasons == ["turns 2, 3 are only begun: its spending is not filled in"]
    # Nothing is said to be unspent in them; what was begun of a turn to come may be out of date.
    assert [ledger["turn"] for ledger in ran.json["ledgers"]] == [1]
    assert all(finding.get("turn") != 3 for finding in ran.json["findings"])
