"""The shared verbs with the Trek rules: the same words, another game; each option taken or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.conftest import Run
from tests.conftest import ROOT

pytestmark = pytest.mark.net

DUEL = ROOT / "examples" / "trek" / "duel.json"
CHARTS = ROOT / "examples" / "trek" / "charts.json"
PLACES = ("--at", "0510A", "--target-at", "0505D")
CREW = {"captain": 60, "efficiency": 40}


def fits(document: Any) -> Any:
    """The document, which fits the schema it names."""
    name = document["schema"].split("/")[1]
    schema = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_bytes())
    problems = [f"{x.json_path}: {x.message}" for x in Draft202012Validator(schema).iter_errors(document)]
    assert not problems
    return document


@pytest.fixture
def state(tmp_path: Path) -> Any:
    """Writes a state file and gives its path."""

    def write(ship: str, **parts: Any) -> str:
        path = tmp_path / f"{ship}-{len(list(tmp_path.iterdir()))}.json"
        said = {"schema": "referee/trek-state/1", "ship": ship, "crew": CREW, **parts}
        path.write_text(json.dumps(said), encoding="utf-8")
        return str(path)

    return write


# -- volley ----------------------------------------------------------------------------------


def test_a_volley_absorbs_and_strikes(referee: Run, state: Any) -> None:
    crew = state("lancer")
    asked = ("volley", "trek/lancer", "--damage", "30", "--shield", "2", "--state", crew)
    ran = referee(*asked, "--dice", "1", "--json")
    document = fits(ran.json)
    assert ran.code == 0 and document["shield"] == {"number": 2, "absorbed": 24, "power": "12"}
    assert document["internals"] == 6 and document["state"]["damage"] == {"shield 2": [6]}
    assert document["state"]["left"] == "28" and not document["destroyed"]
    text = referee(*asked, "--dice", "1").out
    assert "24 absorbed for 12 power, 6 inside" in text and "HOMEBREW" in text
    assert referee(*asked, "--dice", "1 1").code == 2


def test_plasma_rolls_by_fives_and_internals_pass_the_shield(referee: Run, state: Any) -> None:
    asked = ("volley", "trek/lancer", "--internals", "12", "--shield", "2", "--kind", "plasma")
    document = referee(*asked, "--state", state("lancer"), "--dice", "1 1 1", "--json").json
    assert document["shield"]["absorbed"] == 0 and document["state"]["damage"] == {"shield 2": [5, 5, 2]}


def test_the_owner_chooses_and_the_state_goes_on(referee: Run, state: Any, tmp_path: Path) -> None:
    answers, after = tmp_path / "answers.json", tmp_path / "after.json"
    said = {"schema": "referee/trek-answers/1", "answers": [{"absorb": 4}]}
    answers.write_text(json.dumps(said), encoding="utf-8")
    asked = ("volley", "trek/lancer", "--damage", "10", "--shield", "2", "--dice", "1")
    first = referee(*asked, "--state", state("lancer"), "--choose", answers, "--state-out", after, "--json")
    assert first.json["shield"]["absorbed"] == 4 and first.json["internals"] == 6
    assert fits(json.loads(after.read_bytes()))["shield_power"]["2"] == "10"
    # Shield 2 was struck down: nothing is absorbed any more.
    second = referee(*asked, "--state", after, "--state-out", after, "--json").json
    assert second["shield"]["absorbed"] == 0 and second["state"]["damage"]["shield 2"] == [6, 10]


def test_a_crew_that_nobody_knows_is_rolled_for(referee: Run) -> None:
    ran = referee("volley", "trek/lancer", "--damage", "1", "--shield", "1", "--dice", "15 12", "--json")
    assert ran.json["state"]["crew"] == {"captain": 60, "efficiency": 37}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (("--direction", "LF"), "no --direction"),
        (("--reinforcement", "2,3"), "no --reinforcement"),
        (("--shield", "7"), "a shield of 1 to 6"),
        (("--kind", "fish"), "no kind fish"),
        (("--choose", "protect-weapons"), "is no file"),
        (("--option", "tye=die"), "no option tye"),
        (("--format", "svg"), "no format svg"),
        (("--data", "nowhere"), "is no folder"),
    ],
)
def test_what_a_trek_volley_has_no_use_for(referee: Run, more: tuple[str, ...], reason: str) -> None:
    ran = referee("volley", "trek/lancer", "--damage", "5", "--shield", "1", "--seed", "a", *more)
    assert ran.code == 2 and reason in ran.err and ran.err.count("\n") == 1


def test_a_state_holds_no_more_than_the_ship(referee: Run, state: Any) -> None:
    asked = ("volley", "trek/lancer", "--damage", "5", "--shield", "1", "--seed", "a", "--state")
    for wrong in ({"engines": {"port": 17}}, {"engines": {"stern": 1}}, {"superstructure": 21}):
        assert referee(*asked, state("lancer", **wrong)).code == 2
    assert "the state is of shade" in referee(*asked, state("shade")).err


# -- fire ------------------------------------------------------------------------------------


def test_fire_is_judged_and_resolved(referee: Run, state: Any) -> None:
    one, two = state("lancer"), state("shade", raised=False)
    asked = ("fire", "trek/lancer", "--target", "trek/shade", *PLACES, "--state", one, "--target-state", two)
    ran = referee(*asked, "--weapons", "beam-A1=4,torp-1", "--dice", "41 8 41 7 99 1", "--json")
    document = fits(ran.json)
    beam, torpedo = document["shots"]
    assert (beam["weapon"], beam["type"], beam["range"]) == ("beam-A1", "beam", {"true": 5, "effective": 5})
    assert (beam["needed"], beam["roll"], beam["hit"], beam["damage"]) == (7, 8, False, 0)
    assert torpedo["hit"] and torpedo["damage"] == 10 == document["damage"]
    assert document["state"]["damage"] == {"shield 2": [10]} and document["firer"]["left"] == "35"
    assert "torp-1" in referee(*asked, "--weapons", "torp-1", "--dice", "41 7 99 1").out


@pytest.mark.parametrize(
    ("weapons", "places", "rule"),
    [
        ("beam-A1=9", PLACES, "trek-35"),
        ("beam-A1=4,beam-A1=4", PLACES, "trek-34"),
        ("torp-1=half", PLACES, "trek-35"),
        ("torp-1", ("--at", "0510D", "--target-at", "0505D"), "trek-38"),
        ("torp-1", ("--at", "0530A", "--target-at", "0505D"), "trek-38"),
        ("cannon", PLACES, "trek-34"),
    ],
)
def test_illegal_fire_is_exit_1_with_its_rule(
    referee: Run, weapons: str, places: tuple[str, ...], rule: str
) -> None:
    ran = referee(
        "fire",
        "trek/lancer",
        "--target",
        "trek/shade",
        *places,
        "--weapons",
        weapons,
        "--seed",
        "a",
        "--json",
    )
    document = fits(ran.json)
    assert ran.code == 1 and document["verdict"] == "illegal" and not document["shots"]
    assert rule in {finding["rule"] for finding in document["findings"]}


def test_a_refusal_is_told_also_where_dice_were_given_for_it(referee: Run, tmp_path: Path) -> None:
    asked = ("fire", "trek/lancer", "--target", "trek/shade", *PLACES, "--weapons", "beam-A1=9")
    ran = referee(*asked, "--dice", "10 10 10 10 41 8 41", "--json")
    assert ran.code == 1 and ran.json["verdict"] == "illegal", ran.err
    data = json.loads(DUEL.read_bytes())
    data["dice"] = [*data["dice"], 5, 5]
    path = tmp_path / "refused.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert "left over" in referee("trek", "play", path).err
    data["turns"][0]["rounds"][1][0]["actions"].append({"do": "raise"})
    path.write_text(json.dumps(data), encoding="utf-8")
    assert referee("trek", "play", path).code == 1


def test_a_cloaked_target_needs_a_lock(referee: Run, state: Any) -> None:
    hidden = state("shade", cloaked=True)
    asked = ("fire", "trek/lancer", "--target", "trek/shade", *PLACES, "--weapons", "torp-1", "--seed", "a")
    refused = referee(*asked, "--target-state", hidden, "--json")
    assert refused.code == 1 and refused.json["findings"][0]["rule"] == "trek-40"
    assert referee(*asked, "--target-state", hidden, "--lock-on").code == 0


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (("--form", "ea.csv"), "no --form"),
        (("--range", "5"), "no --range"),
        (("--turn", "2"), "no --turn"),
        (("--scanner", "1"), "no --scanner"),
        (("--mode", "overload"), "no --mode"),
        (("--reinforcement", "1,2"), "no --reinforcement"),
        (("--weapons", "beam-A1=x"), "gives no power"),
        (("--target-at", "0505"), "has no facing"),
    ],
)
def test_what_trek_fire_has_no_use_for(referee: Run, more: tuple[str, ...], reason: str) -> None:
    asked = ("fire", "trek/lancer", "--target", "trek/shade", *PLACES, "--weapons", "torp-1", "--seed", "a")
    ran = referee(*asked, *more)
    assert ran.code == 2 and reason in ran.err and ran.err.count("\n") == 1
    assert referee("fire", "trek/lancer", "--weapons", "torp-1", "--seed", "a").code == 2
    assert "--target" in referee("fire", "--rulebook", "trek", "--weapon", "photon", "--range", "3").err


# -- odds ------------------------------------------------------------------------------------


def test_odds_of_damage_on_the_trek_charts(referee: Run) -> None:
    ran = referee("odds", "--rulebook", "trek", "--damage", "12", "--kind", "plasma")
    assert ran.code == 0 and "trek-55, exact" in ran.out and "homebrew" in ran.out
    document = fits(referee("odds", "--rulebook", "trek", "--damage", "5", "--json").json)
    assert document["parts"][0] == {"part": "warp_port", "chance": "2/5", "mean": "1"}
    other = referee(
        "odds", "--rulebook", "trek", "--damage", "5", "--json", "--option", "half_location=casualties"
    ).json
    assert other["parts"] != document["parts"]
    outpost = referee("odds", "trek/bastion", "--damage", "5", "--json").json
    assert (outpost["chart"], outpost["homebrew"]) == ("outpost", False)
    assert referee("odds", "trek/lancr", "--damage", "5", "--rulebook", "trek").code == 2
    for wrong in (("--damage", "0"), ("--damage", "5", "--shield", "7"), ("--damage", "5", "--kind", "fish")):
        refused = referee("odds", "trek/lancer", *wrong)
        assert refused.code == 2 and refused.err.count("\n") == 1


# -- files and ships -------------------------------------------------------------------------


def test_check_judges_combats_ships_crews_and_charts(referee: Run, tmp_path: Path) -> None:
    ran = referee("check", DUEL, CHARTS, "--json")
    document = fits(ran.json)
    assert ran.code == 0 and document["verdict"] == "legal" and len(document["inputs"]) == 2
    assert {"trek-34", "trek-46"} <= set(document["checked"]) and document["options"]["shield_cap"] == "power"
    ship = json.loads(referee("show", "trek/lancer", "--json").out)
    ship["weapons"][0]["firing_chart"] = "Q"
    mine = tmp_path / "mine.json"
    mine.write_text(json.dumps(ship), encoding="utf-8")
    ran = referee("check", mine, "--format", "jsonl")
    assert ran.code == 1 and "no firing chart Q" in ran.out and "trek-6" in ran.out
    (tmp_path / "own").mkdir()
    charts = {"schema": "referee/trek-charts/1", "firing_charts": {"Q": {"to_hit": [5, 4, 3]}}}
    (tmp_path / "own" / "charts.json").write_text(json.dumps(charts), encoding="utf-8")
    assert referee("check", mine, "--data", tmp_path / "own").code == 0
    assert referee("ship", "check", mine).code == 1
    rising = {"schema": "referee/trek-charts/1", "firing_charts": {"Q": {"to_hit": [5, 6]}}}
    mine.write_text(json.dumps(rising), encoding="utf-8")
    assert "rises from 5" in referee("ship", "check", mine, "--json").out
    crew = tmp_path / "crew.json"
    said = {"schema": "referee/trek-crew/1", "id": "green", "skills": {"helm": 40}}
    crew.write_text(json.dumps(said), encoding="utf-8")
    ran = referee("check", crew, "--json")
    assert ran.code == 1 and "skills missing: strategy_tactics" in ran.json["findings"][0]["message"]


def test_check_selects_rules_and_options(referee: Run, tmp_path: Path) -> None:
    data = json.loads(DUEL.read_bytes())
    data["turns"][0]["rounds"][1][0]["actions"].append({"do": "raise"})
    path = tmp_path / "twice.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    ran = referee("check", path, "--json", "--select", "trek-43")
    assert ran.code == 1 and {finding["key"] for finding in ran.json["findings"]} == {"trek-43/shields"}
    assert referee("check", path, "--ignore", "trek-43").code == 0
    house = tmp_path / "house.toml"
    house.write_text('extends = "trek"\n[severity]\n"trek-43/shields" = "warning"\n', encoding="utf-8")
    assert referee("check", path, "--house", house).code == 0


def test_show_files_sides_and_ships(referee: Run) -> None:
    whole = referee("show", DUEL)
    assert whole.code == 0 and "Lancer: raise; lock Shade; move ahead" in whole.out
    side = referee("show", DUEL, "--as", "beta", "--json")
    document = fits(side.json)
    assert (
        document["as"] == "beta"
        and document["verdict"] == "legal"
        and "Shade" in document["state"]["vessels"]
    )
    assert "did you mean" in referee("show", DUEL, "--as", "bta").err
    assert "firing HOUSE-6: 9 8 6 4 3 1" in referee("show", CHARTS).out
    assert referee("show", CHARTS, "--as", "beta").code == 2
    assert referee("show", "trek/lancer", "--as", "beta").code == 2
    card = referee("show", "trek/shade")
    assert "Cloak        14 power" in card.out and "HOMEBREW" in card.out
    assert referee("show", "Shade", "--rulebook", "trek").out == card.out
    assert referee("ship", "show", "trek/shade").out == card.out
    assert "did you mean trek/shade" in referee("show", "trek/shad", "--rulebook", "trek").err


def test_a_played_combat_is_shown_again(referee: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    assert referee("trek", "play", DUEL, "-o", report).code == 0
    assert referee("show", report).out == referee("trek", "play", DUEL).out


def test_a_ship_of_ones_own(referee: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert referee("init", "ship", "falcon", "--like", "trek/shade").code == 0
    assert referee("ship", "check", "falcon.json").code == 0
    assert "Falcon  (falcon)" in referee("ship", "show", "falcon.json").out
    assert referee("odds", "falcon.json", "--damage", "5").code == 0
    (tmp_path / "own").mkdir()
    (tmp_path / "falcon.json").rename(tmp_path / "own" / "falcon.json")
    assert "trek/falcon" in referee("ship", "list", "--data", "own").out
    assert "Falcon" in referee("show", "falcon", "--data", "own", "--rulebook", "trek").out
    ran = referee(
        "volley",
        "falcon",
        "--rulebook",
        "trek",
        "--data",
        "own",
        "--damage",
        "1",
        "--shield",
        "2",
        "--seed",
        "a",
    )
    assert ran.code == 0


def test_words_for_rolls(referee: Run) -> None:
    skill = referee("roll", "skill", "--rulebook", "trek", "--seed", "a", "--json").json
    assert skill["notation"] == "d100"
    assert referee("roll", "2d6", "--rulebook", "trek", "--seed", "a").code == 0
    assert referee("roll", "skill", "--rulebook", "trekk").code == 2


def test_rules_are_explained(referee: Run) -> None:
    ran = referee("explain", "trek-51")
    assert ran.code == 0 and "Absorption" in ran.out
    assert "AMB-12" in referee("rulebook", "show", "trek").out
