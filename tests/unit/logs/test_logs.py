"""`referee check` on VASSAL logs: games written step by step, each with one thing to be seen."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.commands import encode_leaf
from tests.cli.conftest import Ran, Run
from tests.conftest import SHARED
from tests.unit.formats.vassal.game_logs import (
    FED,
    KLINGON,
    Game,
    LogWriter,
    Placed,
    Play,
    module_bytes,
    pixels,
)

DUEL = SHARED / "vassal" / "saves" / "duel"
CA, D6 = "CA Ship0", "D6 Ship1"
Check = Callable[..., Ran]


def duel_game(**speeds: int) -> Game:
    """A cruiser at speed 16 facing D above a battlecruiser at speed 8 facing A."""
    ships = {
        CA: Placed(FED, Hex(40, 30), "D", speeds.get("ca", 16)),
        D6: Placed(KLINGON, Hex(40, 50), "A", speeds.get("d6", 8)),
    }
    return Game(ships, 1, {(CA, 1): speeds.get("ca", 16), (D6, 1): speeds.get("d6", 8)}, ())


def begun(game: Game | None = None) -> LogWriter:
    """A log whose forms of turn 1 are filled in."""
    writer = LogWriter(game or duel_game())
    for name in writer.game.ships:
        writer.form(name, 1)
    return writer


def impulse(writer: LogWriter, turn: int, number: int, *plays: tuple[str, int], said: str = "") -> list[int]:
    """An impulse: moves by ship and sixths turned, a line of chat; the steps of the moves and of the chat."""
    steps = [writer.play(Play(name, turn, number, way, 0))[1] for name, way in plays]
    if said:
        steps.append(writer.log(lv.Chat(said)))
    following = (turn, number + 1) if number < 16 else (turn + 1, 1)
    writer.advance((turn, number, 0), (*following, 0))
    return steps


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(writer: LogWriter, *options: str, module: bool = True) -> Ran:
        path = tmp_path / "game.vlog"
        path.write_bytes(writer.finish())
        (tmp_path / "other").mkdir(exist_ok=True)
        vmod = tmp_path / "other" / "m.vmod"
        vmod.write_bytes(module_bytes())
        named = ("--module", str(vmod)) if module else ()
        return referee("check", path, "--json", "--option", "previous_speed=8", *named, *options)

    return once


def told(ran: Ran) -> list[tuple[str, str, Any]]:
    assert ran.err == ""
    return [(f["severity"], f["key"], f["location"].get("step")) for f in ran.findings()]


# -- moves -------------------------------------------------------------------------------


def test_a_clean_start(check: Check, holds: Any) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    ran = check(writer)
    assert told(ran) == [] and ran.code == 0 and ran.json["verdict"] == "legal"
    holds(ran.json)


def test_without_a_module_moves_are_not_checked(check: Check) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 2))
    ran = check(writer, module=False)
    assert ran.code == 0
    reasons = {(item["rule"], item["reason"]) for item in ran.json["not_checked"]}
    assert ("C1.0", "hex names need --module") in reasons


def test_the_only_module_beside_the_log_is_used_and_said(check: Check, referee: Run, tmp_path: Path) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    check(writer)
    shutil.copy(tmp_path / "other" / "m.vmod", tmp_path / "beside.vmod")
    ran = referee("check", tmp_path / "game.vlog", "--json")
    assert [f["message"] for f in ran.findings("note")] == [
        "hexes are named by beside.vmod, which lies beside it"
    ]
    assert "C1.2" in ran.json["checked"]
    shutil.copy(tmp_path / "beside.vmod", tmp_path / "another.vmod")
    assert "C1.2" not in referee("check", tmp_path / "game.vlog", "--json").json["checked"]


def test_a_module_of_another_game_beside_the_log_is_left_alone(
    check: Check, referee: Run, tmp_path: Path
) -> None:
    check(begun())
    other = module_bytes().replace(b"buildFile.xml", b"buildFilf.xml")
    (tmp_path / "beside.vmod").write_bytes(other)
    assert referee("check", tmp_path / "game.vlog", "--json").code == 0


def test_turned_in_an_impulse_without_a_move(check: Check) -> None:
    writer = begun(duel_game(ca=8))
    name, old = CA, writer.counter_states(CA)
    turned = writer.log(writer.change(writer.ids[name], old, writer.counter_states(name, (Hex(40, 30), "E"))))
    writer.where[name] = Hex(40, 30), "E"
    impulse(writer, 1, 1)
    impulse(writer, 1, 2, (CA, 0), (D6, 0))
    ran = check(writer)
    assert told(ran) == [("error", "C3.1", turned)]
    assert ran.findings()[0]["impulse"] == 1


def test_turned_after_the_move(check: Check) -> None:
    writer = begun()
    writer.play(Play(CA, 1, 1, 0, 0))
    hex, _ = writer.where[CA]
    old = writer.counter_states(CA)
    turned = writer.log(writer.change(writer.ids[CA], old, writer.counter_states(CA, (hex, "E"))))
    writer.where[CA] = hex, "E"
    impulse(writer, 1, 1)
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    assert told(check(writer)) == [("error", "C3.1", turned)]


def test_a_move_taken_back_by_hand_does_not_count(check: Check) -> None:
    writer = begun()
    wrong, right = Hex(40, 30), Hex(41, 31)
    first = writer.log(writer.move_leaf(CA, wrong, right))
    back = writer.log(writer.move_leaf(CA, right, wrong))
    impulse(writer, 1, 1, (CA, 0))
    ran = check(writer)
    assert told(ran) == [("note", "NOTE/taken-back", back)] and str(first) in ran.findings()[0]["message"]


def test_counters_put_in_place_before_play(check: Check) -> None:
    writer = LogWriter(duel_game())
    writer.log(writer.move_leaf(CA, Hex(40, 30), Hex(20, 20)))
    writer.where[CA] = Hex(20, 20), "D"
    for name in writer.game.ships:
        writer.form(name, 1)
    impulse(writer, 1, 1, (CA, 0))
    assert told(check(writer)) == [("note", "NOTE/set-up", None)]


def test_a_ship_that_is_removed_is_not_called(check: Check) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    writer.log(lv.RemovePiece(writer.ids[CA]))
    for number in (3, 4, 5, 6):
        impulse(writer, 1, number, *([(D6, 0)] if number % 2 == 0 else []))
    ran = check(writer)
    assert told(ran) == []
    assert [item["subject"] for item in ran.json["not_checked"] if item["rule"] == "C1.4"] == [CA]


def test_hidden_pieces_and_counters_off_the_board_are_named(check: Check) -> None:
    """A counter beside the board stands on no hex, and neither name nor place of a hidden piece is told."""
    writer = begun()
    state = writer.counter_states(CA)
    state[-1] = state[-1].replace("Space;", "Space;9", 1)
    hidden = writer.counter_states(D6)
    hidden[5] = "side:Klingon"
    chain = join_chain(writer.counter_types(CA)), join_chain(state)
    writer._start = writer._start.replace(
        encode_leaf(lv.AddPiece(writer.ids[CA], chain[0], join_chain(writer.counter_states(CA)))),
        encode_leaf(lv.AddPiece(writer.ids[CA], *chain)),
    )
    writer.log(writer.change(writer.ids[D6], writer.counter_states(D6), hidden))
    ran = check(writer)
    reasons = {item["reason"]: item for item in ran.json["not_checked"]}
    lost = reasons["its counter lies on no hex of a board: its moves are not judged"]
    assert CA in lost.values()
    assert "what is done with a hidden piece is not judged" in reasons


def test_stacked_and_masked_counters(check: Check) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    masked = writer.counter_states(CA)
    masked[4] = "secret-ann;"
    writer.log(writer.change(writer.ids[CA], writer.counter_states(CA), masked))
    impulse(writer, 1, 2, (D6, 0))
    ran = check(writer)
    assert told(ran) == []
    assert "secret" not in ran.out


def test_a_tracker_nobody_moves_and_chat_that_calls_impulses(check: Check) -> None:
    writer = begun()
    writer.play(Play(CA, 1, 1, 0, 0))
    writer.log(lv.Chat("<Ann> - Impulse 2"))
    writer.play(Play(D6, 1, 2, 0, 0))
    writer.play(Play(CA, 1, 2, 0, 0))
    writer.log(lv.Chat("&lt;Ann&gt; - Impulse 3"))
    late = writer.play(Play(D6, 1, 3, 0, 0))[1]
    ran = check(writer)
    assert told(ran) == [("error", "C1.4", late)]


def test_a_clock_told_by_reports_alone(check: Check) -> None:
    """The tracker's own lines are in the log, its states are not: they are custom to the module."""
    writer = begun()
    writer.play(Play(CA, 1, 1, 0, 0))
    writer.log(lv.Chat("* Turn updated from Turn 1 Impulse 1 Fire to Turn 1 Impulse 2 Move"))
    writer.play(Play(D6, 1, 2, 0, 0))
    writer.play(Play(CA, 1, 2, 0, 0))
    writer.log(lv.Chat("* Turn updated from Turn 1 Impulse 2 Fire to Turn 1 Impulse 3 Move"))
    late = writer.play(Play(D6, 1, 3, 0, 0))[1]
    assert told(check(writer)) == [("error", "C1.4", late)]


