"""Pieces of a log that come, go and are swapped: a ship is there while its piece is, and jumps are no moves."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import LogWriter, Play, moved
from tests.unit.logs.test_logs import CA, D6, Check, begun, check, duel_game, impulse, told

__all__ = ["check"]
COPY = "1799999999999"


def started() -> LogWriter:
    """A log after two impulses: the cruiser at speed 16 has moved in both."""
    writer = begun(duel_game())
    impulse(writer, 1, 1, (CA, 0))
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    return writer


def goes_on(writer: LogWriter, first: int = 3, last: int = 6) -> None:
    for number in range(first, last + 1):
        impulse(writer, 1, number, *([(D6, 0)] if number % 2 == 0 else []), (CA, 0))


def counter(writer: LogWriter, id: str, at: Hex, facing: str = "D") -> lv.AddPiece:
    """The cruiser's counter as it is put into a hex, under an id."""
    states = writer.counter_states(CA, (at, facing))
    return lv.AddPiece(id, join_chain(writer.counter_types(CA)), join_chain(states))


def display(writer: LogWriter, id: str) -> lv.AddPiece:
    return lv.AddPiece(id, join_chain(writer.display_types(CA)), join_chain(writer.display_states(CA)))


def now_at(writer: LogWriter, id: str, hex: Hex) -> None:
    writer.ids[CA], writer.where[CA] = id, (hex, "D")


def not_checked(ran: Ran) -> dict[tuple[str, str], str]:
    return {(item["rule"], item.get("subject", "")): item["reason"] for item in ran.json["not_checked"]}


# -- pieces that are new ------------------------------------------------------------------


def test_a_copy_of_a_counter_takes_no_form_and_is_not_called_before_it_is_there(check: Check) -> None:
    writer = started()
    copied = writer.log(counter(writer, COPY, Hex(40, 32)))
    goes_on(writer)
    ran = check(writer, "--ship", f"{CA} (2)=cadet/federation-ca")
    assert told(ran) == []
    lacks = not_checked(ran)
    assert ("B3.0", CA) not in lacks and ("B3.0", f"{CA} (2)") in lacks
    assert lacks["C1.4", f"{CA} (2)"] == (
        f"comes to the table in step {copied}: which impulses call it in that turn is not judged"
    )
    speeds = {(row["ship"], row["turn"]): row["speed"] for row in ran.json["turns"]}
    assert speeds[CA, 1] == 16


def test_a_copy_that_is_put_before_its_original_in_the_list_takes_no_form(check: Check) -> None:
    """The original was touched last, and comes after its copy among the pieces."""
    writer = started()
    writer.log(counter(writer, COPY, Hex(40, 32)))
    impulse(writer, 1, 3, (CA, 0))
    writer.log(writer.change(COPY, writer.counter_states(CA), writer.counter_states(CA)))
    goes_on(writer, 4)
    assert ("B3.0", CA) not in not_checked(check(writer))


@pytest.mark.parametrize("undone", [True, False])
def test_a_copy_that_is_deleted_or_undone_is_no_ship(
    check: Check, referee: Run, tmp_path: Path, undone: bool
) -> None:
    writer = started()
    writer.log(counter(writer, COPY, Hex(40, 32)))
    gone = lv.RemovePiece(COPY)
    writer.log(*((lv.Undo(True), gone, lv.Undo(False)) if undone else (gone,)))
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == []
    assert f"{CA} (2)" not in ran.out
    module = tmp_path / "other" / "m.vmod"
    ran = referee("game", "new", tmp_path / "g.jsonl", "--from", tmp_path / "game.vlog", "--module", module)
    assert ran.code == 0 and f"{CA} (2)" not in ran.out + (tmp_path / "g.jsonl").read_text()


def test_a_ship_removed_from_the_table_leaves_its_display_to_nobody(check: Check) -> None:
    writer = started()
    writer.log(lv.RemovePiece(writer.ids[CA]))
    impulse(writer, 1, 3)
    impulse(writer, 1, 4, (D6, 0))
    ran = check(writer)
    assert told(ran) == [] and [ship["name"] for ship in ran.json["ships"]] == [CA, D6]


