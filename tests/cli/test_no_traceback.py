"""What a player meets by accident ends in one line, or in none: a closed pipe, a folder he may not write to, no home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_confirmed_ships import confirm, unsure
from tests.conftest import ROOT, mostly_long

pytestmark = pytest.mark.net

COMMAND = [sys.executable, "-m", "referee"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize(
    "arguments",
    mostly_long(
        [(("ship", "list"),), (("explain", "B"),), (("volley", "standard/klingon-d7", "--internals", "200"),), (("--help",),), (("version",),)],
        lambda arguments: arguments[0] in ("ship", "version"),
    ),
)  # fmt: skip
def test_who_has_read_enough_hears_nothing_more(arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        ran = subprocess.run(
            [*COMMAND, *arguments],
            check=False,
            stdout=pipe,
            stderr=subprocess.PIPE,
            timeout=60,
            env=ENVIRONMENT,
        )
    assert ran.stderr == b"" and ran.returncode in (0, 2), ran.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    mostly_long(
        [(("ship", "list"),), (("check", "form.csv"),), (("init", "house"),), (("--show-completion",),)],
        lambda arguments: arguments[1:2] in (("form.csv",), ("house",)),
    ),
)  # fmt: skip
def test_no_home_and_an_empty_environment(own_folder: Path, arguments: tuple[str, ...]) -> None:
    Path("form.csv").write_bytes((ROOT / "examples" / "duel" / "constellation.csv").read_bytes())
    bare = {"PYTHONPATH": str(ROOT), "HOME": "/nonexistent", "SHELL": "/bin/bash"}
    ran = subprocess.run([*COMMAND, *arguments], check=False, capture_output=True, timeout=60, env=bare)
    assert ran.returncode in (0, 1) and b"Traceback" not in ran.stderr, ran.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ("ship", "confirm", "cadet/gorn", "--yes"),
        ("init", "game", "--scenario", "4", "duel.txt"),
        ("init", "game", "--scenario", "4", "--record", "g.jsonl", "--players", "a,b"),
        ("init", "ship", "my-ship"),
        ("form", "blank", "cadet/federation-ca", "-o", "form.xlsx"),
        ("volley", "cadet/klingon-d6", "--internals", "3", "--state-out", "state.json"),
    ],
)
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_one_may_not_write_to(referee: Run, own_folder: Path, arguments: tuple[str, ...]) -> None:
    own_folder.chmod(0o555)
    try:
        ran = referee(*arguments)
    finally:
        own_folder.chmod(0o755)
    assert ran.code == 2 and ran.err.startswith("referee: ") and ran.err.count("\n") == 1, ran.err


def test_a_long_complaint_is_cut_in_its_reason_and_keeps_its_hint(referee: Run, own_folder: Path) -> None:
    record = ROOT / "examples" / "games" / "cadet-duel.jsonl"
    confirm("cadet/klingon-d6", unsure(referee, "cadet/klingon-d6"))
    ran = referee("replay", record)
    found, said = ran.err.splitlines()
    assert ran.code == 2 and said.startswith(f"referee: {record}: line 1: other confirmed numbers")
    assert "confirmed-ships.json of who began it" in said and "and trusted: " in found
    assert len(said) <= len("referee: ") + 300