def test_no_clock_at_all(check: Check) -> None:
    writer = begun()
    writer.play(Play(CA, 1, 1, 0, 0))
    writer.play(Play(CA, 1, 2, 0, 0))
    wrong = writer.log(writer.move_leaf(D6, Hex(40, 50), Hex(40, 53)))
    ran = check(writer)
    assert ("error", "C1.1", wrong) in told(ran) and "C1.4" not in {f["rule"] for f in ran.findings()}


@pytest.mark.parametrize("then", [(999_999_999, 1, 0), (1, 999_999_999, 0), (2, 999_999_999, 3), (0, 0, 0)])
def test_a_clock_gone_mad(check: Check, then: tuple[int, int, int]) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    writer.log(writer.tracker(*then))
    writer.play(Play(D6, 1, 2, 0, 0))
    writer.log(writer.tracker(*then))
    begun_at = time.process_time()
    ran = check(writer)
    assert ran.err == "" and ran.code in (0, 1)
    assert time.process_time() - begun_at < 2


# -- forms -------------------------------------------------------------------------------


def test_a_figure_changed_after_movement_began(check: Check) -> None:
    writer = begun(duel_game(d6=9))
    impulse(writer, 1, 1, (CA, 0))
    changed = writer.write(D6, 1, {"Movement": "8", "Total Used": "8"})
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    ran = check(writer)
    assert told(ran) == [("undecided", "NOTE/changed-later", changed)] * 2
    first = ran.findings()[0]
    assert (first["subject"], first["turn"], first["expected"], first["found"]) == (D6, 1, "9", "8")
    assert first["location"]["cell"] == "B21"


