"""The recorded example game: fixed bytes, one head, one state, for ever; and the script that plays it anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from referee.record.reading import read
from tests.cli.conftest import Run
from tests.conftest import ROOT

DUEL = ROOT / "examples" / "games" / "solo-duel.jsonl"
HEAD = "#40 FIZ4-4CA3-KZU4-FWTF-TIOB-NFP4-FM"
STATE = "bf0dcc92d050d0b4ca71b330e288eaf2"


def test_the_record_is_whole_and_its_state_is_what_it_was(referee: Run) -> None:
    before = DUEL.read_bytes()
    assert referee("record", "verify", DUEL, "--head", HEAD).code == 0
    replayed = referee("game", "replay", DUEL)
    assert replayed.code == 0 and replayed.out.splitlines()[-1] == f"state {STATE}"
    assert referee("game", "replay", DUEL, "--json").json["state_hash"] == STATE
    assert referee("game", "status", DUEL).code == 0 and referee("game", "report", DUEL).code == 0
    ran = referee("dice", "verify", DUEL)
    assert ran.code == 0 and "6 rolls, 6 recomputed, 0 wrong (solo dice)" in ran.out
    assert referee("check", DUEL).code == 0
    assert DUEL.read_bytes() == before


def test_a_copy_taken_in_entry_by_entry_comes_to_the_same_state(referee: Run) -> None:
    lines = DUEL.read_bytes().splitlines(keepends=True)
    Path("mine.jsonl").write_bytes(b"".join(lines[:7]))
    for upto in (12, 19, 27, len(lines)):
        Path("theirs.jsonl").write_bytes(b"".join(lines[:upto]))
        assert referee("record", "sync", "mine.jsonl", "theirs.jsonl").code == 0
        shown = referee("game", "replay", DUEL, "--to", str(upto - 1)).out.splitlines()[-1]
        assert referee("game", "replay", "mine.jsonl").out.splitlines()[-1] == shown
    assert Path("mine.jsonl").read_bytes() == DUEL.read_bytes() and shown == f"state {STATE}"


def test_the_independent_checker_agrees() -> None:
    checker = ROOT / "examples" / "check_dice.py"
    done = subprocess.run(
        [sys.executable, str(checker), str(DUEL)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and done.stdout.count("good") == 6


def test_the_script_plays_the_same_moves(own_folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "REFEREE": f"{sys.executable} -m referee"}
    script = ROOT / "examples" / "games" / "make_solo_duel.py"
    done = subprocess.run(
        [sys.executable, str(script), str(own_folder)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    again, before = read(own_folder / "solo-duel.jsonl"), read(DUEL)
    assert [entry.type for entry in again] == [entry.type for entry in before]
    assert again[-1].hash != before[-1].hash
