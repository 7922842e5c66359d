"""What could not be read of a form, tried at every door: nothing is accused by it, and no record takes it for nought."""

from __future__ import annotations

from json import dumps, loads
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Run
from tests.unit.formats.vassal import game_logs
from tests.unit.formats.vassal.game_logs import (
    CADETS,
    STANDARDS,
    Class,
    Game,
    LogWriter,
    legal_game,
    module_bytes,
    write_log,
)
from tests.unit.logs.test_logs_chat import CA, WE, Check, check, played
from tests.unit.logs.test_logs_chat import game as duel

__all__ = ["check"]
CADET, STANDARD = (
    ("cadet/federation-ca", "cadet/klingon-d6"),
    ("standard/federation-ca", "standard/klingon-d7"),
)


def files(tmp_path: Path, game: Game, figures: dict[tuple[int, int], dict[str, str]]) -> dict[str, Path]:
    """A save and a log of a game in which ships, by number, say other things in turns."""
    names = list(game.ships)

    class Writer(LogWriter):
        def write(self, name: str, turn: int, written: dict[str, str]) -> int:
            return super().write(name, turn, {**written, **figures.get((names.index(name), turn), {})})

    turns = tuple(range(1, game.turns + 1))
    (tmp_path / "game.vmod").write_bytes(module_bytes())
    save, log = tmp_path / "game.vsav", tmp_path / "game.vlog"
    save.write_bytes(Writer(game, at=(game.turns, 1, 0), filled=turns).finish())
    log.write_bytes(write_log(game, by=Writer).data)
    return {"save": save, "log": log}


def asked(game: Game, ids: tuple[str, str]) -> list[str]:
    named = (f"{name}={id}" for name, id in zip(game.ships, ids, strict=True))
    return ["--module", "game.vmod", *(part for one in named for part in ("--ship", one))]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize(
    ("classes", "ids", "row"),
    [
        (CADETS, CADET, "Movement"),
        (CADETS, CADET, "BttyRecharge"),
        (CADETS, CADET, "Photon A"),
        (STANDARDS, STANDARD, "Shields"),
        (STANDARDS, STANDARD, "Life Support"),
        (STANDARDS, STANDARD, "Movement"),
    ],
)
def test_a_cell_that_cannot_be_read_accuses_nobody(
    referee: Run, tmp_path: Path, classes: tuple[Class, ...], ids: tuple[str, str], row: str, turn: int
) -> None:
    game = legal_game(Random(2), turns=2, classes=classes)
    for file in files(tmp_path, game, {(0, turn): {row: "?7"}}).values():
        ran = referee("check", file, *asked(game, ids), "--json")
        assert ran.findings("error", "warning") == []
        assert ran.json["verdict"] == "cannot-tell"
        assert "NOTE/unreadable" in {one["key"] for one in ran.findings("undecided")}


def test_what_is_wrong_beside_it_is_found_all_the_same(referee: Run, tmp_path: Path) -> None:
    game = legal_game(Random(2))
    for file in files(
        tmp_path, game, {(0, 1): {"Movement": "?", "Warp Power": "20", "Total Power": "25"}}
    ).values():
        ran = referee("check", file, *asked(game, CADET), "--json")
        assert {one["key"] for one in ran.findings("error")} == {"B3.0-1", "B3.0-4"}
    for file in files(tmp_path, game, {(0, 1): {"Warp Power": "?"}}).values():
        assert referee("check", file, "--json").json["verdict"] == "cannot-tell"


@pytest.mark.parametrize("text", ["5 hexes", "5 (warp)", "5 points", "５", "5,0", "5.0 hexes."])
def test_a_figure_as_players_write_it_is_read(referee: Run, tmp_path: Path, text: str) -> None:
    game = legal_game(Random(2))
    assert game.speeds[next(iter(game.ships)), 1] == 5
    for file in files(tmp_path, game, {(0, 1): {"Movement": text}}).values():
        assert referee("check", file, *asked(game, CADET), "--json").json["verdict"] == "legal"


