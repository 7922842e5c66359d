"""`ship confirm`: who holds the SSD says its numbers, and from then on they count in his folder."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import referee as api
from tests.cli.conftest import Run

D6, GORN = "cadet/klingon-d6", "cadet/gorn"
FILE = Path("confirmed-ships.json")
BEGIN = (
    "game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "s",
    "--ship", "A=cadet/federation-ca:alice@1010D/8", "--ship", f"B={D6}:bob@1015A/8",
)  # fmt: skip


def form(of: str) -> None:
    Path("form.csv").write_text(
        f"Ship,{of}\nLine,1\nWarp,16\nImpulse,2\nReactor,2\nLife Support,1\nMovement,8\n"
    )


def test_a_confirmed_number_counts_at_every_door(
    referee: Run, own_folder: Path, holds: Callable[[Any], None]
) -> None:
    asked = referee("volley", D6, "--damage", "20", "--shield", "3", "--seed", "a", "--json").json
    assert asked["shield"]["before"] == 8
    ran = referee("ship", "confirm", D6, "--set", "shields/3=9", "--by", "Alice")
    assert (
        ran.code == 0 and "1 number confirmed" in ran.out and "confirmed-ships.json in this folder" in ran.out
    )
    document = json.loads(FILE.read_bytes())
    holds(document)
    assert document["ships"][D6] == {"by": "Alice", "numbers": {"shields/3": 9}}
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
    (unsure,) = (found for found in before.json["findings"] if found["key"] == "NOTE/unsure")
    assert unsure["data_status"] == "provisional"
    assert referee("ship", "confirm", GORN, "--yes").code == 0
    after = referee("check", "form.csv", "--json")
    assert not [found for found in after.json["findings"] if found["key"] == "NOTE/unsure"]
    assert api.ship(GORN).status_of(*api.ship(GORN).sources) == "verified"


def test_workers_judge_by_confirmed_numbers_too(referee: Run, own_folder: Path) -> None:
    """Forms of half a megabyte are shared by processes, which start afresh."""
    form(GORN)
    text = Path("form.csv").read_text() + f"Notes,{'x' * 1000}\n" * 700
    for name in ("one.csv", "two.csv"):
        Path(name).write_text(text)
    assert referee("ship", "confirm", GORN, "--yes").code == 0
    report = referee("check", "one.csv", "two.csv", "--workers", "2", "--json").json
    assert not [found for found in report["findings"] if found["key"] == "NOTE/unsure"]


def test_a_weapon_that_the_ssd_does_not_have_is_gone(referee: Run, own_folder: Path) -> None:
    ran = referee(
        "ship", "confirm", D6, "--set", "mounts/DISR/B/arc=none", "--set", "mounts/DISR/A/max_range=15"
    )
    assert ran.code == 0, ran.err
    ship = api.ship(D6)
    assert ship.mount("DISR/B") is None and ship.mount("DISR/A").max_range == 15  # type: ignore[union-attr]
    assert ship.mount("DISR/A").status == "provisional", "its arc is not confirmed"  # type: ignore[union-attr]


def test_what_is_missing_is_asked_and_may_stay_unknown(referee: Run, own_folder: Path) -> None:
    assert referee("ship", "confirm", D6, "--set", "tracks/sensor=6,5,4,2,0", "--yes").code == 0
    ship = api.ship(D6)
    assert ship.tracks["sensor"] == (6, 5, 4, 2, 0) and "boxes/tractor" in ship.missing


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("shields/3=x", "no whole number"),
        ("shields/3=1000", "0 to 999"),
        ("shields/1=9", "verified already"),
        ("shield/3=9", "did you mean shields/3"),
        ("tracks/sensor=1,2,3", "best down to 0"),
        ("mounts/DISR/A/arc=NOWHERE", "is not an arc"),
        ("shields/3", "--set shields/3=8"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    referee: Run, own_folder: Path, said: str, told: str
) -> None:
    ran = referee("ship", "confirm", D6, "--set", said)
    assert ran.code == 2 and told in ran.err and not FILE.exists()


def test_the_ship_is_named_in_full(referee: Run, own_folder: Path) -> None:
    assert "name it in full" in referee("ship", "confirm", "klingon-d6", "--yes").err
    assert "did you mean" in referee("ship", "confirm", "cadet/klingon-d5", "--yes").err
    assert "nobody is there to ask" in referee("ship", "confirm", D6).err
    assert "nothing confirmed" in referee("ship", "confirm", "cadet/isc", "--yes").out and not FILE.exists()


def test_the_export_names_nobody(referee: Run, own_folder: Path, holds: Callable[[Any], None]) -> None:
    assert referee("ship", "confirm", D6, "--export", "-").code == 2
    assert referee("ship", "confirm", D6, "--set", "shields/3=9", "--by", "Alice Smith").code == 0
    assert referee("ship", "confirm", D6, "--export", "send.json").code == 0
    sent = Path("send.json").read_text()
    holds(json.loads(sent))
    assert "Alice" not in sent and '"shields/3": 9' in sent
    assert referee("ship", "confirm", D6, "--export", "-").json == json.loads(sent)
    assert referee("ship", "confirm", D6, "--export", str(FILE)).code == 2, "the file itself stays"
    assert "Alice" in FILE.read_text()


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
    for command in (("ship", "list"), ("ship", "confirm", D6, "--yes"), ("volley", D6, "--internals", "3")):
        ran = referee(*command)
        assert (
            ran.code == 2
            and ran.err.startswith("referee: confirmed-ships.json: ")
            and ran.err.count("\n") == 1
        )
    assert FILE.read_text() == text
    assert referee("ship", "confirm", "--help").code == 0


def test_two_players_with_other_numbers_are_told_so(referee: Run, own_folder: Path) -> None:
    plain = own_folder / "bob"
    plain.mkdir()
    assert referee("ship", "confirm", D6, "--set", "shields/3=9").code == 0
    begun = referee(*BEGIN)
    assert begun.code == 0 and "1 number confirmed from an SSD" in begun.out, begun.err
    assert referee("game", "say", "g.jsonl", "A: speed 8", "--as", "alice").code == 0
    shutil.copy("g.jsonl", plain)
    shutil.copytree("g.secrets", plain / "g.secrets")
    os.chdir(plain)
    told = f"{D6} shields/3: not confirmed here, 9 in the game"
    status = referee("game", "status", "g.jsonl")
    assert status.code == 0 and told in status.err
    said = referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob")
    assert said.code == 3 and told in said.err and "referee ship confirm --take g.jsonl" in said.err
    judged = referee("check", "g.jsonl")
    assert judged.code == 2 and told in judged.err, "the record is not accused by other numbers"
    taken = referee("ship", "confirm", "--take", "g.jsonl")
    assert taken.code == 0 and f"{D6} shields/3: 9" in taken.out
    assert referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob").code == 0
    assert referee("check", "g.jsonl").code == 0
    referee("ship", "confirm", D6, "--set", "shields/3=7")
    assert "shields/3: 7 here, 9 in the game" in referee("game", "status", "g.jsonl").err


def test_what_is_confirmed_of_other_ships_is_no_matter_of_the_game(referee: Run, own_folder: Path) -> None:
    assert referee(*BEGIN).code == 0
    assert "confirmed" not in Path("g.jsonl").read_text()
    referee("ship", "confirm", "cadet/gorn", "--yes")
    assert referee("game", "say", "g.jsonl", "A: speed 8", "--as", "alice").code == 0
    referee("ship", "confirm", D6, "--yes")
    refused = referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob")
    assert refused.code == 3 and "not confirmed in the game" in refused.err
    assert referee("ship", "confirm", "--take", "g.jsonl").code == 0
    assert referee("game", "say", "g.jsonl", "B: speed 8", "--as", "bob").code == 0
    assert "cadet/gorn" in FILE.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_the_holder_of_the_ssd_is_walked_through(own_folder: Path) -> None:
    from tests.cli.onaterminal import Typed

    run = Typed("ship", "confirm", D6)
    run.answer("turn mode [1-8:1 9-16:2] (single-source): ", "")
    run.answer("shield 3 [8] (provisional): ", "?")
    run.until("half of the standard ship")
    run.answer("shield 3 [8] (provisional): ", "many")
    run.until("is no whole number")
    run.answer("shield 3 [8] (provisional): ", "9")
    run.answer("shield 4 [7] (provisional): ", "b")
    run.answer("shield 3 [9] (confirmed): ", "10")
    run.answer("shield 4 [7] (provisional): ", "q")
    assert run.end() == 0, run.shown
    assert "2 numbers confirmed" in run.shown
    assert json.loads(FILE.read_bytes())["ships"][D6]["numbers"]["shields/3"] == 10
    again = Typed("ship", "confirm", D6)
    again.answer("1/25 shield 4 [7] (provisional): ", "6")
    again.until("shield 5 [8]")
    again.press(b"\x03")
    assert again.end() == 130 and "Traceback" not in again.shown
    assert json.loads(FILE.read_bytes())["ships"][D6]["numbers"]["shields/4"] == 6, "Ctrl-C loses nothing"


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_weapons_and_what_is_missing_are_asked_last(referee: Run, own_folder: Path) -> None:
    from tests.cli.onaterminal import Typed

    boxes = [
        f"boxes/{name}"
        for name in ("left_warp", "right_warp", "bridge", "security", "shuttle", "transporter")
    ]
    known = [
        *boxes,
        "boxes/lab",
        "boxes/excess",
        "limits/drones_per_turn",
        *(f"shields/{n}" for n in (3, 4, 5, 6)),
    ]
    numbers = {path: api.ship(D6).sources[path].value for path in known}
    referee(
        "ship", "confirm", D6, *(part for path, n in numbers.items() for part in ("--set", f"{path}={n}"))
    )
    run = Typed("ship", "confirm", D6)
    run.answer("turn mode", "")
    run.answer("PH-2/A arc [FX] (provisional): ", "fa")
    run.answer("PH-2/B arc [FX] (provisional): ", "")
    run.answer("DISR/A arc [FA] (provisional): ", "none")
    run.answer("DISR/B arc [FA] (provisional): ", "b")
    run.answer("DISR/A arc [none] (confirmed): ", "")
    run.answer("DISR/B arc [FA] (provisional): ", "")
    run.answer("DISR/B max range [22] (provisional): ", "")
    run.answer("emergency bridge boxes [not known] (missing): ", "1")
    run.answer("aux control boxes [not known] (missing): ", "")
    run.press(b"\x04")
    assert run.end() == 0, run.shown
    ship = api.ship(D6)
    assert ship.mount("PH-2/A").arc == "FA" and ship.mount("DISR/A") is None  # type: ignore[union-attr]
    assert ship.boxes["emergency_bridge"] == 1 and "boxes/aux_control" in ship.missing


def test_yes_names_the_numbers_that_only_the_sheet_has(referee: Run, own_folder: Path) -> None:
    ran = referee("ship", "confirm", D6, "--yes")
    assert "20 numbers confirmed, 7 are not: boxes/emergency_bridge, boxes/aux_control" in ran.out
    assert "--set boxes/emergency_bridge=N" in ran.out
