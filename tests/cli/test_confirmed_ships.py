"""`confirmed-ships.json`: who holds the SSD says its numbers, and from then on they count in his folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import referee as api
from tests.cli.conftest import Run
from tests.net.command import command

D6, GORN = "cadet/klingon-d6", "cadet/gorn"
FILE = Path("confirmed-ships.json")
BEGIN = (
    "game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s",
    "--ship", "A=cadet/federation-ca:alice@1010D/8", "--ship", f"B={D6}:bob@1015A/8",
)  # fmt: skip


def confirm(id: str, numbers: dict[str, Any], by: str = "") -> None:
    """Confirms numbers of a ship in this folder."""
    document = json.loads(FILE.read_bytes()) if FILE.exists() else {"ships": {}}
    document |= {"schema": "referee/confirmed-ships/1"}
    document["ships"][id] = {"numbers": numbers} | ({"by": by} if by else {})
    FILE.write_text(json.dumps(document))
    command("config", "trust", FILE)


def unsure(referee: Run, id: str) -> dict[str, Any]:
    """The numbers of a ship that are not verified, as its sheet has them."""
    sheet = referee("ship", "show", id, "--json").json
    return {
        f"{section}/{name}": number["value"]
        for section in ("figures", "shields", "boxes", "tracks", "limits")
        for name, number in sheet.get(section, {}).items()
        if number["status"] != "verified"
    } | {
        f"mounts/{mount['id']}/{part}": mount[part]
        for mount in sheet["mounts"]
        for part in ("arc", "max_range")
        if mount["status"] != "verified" and part in mount
    }


def form(of: str) -> None:
    Path("form.csv").write_text(
        f"Ship,{of}\nLine,1\nWarp,16\nImpulse,2\nReactor,2\nLife Support,1\nMovement,8\n"
    )


def test_a_confirmed_number_counts_at_every_door(
    referee: Run, own_folder: Path, holds: Callable[[Any], None]
) -> None:
    asked = referee("volley", D6, "--damage", "20", "--shield", "3", "--seed", "a", "--json").json
    assert asked["shield"]["before"] == 8
    confirm(D6, {"shields/3": 9}, "Alice")
    holds(json.loads(FILE.read_bytes()))
    struck = referee("volley", D6, "--damage", "20", "--shield", "3", "--seed", "a", "--json").json
    assert struck["shield"]["before"] == 9
    sheet = referee("ship", "show", D6, "--json").json
    holds(sheet)
    assert sheet["shields"]["3"] == {"value": 9, "source": ["your SSD"], "status": "verified"}
    assert "1 confirmed from your SSD" in referee("ship", "list").out
    assert "confirmed ship" in referee("config").out
    assert api.ship(D6).shields[3] == 9
    assert api.volley(D6, damage=20, shield=3, seed="a").result.shield_before == 9
    FILE.unlink()
    assert api.ship(D6).shields[3] == 8
    assert referee("ship", "show", D6, "--json").json["shields"]["3"]["value"] == 8


def test_findings_carry_no_doubt_for_confirmed_numbers(referee: Run, own_folder: Path) -> None:
    form(GORN)
    before = referee("check", "form.csv", "--json")
    (doubt,) = (found for found in before.json["findings"] if found["key"] == "NOTE/unsure")
    assert doubt["data_status"] == "provisional"
    confirm(GORN, unsure(referee, GORN))
    after = referee("check", "form.csv", "--json")
    assert not [found for found in after.json["findings"] if found["key"] == "NOTE/unsure"]
    assert api.ship(GORN).status_of(*api.ship(GORN).sources) == "verified"


def test_workers_judge_by_confirmed_numbers_too(referee: Run, own_folder: Path) -> None:
    """Forms of half a megabyte are shared by processes, which start afresh."""
    form(GORN)
    text = Path("form.csv").read_text() + f"Notes,{'x' * 1000}\n" * 700
    for name in ("one.csv", "two.csv"):
        Path(name).write_text(text)
    confirm(GORN, unsure(referee, GORN))
    report = referee("check", "one.csv", "two.csv", "--workers", "2", "--json").json
    assert not [found for found in report["findings"] if found["key"] == "NOTE/unsure"]


def test_a_weapon_that_the_ssd_does_not_have_is_gone(referee: Run, own_folder: Path) -> None:
    confirm(D6, {"mounts/DISR/B/arc": None, "mounts/DISR/A/max_range": 15})
    assert referee("ship", "show", D6).code == 0
    ship = api.ship(D6)
    assert ship.mount("DISR/B") is None and ship.mount("DISR/A").max_range == 15  # type: ignore[union-attr]
    assert ship.mount("DISR/A").status == "provisional", "its arc is not confirmed"  # type: ignore[union-attr]


def test_what_is_missing_is_known_and_the_rest_stays_unknown(referee: Run, own_folder: Path) -> None:
    confirm(D6, {"tracks/sensor": [6, 5, 4, 2, 0], "figures/turn_mode": [[1, 8, 1], [9, 16, 2]]})
    assert referee("ship", "show", D6).code == 0
    ship = api.ship(D6)
    assert ship.tracks["sensor"] == (6, 5, 4, 2, 0) and "boxes/tractor" in ship.missing


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("shields/3", "x", "no whole number"),
        ("shields/3", 1000, "0 to 999"),
        ("shields/1", 9, "verified already"),
        ("shield/3", 9, "did you mean shields/3"),
        ("tracks/sensor", [1, 2, 3], "best down to 0"),
        ("mounts/DISR/A/arc", "NOWHERE", "is not an arc"),
        ("figures/turn_mode", "Z", "is no turn mode"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    referee: Run, own_folder: Path, path: str, value: Any, told: str
) -> None:
    confirm(D6, {path: value})
    ran = referee("ship", "show", D6)
    assert ran.code == 2 and told in ran.err and "/ships/cadet~1klingon-d6" in ran.err


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", '{"schema": "referee/ship/1"}', '{"schema": "referee/confirmed-ships/1", "ships": []}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"cadet/nope": {"numbers": {}}}}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"cadet/klingon-d6": {"numbers": {"shields/1": 99}}}}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"cadet/klingon-d6": {"numbers": {"shields/3": "9"}}}}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"cadet/klingon-d6": {"numbers": {"shields/3": true}}}}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"cadet/klingon-d6": {"numbers": [], "by": 3}}}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"cadet/klingon-d6": 3}}',
        '{"schema": "referee/confirmed-ships/1", "ships": {"trek/shade": {"numbers": {}}}}',
    ],
)  # fmt: skip
def test_a_broken_file_is_one_line_and_never_lost(referee: Run, own_folder: Path, text: str) -> None:
    FILE.write_text(text)
    for words in (("ship", "list"), ("volley", D6, "--internals", "3")):
        ran = referee(*words)
        assert (
            ran.code == 2
            and ran.err.startswith("referee: confirmed-ships.json: ")
            and ran.err.count("\n") == 1
        )
    assert FILE.read_text() == text
    assert referee("ship", "show", "--help").code == 0


def test_two_players_with_other_numbers_are_told_so(referee: Run, own_folder: Path) -> None:
    plain = own_folder / "bob"
    plain.mkdir()
    confirm(D6, {"shields/3": 9})
    begun = referee(*BEGIN)
    assert begun.code == 0 and "1 number confirmed from an SSD" in begun.out, begun.err
    assert referee("game", "say", "g.jsonl", "A: speed 8", "--as", "alice").code == 0
    shutil.copy("g.jsonl", plain)
    shutil.copytree("g.secrets", plain / "g.secrets")
    theirs = FILE.resolve()
    os.chdir(plain)
    told = f"{D6} shields/3: not confirmed here, 9 in the game"
    status = referee("game", "status", "g.jsonl")
    assert status.code == 0 and told in status.err
    said = referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob")
    assert said.code == 3 and told in said.err and "confirmed-ships.json of who began it" in said.err
    judged = referee("check", "g.jsonl")
    assert judged.code == 2 and told in judged.err, "the record is not accused by other numbers"
    shutil.copy(theirs, FILE)
    command("config", "trust", FILE)
    assert referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob").code == 0
    assert referee("check", "g.jsonl").code == 0
    confirm(D6, {"shields/3": 7})
    assert "shields/3: 7 here, 9 in the game" in referee("game", "status", "g.jsonl").err


def test_what_is_confirmed_of_other_ships_is_no_matter_of_the_game(referee: Run, own_folder: Path) -> None:
    assert referee(*BEGIN).code == 0
    assert "confirmed" not in Path("g.jsonl").read_text()
    confirm(GORN, unsure(referee, GORN))
    assert referee("game", "say", "g.jsonl", "A: speed 8", "--as", "alice").code == 0
    confirm(D6, {"shields/3": 9})
    refused = referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob")
    assert refused.code == 3 and "not confirmed in the game" in refused.err