@pytest.mark.parametrize("text", ["-5", "5 impulse", "5 hexes each", "five"])
def test_what_is_not_the_rows_own_is_not_read(referee: Run, tmp_path: Path, text: str) -> None:
    game = legal_game(Random(2))
    for file in files(tmp_path, game, {(0, 1): {"Movement": text}}).values():
        report = referee("check", file, *asked(game, CADET), "--json")
        assert report.json["verdict"] == "cannot-tell" and report.findings("error", "warning") == []


def test_hexes_are_points_only_where_a_hex_costs_one(referee: Run) -> None:
    Path("form.csv").write_text("Ship,standard/orion-lr\nTurn,1,2\nLife Support,1,1\nMovement,8 hexes,4\n")
    ran = referee("check", "form.csv", "--json")
    (found,) = ran.findings("undecided", "error", "warning")
    assert found["key"] == "B3.0-14" and "2⅔ for 8 hexes" in found["fix"]
    following = referee("form", "next", "form.csv", "-o", "next.csv")
    assert "not copied: 8 hexes" in following.err and "Movement,,4," in Path("next.csv").read_text()


def test_phasers_fired_from_a_capacitor_that_cannot_be_read(check: Check) -> None:
    for row in ("Phasrecharge", "PhasFired", "BttyUsedInTurn"):
        writer = LogWriter(duel(turns=2))
        forms: dict[tuple[str, int], dict[str, str]] = {
            (name, turn): {} for name in (CA, WE) for turn in (1, 2)
        }
        forms[CA, 1] = {"Phasrecharge": "2", "Total Used": "2", "PhasFired": "2", row: "some"}
        forms[CA, 2] = {"Phas Cap": "0"}
        played(writer, (1, 5, "Ann", "!fire PH-1A, PH-1B at WE Ship1"), forms=forms)
        keys = {found["key"] for found in check(writer).findings("error", "warning")}
        assert not keys & {
            "H6.1",
            "H6.2",
            "H6.3",
            "E2.21",
            "E1.2/energy",
            "B3.0-20",
            "B3.0-20/sum",
            "B3.0-5",
        }, row


def test_phasers_fired_by_what_line_21_is(check: Check) -> None:
    """A capacitor of 1, one battery in allocation and one on line 21: two shots or one, by what line 21 is."""
    for shots, wanted in (("PH-1A", []), ("PH-1A, PH-1B", ["undecided"])):
        writer = LogWriter(duel(turns=2))
        forms: dict[tuple[str, int], dict[str, str]] = {
            (name, turn): {} for name in (CA, WE) for turn in (1, 2)
        }
        forms[CA, 1] = {"Phasrecharge": "1", "BttyUsedEA": "1", "BttyUsedInTurn": "1", "Total Used": ""}
        forms[CA, 2] = {"Btty Avail": ""}
        played(writer, (1, 5, "Ann", f"!fire {shots} at WE Ship1"), forms=forms)
        assert [one["severity"] for one in check(writer).findings() if one["key"] == "H6.1"] == wanted


