"""Turns of which a log does not tell all: several speeds fit, and what depends on which of them it is is no error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.sources.sfbol_judged import duel, errors, judged, line_of, said, written

SWAPPED = ({"Kharg": 15, "Sabre": 14}, {"Kharg": 14, "Sabre": 15})
SLOWER = ({"Kharg": 8, "Sabre": 18}, {"Kharg": 8, "Sabre": 17})
TURNS = {(1, 31, "Sabre"): "right", (2, 6, "Sabre"): "left"}
"""After four hexes: at speed 17 that is enough for a cruiser of turn mode D, at 18 it is not."""


@pytest.mark.parametrize("last", [2, 3, 6, 9])
def test_two_ships_that_change_places_in_the_order_of_movement_may_do_so(last: int) -> None:
    assert judged(written(duel(SWAPPED, last=last))).verdict == "legal"


@pytest.mark.parametrize("last", [6, 7, 8])
def test_a_turn_that_a_slower_speed_allows_is_no_error(last: int) -> None:
    assert judged(written(duel(SLOWER, last=last, ways=TURNS))).verdict == "legal"


def test_a_turn_that_no_speed_that_fits_allows_is_an_error() -> None:
    ways = {(1, 32, "Sabre"): "right", (2, 4, "Sabre"): "left"}
    lines = written(duel(SLOWER, last=6, ways=ways))
    assert errors(judged(lines)) == {("C3.2", line_of(lines, "USS Sabre", lines.index("Impulse 2.4:")))}


def test_the_turn_of_a_ship_that_is_destroyed_in_it_is_not_told_either() -> None:
    lines = written(duel(SLOWER, last=6, ways=TURNS))
    hit = ["Kharg fires Phaser-2 #1 (FX) at Sabre (Range: 10)"]
    rest = ["USS Sabre has been destroyed", *(f"Impulse 2.{n}:" for n in range(7, 33)), "Impulse 3.1:"]
    assert hit and not errors(judged([*lines, *rest]))


SLOWED = ({"Kharg": 8, "Sabre": 4}, {"Kharg": 6, "Sabre": 4})
SHOT = {(2, 4): ("Sabre: fire PH-1/1 at Kharg",)}


def test_a_ship_that_does_not_move_in_the_last_impulse_may_be_slower() -> None:
    lines = written(duel(SLOWED, SHOT, last=4))
    assert judged(lines).verdict == judged([*lines, "Impulse 2.5:"]).verdict == "legal"
    # Where its speed is sure it may still move.
    lines = written(duel(SLOWED[:1], {(1, 3): ("Sabre: fire PH-1/1 at Kharg",)}, last=3))
    lines.insert(lines.index("Impulse 1.3:"), "Impulse 1.4:")
    lines.remove("Impulse 1.3:")
    assert not errors(judged(lines))


def test_a_form_fixes_the_speed(tmp_path: Path) -> None:
    """What it pays for is how fast the ship moves, where its moves so far fit that."""
    rows = ["Line,1,2", "1,20,20", "2,4,4", "3,0,0", "4,24,24", "7,1,1", "8,1,1", "14,8,{}", "15,2,2"]
    for speed, wrong in ((6, False), (12, True)):
        form = tmp_path / f"at {speed}.csv"
        form.write_text("\n".join(rows).format(speed) + "\n", encoding="utf-8")
        lines = written(duel(SLOWED, last=4))
        found = judged(lines, forms=[f"Kharg={form}"])
        assert bool(said(found, "B3.0-14/said")) is wrong, found.findings


# -- the first place that is told ----------------------------------------------------------

CLASSES = "Kharg=standard/klingon-d7", "Sabre=standard/federation-ca"


def test_the_first_move_that_is_told_of_a_ship_is_its_place() -> None:
    lines: list[str] = []
    for n in range(1, 33):
        lines.append(f"Impulse 1.{n}:")
        if n % 4 == 0:
            rows = 31 - n // 4, 19 + n // 4
            lines += [f"Kharg has moved to 20{rows[0]}A", f"Sabre has moved to 20{rows[1]}D"][
                :: 1 if n == 4 else -1
            ]
    report = judged(lines, *CLASSES)
    assert report.verdict == "legal", report.findings


# -- a leap --------------------------------------------------------------------------------


def test_the_hex_a_ship_leaps_to_as_it_turns_is_one_of_those_straight_ahead() -> None:
    """The leap is wrong, and the next turn is not (C3.4)."""
    ways = {(1, 4, "Kharg"): "right", (1, 12, "Kharg"): "right"}
    lines = written(
        duel([{"Kharg": 16, "Sabre": 4}], ways=ways, last=20, at={"Kharg": "2040A", "Sabre": "5020D"})
    )
    assert judged(lines).verdict == "legal"
    n = line_of(lines, "IKV", lines.index("Impulse 1.4:"))
    hexes = [line.split(" to ")[1][:4] for line in lines if "Kharg has" in line and " to " in line]
    at = lines.index("Impulse 1.4:")
    leapt = [line for line in lines[:at] if "Kharg has moved" not in line] + lines[at:]
    assert hexes and n
    found = errors(judged(leapt))
    assert not {key for key, _ in found} & {"C3.2"}
