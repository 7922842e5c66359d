"""Ships that are known in part: played with what is known, refused by the name of the number that is missing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.core.dice import seeded_dice
from referee.core.finding import Severity
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.answers import check_document, fire, volley
from referee.rulebooks.trek.combatfile import read_combat
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.shipyard import fleet_json, library
from referee.rulebooks.trek.turns import play_combat

ROOT = Path(__file__).resolve().parents[4]
SHARED = ROOT.parent / "shared" / "rules" / "trek" / "ships.json"
BOOK = load_rulebook("trek")
SHEETS = fleet_json(BOOK)
PARTLY = sorted(id for id, ship in SHEETS.items() if ship.get("missing"))
CREW = {"captain": 60, "efficiency": 90}


def played(id: str, actions: list[dict[str, Any]], owned: Any = ()) -> Play:
    """What a ship does in round 1, five hexes from Shade."""
    shelf = library(BOOK, owned)
    ships = [
        {"name": "Own", "ship": id, "side": "alpha", "at": "0510A", "warp": 2, "crew": CREW},
        {"name": "Shade", "ship": "shade", "side": "beta", "at": "0505D", "crew": CREW},
    ]
    turn = {"order": ["Own", "Shade"], "rounds": [[{"ship": "Own", "actions": actions}]]}
    data = {"ships": ships, "turns": [turn]}
    combat = read_combat(data, shelf.ships, shelf.crews, shelf.charts, "combat")
    return play_combat(BOOK, shelf.charts, combat, seeded_dice("partly"))


def errors(play: Play) -> list[str]:
    return [finding.message for finding in play.findings if finding.severity is Severity.ERROR]


def test_there_are_as_many_as_are_known() -> None:
    assert len(PARTLY) == 62
    counts = Counter(name for id in PARTLY for name in SHEETS[id]["missing"])
    assert counts["engine_stress"] == counts["superstructure_stress"] == 62
    assert counts["movement_point_ratio"] == 7 and not counts["cloak"]


@pytest.mark.parametrize("id", PARTLY)
def test_each_is_entered_with_what_is_missing_named(id: str) -> None:
    report = check_document(BOOK, (), SHEETS[id], id, {})
    assert report.verdict.value == "legal"
    reasons = " ".join(item.reason for item in report.not_checked)
    assert all(name in reasons for name in SHEETS[id]["missing"])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("id", PARTLY)
def test_each_is_struck_through_every_shield(id: str) -> None:
    for shield in range(1, 7):
        for kind, points in (("beam", 25), ("plasma", 60)):
            dice = seeded_dice(f"{id} {shield} {kind}")
            answer = volley(BOOK, (), dice, id, internals=points, shield=shield, kind=kind)
            assert answer.document["internals"] == points
            assert not [finding for finding in answer.findings if finding.severity is Severity.ERROR]


@pytest.mark.parametrize("id", PARTLY)
def test_each_does_what_needs_no_unknown_number(id: str) -> None:
    play = played(id, [{"do": "raise"}, {"do": "lock", "on": "Shade"}, {"do": "communicate", "to": "base"}])
    assert errors(play) == []
    moved = errors(played(id, [{"do": "move", "way": "left"}]))
    unknown = "movement_point_ratio" in SHEETS[id]["missing"]
    assert moved == ([f"movement point ratio of {id} is not known"] if unknown else [])
    turned = errors(played(id, [{"do": "move", "way": "left", "emergency": "left"}]))
    assert f"engine stress of {id} is not known" in turned


@pytest.mark.parametrize("id", [id for id in PARTLY if SHEETS[id]["weapons"]])
def test_each_fires_when_its_owner_adds_the_chart(id: str) -> None:
    weapon = SHEETS[id]["weapons"][0]
    said = {"weapon": weapon["id"]} | ({"power": 1} if weapon["kind"] == "beam" else {})
    actions = [{"do": "fire", "at": "Shade", "weapons": [said]}]
    without = errors(played(id, actions))
    assert f"firing chart {weapon['firing_chart']} of {weapon['id']} is not known" in without
    chart = {
        "schema": "referee/trek-charts/1",
        "firing_charts": {weapon["firing_chart"]: {"to_hit": [9] * 12}},
        "plasma": {str(weapon.get("damage_table", "none")): [10] * 12},
    }
    play = played(id, actions, [("mine", chart)])
    bears = [message for message in errors(play) if "does not bear" not in message]
    assert bears == []
    if "arcs" not in weapon:
        assert any("arcs of" in item.reason for item in play.not_checked)


def test_damage_to_engines_nobody_knows_comes_off_the_total() -> None:
    id = "kli-d-7-c-vii"
    play = volley(BOOK, (), seeded_dice("a"), id, damage=40, shield=2, kind="plasma")
    assert play.document["state"]["engines"] == {"all": 27}
    said = " | ".join(finding.message for finding in play.findings)
    assert "is shared between engines is not known" in said and "is banked is not known" in said
    assert f"ship {id} (provisional, one transcription)" in play.document["homebrew"]


def test_fire_from_the_command_line_names_the_chart() -> None:
    answer = fire(BOOK, (), seeded_dice("a"), "kli-d-7-c-vii", "shade", "KD-6-1=4", "0510A", "0505D")
    assert [f.rule for f in answer.findings] == ["trek-6"] and "chart T of KD-6-1" in answer.findings[
        0
    ].message


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared rules folder is not beside the project")
def test_the_numbers_are_those_of_the_shared_list() -> None:
    theirs = json.loads(SHARED.read_bytes())["ships"]
    assert len(theirs) == len(PARTLY)

    def told(total: int, mpr: Any, spr: str, shields: int, hull: int, cloak: Any, weapons: list[str]) -> Any:
        return total, mpr, spr, shields, hull, cloak, sorted(weapons)

    ours = [
        told(
            ship.get("total_power") or sum(ship["engines"].values()),
            ship.get("movement_point_ratio"),
            ship["shield_point_ratio"],
            ship["max_shield_power"],
            ship["superstructure"],
            ship["cloak"],
            [weapon["id"].rpartition("-")[0] for weapon in ship["weapons"]],
        )
        for ship in (SHEETS[id] for id in PARTLY)
    ]
    listed = [
        told(
            ship["total_power"],
            ship["movement_point_ratio"],
            ship["shield_point_ratio"],
            ship["max_shield_power"],
            ship["superstructure"],
            ship["cloak"] and ship["cloak"]["power"],
            [weapon["type"] for weapon in ship["weapons"] for _ in range(weapon["number"])],
        )
        for ship in theirs
    ]
    assert sorted(map(str, ours)) == sorted(map(str, listed))
