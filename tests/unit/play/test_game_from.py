"""`referee game new --from`: a save or log becomes a record that holds together and is played on."""

from __future__ import annotations

import csv
from collections.abc import Callable
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.gamefold import fold_game
from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.commands import encode_leaf
from referee.formats.vassal.game import read_save
from referee.formats.vassal.logged import read_log
from referee.formats.vassal.module import read_module
from referee.record.reading import read
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import (
    FED,
    Game,
    LogWriter,
    Placed,
    legal_game,
    module_bytes,
    write_log,
)
from tests.unit.judging.test_shared_saves import SAVES

Holds = Callable[[Any], None]
SOME_SAVES = (
    [
        p.relative_to(SAVES).as_posix()
        for p in sorted(SAVES.rglob("*"))
        if p.suffix in (".vsav", ".vlog", ".sav", ".log") and "duel" not in p.parts
    ]
    if SAVES.is_dir()
    else []
)
LOGS = ("p04_legal_turn", "p05_turn_mode", "p06_undo", "p07_dice_chat")


def taken(referee: Run, source: Path, *more: str, to: str = "g.jsonl") -> Ran:
    """A record made of a file; it verifies, and its play and dice are as the rules make them."""
    ran = referee("game", "new", to, "--from", source, "--alone", *more)
    assert ran.code == 0 and ran.err == "", ran
    assert referee("record", "verify", to).code == 0
    assert referee("check", to).code in (0, 1)
    return ran


def where(path: str = "g.jsonl") -> dict[str, str]:
    state = fold_game(read(path), load_ship)
    return {name: ship.position for name, ship in state.ships.items()}


def at_the_end(log: Path, module: Path) -> dict[str, str]:
    """Where the counters of a log stand when it ends."""
    vmod = read_module(module.read_bytes(), "m.vmod")
    logged = read_log(read_save(log.read_bytes(), log.name), vmod)
    ends: dict[str, str] = {}
    for ship in logged.ships:
        if ship.counter:
            changes = logged.changes[ship.counter.id]
            stand = changes[-1].after if changes else logged.began[ship.counter.id]
            ends[ship.name] = f"{stand.hex}{stand.facing}"
    return ends


# -- the saves of the examples ---------------------------------------------------------------


def test_a_save_with_its_forms_and_its_damage(referee: Run, duel: Path, holds: Holds) -> None:
    ran = taken(referee, duel / "duel.vsav")
    assert "not taken: where the ships stand: hex names need --module" in ran.out
    report = referee("check", "g.jsonl", "--json")
    by_rule = [(f["rule"], f["turn"]) for f in report.findings("error")]
    saved = referee("check", duel / "duel.vsav", "--json").findings("error")
    assert sorted(by_rule) == sorted((f["rule"], f["turn"]) for f in saved) and len(by_rule) == 8
    status = referee("game", "status", "g.jsonl", "--json").json
    holds(status)
    ships = {ship["name"]: ship for ship in status["ships"]}
    assert status["from"]["file"] == "duel.vsav" and status["players"] == ["ann", "ben"]
    assert ships["D6 Destruction"]["state"]["destroyed"] == ["forward_hull/1", "left_warp/1"]
    assert ships["D6 Destruction"]["state"]["shields"]["1"] == 0
    assert [ships[name]["player"] for name in ships] == ["ann", "ben"] and status["turn"] == 3
    assert "taken from duel.vsav (sha256" in referee("game", "status", "g.jsonl").out
    assert "duel.vsav (entries 1 to" in referee("game", "report", "g.jsonl").out


def test_a_clean_save_is_a_clean_record(referee: Run, duel: Path) -> None:
    taken(referee, duel / "duel-corrected.vsav")
    assert referee("check", "g.jsonl").code == 0
    assert referee("form", "next", "g.jsonl", "--ship", "D6 Destruction").code == 0


