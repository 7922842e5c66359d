"""`referee game new --from` a file that stops, or begins, in the middle of a turn: what it tells of the turn counts
in the record, and what it does not tell is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.gamefold import fold_game
from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.container import write_save_bytes
from referee.record.reading import read
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import (
    FED,
    KLINGON,
    MODULE_DATA,
    Game,
    LogWriter,
    Placed,
    module_bytes,
)

FIRED_TWO = {"Phas Cap": "0", "Phasrecharge": "3", "PhasFired": "2", "Total Used": "11"}
UNTOLD = "what was fired, launched and taken off reinforcement before"


def writer(figures: dict[str, str], at: tuple[int, int, int], turn: int = 2) -> LogWriter:
    Path("m.vmod").write_bytes(module_bytes())
    ships = {"CA One": Placed(FED, Hex(40, 40), "A", 8), "D6 Two": Placed(KLINGON, Hex(40, 37), "D", 8)}
    speeds = {(name, number): 8 for name in ships for number in range(1, turn + 1)}
    game = Game(ships, turn, speeds, (), written={("CA One", turn): figures})
    return LogWriter(game, at=at, filled=tuple(range(1, turn + 1)))


def began(referee: Run, file: Path) -> str:
    ran = referee("game", "new", "g.jsonl", "--from", file, "--module", "m.vmod", "--alone")
    assert ran.code == 0, ran.err
    return ran.out


def not_checked(referee: Run) -> list[str]:
    return [item["reason"] for item in referee("check", "g.jsonl", "--json").json["not_checked"]]


def fired(referee: Run, weapons: str) -> tuple[int, str]:
    ran = referee("game", "say", "g.jsonl", f"CA One: fire {weapons} at D6 Two")
    return ran.code, ran.err + ran.out


def test_a_save_in_the_midst_of_a_turn_counts_what_its_form_says_was_fired(referee: Run) -> None:
    log = writer(FIRED_TWO, (2, 5, 3))
    Path("mid.vsav").write_bytes(write_save_bytes(log.start(), key=7, module_data=MODULE_DATA))
    assert f"not taken: turn 2: {UNTOLD} mid.vsav begins is not known" in began(referee, Path("mid.vsav"))
    assert any(UNTOLD in reason for reason in not_checked(referee))
    assert fired(referee, "PH-1A")[0] == 0
    code, said = fired(referee, "PH-1B")
    assert code == 0 and "[E2.21]" in said and "with 0 in the capacitor: 1 of battery power" in said
    assert referee("game", "resolve", "g.jsonl").code == 0
    _, said = fired(referee, "PH-1C")  # the fire is resolved: it comes too late
    assert "with 0 in the capacitor: 1 of battery power" in said
    # The points of the form and that of the record are gone from the next turn's capacitor.
    on = referee("game", "next", "g.jsonl", "--to", "3.energy-allocation", "--force", "--as", "ann")
    assert on.code == 0, on.err
    ran = referee("form", "next", "g.jsonl", "--ship", "CA One", "-o", "next.csv")
    assert ran.code == 0, ran.err
    rows = [line.split(",") for line in Path("next.csv").read_text().splitlines()]
    held = next(row for row in rows if row[0].startswith("Phaser Capacitor"))
    assert held[3] == "0", "without the shot of the record it would be 1"


def test_a_log_that_stops_in_a_turn_counts_its_fire_once(referee: Run) -> None:
    """Its form says two points were fired by the end; one of them the log tells."""
    log = writer(FIRED_TWO, (2, 5, 3))
    log.log(lv.Chat("&lt;Ann&gt; - !CA One: fire PH-1A at D6 Two"))
    log.advance((2, 5, 3), (2, 6, 3))
    Path("mid.vlog").write_bytes(log.finish())
    began(referee, Path("mid.vlog"))
    assert not [f for f in referee("check", "g.jsonl", "--json").findings() if f["severity"] == "error"]
    code, said = fired(referee, "PH-1A")
    assert code == 1 and "[E2.23]" in said and "it fired on turn 2, impulse 5 already" in said
    assert fired(referee, "PH-1B")[0] == 0
    code, said = fired(referee, "PH-1C")
    assert code == 0 and "[E2.21]" in said and "with 0 in the capacitor: 1 of battery power" in said


@pytest.mark.parametrize(("at", "untold"), [((1, 1, 0), False), ((1, 1, 3), True), ((2, 1, 0), False)])
def test_only_a_turn_whose_beginning_is_not_told_is_listed(
    referee: Run, at: tuple[int, int, int], untold: bool
) -> None:
    log = writer({"Phasrecharge": "1", "Total Used": "9"}, at, at[0])
    Path("save.vsav").write_bytes(write_save_bytes(log.start(), key=7, module_data=MODULE_DATA))
    assert (UNTOLD in began(referee, Path("save.vsav"))) is untold
    assert any(UNTOLD in reason for reason in not_checked(referee)) is untold
    if untold:
        assert fired(referee, "PH-1A")[0] == 0
        assert "when it last fired is not known" in not_checked(referee)


def test_reinforcement_that_a_log_does_not_tell_the_use_of_is_told(referee: Run) -> None:
    log = writer({"Gen Reinf": "2", "Phasrecharge": "1", "Total Used": "11"}, (1, 1, 0), 1)
    log.log(lv.Chat("&lt;Ben&gt; - !D6 Two: fire DISR-A at CA One"))
    log.log(lv.Chat("* 1d6 = 2 *"))
    log.advance((1, 1, 0), (1, 2, 3))
    Path("mid.vlog").write_bytes(log.finish())
    told = began(referee, Path("mid.vlog"))
    assert (
        "not taken: CA One: what the fire of turn 1 took off its reinforcement: in the record it is all there"
        in told
    )
    state = fold_game(read("g.jsonl"), load_ship)
    assert state.ships["D6 Two"].elsewhere == 1 and state.ships["CA One"].filed_elsewhere == {1}