def test_the_first_figures_are_judged_and_a_blank_filled_late_is_a_warning(check: Check) -> None:
    writer = begun(duel_game(d6=9))
    impulse(writer, 1, 1, (CA, 0))
    late = writer.write(D6, 1, {"Movement": "2", "ECM": "1"})
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    ran = check(writer)
    assert {item for item in told(ran) if item[1] == "NOTE/changed-later"} == {
        ("undecided", "NOTE/changed-later", late),
        ("warning", "NOTE/changed-later", late),
    }
    assert [f["key"] for f in ran.findings() if f["key"].startswith("C1.4")] == []


def test_what_is_written_in_the_turn_is_no_late_change(check: Check) -> None:
    writer = LogWriter(Game(duel_game().ships, 2, {(n, t): 8 for n in (CA, D6) for t in (1, 2)}, ()))
    for name in (CA, D6):
        writer.write(name, 1, {"Phasrecharge": "2", "Total Used": "10"})
        writer.form(name, 1)
        writer.write(name, 1, {"Total Used": "10"})
    for number in range(1, 17):
        impulse(writer, 1, number, *([(CA, 0), (D6, 0)] if number % 2 == 0 else []))
    for name in (CA, D6):
        writer.write(name, 1, {"PhasFired": "1"})
        writer.write(name, 2, {"Phas Cap": "1"})
        writer.form(name, 2)
    impulse(writer, 2, 1)
    impulse(writer, 2, 2, (CA, 0), (D6, 0))
    ran = check(writer)
    assert [item for item in told(ran) if item[0] != "note"] == []


