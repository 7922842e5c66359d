"""Drags of a log put right once another ship had moved, and ships that had moved before it began."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import FED, KLINGON, Play, module_bytes
from tests.unit.logs.test_logs_oddly_legal import CA, D6, IDS, Check, Table, check, found, lacking
from tests.unit.logs.test_logs_true_places import put

__all__ = ["check"]

HOME, AHEAD, FAR, LEFT, RIGHT = Hex(40, 30), Hex(40, 31), Hex(40, 32), Hex(41, 31), Hex(39, 31)
"""Of the Klingon, which faces D: its hex, the ones one and two ahead, and the ones beside that ahead."""


def table() -> Table:
    """In impulse 2 the Klingon at speed 8 moves, then the cruiser at speed 16, which has moved in impulse 1."""
    writer = Table({CA: (FED, Hex(30, 34), "A"), D6: (KLINGON, HOME, "D")}, speed=16)
    writer.game.speeds[D6, 1] = 8
    writer.form(D6, 1)
    writer.write(D6, 1, {"Total Used": "11"})
    fast_moves(writer, 1)
    writer.next()
    return writer


def fast_moves(writer: Table, impulse: int = 2) -> int:
    return int(writer.play(Play(CA, 1, impulse, 0, 0))[1])


def steps(writer: Table, *to: int) -> None:
    """The tracker goes on in impulse 2."""
    for before, now in zip((0, *to), to, strict=False):
        writer.advance((1, 2, before), (1, 2, now))


def told(ran: Ran) -> list[tuple[str, str, Any]]:
    return [(severity, key, step) for severity, key, _, step in found(ran)]


@pytest.mark.parametrize("way", ["at once", "taken back"])
@pytest.mark.parametrize("late", [False, True])
def test_a_drag_too_far_that_is_put_right_once_another_had_moved(check: Check, way: str, late: bool) -> None:
    """The slower ship was dragged first, and where it was to go was seen: nobody moved out of turn."""
    writer = table()
    put(writer, D6, FAR)
    fast_moves(writer)
    if late:
        steps(writer, 2)
    if way == "taken back":
        put(writer, D6, HOME)
    step = put(writer, D6, AHEAD)
    ran = check(writer)
    assert told(ran) == []
    notes = [(f["key"], f["location"]["step"]) for f in ran.findings("note")]
    assert ("NOTE/put-right", step) in notes or ("NOTE/taken-back", step - 1) in notes


@pytest.mark.parametrize("first", [FAR, LEFT])
def test_a_record_takes_the_first_drag_for_the_order(referee: Run, tmp_path: Path, first: Hex) -> None:
    """What the slower ship chose anew is told, for the record cannot show it."""
    writer = table()
    put(writer, D6, first)
    fast_moves(writer)
    step = put(writer, D6, AHEAD)
    writer.next()
    (tmp_path / "game.vlog").write_bytes(writer.finish())
    (tmp_path / "other.vmod").write_bytes(module_bytes())
    game = tmp_path / "game.jsonl"
    named = [part for name in writer.game.ships for part in ("--ship", f"{name}={IDS[name[:2]]}")]
    module = "--module", tmp_path / "other.vmod"
    ran = referee("game", "new", game, "--from", tmp_path / "game.vlog", *module, *named, "--alone")
    assert ran.code == 0 and (f"step {step}: {D6} was dragged elsewhere first" in ran.out) is (first == LEFT)
    assert [f for f in referee("check", game, "--json").findings() if f["rule"] == "C1.3"] == []


@pytest.mark.parametrize("how", ["by hand", "undone"])
def test_a_move_taken_back_and_made_again_once_another_had_moved(check: Check, how: str) -> None:
    writer = table()
    put(writer, D6, AHEAD)
    fast_moves(writer)
    put(writer, D6, HOME, how=how)
    put(writer, D6, AHEAD)
    assert told(check(writer)) == []


@pytest.mark.parametrize("how", ["by hand", "undone", "dragged on"])
@pytest.mark.parametrize("first", [LEFT, RIGHT, Hex(45, 20)])
def test_another_move_once_another_had_moved_is_undecided(check: Check, first: Hex, how: str) -> None:
    """The slower ship chose anew, knowing the other's move; the other did nothing wrong."""
    writer = table()
    put(writer, D6, first)
    fast_moves(writer)
    if how != "dragged on":
        put(writer, D6, HOME, how=how)
    step = put(writer, D6, AHEAD)
    ran = check(writer)
    assert told(ran) == [("undecided", "C1.3", step)]
    (finding,) = (f for f in ran.findings() if f["key"] == "C1.3")
    assert finding["subject"] == D6 and CA in finding["message"] and ran.json["verdict"] == "cannot-tell"


def test_another_move_in_a_later_step_is_out_of_its_step(check: Check) -> None:
    writer = table()
    put(writer, D6, RIGHT)
    fast_moves(writer)
    steps(writer, 2)
    step = put(writer, D6, AHEAD)
    assert told(check(writer)) == [("undecided", "C1.3", step), ("error", "B2.0", step)]


def test_another_turn_once_another_had_moved_is_undecided(check: Check) -> None:
    """Dragged two hexes ahead, then turned and put beside: the first drag did not show that."""
    writer = table()
    put(writer, D6, FAR)
    fast_moves(writer)
    put(writer, D6, FAR, "E")
    step = put(writer, D6, RIGHT)
    assert [row for row in told(check(writer)) if row[1] == "C1.3"] == [("undecided", "C1.3", step)]