# -- records -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["save", "log"])
def test_a_record_takes_no_form_that_is_not_all_read(referee: Run, tmp_path: Path, kind: str) -> None:
    game = legal_game(Random(2), turns=2)
    file = files(tmp_path, game, {(0, 2): {"Movement": "eight"}})[kind]
    ran = referee("game", "new", "g.jsonl", "--from", file, *asked(game, CADET))
    name = next(iter(game.ships))
    assert ran.code == 0
    assert (
        f"not taken: {name}: its form of turn 1, 2: turn 2: line 14 Movement (C21) is not known"
        in ran.out + ran.err
    )
    entries = [loads(line) for line in Path("g.jsonl").read_text().splitlines()]
    assert {e["data"]["ship"] for e in entries if e["type"] == "form"} == set(game.ships) - {name}
    assert referee("check", "g.jsonl", "--json").findings("error") == []


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Movement,?", "not a number"),
        ("Phaser Charge,3", "which line the row Phaser Charge is, at B3, is not known"),
        ("Movment,8", "which line the row Movment is"),
    ],
)
def test_no_form_is_filed_of_which_something_is_not_known(referee: Run, row: str, why: str) -> None:
    ships = ("--ship", "Con=cadet/federation-ca:ann@0915D/8", "--ship", "War=cadet/klingon-d6:ben@2015A/8")
    assert referee("game", "new", "g.jsonl", "--players", "ann,ben", *ships).code == 0
    referee("game", "join", "g.jsonl", "--as", "ann")
    Path("form.csv").write_text(f"Turn,1\nWarp Power,16\n{row}\n")
    before = Path("g.jsonl").read_bytes()
    for verb in (("game", "apply", "g.jsonl", "form.csv"), ("seal", "--game", "g.jsonl", "form.csv")):
        ran = referee(*verb, "--as", "ann", "--ship", "Con")
        assert ran.code == 2 and why in ran.err and ran.err.count("\n") == 1, ran.err
    assert Path("g.jsonl").read_bytes() == before


def test_fire_refuses_a_form_it_cannot_read_and_leaves_open_what_it_cannot_tell(referee: Run) -> None:
    form = "Ship,cadet/federation-ca\nTurn,1,2\nWarp Power,16,16\nPhaser Charge,3,0\nPhoton A,2,2\n"
    fire = (
        "fire",
        "cadet/federation-ca",
        "--at",
        "0915D",
        "--target",
        "cadet/klingon-d6",
        "--target-at",
        "0918A",
    )
    rest = ("--form", "form.csv", "--turn", "2", "--seed", "1")
    Path("form.csv").write_text(form)
    ran = referee(*fire, "--weapons", "PH-1A,PH-1B", *rest)
    assert ran.code == 0 and "[E2.21]" not in ran.out and "not checked [E1.2/energy]" in ran.out + ran.err
    Path("form.csv").write_text(form.replace("Photon A,2,2", "Photon A,2,two"))
    ran = referee(*fire, "--weapons", "PHOT-A", *rest)
    assert ran.code == 2 and "form.csv: C5, line 10 PHOT A, turn 2: 'two'" in ran.err


# -- rows with two meanings --------------------------------------------------------------


@pytest.fixture
def odd_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, dict[str, Path]]:
    other = {
        "Phasrecharge": "Phaser Charge",
        "Phas Cap": "Cap X",
        "Disr A": "Disruptor 1",
        "Disr B": "Disruptor 2",
    }
    monkeypatch.setattr(game_logs, "ROWS", tuple(other.get(row, row) for row in game_logs.ROWS))
    game = legal_game(Random(2))
    odd = {"Phaser Charge": "2", "Total Used": ""}
    return game, files(tmp_path, game, {(0, 1): odd, (1, 1): odd | {"Disruptor 1": "2"}})


def test_rows_with_two_meanings_are_asked(referee: Run, odd_rows: tuple[Game, dict[str, Path]]) -> None:
    game, there = odd_rows
    for file in there.values():
        ran = referee("check", file, *asked(game, CADET), "--json")
        assert ran.findings("error", "warning") == [] and ran.json["verdict"] == "cannot-tell"
        fixes = {one["key"]: one["fix"] for one in ran.findings("undecided")}
        assert '{"Phaser Charge": "9"} or {"Phaser Charge": "9:held"}' in fixes["NOTE/two-meanings"]
        assert '{"Disruptor 1": "10:DISR/A"} or {"Disruptor 1": "10:DISR/B"}' in fixes["B3.0-10"]


