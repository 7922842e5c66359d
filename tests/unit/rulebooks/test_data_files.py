"""The data files of the SFB rulebooks: shape, provenance, and agreement with what they came from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.core.arcs import tokens
from referee.rulebooks.registry import load_ship

ROOT = Path(__file__).resolve().parents[3]
RULEBOOKS = ROOT / "referee" / "rulebooks"
SHARED = ROOT.parent / "shared" / "rules" / "sfb"
FOLDERS = ("sfb", "cadet", "standard")
STATUSES = {"verified", "single-source", "provisional"}
SHIPS = sorted(path for folder in FOLDERS for path in RULEBOOKS.glob(f"{folder}/ships/*.json"))
TABLES = sorted(path for folder in FOLDERS for path in RULEBOOKS.glob(f"{folder}/tables/*.json"))
SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))
CHARTS = [path for path in TABLES if path.stem == "damage_chart"]
SYSTEMS = set(
    """forward_hull aft_hull center_hull left_warp right_warp center_warp impulse apr battery bridge
    flag_bridge security emergency_bridge aux_control phaser torpedo drone other_weapon shuttle tractor
    transporter lab probe cargo sensor scanner damage_control excess armor""".split()  # noqa: SIM905
)
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared rules folder is not beside the project"
)


def load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def name_of(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


def table(folder: str, name: str) -> Any:
    return load(RULEBOOKS / folder / "tables" / f"{name}.json")


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(load(ROOT / "schemas" / f"{name}.schema.json"))


def complaints(name: str, data: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)]


def dictionaries(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from dictionaries(item)


def fold(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


# -- schemas -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_schema_is_a_schema(path: Path) -> None:
    schema = load(path)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert re.fullmatch(r"referee/[a-z-]+/1", schema["$id"])
    assert schema["title"] and schema["description"]


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_schema_patterns_cannot_backtrack(path: Path) -> None:
    """A pattern repeats one character class at a time, with a bound, or a bounded group."""
    patterns = [part["pattern"] for part in dictionaries(load(path)) if isinstance(part.get("pattern"), str)]
    for pattern in patterns:
        assert pattern.startswith("^") and pattern.endswith("$"), pattern
        assert not re.search(r"(?<!\\)[*+]", pattern), f"{pattern} repeats without a bound"
        re.compile(pattern)


# -- ships and tables --------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPS, ids=name_of)
def test_ship_file(path: Path) -> None:
    ship = load(path)
    assert complaints("ship", ship) == []
    folder = path.parent.parent.name
    assert ship["id"] == f"{folder}/{path.stem}"
    assert ship["rulebook"] == f"sfb-{folder}"
    for mount in ship["mounts"]:
        tokens(mount["arc"])
    ids = [fold(mount["id"]) for mount in ship["mounts"]]
    assert len(ids) == len(set(ids))
    for part in ("figures", "shields", "boxes", "tracks"):
        for missing in ship.get("missing", ()):
            section, _, name = missing.partition("/")
            assert section != part or name not in ship.get(part, {}), f"{missing} is given and missing"


@pytest.mark.parametrize("path", SHIPS, ids=name_of)
def test_mounts_are_of_known_weapons(path: Path) -> None:
    weapons = table("sfb", "weapons")["weapons"]
    for mount in load(path)["mounts"]:
        weapon = weapons[mount["type"]]
        assert mount["id"].partition("/")[0] == weapon["prefix"]
        assert mount.get("max_range", 0) <= weapon.get("max_range", 0)


@pytest.mark.parametrize("path", SHIPS, ids=name_of)
def test_a_playable_ship_has_what_play_needs(path: Path) -> None:
    ship = load(path)
    if not ship["playable"]:
        assert ship["missing"]
        return
    assert {"move_cost", "turn_mode"} <= set(ship["figures"])
    assert set(ship["shields"]) == set("123456")
    for system in ("impulse", "battery", "bridge", "excess"):
        assert system in ship["boxes"]
    assert any(system.endswith("_hull") for system in ship["boxes"])
    assert any(system.endswith("_warp") for system in ship["boxes"])
    assert ship["mounts"]


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_table_file(path: Path) -> None:
    assert complaints("rule-table", load(path)) == []


@pytest.mark.parametrize("path", [*SHIPS, *TABLES], ids=name_of)
def test_provenance(path: Path) -> None:
    known = table("sfb", "sources")["sources"]
    text = path.read_text(encoding="utf-8")
    assert not re.search(r'"/[a-z]', text), "a path of somebody's machine"
    for part in dictionaries(json.loads(text)):
        if "status" in part:
            assert part["status"] in STATUSES
        if isinstance(part.get("source"), list):
            assert set(part["source"]) <= set(known)
        if {"value", "source"} <= set(part) and part["status"] == "provisional":
            assert part.get("note"), f"{path.stem}: provisional, and not said why: {part}"


def test_no_two_ships_of_a_rulebook_answer_to_one_name() -> None:
    named: dict[tuple[str, str], str] = {}
    for path in SHIPS:
        ship = load(path)
        for alias in {fold(alias) for alias in ship["aliases"]}:
            assert named.setdefault((ship["rulebook"], alias), ship["id"]) == ship["id"], alias


@pytest.mark.parametrize("path", sorted(RULEBOOKS.glob("*/rulebook.json")), ids=lambda path: path.parent.name)
def test_descriptor(path: Path) -> None:
    assert complaints("rulebook", load(path)) == []


# -- damage charts -----------------------------------------------------------------------


@pytest.mark.parametrize("path", CHARTS, ids=name_of)
def test_chart_is_complete(path: Path) -> None:
    chart = load(path)
    count, _, sides = chart["dice"].partition("d")
    assert list(map(int, chart["rows"])) == list(range(int(count), int(count) * int(sides) + 1))
    used = set()
    for row in chart["rows"].values():
        assert len(row) == len(chart["columns"])
        assert row[-1]["entry"] == "excess" and not row[-1]["once"]
        used |= {cell["entry"] for cell in row}
        assert all(cell["agree"] * 2 > cell["of"] for cell in row)
    assert used == set(chart["entries"])
    for entry in chart["entries"].values():
        assert all(set(group) <= SYSTEMS for group in entry["takes"])


def test_standard_chart_once_per_volley() -> None:
    chart = table("standard", "damage_chart")
    cells = {
        f"{roll}{column}": cell
        for roll, row in chart["rows"].items()
        for column, cell in zip(chart["columns"], row, strict=True)
    }
    assert len(cells) == 143
    once = "2A 2B 2C 2D 2E 3A 3B 3H 4A 4B 5A 5F 6E 8E 9A 9F 10A 10B 11A 11B 11H 12A 12B 12C 12D 12E"
    assert [name for name, cell in cells.items() if cell["once"]] == once.split()
    assert cells["4J"] == {"entry": "transporter", "once": False, "agree": 5, "of": 6}
    assert cells["11L"] == {"entry": "phaser", "once": False, "agree": 5, "of": 6}
    assert [name for name, cell in cells.items() if cell["agree"] != cell["of"]] == ["4J", "11L"]


def test_cadet_chart_has_every_category_once_a_row() -> None:
    chart = table("cadet", "damage_chart")
    for row in chart["rows"].values():
        assert sorted(cell["entry"] for cell in row) == ["engine", "excess", "hull", "other", "weapon"]


# -- weapons, movement, turn modes -------------------------------------------------------


def test_weapon_tables_are_rectangular() -> None:
    weapons = table("sfb", "weapons")["weapons"]
    prefixes = [weapon["prefix"] for weapon in weapons.values()]
    assert len(prefixes) == len(set(prefixes))
    for name, weapon in weapons.items():
        bands = weapon.get("bands", [])
        assert all(low <= high for low, high in bands), name
        assert all(after[0] == before[1] + 1 for before, after in pairwise(bands)), name
        for row in weapon.get("damage", {}).values():
            assert len(row) == len(bands), name
            assert row == sorted(row, reverse=True), f"{name} does more damage farther away"
        if "warhead" in weapon:
            assert len(weapon["warhead"]) == len(bands), name
        for mode in weapon.get("modes", {}).values():
            assert len(mode["hit_on_or_under"]) == len(bands), name
            if "damage" in mode:
                pairs = zip(mode["hit_on_or_under"], mode["damage"], strict=True)
                assert all((hit is None) == (damage is None) for hit, damage in pairs), name
        if "uses_table" in weapon:
            assert weapon["uses_table"] in weapons


def test_phasers_are_ranked_by_power() -> None:
    phasers = {n: w for n, w in table("sfb", "weapons")["weapons"].items() if w["system"] == "phaser"}
    ranked = sorted(phasers, key=lambda name: phasers[name]["power_rank"])
    assert ranked == ["phaser-4", "phaser-1", "phaser-g", "phaser-2", "phaser-3"]


def test_exempt_from_once_per_turn() -> None:
    weapons = table("sfb", "weapons")["weapons"]
    assert {n for n, w in weapons.items() if w["exempt_from_once_per_turn"]} == {"phaser-g", "ppd"}


def test_movement_charts_follow_the_formula() -> None:
    movement = table("sfb", "movement")
    for impulses, chart in movement["charts"].items():
        n = int(impulses)
        for impulse, speeds in chart["speeds_by_impulse"].items():
            i = int(impulse)
            assert speeds == [s for s in range(1, n + 1) if i * s // n > (i - 1) * s // n]
        limits = [movement[limit][impulses]["value"] for limit in ("max_speed", "seeker_speed")]
        assert limits[0] <= limits[1] <= n


def test_turn_modes_cover_every_speed() -> None:
    turn_modes = table("sfb", "turn_modes")
    charts = [*turn_modes["charts"].values(), *(chart["brackets"] for chart in turn_modes["cadet"].values())]
    for chart in charts:
        assert chart[0][0] in (1, 2)
        for before, after in pairwise(chart):
            assert after[0] == before[1] + 1 and after[2] == before[2] + 1


def test_arcs_are_those_the_program_knows() -> None:
    arcs = table("sfb", "arcs")
    for kind in ("sectors", "combinations", "half_planes", "hex_rows"):
        for name in arcs[kind]:
            assert tokens(name) == (name,)


# -- labels ------------------------------------------------------------------------------


def test_form_labels_mean_one_thing() -> None:
    labels = table("sfb", "form_labels")
    known: dict[str, str] = {}
    kinds = {"shields": labels["shields"], "ship": labels["ship"], "turn": labels["turn"]}
    for key, spellings in {**labels["lines"], **labels["weapons"], **kinds, "": labels["ignored"]}.items():
        for spelling in spellings:
            assert fold(spelling), f"{spelling!r} has no letters"
            assert fold(spelling) not in known, f"{spelling} is {key} and {known[fold(spelling)]}"
            known[fold(spelling)] = key
    marks = [*"abcdefgh", *map(str, range(1, 13))]
    whole = {fold(spelling) for spellings in labels["lines"].values() for spelling in spellings}
    for spelling in [s for spellings in labels["weapons"].values() for s in spellings]:
        assert not whole & {fold(spelling) + mark for mark in marks}, f"{spelling} with a mark is a line too"


@pytest.mark.parametrize(
    ("label", "line"),
    [
        ("Btty Avail", "5"),
        ("BttyAvail", "5"),
        ("BttyUsedEA", "6"),
        ("BttyRecharge", "16"),
        ("BttyUsedInTurn", "21"),
        ("Phas Cap", "9:held"),
        ("PhasFired", "9:fired"),
        ("Phasrecharge", "9"),
        ("Atomic Power", "3"),
        ("Gen Reinf", "12"),
        ("HET/EM", "19:het"),
        ("WW/SS", "19:shuttles"),
        ("Dam Con", "15"),
        ("Total Used", "20"),
        ("Total Power Used", "20"),
        ("AFC", "8"),
    ],
)
def test_labels_of_the_module_sheet(label: str, line: str) -> None:
    lines = table("sfb", "form_labels")["lines"]
    assert [key for key, spellings in lines.items() if fold(label) in map(fold, spellings)] == [line]


def test_every_line_has_a_label() -> None:
    lines = table("sfb", "form_labels")["lines"]
    assert {str(n) for n in range(1, 22)} <= set(lines)


def test_box_labels_mean_one_thing() -> None:
    labels = table("sfb", "box_labels")
    assert set(labels["systems"]) <= SYSTEMS
    assert set(labels["weapons"]) <= set(table("sfb", "weapons")["weapons"])
    known: dict[str, str] = {}
    for key, spellings in {**labels["systems"], **labels["weapons"], "": labels["shields"]}.items():
        for spelling in spellings:
            assert fold(spelling) not in known, f"{spelling} is {key} and {known[fold(spelling)]}"
            known[fold(spelling)] = key


def test_step_labels_mean_one_step_of_the_sequence() -> None:
    from referee.rulebooks.registry import load_rulebook

    sequence = load_rulebook("sfb").descriptor["sequence_of_play"]
    steps = table("sfb", "step_labels")["steps"]
    assert set(steps) == {*sequence["turn"], *sequence["impulse"]} - {"impulses"}
    spellings = [fold(spelling) for row in steps.values() for spelling in row]
    assert len(spellings) == len(set(spellings))


# -- what a player or another program writes ---------------------------------------------

FORM = {
    "schema": "referee/energy-allocation/1",
    "ship": "cadet/federation-ca",
    "turns": [{"turn": 1, "lines": {"1": 16, "9": "3", "10": {"PHOT/A": 2}, "13": {"1": 2}, "14": 13}}],
}
STATE = {
    "schema": "referee/ship-state/1",
    "ship": "cadet/klingon-d6",
    "destroyed": ["forward_hull/1", "PH-2/A"],
    "shields": {"1": 0},
    "batteries": "1",
    "capacitor": "5/2",
    "tubes": {"PHOT/A": ["2"]},
    "speed": 12,
    "shuttles_away": ["shuttle/1"],
}
MAP = {
    "schema": "referee/module-map/1",
    "module": {"name": "A duel"},
    "impulses": 16,
    "maps": {"space": ["Space"], "ssd": ["SSD"]},
    "pieces": {"ssd": {"map": "SSD", "markers": {"Type": "SSD"}}},
    "pairing": {"by": "marker", "marker": "ShipId"},
    "ships": [
        {
            "counter": "CA Meridian",
            "ssd": "SSD Meridian",
            "ship": "cadet/federation-ca",
            "changes": {"boxes": {"forward_hull": 4}, "shields": {"1": 16}},
            "weapons": {"PHOT-A": "PHOT/A"},
            "rows": {"Photon A": "10:PHOT/A"},
        }
    ],
    "facing": {
        "trait": "rotate",
        "name": "Heading",
        "states": 6,
        "letters": "ABCDEF",
        "reversed_board_adds": -3,
    },
    "form": {"trait": "table", "title": "Show Data", "label_column": 0, "header_row": 0},
    "damage": [
        {"as": "layers", "destroyed_level": 2, "names": {"Warp L 1": "left_warp/1", "Warp R": "right_warp"}},
        {"as": "sheet", "counts": "left"},
        {"as": "properties", "counts": "left", "names": {"PH1": "phaser-1"}},
    ],
    "tracker": {"name": "Turn", "levels": {"turn": "Turn"}, "steps": {"Move": "move-ships"}},
    "orders": {"prefix": "!", "speaker": "side"},
    "start": {"speed": 8, "batteries": "full", "capacitor": "empty"},
}
REPORT = {
    "schema": "referee/check-report/1",
    "verdict": "illegal",
    "rulebook": "sfb-cadet",
    "findings": [
        {
            "rule": "B3.0-20",
            "key": "B3.0-20",
            "severity": "error",
            "message": "23 points spent, 22 available",
            "location": {"file": "turn2.csv", "cell": "C14"},
            "data_status": "single-source",
        }
    ],
    "checked": ["B3.0-20"],
    "not_checked": [{"rule": "C3.2", "reason": "no moves given"}],
    "inputs": [{"file": "turn2.csv", "sha256": "0" * 64}],
    "ledgers": [{"ship": "CA", "turn": 1, "lines": [{"line": "14", "amount": "13", "from": {"warp": "13"}}]}],
}
VOLLEY = {
    "schema": "referee/volley/1",
    "ship": "standard/klingon-d7",
    "rulebook": "sfb-standard",
    "damage": 31,
    "shield": {"number": 1, "before": 30, "after": 0},
    "internals": 1,
    "hits": [
        {"n": 1, "roll": 6, "cell": "6A", "result": "forward_hull", "system": "forward_hull", "box": "x/1"}
    ],
    "destroyed": False,
    "dice": {"source": "given", "rolls": [6]},
}
DUMP = {
    "schema": "referee/vassal-dump/1",
    "kind": "save",
    "encoding": "!VCSK",
    "module": {"name": "A duel", "version": "1.0"},
    "players": [{"name": "Alice", "side": "Federation"}],
    "pieces": [{"id": "1", "name": "CA", "kind": "piece", "location": None, "facing": {"index": 3, "of": 6}}],
    "steps": [{"n": 1, "commands": [{"kind": "chat"}]}],
}
SAMPLES = {
    "energy-allocation": FORM,
    "ship-state": STATE,
    "module-map": MAP,
    "check-report": REPORT,
    "volley": VOLLEY,
    "vassal-dump": DUMP,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_fits_its_schema(name: str) -> None:
    assert complaints(name, SAMPLES[name]) == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("energy-allocation", {"turns": [{"turn": 1, "lines": {"14": -1}}]}),
        ("energy-allocation", {"turns": [{"turn": 1, "lines": {"22": 1}}]}),
        ("energy-allocation", {"turns": [{"turn": 1, "lines": {"14": "1/0"}}]}),
        ("energy-allocation", {"trun": []}),
        ("energy-allocation", {"schema": "referee/energy-allocation/2"}),
        ("ship-state", {"capacitor": 2.5}),
        ("ship-state", {"shields": {"7": 3}}),
        ("module-map", {"ships": [{"counter": "CA"}]}),
        ("module-map", {"damage": [{"as": "layers"}]}),
        ("check-report", {"verdict": "maybe"}),
        ("volley", {"hits": [{"n": 1, "result": "lab", "cell": "13A"}]}),
        ("vassal-dump", {"players": [{"name": "Alice", "side": "Federation", "id": "secret"}]}),
    ],
)
def test_what_does_not_fit_is_refused(name: str, change: dict[str, Any]) -> None:
    assert complaints(name, {**SAMPLES[name], **change})


# -- where the numbers came from ---------------------------------------------------------


def numbers_of(facts: Any) -> dict[str, Any]:
    """The single numbers of a ship of the shared file, under the names used here."""
    hulls = {"F": "forward_hull", "A": "aft_hull", "C": "center_hull"}
    engines = {"L": "left_warp", "R": "right_warp", "C": "center_warp"}
    found = {}
    for key, fact in facts.items():
        value = fact.get("v") if isinstance(fact, dict) else None
        if key in ("hull", "warp") and isinstance(value, dict):
            names = hulls if key == "hull" else engines
            found |= {names[side]: boxes for side, boxes in value.items()}
        elif key == "shields" and value:
            found |= {f"shield {n}": boxes for n, boxes in enumerate(value, 1)}
        elif key == "turn_mode" and isinstance(value, dict):
            found[key] = [[*map(int, bracket.split("-")), mode] for bracket, mode in value.items()]
        elif key in ("move_cost", "cloak_cost"):
            found[key] = str(value)
        elif key == "flag":
            found["flag_bridge"] = value
        elif key.startswith("shield_"):
            found[f"shield {key[-1]}"] = value
        elif isinstance(value, int | list) or key == "breakdown":
            found[key] = value
    return found


# Totals of the shared file that are figures here, under another name.
RENAMED = {"warp": "warp_total", "total_power": "power_total", "phaser_capacitor": "capacitor"}


@needs_shared
@pytest.mark.parametrize("path", SHIPS, ids=name_of)
def test_numbers_agree_with_the_shared_ships(path: Path) -> None:
    ship = load(path)
    shared = load(SHARED / "ships.json")
    facts = {**shared["standard"], **shared["cadet"]}[ship["id"]]
    given = {f"shield {n}": number["value"] for n, number in ship["shields"].items()}
    for section in ("figures", "boxes", "tracks"):
        given |= {name: number["value"] for name, number in ship[section].items()}
    expected = {RENAMED.get(name, name): value for name, value in numbers_of(facts).items()}
    weapons = {"drone_rack": "drone", "disruptors": "disruptor"}
    for name, type in weapons.items():
        if name in expected:
            assert expected.pop(name) == sum(mount["type"] == type for mount in ship["mounts"])
    if ship["id"] == "cadet/freighter":
        assert given["speed"] == facts["speed"]
        return
    assert {name: str(given.get(name)) for name in expected} == {n: str(v) for n, v in expected.items()}


@needs_shared
@pytest.mark.parametrize("path", SHIPS, ids=name_of)
def test_weapons_agree_with_the_shared_ships(path: Path) -> None:
    ship = load(path)
    shared = load(SHARED / "ships.json")
    facts = {**shared["standard"], **shared["cadet"]}[ship["id"]]
    marks = sorted(
        str(mark)
        for weapon in facts.get("weapons", ())
        if weapon.get("type", "option mount") != "option mount"
        for mark in weapon["ids"]
    )
    if marks:
        assert sorted(mount["id"].partition("/")[2] for mount in ship["mounts"]) == marks


@needs_shared
def test_every_shared_ship_is_here() -> None:
    shared = load(SHARED / "ships.json")
    folders = {path.parent.parent.name for path in SHIPS}
    wanted = {id for part in folders for id in shared[part]}
    assert {load(path)["id"] for path in SHIPS} == wanted


@needs_shared
def test_charts_agree_with_the_shared_charts() -> None:
    standard, cadet = load(SHARED / "dac_standard.json"), load(SHARED / "dac_cadet.json")
    for roll, row in table("standard", "damage_chart")["rows"].items():
        shared_row = [(cell["system"], cell["once_per_volley"]) for cell in standard["rows"][roll]]
        assert [(cell["entry"], cell["once"]) for cell in row] == shared_row
    rows = table("cadet", "damage_chart")["rows"]
    assert {roll: [cell["entry"] for cell in row] for roll, row in rows.items()} == cadet["rows"]


@needs_shared
def test_impulse_charts_agree_with_the_shared_transcription() -> None:
    """All 1,344 cells of the three charts, that of 32 impulses being a literal transcription."""
    shared, here = load(SHARED / "movement.json"), table("sfb", "movement")
    assert {of: chart["speeds_by_impulse"] for of, chart in here["charts"].items()} == shared[
        "speeds_by_impulse"
    ]
    assert sum(int(of) ** 2 for of in here["charts"]) == 8 * 8 + 16 * 16 + 32 * 32
    for limit in ("max_speed", "seeker_speed"):
        assert {of: says["value"] for of, says in here[limit].items()} == shared[limit]


@needs_shared
def test_turn_modes_agree_with_the_shared_charts() -> None:
    shared = load(SHARED / "turn_modes.json")
    here = table("sfb", "turn_modes")
    assert here["charts"] == shared["chart"]
    cadet = {race: chart for race, chart in shared["cadet"].items() if isinstance(chart, list)}
    assert {race: here["cadet"][race]["brackets"] for race in cadet} == cadet


@needs_shared
def test_weapons_agree_with_the_shared_weapons() -> None:
    shared = load(SHARED / "weapons.json")
    here = table("sfb", "weapons")["weapons"]
    for name in ("phaser-1", "phaser-2", "phaser-3", "phaser-4", "fusion"):
        assert (here[name]["bands"], here[name]["damage"]) == (shared[name]["bands"], shared[name]["damage"])
    for name in ("photon", "disruptor"):
        assert here[name]["bands"] == shared[name]["bands"]
        for mode, hits in shared[name]["hit_on_or_under"].items():
            assert here[name]["modes"][mode]["hit_on_or_under"] == hits
    for letter, warhead in shared["plasma"]["warhead"].items():
        weapon = here[f"plasma-{letter.lower()}"]
        assert weapon["warhead"] == warhead
        assert list(map(int, weapon["arming"]["steps"])) == shared["plasma"]["arming"][letter]


def test_a_d6_is_a_d7_less_its_wing_phasers_two_reactors_and_the_reach_of_its_disruptors() -> None:
    d6, d7 = load_ship("standard/klingon-d6"), load_ship("standard/klingon-d7")
    wings = [mount for mount in d7.mounts if mount.id in ("PH-2/4", "PH-2/5")]
    assert {mount.arc for mount in wings} == {"LF+L+RR", "RF+R+LR"}
    left = [(mount.type, mount.arc) for mount in d7.mounts if mount not in wings]
    assert [(mount.type, mount.arc) for mount in d6.mounts] == left
    assert {mount.max_range for mount in d6.mounts if mount.type == "disruptor"} == {22}
    assert {mount.max_range for mount in d7.mounts if mount.type == "disruptor"} == {30}
    assert dict(d7.boxes) == {**d6.boxes, "apr": 4} and d6.boxes["apr"] == 2
    assert (d6.shields, d6.tracks, d6.turn_mode, d6.move_cost) == (
        d7.shields,
        d7.tracks,
        d7.turn_mode,
        d7.move_cost,
    )
