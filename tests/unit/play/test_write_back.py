"""`referee vassal write`: forms begun, damage marked, notes and rulings put where the players are."""

from __future__ import annotations

from json import dumps, loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.gamefold import fold_game
from referee.core.state import ShipState
from referee.formats.modulemap import Marks
from referee.formats.sheets.written import cells_of_turn
from referee.formats.vassal.container import open_save, write_save_bytes
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.marking import BoxMark, Edit, Level, marked
from referee.formats.vassal.traits import DynamicProperty
from referee.play.save_ships import SaveBeingWritten, table_in
from referee.play.write_save import _to_lose
from referee.record.reading import read
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.saves import labels_of
from referee.sources.settings import Settings
from referee.sources.ships import display_of
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import LogWriter, legal_game, module_bytes, write_log
from tests.unit.formats.vassal.vassal_saves import game_text, piece_text
from tests.unit.judging.test_shared_saves import SAVES
from tests.unit.logs.test_logs_write import changed

ENGINE = ("p02_midgame", "p08_damage_boxes", "p09_damage_sheet", "p10_damage_counters", "p13_key00")


def opened(path: Path) -> Save:
    return read_save(path.read_bytes(), path.name)


def table(path: Path) -> SaveBeingWritten:
    return table_in(opened(path), Asked(Settings()))


def lost_by_system(state: ShipState | None) -> dict[str, int]:
    assert state is not None
    systems = [box.rpartition("/")[0] for box in state.destroyed]
    return {system: systems.count(system) for system in systems}


def forms_in(path: str) -> dict[tuple[str, int], dict[str, str]]:
    """The figures of each form of a record, by ship and turn, less those of 0."""
    return {
        (name, turn): {line["line"]: line["amount"] for line in form.values() if line["amount"] != "0"}
        for name, ship in fold_game(read(path), load_ship).ships.items()
        for turn, form in ship.forms.items()
    }


def engine(name: str) -> Path:
    if not (SAVES / "duel").is_dir():
        pytest.skip("the shared saves are not here")
    return SAVES / "duel" / f"{name}.vsav"


# -- forms -----------------------------------------------------------------------------------


def test_the_next_turn_is_begun_on_the_sheets(referee: Run, duel: Path, tmp_path: Path) -> None:
    new, original = tmp_path / "new.vsav", (duel / "duel-corrected.vsav").read_bytes()
    ran = referee("vassal", "write", duel / "duel-corrected.vsav", "-o", new, "--next-form", "all")
    assert (ran.code, ran.out, ran.complaints) == (0, "", "")
    assert (duel / "duel-corrected.vsav").read_bytes() == original
    pieces = changed(duel / "duel-corrected.vsav", new)
    assert len(pieces) == 2 and all(piece.startswith("+/") for piece in pieces)
    columns = {}
    for piece in opened(new).pieces:
        for sheet in piece.tables:
            columns[piece.basic_name] = {row[0]: row[4] for row in sheet.rows if row[4]}
    begun = {"Turn": "4", "Warp Power": "16", "Impulse Power": "2", "Atomic Power": "2", "Total Power": "20"}
    assert columns["SSD Constellation"] == {**begun, "Btty Avail": "2", "Phas Cap": "3"}
    # A warp box is gone, a battery was used in turn 2.
    hurt = {**begun, "Warp Power": "15", "Total Power": "19", "Btty Avail": "1", "Phas Cap": "4"}
    assert columns["SSD Destruction"] == hurt
    assert referee("check", new).code == 0
    # Begun once is begun: doing it again changes nothing.
    again = tmp_path / "again.vsav"
    assert referee("vassal", "write", new, "-o", again, "--next-form", "all").complaints == ""
    assert changed(new, again) == []
    # What somebody wrote stays.
    written = tmp_path / "written.vsav"
    cell = "SSD Destruction:E6=2"
    assert referee("vassal", "write", duel / "duel-corrected.vsav", "-o", written, "--cell", cell).code == 0
    ran = referee("vassal", "write", written, "-o", again, "--next-form", "D6 Destruction", "--force")
    assert (
        ran.code == 0 and ran.complaints == "not written: D6 Destruction: E6 holds 2, and 1 would go there\n"
    )


def test_the_first_turn_is_begun_on_a_blank_sheet(referee: Run, tmp_path: Path) -> None:
    source, new, again = engine("p01_setup"), tmp_path / "new.vsav", tmp_path / "again.vsav"
    ran = referee("vassal", "write", source, "-o", new, "--next-form", "all")
    assert (ran.code, ran.complaints) == (0, "")
    assert on_sheet(new, "CA Meridian", 1) == {"1": "16", "2": "2", "3": "2", "4": "20", "5": "2"}
    assert len(changed(source, new)) == 2
    assert referee("vassal", "write", new, "-o", again, "--next-form", "all").complaints == ""
    assert changed(new, again) == []


