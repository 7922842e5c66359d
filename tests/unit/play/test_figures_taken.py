"""Figures that a play-by-play states wrongly are fouls of the record that is made of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.test_sfbol_flights import FIRE, HEAD
from tests.unit.sources.test_sfbol_strikes import on_shield

__all__ = ["own_folder", "referee"]
SHIPS = [line for line in HEAD if "D001" not in line]
RIGHT = [*FIRE, *on_shield(1, 3, "27/24/20/20/20/24")]


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        (RIGHT, ""),
        ([line.replace("Range: 4", "Range: 3") for line in RIGHT], "D1.4/stated"),
        ([line.replace("1d6: 1", "1d6: 7") for line in RIGHT], "NOTE/die"),
        ([*FIRE, *on_shield(1, 5, "25/24/20/20/20/24")], "E2.4/stated"),
        ([*FIRE, *on_shield(3, 3, "30/24/17/20/20/24")], "E1.4/stated"),
        ([*FIRE, *on_shield(1, 3, "25/24/20/20/20/24")], "D4.1/stated"),
    ],
    ids=["all right", "range", "die", "points", "shield", "left"],
)
def test_a_wrong_figure_is_a_foul_of_the_ship_it_is_about(referee: Run, lines: list[str], key: str) -> None:
    Path("game.log").write_text("\n".join([*SHIPS, *lines, "Impulse 1.2:"]) + "\n")
    players = ("--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, *players).code == 0
    ran = referee("check", "game.jsonl", "--json")
    assert [one["key"] for one in ran.findings("error")] == [key] * bool(key), ran.out
    assert ran.code == bool(key) and referee("record", "verify", "game.jsonl").code == 0
