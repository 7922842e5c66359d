"""Displays with a row of boxes for the weapons of a type: which one is lost, where they tell, and where not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.formats.modulemap import read_module_map
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import read_save
from referee.formats.vassal.recognise import ships_among
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import FED, KLINGON, MODULE_DATA, NAME, LogWriter
from tests.unit.logs.test_logs_oddly_legal import CA, D6, Check, Table, check

__all__ = ["check"]
ROWS = {
    CA: (*FED.boxes, ("PH-1", 3), ("Photon", 2)),
    D6: (*KLINGON.boxes, ("PH-2", 4), ("Disr", 2)),
}


class Rows(Table):
    """A table whose displays have a layer for each box, `PH-1 2`, or a count of a row; `gone` are boxes by number."""

    def __init__(self, shown: str, gone: dict[str, int] | None = None) -> None:
        super().__init__()
        ships = {
            name: replace(one, cls=replace(one.cls, boxes=ROWS[name]))
            for name, one in self.game.ships.items()
        }
        self.game, self.shown = replace(self.game, ships=ships), shown
        self.left = {name: dict(ROWS[name]) for name in ships}
        self.gone: dict[str, dict[str, int]] = {CA: {}, D6: {}}
        for box, number in (gone or {}).items():
            self.lose(CA if box in self.left[CA] else D6, box, number)
        self._start = self.start()
        self.steps.clear()

    def lose(self, name: str, box: str, number: int) -> lv.ChangePiece:
        old = self.display_states(name)
        self.gone[name][box] = number
        if self.shown != "layers":
            self.left[name][box] -= 1
        return self.change(f"{self.ids[name]}9", old, self.display_states(name))

    def display_states(self, name: str) -> list[str]:
        states = super().display_states(name)
        if self.shown == "layers":
            boxes = [(box, n) for box, most in ROWS[name] for n in range(1, most + 1)]
            states[2 : 2 + len(boxes)] = [
                "2" if getattr(self, "gone", {}).get(name, {}).get(box) == n else "1" for box, n in boxes
            ]
        return states


def saved(table: LogWriter, path: Path) -> Path:
    """The table as it begins, as a save."""
    path.write_bytes(write_save_bytes(table._start, key=7, module_data=MODULE_DATA))
    return path


def errors(ran: Ran) -> list[tuple[str, str]]:
    return [(f["rule"], f["message"]) for f in ran.findings() if f["severity"] == "error"]


# -- fire ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "fires", "rules"),
    [
        (3, "PH-1/A", []),
        (3, "PH-1/B", []),
        (3, "PH-1/C", ["E2.24"]),
        (1, "PH-1/A", ["E2.24"]),
        (1, "PH-1/C", []),
    ],
)
def test_fire_of_the_weapons_of_a_row(check: Check, number: int, fires: str, rules: list[str]) -> None:
    """The number of its layer tells which phaser was hit."""
    table = Rows("layers", {"PH-1": number})
    table.form(CA, 1)
    table.say(CA, f"fire {fires} at {D6}")
    table.roll(CA, 2)
    table.mark(D6, {1: 5})
    found = [rule for rule, _ in errors(check(table)) if rule.startswith("E")]
    assert found == rules


@pytest.mark.parametrize(
    ("fires", "rules"), [(("A", "B"), []), (("B", "C"), []), (("A", "C"), []), (("A", "B", "C"), ["E2.24"])]
)
def test_a_count_tells_how_many_phasers_are_lost_and_not_which(
    check: Check, fires: tuple[str, ...], rules: list[str]
) -> None:
    """The owner may have chosen any: those that fire later were not it, while there is another."""
    table = Rows("sheet", {"PH-1": 1})
    for one in fires:
        table.say(CA, f"fire PH-1/{one} at {D6}")
        table.roll(CA, 2)
        table.mark(D6, {1: 5})
        table.next()
    ran = check(table)
    assert [rule for rule, _ in errors(ran) if rule == "E2.24"] == rules
    (told,) = (f["message"] for f in ran.findings() if f["key"] == "NOTE/which-box")
    assert told.startswith("1 of 3 PH-1 is lost")


# -- forms -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "number", "paid", "rules"),
    [
        ("layers", 2, "A", []),
        ("layers", 2, "B", ["B3.0-10"]),
        ("layers", 1, "A", ["B3.0-10"]),
        ("layers", 1, "B", []),
        ("sheet", 1, "A", []),
        ("sheet", 1, "B", []),
        ("sheet", 1, "AB", ["B3.0-10"]),
    ],
)
def test_a_form_pays_for_the_tube_that_is_left(
    referee: Run, tmp_path: Path, shown: str, number: int, paid: str, rules: list[str]
) -> None:
    table = Rows(shown, {"Disr": number})
    for tube in paid:
        table.write(D6, 1, {f"Disr {tube}": "2"})
    table.form(D6, 1)
    table._start = table.start()
    ran = referee("check", saved(table, tmp_path / "a.vsav"), "--json", "--ship", f"{D6}=cadet/klingon-d6",
                  "--ship", f"{CA}=cadet/federation-ca", "--option", "previous_speed=8")  # fmt: skip
    assert [rule for rule, _ in errors(ran) if rule == "B3.0-10"] == rules, errors(ran)


# -- writing and taking ----------------------------------------------------------------


def test_the_box_that_is_lost_is_marked_and_read_back(referee: Run, tmp_path: Path) -> None:
    """Not the first of its row; the display then shows just what the state says."""
    source = saved(Rows("layers"), tmp_path / "a.vsav")
    state: dict[str, Any] = {
        "schema": "referee/ship-state/1",
        "ship": "cadet/klingon-d6",
        "destroyed": ["PH-2/C", "DISR/B", "left_warp/4"],
    }
    (tmp_path / "s.json").write_text(json.dumps(state))
    named = ("--ship", f"{D6}=cadet/klingon-d6", "--ship", f"{CA}=cadet/federation-ca")
    new = tmp_path / "b.vsav"
    ran = referee("vassal", "write", source, "-o", new, "--state", f"{D6}={tmp_path / 's.json'}", *named)
    assert ran.code == 0 and "not written" not in ran.err
    display = next(one for one in read_save(new.read_bytes(), "b").pieces if one.basic_name == f"SSD {D6}")
    assert [one.name for one in display.layers if one.level == 2] == ["Warp L 4", "PH-2 3", "Disr 2"]
    made = referee("game", "new", "g.jsonl", "--from", new, "--alone", *named)
    assert made.code == 0, made.err
    ships = {one["name"]: one for one in referee("game", "status", "g.jsonl", "--json").json["ships"]}
    assert sorted(ships[D6]["state"]["destroyed"]) == sorted(state["destroyed"])


def test_which_is_lost_is_named_where_a_record_takes_a_count(referee: Run, tmp_path: Path) -> None:
    source = saved(Rows("sheet", {"PH-1": 1}), tmp_path / "a.vsav")
    named = ("--ship", f"{D6}=cadet/klingon-d6", "--ship", f"{CA}=cadet/federation-ca")
    made = referee("game", "new", "g.jsonl", "--from", source, "--alone", *named)
    assert "which 1 of its 3 PH-1 are lost: PH-1/A taken" in made.out + made.err


# -- maps ------------------------------------------------------------------------------


def mapped(damage: list[dict[str, Any]]) -> bytes:
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, "damage": damage}
    return json.dumps(said).encode()


def test_a_map_that_names_some_layers_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    table = Rows("layers", {"Disr": 2, "PH-2": 3, "Warp L": 8})
    save = read_save(saved(table, tmp_path / "a.vsav").read_bytes(), "a")
    named = {"Disr 1": "DISR/A", "Disr 2": "DISR/B"}
    says = read_module_map(mapped([{"as": "layers", "destroyed_level": 2, "names": named}]), "map.json")
    (ship,) = (one for one in ships_among(save.pieces, "a", says) if one.name == D6)
    others = {box: (most, most) for box, most in ROWS[D6] if box != "Disr"}
    lost = {"PH-2": (3, 4), "DISR/A": (1, 1), "DISR/B": (0, 1)}
    # Warp L is a row of both ships: it is the other's that is hit.
    assert dict(ship.boxes_left) == {**others, **lost}


def test_fields_that_a_map_does_not_name_are_told(referee: Run, tmp_path: Path) -> None:
    source = saved(Rows("sheet", {"PH-1": 1}), tmp_path / "a.vsav")
    names = {"Disr": "disruptor", "PH-1": "phaser-1"}
    (tmp_path / "map.json").write_bytes(mapped([{"as": "sheet", "counts": "left", "names": names}]))
    ran = referee("check", source, "--json", "--map", tmp_path / "map.json")
    (told,) = (f["message"] for f in ran.findings() if "are not read" in f["message"])
    assert "Warp L" in told and "Disr" not in told and "Shield 1" not in told