def test_init_map_lists_them_and_a_map_settles_them(
    referee: Run, odd_rows: tuple[Game, dict[str, Path]]
) -> None:
    game, there = odd_rows
    assert referee("init", "map", there["save"], "-o", "map.json").code == 0
    draft = loads(Path("map.json").read_text())
    assert 'the row Phaser Charge may be "9" (Phasers) or "9:held" (Phaser Capacitor)' in draft["note"]
    assert 'the row Disruptor 1 of D6 Ship1 may be "10:DISR/A" or "10:DISR/B"' in draft["note"]
    assert "Photon A" not in draft["note"] and '"9:held"' in draft["note"] and '"9:fired"' in draft["note"]
    draft["form"]["rows"] = {"Phaser Charge": "9", "Disruptor 1": "10:DISR/A", "Disruptor 2": "10:DISR/B"}
    Path("map.json").write_text(dumps(draft))
    ran = referee("check", there["save"], "--map", "map.json", *asked(game, CADET), "--json")
    assert ran.json["verdict"] == "legal"


@pytest.mark.parametrize(
    ("label", "line", "why", "hint"),
    [
        ("Phaser Charge", "9:holding", "no line 9:holding", "9:held, 9:fired"),
        ("Tube 3", "10:PHOT/C", "none of the map's ships has PHOT/C", "10:PHOT/A"),
        ("Shield 7", "13:7", "no line 13:7", "13:6"),
        ("Fuel", "14:fuel", "no line 14:fuel", "14"),
        ("Cloak", "19:clok", "no line 19:clok", "19:cloak"),
    ],
)
def test_a_map_may_not_say_a_row_is_what_no_form_has(
    referee: Run, tmp_path: Path, label: str, line: str, why: str, hint: str
) -> None:
    game = legal_game(Random(2))
    save = files(tmp_path, game, {})["save"]
    ships = [{"counter": "CA Ship0", "ship": CADET[0]}, {"counter": "D6 Ship1", "ship": CADET[1]}]
    said = {"schema": "referee/module-map/1", "module": {"name": "any"}, "ships": ships}
    Path("map.json").write_text(dumps({**said, "form": {"trait": "table", "rows": {label: line}}}))
    ran = referee("check", save, "--map", "map.json")
    assert ran.code == 2 and f"map.json: /form/rows/{label}: {why}" in ran.err and hint in ran.err


def test_a_row_that_another_row_settles_is_not_asked(referee: Run) -> None:
    form = "Ship,cadet/federation-ca\nTurn,1,2\nWarp Power,16,16\nCharge Phasers,3,\nPhaser Charge,,3\nMovement,8,8\n"
    Path("form.csv").write_text(form)
    ran = referee("check", "form.csv", "--option", "previous_speed=8", "--json")
    assert ran.json["verdict"] == "legal"


# -- vassal write ------------------------------------------------------------------------


def test_begin_all_names_every_ship_that_is_left_out(
    referee: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_logs, "COLUMNS", 3)  # one turn, and the notes
    game = legal_game(Random(2), ships=3)
    save = files(tmp_path, game, {})["save"]
    told = ("--ship", f"CA Ship0={CADET[0]}", "--ship", f"D6 Ship1={CADET[1]}")
    ran = referee("vassal", "write", save, "-o", "new.vsav", "--next-form", "all", *told)
    said = ran.err.splitlines()
    assert ran.code == 0, ran.err
    for name in ("CA Ship0", "D6 Ship1"):
        assert any(
            f"{name}: its next turn is not begun: the form of {name} has no column" in one for one in said
        )
    assert any("CA Ship2" in one and "its next turn is not begun" in one for one in said)
    # One ship asked for by name is a refusal, as before.
    assert referee("vassal", "write", save, "-o", "x.vsav", "--next-form", "CA Ship0", *told).code == 2


def test_what_hangs_on_a_cell_that_cannot_be_read_is_left_blank(referee: Run, tmp_path: Path) -> None:
    game = legal_game(Random(2))
    save = files(tmp_path, game, {(0, 1): {"Movement": "?"}})["save"]
    ran = referee("vassal", "write", save, "-o", "new.vsav", "--next-form", "all", *asked(game, CADET)[2:])
    assert ran.code == 0
    assert (
        "CA Ship0: line 5 Batteries Available of turn 2: line 14 Movement (B21) is not known in turn 1"
        in ran.err
    )
    assert "D6 Ship1" not in ran.err