def test_who_plays_what(referee: Run, duel: Path) -> None:
    taken(referee, duel / "duel.vsav", "--players", "ben,ann", "--player", "Klingon=ann", to="a.jsonl")
    state = fold_game(read("a.jsonl"), load_ship)
    assert {ship.player for ship in state.ships.values()} == {"ann"}
    alone = taken(referee, duel / "duel.vsav", "--players", "eve", to="b.jsonl")
    assert alone.code == 0
    for more, said in (
        (("--players", "eve,mallory"), 'who plays CA Constellation is not known; --player "'),
        (("--players", "eve,ann", "--player", "Klingon=zoe"), "players are eve, ann"),
        (("--ship", "CA Constellation=no-such-ship"), "no-such-ship"),
        (("--ship", "Nobody=cadet/klingon-d6"), "no ship Nobody in it"),
    ):
        ran = referee("game", "new", "c.jsonl", "--from", duel / "duel.vsav", *more)
        assert ran.code == 2 and said in ran.err and not Path("c.jsonl").exists(), ran


def test_what_is_no_game_is_refused(referee: Run, duel: Path) -> None:
    for source, said in (
        (
            duel / "constellation.csv",
            "is an energy form, no game to go on from; --from takes a VASSAL save or log",
        ),
        (duel / "none.vsav", "none.vsav"),
    ):
        ran = referee("game", "new", "c.jsonl", "--from", source, "--players", "a,b")
        assert ran.code == 2 and said in ran.err and not Path("c.jsonl").exists()
    for given in (("--player", "A=a"), ("--module", "m.vmod"), ("--map", "m.json")):
        ran = referee("game", "new", "c.jsonl", "--players", "a,b", *given)
        assert ran.code == 2 and "without --from" in ran.err
    assert "who plays is not given" in referee("game", "new", "c.jsonl").err


# -- logs ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOGS)
def test_the_logs_of_the_engine(referee: Run, name: str) -> None:
    folder = SAVES / "duel"
    if not folder.is_dir():
        pytest.skip("the shared saves are not here")
    log = folder / f"{name}.vlog"
    ran = taken(referee, log)
    assert where() == at_the_end(log, folder / "duel.vmod")
    planted = loads((folder / f"{name}.truth.json").read_text())["planted"]
    found = referee("check", "g.jsonl", "--json").findings("error")
    assert [f["rule"] for f in found] == [p["rule"] for p in planted]
    kinds = [entry.type for entry in read("g.jsonl")]
    assert kinds.count("note") == (5 if name == "p07_dice_chat" else 0)
    assert "awaited from alice: energy form of CA Meridian for turn 2" in ran.out
    lost = "what the fire at D6 Harrow did: no damage is marked on its display after it"
    assert (lost in ran.out) == (name == "p07_dice_chat")


def test_every_save_of_the_engine(referee: Run) -> None:
    folder = SAVES / "duel"
    if not folder.is_dir():
        pytest.skip("the shared saves are not here")
    saves = sorted(folder.glob("*.vsav"))
    assert len(saves) > 8
    for save in saves:
        taken(referee, save, to=f"{save.stem}.jsonl")
        planted = loads(save.with_suffix(".truth.json").read_text())["planted"]
        found = referee("check", f"{save.stem}.jsonl", "--json").findings("error")
        assert len(found) == len(planted), save.name


def test_played_on_after_a_log(referee: Run) -> None:
    game = legal_game(Random(5), ships=2, turns=1)
    Path("m.vmod").write_bytes(module_bytes())
    Path("game.vlog").write_bytes(write_log(game).data)
    taken(referee, Path("game.vlog"), "--module", "m.vmod")
    assert where() == at_the_end(Path("game.vlog"), Path("m.vmod"))
    assert referee("check", "g.jsonl").code == 0
    fed = next(name for name, ship in game.ships.items() if ship.cls is FED)
    before = where()[fed]
    ran = referee("game", "next", "g.jsonl", "--to", "2.1.move-ships")
    assert ran.code == 0, ran.err
    ran = referee("game", "say", "g.jsonl", f"{fed}: ahead", "--as", "ann", "--force")
    assert ran.code == 0 and where()[fed] != before
    # What only a file may put into a record cannot be put there afterwards.
    from referee.core.errors import BadInput
    from referee.play.append import append

    for kind, data in (
        ("taken", {"text": "x", "events": []}),
        (
            "order",
            {"text": ["x"], "player": "ann", "turn": 2, "impulse": 1, "place": {"ship": fed, "to": ""}},
        ),
    ):
        with pytest.raises(BadInput, match="is of no file"):
            append("g.jsonl", lambda _, new=(kind, data): [new])


