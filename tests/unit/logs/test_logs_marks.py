"""Marks of damage taken off a display in a log: corrections, repairs, what an undo does, and what nobody paid."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import FED, KLINGON, NAME, Game, LogWriter, Placed
from tests.unit.logs.test_logs_notes import Check, check, impulses

__all__ = ["check"]

CA, D6 = "CA Ship0", "D6 Ship1"
ARMED = replace(KLINGON, boxes=(*KLINGON.boxes, ("PH-2A", 1)))
BACK, OFF = "B3.0-15/mended", "NOTE/mark-taken-back"
MENDS = ("--json", "--option", "shield_repair=true")


def logged(at: tuple[int, int, int] = (1, 1, 0), *, repair: str = "", warp: int = 8) -> LogWriter:
    """Two ships at speed 8, their forms of turn 1 filled in; the Klingon pays for repair."""
    ships = {CA: Placed(FED, Hex(40, 30), "D", 8), D6: Placed(ARMED, Hex(40, 50), "A", 8)}
    speeds = {(name, turn): 8 for name in ships for turn in (1, 2)}
    spent = str(11 + int(repair or 0))
    written = {
        (name, 1): {"Phasrecharge": "3", "Total Used": "11" if name == CA else spent} for name in ships
    }
    written[D6, 1] |= {"Dam Con": repair, "Warp Power": str(8 + warp), "Total Power": str(12 + warp)}
    writer = LogWriter(Game(ships, 2, speeds, (), written), at=at)
    writer.shields[D6] = [16, 12, 8, 7, 8, 12]
    writer.left[D6]["Warp L"] = warp
    writer._start = writer.start()
    for name in ships:
        writer.form(name, 1)
    if at != (1, 1, 0):
        writer.steps.clear()
        writer._start = writer.start()
    return writer


def hit(writer: LogWriter, points: int, shield: int = 1) -> int:
    return writer.log(lv.Chat(f"<Ben> - !hit {points} on {shield}"))


def show(writer: LogWriter, *, shield: int | None = None, of: int = 1, **boxes: int) -> int:
    """The Klingon's display comes to show a shield, and boxes: `warp_l=7`."""
    return writer.log(change(writer, shield=shield, of=of, **boxes))


def change(writer: LogWriter, *, shield: int | None = None, of: int = 1, **boxes: int) -> lv.ChangePiece:
    old = writer.display_states(D6)
    if shield is not None:
        writer.shields[D6][of - 1] = shield
    names = {"warp_l": "Warp L", "apr": "APR", "phaser": "PH-2A"}
    writer.left[D6] |= {names[name]: left for name, left in boxes.items()}
    return writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6))


def errors(ran: Ran) -> list[tuple[str, Any, str, str]]:
    assert ran.err == ""
    return [
        (f["key"], f["location"].get("step"), f.get("expected", ""), f.get("found", ""))
        for f in ran.findings("error")
    ]


def odd(ran: Ran) -> list[tuple[str, str, Any]]:
    """What is said of marks taken off, and all that is worse than a note."""
    assert ran.err == ""
    rows = [(f["severity"], f["key"], f["location"].get("step")) for f in ran.findings()]
    return [row for row in rows if row[0] != "note" or row[1] == OFF]


# -- nobody paid for it ------------------------------------------------------------------


@pytest.mark.parametrize("last", [(1, 16), (2, 3)])
def test_fire_nobody_marked(check: Check, last: tuple[int, int]) -> None:
    """Undecided once the next turn has begun, where other fire is marked; before that it is late."""
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    impulses(writer, 1, 4, 5)
    second = hit(writer, 6, shield=2)
    impulses(writer, 1, 6, 16 if last[0] > 1 else 15)
    if last[0] > 1:
        for name in (CA, D6):
            writer.form(name, 2)
        impulses(writer, 2, 1, last[1])
    ran = check(writer)
    late = [item for item in ran.json["not_checked"] if "is not marked" in item["reason"]]
    over = last[0] > 1
    assert odd(ran) == ([("undecided", "D4.1", second)] if over else [])
    assert bool(late) is not over


@pytest.mark.parametrize("id", ["", "66666"])
@pytest.mark.parametrize("first", ["removed", "laid"])
def test_a_whole_display_in_the_place_of_a_damaged_one(check: Check, id: str, first: str) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 18)
    show(writer, shield=0, warp_l=7, apr=1)
    impulses(writer, 1, 4, 5)
    old = f"{writer.ids[D6]}9"
    writer.shields[D6][0] = 16
    writer.left[D6] |= {"Warp L": 8, "APR": 2}
    types, states = writer.display_types(D6), writer.display_states(D6)
    fresh = lv.AddPiece(id or old, join_chain(types), join_chain(states))
    swap = [lv.RemovePiece(old), fresh]
    if first == "laid" and id:
        swap.reverse()
    healed = [writer.log(leaf) for leaf in swap][-1]
    impulses(writer, 1, 6, 6)
    assert errors(check(writer)) == [(BACK, healed, "0", "16"), (BACK, healed, "0", "2")]


