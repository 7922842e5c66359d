"""`referee show` names hexes with the module that lies beside a save or log, as `referee check` does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import LogWriter, legal_game, module_bytes, write_log

Holds = Callable[[Any], None]


@pytest.fixture
def beside(tmp_path: Path) -> tuple[Path, Path]:
    """A save and a log with their module beside them."""
    game = legal_game(Random(5), ships=2, turns=1)
    save, log = tmp_path / "game.vsav", tmp_path / "game.vlog"
    save.write_bytes(LogWriter(game).finish())
    log.write_bytes(write_log(game).data)
    (tmp_path / "duel.vmod").write_bytes(module_bytes())
    return save, log


def test_a_save_is_shown_with_the_module_beside_it(
    referee: Run, holds: Holds, beside: tuple[Path, Path], tmp_path: Path
) -> None:
    save, log = beside
    said = "hexes and levels of the turn are named by duel.vmod"
    for path in beside:
        shown = referee("show", path)
        assert shown.code == 0 and said in shown.out and shown.err == ""
        assert "turn: Turn 1, Impulse 1, Step Move" in shown.out
    dump = referee("show", save, "--json").json
    holds(dump)
    assert dump["named_by"] == "duel.vmod"
    start = legal_game(Random(5), ships=2, turns=1).ships
    places = {piece["name"].partition(" (")[0]: piece["location"] for piece in dump["pieces"]}
    assert {name: places[name] for name in start} == {name: str(ship.hex) for name, ship in start.items()}
    # What is told by hand is told apart from what lies beside, and comes out the same.
    elsewhere = tmp_path / "elsewhere" / "other.vmod"
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(module_bytes())
    told = referee("show", save, "--module", elsewhere, "--json").json
    assert told["named_by"] == "other.vmod" and told["pieces"] == dump["pieces"]
    # The dump for programs names nothing that was not asked for.
    bare = referee("vassal", "dump", save).json
    assert "named_by" not in bare and {piece["location"] for piece in bare["pieces"]} == {None}
    assert said in referee("show", log, "--step", "5").out


def test_two_modules_are_named_and_none_is_used(referee: Run, beside: tuple[Path, Path]) -> None:
    save, _ = beside
    save.with_name("other.vmod").write_bytes(module_bytes())
    ran = referee("show", save)
    assert ran.code == 0 and "neither duel.vmod nor other.vmod beside it is used" in ran.err
    assert "named by" not in ran.out and "level 1 1" in ran.out


def test_the_module_of_another_game_is_not_used(
    referee: Run, beside: tuple[Path, Path], shared: Path
) -> None:
    save, _ = beside
    module = shared / "vassal" / "saves" / "duel" / "duel.vmod"
    save.with_name("duel.vmod").write_bytes(module.read_bytes())
    ran = referee("show", save)
    assert ran.code == 0 and ran.err == "" and "named by" not in ran.out