@pytest.mark.parametrize("before", ["nothing", "a drag taken back"])
def test_the_faster_ship_that_moves_first_breaks_the_order(check: Check, before: str) -> None:
    """A drag that had been taken back when the other moved was no move."""
    writer = table()
    if before != "nothing":
        put(writer, D6, AHEAD)
        put(writer, D6, HOME)
    step = fast_moves(writer)
    put(writer, D6, AHEAD)
    ran = check(writer)
    assert told(ran) == [("error", "C1.3", step)]


def test_a_move_begun_too_early_and_made_in_its_turn(check: Check) -> None:
    """The faster ship had moved first by mistake, took that back, and moved when the slower one had."""
    writer = table()
    start = writer.where[CA][0]
    put(writer, CA, start.step("A"))
    put(writer, D6, AHEAD)
    put(writer, CA, start)
    fast_moves(writer)
    assert told(check(writer)) == []


# -- put right in a later impulse -----------------------------------------------------------

LATE = "NOTE/put-right-late"


def begun_wrong(*drags: Hex) -> Table:
    """In impulse 2 the slower ship is dragged wrong, the faster one moves, and impulse 3 begins."""
    writer = table()
    for hex in drags:
        put(writer, D6, hex)
    fast_moves(writer)
    writer.next()
    return writer


@pytest.mark.parametrize("drags", [[FAR], [AHEAD, FAR]])
@pytest.mark.parametrize("last", [True, False])
def test_a_drag_too_far_that_is_put_right_in_the_next_impulse(
    check: Check, drags: list[Hex], last: bool
) -> None:
    """The move is judged with its first drag: in its impulse and its turn."""
    writer = begun_wrong(*drags)
    if last:
        fast_moves(writer, 3)
    step = put(writer, D6, AHEAD)
    if not last:
        fast_moves(writer, 3)
    writer.next()
    ran = check(writer)
    assert told(ran) == [("warning", LATE, step)]


def test_a_drag_to_another_hex_that_is_put_right_in_the_next_impulse_is_undecided(check: Check) -> None:
    writer = begun_wrong(Hex(42, 31))
    step = put(writer, D6, AHEAD)
    fast_moves(writer, 3)
    assert told(check(writer)) == [("undecided", LATE, step)]


def test_a_drag_that_is_put_right_later_yet_is_undecided(check: Check) -> None:
    writer = begun_wrong(FAR)
    fast_moves(writer, 3)
    writer.next()
    fast_moves(writer, 4)
    step = put(writer, D6, AHEAD)
    put(writer, D6, FAR)
    writer.next()
    assert ("undecided", LATE, step) in told(check(writer))


def test_a_fast_ship_puts_its_last_move_right_and_goes_on(check: Check) -> None:
    """Its counter comes to stand where it had been dragged too early."""
    writer = table()
    start = writer.where[CA][0]
    put(writer, D6, AHEAD)
    put(writer, CA, start.step("A", 2))
    writer.next()
    step = put(writer, CA, start.step("A"))
    put(writer, CA, start.step("A", 2))
    writer.next()
    ran = check(writer)
    assert told(ran) == [("warning", LATE, step)]
    assert not [f for f in ran.findings("note") if f["key"] == "NOTE/taken-back"]


@pytest.mark.parametrize("back", [False, True])
def test_a_hex_too_many_is_no_slip(check: Check, back: bool) -> None:
    """A legal move, and in the next impulse one that is not called, or back to where it came from."""
    writer = begun_wrong(AHEAD)
    step = put(writer, D6, HOME if back else FAR)
    fast_moves(writer, 3)
    assert ("error", "C1.4", step) in told(check(writer))


def test_a_ship_two_hexes_ahead_that_stays_there_moved_too_far(check: Check) -> None:
    writer = begun_wrong(FAR)
    fast_moves(writer, 3)
    writer.next()
    assert [row[:2] for row in told(check(writer))] == [("error", "C1.1")]


def test_fire_before_a_move_was_put_right_is_judged_in_its_true_hex(check: Check) -> None:
    writer = table()
    for name in (CA, D6):
        writer.write(name, 1, {"Phasrecharge": "3"})
    put(writer, D6, FAR)
    fast_moves(writer)
    steps(writer, 3)
    step = writer.say(CA, f"fire PH-1A at {D6}")
    writer.roll(CA, 1)
    writer.advance((1, 2, 3), (1, 3, 0))
    writer.now = 3
    put(writer, D6, AHEAD)
    rows = told(check(writer))
    assert ("warning", "NOTE/placed-for-fire", step) in rows


# -- where a log begins ------------------------------------------------------------------


def begun(at: tuple[int, int, int], speed: int = 16) -> Table:
    """A log that begins at a moment, with the energy forms filled in."""
    writer = Table(speed=speed)
    writer.at, writer.now = at, at[1]
    writer.steps.clear()
    writer._start = writer.start()
    return writer


def test_a_log_that_begins_when_the_ships_of_its_impulse_had_moved(check: Check) -> None:
    writer = begun((1, 7, 0))
    writer.next()
    for name in (CA, D6):
        writer.play(Play(name, 1, 8, 0, 0))
    writer.next()
    ran = check(writer)
    assert told(ran) == []
    assert [row["subject"] for row in ran.json["not_checked"] if "begins in impulse 7" in row["reason"]] == [
        CA,
        D6,
    ]


def test_a_move_missed_later_is_missed(check: Check) -> None:
    writer = begun((1, 7, 0))
    writer.next()
    step = writer.next()
    ran = check(writer)
    assert told(ran) == [("error", "C1.4/missed", step)] * 2
    assert len(lacking(ran, "C1.4")) == 2


def test_a_move_missed_where_the_game_begins_is_missed(check: Check) -> None:
    writer = begun((1, 1, 0))
    step = writer.next()
    ran = check(writer)
    assert told(ran) == [("error", "C1.4/missed", step)] * 2 and lacking(ran, "C1.4") == []
