"""The VASSAL log and module that are shipped as an example: turn 1 of the cadet duel, made by the writer of the tests.

python -m tests.unit.formats.vassal.test_vassal_example
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.conftest import ROOT
from tests.doors.played import Played, logged
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
POWER = ("Ship", "Turn", "Warp Power", "Impulse Power", "Atomic Power", "Total Power")
ROWS = {"Batteries Discharged": "BttyUsedEA"}


def paid(ship: str) -> dict[str, int]:
    """What the form of a ship pays for in turn 1."""
    with (GAMES / f"{ship.lower()}-1.csv").open(encoding="utf-8") as file:
        return {ROWS.get(row[0], row[0]): int(row[1]) for row in csv.reader(file) if row[0] not in POWER}


def made() -> dict[str, bytes]:
    """The files by name. Fire and drones are left out: their dice are those of the record."""
    lines = (GAMES / "turn-1.txt").read_text(encoding="utf-8").splitlines()
    moves = "\n".join(line for line in lines if " fire " not in line and " launch " not in line)
    forms = {(ship, 1): paid(ship) for ship in ("Constellation", "Destruction")}
    return {"cadet-duel.vlog": logged(Played(HEAD + moves + "\n", forms)), "cadet-duel.vmod": module_bytes()}


@pytest.mark.parametrize("name", ["cadet-duel.vlog", "cadet-duel.vmod"])
def test_the_example_is_what_the_writer_makes(name: str) -> None:
    assert (HERE / name).read_bytes() == made()[name]


def test_it_is_legal_and_can_be_looked_at(referee: Run, own_folder: Path) -> None:
    log = HERE / "cadet-duel.vlog"
    checked = referee("check", log, "--json")
    assert (checked.code, checked.json["verdict"]) == (0, "legal")
    page = referee("replay", log, "-o", "game.html")
    assert page.code == 0 and Path("game.html").stat().st_size < 300_000
    ran = referee("map", log, "--at", "1.8", "--next", "Constellation")
    assert ran.code == 0 and ran.out.count('class="next"') == 3


if __name__ == "__main__":
    for name, content in made().items():
        (HERE / name).write_bytes(content)
