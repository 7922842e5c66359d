"""The program on real VASSAL files: those of the shared folder, where it lies beside this checkout."""

from __future__ import annotations

import re
from collections.abc import Callable
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import SHARED

Holds = Callable[[Any], None]
SUFFIXES = {".vsav", ".vlog", ".sav", ".log", ".vmod", ".mod"}
SAVES = SHARED / "vassal" / "saves"
ALL = (
    sorted(path.relative_to(SAVES).as_posix() for path in SAVES.rglob("*") if path.suffix in SUFFIXES)
    if SAVES.is_dir()
    else []
)
DUEL = [name for name in ALL if name.startswith("duel/") and not name.endswith(".vmod")]
NONE = [pytest.param("", marks=pytest.mark.skip(reason="no ../shared beside this checkout"))]
PLAYER = re.compile(r"PLAYER\t([^\t\x1b]+)\t")


def truth(name: str) -> Any:
    return loads((SAVES / name).with_suffix(".truth.json").read_bytes())


def player_ids(path: Path) -> set[str]:
    """The passwords in a save: the ids of its players."""
    from referee.formats.vassal.container import open_save

    encoding = "cp1252" if path.parent.name == "vassal-tour" else None
    return {
        found.rstrip("\\") for found in PLAYER.findall(open_save(path.read_bytes(), path.name, encoding).text)
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ALL or NONE)
def test_every_file_is_dumped_and_shown(referee: Run, holds: Holds, name: str) -> None:
    path = SAVES / name
    dump = referee("vassal", "dump", "--json", path)
    assert dump.code == 0 and dump.err == "", dump.err
    if dump.json["kind"] != "module":
        holds(dump.json)
    shown = referee("show", path)
    assert shown.code == 0 and shown.err == "" and shown.out.strip()
    assert not [c for c in shown.out if (ord(c) < 32 and c != "\n") or ord(c) in range(127, 160)]
    if path.suffix in (".vmod", ".mod"):
        return
    players = {part for player in dump.json["players"] for part in (player["name"], player["side"])}
    for secret in player_ids(path) - players:
        if len(secret) >= 4:
            word = re.compile(rf"(?<!\w){re.escape(secret)}(?!\w)")
            assert not word.search(dump.out) and not word.search(dumps(dump.json, ensure_ascii=False)), name
            assert not word.search(shown.out), name


@pytest.mark.parametrize("name", DUEL or NONE)
def test_duel_saves_are_judged_as_their_truth_says(referee: Run, holds: Holds, name: str) -> None:
    ran = referee(
        "check",
        SAVES / name,
        "--json",
        "--option",
        "previous_speed=8",
        "--module",
        SAVES / "duel" / "duel.vmod",
    )
    holds(ran.json)
    errors = ran.findings("error")
    facts = truth(name)
    if facts["expected_clean"]:
        assert ran.code == 0 and errors == [], errors
    for wrong in facts["planted"]:
        rules = {wrong["rule"], *wrong.get("also_ok", ())}
        found = [
            f for f in errors if f["rule"] in rules or f["rule"].startswith(tuple(f"{r}-" for r in rules))
        ]
        told = [f for f in found if f["subject"] == wrong["ship"] and f["turn"] == wrong["turn"]]
        assert told, (wrong, errors)
        if "step" in wrong:
            assert wrong["step"] in [f["location"].get("step") for f in told]
    assert len(errors) == len(facts["planted"]), errors


def test_the_planted_overspending(program: Run, shared: Path) -> None:
    ran = program("check", SAVES / "duel" / "p03_overspend.vsav", "--json", "--option", "previous_speed=8")
    assert ran.code == 1 and ran.err == ""
    errors = ran.findings("error", "undecided")
    assert [(f["rule"], f["subject"], f["turn"], f["found"]) for f in errors] == [
        ("B3.0-20", "D6 Harrow", 1, "23")
    ]
    assert errors[0]["location"]["sheet"] == "Show Data" and errors[0]["location"]["cell"] == "B29"


@pytest.mark.parametrize("name", DUEL or NONE)
def test_the_facts_of_the_duel_saves(referee: Run, name: str) -> None:
    dump = referee("vassal", "dump", SAVES / name, "--module", SAVES / "duel" / "duel.vmod").json
    facts = truth(name)
    assert dump["kind"] == ("log" if name.endswith(".vlog") else "save")
    if dump["kind"] == "log":
        assert len(dump["steps"]) == facts["log_steps"]
    begin = facts["begin"]
    assert [(p["name"], p["side"]) for p in dump["players"]] == [
        (p["name"], p["side"]) for p in begin["players"]
    ]
    assert dump["turn"] == begin["turn"]["levels"]
    assert dump["properties"] | begin["globals"] == dump["properties"]
    pieces = {piece["id"]: piece for piece in dump["pieces"]}
    assert {piece["id"] for piece in begin["pieces"]} <= set(pieces)
    for told in begin["pieces"]:
        ours = pieces[told["id"]]
        wanted = (told["map"], told["x"], told["y"], told["location"])
        assert (ours["map"], ours["x"], ours["y"], ours["location"]) == wanted
        assert ours["masked"] == told.get("masked", False)
        if ours["masked"] or ours["hidden"]:
            continue
        assert ours["name"] == told["name"] and ours["markers"] == told.get("markers", {})
        for rotate in told.get("rotate", ()):
            assert (ours["facing"]["index"], str(ours["facing"]["degrees"])) == (
                rotate["index"],
                rotate["Degrees"],
            )


@pytest.mark.parametrize("name", [name for name in ALL if name.endswith("mod")] or NONE)
def test_the_dump_of_a_module_holds_to_its_schema(referee: Run, holds: Holds, name: str) -> None:
    holds(referee("vassal", "dump", SAVES / name).json)


def test_hex_names_need_the_module(referee: Run, shared: Path) -> None:
    path = SAVES / "duel" / "p02_midgame.vsav"
    bare = referee("vassal", "dump", path).json["pieces"]
    named = referee("vassal", "dump", path, "--module", SAVES / "duel" / "duel.vmod").json["pieces"]
    assert {piece["location"] for piece in bare} == {None}
    assert any(re.fullmatch(r"\d{4}", piece["location"] or "") for piece in named)
