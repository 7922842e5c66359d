"""A file in which nothing could be judged is never legal: the verdict is cannot-tell, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.formats.vassal.container import write_save_bytes
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import LogWriter
from tests.unit.formats.vassal.vassal_saves import ESC, game_text, piece_text
from tests.unit.logs.test_logs import CA, D6, duel_game

HEAD = """rulebook sfb-cadet
impulses 16
ship Con = cadet/federation-ca at 2801E speed 16
ship Des = cadet/klingon-d6 at 0216B speed 16
"""
OTHER_GAME = game_text(piece_text("1", [("rotate;6;a;b;c;d;e;f;Way", "2")], "Infantry 1"))
SETUP = LogWriter(duel_game())
NOTHING = "no energy form and no ship of a known rulebook in it"
EMPTY = "no turn of an energy form in it is filled in"
FILES: dict[str, tuple[str, bytes, str]] = {
    "a save of another game": ("a.vsav", write_save_bytes(OTHER_GAME, key=3), NOTHING),
    "a log of another game": (
        "a.vlog",
        write_save_bytes(ESC.join((OTHER_GAME, "LOG\tM/1/Space/100/300/null/Space/100/200/null")), key=3),
        NOTHING,
    ),
    "a save whose forms are empty": ("b.vsav", write_save_bytes(SETUP._start, key=3), EMPTY),
    "a log in which nothing is done": ("b.vlog", SETUP.finish(), "none is seen to move or fire"),
    "orders without orders": ("a.orders", HEAD.encode(), "there is no order in it"),
    "orders of a turn without orders": ("b.orders", f"{HEAD}turn 1\n".encode(), "there is no order in it"),
}


def holds(referee: Run, path: Path, why: str, *known: str) -> None:
    for options in (known, (*known, "--select", "C1")):
        ran = referee("check", path, "--json", *options)
        assert (ran.code, ran.json["verdict"]) == (0, "cannot-tell")
        (found,) = (found for found in ran.json["findings"] if found["key"] == "NOTE/nothing-judged")
        assert found["severity"] == "undecided" and why in found["message"]
        assert found["location"]["file"] == str(path)
        assert ran.json["checked"] == []
        assert referee("check", path, "--strict", *options).code == 1
    assert why in referee("check", path, *known).out


@pytest.mark.parametrize("kind", FILES)
def test_a_file_of_which_nothing_can_be_judged(referee: Run, tmp_path: Path, kind: str) -> None:
    name, data, why = FILES[kind]
    path = tmp_path / name
    path.write_bytes(data)
    ships = ("--ship", f"{CA}=cadet/federation-ca", "--ship", f"{D6}=cadet/klingon-d6")
    holds(referee, path, why, *(ships if name.startswith("b.v") else ()))


def test_a_ship_of_no_known_class_stays_undecided(referee: Run, tmp_path: Path) -> None:
    path = tmp_path / "b.vsav"
    path.write_bytes(FILES["a save whose forms are empty"][1])
    ran = referee("check", path, "--select", "C1", "--json")
    assert ran.json["verdict"] == "cannot-tell"
    assert {found["key"] for found in ran.json["findings"]} == {"NOTE/ship"}


def test_a_record_in_which_nothing_is_played(referee: Run, own_folder: Path) -> None:
    ships = (
        "--ship",
        "Con=cadet/federation-ca:alice@2801E/16",
        "--ship",
        "Des=cadet/klingon-d6:bob@0216B/16",
    )
    new = referee(
        "game", "new", "duel.jsonl", "--players", "alice,bob", *ships, "--dice", "seed", "--seed", "x"
    )
    assert new.code == 0, new.err
    holds(referee, Path("duel.jsonl"), "no form is filed, no order given")


def test_a_form_that_is_only_begun_counts_no_rules(referee: Run, own_folder: Path) -> None:
    assert referee("form", "blank", "cadet/federation-ca", "-o", "f.csv").code == 0
    ran = referee("check", "f.csv", "--json")
    assert (ran.code, ran.json["verdict"], ran.json["checked"]) == (0, "cannot-tell", [])
    assert referee("check", "f.csv", "--strict").code == 1
