"""What a module map says of ships, forms and the start has its effect on the audit of a log."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from json import dumps, loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Report, Severity
from referee.core.hexgrid import Hex
from referee.formats.modulemap import ModuleMap, read_module_map
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.container import write_zip
from referee.formats.vassal.game import read_save
from referee.formats.vassal.recognise import recognise
from referee.judging.map_draft import drafted_map
from referee.logs.audit import judge_log
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.saves import classes_of, map_of, with_map
from referee.sources.settings import Settings
from tests.unit.formats.vassal.game_logs import (
    FED,
    KLINGON,
    NAME,
    Game,
    LogWriter,
    Placed,
    Play,
    called,
    legal_game,
    module_bytes,
    write_log,
)

CA, D6 = "CA Ship0", "D6 Ship1"
SHIPS: list[dict[str, Any]] = [
    {"counter": CA, "ssd": f"SSD {CA}", "ship": "cadet/federation-ca"},
    {"counter": D6, "ssd": f"SSD {D6}", "ship": "cadet/klingon-d6"},
]


def mapped(**parts: Any) -> ModuleMap:
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, **parts}
    return read_module_map(dumps(said).encode(), "map.json")


def audited(data: bytes, folder: Path, told: tuple[int, int | None] | None = None, **parts: Any) -> Report:
    (folder / "m.vmod").write_bytes(module_bytes())
    says = mapped(**{"ships": SHIPS, "start": {"speed": 8}, **parts})
    asked = with_map(Asked(Settings(), module=str(folder / "m.vmod"), start=told), says)
    return judge_log(read_save(data, "game.vlog"), asked, says)


def duel(speed: int = 8, turns: int = 1) -> Game:
    ships = {CA: Placed(FED, Hex(40, 30), "D", 8), D6: Placed(KLINGON, Hex(46, 32), "D", 8)}
    return Game(ships, turns, {(name, t): speed for name in ships for t in range(1, turns + 1)}, ())


def keys(report: Report) -> list[tuple[str, str]]:
    """What is against the rules, by rule and ship."""
    return [(f.key, f.subject) for f in report.findings if f.severity is Severity.ERROR]


def turn_of(writer: LogWriter, way: dict[int, int], *, turn: int = 1, first: int = 1) -> None:
    for name in writer.game.ships:
        writer.form(name, turn)
    for impulse in range(first, 17):
        for name in writer.game.ships:
            if called(writer.game.speeds[name, turn], impulse):
                writer.play(Play(name, turn, impulse, way.get(impulse, 0) if name == CA else 0, 0))
        writer.advance((turn, impulse, 0), (turn, impulse + 1, 0) if impulse < 16 else (turn + 1, 1, 0))


# -- the start ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "wrong"),
    [
        ({}, []),
        ({"batteries": "full", "capacitor": "3"}, []),
        ({"batteries": "full", "capacitor": "full"}, []),
        ({"batteries": "empty", "capacitor": "full"}, [("B3.0-5", CA), ("B3.0-5", D6)]),
        ({"batteries": "full", "capacitor": "5/2"}, [("H6.1", CA)]),
        ({"capacitor": "empty"}, [("H6.1", CA)]),
    ],
)
def test_batteries_and_capacitor_at_the_start(
    tmp_path: Path, start: dict[str, str], wrong: list[tuple[str, str]]
) -> None:
    writer = LogWriter(replace(duel(), written={(CA, 1): {"Phas Cap": "3"}}))
    turn_of(writer, {})
    assert sorted(keys(audited(writer.finish(), tmp_path, start={"speed": 8, **start}))) == wrong


@pytest.mark.parametrize(("satisfied", "wrong"), [(True, []), (None, []), (False, [("C3.2", CA)])])
def test_turn_modes_when_a_log_begins_later(
    tmp_path: Path, satisfied: bool | None, wrong: list[tuple[str, str]]
) -> None:
    writer = LogWriter(duel(), at=(1, 5, 0), filled=(1,))
    turn_of(writer, {6: 1}, first=5)
    start: dict[str, Any] = {"speed": 8}
    if satisfied is not None:
        start["turn_mode_satisfied"] = satisfied
    assert keys(audited(writer.finish(), tmp_path, start=start)) == wrong


class Silent(LogWriter):
    """A log without a turn tracker."""

    def tracker(self, turn: int, impulse: int, step: int) -> str:
        return "null"


def told_by_chat(at: tuple[int, int]) -> bytes:
    """Ships that move as called from a moment on; every impulse after it is called out."""
    writer = Silent(duel(), filled=(1,))
    turn, first = at
    for impulse in range(first, 17):
        if impulse > first:
            writer.log(lv.Chat(f"<Ann> - Turn {turn}, impulse {impulse}"))
        for name in writer.game.ships:
            if called(8, impulse):
                writer.play(Play(name, 1, impulse, 0, 0))
    return writer.finish()


def test_where_a_log_begins_is_told(tmp_path: Path) -> None:
    data = told_by_chat((1, 6))
    assert keys(audited(data, tmp_path, (1, 6))) == []
    assert keys(audited(data, tmp_path, start={"speed": 8, "turn": 1, "impulse": 6})) == []
    wrong = audited(data, tmp_path, (1, 7))  # ships at speed 8 do not move on impulse 7
    assert keys(wrong) == [("C1.4", CA), ("C1.4", D6)]


def test_a_tracker_that_is_moved_is_believed(tmp_path: Path) -> None:
    writer = LogWriter(duel())
    turn_of(writer, {})
    report = audited(writer.finish(), tmp_path, (2, 4))
    assert [(f.key, f.severity) for f in report.findings] == [("NOTE/start", Severity.WARNING)]


# -- ships -------------------------------------------------------------------------------


def test_a_ship_that_is_not_quite_the_packaged_one(tmp_path: Path) -> None:
    """With eight warp boxes less the form claims too much power; a better turn mode lets it turn at once."""
    writer = LogWriter(duel())
    turn_of(writer, {2: 1, 4: 1})
    data = writer.finish()

    def changed(**changes: Any) -> list[tuple[str, str]]:
        return keys(audited(data, tmp_path, ships=[{**SHIPS[0], "changes": changes}, SHIPS[1]]))

    assert changed() == [("C3.2", CA)]
    assert changed(turn_mode=[[0, 31, 1]]) == []
    assert ("B3.0-1", CA) in changed(boxes={"left_warp": 4}, turn_mode=[[0, 31, 1]])


@pytest.mark.parametrize(
    ("ship", "pointer"),
    [
        ({"changes": {"boxes": {"sauna": 1}}}, "/ships/0/changes/boxes/sauna"),
        ({"changes": {"arcs": {"DRN/1": "FA"}}}, "/ships/0/changes/arcs/DRN~11"),
        ({"weapons": {"Arm A": "DRN/1"}}, "/ships/0/weapons/Arm A"),
    ],
)
def test_changes_of_what_a_ship_does_not_have(tmp_path: Path, ship: dict[str, Any], pointer: str) -> None:
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, "ships": [{**SHIPS[0], **ship}]}
    (tmp_path / "map.json").write_text(dumps(said))
    with pytest.raises(BadInput) as refused:
        map_of(Asked(Settings(), map=str(tmp_path / "map.json")))
    assert pointer in str(refused.value)


def test_weapons_by_the_names_of_the_module(tmp_path: Path) -> None:
    lines = ["<Ann> - !fire Arm A, big arm at D6", "<Cy> - !CA: fire Arm A at D6"]
    ships = [{**SHIPS[0], "weapons": {"Arm A": "PH-1/A", "Big Arm": "PH-1/B"}}, SHIPS[1]]
    writer = LogWriter(duel(), at=(1, 5, 3), filled=(1,))
    for line in lines:
        writer.log(lv.Chat(line))
    data = writer.finish()
    report = audited(data, tmp_path, ships=ships)
    assert "NOTE/order" not in {finding.key for finding in report.findings}
    fired = [weapon for row in report.turns for weapon, _ in row.fired]
    assert fired == ["PH-1/A", "PH-1/B", "PH-1/A"]
    assert [f.key for f in audited(data, tmp_path).findings if f.key == "NOTE/order"] == ["NOTE/order"] * 2


def test_arcs_of_a_changed_ship(tmp_path: Path) -> None:
    """The Klingon lies ahead; a phaser turned to the rear cannot bear on it."""
    game = duel()
    ships = {**game.ships, D6: Placed(KLINGON, Hex(40, 36), "D", 8)}
    writer = LogWriter(replace(game, ships=ships), at=(1, 5, 3), filled=(1,))
    writer.log(lv.Chat("<Ann> - !fire PH-1/A at D6"))
    data = writer.finish()
    rear = [{**SHIPS[0], "changes": {"arcs": {"PH-1/A": "RA"}}}, SHIPS[1]]
    assert "D2.2" not in str(keys(audited(data, tmp_path)))
    assert [key for key, _ in keys(audited(data, tmp_path, ships=rear))][:1] == ["D2.2"]


def test_race_and_type_tell_a_class(tmp_path: Path) -> None:
    game = duel()
    save = read_save(LogWriter(game).finish(), "game.vlog")
    without = mapped()
    with_race = mapped(identify={"race_marker": "Race"})
    for ship in recognise(save, None, with_race).ships:
        both = [classes_of(ship, None, save, Asked(Settings()), says) for says in (without, with_race)]
        assert {found.id for found in both[1]} <= {found.id for found in both[0]}
        assert {found.race for found in both[1]} == {"Federation" if ship.name == CA else "Klingon"}


# -- forms -------------------------------------------------------------------------------


class Shifted(LogWriter):
    """A log whose forms have three rows of other things above the turns, and labels in the third column."""

    def display_types(self, name: str) -> list[str]:
        types = super().display_types(name)
        rows, columns = types[0].split(";")[1:3]
        types[0] = types[0].replace(f";{rows};{columns};", f";{int(rows) + 2};{int(columns) + 2};")
        return types

    def display_states(self, name: str) -> list[str]:
        from referee.formats.vassal.sequence import encode

        states = super().display_states(name)
        cells = self.cells[name]
        width = len(cells[0]) + 2
        above = [["Ship", "1", *[""] * (width - 2)], ["Race", "", "7", *[""] * (width - 3)]]
        rows = [*above, *([f"row {n}", "", *row] for n, row in enumerate(cells))]
        return [encode([text for row in rows for text in row], ","), *states[1:]]


def test_forms_whose_labels_and_turns_stand_elsewhere(tmp_path: Path) -> None:
    written = {(CA, 1): {"Total Used": "9"}}
    writer = Shifted(replace(duel(), written=written))
    turn_of(writer, {})
    data = writer.finish()
    form = {"trait": "table", "label_column": 2, "header_row": 2}
    report = audited(data, tmp_path, form=form)
    wrong = [f for f in report.findings if f.severity is Severity.ERROR]
    assert [(f.key, f.subject, f.location.cell, f.location.step) for f in wrong] == [
        ("B3.0-20/sum", CA, "D31", 1)
    ]
    found = [f for f in audited(data, tmp_path).findings if f.severity is Severity.ERROR]
    assert [(f.key, f.subject, f.location.cell, f.location.step) for f in found] == [
        ("B3.0-20/sum", CA, "D31", 1)
    ]
    elsewhere = audited(data, tmp_path, form={"trait": "table", "label_column": 8, "header_row": 2})
    assert [(f.key, f.location.cell or f.location.pointer) for f in elsewhere.findings] == [
        ("NOTE/map", "/form/label_column"),
        ("B3.0-20/sum", "D31"),
    ]


def test_every_part_of_the_schema_is_read() -> None:
    """A name in the schema that no code reads would be without effect."""
    root = Path(__file__).parents[4]
    schema = loads((root / "schemas" / "module-map.schema.json").read_text())
    code = "".join(path.read_text() for path in (root / "referee" / "formats").rglob("*.py"))
    start = schema["properties"]["start"]["properties"]
    ships = schema["properties"]["ships"]["items"]["properties"]
    for name in (*start, *ships, *schema["properties"]["form"]["properties"], *schema["properties"]["identify"]["properties"]):  # fmt: skip
        assert name == "trait" or f'"{name}"' in code or f"    {name}:" in code, name


def test_a_legal_game_by_its_map_is_clean(tmp_path: Path) -> None:
    data = write_log(legal_game(Random(8), ships=2, turns=1)).data
    start = {"speed": 8, "batteries": "full", "capacitor": "empty", "turn_mode_satisfied": True}
    assert audited(data, tmp_path, start=start).findings == ()


def test_hidden_and_masked_pieces_are_named_without_their_names(tmp_path: Path) -> None:
    writer = LogWriter(duel(), at=(1, 5, 0), filled=(1,))
    for name, place, text in ((CA, 4, "secret-ann;"), (D6, 5, "side:Klingon")):
        state = writer.counter_states(name)
        state[place] = text
        writer.log(writer.change(writer.ids[name], writer.counter_states(name), state))
    counter = {"markers": {"Race": "Federation", "Type": "CA"}}
    report = audited(writer.finish(), tmp_path, pieces={"counter": counter, "ssd": {"prefix": "SSD"}})
    (said,) = (f.message for f in report.findings if f.key == "NOTE/unmapped")
    assert "a hidden piece" in said and D6 not in said


# -- the steps of the tracker ------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "hint"),
    [("move", "did you mean move-ships or move-seekers?"), ("zzz", "one of energy-allocation, ")],
)
def test_a_step_that_is_none_of_the_sequence_of_play_is_refused(said: str, hint: str) -> None:
    with pytest.raises(BadInput) as caught:
        mapped(tracker={"steps": {"Move": said}})
    assert caught.value.place == "/tracker/steps/Move" and f"'{said}'" in caught.value.reason
    assert caught.value.hint.startswith(hint)


def test_the_schema_of_maps_lists_the_steps_of_the_sequence_of_play() -> None:
    from referee.formats.schemas import read_schema
    from referee.rulebooks.registry import load_rulebook

    tracker = read_schema("module-map")["properties"]["tracker"]["properties"]
    listed = tracker["steps"]["additionalProperties"]["enum"]
    assert set(listed) == {
        step.replace(" ", "-") for step in load_rulebook("sfb").table("step_labels")["steps"]
    }


def test_a_step_the_tracker_does_not_have_is_named(tmp_path: Path) -> None:
    report = audited(write_log(duel()).data, tmp_path, tracker={"steps": {"Moof": "fire", "Fire": "fire"}})
    (found,) = (f for f in report.findings if f.key == "NOTE/map")
    assert (found.severity, found.location.pointer) == (Severity.NOTE, "/tracker/steps/Moof")
    assert found.fix == "did you mean Move? there are Move, Seekers, Launch, Fire"


def test_a_draft_tells_the_steps_by_their_names_and_asks_for_the_others(tmp_path: Path) -> None:
    (tmp_path / "game.vlog").write_bytes(write_log(duel()).data)
    vmod = tmp_path / "m.vmod"
    vmod.write_bytes(module_bytes())
    asked = Asked(Settings(), module=str(vmod))
    draft = drafted_map(read_input(str(tmp_path / "game.vlog")), asked)
    assert draft["tracker"]["steps"] == {
        "Move": "move-ships",
        "Seekers": "move-seekers",
        "Launch": "launch",
        "Fire": "fire",
    }
    vmod.write_bytes(renamed_step("Seekers", "Drift"))
    draft = drafted_map(read_input(str(tmp_path / "game.vlog")), asked)
    assert "Drift" not in draft["tracker"]["steps"]
    assert "steps of the turn tracker: Drift: say in tracker.steps which each is, one of " in draft["note"]


def renamed_step(old: str, new: str) -> bytes:
    """The module with a step of its tracker called otherwise."""
    with zipfile.ZipFile(io.BytesIO(module_bytes())) as archive:
        texts = {name: archive.read(name).replace(f",{old},".encode(), f",{new},".encode()) for name in archive.namelist()}  # fmt: skip
    return write_zip(texts)
