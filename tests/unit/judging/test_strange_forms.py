"""Energy sheets in another language, or without the usual labels: what was sought, what stands in which cell,
and a map that names the rows."""

from __future__ import annotations

from json import dumps, loads
from pathlib import Path
from random import Random

import pytest

from referee.formats.vassal.container import open_save, write_save_bytes
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import ROWS, LogWriter, legal_game, write_log

GERMAN = {
    "Turn": "Zug", "Warp Power": "Warpantrieb", "Impulse Power": "Impulsantrieb", "Atomic Power": "Meiler",
    "Total Power": "Gesamt", "Btty Avail": "Akkus", "Movement": "Bewegung", "Total Used": "Verbraucht",
}  # fmt: skip
LINES = {
    "Warpantrieb": "1", "Impulsantrieb": "2", "Meiler": "3", "Gesamt": "4", "Akkus": "5", "Bewegung": "14",
    "Verbraucht": "20",
}  # fmt: skip
ASKED = ("--ship", "CA Ship0=cadet/federation-ca", "--ship", "D6 Ship1=cadet/klingon-d6")
SEEDS = "A1 Zug, A2 Warpantrieb, A3 Impulsantrieb, A4 Meiler"


def in_german(data: bytes) -> bytes:
    """A file of the generator with every label of its forms in another language."""
    stored = open_save(data, "x.vsav")
    text = stored.text
    for row in ROWS:
        text = text.replace(f"{row},", f"{GERMAN.get(row, 'Feld ' + row[::-1])},")
    return write_save_bytes(text, key=3, module_data=stored.module_data)


@pytest.fixture
def german(tmp_path: Path) -> tuple[Path, Path]:
    game = legal_game(Random(2))
    writer = LogWriter(game, filled=(1,))
    save, log = tmp_path / "game.vsav", tmp_path / "game.vlog"
    save.write_bytes(in_german(writer.finish()))
    log.write_bytes(in_german(write_log(game).data))
    return save, log


@pytest.mark.parametrize("kind", ["save", "log"])
def test_what_was_sought_and_what_stands_there_is_said(
    referee: Run, german: tuple[Path, Path], kind: str
) -> None:
    report = referee("check", german[kind == "log"], "--json", *ASKED).json
    reasons = {one.get("subject"): one["reason"] for one in report["not_checked"] if one["rule"] == "B3.0"}
    for ship in ("CA Ship0", "D6 Ship1"):
        told = reasons[ship]
        assert told.startswith("no energy form was found for it: in its table Show Data looked for rows such")
        assert f"found {SEEDS} and" in told and "Warp Engines, Impulse Power" in told
        assert "form.rows of a map" in told and "init map" in told


def test_a_drafted_map_lists_the_rows_and_a_map_names_them(
    referee: Run, german: tuple[Path, Path], tmp_path: Path
) -> None:
    save, _ = german
    assert referee("init", "map", save).code == 0
    draft = loads(Path("map.json").read_text())
    assert "rows of its form that no label tells: Warpantrieb, Impulsantrieb, Meiler" in draft["note"]
    assert "form.rows" in draft["note"] and "tells: Zug" not in draft["note"]
    draft["form"]["rows"] = LINES
    draft["ships"] = []
    Path("map.json").write_text(dumps(draft))
    report = referee("check", save, "--map", "map.json", "--json", *ASKED).json
    assert not [one for one in report["not_checked"] if "no energy form" in one["reason"]]
    assert "B3.0-20" in report["checked"]


def test_a_map_names_the_rows_of_a_sheet_too(referee: Run) -> None:
    rows = ["Ship,cadet/federation-ca", "Zug,1", "Warpantrieb,16", "Impulsantrieb,2", "Meiler,2", "Gesamt,20"]
    Path("form.csv").write_text("\n".join([*rows, "Akkus,2", "Bewegung,12", "Verbraucht,12"]) + "\n")
    ran = referee("check", "form.csv")
    assert ran.code == 2 and "found A1 Ship, A2 Zug, A3 Warpantrieb, A4 Impulsantrieb and 5 more" in ran.err
    assert "form.rows of a map" in ran.err and "Traceback" not in ran.err
    said = {"schema": "referee/module-map/1", "module": {"name": "any"}, "rulebook": "sfb-cadet"}
    Path("map.json").write_text(dumps({**said, "form": {"trait": "table", "rows": LINES}}))
    ran = referee("check", "form.csv", "--map", "map.json", "--option", "previous_speed=8", "--json")
    assert ran.code == 0 and ran.json["verdict"] == "legal", ran.out
    Path("form.csv").write_text("\n".join([*rows, "Akkus,2", "Bewegung,23", "Verbraucht,23"]) + "\n")
    assert referee("check", "form.csv", "--map", "map.json", "--option", "previous_speed=8").code == 1


def test_a_ship_without_any_table_is_said_to_have_none(referee: Run, tmp_path: Path) -> None:
    game = legal_game(Random(2))
    writer = LogWriter(game)
    stored = open_save(writer.finish(), "x.vsav")
    pieces = [part for part in stored.text.split("\x1b") if "table;" not in part]
    path = tmp_path / "bare.vsav"
    path.write_bytes(write_save_bytes("\x1b".join(pieces), key=3, module_data=stored.module_data))
    report = referee("check", path, "--json", *ASKED).json
    assert "no energy form was found for it: it has no table" in {
        one["reason"] for one in report["not_checked"]
    }