@pytest.mark.parametrize("undone", [True, False])
def test_a_display_put_back_as_it_was_mends_nothing(check: Check, undone: bool) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 18)
    show(writer, shield=0, warp_l=7, apr=1)
    id = f"{writer.ids[D6]}9"
    same = lv.AddPiece(id, join_chain(writer.display_types(D6)), join_chain(writer.display_states(D6)))
    writer.log(lv.RemovePiece(id))
    writer.log(*((lv.Undo(True), same, lv.Undo(False)) if undone else (same,)))
    impulses(writer, 1, 4, 6)
    assert odd(check(writer)) == []


def test_a_whole_copy_of_a_display_is_nothing_once_the_original_is_back(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    whole = lv.AddPiece("66666", join_chain(writer.display_types(D6)), join_chain(writer.display_states(D6)))
    hit(writer, 18)
    show(writer, shield=0, warp_l=7, apr=1)
    id = f"{writer.ids[D6]}9"
    same = lv.AddPiece(id, join_chain(writer.display_types(D6)), join_chain(writer.display_states(D6)))
    writer.log(whole)
    writer.log(lv.RemovePiece(id))
    writer.log(lv.Undo(True), same, lv.Undo(False))
    writer.log(lv.RemovePiece("66666"))
    impulses(writer, 1, 4, 6)
    assert odd(check(writer)) == []


def test_a_display_that_is_removed_for_good_is_judged_as_long_as_it_was_there(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    impulses(writer, 1, 4, 5)
    back = show(writer, shield=16)
    writer.log(lv.RemovePiece(f"{writer.ids[D6]}9"))
    impulses(writer, 1, 6, 6)
    assert errors(check(writer)) == [(BACK, back, "0", "14")]


def test_boxes_that_come_back_are_lost_to_the_next_form(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 18)
    show(writer, shield=0, warp_l=7, apr=1)
    impulses(writer, 1, 4, 16)
    back = show(writer, shield=16, warp_l=8, apr=2)
    writer.form(CA, 2)
    form = writer.form(D6, 2)
    impulses(writer, 2, 1, 3)
    assert sorted(errors(check(writer))) == [
        ("B3.0-1", form, "≤ 15", "16"),
        (BACK, back, "0", "16"),
        (BACK, back, "0", "2"),
        ("B3.0-3", form, "≤ 1", "2"),
    ]


def test_damage_from_before_the_log_that_comes_back(check: Check) -> None:
    writer = logged((1, 5, 0), warp=4)
    impulses(writer, 1, 5, 6)
    back = show(writer, warp_l=8)
    impulses(writer, 1, 7, 8)
    assert errors(check(writer, options=("--json", "--ship", f"{D6}=cadet/klingon-d6"))) == [
        (BACK, back, "0", "4")
    ]


def test_a_weapon_that_comes_back_does_not_fire(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 13, shield=2)
    show(writer, shield=0, of=2, phaser=0)
    impulses(writer, 1, 4, 5)
    back = show(writer, phaser=1)
    fire = writer.log(lv.Chat("<Ben> - !fire PH-2A at CA Ship0"))
    impulses(writer, 1, 6, 6)
    found = [(key, step) for key, step, _, _ in errors(check(writer))]
    assert sorted(found) == [(BACK, back), ("E2.24", fire)]


def test_taken_off_at_once_it_is_what_is_left_that_counts(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    last = show(writer, shield=11)
    impulses(writer, 1, 4, 6)
    assert errors(check(writer)) == [("D4.1", last, "14", "5")]


def test_what_was_taken_off_for_nothing_is_marked_again(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 18)
    show(writer, shield=0, warp_l=6)
    impulses(writer, 1, 4, 4)
    back = show(writer, shield=3, warp_l=8)
    impulses(writer, 1, 5, 5)
    hit(writer, 5, shield=2)
    show(writer, shield=7, of=2)
    show(writer, shield=0, warp_l=6)
    impulses(writer, 1, 6, 6)
    assert errors(check(writer)) == [(BACK, back, "0", "3"), (BACK, back, "0", "2")]


def test_a_marker_that_is_lifted_off_the_display(check: Check) -> None:
    said = {
        "schema": "referee/module-map/1",
        "module": {"name": NAME},
        "damage": [{"as": "markers", "names": {"Hit warp": "left_warp"}}],
    }
    Path("map.json").write_text(json.dumps(said))
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 18)
    show(writer, shield=0)
    for n in range(2):
        writer.log(lv.AddPiece(f"66{n}", "piece;;;hit.png;Hit warp", f"SSD;{910 + n};100;1;0"))
    impulses(writer, 1, 4, 5)
    back = writer.log(lv.RemovePiece("661"))
    impulses(writer, 1, 6, 6)
    assert errors(check(writer, options=("--json", "--map", "map.json"))) == [(BACK, back, "0", "1")]


# -- corrections -------------------------------------------------------------------------


def test_a_slip_mended_before_the_next_volley(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 17)
    show(writer, shield=0, apr=1, warp_l=7)
    impulses(writer, 1, 4, 5)
    back = show(writer, apr=2)
    hit(writer, 2, shield=2)
    show(writer, shield=10, of=2)
    impulses(writer, 1, 6, 6)
    assert odd(check(writer)) == [("warning", OFF, back)]


def test_another_box_in_place_of_the_one_marked(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 17)
    show(writer, shield=0, apr=1)
    impulses(writer, 1, 4, 4)
    back = show(writer, apr=2)
    show(writer, warp_l=7)
    impulses(writer, 1, 5, 6)
    assert odd(check(writer)) == [("warning", OFF, back)]


def test_too_many_that_are_taken_off_after_the_next_volley(check: Check) -> None:
    """That too many were marked is said once; to take them off is no second fault."""
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 8)
    wrong = show(writer, shield=4)
    impulses(writer, 1, 4, 4)
    hit(writer, 2, shield=2)
    show(writer, shield=10, of=2)
    show(writer, shield=8)
    impulses(writer, 1, 5, 6)
    assert odd(check(writer)) == [("error", "D4.1", wrong)]


def test_an_undo_of_a_mark(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=0)
    back = change(writer, shield=16)
    writer.log(lv.Undo(True), back, lv.Undo(False))
    show(writer, shield=2)
    impulses(writer, 1, 4, 6)
    assert odd(check(writer)) == []


def test_marks_of_fire_that_is_not_known(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    show(writer, shield=0)
    at_once = show(writer, shield=4)
    impulses(writer, 1, 4, 5)
    late = show(writer, shield=10)
    impulses(writer, 1, 6, 6)
    ran = check(writer)
    assert sorted(odd(ran)) == [("undecided", OFF, late), ("warning", OFF, at_once)]
    assert ran.json["verdict"] == "cannot-tell"


def test_a_display_put_in_order_before_play_begins(check: Check) -> None:
    writer = logged()
    writer.left[D6]["Warp L"], writer.shields[D6][0] = 2, 1
    writer.steps.clear()
    writer._start = writer.start()
    show(writer, shield=16, warp_l=8)
    for name in (CA, D6):
        writer.form(name, 1)
    impulses(writer, 1, 1, 4)
    assert odd(check(writer)) == []


# -- repairs -----------------------------------------------------------------------------


@pytest.mark.parametrize(("boxes", "wrong"), [(1, False), (2, False), (3, True)])
@pytest.mark.parametrize("until", [8, 16])
def test_damage_control(check: Check, boxes: int, wrong: bool, until: int) -> None:
    """Four points mend two boxes: in the turn they were paid in, or at its end."""
    writer = logged(repair="4")
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    impulses(writer, 1, 4, until)
    back = show(writer, shield=2 + boxes)
    assert errors(check(writer, options=MENDS)) == ([(BACK, back, "≤ 2", "3")] if wrong else [])


def test_a_box_is_mended_once(check: Check) -> None:
    writer = logged(repair="4")
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    impulses(writer, 1, 4, 5)
    show(writer, shield=4)
    impulses(writer, 1, 6, 7)
    again = show(writer, shield=5)
    assert errors(check(writer, options=MENDS)) == [(BACK, again, "0", "1")]
    assert len(errors(check(writer))) == 2  # the cadet game mends none


def test_damage_control_in_the_impulse_of_the_fire(check: Check) -> None:
    writer = logged(repair="4")
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    show(writer, shield=4)
    impulses(writer, 1, 4, 5)
    assert odd(check(writer, options=MENDS)) == []


def test_what_came_back_through_a_command_that_cannot_be_read_is_not_decided(check: Check) -> None:
    writer = logged()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    show(writer, shield=2)
    impulses(writer, 1, 4, 5)
    back = show(writer, shield=11)
    writer.log("D/abc")
    impulses(writer, 1, 6, 6)
    assert ("undecided", BACK, back) in odd(check(writer))
