"""The commands of the page on VASSAL's files run as they stand there."""

from __future__ import annotations

import re
import shlex
from json import loads
from pathlib import Path
from random import Random

from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log


def commands() -> list[list[str]]:
    text = (ROOT / "docs" / "vassal.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    # A watch goes on until Ctrl-C: tests/cli/test_watch.py has it.
    return [line for line in lines if line[1] != "watch"]


def test_the_commands_on_vassal_files_run_as_written(referee: Run, duel: Path) -> None:
    log = write_log(legal_game(Random(3), ships=2, turns=2)).data
    Path("game.vsav").write_bytes((duel / "duel.vsav").read_bytes())
    Path("game.vmod").write_bytes(module_bytes())
    for name in ("game", "first", "second"):
        Path(f"{name}.vlog").write_bytes(log)
    ran_of: dict[str, str] = {}
    lines = commands()
    assert len(lines) == 13 and {line[0] for line in lines} == {"referee"}
    for line in lines:
        asked, _, into = " ".join(map(shlex.quote, line[1:])).partition(" '>' ")
        ran = referee(*shlex.split(asked))
        assert ran.code == 0, (line, ran.err)
        ran_of[" ".join(line[1:])] = ran.out
        if into:
            Path(into).write_text(ran.out, encoding="utf-8")
    told = {command: out for command, out in ran_of.items() if out}
    assert loads(Path("game.json").read_text(encoding="utf-8"))["kind"] == "log"
    assert loads(Path("map.json").read_text(encoding="utf-8"))["module"]["name"] == "Cadet Duel"
    assert referee("check", "game.vsav", "--map", "map.json").code in (0, 1)
    assert "Steps" in told["show game.vlog --step 41"] or "step 41" in told["show game.vlog --step 41"]
    assert told["game chat log.jsonl"].splitlines()[-1].startswith("head #")
    for name in ("next", "told", "new"):
        assert referee("show", f"{name}.vsav").code == 0
    assert Path("game.vsav").read_bytes() == (duel / "duel.vsav").read_bytes()
    assert (
        "checked" in referee("show", "new.vsav").out and "- referee: head" in referee("show", "told.vsav").out
    )
