"""A facing that a log states of a ship and that its moves do not bear out: one slip, and nothing of what follows."""

from __future__ import annotations

import pytest

from tests.unit.sources.sfbol_judged import errors, judged

SHIPS = [
    "Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 16",
    "USS Sabre (Type:Federation CA) has been added at 2406, direction D, speed 0",
]
AHEAD = ("2019", "2018", "2017", "2016", "2015")


def played(*told: str, fire: str = "") -> list[str]:
    """Kharg moves in each second impulse; it may fire in the last but one."""
    lines = list(SHIPS)
    for n, hex in enumerate(told, 1):
        lines += [
            f"Impulse 1.{2 * n}:",
            f"Kharg has {'turned' if hex[0] == '>' else 'moved'} to {hex.strip('>')}",
        ]
        if fire and n == len(told) - 1:
            lines.append(fire)
    return [*lines, f"Impulse 1.{2 * len(told) + 1}:"]


@pytest.mark.parametrize("letter", ["B", "C", "D", "F"])
@pytest.mark.parametrize("letters", [True, False])
def test_a_false_facing_is_one_error(letter: str, *, letters: bool) -> None:
    told = [f"{hex}A" if letters else hex for hex in AHEAD]
    assert judged(played(*told)).verdict == "legal"
    told[1] = f"{AHEAD[1]}{letter}"
    report = judged(played(*told))
    assert errors(report) == {("C3.1", 6)}, report.findings
    assert not [one for one in report.findings if one.severity == "undecided"]


def test_a_facing_that_the_next_move_bears_out_was_a_turn() -> None:
    report = judged(played("2019A", "2018A", "2017A", "2016A", "2015B", "2115B"))
    assert {key for key, line in errors(report)} == {"C3.1"}
    (turned,) = [one for one in report.findings if one.severity == "error"]
    assert "then turns to B" in turned.message


def test_fire_between_a_false_facing_and_the_next_move_is_undecided() -> None:
    """The weapon bears by one of the two facings."""
    shot = "Kharg fires Phaser-2 #6 (L+LR) at USS Sabre (Range: 12)"
    told = ["2019A", "2018A", "2017A", "2016D", "2015A"]
    report = judged(played(*told, fire=shot))
    assert errors(report) == {("C3.1", 10)}, report.findings
    (open_,) = [one for one in report.findings if one.key == "D2.1"]
    assert open_.severity == "undecided" and "line 10" in open_.message
    assert ("D2.1", 11) in errors(judged(played(*AHEAD, fire=shot)))


def test_a_false_facing_where_the_log_ends_is_an_error_all_the_same() -> None:
    report = judged(played("2019A", "2018D"))
    assert errors(report) == {("C3.1", 6)}
