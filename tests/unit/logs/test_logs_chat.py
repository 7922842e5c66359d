"""Orders in the chat of a log beside fire: launches, cloaks, speeds, moves, and what is only named."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import Class, Game, LogWriter, Placed, Play, called, module_bytes

CA, WE = "CA Ship0", "WE Ship1"
FED = Class("Federation", "CA", (6,))
ROMULAN = Class("Romulan", "WE", (6,), (16, 2, 0, 2), boxes=(("Warp L", 8), ("Warp R", 8)))
KZINTI = Class("Kzinti", "CS", (7,), (15, 2, 2, 2), boxes=(("Warp L", 5), ("Warp R", 5), ("Warp C", 5)))
CLASSES = {"CA": "cadet/federation-ca", "WE": "cadet/romulan-we", "CS": "cadet/kzinti"}
Check = Callable[..., Ran]


def game(other: Class = ROMULAN, name: str = WE, speed: int = 4, turns: int = 1) -> Game:
    """A cruiser that stands still and another ship above it."""
    ships = {CA: Placed(FED, Hex(40, 42), "A", 4), name: Placed(other, Hex(40, 30), "D", 4)}
    speeds = {(n, t): (0 if n == CA else speed) for n in ships for t in range(1, turns + 1)}
    return Game(ships, turns, speeds, ())


def played(
    writer: LogWriter,
    *said: tuple[int, int, str, str],
    forms: dict[tuple[str, int], dict[str, str]] | None = None,
) -> list[int]:
    """All turns with lines said by turn, impulse, player and text; the step of each line."""
    steps: dict[int, int] = {}
    for turn in range(1, writer.game.turns + 1):
        for name in writer.game.ships:
            if forms is None or (name, turn) in forms:
                writer.form(name, turn)
                writer.write(name, turn, (forms or {}).get((name, turn), {}))
        for impulse in range(1, 17):
            for name in writer.game.ships:
                if called(writer.game.speeds[name, turn], impulse):
                    writer.play(Play(name, turn, impulse, 0, 0))
            for n, (t, i, player, text) in enumerate(said):
                if (t, i) == (turn, impulse):
                    steps[n] = writer.log(lv.Chat(f"<{player}> - {text}"))
            following = (turn, impulse + 1) if impulse < 16 else (turn + 1, 1)
            writer.advance((turn, impulse, 0), (*following, 0))
    return [steps[n] for n in range(len(said))]


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(writer: LogWriter, *options: str, module: bool = True) -> Ran:
        path, vmod = tmp_path / "game.vlog", tmp_path / "other.vmod"
        path.write_bytes(writer.finish())
        if module:
            vmod.write_bytes(module_bytes())
        classes = {name: CLASSES[name[:2]] for name in writer.game.ships}
        named = [part for name, id in classes.items() for part in ("--ship", f"{name}={id}")]
        settings = "--option", "previous_speed=4", "--module", vmod
        return referee("check", path, "--json", *(settings if module else settings[:2]), *named, *options)

    return once


def told(ran: Ran) -> list[tuple[str, str, Any]]:
    assert ran.err == ""
    return [
        (f["severity"], f["key"], f["location"].get("step"))
        for f in ran.findings()
        if f["severity"] != "note"
    ]


def reasons(ran: Ran, rule: str) -> list[str]:
    return [item["reason"] for item in ran.json["not_checked"] if item["rule"] == rule]


# -- launches ----------------------------------------------------------------------------


def kzinti() -> LogWriter:
    return LogWriter(game(KZINTI, "CS Ship1"))


def test_a_launch_by_the_rules(check: Check) -> None:
    writer = kzinti()
    played(writer, (1, 5, "Cy", "!CS Ship1: launch DRN/1 at CA Ship0"))
    ran = check(writer)
    assert told(ran) == [] and {"D1.3", "FD4.21"} <= set(ran.json["checked"])
    assert reasons(ran, "F2.0") == ["what became of the seekers it launched is not followed"]


def test_a_rack_that_launches_twice_in_a_turn(check: Check) -> None:
    writer = kzinti()
    steps = played(
        writer,
        (1, 5, "Cy", "!CS Ship1: launch DRN/1 at CA Ship0"),
        (1, 9, "Cy", "!CS Ship1: launch DRN/1 at CA Ship0"),
    )
    ran = check(writer)
    assert ("error", "FD4.21", steps[1]) in told(ran)


def test_a_phaser_that_is_launched_and_a_drone_that_is_fired(check: Check) -> None:
    writer = kzinti()
    steps = played(
        writer,
        (1, 5, "Ann", "!launch PH-1A at CS Ship1"),
        (1, 6, "Cy", "!CS Ship1: fire DRN/1 at CA Ship0"),
    )
    ran = check(writer)
    wrong = [
        (key, step) for severity, key, step in told(ran) if severity == "error" and key.startswith("D1.3")
    ]
    assert wrong == [("D1.3", steps[1]), ("D1.3/launch", steps[0])]


# -- cloaks ------------------------------------------------------------------------------


def test_a_cloak_that_was_not_paid_for(check: Check) -> None:
    writer = LogWriter(game())
    steps = played(writer, (1, 5, "Cy", "!WE Ship1: cloak"))
    ran = check(writer)
    assert ("error", "G13.0/paid", steps[0]) in told(ran)


def test_a_cadet_ship_fires_from_under_its_cloak(check: Check) -> None:
    """In the cadet game what is paid for decides: the ship is hidden for the whole turn."""
    import tests.unit.formats.vassal.game_logs as logs

    writer = LogWriter(game())
    row = logs.ROWS.index("WW/SS")
    for name in writer.cells:
        writer.cells[name][row][0] = "Cloak"
    writer._start = writer.start()
    forms = {(CA, 1): {}, (WE, 1): {"WW/SS": "6", "Phasrecharge": "2", "Total Used": "12"}}
    steps = played(
        writer,
        (1, 1, "Cy", "!WE Ship1: cloak"),
        (1, 7, "Cy", "!WE Ship1: uncloak"),
        forms=forms,  # type: ignore[arg-type]
    )
    ran = check(writer)
    found = [item for item in told(ran) if item[1].startswith("G13")]
    assert ("error", "G13.0/announce", steps[1]) in found
    assert all(step != steps[0] for _, _, step in found), found


def test_a_cloak_of_a_ship_without_a_form(check: Check) -> None:
    writer = LogWriter(game())
    played(writer, (1, 5, "Cy", "!WE Ship1: cloak"), forms={(CA, 1): {}})
    ran = check(writer)
    assert not [item for item in told(ran) if item[1].startswith("G13")]
    assert any("no form" in reason for reason in reasons(ran, "G13.0")), ran.json["not_checked"]


# -- speeds and moves --------------------------------------------------------------------


def test_a_speed_said_that_is_not_paid_for(check: Check) -> None:
    writer = LogWriter(game())
    steps = played(writer, (1, 1, "Ann", "!speed 3"), (1, 2, "Ann", "!speed 0"))
    ran = check(writer)
    assert told(ran) == [("warning", "B3.0-14/said", steps[0])]
    assert (ran.findings("warning")[0]["expected"], ran.findings("warning")[0]["found"]) == ("0", "3")


def test_a_speed_said_stands_where_there_is_no_form(check: Check) -> None:
    """Said 8 and moved at 4: on impulse 2 it was called and stood still."""
    writer = LogWriter(game())
    played(writer, (1, 1, "Cy", "!WE Ship1: speed 8"), forms={(CA, 1): {}})
    ran = check(writer)
    assert "C1.4/missed" in {key for _, key, _ in told(ran)}
    writer = LogWriter(game())
    played(writer, (1, 1, "Cy", "!WE Ship1: speed 4"), forms={(CA, 1): {}})
    assert told(check(writer)) == []


def test_a_move_that_was_ordered_otherwise(check: Check) -> None:
    writer = LogWriter(game())
    steps = played(
        writer,
        (1, 4, "Cy", "!WE Ship1: ahead"),
        (1, 8, "Cy", "!WE Ship1: left"),
        (1, 9, "Cy", "!WE Ship1: right"),
    )
    ran = check(writer)
    assert told(ran) == [("warning", "NOTE/not-as-ordered", step) for step in steps[1:]]
    messages = [f["message"] for f in ran.findings("warning")]
    assert messages == ["ordered to go left, went ahead", "ordered to go right, did not move"]


def test_an_order_taken_back_does_not_count(check: Check) -> None:
    writer = LogWriter(game())
    steps = played(
        writer,
        (1, 5, "Cy", "!WE Ship1: cloak"),
        (1, 5, "Cy", "!WE Ship1: undo"),
        (1, 6, "Cy", "!WE Ship1: undo"),
    )
    assert told(check(writer)) == [("undecided", "NOTE/order", steps[2])]


def test_what_is_not_judged_is_named_with_its_steps(check: Check) -> None:
    writer = LogWriter(game())
    steps = played(
        writer,
        (1, 2, "Ann", "!seal abc-def"),
        (1, 4, "Ann", "!status"),
        (1, 6, "Ann", "!seal abc-deg"),
        (1, 7, "Ann", "!impulse 7"),
        (1, 8, "Ann", "!turn 3"),
    )
    ran = check(writer)
    assert told(ran) == []
    assert reasons(ran, "B2.0") == [
        f"the orders of step {steps[0]}, {steps[2]} to seal are not judged",
        f"the orders of step {steps[4]} to set the clock, which stands elsewhere are not judged",
    ]


def test_orders_of_another_beginning_and_ships_called_as_players(check: Check) -> None:
    said = '{"schema": "referee/module-map/1", "module": {"name": "Generated Duel"}, "orders": {"prefix": "->", "speaker": "name"}}'
    Path("map.json").write_text(said)
    writer = LogWriter(game())
    steps = played(
        writer, (1, 3, "Ship0", "->fire PHOT-A at WE Ship1"), (1, 5, "Ship0", "!fire PHOT-B at WE Ship1")
    )
    ran = check(writer, "--map", "map.json")
    assert told(ran) == [("error", "E1.2/energy", steps[0])]


# -- dice --------------------------------------------------------------------------------


def test_a_clock_put_back_over_dice(check: Check) -> None:
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.advance((1, 1, 0), (1, 2, 0))
    writer.advance((1, 2, 0), (1, 3, 0))
    writer.log(lv.Chat("*** 1d6 = 3 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "3", "Module"))
    back = writer.advance((1, 3, 0), (1, 1, 0))
    assert ("warning", "NOTE/played-again", back) in told(check(writer))


def test_a_die_rolled_again(check: Check) -> None:
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    writer.advance((1, 1, 0), (1, 2, 0))
    writer.log(lv.Chat("<Ann> - !fire PH-1A at WE Ship1"))
    writer.log(lv.Chat("*** 1d6 = 6 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "6", "Module"))
    again = writer.log(lv.Chat("*** 1d6 = 1 *** <Ann>"), lv.MutableProperty("1d6_result", "6", "1", "Module"))
    assert told(check(writer)) == [("warning", "NOTE/dice-again", again)]


def test_a_die_rolled_before_the_fire_was_said(check: Check) -> None:
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    writer.advance((1, 1, 0), (1, 2, 0))
    writer.log(lv.Chat("*** 1d6 = 1 *** <Ann>"), lv.MutableProperty("1d6_result", "6", "1", "Module"))
    late = writer.log(lv.Chat("<Ann> - !fire PH-1A at WE Ship1"))
    assert told(check(writer)) == [("warning", "NOTE/dice-first", late)]


def test_fire_without_any_dice_is_named(check: Check) -> None:
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    writer.log(lv.Chat("<Ann> - !fire PH-1A at WE Ship1"))
    ran = check(writer)
    assert told(ran) == [] and reasons(ran, "E1.1") == ["no dice are in the log"]


# -- targets, clocks and marks of other kinds --------------------------------------------


def test_fire_at_a_drone(check: Check) -> None:
    from referee.formats.vassal.chain import join_chain
    from tests.unit.formats.vassal.game_logs import pixels

    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    types = join_chain(["rotate;6;;;R;L;;;Heading", "mark;Race,Type", "piece;;;d.png;Drone 1"])
    x, y = pixels(reversed=False)["4039"]
    writer.log(lv.AddPiece("555", types, join_chain(["3", "Kzinti,Drone", f"Space;{x};{y};1;0"])))
    writer.log(lv.Chat("<Ann> - !fire PH-1A at Drone 1"))
    ran = check(writer)
    assert told(ran) == [] and "D2.1" in ran.json["checked"]


def test_a_cloak_in_a_turn_beyond_all_clocks(check: Check) -> None:
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.log(writer.tracker(999_999_999, 1, 0))
    writer.log(lv.Chat("<Cy> - !WE Ship1: cloak"))
    writer.log(lv.Chat("<Ann> - !fire PH-1A at WE Ship1"))
    begun = time.process_time()
    assert check(writer).code in (0, 1)
    assert time.process_time() - begun < 2


def test_a_hit_that_no_fire_declared_is_held_against_the_marks(check: Check) -> None:
    def log(count: int) -> tuple[LogWriter, int]:
        writer = LogWriter(game())
        writer.form(CA, 1)
        writer.form(WE, 1)
        writer.log(lv.Chat("<Cy> - !WE Ship1: hit 5 on 2"))
        old = writer.display_states(WE)
        writer.shields[WE][1] -= count
        return writer, writer.log(writer.change(f"{writer.ids[WE]}9", old, writer.display_states(WE)))

    assert told(check(log(5)[0])) == []
    writer, step = log(4)
    ran = check(writer)
    assert told(ran) == [("error", "D4.1", step)]
    assert (ran.findings("error")[0]["expected"], ran.findings("error")[0]["found"]) == ("5", "4")


def test_damage_laid_on_a_display_as_markers(check: Check) -> None:
    """Shields are on the sheet, boxes inside are markers: three hits for two points that come through."""
    said = """{"schema": "referee/module-map/1", "module": {"name": "Generated Duel"},
        "damage": [{"as": "markers", "names": {"Hit warp": "left_warp", "Hit hull": "center_hull"}}]}"""
    Path("map.json").write_text(said)

    def log(*marks: str) -> tuple[LogWriter, int]:
        writer = LogWriter(game())
        writer.form(CA, 1)
        writer.form(WE, 1)
        writer.advance((1, 1, 0), (1, 2, 0))
        writer.log(lv.Chat("<Cy> - !WE Ship1: hit 14 on 2"))
        old = writer.display_states(WE)
        writer.shields[WE][1] -= 12
        writer.log(writer.change(f"{writer.ids[WE]}9", old, writer.display_states(WE)))
        step = 0
        for n, mark in enumerate(marks):
            step = writer.log(lv.AddPiece(f"66{n}", f"piece;;;hit.png;{mark}", f"SSD;{910 + n};100;1;0"))
        return writer, step

    right, _ = log("Hit warp", "Hit hull")
    assert told(check(right, "--map", "map.json")) == []
    wrong, step = log("Hit warp", "Hit hull", "Hit warp")
    assert told(check(wrong, "--map", "map.json")) == [("error", "D4.1", step)]


def test_pieces_a_map_says_nothing_of_are_named_once(check: Check) -> None:
    said = """{"schema": "referee/module-map/1", "module": {"name": "Generated Duel"},
        "pieces": {"counter": {"map": "Space", "has_table": false}, "ignore": [{"names": ["Sun"]}]}}"""
    Path("map.json").write_text(said)
    writer = LogWriter(game())
    for id, name in (("71", "Sun"), ("72", "Mars"), ("73", "Mars")):
        writer.log(lv.AddPiece(id, f"label;76,130;L;10;\tpiece;;;p.png;{name}", f"\tSSD;{id};400;1;0"))
    writer.form(CA, 1)
    ran = check(writer, "--map", "map.json")
    noted = [f for f in ran.findings() if f["key"] == "NOTE/unmapped"]
    assert [f["message"] for f in noted] == ["the map says nothing of Mars"]
    assert noted[0]["location"] == {"file": "map.json", "pointer": "/pieces"}


def test_orders_without_names_of_hexes_are_not_held_against_moves(check: Check) -> None:
    writer = LogWriter(game())
    played(writer, (1, 4, "Cy", "!WE Ship1: ahead"), (1, 8, "Cy", "!WE Ship1: left"))
    assert told(check(writer, module=False)) == []


def test_talk_that_tells_no_result(check: Check) -> None:
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    writer.log(lv.Chat("<Ann> - !fire PH-1A at WE Ship1"))
    writer.log(lv.Chat("<Ann> - if PH-1A misses I am dead"), lv.Chat("<Cy> - I hope PH-1A hits for 99"))
    writer.log(lv.Chat("*** 1d6 = 6 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "6", "Module"))
    writer.log(lv.Chat("<Cy> - did PH-1A hit for 12 points?"), lv.Chat("<Cy> - a miss is as good as a mile"))
    assert told(check(writer)) == []


def test_a_display_that_changes_in_other_ways_marks_no_damage(check: Check) -> None:
    """Damage is not marked in this log; a figure that is no box of the ship changes on its display."""
    writer = LogWriter(game(), shown="properties")
    writer.left[WE] |= {"Crew units": 20}
    cls = writer.game.ships[WE].cls
    ships = {
        **writer.game.ships,
        WE: replace(writer.game.ships[WE], cls=replace(cls, boxes=(*cls.boxes, ("Crew units", 20)))),
    }
    writer.game = replace(writer.game, ships=ships)
    writer._start = writer.start()
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.log(lv.Chat("<Cy> - !WE Ship1: hit 5 on 2"))
    old = writer.display_states(WE)
    writer.left[WE]["Crew units"] = 18
    writer.log(writer.change(f"{writer.ids[WE]}9", old, writer.display_states(WE)))
    ran = check(writer)
    assert told(ran) == [] and any("is not marked" in reason for reason in reasons(ran, "D4.1"))


@pytest.mark.parametrize("undone", ["rolled again", "not rolled again"])
def test_a_die_taken_back_stands_as_it_fell(check: Check, undone: str) -> None:
    """The first die counts: at range 12 a phaser-1 scores with a 1, and not with a 6."""
    writer = LogWriter(game())
    writer.form(CA, 1)
    writer.form(WE, 1)
    writer.write(CA, 1, {"Phasrecharge": "3", "Total Used": "3"})
    writer.log(lv.Chat("<Ann> - !fire PH-1A at WE Ship1"))
    writer.log(lv.Chat("*** 1d6 = 6 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "6", "Module"))
    back = writer.log(lv.Undo(True), lv.MutableProperty("1d6_result", "6", "1", "Module"), lv.Undo(False))
    expected = [("warning", "NOTE/dice-taken-back", back)]
    if undone == "rolled again":
        die = lv.Chat("*** 1d6 = 1 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "1", "Module")
        expected.append(("warning", "NOTE/dice-again", writer.log(*die)))
    writer.log(lv.Chat("<Ann> - PH-1A misses"))
    ran = check(writer)
    assert told(ran) == expected and reasons(ran, "E1.1") == []
    said = writer.log(lv.Chat("<Ann> - PH-1A hits for 4"))
    ran = check(writer)
    assert told(ran) == [*expected, ("error", "E2.4", said)]
    assert "rolled 6" in ran.findings("error")[0]["message"]


# -- steps of the impulse ----------------------------------------------------------------

MAP = {"schema": "referee/module-map/1", "module": {"name": "Generated Duel"}}


def in_steps(
    writer: LogWriter, said: dict[tuple[int, int], str], moves: int = 0
) -> dict[tuple[int, int], int]:
    """A turn whose tracker goes through all steps, with lines said by impulse and step; ships move in the
    step numbered `moves`."""
    lines: dict[tuple[int, int], int] = {}
    for name in writer.game.ships:
        writer.form(name, 1)
    for impulse in range(1, 17):
        for step in range(4):
            for name in writer.game.ships:
                if step == moves and called(writer.game.speeds[name, 1], impulse):
                    writer.play(Play(name, 1, impulse, 0, 0))
            if text := said.get((impulse, step)):
                lines[impulse, step] = writer.log(lv.Chat(f"<Cy> - {text}"))
            following = (1, impulse, step + 1) if step < 3 else (1, impulse + 1, 0)
            writer.advance((1, impulse, step), following)
    return lines


def astray(ran: Ran) -> list[tuple[int, str, str]]:
    """What is against B2.0, by step, with where it should have been and where it was."""
    return [(f["location"]["step"], f["expected"], f["found"]) for f in ran.findings() if f["rule"] == "B2.0"]


def test_orders_in_another_step_than_their_own(check: Check) -> None:
    writer = kzinti()
    launch, fire = "!CS Ship1: launch DRN/1 at CA Ship0", "!CS Ship1: fire DISR/A at CA Ship0"
    said = in_steps(
        writer, {(5, 2): launch, (6, 3): fire, (7, 0): fire, (8, 3): launch, (9, 0): "!CS Ship1: ahead"}
    )
    ran = check(writer)
    assert astray(ran) == [(said[7, 0], "fire", "Move"), (said[8, 3], "launch", "Fire")]
    assert "B2.0" in ran.json["checked"]


def test_moves_in_another_step_than_their_own(check: Check) -> None:
    writer = kzinti()
    in_steps(writer, {}, moves=2)
    found = astray(check(writer))
    assert len(found) == 4 and {row[1:] for row in found} == {("move ships", "Launch")}


def test_a_map_says_what_the_steps_of_a_tracker_are(check: Check) -> None:
    said = {**MAP, "tracker": {"steps": {"Move": "fire", "Fire": "move-ships", "Seekers": "move-seekers"}}}
    Path("map.json").write_text(json.dumps(said))
    writer = kzinti()
    lines = in_steps(writer, {(5, 0): "!CS Ship1: fire DISR/A at CA Ship0"}, moves=3)
    assert astray(check(writer, "--map", "map.json")) == []
    assert (lines[5, 0], "fire", "Move") in astray(check(writer))


def test_a_step_whose_name_tells_nothing_is_named(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.unit.formats.vassal.game_logs.STEPS", ("Move", "Seekers", "Launch", "Bang"))
    writer = kzinti()
    in_steps(writer, {(5, 3): "!CS Ship1: fire DISR/A at CA Ship0"})
    assert reasons(check(writer), "B2.0") == [
        "what its tracker's steps Bang are is not known: name them in tracker.steps of a map"
    ]


def test_a_tracker_that_stays_in_one_step_tells_none(check: Check) -> None:
    writer = kzinti()
    played(writer, (1, 5, "Cy", "!CS Ship1: fire DISR/A at CA Ship0"))
    ran = check(writer)
    assert astray(ran) == []
    assert reasons(ran, "B2.0") == [
        "its tracker stays in one step: in which step things were done is not known"
    ]
