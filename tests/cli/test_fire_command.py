"""`referee fire` as a player types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.cli import app
from referee.cli.fire import ENTRY
from referee.cli.main import run
from referee.judging.fire_table import BOUNDS

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
ON = ["--option", "reinforcement=true"]
FED, D6 = "cadet/federation-ca", "cadet/klingon-d6"
BROADSIDE = [
    "fire",
    FED,
    "--at",
    "0915D",
    "--target",
    D6,
    "--target-at",
    "0918A",
    "--last-fired",
    "none",
    "--paid",
]
BROADSIDE += ["--turn", "2", "--impulse", "5"]


@pytest.fixture(autouse=True)
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(app.COMMANDS, "fire", "fire")
    monkeypatch.chdir(tmp_path)


class Said:
    """What a run printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.out)
        Draft202012Validator(json.loads((SCHEMAS / "fire.schema.json").read_bytes())).validate(data)
        return data


@pytest.fixture
def referee(capfd: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> Said:
        capfd.readouterr()
        code = run(list(arguments))
        return Said(code, *capfd.readouterr())

    return call


def test_one_weapon_at_a_range(referee: Any) -> None:
    said = referee("fire", "--weapon", "phaser-2", "--range", "3", "--dice", "2")
    assert said.code == 0 and "Damage: 4" in said.out
    (shot,) = referee("fire", "--weapon", "ph1", "--range", "1", "--dice", "1", "--json").json["shots"]
    assert (shot["type"], shot["damage"], shot["range"]) == ("phaser-1", 8, {"true": 1, "effective": 1})


def test_a_phaser_beyond_its_table_does_nothing(referee: Any) -> None:
    said = referee("fire", "--weapon", "phaser-3", "--range", "16", "--dice", "1", "--json")
    assert (said.code, said.json["damage"], said.json["verdict"]) == (0, 0, "legal")


@pytest.mark.parametrize(
    ("weapon", "range"),
    [("photon", "1"), ("photon", "31"), ("disruptor", "0"), ("disruptor", "41"), ("fusion", "25")],
)
def test_another_weapon_outside_its_limits_is_illegal(referee: Any, weapon: str, range: str) -> None:
    said = referee("fire", "--weapon", weapon, "--range", range, "--seed", "x", "--json")
    assert said.code == 1
    assert (said.json["verdict"], said.json["shots"], said.json["volley"]) == ("illegal", [], None)
    assert said.json["findings"][0]["rule"] in ("E4.0", "E3.0", "E1.3")


def test_a_seeker_is_not_fired(referee: Any) -> None:
    said = referee("fire", "--weapon", "drone", "--range", "5", "--seed", "x")
    assert said.code == 1 and "[D1.3]" in said.out


def test_one_weapon_on_a_ship(referee: Any) -> None:
    fire = ["fire", "--weapon", "photon", "--range", "4", "--times", "2", "--dice", "4 4 5 5 5 5"]
    data = referee(*fire, "--target", D6, "--shield", "2", "--volley", "--json").json
    assert data["volley"]["shield"] == {"number": 2, "before": 12, "after": 0} and data["shield"] == 2
    schema = json.loads((SCHEMAS / "volley.schema.json").read_bytes())
    Draft202012Validator(schema).validate(data["volley"])


def test_times(referee: Any) -> None:
    data = referee(
        "fire", "--weapon", "phaser-1", "--range", "3", "--times", "3", "--dice", "1 3 6", "--json"
    ).json
    assert [shot["damage"] for shot in data["shots"]] == [6, 4, 3] and data["damage"] == 13
    assert data["dice"] == {"source": "scripted", "rolls": [1, 3, 6]}


def test_lock_on_scanner_and_cloak(referee: Any) -> None:
    plain = ["fire", "--weapon", "phaser-1", "--range", "3", "--dice", "1", "--json"]
    damaged = [*plain, "--no-lock-on", "--scanner", "3"]
    assert referee(*damaged).json["shots"][0]["range"]["effective"] == 9
    assert referee(*damaged, "--target-cloak", "cloaked").json["shots"][0]["range"]["effective"] == 14
    assert referee(*plain, "--target-cloak", "fading-in:1").json["shots"][0]["range"]["effective"] == 7


def test_a_seed_is_drawn_and_shown(referee: Any) -> None:
    first = referee("fire", "--weapon", "phaser-1", "--range", "3", "--times", "9", "--json").json
    seed = first["dice"]["source"].removeprefix("seed ")
    again = referee(
        "fire", "--weapon", "phaser-1", "--range", "3", "--times", "9", "--json", "--seed", seed
    ).json
    assert again == first


def test_a_broadside_and_its_volley(referee: Any) -> None:
    said = referee(
        *BROADSIDE,
        "--weapons",
        "phot-b,ph1a,PH-1B,PH-1/C",
        "--dice",
        "4 1 3 6 " + "5 " * 5,
        "--volley",
        "--json",
    )
    data = said.json
    assert said.code == 0, said.err
    assert [shot["damage"] for shot in data["shots"]] == [8, 6, 4, 3]
    assert (data["damage"], data["shield"]) == (21, 1)
    assert data["volley"]["shield"] == {"number": 1, "before": 16, "after": 0}
    assert data["volley"]["internals"] == 5 and data["volley"]["ship"] == D6
    text = referee(*BROADSIDE, "--weapons", "phot-b", "--dice", "4", "--volley").out
    assert "Klingon cadet battlecruiser D6, shield 1: 8 in one volley" in text and "16 → 8" in text


def test_reinforcement_absorbs(referee: Any) -> None:
    said = referee(
        *BROADSIDE, "--weapons", "phot-b", "--dice", "4", "--volley", "--reinforcement", "2,1", "--json", *ON
    )
    assert said.json["volley"]["reinforcement"] == 3
    assert said.json["volley"]["shield"]["after"] == 11


def test_checked_before_any_die_is_rolled(referee: Any) -> None:
    said = referee(*BROADSIDE, "--weapons", "all", "--target-at", "0912A", "--dice", "1")
    assert said.code == 1 and "out of arc" in said.out and "[D2.2]" in said.out
    again = [
        "fire",
        FED,
        "--at",
        "0915D",
        "--target",
        D6,
        "--target-at",
        "0918A",
        "--weapons",
        "PH-1A",
        "--turn",
        "2",
    ]
    said = referee(*again, "--impulse", "5", "--last-fired", "PH-1A@2.1")
    assert said.code == 1 and "[E2.23]" in said.out
    assert "[E1.5]" in referee(*again, "--impulse", "1", "--last-fired", "ph1a@1.14").out


def test_energy_from_a_form(referee: Any, tmp_path: Path) -> None:
    form = {
        "schema": "referee/energy-allocation/1",
        "ship": FED,
        "turns": [
            {"turn": 1, "lines": {"9": "1", "10": {"PHOT/A": "2"}}},
            {"turn": 2, "lines": {"10": {"PHOT/A": "2"}}},
            {"turn": 3, "lines": {"5": "2", "21": "1"}},
        ],
    }
    (tmp_path / "form.json").write_text(json.dumps(form))
    fire = [
        "fire",
        FED,
        "--at",
        "0915D",
        "--target",
        D6,
        "--target-at",
        "0918A",
        "--form",
        "form.json",
        "--seed",
        "1",
    ]
    assert referee(*fire, "--weapons", "PHOT-A,PH-1A", "--turn", "2").code == 0
    early = referee(*fire, "--weapons", "PHOT-A", "--turn", "1")
    assert early.code == 1 and "[E1.2/energy]" in early.out
    lent = referee(*fire, "--weapons", "PH-1A,PH-1B", "--turn", "2")
    assert lent.code == 0 and "1 of battery power is counted as used in the turn" in lent.out
    many = referee(*fire, "--weapons", "PH-1A,PH-1B,PH-1C", "--turn", "3")
    assert many.code == 1 and "[E2.21]" in many.out, "line 21 says what batteries gave"


def test_declarations_of_both_sides(referee: Any, tmp_path: Path) -> None:
    step = [
        {
            "firer": "Fed",
            "ship": FED,
            "at": "0915D",
            "weapons": ["PH-1A", "PH-1C"],
            "target": "Klink",
            "paid": True,
        },
        {
            "firer": "Klink",
            "ship": D6,
            "at": "0918A",
            "weapons": "DISR-A,DISR-B",
            "target": "Fed",
            "paid": True,
        },
    ]
    path = tmp_path / "step.json"
    path.write_text(json.dumps(step))
    data = referee("fire", "--declarations", "step.json", "--dice", "1 1 1 1", "--volley", "--json").json
    assert [(v["target"], v["shield"], v["damage"]) for v in data["volleys"]] == [
        ("Klink", 1, 12),
        ("Fed", 1, 8),
    ]
    assert len(data["struck"]) == 2 and data["volley"] is None
    assert [shot["firer"] for shot in data["shots"]] == ["Fed", "Fed", "Klink", "Klink"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{}", "not a list"),
        ("[]", "not a list"),
        ("[1]", "/0: is not an object"),
        ('[{"wepons": []}]', "did you mean weapons"),
        ('[{"turn": "1"}]', "/0/turn: turn is of the wrong kind"),
        ('[{"turn": true}]', "wrong kind"),
        ('[{"weapons": "PH-1A"}]', "which ship is the firer"),
        ('[{"ship": "cadet/federation-ca", "target": "X", "weapons": ["PH-1Z"]}]', "did you mean PH-1A"),
        ('[{"ship": "cadet/federation-ca", "target": "X", "weapons": [7]}]', "no weapon 7"),
        ('[{"ship": "cadet/federation-ca", "target": "X", "weapons": ["PH-1A"], "at": "9X"}]', "not a hex"),
        ('[{"ship": "cadet/federation-ca", "target": "X", "weapons": ["PH-1A"], "turn": 0}]', "turn 0"),
        ('[{"ship": "cadet/federation-ca", "target": "X", "weapons": ["PH-1A"], "last_fired": {"PH-1B": "1.1"}}]', "does not fire here"),
        ("[", "step.json"),
    ],
)  # fmt: skip
def test_unreadable_declarations(referee: Any, tmp_path: Path, content: str, reason: str) -> None:
    (tmp_path / "step.json").write_text(content)
    said = referee("fire", "--declarations", "step.json")
    assert said.code == 2 and reason in said.err and said.err.count("\n") == 1, said.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "say what fires"),
        (["--weapon", "phaser-1"], "--range N"),
        (["--weapon", "phaser-1", "--range", "1", "--at", "0915C"], "goes without at"),
        (["--weapon", "phasor-1", "--range", "1"], "did you mean phaser-1"),
        (["--weapon", "phaser-1", "--range", "-1"], "range -1"),
        (["--weapon", "phaser-1", "--range", "1", "--times", "0"], "--times 0"),
        (["--weapon", "phaser-1", "--range", "1", "--dice", "1 2"], "left over"),
        (["--weapon", "phaser-1", "--range", "1", "--dice", "7"], "cannot be rolled"),
        (["--weapon", "phaser-1", "--range", "1", "--dice", "1", "--volley"], "which shield"),
        (["--weapon", "phaser-1", "--range", "1", "--target-cloak", "gone"], "not a cloak"),
        (["--weapon", "esg", "--range", "1", "--dice", "1"], "no firing table"),
        (["--weapon", "phaser-1", "--range", "1", "--option", "volly_groups=step"], "volley_groups"),
        (["cadet/federation-cb", "--weapons", "PH-1A", "--target", D6], "did you mean cadet/federation-ca"),
        ([FED, "--weapons", "PH-1X", "--target", D6], "did you mean PH-1A"),
        ([FED, "--weapons", "PH-1A"], "which ship is the target"),
        ([FED, "--target", D6], "which weapons"),
        ([FED, "--target", D6, "--weapons", "PH-1A", "--seed", "1"], "range of"),
        ([FED, "--target", D6, "--weapons", "PH-1A", "--at", "0915X"], "not a hex"),
        ([FED, "--target", D6, "--weapons", "PH-1A", "--last-fired", "soon"], "PH-1A@1.16"),
        ([FED, "--target", D6, "--weapons", "PH-1A", "--last-fired", "PH-1A@soon"], "1.16"),
        ([FED, "--target", D6, "--weapons", "PH-1A", "--state", "none.json"], "none.json"),
    ],
)
def test_wrong_usage(referee: Any, arguments: list[str], reason: str) -> None:
    said = referee("fire", *arguments)
    assert said.code == 2 and reason in said.err and said.err.count("\n") == 1, said.err
    assert not said.out


