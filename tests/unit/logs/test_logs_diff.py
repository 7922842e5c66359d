"""`show --step` and `--diff` of a log: one way to count facings, dice and properties told, nothing hidden told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import LogWriter, Play, module_bytes
from tests.unit.logs.test_logs import CA, D6, begun


@pytest.fixture
def show(referee: Run, tmp_path: Path) -> Any:
    def once(writer: LogWriter, *asked: object) -> Ran:
        path, module = tmp_path / "game.vlog", tmp_path / "m.vmod"
        path.write_bytes(writer.finish())
        module.write_bytes(module_bytes())
        return referee("show", path, "--module", module, *asked)

    return once


def rows(ran: Ran) -> list[tuple[str, str, str, str]]:
    return [(d["piece"], d["what"], d["before"], d["after"]) for d in ran.json["differences"]]


def test_a_facing_is_counted_alike_in_a_step_and_between_steps(show: Any) -> None:
    writer = begun()
    turned, moved = writer.play(Play(CA, 1, 1, 1, 0))
    assert turned
    (row,) = rows(show(writer, "--diff", turned - 1, turned, "--json"))
    assert row == (CA, "facing Heading", "4 of 6 (180 degrees)", "5 of 6 (240 degrees)")
    line = next(line for line in show(writer, "--step", moved).out.splitlines() if f"  {CA} at" in line)
    assert "facing 5 of 6 (240 degrees)" in line


def test_properties_and_dice_between_two_steps_are_told(show: Any) -> None:
    writer = begun()
    first = writer.log(
        lv.Chat("*** 1d6 = 4 *** <Ann>"),
        lv.MutableProperty("1d6_result", "", "4", "Module"),
        lv.MutableProperty("1d6_total", "", "4", "Module"),
    )
    writer.log(
        lv.MutableProperty("Impulse", "0", "5", "Module"), lv.MutableProperty("Fog", "", "on", "Space")
    )
    second = writer.log(
        lv.Chat("*** 2d6 = 3,5 *** <Ben>"), lv.MutableProperty("2d6_result", "", "3,5", "Module")
    )
    writer.log(lv.Undo(True), lv.MutableProperty("2d6_result", "3,5", "", "Module"), lv.Undo(False))
    told = rows(show(writer, "--diff", first - 1, second + 1, "--json"))
    assert told == [
        ("", "property Impulse", "", "5"),
        ("", "property Fog of Space", "", "on"),
        ("", f"dice 1d6 in step {first}", "", "4"),
        ("", f"dice 2d6 in step {second}", "", "3,5"),
    ]
    assert f"table: dice 1d6 in step {first}: (nothing) -> 4" in show(writer, "--diff", first - 1, first).out
    # Backwards nothing is rolled.
    assert [
        row for row in rows(show(writer, "--diff", second, first - 1, "--json")) if "dice" in row[1]
    ] == []


def hidden() -> tuple[LogWriter, int, int]:
    """A log in which the cruiser is made invisible, and then goes two hexes; the steps of both."""
    writer = begun()
    states = writer.counter_states(CA)
    covered = [*states[:5], "side:Federation", *states[6:]]
    vanished = writer.log(writer.change(writer.ids[CA], states, covered))
    writer.log(writer.move_leaf(CA, Hex(40, 30), Hex(40, 31)))
    return writer, vanished, writer.log(writer.move_leaf(CA, Hex(40, 31), Hex(40, 32)))


def test_of_a_piece_that_was_hidden_no_more_is_told_than_that(show: Any) -> None:
    writer, vanished, gone = hidden()
    assert rows(show(writer, "--diff", vanished - 1, gone, "--json")) == [(CA, "hidden", "", "yes")]


def test_a_hidden_piece_has_no_name(show: Any) -> None:
    writer, vanished, gone = hidden()
    ran = show(writer, "--diff", vanished, gone)
    assert CA not in ran.out and "(hidden): place: Space 4030 -> Space 4032" in ran.out
    assert "(hidden) at Space 4032" in show(writer, "--step", gone).out


def test_a_piece_that_appears_is_told_with_its_place(show: Any) -> None:
    writer, vanished, gone = hidden()
    ran = show(writer, "--diff", gone, vanished - 1, "--json")
    assert rows(ran) == [(CA, "hidden", "yes", ""), (CA, "place", "", "Space 4030")]
    assert D6 not in ran.out


def test_a_piece_that_was_masked_is_named_as_it_was_in_sight(show: Any) -> None:
    """Where it goes masked is not known of it."""
    writer = begun()
    states = writer.counter_states(CA)
    masked = writer.log(writer.change(writer.ids[CA], states, [*states[:4], "ann;", *states[5:]]))
    gone = writer.log(writer.move_leaf(CA, Hex(40, 30), Hex(40, 31)))
    assert rows(show(writer, "--diff", masked - 1, masked, "--json")) == [(CA, "masked", "", "yes")]
    assert rows(show(writer, "--diff", masked - 1, gone, "--json")) == [(CA, "masked", "", "yes")]
    ran = show(writer, "--diff", masked, gone)
    assert CA not in ran.out and "Space 4030 -> Space 4031" in ran.out
