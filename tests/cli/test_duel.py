"""The example duel through the program: every planted error and nothing else, in every form it comes in."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import zipfile
import zlib
from io import BytesIO
from json import loads
from pathlib import Path
from types import ModuleType

import pytest

from tests.cli.conftest import Run

FED, KLI = "CA Constellation", "D6 Destruction"
PLANTED = {
    (FED, 1, "B24", "B3.0-20/sum"): ("20", "19"),
    (FED, 2, "C11", "H6.1"): ("1", "2"),
    (FED, 2, "C15", "E4.21"): ("2 or 0", "1"),
    (FED, 3, "D20", "B3.0-14/acceleration"): ("≤ 12", "13"),
    (KLI, 1, "B7", "B3.0-6"): ("2", "0"),
    (KLI, 2, "C6", "B3.0-5"): ("0", "2"),
    (KLI, 2, "C16", "E3.2"): ("2 or 0", "1"),
    (KLI, 3, "D2", "B3.0-1"): ("≤ 15", "16"),
}


@pytest.fixture(scope="module")
def script(duel: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_saves", duel / "make_saves.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_planted_error_is_one_finding_and_nothing_else_is(referee: Run, duel: Path) -> None:
    ran = referee("check", duel / "duel.vsav", "--json")
    assert ran.code == 1 and ran.json["verdict"] == "illegal" and ran.err == ""
    found = {
        (f["subject"], f["turn"], f["location"]["cell"], f["key"]): (f["expected"], f["found"])
        for f in ran.findings()
    }
    assert found == PLANTED
    assert len(ran.findings()) == len(PLANTED)
    for finding in ran.findings():
        assert finding["severity"] == "error" and finding["fix"]
        assert finding["rule"] == finding["key"].partition("/")[0]
        assert finding["location"]["file"] == str(duel / "duel.vsav")
        assert finding["location"]["piece"].startswith("SSD ") and finding["location"]["sheet"] == "Show Data"
    assert {item["rule"].partition("/")[0] for item in ran.json["not_checked"]} == {"B3.0-14"}
    digest = hashlib.sha256((duel / "duel.vsav").read_bytes()).hexdigest()
    assert ran.json["inputs"] == [{"file": str(duel / "duel.vsav"), "sha256": digest}]


def test_the_corrected_save_is_legal(program: Run, duel: Path) -> None:
    ran = program("check", duel / "duel-corrected.vsav", "--json", "--strict")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["verdict"] == "legal" and ran.findings() == []


def test_with_the_speed_before_it_every_rule_is_checked(referee: Run, duel: Path) -> None:
    ran = referee("check", duel / "duel-corrected.vsav", "--json", "--option", "previous_speed=8")
    assert ran.code == 0 and ran.json["not_checked"] == []
    slow = referee("check", duel / "duel-corrected.vsav", "--json", "--option", "previous_speed=5")
    assert [(f["subject"], f["turn"], f["key"]) for f in slow.findings("error")] == [
        (KLI, 1, "B3.0-14/acceleration")
    ]


@pytest.mark.parametrize(
    ("name", "ship", "missing"),
    [("constellation.csv", FED, ()), ("constellation.json", FED, ()), ("destruction.xlsx", KLI, ("B3.0-1",))],
)
def test_the_forms_alone_have_the_same_errors(
    referee: Run, duel: Path, name: str, ship: str, missing: tuple[str, ...]
) -> None:
    ran = referee("check", duel / name, "--json")
    wanted = {(turn, key) for subject, turn, _, key in PLANTED if subject == ship and key not in missing}
    assert ran.code == 1
    assert {(f["turn"], f["key"]) for f in ran.findings("error", "undecided")} == wanted
    assert len(ran.findings("error", "undecided")) == len(wanted)


def test_expected_names_every_planted_error(duel: Path) -> None:
    table = (duel / "EXPECTED.md").read_text()
    rows = re.findall(r"^\| (C[AD] \w+|D6 \w+) \| (\d) \| (\w+) \| [^|]* \| (\S+) \|", table, re.M)
    assert {(ship, int(turn), cell, key) for ship, turn, cell, key in rows} == set(PLANTED)
    for name in re.findall(r"`([\w.-]+\.\w+)`", table):
        assert (duel / name).is_file() or name == "house.toml"


def test_the_files_are_what_the_script_writes(duel: Path, script: ModuleType) -> None:
    other_deflate = "ng" in zlib.ZLIB_RUNTIME_VERSION
    for name, content in script.files().items():
        there = (duel / name).read_bytes()
        if zipfile.is_zipfile(BytesIO(content)) and (other_deflate or name.endswith(".xlsx")):
            # Another deflate, or another XlsxWriter, packs the same content in other bytes.
            assert _parts(there) == _parts(content), name
        else:
            assert there == content, name


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if "docProps" not in name}


def test_the_save_has_what_a_save_has(referee: Run, duel: Path) -> None:
    dump = referee("vassal", "dump", duel / "duel.vsav", "--json").json
    assert dump["module"]["name"] == "Cadet Duel" and dump["kind"] == "save" and dump["unknown"] == []
    assert dump["players"] == [{"name": "Ann", "side": "Federation"}, {"name": "Ben", "side": "Klingon"}]
    assert list(dump["turn"].values())[:2] == ["3", "1"]
    assert dump["notes"] and len(dump["chat"]) == 4
    by_name = {piece["name"]: piece for piece in dump["pieces"] if piece["kind"] == "piece"}
    assert set(by_name) == {FED, KLI, "SSD Constellation", "SSD Destruction"}
    assert by_name[FED]["facing"]["of"] == 6 and by_name[FED]["markers"]["Race"] == "Federation"
    table = by_name["SSD Destruction"]["tables"][0]
    assert table["title"] == "Show Data" and table["rows"][0] == ["Turn", *map(str, range(1, 12))]


def test_the_text_is_read_back_byte_for_byte(duel: Path) -> None:
    from referee.formats.vassal.commands import decode_command, encode_command
    from referee.formats.vassal.container import open_save

    for name in ("duel.vsav", "duel-corrected.vsav"):
        text = open_save((duel / name).read_bytes(), name).text
        assert encode_command(decode_command(text)) == text


def test_house_rules_of_the_example(referee: Run, duel: Path) -> None:
    ran = referee("check", duel / "duel.vsav", "--house", duel / "house.toml", "--json")
    assert ran.code == 1
    assert len(ran.findings("error")) == 6 and [f["key"] for f in ran.findings("warning")] == ["B3.0-20/sum"]
    assert "H6.1" not in {f["key"] for f in ran.findings()} and "H6.1" not in ran.json["checked"]
    text = referee("check", duel / "duel.vsav", "--house", duel / "house.toml").out
    assert "(house rule: duel)" in text


def test_the_standard_form_is_legal(referee: Run, duel: Path) -> None:
    ran = referee("check", duel / "standard-form.csv", "--json", "--option", "previous_speed=12")
    assert ran.code == 0 and ran.json["rulebook"] == "sfb-standard"
    assert ran.findings("error", "undecided", "warning") == []


def test_the_ship_and_the_state_of_the_example(referee: Run, duel: Path, holds: object) -> None:
    assert callable(holds)
    for name in ("my-ship.json", "state.json", "constellation.json"):
        holds(loads((duel / name).read_bytes()))
    assert referee("ship", "check", duel / "my-ship.json").code == 0
    volley = referee(
        "volley",
        "standard/klingon-d7",
        "--state",
        duel / "state.json",
        "--damage",
        "5",
        "--shield",
        "1",
        "--json",
    )
    assert volley.code == 0 and volley.json["shield"]["before"] == 0 and volley.json["internals"] == 5


def test_the_state_is_the_one_the_example_volley_leaves(referee: Run, duel: Path, own_folder: Path) -> None:
    dice = "6 7 9 2 7 4 10 7 8 11 7 6 3 8 5 7 8 4 5 10 12 7 9 7 2"
    ran = referee(
        "volley", "standard/klingon-d7", "--damage", "55", "--shield", "1", "--dice", dice,
        "--choose", duel / "choices.json", "--state-out", "state.json",
    )  # fmt: skip
    assert ran.code == 0
    assert loads((own_folder / "state.json").read_bytes()) == loads((duel / "state.json").read_bytes())