def test_a_ship_against_its_own_class(referee: Any) -> None:
    duel = [
        "fire",
        FED,
        "--at",
        "0915D",
        "--target",
        FED,
        "--target-at",
        "0918A",
        "--weapons",
        "PH-1A",
        "--dice",
        "1",
    ]
    data = referee(*duel, "--paid", "--volley", "--json").json
    assert data["shots"][0]["firer"] != data["shots"][0]["target"] and data["volley"]["ship"] == FED


def test_a_corner(referee: Any) -> None:
    fire = [
        "fire",
        FED,
        "--at",
        "0713E",
        "--target",
        D6,
        "--target-at",
        "0614D",
        "--weapons",
        "PH-1C",
        "--dice",
        "1",
    ]
    plain = referee(*fire, "--json").json
    assert plain["shots"][0]["shields"] == [4, 5] and plain["shield"] is None and plain["volleys"] == []
    said = referee(*fire, "--volley")
    assert said.code == 2 and "#4 or #5" in said.err
    assert referee(*fire, "--volley", "--shield", "5", "--json").json["volley"]["shield"]["number"] == 5


def test_names_from_files_are_made_safe(referee: Any, tmp_path: Path) -> None:
    step = [
        {
            "firer": "\x1b[31mFed",
            "ship": FED,
            "range": 2,
            "weapons": ["PH-1A"],
            "target": "\u202eX",
            "paid": True,
        }
    ]
    (tmp_path / "step.json").write_text(json.dumps(step))
    said = referee("fire", "--declarations", "step.json", "--dice", "1")
    assert said.code == 0 and "\x1b" not in said.out and "\u202e" not in said.out


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ({"firer": "Conie", "target": "Destruction", "weapons": ["PH-1B"]}, "did you mean Connie?"),
        ({"firer": "Connie", "target": "Distruction", "weapons": ["PH-1B"]}, "did you mean Destruction?"),
        ({"firer": "Connie", "target": "Destruction", "weapons": ["PH-1Z"]}, "did you mean PH-1A"),
        ({"firer": "Connie", "target": "Destruction", "wepons": ["PH-1B"]}, "did you mean weapons?"),
        (
            {"firer": "Connie", "target": "Zed", "target_ship": "cadet/klingon-d66", "weapons": ["PH-1B"]},
            "cadet/klingon-d6",
        ),
        (
            {"firer": "Connie", "target": "Zed", "target_at": "915C", "weapons": ["PH-1B"]},
            "did you mean 0915C",
        ),
    ],
)
def test_a_name_that_is_none_says_which_are_like_it(
    referee: Any, tmp_path: Path, second: dict[str, Any], says: str
) -> None:
    first = {"firer": "Connie", "ship": FED, "at": "0915D", "target": "Destruction", "target_ship": D6}
    entries = [{**first, "target_at": "0918A", "weapons": ["PH-1A"], "paid": True}, {**second, "paid": True}]
    (tmp_path / "step.json").write_text(json.dumps(entries))
    said = referee("fire", "--declarations", "step.json", "--seed", "x")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "step.json: /1" in said.err and says in said.err, said.err


