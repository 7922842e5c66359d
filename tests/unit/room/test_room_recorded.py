"""The rooms that were recorded between the genuine server, the genuine engine and other clients: what is followed is
what the engine showed."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal.edit import cell_place
from referee.formats.vassal.module import Module, read_module
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.sequence import decode
from referee.room.following import RoomGame
from referee.room.packing import unpacked
from referee.room.session import Arrived, GameCame, GameWanted, Happening, OwnerChanged, RoomMessage, Session
from referee.room.wire import clients_in, rooms_in

PLAYED = {  # how many of the engine's steps have facts about pieces, turn or properties that are held against ours
    "1-sync-from-engine": 0,
    "2-engine-plays": 24,
    "3-sync-from-peer": 1,
    "4-peer-acts": 12,
}
ALL = (*PLAYED, "5-three-clients", "6-stale-owner")


def read(shared: Path, name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    folder = shared / "vassal" / "room"
    frames = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return frames, json.loads((folder / f"{name}.truth.json").read_text("utf-8"))["steps"]


@pytest.fixture
def module(shared: Path) -> Module:
    return read_module((shared / "vassal" / "saves" / "duel" / "duel.vmod").read_bytes(), "duel.vmod")


def is_roster(line: str) -> bool:
    return not line or line.startswith(("LIST\t", "ROOM_INFO\t", "SYNC"))


def messages(frames: list[dict[str, Any]], begin: float, end: float) -> Iterator[str]:
    """What the engine said to others or heard from them in some time."""
    for frame in frames:
        if frame["conn"] != "engine" or "line" not in frame or not begin <= frame["t"] < end:
            continue
        line = frame["line"]
        if frame["dir"] == ">server":
            word, _, rest = line.partition("\t")
            line = decode(rest, "\t")[1] if word == "FWD" else ""
        if not is_roster(line):
            yield unpacked(line)


class Truth:
    """The engine's table, from its facts."""

    def __init__(self) -> None:
        self.pieces: dict[str, dict[str, Any]] = {}
        self.told = 0
        self.turn = ""
        self.globals: dict[str, str] = {}
        self.started = False

    def take(self, step: dict[str, Any]) -> bool:
        """Takes the facts of a step; was any of them about the table?"""
        for gone in step.get("removed", ()):
            self.pieces.pop(gone["id"], None)
        for new in step.get("added", ()):
            self.pieces[new["id"]] = dict(new)
        for change in step.get("changed", ()):
            piece = self.pieces.get(change["id"])
            if piece is None:
                continue
            if "what" in change:
                piece[change["what"]] = change["to"]
            else:
                kind = next(kind for kind in ("layers", "properties", "cell") if kind in change)
                piece.setdefault(kind, {})[change[kind]] = change["to"]
        self.turn = step.get("turn", self.turn)
        self.globals = step.get("globals", self.globals)
        self.started = step.get("started", self.started)
        return any(key in step for key in ("removed", "added", "changed", "turn"))


def differs(truth: Truth, game: RoomGame) -> list[str]:
    """What of the engine's table is otherwise on ours."""
    ours = {i: piece for i, piece in game.board.pieces.items() if piece.kind == "piece"}
    theirs = {i: facts for i, facts in truth.pieces.items() if facts["class"] != "Stack"}
    wrong = [f"only there: {i}" for i in theirs.keys() - ours.keys()]
    wrong += [f"only here: {i}" for i in ours.keys() - theirs.keys()]
    for identity in ours.keys() & theirs.keys():
        wrong += [f"{identity}: {what}" for what in piece_differs(theirs[identity], ours[identity], game)]
    turn = game.board.turns.get("TurnTracker0")
    if truth.turn and turn is not None:
        levels = [level.shown for level in turn.levels]
        if [word for word in truth.turn.split() if word not in ("Turn", "Impulse")] != levels:
            wrong.append(f"turn {truth.turn} / {levels}")
    for name, value in truth.globals.items():
        if game.board.properties.get(("Module", name), "") != value and truth.started:
            wrong.append(f"{name} {value} / {game.board.properties.get(('Module', name))}")
    return wrong


def piece_differs(facts: dict[str, Any], piece: Piece, game: RoomGame) -> Iterator[str]:
    name = str(facts.get("name", ""))
    if piece.masked is not name.endswith("(?)") or piece.hidden is not name.endswith("(Invisible)"):
        yield f"seen as {piece.name!r}, there {name!r}"
    if (facts["map"], facts["x"], facts["y"]) != (piece.map, piece.x, piece.y):
        yield f"at {piece.map} {piece.x},{piece.y}, there {facts['map']} {facts['x']},{facts['y']}"
    if piece.masked or piece.hidden:
        return
    if "basicName" in facts and facts["basicName"] != piece.basic_name:
        yield f"is {piece.basic_name}"
    stand = game._chart.stand(piece, game.board.boards)
    if facts["location"] != "offboard" and str(stand.hex) != facts["location"]:
        yield f"in {stand.hex}, there {facts['location']}"
    if "facing" in facts and piece.facing and piece.facing.index + 1 != int(facts["facing"]):
        yield f"faces {piece.facing.index + 1}, there {facts['facing']}"
    levels = {layer.name: layer.level if layer.active else -layer.level for layer in piece.layers}
    for layer, level in facts.get("layers", {}).items():
        if levels.get(layer) != level:
            yield f"{layer} {levels.get(layer)}, there {level}"
    for key, value in facts.get("properties", {}).items():
        if piece.properties.get(key) != value:
            yield f"{key} {piece.properties.get(key)}, there {value}"
    for cell, text in facts.get("cell", {}).items():
        row, column = cell_place(cell)
        if piece.tables[0].rows[row][column] != text:
            yield f"{cell} {piece.tables[0].rows[row][column]!r}, there {text!r}"