def test_fire_whose_dice_did_not_fall_is_still_to_be_rolled(referee: Run) -> None:
    from dataclasses import replace

    Path("m.vmod").write_bytes(module_bytes())
    game = legal_game(Random(8), ships=2, turns=1)
    names = list(game.ships)
    klingon = next(name for name in names if game.ships[name].cls is not FED)
    target = next(name for name in names if name != klingon)
    line = f"&lt;Ben&gt; - !{klingon}: fire PH-2A at {target}"
    Path("game.vlog").write_bytes(write_log(replace(game, said={(1, 3): [line]})).data)
    taken(referee, Path("game.vlog"), "--module", "m.vmod")
    state = fold_game(read("g.jsonl"), load_ship)
    assert not state.unrolled and [mark for _, mark in state.ships[klingon].fired] == ["PH-2/A"]
    # A log that begins in the middle of a turn, and ends before any dice fell.
    writer = LogWriter(game, at=(1, 3, 3), filled=(1,))
    writer.log(lv.Chat(line))
    Path("short.vlog").write_bytes(writer.finish())
    ran = taken(referee, Path("short.vlog"), "--module", "m.vmod", to="short.jsonl")
    state = fold_game(read("short.jsonl"), load_ship)
    assert (state.turn, state.impulse, state.step) == (1, 3, "fire")
    assert [order.weapons for order in state.unrolled] == [("PH-2/A",)]
    assert state.ships[klingon].unit.counting == "unknown"
    ran = referee("game", "resolve", "short.jsonl")
    assert ran.code == 0 and "PH-2/A at CA Ship0: range 6" in ran.out, ran
    assert referee("check", "short.jsonl").code in (0, 1)


def test_moves_that_are_none_are_taken_with_their_fouls(referee: Run) -> None:
    """A counter dragged aside, turned on the spot, taken off the map and put back stands where it ends."""
    Path("m.vmod").write_bytes(module_bytes())
    ship = Placed(FED, Hex(40, 40), "A", 8)
    game = Game({"CA One": ship}, 1, {("CA One", 1): 8}, ())
    writer = LogWriter(game)
    writer.form("CA One", 1)

    def drag(to: Hex) -> None:
        hex, facing = writer.where["CA One"]
        writer.log("null", writer.move_leaf("CA One", hex, to))
        writer.where["CA One"] = to, facing

    def turn(facing: str) -> None:
        before = writer.counter_states("CA One")
        writer.where["CA One"] = writer.where["CA One"][0], facing
        writer.log(writer.change(writer.ids["CA One"], before, writer.counter_states("CA One")))

    def on(impulse: int) -> None:
        writer.advance((1, impulse - 1, 3), (1, impulse, 0))

    on(2)
    drag(Hex(41, 40))  # beside, not ahead
    on(4)
    drag(Hex(41, 37))  # three hexes
    on(5)
    turn("C")  # on the spot
    on(6)
    drag(Hex(41, 37).step("C"))
    on(7)
    old = writer.counter_states("CA One")
    hidden = [*old[:5], "ann", *old[6:]]
    writer.log(writer.change(writer.ids["CA One"], old, hidden))
    on(8)
    writer.where["CA One"] = Hex(50, 50), "E"
    writer.log(writer.change(writer.ids["CA One"], hidden, writer.counter_states("CA One")))
    Path("game.vlog").write_bytes(writer.finish())
    ran = taken(referee, Path("game.vlog"), "--module", "m.vmod", "--players", "ann")
    assert "not taken: step " in ran.out and "CA One is out of sight" in ran.out
    assert where() == {"CA One": "5050E"} == at_the_end(Path("game.vlog"), Path("m.vmod"))
    rules = [entry.data["rule"] for entry in read("g.jsonl") if entry.type == "foul"]
    assert rules == ["C1.2", "C1.1", "C3.1"]
    placed = [entry.data["place"]["to"] for entry in read("g.jsonl") if "place" in entry.data]
    assert placed == ["4140A", "4137A", "4137C", "", "5050E"]
    # Told in chat, a ship that was put somewhere is no order.
    chat = referee("game", "chat", "g.jsonl").out
    assert "order: CA One at 4140A" in chat and "!CA One at" not in chat and "!CA One: put" not in chat


