"""`referee replay` of a log of the online client: every line that is play, its findings at it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run, own_folder, referee
from tests.cli.test_play_by_play import log

__all__ = ["own_folder", "referee"]


def test_a_log_becomes_a_page_with_its_findings_at_their_lines(referee: Run) -> None:
    lines = log()
    n = next(n for n, line in enumerate(lines) if "Disruptor #A" in line)
    lines[n] = lines[n].rpartition("(")[0] + "(Range: 99)"
    Path("game.log").write_text("\n".join(lines) + "\n")
    assert referee("replay", "game.log", "-o", "game.html").code == 0
    page = Path("game.html").read_text(encoding="utf-8")
    assert f"line {n + 1}" in page and "D1.4" in page and "IKV 1017 Kharg: fire DISR/A" in page
    Path("two.log").write_text("\n".join(lines + lines) + "\n")
    ran = referee("replay", "two.log", "-o", "two.html")
    assert ran.code == 2 and "holds 2 games" in ran.err
