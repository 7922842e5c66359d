"""A ship of one's own goes round: its form, its volleys, its game, and the other side's copy of that."""

from __future__ import annotations

from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from referee.core.own_sheets import own_id, sheet_digest
from referee.core.ship import SECTIONS
from referee.record.chain import ZERO_HASH, make_line
from tests.cli.conftest import Run

SHIPS = ("--ship", "K=raider.json:alice@1010D/8", "--ship", "Hood=cadet/federation-ca:bob@1015A/8")
BEGIN = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "a", *SHIPS)
PLAYED = b"form k.json\nform hood.json\nn\nn\nHood a\nK a\nK f DISRA Hood\nHood f PH1A,PH1B,PH1C K\nn\nn\n"


def form(ship: str, **tubes: int) -> str:
    """A form of turn 1 as JSON."""
    spent = {"9": 3, "10": {"DISR/A": 2} if tubes else {}, "14": 8, "20": 11 + sum(tubes.values())}
    turn = {"turn": 1, "lines": {"1": 16, "2": 2, "3": 2, "4": 20, **spent}}
    return dumps({"schema": "referee/energy-allocation/1", "ship": ship, "turns": [turn]})


@pytest.fixture
def raider(referee: Run) -> Path:
    """A copy of the program's D6 with a shield of its own."""
    assert referee("init", "ship", "raider", "--like", "cadet/klingon-d6").code == 0
    path = Path("raider.json")
    sheet = loads(path.read_text())
    sheet["shields"]["1"]["value"] = 21
    path.write_text(dumps(sheet))
    return path


@pytest.fixture
def game(referee: Run, raider: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with it, in a folder that has not its file."""
    assert referee(*BEGIN).code == 0
    Path("away").mkdir()
    for path in ("g.jsonl", "g.secrets"):
        Path(path).rename(f"away/{path}")
    monkeypatch.chdir("away")
    return Path("g.jsonl")


def edit(path: Path, **parts: Any) -> None:
    path.write_text(dumps(loads(path.read_text()) | parts))


def test_a_weapon_is_dashed_by_its_own_number_alone(referee: Run, raider: Path) -> None:
    sure, unsure = ({"id": f"PH-2/{n}", "type": "phaser-2", "arc": "FX"} for n in "AB")
    edit(raider, mounts=[sure, {**unsure, "status": "provisional"}])
    svg = referee("show", raider, "--svg").out
    assert 'class="box" data-box="PH-2/A"' in svg and 'class="box unsure" data-box="PH-2/B"' in svg


def test_the_other_side_has_it_by_the_record_alone(program: Run, game: Path) -> None:
    """Each command is a process of its own: nothing of the file is left in it."""
    Path("k.json").write_text(form("my/raider", disruptor=2))
    Path("hood.json").write_text(form("Hood"))
    played = program("table", game, "--plain", stdin=PLAYED)
    assert "filed: K, turn 1" in played.out and "DISR/A at Hood: range 3" in played.out
    assert '"event":"shield_hit","points"' in game.read_text(), played.out
    status = program("game", "status", game).out
    assert "players' own, by the data in its first entry: Raider (my/raider)" in status
    assert "K (my/raider#" in status and "/21  #2" in status and "#1 21/" not in status
    checked = program("check", game)
    assert checked.code == 0 and "K: Raider (my/raider#" in checked.out, checked.out
    for verify in (("dice", "verify"), ("record", "verify")):
        assert program(*verify, game).code == 0
    for verb in (("map",), ("replay",), ("show", "--svg"), ("game", "report")):
        to = f"{verb[-1]}.html" if verb[-1] in ("replay", "report") else f"{verb[0]}.svg"
        assert program(*verb, game, "-o", to).code == 0
    assert "/21<" in Path("show.svg").read_text()
    # The form that the game writes names the ship as its file does.
    assert program("form", "next", game, "--ship", "K").out.startswith("Ship,my/raider\n")


def forged(record: Path, parts: dict[str, Any], *names: str) -> Path:
    """The record with `parts` in its ship's data, chained anew and unsigned; in `sha256`, `class` the new digest, too."""
    entries = [loads(line) for line in record.read_text().splitlines()]
    del entries[0]["data"]["signers"]
    ship = entries[0]["data"]["ships"][0]
    ship["sheet"].update(parts)
    digest = sheet_digest(ship["sheet"])
    ship.update({"sha256": digest} if "sha256" in names else {})
    entries[1]["data"].update({"class": own_id(ship["sheet"], digest)} if "class" in names else {})
    prev, lines = ZERO_HASH, b""
    for entry in entries:
        made, line = make_line(prev, entry["seq"], entry["type"], entry["data"], entry["ts"])
        prev, lines = made.hash, lines + line
    path = record.with_name("forged.jsonl")
    path.write_bytes(lines)
    return path


def test_ship_data_that_is_not_that_of_its_digest_is_refused(referee: Run, game: Path) -> None:
    assert referee("game", "status", forged(game, {})).code == 0
    for names, said in (
        ((), "the data of own ship 1 is not that of its digest"),
        (("sha256",), "the record does not hold the data of my/raider#"),
    ):
        path = forged(game, {"name": "Stronger"}, *names)
        for command in (("game", "status"), ("check",), ("record", "verify"), ("replay",), ("table",)):
            ran = referee(*command, path)
            assert ran.code == 3 and said in ran.err, (command, ran)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"id": "cadet/klingon-d6"}, "PH-2/A: source or status is missing; only a ship of your own"),
        (
            {"id": "cadet/klingon-d6", "mounts": [], **{part: {} for part in SECTIONS}},
            "is a ship of the program",
        ),
        ({"shields": {"1": {"value": 10**6}}}, "own ship my/raider /shields/1"),
        ({"rulebook": "chess"}, "no rulebook chess"),
        ({"shields": {}}, "a ship has shields 1 to 6"),
        ({"id": 7}, "own ship 7 /id"),
    ],
)
def test_ship_data_in_a_record_is_held_to_what_a_file_is(
    referee: Run, game: Path, parts: dict[str, Any], said: str
) -> None:
    ran = referee("game", "status", forged(game, parts, "sha256", "class"))
    assert ran.code == 2 and said in ran.err


def test_a_name_that_turns_the_direction_is_spelt_out(referee: Run, game: Path) -> None:
    ran = referee("game", "status", forged(game, {"name": "Rai\u202eder"}, "sha256", "class"))
    assert "Rai\\u202eder" in ran.out and "\u202e" not in ran.out
