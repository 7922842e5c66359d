"""The duel saves against what the engine reported after loading them."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.dump import dump
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.module import Module, read_module
from referee.formats.vassal.recognise import recognise
from referee.formats.vassal.replay import replay

_KINDS = {
    "TurnTracker$SetTurn": "Turn",
    "BasicLogger$UndoCommand": "Undo",
    "ChangePropertyCommand": "MutableProperty",
}


def _truth(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _read(path: Path) -> Save:
    truth = _truth(path)
    return read_save((path.parent / truth["file"]).read_bytes(), truth["file"])


@lru_cache(1)
def _module(folder: Path) -> Module:
    return read_module((folder / "duel.vmod").read_bytes(), "duel.vmod")


def test_frame_and_metadata(truth_path: Path) -> None:
    truth, save = _truth(truth_path), _read(truth_path)
    assert save.header == truth["container"]["header"]
    assert save.kind == ("log" if truth["kind"] == "vlog" else "save")
    shown = dump(save, _module(truth_path.parent))
    assert shown["players"] == [
        {"name": player["name"], "side": player["side"]} for player in truth["begin"]["players"]
    ]
    if truth["metadata"]:
        assert shown["vassal_version"] == truth["metadata"]["VassalVersion"]
        assert shown["description"] == truth["metadata"]["description"]
    assert shown["module"] == truth["begin"]["module"]
    assert shown["turn"] == truth["begin"]["turn"]["levels"]
    assert shown["properties"] == truth["begin"]["globals"]
    assert shown["chat"] == truth["chat"]
    assert shown["unknown"] == []
    boards = {
        b["map"]: [(x["name"], x["reversed"], x["column"], x["row"]) for x in b["boards"]]
        for b in shown["boards"]
    }  # type: ignore[attr-defined]
    assert boards == {
        name: [(b["board"], b["reversed"], b["col"], b["row"]) for b in laid]
        for name, laid in truth["begin"]["boards"].items()
    }


def test_pieces_stacks_and_sheets(truth_path: Path) -> None:
    truth = _truth(truth_path)["begin"]
    shown: Any = dump(_read(truth_path), _module(truth_path.parent))
    pieces = {piece["id"]: piece for piece in shown["pieces"]}
    assert len(pieces) == len(truth["pieces"]) + len(truth["stacks"])
    for fact in truth["stacks"]:
        piece = pieces[fact["id"]]
        assert (piece["map"], piece["x"], piece["y"]) == (fact["map"], fact["x"], fact["y"])
        assert piece["members"] == fact["members_bottom_to_top"]
        assert piece["location"] == fact["location"]
    for fact in truth["pieces"]:
        piece = pieces[fact["id"]]
        for key in ("name", "map", "x", "y", "location", "stack", "markers"):
            assert piece[key] == fact[key], key
        if not fact.get("masked") and not fact.get("hidden_by"):
            _check_traits(piece, fact)


def _check_traits(piece: Any, fact: Any) -> None:
    assert piece["basic_name"] == fact["basic_name"]
    assert piece["properties"] == fact["props"]
    assert [trait["state"] for trait in piece["traits"]] == [state for _, state in fact["traits"]]
    if "label" in fact:
        assert piece["labels"] == [fact["label"]]
    for turn in fact.get("rotate", ())[:1]:
        facing = piece["facing"]
        assert (facing["name"], facing["index"], facing["of"]) == (turn["name"], turn["index"], 6)
        assert (str(facing["index"] + 1), str(facing["degrees"])) == (turn["Facing"], turn["Degrees"])
    layers = [
        {"name": i["name"], "level": i["level"], "active": i["active"] == "true"}
        for i in fact.get("layers", ())
    ]
    assert piece["layers"] == layers
    if "table" in fact:
        assert piece["tables"] == [{"title": fact["table"]["command"], "rows": fact["table"]["cells"]}]
    if "sheet" in fact:
        assert piece["sheets"][0]["fields"] == {item["name"]: item["value"] for item in fact["sheet"]}


def test_steps(truth_path: Path) -> None:
    truth, save = _truth(truth_path), _read(truth_path)
    assert len(save.steps) == truth["log_steps"]
    shown: Any = dump(save, _module(truth_path.parent))
    for fact, step in zip(truth.get("steps", ()), shown["steps"], strict=True):
        assert step["n"] == fact["step"]
        kinds = [_KINDS.get(kind, kind) for kind in fact["kinds"]]
        # The engine merges neighbouring changes of one piece.
        found: list[str] = []
        for command in step["commands"]:
            if command["kind"] != "ChangePiece" or found[-1:] != ["ChangePiece"]:
                found.append(command["kind"])
        assert found == kinds, step["n"]
        assert [c["text"] for c in step["commands"] if c["kind"] == "Chat"] == fact.get("chat", [])
        for move, command in zip(
            fact.get("moves", ()), [c for c in step["commands"] if c["kind"] == "MovePiece"], strict=True
        ):
            assert command["id"] == move["id"]
            assert [command["to"]["x"], command["to"]["y"]] == move["to"]
        if "turn" in fact:
            assert [c["turn"] for c in step["commands"] if c["kind"] == "Turn"][-1] == fact["turn"]
        assert step["undo"] == ("undoes" in fact)


def test_replay_ends_where_the_engine_ends(truth_path: Path) -> None:
    truth = _truth(truth_path)
    if "final" not in truth:
        return
    save, module = _read(truth_path), _module(truth_path.parent)
    moments = list(replay(save, module))
    last = moments[-1]
    assert last.turns["TurnTracker0"].shown() == truth["final"]["turn"]["levels"]
    for fact in truth["final"]["pieces"]:
        piece = last.pieces[fact["id"]]
        place = (piece.name, piece.map, piece.x, piece.y, piece.stack)
        assert place == (fact["name"], fact["map"], fact["x"], fact["y"], fact["stack"])
        if "table" in fact:
            assert [list(row) for row in piece.tables[0].rows] == fact["table"]["cells"]
        for turn in fact.get("rotate", ())[:1]:
            assert piece.facing is not None
            assert piece.facing.index == turn["index"]
    for fact in truth["final"]["stacks"]:
        if fact["members_bottom_to_top"]:
            assert list(last.pieces[fact["id"]].members) == fact["members_bottom_to_top"]


def _boxes_of(fact: Any, ship: Any) -> dict[str, int]:
    """What a display's truth says is left, by the module's own labels."""
    if "layers" in fact:
        level = {item["name"]: item["level"] for item in fact["layers"]}
        return {k: sum(level[n] == 1 for n in names) for k, names in ship["layer_names"].items()}
    if fact["props"]:
        return {name: int(value) for name, value in fact["props"].items()}
    ticks = [i for i in fact["sheet"] if i["type"] == "6" and not i["name"].startswith("Shield")]
    return {item["name"]: int(item["engine_property"]) for item in ticks}


def test_ships_are_recognised(truth_path: Path) -> None:
    truth, save = _truth(truth_path)["begin"], _read(truth_path)
    meaning = json.loads((truth_path.parent / "meaning.json").read_text())
    state = recognise(save, _module(truth_path.parent))
    ships = {ship.name: ship for ship in state.ships}
    assert set(ships) == {ship["counter"] for ship in meaning["ships"]}
    levels = truth["turn"]["levels"]
    clock = state.clock
    assert (str(clock.turn), str(clock.impulse), clock.step) == tuple(
        levels[n] for n in ("Turn", "Impulse", "Step")
    )
    for known in meaning["ships"]:
        ship = ships[known["counter"]]
        fact = next(p for p in truth["pieces"] if p["basic_name"] == known["ssd"])
        assert ship.ssd is not None
        assert ship.ssd.id == fact["id"]
        assert {label: left for label, (left, _) in ship.boxes_left.items()} == _boxes_of(fact, known)
        totals = {label.replace(" ", "").replace("-", ""): n for label, n in known["boxes"].items()}
        for label, (_, total) in ship.boxes_left.items():
            assert total == totals[label.replace(" ", "").replace("-", "")]
        for item in fact.get("sheet", ()):
            if item["name"].startswith("Shield"):
                assert f"{ship.shields[int(item['name'][-1])][0]}" == item["engine_property"]
        assert ship.table is not None
        assert [list(row) for row in ship.table.rows] == fact["table"]["cells"]
        place = ship.table.at(1, 2)
        assert (place.file, place.member, place.piece) == (save.file, "savedGame", known["ssd"])
        assert (place.sheet, place.cell) == ("Show Data", "C2")
        assert known["race"] in ship.hints


def test_a_clock_without_a_module_still_counts(truth_path: Path) -> None:
    levels = _truth(truth_path)["begin"]["turn"]["levels"]
    clock = recognise(_read(truth_path)).clock
    assert (str(clock.turn), str(clock.impulse), clock.step) == (levels["Turn"], levels["Impulse"], None)


def test_ids_are_compared_but_never_shown(truth_path: Path) -> None:
    save, truth = _read(truth_path), _truth(truth_path)
    shown = json.dumps(dump(save, _module(truth_path.parent))) + repr(save)
    for player in truth["begin"]["players"]:
        assert player["id"] not in shown
        assert save.roster.name_of(lv.Secret(player["id"])) == player["name"]
