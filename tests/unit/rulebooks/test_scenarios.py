"""The scenarios of the book: their shape, their sources, their ships, and who wins."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.core.errors import BadInput
from referee.core.hexgrid import Hex, parse_position
from referee.core.scenario import Scenario, UnitStatus, Victory, edges_left_by, victory
from referee.rulebooks import registry
from referee.rulebooks.registry import (
    HERE,
    load_rulebook,
    load_scenario,
    load_ship,
    ruleset_digest,
    scenario_ids,
)

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "rules" / "sfb" / "scenarios.json"
FILES = sorted(HERE.glob("*/scenarios/*.json"))
NOWHERE = Hex(14, 9)


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def test_scenarios_one_to_seven_are_there() -> None:
    assert scenario_ids() == ("1", "2", "3", "4", "5", "6", "7")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_fits_its_schema_and_names_known_sources(path: Path) -> None:
    data = read(path)
    schema = Draft202012Validator(read(ROOT / "schemas" / "scenario.schema.json"))
    assert not [error.message for error in schema.iter_errors(data)]
    assert data["id"] == path.stem
    assert load_rulebook(data["rulebook"]).descriptor["folder"] == path.parent.parent.name
    known = read(HERE / "sfb" / "tables" / "sources.json")["sources"]
    parts = [data["map"], *data["units"], *data["seekers"], *data["special"], *data["endings"]]
    parts += data.get("weapons", [])
    assert {source for part in parts for source in part["source"]} <= set(known)


@pytest.mark.parametrize("id", scenario_ids())
def test_everything_in_a_scenario_can_be_played(id: str) -> None:
    scenario = load_scenario(id)
    book = load_rulebook(scenario.rulebook).with_options(
        {"impulses": str(scenario.impulses), **dict(scenario.options)}
    )
    fastest = book.table("movement")["max_speed"][str(scenario.impulses)]["value"]
    names = [unit.name for unit in scenario.units] + [seeker.name for seeker in scenario.seekers]
    assert len(set(names)) == len(names)
    for unit in scenario.units:
        assert load_ship(unit.class_id).rulebook == scenario.rulebook
        assert (unit.hex is None) == (unit.facing is None)
        assert unit.hex is None or not edges_left_by(unit.hex, scenario.within)
        assert (unit.speed or 0) <= fastest and (unit.previous_speed or 0) <= fastest
    for seeker in scenario.seekers:
        assert not edges_left_by(seeker.hex, scenario.within)
        assert (seeker.course == "follows") == bool(seeker.target)
        assert not any(edges_left_by(hex, scenario.within) for hex, _ in seeker.elsewhere)
    assert {terms.type for terms in scenario.weapons} <= set(book.table("weapons")["weapons"])
    for ending in scenario.endings:
        assert not ending.unit or ending.unit in names
        assert ending.unit or ending.side in scenario.sides or ending.when.startswith("seekers-")
        assert {ending.wins, ending.lost} - {""} <= set(scenario.opponents)
        assert not (ending.wins and ending.lost)


def digest_with(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    """The digest of the cadet rules, read from a copy of their data."""
    monkeypatch.setattr(registry, "folder_of", lambda id: folder / id.removeprefix("sfb-"))
    registry._digest_of.cache_clear()
    try:
        return ruleset_digest("sfb-cadet")
    finally:
        registry._digest_of.cache_clear()


@pytest.mark.parametrize(
    ("file", "old", "new", "other"),
    [
        ("sfb/tables/weapons.json", '"max_range": 75', '"max_range": 74', True),
        ("cadet/rulebook.json", '"rulings": 1', '"rulings": 2', True),
        ("cadet/ships/gorn.json", '"value": 2', '"value": 3', True),
        ("sfb/tables/weapons.json", '"note": "', '"note": "Read anew. ', False),
        ("sfb/tables/form_labels.json", '"lines": {', '"lines": {"9": ["Zap"], ', False),
        ("cadet/cases.json", '"cases": {', '"cases": {"X": [1, 1, 1],', False),
        ("cadet/scenarios/1.json", '"impulses": 8', '"impulses": 9', False),
    ],
)
def test_a_game_is_bound_to_figures_and_rulings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, old: str, new: str, other: bool
) -> None:
    here = ruleset_digest("sfb-cadet")
    for name in ("sfb", "cadet"):
        shutil.copytree(HERE / name, tmp_path / name, ignore=shutil.ignore_patterns("*.py"))
    (tmp_path / "cadet" / "ships").rename(tmp_path / "cadet" / "fleet")  # layout and names change nothing
    assert digest_with(monkeypatch, tmp_path) == here
    changed = tmp_path / file.replace("ships", "fleet")
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert (digest_with(monkeypatch, tmp_path) != here) is other


def test_an_unknown_scenario_is_answered_with_all_there_are() -> None:
    with pytest.raises(BadInput, match="no scenario 13") as error:
        load_scenario("13")
    assert "1, 2, 3, 4, 5, 6, 7" in error.value.hint


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared rules folder is not beside the project")
def test_set_ups_are_those_collected() -> None:
    collected = read(SHARED)
    at = {id: {u.name: f"{u.hex}{u.facing}" for u in load_scenario(id).units if u.hex} for id in "12456"}
    for id in "1245":
        assert load_scenario(id).impulses == collected[id]["impulses"]
    for id in "12":
        hex, facing, speed = collected[id]["federation"]
        assert at[id]["Constellation"] == hex + facing
        assert load_scenario(id).units[0].speed == speed
    drones = {s.name: f"{s.hex}{s.facing}" for s in load_scenario("1").seekers}
    assert drones == collected["1"]["drones"]["v2p3"]
    assert {s.name: f"{s.hex}{s.facing}" for s in load_scenario("2").seekers} == collected["2"]["drones"]
    assert at["4"]["Constellation"] == "".join(collected["4"]["federation"])
    klingons = [at["4"][name] for name in ("War", "Fire", "Death")]
    assert klingons == ["".join(place) for place in collected["4"]["klingons"]]
    for id, other, side in (("5", "Destruction", "klingon"), ("6", "Eagle", "romulan")):
        assert at[id]["Constellation"] == "".join(collected[id]["federation"])
        assert at[id][other] == "".join(collected[id][side])
        assert {unit.previous_speed for unit in load_scenario(id).units} == {collected[id]["previous_speed"]}


# -- victory -----------------------------------------------------------------------------


def judged(scenario: Scenario, **changed: UnitStatus) -> Victory:
    """How a game stands in which all ships but those changed are whole and on the map."""
    names = [u.name for u in scenario.units if not u.optional] + [s.name for s in scenario.seekers]
    standings = {name: UnitStatus(name, NOWHERE, internals=0) for name in names} | changed
    return victory(scenario, standings.values())


@pytest.mark.parametrize("id", scenario_ids())
def test_nobody_leads_at_the_start(id: str) -> None:
    begun = judged(load_scenario(id))
    assert not begun.over and begun.decided and not begun.winner


@pytest.mark.parametrize(
    ("id", "ship", "place", "winner", "decided"),
    [
        ("4", "Constellation", "2900", "Klingon", True),
        ("4", "Constellation", "2910", "", False),
        ("4", "Constellation", "0010", "Klingon", True),
        ("5", "Constellation", "2900", "Klingon", True),
        ("5", "Destruction", "0010", "Federation", True),
        ("2", "Constellation", "0918", "Klingon", True),
        ("1", "Constellation", "0918", "", False),
    ],
)
def test_leaving_the_map(id: str, ship: str, place: str, winner: str, decided: bool) -> None:
    scenario = load_scenario(id)
    gone = judged(scenario, **{ship: UnitStatus(ship, parse_position(place)[0], internals=0)})
    assert (gone.over, gone.winner, gone.decided) == (True, winner, decided)


def test_destruction() -> None:
    four = load_scenario("4")
    lost = judged(four, Constellation=UnitStatus("Constellation", NOWHERE, destroyed=True))
    assert lost.winner == "Klingon" and "destroyed" in lost.why
    won = judged(four, War=UnitStatus("War", NOWHERE, destroyed=True))
    assert won.winner == "Federation"
    half = judged(four, War=UnitStatus("War", NOWHERE, destroyed=True), Fire=UnitStatus("Fire", NOWHERE))
    assert not half.over


def test_drones() -> None:
    one, two = load_scenario("1"), load_scenario("2")
    shot = {s.name: UnitStatus(s.name, NOWHERE, destroyed=True) for s in one.seekers}
    assert judged(one, **shot).winner == "Federation"
    escaped = shot | {"A": UnitStatus("A", parse_position("1509")[0])}
    assert judged(one, **escaped).over and not judged(one, **escaped).winner
    assert judged(one, **escaped).loser == "Federation"
    spent = shot | {"A": UnitStatus("A", spent=True)}
    assert judged(one, **spent).over and not judged(one, **spent).winner
    assert (
        judged(two, **{s.name: UnitStatus(s.name, destroyed=True) for s in two.seekers}).winner
        == "Federation"
    )
    holed = judged(two, Constellation=UnitStatus("Constellation", NOWHERE, internals=1))
    assert holed.winner == "Klingon"


def test_what_is_not_known_is_not_guessed() -> None:
    two = load_scenario("2")
    unknown = judged(two, Constellation=UnitStatus("Constellation", NOWHERE))
    assert not unknown.over and not unknown.decided and unknown.why.startswith("cannot tell")
    struck = {s.name: UnitStatus(s.name, spent=True) for s in two.seekers}
    early = judged(two, Constellation=UnitStatus("Constellation", NOWHERE), **struck)
    assert not early.over and early.why == unknown.why, "an ending before it may have come about"
    nowhere = victory(load_scenario("5"), [])
    assert not nowhere.decided