def test_a_form_begun_is_not_filed(referee: Run, duel: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.vsav"
    assert referee("vassal", "write", duel / "duel-corrected.vsav", "-o", new, "--next-form", "all").code == 0
    assert referee("game", "new", "g.jsonl", "--from", new, "--alone").code == 0
    assert [entry.data["turn"] for entry in read("g.jsonl") if entry.type == "form"] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--next-form", "Nobody"), "no ship Nobody in it; there are CA Constellation, D6 Destruction"),
        (("--state", "CA Constellation"), "write SHIP=state.json"),
        (("--state", "D6 Destruction=none.json"), "none.json"),
        (("--note", "ends in \\"), "cannot store the note"),
        (("--game", "none.jsonl"), "none.jsonl"),
    ],
)
def test_what_cannot_be_written_is_refused(
    referee: Run, duel: Path, tmp_path: Path, asked: tuple[str, str], said: str
) -> None:
    new = tmp_path / "new.vsav"
    ran = referee("vassal", "write", duel / "duel.vsav", "-o", new, *asked)
    assert ran.code == 2 and said in ran.complaints and not new.exists(), ran.complaints


def test_a_form_without_a_column_for_the_turn_is_refused(referee: Run, duel: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.vsav"
    full = tmp_path / "full.vsav"
    columns = [f"SSD Constellation:{chr(ord('B') + n)}15=2" for n in range(3, 11)]
    cells = [part for cell in columns for part in ("--cell", cell)]
    assert referee("vassal", "write", duel / "duel.vsav", "-o", full, *cells).code == 0
    ran = referee("vassal", "write", full, "-o", new, "--next-form", "CA Constellation")
    assert ran.code == 2 and "has no column for turn 12; renumber" in ran.complaints


def begun_by_record(referee: Run, ship: str) -> dict[str, str]:
    """The last column that `form next` of g.jsonl fills in for a ship, by the line of its row."""
    labels = labels_of(Asked(Settings()), None)
    rows = [line.split(",") for line in referee("form", "next", "g.jsonl", "--ship", ship).out.splitlines()]
    turn = rows[1].index(str(fold_game(read("g.jsonl"), load_ship).turn))
    told = {labels.line(row[0]): row[turn] for row in rows[2:] if row[turn]}
    return {line: figure for line, figure in told.items() if line and line != "20"}


def on_sheet(path: Path, ship: str, turn: int) -> dict[str, str]:
    """The figures in a turn's column of a ship's sheet, by line."""
    one = table(path).ship(ship)
    assert one.ship.table is not None
    cells = cells_of_turn(one.ship.table, table(path).labels, turn)
    return {line: text for line, (_, _, text) in (cells or {}).items() if text}


def test_a_record_begins_the_next_turn_on_the_sheets(referee: Run, duel: Path, tmp_path: Path) -> None:
    """With the figures of `form next`, in empty cells alone, and nothing else changed."""
    source, new = duel / "duel-corrected.vsav", tmp_path / "new.vsav"
    original = source.read_bytes()
    assert referee("game", "new", "g.jsonl", "--from", source, "--alone").code == 0
    assert referee("game", "next", "g.jsonl", "--to", "4.1.move-ships").code in (0, 1)
    ran = referee("vassal", "write", source, "-o", new, "--game", "g.jsonl")
    assert ran.code == 0 and source.read_bytes() == original
    assert all("the turn tracker" in line for line in ran.complaints.splitlines()), ran.complaints
    pieces = [leaf for leaf in changed(source, new) if leaf.startswith("+/")]
    assert len(pieces) == 2
    for ship in ("CA Constellation", "D6 Destruction"):
        begun = begun_by_record(referee, ship)
        assert on_sheet(new, ship, 4) == begun and {"1", "2", "3", "4", "5", "9:held"} == set(begun)
        assert all(on_sheet(new, ship, turn) == on_sheet(source, ship, turn) for turn in (1, 2, 3))
    assert referee("check", new).code == 0
    # Once begun it is begun, and --next-form has nothing to add to what the record says.
    again = tmp_path / "again.vsav"
    both = ("--game", "g.jsonl", "--next-form", "all")
    assert (
        referee("vassal", "write", new, "-o", again, *both).complaints == ran.complaints
        and changed(new, again) == []
    )
    # What somebody wrote stays, and is named.
    written = tmp_path / "written.vsav"
    cell = "SSD Destruction:E6=2"
    assert referee("vassal", "write", source, "-o", written, "--cell", cell).code == 0
    ran = referee("vassal", "write", written, "-o", again, "--game", "g.jsonl", "--force")
    assert "not written: D6 Destruction: E6 holds 2, and 1 would go there\n" in ran.complaints
    assert on_sheet(again, "D6 Destruction", 4)["5"] == "2"


def test_a_form_filed_at_the_table_goes_on_the_sheet(referee: Run, duel: Path, tmp_path: Path) -> None:
    source, new = tmp_path / "game.vsav", tmp_path / "new.vsav"
    one = table(duel / "duel-corrected.vsav").ship("D6 Destruction")
    assert one.ship.table is not None
    cells = cells_of_turn(one.ship.table, labels_of(Asked(Settings()), None), 4)
    assert cells is not None
    # As if the sheet of this module had no row for it.
    gone = f"SSD Destruction:A{cells['12'][0] + 1}=Notes"
    ran = referee("vassal", "write", duel / "duel-corrected.vsav", "-o", source, "--cell", gone)
    assert ran.code == 0, ran.complaints
    assert referee("game", "new", "g.jsonl", "--from", source, "--alone").code == 0
    assert referee("game", "next", "g.jsonl", "--to", "4.energy-allocation").code in (0, 1)
    form = tmp_path / "form.csv"
    rows = ["Ship,D6 Destruction", "Turn,4", "Warp Power,15", "Impulse Power,2", "Atomic Power,2"]
    # The players call the disruptors otherwise than the sheet does.
    rows += ["Total Power,19", "Btty Avail,1", "Phas Cap,4", "Movement,13", "Torpedo A,2", "HW B,0"]
    rows += ["General Reinforcement,4", "Total Used,19"]
    form.write_text("\n".join(rows) + "\n")
    filed = referee("game", "apply", "g.jsonl", form, "--as", "ben", "--force")
    assert filed.code in (0, 1), filed.complaints
    ran = referee("vassal", "write", source, "-o", new, "--game", "g.jsonl")
    told = [line for line in ran.complaints.splitlines() if "D6 Destruction" in line]
    assert (
        told[0]
        == "not written: D6 Destruction: line 12 General Shield Reinforcement of turn 4, 4: its sheet has no row for it"
    ), told
    assert told[1].startswith(
        "not written: D6 Destruction: its form of turn 4: its sheet does not show it so"
    )
    shown = on_sheet(new, "D6 Destruction", 4)
    assert (shown["14"], shown["10:DISR/A"], shown["10:DISR/B"], shown["20"]) == ("13", "2", "0", "19")
    assert on_sheet(new, "D6 Destruction", 5)["1"] == "15"
    # Where the sheet has another form of the turn begun, it stays that: a mix of two is nobody's.
    other, cell = tmp_path / "other.vsav", f"SSD Destruction:E{cells['14'][0] + 1}=12"
    assert referee("vassal", "write", source, "-o", other, "--cell", cell).code == 0
    ran = referee("vassal", "write", other, "-o", new, "--game", "g.jsonl", "--force")
    assert f"E{cells['14'][0] + 1} holds 12, and 13 would go there" in ran.complaints
    assert on_sheet(new, "D6 Destruction", 4) == {"14": "12"}


def test_a_sheet_without_the_column_of_a_turn_is_named(referee: Run, duel: Path, tmp_path: Path) -> None:
    source, full = duel / "duel-corrected.vsav", tmp_path / "full.vsav"
    assert referee("vassal", "write", source, "-o", full, "--cell", "SSD Destruction:E1=12").code == 0
    assert referee("game", "new", "g.jsonl", "--from", full, "--alone").code == 0
    assert referee("game", "next", "g.jsonl", "--to", "4.1.move-ships").code in (0, 1)
    ran = referee("vassal", "write", full, "-o", tmp_path / "new.vsav", "--game", "g.jsonl")
    assert ran.code == 0
    assert "D6 Destruction: its form of turn 4: its sheet has no column for it (renumber" in ran.complaints


# -- damage ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["example", *ENGINE])
def test_damage_is_marked_as_the_display_shows_it(
    referee: Run, duel: Path, tmp_path: Path, name: str
) -> None:
    source = duel / "duel.vsav" if name == "example" else engine(name)
    random = Random(name)
    for one in table(source).ships:
        chosen, labels = one.chosen, one.rulebook.table("box_labels")
        boxes = [box for system in chosen.systems for box in chosen.box_ids(system)]
        state: dict[str, Any] = {
            "schema": "referee/ship-state/1",
            "ship": chosen.id,
            "shields": {str(n): random.randint(0, most) for n, most in chosen.shields.items()},
            "destroyed": random.sample(boxes, 12),
        }
        file, new = tmp_path / "state.json", tmp_path / f"{one.ship.ssd.id if one.ship.ssd else ''}.vsav"
        file.write_text(dumps(state))
        ran = referee("vassal", "write", source, "-o", new, "--state", f"{one.ship.name}={file}")
        assert ran.code == 0
        assert len(changed(source, new)) == 1
        after = table(new).ship(one.ship.name)
        shown = display_of(after.ship, chosen, labels)
        unmarked = [line for line in ran.complaints.splitlines() if "no mark" in line]
        more = [line for line in ran.complaints.splitlines() if "boxes of" in line or "1 box of" in line]
        beyond = [line for line in ran.complaints.splitlines() if "none is left of" in line]
        assert shown is not None
        assert len(more) == len(ran.complaints.splitlines()) - len(unmarked) - len(beyond)
        assert not more or name != "example"
        if not more:
            assert {n: shown.shields[n] for n in shown.shields if n in after.ship.shields} == {
                int(n): left for n, left in state["shields"].items() if int(n) in after.ship.shields
            }
            gone = [box for box in state["destroyed"] if not any(box in line for line in unmarked)]
            systems = [box.rpartition("/")[0] for box in gone]
            assert lost_by_system(shown) == {system: systems.count(system) for system in systems}


def test_boxes_a_display_has_not_are_told(referee: Run, tmp_path: Path) -> None:
    """The display of the engine's save has 4 boxes of forward hull, the ship known here 6."""
    source, states = engine("p02_midgame"), tmp_path / "state.json"
    for lost, told in ((6, 2), (5, 1), (4, 0)):
        boxes = [f"forward_hull/{n}" for n in range(1, lost + 1)]
        states.write_text(
            dumps({"schema": "referee/ship-state/1", "ship": "cadet/federation-ca", "destroyed": boxes})
        )
        new = tmp_path / f"{lost}.vsav"
        ran = referee("vassal", "write", source, "-o", new, "--state", f"CA Meridian={states}")
        boxes_told = "1 box" if told == 1 else f"{told} boxes"
        line = f"CA Meridian: {boxes_told} of F Hull: its display has 4, the ship known here 6"
        assert ran.code == 0 and (line in ran.complaints) is bool(told), ran.complaints
        assert table(new).ship("CA Meridian").ship.boxes_left["F Hull"] == (0, 4)


def test_a_total_is_told_where_the_sheet_has_no_row_for_a_part_of_it(referee: Run, tmp_path: Path) -> None:
    source, spelt = engine("p02_midgame"), tmp_path / "spelt.vsav"
    one = table(source).ship("CA Meridian")
    assert one.ship.table is not None and one.ship.ssd is not None
    labels = [row[0] for row in one.ship.table.rows]
    for no_row in (("Total Power",), ("Warp Power", "Total Power")):
        cells = [
            part
            for label in no_row
            for part in ("--cell", f"{one.ship.ssd.basic_name}:A{labels.index(label) + 1}=Xyzzy {label[:2]}")
        ]
        assert referee("vassal", "write", source, "-o", spelt, "--force", *cells).code == 0
        new = ("vassal", "write", spelt, "-o", tmp_path / "n.vsav", "--force")
        ran = referee(*new, "--next-form", "CA Meridian", "--ship", "CA Meridian=cadet/federation-ca")
        told = [
            line.split(": ")[2].split()[1]
            for line in ran.complaints.splitlines()
            if "has no row for it" in line
        ]
        assert ran.code == 0 and told == (["1", "4"] if len(no_row) > 1 else []), ran.complaints


def test_marks_go_on_and_come_off_in_their_order() -> None:
    def unit(lost: int, most: int) -> BoxMark:
        return BoxMark("Warp", most - lost, lost, tuple(f"{lost}/{most}" for lost in range(most + 1)))  # type: ignore[misc]

    row = [unit(1, 2), unit(0, 3)]
    assert marked(row, 0) == ([], 0)
    assert marked(row, 2) == (["2/2", "1/3"], 0)
    assert marked(row, 9) == (["2/2", "3/3"], 5)
    assert marked(row, -1) == (["0/2"], 0)
    assert marked(row, -4) == (["0/2"], -3)


def shown(way: Marks, level: int) -> Any:
    """A display of one thing that stands at a level, or number."""
    from types import SimpleNamespace

    from referee.formats.vassal.traits import DynamicProperty, Layer, PropertySheet, SheetField

    layer = Layer("Warp", max(1, level), level > 0, "", 3)
    field = SheetField(
        "Warp", 6 if "tick" in way.title else 0, f"{level}/3" if "tick" in way.title else str(level)
    )
    sheet = PropertySheet(way.title, (field,))
    prop = DynamicProperty("Warp", str(level), True, 0, 3)
    return SimpleNamespace(layers=(layer,), sheets=(sheet,), dynamic=(prop,))


def level_of(edit: Edit) -> int:
    return edit.level if isinstance(edit, Level) else int(edit.text.partition("/")[0])


@pytest.mark.parametrize(
    ("way", "whole"),
    [
        (Marks("layers"), 1),
        (Marks("layers", destroyed=1), 0),
        (Marks("layers", whole=2, destroyed=3), 2),
        (Marks("layers", whole=2), 2),
        (Marks("layers", destroyed=0), 1),
        (Marks("layer-count", first=1), 3),
        (Marks("layer-count", counts="lost"), 0),
        (Marks("sheet", title="ticks"), 3),
        (Marks("sheet", title="ticks", counts="lost"), 0),
        (Marks("sheet", title="numbers"), 3),
        (Marks("sheet", title="numbers", counts="lost"), 0),
        (Marks("properties", names={"Warp": "left_warp"}), 3),
        (Marks("properties", counts="lost"), 0),
    ],
)
def test_marks_of_a_map_are_read_back(way: Marks, whole: int) -> None:
    from referee.formats.vassal.marking import _by_way
    from referee.formats.vassal.marks import boxes_marked

    ((label, units),) = _by_way(shown(way, whole), way).items()
    assert label == way.names.get("Warp", "Warp") and units[0].lost == 0
    (edit,), rest = marked(units, 1)
    before, after = (boxes_marked(shown(way, at), [way])[label] for at in (whole, level_of(edit)))
    assert rest == 0 and before[0] - after[0] == 1 and before[1] == after[1]
    # And off again, where the display tells that it is lost.
    again = _by_way(shown(way, level_of(edit)), way)[label]
    if again[0].lost:
        (off,), _ = marked(again, -1)
        assert boxes_marked(shown(way, level_of(off)), [way])[label] == before


# -- from a record ---------------------------------------------------------------------------


def test_a_record_goes_back_into_its_save(referee: Run, duel: Path, tmp_path: Path) -> None:
    source, new = duel / "duel-corrected.vsav", tmp_path / "new.vsav"
    assert referee("game", "new", "g.jsonl", "--from", source, "--alone").code == 0
    assert referee("game", "next", "g.jsonl", "--to", "3.1.resolve-fire").code in (0, 1)
    strike = (
        "volley",
        "D6 Destruction",
        "--game",
        "g.jsonl",
        "--as",
        "ann",
        "--damage",
        "25",
        "--shield",
        "1",
    )
    assert referee(*strike).code == 0, referee(*strike).complaints
    assert referee("game", "rule", "g.jsonl", "the <b>volley</b> stands & counts", "--by", "ann").code == 0
    ran = referee("vassal", "write", source, "-o", new, "--game", "g.jsonl", "--note", "checked by referee")
    assert ran.code == 0, ran.complaints
    head = referee("record", "head", "g.jsonl").out.split()
    chat = opened(new).chat
    assert chat[-1].startswith("- referee: head #") and head[0].removeprefix("head ") in chat[-1] + " ".join(
        head
    )
    assert chat[-2].endswith("ruling: ann: the &lt;b&gt;volley&lt;/b&gt; stands &amp; counts")
    notes = [note.text for note in opened(new).notes if note.kind == "public"]
    assert notes == ["Turn 2: photon A held, both disruptors fired\nchecked by referee"]
    # The display shows what the record holds, and a record begun from it begins with that.
    status = referee("game", "status", "g.jsonl", "--json").json["ships"][1]
    one = table(new).ship("D6 Destruction")
    shown = display_of(one.ship, one.chosen, one.rulebook.table("box_labels"))
    unmarked = {part for line in ran.complaints.splitlines() for part in line.split() if "/" in part}
    held = [box for box in status["state"]["destroyed"] if box not in {part.strip(",:") for part in unmarked}]
    assert sum(lost_by_system(shown).values()) == len(held) > 2
    # Said once is said; only a new head is added.
    again = tmp_path / "again.vsav"
    assert referee("vassal", "write", new, "-o", again, "--game", "g.jsonl").code == 0
    assert changed(new, again) == []


def test_a_record_of_other_ships_is_refused(referee: Run, duel: Path, tmp_path: Path) -> None:
    new = ("game", "new", "--players", "ann,ben", "--dice", "seed", "--seed", "x")
    assert referee(*new, "o.jsonl", "--ship", "Other=cadet/klingon-d6:ann").code == 0
    assert referee(*new, "k.jsonl", "--ship", "CA Constellation=cadet/klingon-d6:ann").code == 0
    for record, said in (("o.jsonl", "no ship of o.jsonl is in it"), ("k.jsonl", "is a cadet/klingon-d6 in")):
        ran = referee("vassal", "write", duel / "duel.vsav", "-o", tmp_path / "n.vsav", "--game", record)
        assert ran.code == 2 and said in ran.complaints, ran.complaints


def test_a_log_takes_the_words_of_a_record_alone(referee: Run, tmp_path: Path) -> None:
    source = engine("p04_legal_turn").with_suffix(".vlog")
    assert referee("game", "new", "g.jsonl", "--from", source, "--alone").code == 0
    assert referee("game", "rule", "g.jsonl", "all in order", "--by", "alice").code == 0
    new = tmp_path / "new.vlog"
    assert referee("vassal", "write", source, "-o", new, "--game", "g.jsonl").code == 0
    added = changed(source, new)
    assert len(added) == 2 and added[0].startswith("LOG\tCHAT- referee #") and "all in order" in added[0]
    for more in (("--note", "x"), ("--next-form", "all"), ("--state", "CA Meridian=x.json")):
        assert "is a log" in referee("vassal", "write", source, "-o", tmp_path / "n.vlog", *more).complaints


def test_what_a_log_does_not_take_of_a_record_is_listed(referee: Run, tmp_path: Path) -> None:
    log, new = tmp_path / "game.vlog", tmp_path / "new.vlog"
    log.write_bytes(write_log(legal_game(Random(2), ships=2, turns=1)).data)
    (tmp_path / "m.vmod").write_bytes(module_bytes())
    begin = ("--players", "ann,ben", "--dice", "seed", "--seed", "x", "--module", tmp_path / "m.vmod")
    assert referee("game", "new", "g.jsonl", "--from", log, *begin).code == 0
    name, other = fold_game(read("g.jsonl"), load_ship).ships
    strike = ("volley", name, "--game", "g.jsonl", "--as", "ann", "--damage", "3", "--shield", "1", "--force")
    assert referee(*strike).code in (0, 1)
    ran = referee("vassal", "write", log, "-o", new, "--game", "g.jsonl")
    state = fold_game(read("g.jsonl"), load_ship)
    assert ran.code == 0
    told = [line.removeprefix("not written: ") for line in ran.complaints.splitlines()]
    into_save = "a log keeps its own steps (write it into a save)"
    assert told[:4] == [
        f"{name} at {state.ships[name].position}: {into_save}",
        f"{name}: its damage: {into_save}",
        f"{name}: its form of turn 1: a log keeps its own steps (game chat tells it)",
        f"{name}: its speed of turn 1: a log keeps its own steps (game chat tells it)",
    ]
    assert f"{other}: its damage: {into_save}" not in told
    assert f"the turn tracker at turn {state.turn}, impulse {state.impulse or 0}: {into_save}" in told
    assert any(line.startswith("its orders, ") for line in told), told


# -- every save there is ---------------------------------------------------------------------

SAVED = sorted(p for p in SAVES.rglob("*") if p.suffix in (".vsav", ".sav")) if SAVES.is_dir() else []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", SAVED or [None], ids=lambda p: p.name if p else "absent")
def test_every_save_takes_a_change_and_nothing_else(referee: Run, tmp_path: Path, path: Path | None) -> None:
    if path is None:
        pytest.skip("the shared saves are not here")
    save, original, new = opened(path), path.read_bytes(), tmp_path / "new.vsav"
    asked: list[str] = ["--say", "- written by a test"]
    pieces: set[str] = set()
    for kind, name in _writable(save):
        pieces.add(name.partition("=")[0].partition(":")[0])
        asked += [f"--{kind}", name]
    if any(note.kind == "public" for note in save.notes) or "PNOTES" in open_save(original, path.name).text:
        asked += ["--note", "a note"]
    ran = referee("vassal", "write", path, "-o", new, *asked)
    assert ran.code == 0 and path.read_bytes() == original, ran.complaints
    different = changed(path, new)
    written = [leaf for leaf in different if leaf.startswith("+/")]
    notes = [leaf for leaf in different if leaf.startswith("PNOTES\t")]
    assert len(written) == len(pieces) and different[-1] == "CHAT- written by a test"
    assert len(written) + len(notes) + 1 == len(different)
    after_all = opened(new)
    assert after_all.chat[-1] == "- written by a test"
    # Of a piece that was changed every trait but those written is as it was, to the character.
    kinds = dict.fromkeys(pieces, 0)
    for _, name in _writable(save):
        kinds[name.partition("=")[0].partition(":")[0]] += 1
    for piece, chain in save._chains.items():
        pairs = list(zip(chain, after_all._chains[piece], strict=True))
        assert all(one.type == other.type for one, other in pairs)
        assert sum(one.state != other.state for one, other in pairs) == kinds.get(piece, 0), piece
    before, after = (open_save(p.read_bytes(), p.name) for p in (path, new))
    assert (before.save_data, before.module_data) == (after.save_data, after.module_data)


def _writable(save: Save) -> list[tuple[str, str]]:
    """A change of each kind that some piece of the save takes, by id."""
    found: dict[str, str] = {}
    for piece in save.pieces:
        if piece.kind != "piece" or piece.masked or piece.hidden:
            continue
        if piece.tables and piece.tables[0].rows:
            found.setdefault("cell", f"{piece.id}:A1=new text")
        for layer in piece.layers:
            if ":" not in layer.name and "=" not in layer.name:
                found.setdefault("layer", f"{piece.id}:{layer.name}={'-1' if layer.active else '1'}")
        if piece.labels:
            found.setdefault("label", f"{piece.id}=a label")
        for prop in piece.dynamic:
            if ":" not in prop.name and "=" not in prop.name:
                found.setdefault("property", f"{piece.id}:{prop.name}={_other_value(prop)}")
    return list(found.items())


def _other_value(prop: DynamicProperty) -> int:
    """A value a property takes and does not have."""
    bounds = (prop.least, prop.most) if prop.numeric else (None, None)
    least, most = bounds if None not in bounds and bounds[0] != bounds[1] else (77, 78)
    return next(n for n in (least, most) if n is not None and str(n) != prop.value)


def test_the_state_of_a_volley_fits(referee: Run, duel: Path, tmp_path: Path) -> None:
    state, new = tmp_path / "after.json", tmp_path / "new.vsav"
    volley = (
        "volley",
        "cadet/klingon-d6",
        "--damage",
        "21",
        "--shield",
        "2",
        "--seed",
        "a",
        "--state-out",
        state,
    )
    assert referee(*volley).code == 0
    ran = referee("vassal", "write", duel / "duel.vsav", "-o", new, "--state", f"D6 Destruction={state}")
    assert ran.code == 0
    one = table(new).ship("D6 Destruction")
    assert one.ship.shields[2][0] == loads(state.read_text())["shields"]["2"] == 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(6))