def test_a_target_of_which_only_the_range_is_known_may_be_fired_at(referee: Any, tmp_path: Path) -> None:
    entry = {"firer": "Connie", "ship": FED, "target": "Somebody", "range": 5, "weapons": ["PH-1A"]}
    (tmp_path / "step.json").write_text(json.dumps([{**entry, "paid": True}]))
    assert referee("fire", "--declarations", "step.json", "--seed", "x").code == 0


# -- whom a target names -----------------------------------------------------------------

D7, WE = "standard/klingon-d7", "standard/romulan-we"
AT_WE = {"ship": D7, "at": "1009A", "weapons": ["PH-2/1"], "target_at": "1005D", "paid": True}
AT_D7 = {"ship": WE, "at": "1005D", "weapons": ["PH-1/1"], "target_at": "1009A", "paid": True}


def fired(referee: Any, tmp_path: Path, entries: list[dict[str, Any]], *more: str) -> Any:
    (tmp_path / "step.json").write_text(json.dumps(entries))
    return referee("fire", "--declarations", "step.json", *more)


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("Romulan War Egle", "did you mean Romulan War Eagle?"),
        ("standard/romulan-wee", "standard/romulan-we"),
        ("standard/klingon-d77", "did you mean standard/klingon-d7"),
    ],
)
def test_a_target_that_is_only_like_a_ship_is_refused(
    referee: Any, tmp_path: Path, target: str, meant: str
) -> None:
    said = fired(referee, tmp_path, [{**AT_WE, "target": target}, {**AT_D7, "target": D7}], "--seed", "a")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "step.json: /0" in said.err and meant in said.err, said.err


