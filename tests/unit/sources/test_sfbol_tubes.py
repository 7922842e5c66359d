"""Which tube a plasma torpedo left: its line does not say, and an arc says it where only one of the tubes bears."""

from __future__ import annotations

import pytest

from tests.unit.sources.sfbol_judged import errors, judged
from tests.unit.sources.test_sfbol_targets import judged as judged_at

AHEAD, RIGHT, LEFT, ASTERN = "2010", "2618", "1418", "2030"


def launches(target: str, *names: str) -> list[str]:
    """A Gorn in 2020 that faces A launches torpedoes at a ship in some hex; its tubes are LF+L and RF+R."""
    lines = [
        "Kharg (Type:Gorn CA) has been added at 2020, direction A, speed 0",
        f"Sabre (Type:Federation CA) has been added at {target}, direction D, speed 0",
        "Impulse 1.1:",
    ]
    launch = "{0} (Type:Gorn Plasma G) has been added at 2020, {0} was launched by Kharg"
    return [*lines, *(launch.format(name) for name in names)]


@pytest.mark.parametrize("target", [AHEAD, RIGHT, LEFT])
def test_the_tube_that_bears_has_launched(target: str) -> None:
    assert not errors(judged(launches(target, "P1")))


def test_no_tube_bears_astern() -> None:
    assert errors(judged(launches(ASTERN, "P1"))) == {("D2.1/launch", 4)}


def test_one_tube_launches_once_a_turn() -> None:
    assert errors(judged(launches(RIGHT, "P1", "P2"))) == {("FP1.2/launch", 5)}
    assert not errors(judged(launches(AHEAD, "P1", "P2")))


@pytest.mark.parametrize("target", [LEFT, RIGHT])
def test_a_tube_that_another_may_have_launched_for_is_in_doubt(target: str) -> None:
    """Either tube bears on the ship ahead, and one of them alone on the other."""
    lines = launches(AHEAD, "P1", "P2")
    lines.insert(2, f"Marauder (Type:Federation CA) has been added at {target}, direction D, speed 0")
    report = judged_at(lines, "P1=Sabre", "P2=Marauder")
    assert not errors(report)
    launched = [one.message for one in report.findings if one.key == "FP1.2/launch"]
    assert all("which tube of Kharg launched before is not told" in message for message in launched)
    assert len(launched) == (target == LEFT)