def test_counters_go_where_the_record_has_them(referee: Run, tmp_path: Path, seed: int) -> None:
    """A log's start, its game played on in a record, goes back into a save of that start."""
    game = legal_game(Random(seed), ships=2, turns=1)
    module = tmp_path / "elsewhere" / "m.vmod"
    module.parent.mkdir()
    module.write_bytes(module_bytes())
    writer = LogWriter(game)
    save, log, new = tmp_path / "game.vsav", tmp_path / "game.vlog", tmp_path / "new.vsav"
    save.write_bytes(writer.finish())
    log.write_bytes(write_log(game).data)
    begin = ("--players", "ann,ben", "--dice", "seed", "--seed", "x", "--module", module)
    assert referee("game", "new", "g.jsonl", "--from", log, *begin).code == 0
    ran = referee("vassal", "write", save, "-o", new, "--game", "g.jsonl")
    assert ran.code == 0 and ran.complaints.count("hex names need --module") == 2
    ran = referee("vassal", "write", save, "-o", new, "--game", "g.jsonl", "--module", module, "--force")
    # The forms of the log's turn, and with them its speeds, go on the sheets of its start.
    nearest = "turn 2, energy allocation: it has no such step, the nearest is shown: impulse 1, Move"
    assert (ran.code, ran.complaints) == (0, f"not written: the turn tracker: {nearest}\n")
    assert opened(new).turn_leaves[0].state == LogWriter(game).tracker(2, 1, 0).removeprefix(
        "TURNTurnTracker0\t"
    )
    assert referee("game", "new", "back.jsonl", "--from", new, *begin, "--rulebook", "sfb-cadet").code == 0
    places = [
        {name: ship.position for name, ship in fold_game(read(path), load_ship).ships.items()}
        for path in ("g.jsonl", "back.jsonl")
    ]
    assert places[0] == places[1]
    assert forms_in("g.jsonl") == forms_in("back.jsonl") and len(forms_in("g.jsonl")) == 2
    # A module of the save's own that lies beside it is used.
    (tmp_path / "m.vmod").write_bytes(module_bytes())
    beside = tmp_path / "beside.vsav"
    assert nearest in referee("vassal", "write", save, "-o", beside, "--game", "g.jsonl").complaints
    assert changed(new, beside) == []