@pytest.mark.parametrize("more", [{"target_ship": WE}, {"target_state": "we.json"}])
def test_a_target_like_another_that_is_declared_stands(
    referee: Any, tmp_path: Path, more: dict[str, str]
) -> None:
    other = [{**AT_WE, "target": "Romulan War Egle", **more}, {**AT_D7, "at": "1006D", "target": D7}]
    said = fired(referee, tmp_path, other, "--seed", "a", "--json")
    assert said.code == 0 and said.json["shots"][0]["target"] == "Romulan War Egle", said.err


@pytest.mark.parametrize(
    "target",
    [D7, "klingon-d7", "STANDARD/KLINGON-D7", "Klingon D7 battlecruiser", "klingon d7 Battlecruiser"],
)
def test_a_class_as_target_is_the_firer_of_that_class(referee: Any, tmp_path: Path, target: str) -> None:
    both = [{**AT_WE, "target": WE}, {**AT_D7, "target": target}]
    said = fired(referee, tmp_path, both, "--dice", "1 1", "--volley", "--json")
    assert said.code == 0, said.err
    shots = [(shot["firer"], shot["target"]) for shot in said.json["shots"]]
    assert shots == [shots[0], shots[0][::-1]]
    assert [volley["ship"] for volley in said.json["struck"]] == [WE, D7]
    elsewhere = [both[0], {**both[1], "target_at": "1010A"}]
    said = fired(referee, tmp_path, elsewhere, "--seed", "a")
    assert said.code == 2 and "is at 1009A and at 1010A" in said.err