@pytest.mark.parametrize("name", SOME_SAVES or ["absent"])
def test_files_of_other_games_are_refused_in_a_line(referee: Run, name: str) -> None:
    if not SAVES.is_dir():
        pytest.skip("the shared saves are not here")
    ran = referee("game", "new", "g.jsonl", "--from", SAVES / name, "--players", "a,b")
    assert ran.code == 2 and ran.err.count("\n") == 1 and "no ship known here is in it" in ran.err
    assert not Path("g.jsonl").exists()


@pytest.mark.parametrize("told", [True, False])
def test_a_log_without_a_tracker(referee: Run, monkeypatch: pytest.MonkeyPatch, told: bool) -> None:
    """Where chat reports tell the time its moves are taken; where nothing does, how it ended."""
    said = encode_leaf(lv.Chat("* nothing"))
    monkeypatch.setattr(LogWriter, "tracker", lambda *_: said)
    if not told:
        monkeypatch.setattr(LogWriter, "advance", lambda writer, *_: writer.log(lv.Chat("* tick")))
    Path("m.vmod").write_bytes(module_bytes())
    Path("game.vlog").write_bytes(write_log(legal_game(Random(4), ships=2, turns=2)).data)
    ran = taken(referee, Path("game.vlog"), "--module", "m.vmod")
    assert where() == at_the_end(Path("game.vlog"), Path("m.vmod"))
    assert referee("check", "g.jsonl").code == 0
    entries = read("g.jsonl")
    assert any("move" in entry.data for entry in entries) == told
    assert ("nothing in it tells when they were made" in ran.out) == (not told)
    assert [entry.data["turn"] for entry in entries if entry.type == "form"] == [1, 1, 2, 2]


def test_the_next_form_of_a_record_says_of_the_turns_before_what_was_filed(referee: Run) -> None:
    begin = [
        "game",
        "new",
        "g.jsonl",
        "--players",
        "alice,bob",
        "--rulebook",
        "sfb-standard",
        "--dice",
        "solo",
        "--alone",
    ]
    placed = ("Kirk=standard/federation-ca:alice@0101D/8", "Pike=standard/federation-ca:bob@2001A/8")
    assert referee(*begin, "--ship", placed[0], "--ship", placed[1]).code == 0
    Path("f.csv").write_text("Ship,Kirk\nTurn,1\nLife Support,1\nFire Control,1\nShields,2\nMovement,8\n")
    assert referee("game", "apply", "g.jsonl", "f.csv").code == 0
    assert referee("form", "next", "g.jsonl", "--ship", "Kirk", "-o", "n.csv").code == 0
    rows = {row[0]: row for row in csv.reader(Path("n.csv").read_text().splitlines())}
    assert rows["Ship"][1] == "Kirk" and rows["Total Power"][1:3] == ["", "34"]
    assert rows["Total Power Used"][1] == "" and rows["Movement"][1] == "8"
    filed = Path("g.jsonl").read_bytes()
    again = referee("game", "apply", "g.jsonl", "n.csv")
    assert again.code == 2 and "filed already" in again.err and Path("g.jsonl").read_bytes() == filed
    ran = referee("check", "n.csv", "--ship", "standard/federation-ca", "--json")
    assert ran.findings("error") == [] and ran.json["verdict"] == "legal"
    assert "turn 2 is only begun" in str(ran.json["not_checked"])
