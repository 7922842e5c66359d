"""What fuzzing found once is never found again: a report, or one line for people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.net.command import command

pytestmark = [pytest.mark.net, pytest.mark.usefixtures("own_folder")]
SUFFIXES = {"forms": ".csv", "plays": ".log"}
FOUND = sorted(path for path in Path(__file__).parents[1].joinpath("fuzzed").glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_is_told_to_people_in_a_line(path: Path) -> None:
    name = f"found{SUFFIXES[path.parent.name]}"
    Path(name).write_bytes(path.read_bytes())
    ran = command("check", name, "--rulebook", "sfb-cadet", "--json")
    assert (ran.code in (0, 1) and ran.json["verdict"]) or (ran.code == 2 and ran.err.count("\n") == 1), ran
