"""What is said of a log is said in a log's words, once, and truly."""

from __future__ import annotations

from pathlib import Path

from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import module_bytes
from tests.unit.logs.test_logs import CA, D6, Check, begun, check, duel_game, impulse
from tests.unit.logs.test_logs_notes import moved_in

__all__ = ["check"]


def test_a_speed_the_chart_does_not_have_is_found_once(check: Check) -> None:
    """No impulse calls it: which moves are too many is not known, and no move is blamed."""
    writer = begun(duel_game(ca=17))
    for number in range(1, 5):
        impulse(writer, 1, number, *([(D6, 0)] if number % 2 == 0 else []), (CA, 0))
    ran = check(writer)
    assert {f["rule"] for f in ran.findings("error")} == {"B3.0-14", "C1.4"}
    assert [f["key"] for f in ran.findings("error") if f["rule"] == "C1.4"] == ["C1.4/speed"]
    reasons = [item["reason"] for item in ran.json["not_checked"] if item["key"] == "C1.4"]
    assert reasons == ["the chart of 16 impulses has no speed 17"]


def test_a_move_that_was_not_made_is_made_with_the_counter(check: Check) -> None:
    writer = begun()
    impulse(writer, 1, 1, (CA, 0))
    impulse(writer, 1, 2, (CA, 0))
    impulse(writer, 1, 3, (CA, 0))
    (found,) = (f for f in check(writer).findings() if f["key"] == "C1.4/missed")
    assert found["subject"] == D6 and found["fix"] == "move its counter a hex on impulse 2"


def test_a_half_armed_photon_is_not_called_unpaid(check: Check) -> None:
    writer = begun(duel_game(ca=8))
    writer.write(CA, 1, {"Photon A": "2", "Total Used": "10"})
    fired = writer.log(lv.Chat("&lt;Ann&gt; - !fire PHOT-A at D6 Ship1"))
    impulse(writer, 1, 1)
    ran = check(writer)
    (found,) = (f for f in ran.findings("error") if f["key"] == "E1.2/energy")
    assert found["location"]["step"] == fired
    assert (found["message"], found["expected"], found["found"]) == (
        "it is armed in part only",
        "2 and 2 points on consecutive turns",
        "part of them",
    )


def test_a_turn_is_said_once() -> None:
    from referee.core.finding import Finding, Severity

    found = Finding("NOTE/x", Severity.NOTE, "turn 1, impulse 4 was played", turn=1)
    assert found.dated == found.message
    assert Finding("NOTE/x", Severity.NOTE, "was played", turn=1).dated == "turn 1, was played"
    assert Finding("NOTE/x", Severity.NOTE, "turn 12, so", turn=1).dated == "turn 1, turn 12, so"


def test_a_turn_played_again_is_told_with_one_turn(referee: Run, tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.vlog" for n in "ab"]
    for way, path in enumerate(paths):
        path.write_bytes(moved_in(way).finish())
    (tmp_path / "m.vmod").write_bytes(module_bytes())
    out = referee("check", *paths, "--format", "concise", "--option", "previous_speed=8").out
    line = next(line for line in out.splitlines() if "NOTE/played-twice" in line)
    assert line.count("turn 1") == 1