def test_a_class_of_which_two_fire_is_asked_back(referee: Any, tmp_path: Path) -> None:
    two = [{**AT_WE, "firer": "Red", "target": WE}, {**AT_WE, "firer": "Blue", "at": "1109A", "target": WE}]
    said = fired(referee, tmp_path, [*two, {**AT_D7, "target": D7}], "--seed", "a")
    assert said.code == 2 and "may be Red, Blue" in said.err and '"firer"' in said.err
    said = fired(referee, tmp_path, [*two, {**AT_D7, "target": "red"}], "--seed", "a", "--json")
    assert said.code == 0 and said.json["shots"][2]["target"] == "Red", said.err


def test_two_ships_of_a_class_are_told_apart_by_firer(referee: Any, tmp_path: Path) -> None:
    unnamed = [{**AT_WE, "target": WE}, {**AT_WE, "at": "1109A", "target": WE}]
    said = fired(referee, tmp_path, unnamed, "--seed", "a")
    assert said.code == 2 and 'told apart by "firer"' in said.err
    said = fired(referee, tmp_path, [{**unnamed[0], "name": "Red"}], "--seed", "a")
    assert said.code == 2 and '/0/name: unknown name; a ship that fires is named in "firer"' in said.err


def test_a_class_as_target_takes_the_damage(referee: Any, tmp_path: Path) -> None:
    said = fired(referee, tmp_path, [{**AT_WE, "target": WE}], "--dice", "1", "--volley", "--json")
    assert said.code == 0 and said.json["volley"]["ship"] == WE, said.err
    said = fired(referee, tmp_path, [{**AT_WE, "target": D7}], "--dice", "1", "--volley", "--json")
    assert said.code == 0 and said.json["volley"]["ship"] == D7, said.err
    assert [shot["firer"] != shot["target"] for shot in said.json["shots"]] == [True]


