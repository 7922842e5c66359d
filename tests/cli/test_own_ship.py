"""A ship of one's own goes round: its form, its volleys, its game, and the other side's copy of that."""

from __future__ import annotations

from collections.abc import Callable
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from referee.record.chain import ZERO_HASH, make_line
from tests.cli.conftest import Run

SHIPS = ("--ship", "K=raider.json:alice@1010D/8", "--ship", "Hood=cadet/federation-ca:bob@1015A/8")
PLAYED = """form ../raider.csv K
form ../hood.csv
n
n
Hood a
K a
K f DISRA,PH2A Hood
n
n
"""


def filled(referee: Run, ship: str, form: str, **spent: int) -> None:
    """A form of turn 1 for a ship with what it spends; nothing in all other rows."""
    assert referee("form", "blank", ship, "-o", form).code == 0
    spent = {name.replace("_", " "): points for name, points in spent.items()}
    spent |= {"Total Power Used": sum(spent.values())}
    rows = [row.split(",") for row in Path(form).read_text().splitlines()]
    for row in rows[2:]:
        row[1] = str(spent.get(row[0], row[1] or 0))
    Path(form).write_text("\n".join(map(",".join, rows)) + "\n")


@pytest.fixture
def raider(referee: Run, own_folder: Path) -> Path:
    """A copy of the program's D6 that has a shield of its own, and its form filled in."""
    assert referee("init", "ship", "raider", "--like", "cadet/klingon-d6").code == 0
    path = own_folder / "raider.json"
    sheet = loads(path.read_text())
    sheet["shields"]["1"]["value"] = 21
    path.write_text(dumps(sheet))
    filled(referee, "raider.json", "raider.csv", Phasers=4, DISR_A=2, DISR_B=2, Movement=8)
    filled(referee, "cadet/federation-ca", "hood.csv", Phasers=3, Movement=8)
    return path


@pytest.fixture
def game(referee: Run, raider: Path, own_folder: Path) -> Path:
    """A game with it, in a folder that has nothing else."""
    begun = referee(
        "game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "a", *SHIPS
    )
    assert begun.code == 0, begun.err
    away = own_folder / "away"
    away.mkdir()
    for path in ("g.jsonl", "g.secrets"):
        (own_folder / path).rename(away / path)
    return away / "g.jsonl"


def test_a_copy_has_none_of_the_originals_names(referee: Run, raider: Path) -> None:
    sheet = loads(raider.read_text())
    assert (sheet["id"], sheet["name"]) == ("my/raider", "Raider")
    original = referee("ship", "show", "cadet/klingon-d6", "--json").json
    names = {original["id"], original["name"], original["type"], *original["aliases"]}
    assert len(names) > 5 and not [name for name in names if f'"{name}"' in raider.read_text()]
    assert original["id"] not in raider.read_text()
    assert referee("init", "ship", "second", "--like", "raider.json").code == 0
    assert loads(Path("second.json").read_text())["shields"]["1"]["value"] == 21


def test_a_form_finds_its_ship_beside_it(referee: Run, raider: Path, own_folder: Path) -> None:
    ran = referee("check", "raider.csv")
    assert ran.code == 0, ran.out
    assert "the ship my/raider is read from raider.json, which lies beside the form" in ran.out
    assert "LEGAL" in ran.out
    assert "read the ship my/raider" in referee("form", "next", "raider.csv").err
    (own_folder / "other.json").write_bytes(raider.read_bytes())
    several = referee("check", "raider.csv")
    assert several.code == 2 and "--ship other.json or --ship raider.json" in several.err
    (own_folder / "other.json").write_bytes(raider.read_bytes() + b",")
    assert "other.json:" in referee("check", "raider.csv").err
    (own_folder / "other.json").unlink()
    raider.rename(own_folder / "away.txt")
    lost = referee("check", "raider.csv")
    assert lost.code == 2 and "no ship my/raider; with its own file: --ship my-ship.json" in lost.err
    assert referee("check", "raider.csv", "--ship", "away.txt").code == 0


def test_it_is_struck_fires_and_is_drawn(referee: Run, raider: Path) -> None:
    assert "21 → 1" in referee("volley", "raider.json", "--damage", "20", "--shield", "1", "--seed", "3").out
    assert "Raider" in referee("odds", "raider.json", "--internals", "5").out
    places = ("--at", "0101C", "--target", "cadet/federation-ca", "--target-at", "0104A")
    ran = referee("fire", "raider.json", *places, "--weapons", "DISR/A", "--paid", "--seed", "4")
    assert ran.code == 0 and "Raider fires at Federation" in ran.out
    assert referee("show", "raider.json", "--svg", "-o", "r.svg").code == 0
    assert ">Raider" in Path("r.svg").read_text()