def test_damage_of_the_turn_a_form_was_filled_in(check: Check) -> None:
    """Warp is lost in turn 1: the form of turn 1 is held against the whole ship, that of turn 2 is not."""
    speeds = {(n, t): 8 for n in (CA, D6) for t in (1, 2)}
    writer = LogWriter(Game(duel_game().ships, 2, speeds, ()))
    for name in (CA, D6):
        writer.form(name, 1)
    for number in range(1, 17):
        impulse(writer, 1, number, *([(CA, 0), (D6, 0)] if number % 2 == 0 else []))
    old = writer.display_states(D6)
    writer.left[D6]["Warp L"] = 5
    writer.log(writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6)))
    forms = {name: writer.form(name, 2) for name in (CA, D6)}
    impulse(writer, 2, 1)
    impulse(writer, 2, 2, (CA, 0), (D6, 0))
    ran = check(writer)
    errors = [(f["subject"], f["turn"], f["rule"], f["location"]["step"]) for f in ran.findings("error")]
    assert (D6, 2, "B3.0-1", forms[D6]) in errors
    assert {(subject, turn) for subject, turn, _, _ in errors} == {(D6, 2)}


def test_a_form_filled_in_after_movement_began(check: Check) -> None:
    writer = LogWriter(duel_game())
    writer.form(D6, 1)
    impulse(writer, 1, 1, (CA, 0))
    filled = writer.form(CA, 1)
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    ran = check(writer)
    assert told(ran) == [("warning", "NOTE/filled-late", filled)]
    assert (ran.findings()[0]["subject"], ran.findings()[0]["turn"]) == (CA, 1)


def test_a_log_that_begins_in_the_middle_of_a_turn(check: Check) -> None:
    """Impulses before it are not missed; how far ships went straight before it is not known."""
    ships = {CA: Placed(FED, Hex(40, 30), "D", 4), D6: Placed(KLINGON, Hex(40, 50), "A", 8)}
    speeds = {(CA, 2): 4, (D6, 2): 8, (CA, 3): 8, (D6, 3): 8}
    writer = LogWriter(Game(ships, 3, speeds, ()), at=(3, 5, 0), filled=(2, 3))
    impulse(writer, 3, 5)
    impulse(writer, 3, 6, (CA, 1), (D6, 0))
    impulse(writer, 3, 7)
    missed = writer.play(Play(CA, 3, 8, 0, 0))[1]
    writer.advance((3, 8, 0), (3, 9, 0))
    ran = check(writer)
    assert told(ran) == [("error", "C1.4/missed", missed + 1)]
    assert ran.findings()[0]["subject"] == D6
    assert ("C3.2", CA) in {(item["rule"], item.get("subject")) for item in ran.json["not_checked"]}


def test_what_is_launched_is_named_once(check: Check) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    types = join_chain(["rotate;6;;;R;L;;;Heading", "mark;Race,Type", "piece;;;d.png;Drone 1"])
    x, y = pixels(reversed=False)["4045"]
    writer.log(lv.AddPiece("555", types, join_chain(["0", "Kzinti,Drone", f"Space;{x};{y};1;0"])))
    writer.log(lv.MovePiece("555", "Space", x, y - 96, "null", "Space", x, y, "null"))
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    ran = check(writer)
    assert told(ran) == []
    assert [item["reason"] for item in ran.json["not_checked"] if item["rule"] == "C1.0"] == [
        "what Drone 1 are is not known: their moves are not judged"
    ]


@pytest.mark.parametrize(
    ("to", "rule"), [((41, 31), "C1.2"), ((40, 29), "C1.2"), ((40, 32), "C1.1")], ids=["off", "back", "far"]
)
def test_a_hex_not_dead_ahead(check: Check, to: tuple[int, int], rule: str) -> None:
    writer = begun()
    wrong = writer.log(writer.move_leaf(CA, Hex(40, 30), Hex(*to)))
    writer.where[CA] = Hex(*to), "D"
    impulse(writer, 1, 1)
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    assert told(check(writer)) == [("error", rule, wrong)]


# -- fire and dice -----------------------------------------------------------------------


def shot(
    *lines: tuple[int, str], phasers: str = "3", used: str = "", game: Game | None = None
) -> tuple[LogWriter, dict[int, int]]:
    """Turn 1 with lines said in some impulses; the step of each line."""
    writer = LogWriter(game or duel_game(ca=8, d6=8))
    for name in (CA, D6):
        writer.form(name, 1)
        figures = {"Phasrecharge": phasers, "Total Used": str(8 + int(phasers)), "BttyUsedInTurn": used}
        writer.write(name, 1, figures)
    steps: dict[int, int] = {}
    for number in range(1, 17):
        for name in (CA, D6) if number % 2 == 0 else ():
            writer.play(Play(name, 1, number, 0, 0))
        steps |= {at: writer.log(lv.Chat(f"&lt;Ann&gt; - {text}")) for at, text in lines if at == number}
        impulse(writer, 1, number)
    return writer, steps