# -- what a declarations file may say ----------------------------------------------------

JSON_TYPES = {str: "string", int: "integer", bool: "boolean", list: "array", dict: "object"}


def on_the_page() -> list[dict[str, Any]]:
    text = (SCHEMAS.parent / "docs" / "volleys.md").read_text()
    block = next(part for part in text.split("```json\n")[1:] if part.startswith('[{"firer"'))
    entries: list[dict[str, Any]] = json.loads(block.partition("```")[0])
    return entries


def test_the_schema_of_declarations_is_what_is_read() -> None:
    schema = json.loads((SCHEMAS / "fire-declarations.schema.json").read_bytes())
    says = {
        name: schema["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        for name, part in schema["items"]["properties"].items()
    }
    assert list(says) == list(ENTRY)
    for name, kinds in ENTRY.items():
        parts = says[name].get("anyOf", [says[name]])
        told = {part.get("type", "string") for part in parts}
        assert told == {JSON_TYPES[kind] for kind in (kinds if isinstance(kinds, tuple) else (kinds,))}, name
    bounds = {name: (part["minimum"], part["maximum"]) for name, part in says.items() if "minimum" in part}
    assert bounds == BOUNDS


def test_the_example_on_the_page_fits_and_fires(referee: Any, tmp_path: Path) -> None:
    schema = json.loads((SCHEMAS / "fire-declarations.schema.json").read_bytes())
    for entries in (on_the_page(), [{**TWO_SHIELDS[0], **KLINGON, **IN_ORDER}], [AT_WE], [AT_D7]):
        Draft202012Validator(schema).validate(entries)
    for wrong in (
        [],
        [{"firer": "A"}],
        [{**AT_WE, "name": "A"}],
        [{**AT_WE, "at": "9X"}],
        [{"weapons": "all"}],
    ):
        assert not Draft202012Validator(schema).is_valid(wrong), wrong
    said = fired(referee, tmp_path, on_the_page(), "--seed", "practice", "--volley", "--json")
    assert said.code == 0, said.err + said.out
    assert {volley["target"] for volley in said.json["struck"]} <= {"Wrath", "Eagle", "Meridian"}


def test_help_names_all_that_an_entry_may_say(referee: Any) -> None:
    told = " ".join(referee("fire", "--help").out.partition("--declarations")[2].split())
    assert ", ".join(ENTRY) in told and "schema fire-declarations" in told


# -- drones ------------------------------------------------------------------------------

AT_A_DRONE = ["fire", FED, "--at", "0915C", "--target", "drone", "--target-at", "1116D", "--paid"]
AT_A_DRONE += ["--weapons", "PH-1A,PH-1C", "--turn", "1", "--impulse", "1", "--last-fired", "none"]


@pytest.mark.parametrize(
    ("dice", "before", "points", "gone"),
    [("6 6", [], 6, True), ("6", ["--weapons", "PH-1A"], 3, False)],
)
def test_fire_at_a_drone_says_what_is_left_of_it(
    referee: Any, dice: str, before: list[str], points: int, gone: bool
) -> None:
    said = referee(*AT_A_DRONE, *before, "--dice", dice, "--json")
    assert said.code == 0, said.err
    hit = {"seeker": "drone", "points": points, "phasers": points, "gone": gone}
    assert said.json["seekers_hit"] == [hit] and said.json["volleys"] == [] and said.json["shield"] is None
    assert all("shields" not in shot for shot in said.json["shots"])
    told = referee(*AT_A_DRONE, *before, "--dice", dice).out
    assert f"drone: {points} scored on it, {'destroyed' if gone else 'flies on'}" in told


def test_points_scored_before_count(referee: Any) -> None:
    one = [*AT_A_DRONE, "--weapons", "PH-1A", "--dice", "6", "--json"]
    assert not referee(*one).json["seekers_hit"][0]["gone"]
    assert referee(*one, "--target-damage", "1").json["seekers_hit"][0]["gone"]
    alone = ["fire", "--weapon", "phaser-1", "--range", "3", "--rulebook", "sfb-cadet", "--dice", "6"]
    assert "flies on" in referee(*alone, "--target", "drone").out
    for wrong in (alone, ["fire", FED, "--target", D6, "--range", "3", "--weapons", "PH-1A", "--dice", "6"]):
        ran = referee(*wrong, "--target-damage", "1")
        assert ran.code == 2 and "of a seeker" in ran.err and ran.err.count("\n") == 1


def test_ships_and_drones_in_one_step(referee: Any, tmp_path: Path) -> None:
    common = {"ship": FED, "firer": "Fed", "at": "0915C", "paid": True, "last_fired": "none"}
    shots = [
        {**common, "weapons": ["PH-1A"], "target": "A", "target_ship": "drone", "target_at": "1116D"},
        {**common, "weapons": ["PH-1C"], "target": "Kli", "target_ship": D6, "target_at": "1116F"},
    ]
    path = tmp_path / "step.json"
    path.write_text(json.dumps(shots))
    said = referee("fire", "--declarations", str(path), "--dice", "1 1", "--json")
    assert said.code == 0, said.err
    assert [hit["seeker"] for hit in said.json["seekers_hit"]] == ["A"]
    assert [volley["target"] for volley in said.json["volleys"]] == ["Kli"]


def test_a_photon_at_a_drone_adds_two_to_its_die(referee: Any) -> None:
    shot = ["fire", "--weapon", "photon", "--range", "4", "--target", "drone", "--rulebook", "sfb-cadet"]
    assert referee(*shot, "--dice", "3", "--json").json["shots"][0]["hit"] is False


TWO_SHIELDS = [
    {"firer": "Fed", "ship": FED, "at": "0915D", "weapons": "PH-1A,PH-1B,PHOT-A", "target": "Kli"},
    {"firer": "Fed2", "ship": FED, "at": "1217E", "weapons": "PH-1B", "target": "Kli"},
]
KLINGON = {"target_ship": D6, "target_at": "0918A"}
IN_ORDER = {"paid": True, "turn": 1, "impulse": 5, "last_fired": "none"}


@pytest.mark.parametrize(
    ("points", "absorbed", "left"),
    [("0,0", [0, 0], [0, 6]), ("5,0", [5, 0], [1, 6]), ("22,0", [20, 2], [16, 8])],
)
def test_general_reinforcement_is_used_up_by_the_first_volley(
    referee: Any, tmp_path: Path, points: str, absorbed: list[int], left: list[int]
) -> None:
    """20 points on shield 1 of 16 boxes, 6 on shield 2 of 12: what meets the one is not there for the other."""
    entries = [{**entry, **KLINGON, **IN_ORDER} for entry in TWO_SHIELDS]
    (tmp_path / "step.json").write_text(json.dumps(entries))
    inside = max(0, 20 - absorbed[0] - 16)
    dice = " ".join(["1"] * (4 + inside))
    fired = ("fire", "--declarations", "step.json", "--volley", "--dice", dice, *ON, "--json")
    said = referee(*fired, "--reinforcement", points)
    assert said.code == 0, said.err
    volleys = said.json["struck"]
    assert [volley["reinforcement"] for volley in volleys] == absorbed
    assert [volley["shield"]["after"] for volley in volleys] == left


@pytest.mark.parametrize(
    ("entries", "points", "says"),
    [
        (TWO_SHIELDS, "0,3", "3 of specific reinforcement for #1 or #2"),
        ([*TWO_SHIELDS, {"firer": "Kli", "weapons": "PH-2A", "target": "Fed"}], "2,0", "of Kli or Fed"),
    ],
)
def test_reinforcement_of_nobody_knows_what(
    referee: Any, tmp_path: Path, entries: list[dict[str, str]], points: str, says: str
) -> None:
    places = {"Fed": {"target_at": "0915D"}, "Kli": KLINGON}
    said = [{**entry, **places[entry["target"]], **IN_ORDER} for entry in entries]
    (tmp_path / "step.json").write_text(json.dumps(said))
    ran = referee("fire", "--declarations", "step.json", "--volley", "--seed", "x", "--reinforcement", points)
    assert ran.code == 2 and says in ran.err and ran.out == ""


@pytest.mark.parametrize(
    ("at", "target_at", "struck", "other"), [("1007A", "1005A", "4", "5"), ("0713E", "0614D", "4 or 5", "2")]
)
def test_a_shield_that_is_not_struck_is_told(
    referee: Any, at: str, target_at: str, struck: str, other: str
) -> None:
    fire = [
        "fire",
        "cadet/klingon-d6",
        "--at",
        at,
        "--target",
        "cadet/federation-ca",
        "--target-at",
        target_at,
    ]
    shot = [*fire, "--weapons", "PH-2A", "--dice", "1", "--json"]
    said = referee(*shot, "--shield", other)
    assert (said.code, said.json["verdict"], said.json["shots"]) == (1, "illegal", [])
    against = said.json["findings"][0]
    assert (against["rule"], against["expected"], against["found"]) == ("E1.4", struck, other)
    assert referee(*shot, "--shield", struck[0]).code == 0


def test_a_shield_in_a_declarations_file_is_held_against_the_hexes(referee: Any, tmp_path: Path) -> None:
    entry = {
        "ship": "cadet/klingon-d6",
        "at": "1007A",
        "target_ship": "cadet/federation-ca",
        "weapons": ["PH-2A"],
    }
    step = [{**entry, "target_at": "1005A", "shield": 5}]
    (tmp_path / "step.json").write_text(json.dumps(step))
    said = referee("fire", "--declarations", str(tmp_path / "step.json"), "--dice", "1")
    assert said.code == 1 and "strikes shield 4, said to strike 5" in said.out
    step = [{**entry, "target_at": "1005", "shield": 5}]
    (tmp_path / "step.json").write_text(json.dumps(step))
    said = referee("fire", "--declarations", str(tmp_path / "step.json"), "--dice", "1")
    assert said.code == 0 and "shield 5: " in said.out, "which way the target faces is not known"


def test_a_drone_has_no_shield_to_name(referee: Any) -> None:
    shot = ("fire", "--weapon", "phaser-1", "--range", "3", "--target", "drone", "--dice", "1")
    said = referee(*shot, "--shield", "2")
    assert said.code == 2 and "no shields" in said.err
    assert referee(*shot).code == 0


@pytest.mark.parametrize(
    ("book", "cloak", "says"),
    [
        ("sfb-standard", "fading-out:5", "4 impulses"),
        ("sfb-standard", "fading-in:5", "4 impulses"),
        ("sfb-cadet", "fading-in:2", "do not fade"),
        ("sfb-standard", "fading-in:4", ""),
        ("sfb-cadet", "cloaked", ""),
    ],
)
@pytest.mark.parametrize("whose", ["target", "firer"])
def test_a_fade_that_there_is_not(referee: Any, book: str, cloak: str, says: str, whose: str) -> None:
    fire = ("--at", "1007A", "--target", "cadet/federation-ca", "--target-at", "1005A", "--weapons", "PH-2A")
    name = {"target": "--target-cloak", "firer": "--cloak"}[whose]
    said = referee("fire", "cadet/klingon-d6", *fire, "--rulebook", book, name, cloak, "--dice", "1")
    assert (said.code == 2 and says in said.err) if says else said.code == int(whose == "firer")


def test_lock_on_said_to_be_lost_comes_back_as_the_target_fades_in(referee: Any) -> None:
    shot = ("fire", "--weapon", "phaser-1", "--range", "3", "--no-lock-on", "--dice", "1", "--json")
    said = referee(*shot, "--target-cloak", "fading-in:4").json
    assert said["shots"][0]["range"]["effective"] == 4
    note = next(one for one in said["findings"] if one["key"] == "D6.11/known")
    assert note["severity"] == "note" and "fades in" in note["message"]
    assert not referee(*shot, "--target-cloak", "fading-out:4").json["findings"]
