"""Pieces whose meaning nobody tells: named once, and in doubt where they may be damage on a ship's display."""

from __future__ import annotations

from dataclasses import replace
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.commands import encode_leaf
from referee.formats.vassal.container import write_save_bytes
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import ROWS, LogWriter
from tests.unit.formats.vassal.vassal_saves import ESC
from tests.unit.logs.test_logs_marks import CA, D6, check, logged
from tests.unit.logs.test_logs_notes import Check, impulses

__all__ = ["check"]
ON_D6, IN_SPACE = "SSD;930;120", "Space;930;120"


def laid(id: int, name: str, at: str = ON_D6, *, turns: bool = False) -> lv.AddPiece:
    """A piece that bears a mark, or can turn."""
    types = [
        "rotate;6;93,130;91,130;R;L;;;Heading;facing;;;;true" if turns else "mark;Kind",
        f"piece;;;p.png;{name}",
    ]
    return lv.AddPiece(str(id), join_chain(types), join_chain(["0", f"{at};0;0"]))


def table(*, bare: bool = False) -> LogWriter:
    """Two ships with their forms of turn 1; the displays of a `bare` table show shields alone."""
    writer = logged()
    if bare:
        ships = {n: replace(one, cls=replace(one.cls, boxes=())) for n, one in writer.game.ships.items()}
        writer.game = replace(writer.game, ships=ships)
        writer._start = writer.start()
    return writer


def saved(referee: Run, writer: LogWriter, *pieces: lv.AddPiece, map: dict[str, Any] | None = None) -> Ran:
    *texts, end = writer.start().split(ESC)
    text = ESC.join([*texts, *(encode_leaf(piece) for piece in pieces), end])
    Path("game.vsav").write_bytes(write_save_bytes(text, key=7))
    said = {"schema": "referee/module-map/1", "module": {"name": "Any"}, **(map or {})}
    Path("map.json").write_text(dumps(said))
    ran = referee("check", "game.vsav", "--json", *(("--map", "map.json") if map is not None else ()))
    assert ran.err == ""
    return ran


def told(ran: Ran) -> list[tuple[str, str, str]]:
    return [
        (f["severity"], f.get("subject", ""), f["message"])
        for f in ran.findings()
        if f["key"] == "NOTE/unmapped"
    ]


def test_unknown_pieces_on_a_display_without_other_marks_leave_it_undecided(referee: Run) -> None:
    marks = [laid(n, "X" if n < 86 else "Y") for n in range(80, 87)]
    ran = saved(referee, table(bare=True), *marks)
    assert told(ran) == [("undecided", D6, f"X (6), Y on SSD {D6} may be damage: not counted")]
    assert ran.json["verdict"] == "cannot-tell"
    assert "init map" in next(f["fix"] for f in ran.findings("undecided"))


@pytest.mark.parametrize("name", ["Destroyed Warp L", "warp l hit", "Hit: Warp L 3", "Damaged Shield 2"])
def test_a_piece_that_is_called_damage_is_in_doubt_on_any_display(referee: Run, name: str) -> None:
    ran = saved(referee, table(), laid(80, name))
    assert told(ran) == [("undecided", D6, f"{name} on SSD {D6} may be damage: not counted")]


def test_other_pieces_are_named_once_and_hinder_nothing(referee: Run) -> None:
    pieces = [laid(n, "Chit") for n in range(80, 83)] + [laid(90, "Planet", IN_SPACE), laid(91, "Hit List")]
    ran = saved(referee, table(), *pieces)
    message = "Chit (3), Planet, Hit List: what these are is not known here, they are not judged"
    assert told(ran) == [("note", "", message)] and ran.json["verdict"] == "legal"


def test_displays_among_the_ships(referee: Run) -> None:
    """On a map with counters a piece is in doubt where it is called damage, and not for where it lies."""
    writer = table(bare=True)
    text = writer.start().replace("SSD;900;100", "Space;900;100").replace("SSD;100;100", "Space;100;100")
    writer.start = lambda: text  # type: ignore[method-assign]
    ran = saved(referee, writer, laid(80, "Lost Shuttle", IN_SPACE), laid(81, "Rock", IN_SPACE))
    found = told(ran)
    assert found[0] == ("undecided", D6, f"Lost Shuttle on SSD {D6} may be damage: not counted")
    assert [severity for severity, _, _ in found] == ["undecided", "note"] and "Rock:" in found[1][2]


def test_seekers_that_wait_on_a_display_are_no_damage(referee: Run) -> None:
    ran = saved(referee, table(bare=True), laid(80, "Drone 3"), laid(81, "Plasma A"))
    assert [severity for severity, _, _ in told(ran)] == ["note"]


def test_a_map_that_tells_the_pieces_counts_them(referee: Run) -> None:
    way = {"as": "markers", "names": {"X": "left_warp"}, "within": 200}
    for told_by in ({"damage": [way]}, {"pieces": {"ignore": [{"names": ["X"]}]}}):
        assert told(saved(referee, table(bare=True), laid(80, "X"), map=told_by)) == []
    without = saved(referee, table(bare=True), laid(80, "X"), map={})
    assert [severity for severity, _, _ in told(without)] == ["undecided"]


def test_in_a_log_a_mark_laid_in_play_and_a_counter_that_never_moves(check: Check) -> None:
    writer = table()
    writer.log(laid(80, "Destroyed Warp L", turns=True))
    writer.log(laid(81, "Rock", IN_SPACE, turns=True), laid(82, "Rock", IN_SPACE))
    impulses(writer, 1, 1, 3)
    assert told(check(writer)) == [
        ("undecided", D6, f"Destroyed Warp L on SSD {D6} may be damage: not counted"),
        ("note", "", "Rock (2): what these are is not known here, they are not judged"),
    ]


def test_a_table_with_nothing_but_ships_says_nothing_of_it(referee: Run) -> None:
    assert told(saved(referee, table(bare=True))) == []
    assert CA in saved(referee, table()).out


@pytest.mark.parametrize("text", ["8\\", "8,5"])
def test_a_cell_that_swallows_the_next_is_named(referee: Run, check: Check, text: str) -> None:
    writer = table()
    writer.write(D6, 2, {ROWS[3]: text})
    swallows = text.endswith("\\")
    for ran in (saved(referee, writer), check(writer)):
        found = [(f["subject"], f["location"]["cell"]) for f in ran.findings() if f["key"] == "NOTE/cells"]
        assert found == ([(D6, "C4")] if swallows else [])


def test_a_record_taken_over_names_what_may_be_damage(referee: Run) -> None:
    saved(referee, table(), laid(80, "Destroyed Warp L"), laid(81, "Chit"))
    log = table()
    log.log(laid(80, "Destroyed Warp L"), laid(81, "Chit"))
    Path("game.vlog").write_bytes(log.finish())
    seats = ("--players", "a,b", "--player", "Federation=a", "--player", "Klingon=b")
    for source in ("game.vsav", "game.vlog"):
        ran = referee(
            "game", "new", f"{source}.jsonl", "--from", source, *seats, "--dice", "seed", "--seed", "x"
        )
        told = [
            line for line in (ran.out + ran.err).splitlines() if "may be damage" in line or "Chit" in line
        ]
        assert ran.code == 0 and len(told) == 1, ran.err
        assert told[0].startswith(f"not taken: Destroyed Warp L on SSD {D6} may be damage")