def test_fire_declared_by_the_rules(check: Check) -> None:
    writer, _ = shot((3, "!fire PH-1A,PH-1B at D6 Ship1"))
    ran = check(writer)
    assert told(ran) == [] and "E2.23" in ran.json["checked"]


def test_a_phaser_fired_twice(check: Check) -> None:
    writer, steps = shot((3, "!fire ph1a at D6 Ship1"), (9, "!fire PH-1/A at D6 Ship1"))
    assert told(check(writer)) == [("error", "E2.23", steps[9])]


def test_more_phasers_than_energy(check: Check) -> None:
    """The form says that no battery gave any; where it says nothing, charged ones may have."""
    lines = (3, "!fire PH-1A at D6 Ship1"), (9, "!fire PH-1B at D6 Ship1")
    writer, steps = shot(*lines, phasers="1", used="0")
    assert told(check(writer)) == [("error", "E2.21", steps[9])]
    writer, _ = shot(*lines, phasers="1")
    assert [key for _, key, _ in told(check(writer))] == ["E2.21"]


def test_a_photon_that_is_not_armed(check: Check) -> None:
    writer, steps = shot((3, "!fire PHOT-A at D6 Ship1"))
    assert told(check(writer)) == [("error", "E1.2/energy", steps[3])]


def test_a_target_out_of_arc(check: Check) -> None:
    """The cruiser goes down the map: its target in the east is on its left."""
    game = duel_game(ca=8, d6=8)
    ships = {**game.ships, D6: Placed(KLINGON, Hex(55, 32), "D", 8)}
    lines = (3, "!fire PH-1A at D6 Ship1"), (5, "!fire PH-1B at D6 Ship1")
    writer, steps = shot(*lines, game=Game(ships, 1, game.speeds, ()))
    ran = check(writer)
    assert [(f["rule"][:2], f["location"]["step"]) for f in ran.findings()] == [("D2", steps[5])], told(ran)


def test_a_quarter_of_a_turn_between_shots(check: Check) -> None:
    game = duel_game(ca=8, d6=8)
    writer, _ = shot((16, "!fire PH-1A at D6 Ship1"), game=Game(game.ships, 2, dict(game.speeds), ()))
    for name in (CA, D6):
        writer.game.speeds[name, 2] = 8
        writer.form(name, 2)
        held = "2" if name == CA else "3"
        writer.write(name, 2, {"Phas Cap": held, "Total Used": "8"})
        writer.write(name, 1, {"PhasFired": "1"} if name == CA else {})
    early = impulse(writer, 2, 1, said="<Ann> - !fire PH-1A at D6 Ship1")[-1]
    impulse(writer, 2, 2, (CA, 0), (D6, 0))
    ran = check(writer)
    assert told(ran) == [("error", "E1.5", early)]


def test_fire_for_a_ship_that_is_named(check: Check) -> None:
    """Cy has no side: which ship fires must be said, else it is no order of anybody's."""
    writer, steps = shot((3, "!CA Ship0: fire PH-1A at D6 Ship1"))
    writer.log(lv.Chat("<Cy> - !fire PH-1A at D6 Ship1"))
    ran = check(writer)
    assert [item[:2] for item in told(ran)] == [("warning", "NOTE/order-by-stranger")]
    assert ran.findings()[0]["location"]["step"] > steps[3]


def test_an_order_not_understood(check: Check) -> None:
    writer, steps = shot((3, "!fire PH-9 at D6 Ship1"), (5, "!dance"))
    assert told(check(writer)) == [
        ("undecided", "NOTE/order", steps[3]),
        ("undecided", "NOTE/order", steps[5]),
    ]


