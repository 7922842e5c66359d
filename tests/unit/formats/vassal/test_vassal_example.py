"""The VASSAL log and module that are shipped as an example: turn 1 of the cadet duel up to its last impulses, in which a
ship turns too soon, a shot hits and the hit is marked; made by the writer of the tests.

python -m tests.unit.formats.vassal.test_vassal_example
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.conftest import ROOT
from tests.doors.played import Played, Thrown, logged
from tests.unit.formats.vassal.game_logs import module_bytes

__all__ = ["own_folder", "referee"]

GAMES = ROOT / "examples" / "games" / "cadet-duel"
HERE = ROOT / "examples" / "vassal"
HEAD = """rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 2801E speed 16
ship Destruction = cadet/klingon-d6 at 0216B speed 16
turn 1
"""
SHOT = """
  Constellation: fire PH-1/A at Destruction
  Destruction: hit 4 on 4
"""
POWER = ("Ship", "Turn", "Warp Power", "Impulse Power", "Atomic Power", "Total Power")
ROWS = {"Batteries Discharged": "BttyUsedEA"}


def paid(ship: str) -> dict[str, int]:
    """What the form of a ship pays for in turn 1."""
    with (GAMES / f"{ship.lower()}-1.csv").open(encoding="utf-8") as file:
        return {ROWS.get(row[0], row[0]): int(row[1]) for row in csv.reader(file) if row[0] not in POWER}


def made() -> dict[str, bytes]:
    """The files by name. The fire and drones of the record are left out: their dice are its own."""
    lines = (GAMES / "turn-1.txt").read_text(encoding="utf-8").splitlines()
    moves = "\n".join(line for line in lines if " fire " not in line and " launch " not in line)
    before, last = moves.split("impulse 15")
    last = last.replace("Destruction: ahead", "Destruction: right") + SHOT
    forms = {(ship, 1): paid(ship) for ship in ("Constellation", "Destruction")}
    marked, thrown = {"Destruction": {"4": 4}}, Thrown((3,), total=4)
    played = Played(f"{HEAD}{before}impulse 15{last}", forms, marked, thrown)
    return {"cadet-duel.vlog": logged(played), "cadet-duel.vmod": module_bytes()}


@pytest.mark.parametrize("name", ["cadet-duel.vlog", "cadet-duel.vmod"])
def test_the_example_is_what_the_writer_makes(name: str) -> None:
    assert (HERE / name).read_bytes() == made()[name]


def test_it_has_the_one_error_and_can_be_looked_at(referee: Run, own_folder: Path) -> None:
    log = HERE / "cadet-duel.vlog"
    checked = referee("check", log, "--json")
    errors = [found for found in checked.json["findings"] if found["severity"] == "error"]
    assert checked.code == 1 and [(found["key"], found["location"]["step"]) for found in errors] == [
        ("C3.2", 87)
    ]
    page = referee("replay", log, "-o", "game.html")
    assert page.code == 0 and Path("game.html").stat().st_size < 300_000
    told = Path("game.html").read_text(encoding="utf-8")
    assert "filed its form of turn 1: speed 12, phasers 3" in told and "4 points on #4: 7 to 3" in told
    ran = referee("map", log, "--at", "1.8", "--next", "Constellation")
    assert ran.code == 0 and ran.out.count('class="next"') == 3


def test_what_its_readme_says_comes(referee: Run, own_folder: Path) -> None:
    for name in made():
        Path(name).write_bytes((HERE / name).read_bytes())
    rows = re.findall(r"^\| `referee (.+?)` \| (.+?) \|$", (HERE / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == 6
    for command, said in rows:
        ran = referee(*command.split())
        assert ran.code == (1 if "check" in command else 0), ran
        for words in re.findall("`(.+?)`", said):
            assert words in ran.out + ran.err, (command, words)


if __name__ == "__main__":
    for name, content in made().items():
        (HERE / name).write_bytes(content)