def test_the_other_side_has_the_ship_by_the_record_alone(
    program: Run, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command is a process of its own: nothing of the file is left in it."""
    monkeypatch.chdir(game.parent)
    played = program("table", "g.jsonl", "--plain", stdin=PLAYED.encode())
    assert "filed: K, turn 1" in played.out, played.out
    status = program("game", "status", game).out
    assert "ships of players' own, by the data in its first entry: Raider (my/raider)" in status
    assert "K (my/raider#" in status and "#1 21/21" in status
    record = game.read_text()
    assert '"weapon":"DISR/A"' in record and '"event":"shield_hit"' in record, record[-3000:]
    checked = program("check", game)
    assert checked.code == 0 and "K: Raider (my/raider#" in checked.out, checked.out
    assert program("dice", "verify", game).code == 0
    assert "whole" in program("record", "verify", game).out
    for drawn in (("map", "m.svg"), ("replay", "r.html"), ("show", "s.svg"), ("game report", "t.html")):
        verb, to = drawn
        ran = program(*verb.split(), game, *(["--svg"] if verb == "show" else []), "-o", to)
        assert ran.code == 0, ran.err
    assert "shield 1: 21/21" in Path("s.svg").read_text() and "my/raider" in Path("t.html").read_text()
    # The form that the game writes names the ship as its file does.
    assert program("form", "next", game, "--ship", "K").out.startswith("Ship,my/raider\n")


def forged(record: Path, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """The record with its entries changed, chained anew and unsigned."""
    entries = [loads(line) for line in record.read_text().splitlines()]
    del entries[0]["data"]["signers"]
    change(entries)
    prev, lines = ZERO_HASH, b""
    for entry in entries:
        made, line = make_line(prev, entry["seq"], entry["type"], entry["data"], entry["ts"])
        prev, lines = made.hash, lines + line
    path = record.with_name("forged.jsonl")
    path.write_bytes(lines)
    return path


def _first_sheet(entries: list[dict[str, Any]]) -> Any:
    return entries[0]["data"]["ships"][0]["sheet"]


def _stronger(entries: list[dict[str, Any]]) -> None:
    _first_sheet(entries)["shields"]["1"]["value"] = 99


def _stronger_throughout(entries: list[dict[str, Any]]) -> None:
    from referee.core.own_sheets import sheet_digest

    _stronger(entries)
    entries[0]["data"]["ships"][0]["sha256"] = sheet_digest(_first_sheet(entries))


def _left_out(entries: list[dict[str, Any]]) -> None:
    del entries[0]["data"]["ships"]


def test_ship_data_that_is_not_that_of_its_digest_is_refused(referee: Run, game: Path) -> None:
    assert referee("game", "status", forged(game, lambda entries: None)).code == 0
    for change, said in (
        (_stronger, "the data of own ship 1 is not that of its digest"),
        (_stronger_throughout, "the record does not hold the data of my/raider#"),
        (_left_out, "the record does not hold the data of my/raider#"),
    ):
        path = forged(game, change)
        for command in (("game", "status"), ("check",), ("record", "verify"), ("replay",), ("table",)):
            ran = referee(*command, path)
            assert ran.code == 3 and said in ran.err, (command, ran)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a ship of the program": ({"id": "cadet/klingon-d6"}, "is a ship of the program"),
    "no schema's": (
        {"shields": {"1": {"value": 10**6, "status": "verified"}}},
        "own ship my/raider /shields/1",
    ),
    "no rulebook": ({"rulebook": "chess"}, "no rulebook chess"),
    "no shields": ({"shields": {}}, "a ship has shields 1 to 6"),
    "no id": ({"id": 7}, "own ship 7 /id"),
}


@pytest.mark.parametrize("name", WRONG)
def test_ship_data_in_a_record_is_held_to_what_a_file_is(referee: Run, game: Path, name: str) -> None:
    from referee.core.own_sheets import own_id, sheet_digest

    parts, said = WRONG[name]

    def change(entries: list[dict[str, Any]]) -> None:
        sheet = {**_first_sheet(entries), **parts}
        entries[0]["data"]["ships"] = [{"sha256": sheet_digest(sheet), "sheet": sheet}]
        entries[1]["data"]["class"] = own_id(sheet, sheet_digest(sheet))

    ran = referee("game", "status", forged(game, change))
    assert ran.code == 2 and said in ran.err


def test_a_name_that_moves_the_cursor_is_shown_spelt_out(referee: Run, raider: Path) -> None:
    sheet = loads(raider.read_text())
    for name, code, said in (("Rai\u202eder", 0, "began"), ("Rai\x1b[31mder", 2, "control character U+001B")):
        raider.write_text(dumps({**sheet, "name": name}))
        Path("g.jsonl").unlink(missing_ok=True)
        ran = referee(
            "game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "a", *SHIPS
        )
        assert ran.code == code and said in ran.out + ran.err, ran
        if not code:
            assert "Rai\\u202eder" in referee("game", "status", "g.jsonl").out


def test_a_save_takes_a_ship_of_ones_own(referee: Run, raider: Path, duel: Path) -> None:
    mine = ("--ship", "D6 Destruction=raider.json")
    assert "D6 Destruction: Raider (my/raider#" in referee("check", duel / "duel.vsav", *mine).out
    sides = ("--players", "alice,bob", "--player", "Federation=alice", "--player", "Klingon=bob")
    assert referee("game", "new", "v.jsonl", "--from", duel / "duel.vsav", *sides, *mine).code == 0
    assert "D6 Destruction (my/raider#" in referee("game", "status", "v.jsonl").out