def test_dice_taken_back(check: Check) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    writer.log(lv.Chat("*** 1d6 = 3 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "3", "Module"))
    back = writer.log(lv.Undo(True), lv.MutableProperty("1d6_result", "3", "1", "Module"), lv.Undo(False))
    assert told(check(writer)) == [("warning", "NOTE/dice-taken-back", back)]


def test_a_move_undone_over_a_die(check: Check) -> None:
    writer = begun()
    old = Hex(40, 30)
    writer.log(writer.move_leaf(CA, old, Hex(41, 31)))
    writer.log(lv.Chat("*** 1d6 = 3 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "3", "Module"))
    back = writer.log(lv.Undo(True), writer.move_leaf(CA, Hex(41, 31), old), lv.Undo(False))
    impulse(writer, 1, 1, (CA, 0))
    assert told(check(writer)) == [("warning", "NOTE/undo-over-dice", back)]


# -- the shared duel ---------------------------------------------------------------------


@pytest.mark.skipif(not DUEL.is_dir(), reason="no ../shared beside this checkout")
@pytest.mark.parametrize("name", ["p04_legal_turn", "p05_turn_mode", "p06_undo", "p07_dice_chat"])
def test_logs_of_the_genuine_engine(referee: Run, name: str) -> None:
    ran = referee("check", DUEL / f"{name}.vlog", "--json", "--option", "previous_speed=8")
    wrong = [
        (f["rule"], f["subject"], f["turn"], f["impulse"], f["location"]["step"])
        for f in ran.findings("error", "undecided", "warning")
    ]
    planted = [("C3.2", "CA Meridian", 1, 8, 41)] if name == "p05_turn_mode" else []
    assert wrong == planted and ran.code == len(planted)


def test_a_log_after_a_step(referee: Run, tmp_path: Path, holds: Callable[[Any], None]) -> None:
    writer = begun()
    (step,) = impulse(writer, 1, 1, (CA, 0))
    path = tmp_path / "game.vlog"
    path.write_bytes(writer.finish())
    after = referee("show", path, "--step", str(step), "--json")
    assert after.code == 0 and after.json["steps"] != []
    holds(after.json)
    assert referee("show", path, "--step", "9999").code == 2
    (tmp_path / "form.csv").write_text("Turn,1\nMovement,4\n")
    assert referee("show", tmp_path / "form.csv", "--step", "1").code == 2


def test_a_map_is_drafted_and_used(referee: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    path.write_bytes(begun().finish())
    assert referee("init", "map", path, "-o", "map.json").code == 0
    assert referee("init", "map", path, "-o", "map.json").code == 2
    assert referee("check", path, "--map", "map.json", "--option", "previous_speed=8").code in (0, 1)
    text = Path("map.json").read_text().replace("cadet/klingon-d6", "cadet/no-such-ship")
    Path("other.json").write_text(text)
    ran = referee("check", path, "--map", "other.json")
    assert "no-such-ship" in ran.out + ran.err


def test_a_class_that_does_not_exist_is_no_fault_of_the_log(referee: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    path.write_bytes(begun().finish())
    ran = referee("check", path, "--ship", f"{D6}=cadet/klingon-d66")
    assert ran.code == 2 and ran.err.startswith("referee: --ship: ") and "cadet/klingon-d6" in ran.err
    said = '{"schema": "referee/module-map/1", "module": {"name": "Generated Duel"}, %s}'
    for parts, place in (
        ('"ships": [{"counter": "CA Ship0", "ship": "cadet/fderation-ca"}]', "/ships/0/ship"),
        ('"identify": {"classes": {"C/A": "cadet/fderation-ca"}}', "/identify/classes/C~1A"),
        ('"rulebook": "sfb-cadt"', "/rulebook"),
    ):
        Path("map.json").write_text(said % parts)
        ran = referee("check", path, "--map", "map.json")
        assert ran.code == 2 and ran.err.startswith(f"referee: map.json: {place}: no "), ran.err
        assert "did you mean" in ran.err and ran.err.count("\n") == 1


def test_a_name_of_the_map_that_matches_nothing(check: Check) -> None:
    said = '{"schema": "referee/module-map/1", "module": {"name": "Generated Duel"}, "facing": {"trait": "rotate", "name": "Haeding"}}'
    Path("map.json").write_text(said)
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    ran = check(writer, "--map", "map.json")
    assert ran.json["verdict"] == "cannot-tell"
    blamed = next(f for f in ran.findings() if f["key"] == "NOTE/map")
    assert blamed["location"] == {"file": "map.json", "pointer": "/facing/name"}
    assert blamed["found"] == "Haeding" and "Heading" in blamed["fix"]
