"""`show --step` of a log: facings as the dump counts them, nothing hidden told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.report.savetext import save_text
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import LogWriter, Play, module_bytes
from tests.unit.logs.test_logs import CA, begun


@pytest.fixture
def show(referee: Run, tmp_path: Path) -> Any:
    def once(writer: LogWriter, *asked: object) -> Ran:
        path, module = tmp_path / "game.vlog", tmp_path / "m.vmod"
        path.write_bytes(writer.finish())
        module.write_bytes(module_bytes())
        return referee("show", path, "--module", module, *asked)

    return once


def test_a_facing_is_counted_from_one(show: Any) -> None:
    writer = begun()
    _, moved = writer.play(Play(CA, 1, 1, 1, 0))
    line = next(line for line in show(writer, "--step", moved).out.splitlines() if f"  {CA} at" in line)
    assert "facing 5 of 6 (240 degrees)" in line


@pytest.mark.parametrize(
    ("state", "covered", "called"), [(5, "side:Federation", "(hidden)"), (4, "ann;", "?")]
)
def test_a_piece_hidden_or_masked_has_no_name(show: Any, state: int, covered: str, called: str) -> None:
    writer = begun()
    states = writer.counter_states(CA)
    writer.log(writer.change(writer.ids[CA], states, [*states[:state], covered, *states[state + 1 :]]))
    gone = writer.log(writer.move_leaf(CA, Hex(40, 30), Hex(40, 31)))
    shown = show(writer, "--step", gone).out
    assert f"  {CA} at" not in shown and f"  {called} at Space 4031" in shown


def test_chat_is_shown_as_vassal_shows_it() -> None:
    assert "| <Ann> - hello" in save_text({"kind": "save", "chat": ["&lt;Ann&gt; - hello"]})
