"""The example duel, replayed; the same dice give the same state; one side's view; what is declared, judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run

ROOT = Path(__file__).resolve().parents[4]
DUEL = ROOT / "examples" / "trek" / "duel.json"
EXPECTED = ROOT / "examples" / "trek" / "EXPECTED.json"
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def trek(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs `referee ...` in an empty folder, `play` and `work` as `referee trek ...`."""
    monkeypatch.chdir(tmp_path)

    def once(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        group = ["trek"] if arguments[0] in ("play", "work") else []
        code = run([*group, *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return once


def fits(document: Any) -> None:
    """Holds a document against the schema it names."""
    name = document["schema"].split("/")[1]
    schema = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_bytes())
    problems = [f"{x.json_path}: {x.message}" for x in Draft202012Validator(schema).iter_errors(document)]
    assert not problems


def altered(tmp_path: Path, change: Callable[[Any], None]) -> Path:
    """The duel with something changed."""
    data = json.loads(DUEL.read_bytes())
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_the_duel_ends_as_expected(trek: Command) -> None:
    code, out, _ = trek("play", DUEL, "--json")
    report = json.loads(out)
    fits(report)
    expected = json.loads(EXPECTED.read_bytes())
    assert code == 0 and report["verdict"] == "legal"
    assert report["state_hash"] == expected["state_hash"]
    assert report["state"] == expected["state"]
    kinds = {entry["event"] for entry in report["log"]}
    assert {
        "cloaked",
        "decloaked",
        "absorbed",
        "repair_pending",
        "repaired",
        "engine_damaged",
        "told",
    } <= kinds
    rolls = {entry["what"] for entry in report["log"] if entry["event"] == "rolled"}
    assert "banked weapons" in rolls and "found by Lancer?" in rolls
    hits = [x for x in report["log"] if x["event"] == "landed" and x["hit"]]
    assert any(hit["weapon"] == "plasma-1" for hit in hits)
    (end,) = [x for x in report["log"] if x["event"] == "left_play"]
    assert (end["ship"], end["how"], end["turn"]) == ("Shade", "destroyed", 3)


def test_the_duel_as_text(trek: Command) -> None:
    code, out, _ = trek("play", DUEL)
    assert code == 0
    assert "*** Shade EXPLODES ***" in out
    assert "HOMEBREW, not the book's: " in out and "damage location HB" in out
    assert "Options in force: " in out and "shield_cap=power" in out and "action_order=turn" in out
    assert json.loads(EXPECTED.read_bytes())["state_hash"] in out


def test_a_side_sees_its_own(trek: Command) -> None:
    code, out, _ = trek("play", DUEL, "--as", "alpha", "--json")
    report = json.loads(out)
    fits(report)
    assert code == 0 and report["as"] == "alpha"
    assert "state_hash" not in report and "dice" not in report
    assert list(report["state"]["vessels"]) == ["Lancer"]
    assert report["state"]["others"] == {"Shade": {"side": "beta", "out": "destroyed"}}
    mine = {"rolled", "power_spent", "power_produced", "damaged", "crew_hurt", "absorbed", "located"}
    assert all(x["ship"] == "Lancer" for x in report["log"] if x["event"] in mine)
    assert "ship shade" not in report["homebrew"]
    code, _, err = trek("play", DUEL, "--as", "alhpa")
    assert code == 2 and "did you mean alpha?" in err


def test_other_dice_end_otherwise(trek: Command) -> None:
    one = json.loads(trek("play", DUEL, "--seed", "other", "--json")[1])
    two = json.loads(trek("play", DUEL, "--seed", "other", "--json")[1])
    assert one == two
    assert one["state_hash"] != json.loads(EXPECTED.read_bytes())["state_hash"]


@pytest.mark.parametrize(("change", "reason"), [(-1, "too few dice"), (1, "die left over")])
def test_dice_must_fit(trek: Command, tmp_path: Path, change: int, reason: str) -> None:
    def alter(data: Any) -> None:
        data["dice"] = data["dice"][:-1] if change < 0 else [*data["dice"], 5]

    code, _, err = trek("play", altered(tmp_path, alter))
    assert code == 2 and reason in err


def test_declarations_are_judged_with_rule_and_place(trek: Command, tmp_path: Path) -> None:
    def alter(data: Any) -> None:
        data["turns"][0]["rounds"][1][0]["actions"].append(
            {"do": "fire", "at": "Shade", "weapons": [{"weapon": "beam-A1", "power": 9}]}
        )

    path = altered(tmp_path, alter)
    code, out, _ = trek("check", path, "--json")
    report = json.loads(out)
    fits(report)
    assert code == 1 and report["verdict"] == "illegal"
    errors = {f["rule"]: f for f in report["findings"] if f["severity"] == "error"}
    assert {"trek-34", "trek-35"} <= set(errors)
    assert errors["trek-34"]["location"]["pointer"] == "/turns/0/rounds/1/0/actions/2"
    assert trek("check", DUEL)[0] == 0
    code, out, _ = trek("play", path)
    assert code == 1 and "is refused" in out and "EXPLODES" in out


def test_without_dice_a_file_is_judged_as_far_as_can_be(trek: Command, tmp_path: Path) -> None:
    def alter(data: Any) -> None:
        del data["dice"]
        for turn in data["turns"]:
            turn["order"] = ["Lancer", "Shade"]

    code, out, _ = trek("check", altered(tmp_path, alter), "--json")
    assert code == 0
    assert "judged up to turn 1, round 1" in json.loads(out)["findings"][-1]["message"]


def test_bad_files_are_one_line_and_exit_2(trek: Command, tmp_path: Path) -> None:
    code, _, err = trek("play", altered(tmp_path, lambda data: data["ships"][0].update(ship="lancr")))
    assert code == 2 and "no ship lancr" in err and "lancer" in err and err.count("\n") == 1
    code, _, err = trek("play", altered(tmp_path, lambda data: data["ships"][0].update(at="051")))
    assert code == 2 and "/ships/0/at" in err
    code, _, err = trek("play", altered(tmp_path, lambda data: data.update(options={"tiebreak": "die"})))
    assert code == 2 and "no option tiebreak" in err


PRINTED = [
    (["trek-51", "damage=10", "wished=10", "left=30", "shield_power=12", "ratio=1/2"], '"power": "5"'),
    (["trek-57", "engine=16", "left=25", "points=2"], '"left": "23"'),
    (["trek-60", "superstructure=-3"], "-30"),
    (["trek-61", "power=10", "distance=3"], "2"),
    (["trek-71", "hits=[9,7]"], "4"),
]


@pytest.mark.parametrize(("arguments", "expected"), PRINTED, ids=lambda value: str(value[0]))
def test_printed_examples_from_the_command_line(trek: Command, arguments: list[str], expected: str) -> None:
    code, out, _ = trek("work", *arguments)
    assert code == 0 and expected in out
    document = json.loads(trek("work", *arguments, "--json")[1])
    fits(document)


def test_work_says_what_it_takes(trek: Command) -> None:
    code, _, err = trek("work", "trek-61", "power=10")
    assert code == 2 and "it takes power, distance" in err
    code, _, err = trek("work", "trek-34")
    assert code == 2 and "works nothing out" in err


def test_ships_are_listed_as_homebrew(trek: Command) -> None:
    code, out, _ = trek("ship", "list", "--rulebook", "trek")
    assert code == 0 and "trek/lancer" in out and out.count("homebrew") == 4
    listed = json.loads(trek("ship", "list", "--json")[1])
    fits(listed)
    assert {"trek/lancer", "trek/shade", "trek/bastion"} <= {ship["id"] for ship in listed["ships"]}


def test_an_owners_folder_wins(trek: Command, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "charts.json").write_text(
        json.dumps({"schema": "referee/trek-charts/1", "firing_charts": {"HB-16": {"to_hit": [10] * 16}}}),
        encoding="utf-8",
    )
    (folder / "crew.json").write_text(
        json.dumps({"schema": "referee/trek-crew/1", "id": "old-hands", "captain": 64, "efficiency": 42}),
        encoding="utf-8",
    )
    changed = altered(tmp_path, lambda data: data["ships"][1].update(crew="old-hands"))
    assert trek("play", changed)[0] == 2
    report = json.loads(trek("play", changed, "--data", folder, "--seed", "x", "--json")[1])
    assert "firing chart HB-16" not in report["homebrew"]
    assert report["state"]["vessels"]["Shade"]["crew"] == {"captain": 64, "efficiency": 42}
    (folder / "odd.json").write_text("{}", encoding="utf-8")
    code, _, err = trek("play", changed, "--data", folder)
    assert code == 2 and "names no schema" in err


def test_charts_are_checked(trek: Command, tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    cells = {"effect": "superstructure", "half": False, "casualty_mult": 2}
    location = {str(shield): {str(die): cells for die in range(1, 11)} for shield in range(1, 7)}
    document = {
        "schema": "referee/trek-charts/1",
        "firing_charts": {"A": {"to_hit": [9, 6, 3, 1]}},
        "damage_location": {"A": location},
        "stress": {"G": {"1": 0, "2": 1}},
    }
    good.write_text(json.dumps(document), encoding="utf-8")
    assert trek("check", good)[0] == 0
    document["firing_charts"] = {"A": {"to_hit": [3, 6, 9, 11, 1]}}
    location["3"] = {**location["3"], "5": {**cells, "effect": "warp_port"}}
    del location["2"]["7"]
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(document), encoding="utf-8")
    code, out, _ = trek("check", bad, "--json")
    said = " | ".join(finding["message"] for finding in json.loads(out)["findings"])
    assert code == 1
    for words in ("rises from 3", "11 at range 4", "goes to range 5", "shield 2 has no roll 7", "no mirror"):
        assert words in said


def test_house_rules_switch_rules_off_and_set_options(trek: Command, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "trek"\noff = ["trek-50", "trek-60"]\n[options]\nshield_cap = "points"\n')
    code, out, _ = trek("play", DUEL, "--house", house, "--seed", "x", "--json")
    report = json.loads(out)
    assert code in (0, 1) and report["options"]["shield_cap"] == "points"
    assert not [x for x in report["log"] if x["rule"] in ("trek-50", "trek-60")]
    report = json.loads(trek("play", DUEL, "--seed", "x", "--option", "tie=skill", "--json")[1])
    assert report["options"]["tie"] == "skill"
    code, _, err = trek("play", DUEL, "--option", "tye=skill")
    assert code == 2 and "no option tye" in err


def test_the_example_charts_pass(trek: Command) -> None:
    code, out, _ = trek("check", DUEL.with_name("charts.json"), "--json")
    report = json.loads(out)
    fits(report)
    assert code == 0 and report["findings"] == [] and report["inputs"]
