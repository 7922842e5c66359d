"""`referee replay` of a log of the online client: every line that is play, its findings at it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run, own_folder, referee
from tests.cli.test_play_by_play import log
from tests.unit.sources.test_sfbol_targets import DRONE, FLIGHT, OVER

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


def test_what_a_seeker_goes_after_is_said_to_the_page_as_to_check(referee: Run) -> None:
    Path("game.log").write_text("\n".join([*FLIGHT, *OVER]) + "\n")
    assert referee("replay", "game.log", "-o", "game.html").code == 0
    assert "which ship it goes after is not known" in Path("game.html").read_text(encoding="utf-8")
    assert referee("replay", "game.log", "--target", f"{DRONE}=Marauder", "-o", "game.html").code == 0
    page = Path("game.html").read_text(encoding="utf-8")
    assert "F2.0" in page and "which ship it goes after is not known" not in page


def test_a_target_or_a_form_is_for_such_a_log_alone(referee: Run) -> None:
    Path("orders.txt").write_text("rulebook sfb-standard\nship Kharg = standard/klingon-d7 at 2020A\n")
    ran = referee("replay", "orders.txt", "--target", f"{DRONE}=Marauder", "-o", "game.html")
    assert ran.code == 2 and "by what it tells itself" in ran.err and not Path("game.html").exists()