@pytest.mark.parametrize("name", PLAYED)
def test_the_table_is_what_the_engine_shows_after_each_step(name: str, shared: Path, module: Module) -> None:
    frames, steps = read(shared, name)
    truth, game, held = Truth(), None, 0
    said: list[str] = []
    begins = [step["t"] for step in steps[1:]] + [float("inf")]
    for step, end in zip(steps, begins, strict=True):
        facts = truth.take(step)
        if step.get("started") is False and game is not None:
            break  # the engine closed its game: what is said from then on is of none
        for text in messages(frames, step["t"], end):
            if text.startswith("begin_save") and game is None:
                game = RoomGame(text, module)
                continue
            if game is not None:
                seen = game.play(text)
                said += [
                    f"<{html.unescape(line.player)}> - {html.unescape(line.text)}" for line in seen.typed
                ]
        if game is not None:
            assert not differs(truth, game), step["did"]
            held += facts
        shown = [line["text"] for line in step.get("chat", ()) if line["line"].startswith(("&lt;", "<"))]
        plain = [" ".join(text.split()) for text in said]
        assert game is None or all(" ".join(text.split()) in plain for text in shown), (step["did"], shown)
    assert game is not None
    assert held == PLAYED[name]
    again = RoomGame(game.text, module)
    assert not differs(truth, again) or not truth.started, "what would be sent to a newcomer"


def in_the_room(
    shared: Path, name: str, conn: str, info: dict[str, str]
) -> Iterator[tuple[float, Session, list[Happening]]]:
    """A session that hears what a client heard."""
    frames, _ = read(shared, name)
    own = [frame for frame in frames if frame["conn"] == conn and "line" in frame]
    id = decode(own[0]["line"].partition("\t")[2], "\t")[0]
    session = Session("Cadet Duel Test", "Duel", id, info)
    session.begin(0)
    for frame in own:
        if frame["dir"] == "<server":
            happened = list(session.hear(frame["line"], frame["t"] / 1000))
            yield frame["t"], session, happened
            session.out.clear()


@pytest.mark.parametrize("name", ALL)
def test_every_roster_is_read(name: str, shared: Path) -> None:
    """The rooms and the players in them, in the order that the engine shows."""
    frames, steps = read(shared, name)
    lines = [frame["line"] for frame in frames if "line" in frame and frame["dir"] == "<server"]
    rosters = [clients for line in lines if (clients := clients_in(line, "Cadet Duel Test")) is not None]
    assert rosters
    assert all(one.id and one.name for clients in rosters for one in clients)
    assert all(isinstance(said, dict) for line in lines if (said := rooms_in(line)) is not None)
    shown = {
        room["room"]: room["players"] for step in steps for room in step.get("rooms", ()) if room["players"]
    }
    for room, players in shown.items():
        assert any([one.name for one in clients if one.room == room] == players for clients in rosters)


def test_the_newcomer_asks_and_gets_the_game(shared: Path, module: Module) -> None:
    happened: list[Happening] = []
    sent: list[str] = []
    for _, session, new in in_the_room(shared, "1-sync-from-engine", "peer", {"name": "Bob"}):
        happened += new
        sent += session.out
    assert [type(one) for one in happened][:2] == [Arrived, GameCame]
    assert sent[0].startswith("REG\t") and sent[1] == "JOIN\tCadet Duel Test/Duel"
    assert sent[2].startswith("FWD\tCadet Duel Test/*/u-alice.1795344702357\tSYNCname=Bob|id=")
    game = happened[1]
    assert isinstance(game, GameCame) and game.asked
    assert sum(piece.kind == "piece" for piece in RoomGame(game.text, module).board.pieces.values()) == 4


def test_ownership_moves_to_the_referee_who_is_asked_for_the_game(shared: Path) -> None:
    happened: list[Happening] = []
    for _, _, new in in_the_room(shared, "5-three-clients", "referee", {"name": "Referee"}):
        happened += new
    owners = [one for one in happened if isinstance(one, OwnerChanged)]
    assert owners and owners[-1].ours
    wanted = [one for one in happened if isinstance(one, GameWanted)]
    assert wanted and wanted[-1].name == "Bob"
    assert "secret" not in repr(wanted) and "u-bob" not in repr(wanted)
    assert "CHAT&lt;Alice&gt; - all here?" in [one.text for one in happened if isinstance(one, RoomMessage)]


def test_an_owner_who_has_left_is_not_waited_for(shared: Path) -> None:
    frames, _ = read(shared, "6-stale-owner")
    asked = 0
    for conn in sorted({frame["conn"] for frame in frames} - {"engine"}):
        for _, session, _ in in_the_room(shared, "6-stale-owner", conn, {"name": conn}):
            for line in session.out:
                if "\tSYNC" in line:
                    asked += 1
                    assert decode(line, "\t")[1].rpartition("/")[2] in session.members
    assert asked