# -- pieces put in the place of others ----------------------------------------------------


def test_a_replaced_counter_is_the_ship_it_was(check: Check) -> None:
    writer = started()
    hex = writer.where[CA][0]
    writer.log(counter(writer, COPY, hex), lv.RemovePiece(writer.ids[CA]))
    now_at(writer, COPY, hex)
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == []
    assert [ship["name"] for ship in ran.json["ships"]] == [CA, D6]
    assert ("C1.4", CA) not in not_checked(ran)


@pytest.mark.parametrize("far", [2, 5])
def test_a_replaced_counter_that_jumps_is_judged_as_a_move(check: Check, far: int) -> None:
    writer = started()
    hex = writer.where[CA][0].step("D", far)
    jump = writer.log(counter(writer, COPY, hex), lv.RemovePiece(writer.ids[CA]))
    now_at(writer, COPY, hex)
    impulse(writer, 1, 3)
    goes_on(writer, 4)
    assert told(check(writer)) == [("error", "C1.1", jump)]


def test_a_replaced_counter_that_is_put_back_by_undo_has_not_moved(check: Check) -> None:
    writer = started()
    old, hex = writer.ids[CA], writer.where[CA][0]
    writer.log(counter(writer, COPY, hex.step("D", 4)), lv.RemovePiece(old))
    writer.log(lv.Undo(True), lv.RemovePiece(COPY), counter(writer, old, hex), lv.Undo(False))
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == [] and f"{CA} (2)" not in ran.out


def test_a_counter_that_is_back_beside_the_one_that_replaced_it_is_itself(check: Check) -> None:
    writer = started()
    old, hex = writer.ids[CA], writer.where[CA][0]
    writer.log(counter(writer, COPY, hex), lv.RemovePiece(old))
    writer.log(counter(writer, old, hex))
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == [] and ("C1.4", CA) not in not_checked(ran)


def test_a_counter_and_a_display_replaced_twice(check: Check) -> None:
    writer = started()
    hex, ids = writer.where[CA][0], [writer.ids[CA], COPY, f"{COPY}5"]
    for old, new in pairwise(ids):
        writer.log(counter(writer, new, hex), lv.RemovePiece(old))
        writer.log(lv.RemovePiece(f"{old}9"), display(writer, f"{new}9"))
    now_at(writer, ids[-1], hex)
    late = writer.write(CA, 1, {"Movement": "12"})
    goes_on(writer)
    assert told(check(writer)) == [("undecided", "NOTE/changed-later", late)]


def test_damage_shown_on_a_display_put_in_the_place_of_another(check: Check) -> None:
    writer = started()
    writer.left[CA]["Warp L"] -= 2
    swapped = writer.log(display(writer, "55"), lv.RemovePiece(f"{writer.ids[CA]}9"))
    events = check(writer).json["events"]
    assert [(e["step"], e["who"], e["what"]) for e in events if e["kind"] == "marks"] == [
        (swapped, CA, "2 inside: 2 left warp")
    ]


# -- pieces that were removed and are back ------------------------------------------------


@pytest.mark.parametrize("id", ["", COPY])
@pytest.mark.parametrize("far", [1, 2, 5])
def test_a_counter_removed_and_put_back_elsewhere(check: Check, id: str, far: int) -> None:
    writer = started()
    hex = writer.where[CA][0].step("D", far)
    gone = writer.log(lv.RemovePiece(writer.ids[CA]))
    back = writer.log(counter(writer, id or writer.ids[CA], hex))
    now_at(writer, id or writer.ids[CA], hex)
    goes_on(writer, 3)
    ran = check(writer)
    assert told(ran) == [("error", "C1.1/continues", back)]
    assert f"in step {gone}" in ran.findings()[0]["message"]


