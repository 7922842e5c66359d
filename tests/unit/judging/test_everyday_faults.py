"""Small faults of every day: what is guessed, clipped, broken or left unsaid."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from referee.chances.workers import local_executor
from tests.cli.conftest import Run
from tests.write_picture import PICTURE, drawn, words_in

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parents[3]


def test_how_many_impulses_a_turn_has_is_not_guessed(referee: Run, own_folder: Path) -> None:
    ran = referee("impulses", "--speed", "4")
    assert (ran.code, ran.out) == (2, "") and "how many impulses a turn has is not given" in ran.err
    assert (
        referee("impulses", "--speed", "4", "--rulebook", "sfb-cadet").out == "speed 4 of 16: 4, 8, 12, 16\n"
    )
    assert referee("impulses", "--speed", "4", "--rulebook", "sfb-standard").out.startswith("speed 4 of 32: ")
    assert referee("impulses", "--speed", "4", "--rulebook", "trek").code == 2
    (own_folder / "referee.toml").write_text("[options]\nimpulses = 8\n")
    referee("config", "trust", "referee.toml")
    assert referee("impulses", "--speed", "4").out == "speed 4 of 8: 2, 4, 6, 8\n"
    assert referee("impulses", "--speed", "4", "--of", "16").out.startswith("speed 4 of 16: ")


def test_the_picture_of_the_readme_is_what_the_program_prints() -> None:
    assert words_in(PICTURE.read_text(encoding="utf-8")) == words_in(drawn()), "python -m tests.write_picture"
    assert "ILLEGAL" in PICTURE.read_text(encoding="utf-8")


def test_one_is_one(referee: Run, own_folder: Path) -> None:
    Path("f.csv").write_text("Ship,cadet/federation-ca\nTurn,1\nMovement,8\n")
    ships = (
        "--ship",
        "Con=cadet/federation-ca:alice@2801E/16",
        "--ship",
        "Des=cadet/klingon-d6:bob@0216B/16",
    )
    assert (
        referee(
            "game", "new", "g.jsonl", "--players", "alice,bob", *ships, "--dice", "seed", "--seed", "x"
        ).code
        == 0
    )
    told = referee("game", "replay", "g.jsonl").out
    assert not re.search(r"\b1 (?:events|entries|points|rules)\b", told)


def test_a_phaser_beyond_its_table_is_said_to_do_nothing(referee: Run) -> None:
    asked = ("odds", "cadet/federation-ca", "--shield", "1", "--range", "200", "--fire")
    ran = referee(*asked, "PH-1 x3")
    assert (
        ran.code == 0 and ran.err == "referee: range 200 is beyond the table of phaser-1: it does 0 there\n"
    )
    assert referee(*asked, "PH-1 x3, PHOT").code == 1
    near = referee("odds", "cadet/federation-ca", "--shield", "1", "--range", "2", "--fire", "PH-1 x3")
    assert near.code == 0 and near.err == ""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system cannot hold a signal back")
def test_workers_leave_ctrl_c_to_the_one_they_work_for() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    with local_executor(2) as pool:
        held = [pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, set()).result() for _ in range(4)]
    assert all(signal.SIGINT in one for one in held)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == before