def test_a_counter_that_cannot_be_put_there_is_named(referee: Run, tmp_path: Path) -> None:
    game = legal_game(Random(1), ships=2, turns=1)
    module, save, new = (tmp_path / name for name in ("m.vmod", "game.vsav", "new.vsav"))
    module.write_bytes(module_bytes())
    save.write_bytes(LogWriter(game).finish())
    fed, klingon = game.ships
    begin = ("--players", "ann,ben", "--dice", "seed", "--seed", "x")
    placed = (f"{fed}=cadet/federation-ca:ann@9999A", f"{klingon}=cadet/klingon-d6:ben@4040B")
    given = [part for ship in placed for part in ("--ship", ship)]
    assert referee("game", "new", "g.jsonl", *begin, *given).code == 0
    ran = referee("vassal", "write", save, "-o", new, "--game", "g.jsonl", "--module", module)
    assert ran.code == 0
    assert ran.complaints == f"not written: {fed} at 9999A: its counter cannot show 9999A\n"
    assert referee("show", new, "--module", module).out.count("4040") == 1


def test_a_tracker_that_stays_behind_its_record_is_listed(referee: Run, tmp_path: Path) -> None:
    """Without the module nobody knows which of the tracker's steps is which."""
    source = tmp_path / "start.vsav"
    source.write_bytes(engine("p02_midgame").read_bytes())
    assert referee("game", "new", "g.jsonl", "--from", source, "--alone").code == 0
    same = referee("vassal", "write", source, "-o", tmp_path / "same.vsav", "--game", "g.jsonl")
    assert same.code == 0 and "turn tracker" not in same.complaints
    turn = loads(referee("game", "status", "g.jsonl", "--json").out)["turn"]
    assert referee("game", "next", "g.jsonl", "--to", f"{turn + 1}.2.move-ships").code in (0, 1)
    ran = referee("vassal", "write", source, "-o", tmp_path / "new.vsav", "--game", "g.jsonl")
    assert ran.code == 0 and f"the record is at turn {turn + 1}, impulse 2" in ran.complaints
    assert "what its steps are called is not known (give the module with --module)" in ran.complaints
    assert opened(tmp_path / "new.vsav").turn_leaves == opened(source).turn_leaves


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("--layer", "SSD Meridian:Warp L 1=3"), "levels 1 to 2, none 3"),
        (("--layer", "SSD Meridian:Warp L 1=0"), "none 0"),
        (("--say", "hello"), ""),
    ],
)
def test_a_layer_takes_the_levels_it_has(
    referee: Run, tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    ran = referee("vassal", "write", engine("p08_damage_boxes"), "-o", tmp_path / "n.vsav", *change)
    assert ran.code == (2 if words else 0) and words in ran.complaints


@pytest.mark.parametrize("value", ["9/8", "abc", "5", "-1/8"])
def test_a_tick_field_takes_boxes_of_how_many(referee: Run, tmp_path: Path, value: str) -> None:
    change = ("--field", f"SSD Meridian:Warp L={value}")
    ran = referee("vassal", "write", engine("p09_damage_sheet"), "-o", tmp_path / "n.vsav", *change)
    assert (
        ran.code == 2 and "takes boxes of how many" in ran.complaints and not (tmp_path / "n.vsav").exists()
    )


def test_a_save_is_written_under_the_name_of_one(referee: Run, tmp_path: Path) -> None:
    for name in ("o.txt", "o.vlog", "o"):
        ran = referee("vassal", "write", engine("p02_midgame"), "-o", tmp_path / name, "--say", "x")
        assert ran.code == 2 and "ends in .vsav" in ran.complaints and not (tmp_path / name).exists()


def test_a_player_of_nobody_is_refused(referee: Run, tmp_path: Path) -> None:
    who = ("--alone", "--players", "alice,bob", "--player", "Nobody=alice")
    ran = referee("game", "new", "g.jsonl", "--from", engine("p02_midgame"), *who)
    assert ran.code == 2 and "no ship or side Nobody" in ran.complaints and "CA Meridian" in ran.complaints


def test_what_a_display_shows_whole_again_is_said(referee: Run, tmp_path: Path) -> None:
    source, states = engine("p08_damage_boxes"), tmp_path / "state.json"
    one = table(source).ship("CA Meridian")
    states.write_text(dumps({"schema": "referee/ship-state/1", "ship": one.chosen.id}))
    ran = referee("vassal", "write", source, "-o", tmp_path / "n.vsav", "--state", f"CA Meridian={states}")
    assert ran.code == 0 and "shown whole again" in ran.complaints, ran.complaints
    shown = table(tmp_path / "n.vsav").ship("CA Meridian").ship
    assert all(left == most for left, most in shown.boxes_left.values() if most is not None)


@pytest.mark.parametrize(
    ("lost", "printed", "most", "marked"),
    [(0, 15, 16, 0), (15, 15, 16, 16), (3, 15, 16, 3), (6, 6, 4, 4), (5, 6, 4, 4), (2, 6, None, 2)],
)
def test_boxes_of_a_display_that_has_others(lost: int, printed: int, most: int | None, marked: int) -> None:
    assert _to_lose(lost, printed, most) == marked


def test_a_property_that_counts_takes_numbers(referee: Run, tmp_path: Path) -> None:
    source = engine("p02_midgame")
    numeric = {
        prop.numeric for piece in opened(source).pieces for prop in piece.dynamic if prop.name == "Speed"
    }
    ran = referee("vassal", "write", source, "-o", tmp_path / "n.vsav", "--property", "CA Meridian:Speed=abc")
    assert numeric == {True} and ran.code == 2 and "Speed is a number, not abc" in ran.complaints
    change = ("--property", "CA Meridian:Speed=8")
    assert referee("vassal", "write", source, "-o", tmp_path / "n.vsav", *change).code == 0


def test_two_modules_beside_a_log_are_named(referee: Run, tmp_path: Path) -> None:
    log = tmp_path / "game.vlog"
    log.write_bytes(write_log(legal_game(Random(1), ships=2, turns=1)).data)
    for name in ("a.vmod", "b.vmod"):
        (tmp_path / name).write_bytes(module_bytes())
    assert "neither a.vmod nor b.vmod beside it is used" in referee("check", log).out


@pytest.mark.parametrize("impulse", [1, 2])
def test_a_turn_that_is_only_begun_is_not_judged_as_filled_in(
    referee: Run, tmp_path: Path, impulse: int
) -> None:
    """A standard ship pays for its life support and shields only when its player has filled in the form;
    once the impulses run, what is blank is not paid."""
    rows = [
        "Turn,1,2",
        "Warp Power,30,30",
        "Impulse Power,5,5",
        "Reactor Power,4,4",
        "Batteries Available,3,3",
    ]
    rows += ["Life Support,1,", "Fire Control,1,", "Movement,8,", "Shields,2,"]
    cells = ",".join(",".join(row.split(",")) for row in rows)
    text = game_text(
        piece_text("1", [("rotate;6", "0")], "D7 One", "Space;0;0"),
        piece_text("2", [(f"table;{len(rows)};3;Show Data", cells)], "SSD D7 One", "SSD;100;0"),
        f"GlobalProperty\t;Turn;2;Module\x1bGlobalProperty\t;Impulse;{impulse};Module",
    )
    save, map = tmp_path / "game.vsav", tmp_path / "map.json"
    save.write_bytes(write_save_bytes(text, key=7))
    clock = {"properties": {"turn": "Turn", "impulse": "Impulse"}}
    map.write_text(dumps({"schema": "referee/module-map/1", "module": {"name": "Any"}, "tracker": clock}))
    ran = referee("check", save, "--map", map, "--ship", "D7 One=standard/klingon-d7", "--json")
    errors = [finding["message"] for finding in ran.findings("error")]
    if impulse == 1:
        assert (ran.code, errors) == (0, []), errors
        assert [item["reason"] for item in ran.json["not_checked"] if "only begun" in item["reason"]]
    else:
        assert ran.code == 1 and errors == ["life support is not paid: the crew dies"]