@pytest.mark.parametrize("id", ["", COPY])
def test_a_counter_put_back_in_its_hex_in_the_same_impulse_was_never_gone(check: Check, id: str) -> None:
    writer = started()
    hex, id = writer.where[CA][0], id or writer.ids[CA]
    writer.log(lv.RemovePiece(writer.ids[CA]))
    writer.log(counter(writer, id, hex, "A"))
    now_at(writer, id, hex)
    north, south = (writer.counter_states(CA, (hex, facing)) for facing in "AD")
    writer.log(writer.change(id, north, south))
    goes_on(writer)
    ran = check(writer)
    assert [item for item in told(ran) if item[0] != "note"] == []
    assert ("C1.4", CA) not in not_checked(ran)


def test_a_removal_undone_is_no_jump(check: Check) -> None:
    writer = started()
    hex, id = writer.where[CA][0], writer.ids[CA]
    writer.log(lv.RemovePiece(id))
    writer.log(lv.Undo(True), counter(writer, id, hex), lv.Undo(False))
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == [] and ("C1.4", CA) not in not_checked(ran)


def test_a_move_after_the_counter_was_swapped_is_held_against_where_it_stood(check: Check) -> None:
    writer = started()
    hex = writer.where[CA][0]
    writer.log(counter(writer, COPY, hex), lv.RemovePiece(writer.ids[CA]))
    now_at(writer, COPY, hex)
    turned = writer.play(Play(CA, 1, 3, 2, 0))[0]
    writer.where[CA] = moved(hex, "D", 2)
    writer.advance((1, 3, 0), (1, 4, 0))
    assert ("error", "C3.1", turned) in told(check(writer))


# -- copies beside their originals --------------------------------------------------------


@pytest.mark.parametrize("far", [0, 2, 5])
def test_a_copy_that_outlives_its_original_is_the_ship(check: Check, far: int) -> None:
    writer = started()
    hex = writer.where[CA][0].step("D", far)
    writer.log(counter(writer, COPY, hex))
    gone = writer.log(lv.RemovePiece(writer.ids[CA]))
    now_at(writer, COPY, hex)
    impulse(writer, 1, 3, *([] if far else [(CA, 0)]))
    goes_on(writer, 4)
    ran = check(writer)
    assert told(ran) == ([("error", "C1.1", gone)] if far else [])
    assert [ship["name"] for ship in ran.json["ships"]] == [CA, D6] and f"{CA} (2)" not in ran.out
    assert ("C1.4", CA) not in not_checked(ran)
    assert {row["speed"] for row in ran.json["turns"] if row["ship"] == CA} == {16}


def test_a_copy_whose_original_is_back_by_undo_is_a_copy_again(check: Check) -> None:
    writer = started()
    old, hex = writer.ids[CA], writer.where[CA][0]
    writer.log(counter(writer, COPY, hex.step("D", 4)))
    writer.log(lv.RemovePiece(old))
    writer.log(lv.Undo(True), counter(writer, old, hex), lv.Undo(False))
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == [] and ("C1.0", f"{CA} (2)") in not_checked(ran)


@pytest.mark.parametrize("stays", [True, False])
def test_a_copy_used_to_measure_is_not_judged_and_named(
    check: Check, referee: Run, tmp_path: Path, stays: bool
) -> None:
    writer = started()
    hex = writer.where[CA][0]
    writer.log(counter(writer, COPY, hex))
    there, aside = (writer.counter_states(CA, (at, "D")) for at in (hex, hex.step("D", 5)))
    writer.log(writer.change(COPY, there, aside))
    if not stays:
        writer.log(lv.RemovePiece(COPY))
    goes_on(writer)
    ran = check(writer)
    assert told(ran) == [] and [ship["name"] for ship in ran.json["ships"]] == [CA, D6]
    said = f"a copy of {CA} without form or display of its own, put down while that is on the map"
    assert not_checked(ran)["C1.0", f"{CA} (2)"] == f"{said}: its moves are not judged"
    module = tmp_path / "other" / "m.vmod"
    ran = referee("game", "new", tmp_path / "g.jsonl", "--from", tmp_path / "game.vlog", "--module", module)
    assert ran.code == 0 and f"{CA} (2): {said}" in " ".join((ran.out + ran.err).split())
    assert f"{CA} (2)" not in (tmp_path / "g.jsonl").read_text()
