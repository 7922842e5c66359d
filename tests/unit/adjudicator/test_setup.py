"""A game held against its scenario: the set-up, the speeds and the weapons it fixes."""

from __future__ import annotations

import pytest

from referee.adjudicator.setup import SET_UP, judge_set_up, judge_shots, judge_speed, scenario_of
from referee.core.combat import Moment
from referee.core.errors import BadInput
from referee.core.game import FireOrdered
from referee.rulebooks.registry import load_rulebook, load_scenario
from tests.unit.adjudicator.recorded import FED, Line, entries, state

BOOK = load_rulebook("sfb-cadet")
ALONE = (("Constellation", FED, "0111A"),)


def entering(**data: str) -> Line:
    return Line(1, "ship", {"ship": "Constellation", "class": FED, "at": "2801E"} | data)


def test_the_scenario_a_game_names() -> None:
    assert scenario_of({}) is None
    found = scenario_of({"scenario": "5"})
    assert found is not None and found.id == "5"
    with pytest.raises(BadInput):
        scenario_of({"scenario": "no such"})


@pytest.mark.parametrize("other", [{"at": "2802E"}, {"class": "cadet/klingon-d6"}, {"ship": "Enterprise"}])
def test_what_is_set_up_otherwise_cannot_be_told(other: dict[str, str]) -> None:
    scenario = load_scenario("5")
    assert list(judge_set_up(scenario, entering())) == []
    (found,) = judge_set_up(scenario, entering(**other))
    assert (found.key, found.severity.value) == (SET_UP, "undecided")


def test_a_speed_that_the_scenario_fixes() -> None:
    scenario = load_scenario("1")
    assert list(judge_speed(BOOK, scenario, "Constellation", 1, 8)) == []
    (found,) = judge_speed(BOOK, scenario, "Constellation", 1, 9)
    assert found.subject == "Constellation" and found.severity.value == "error"
    assert list(judge_speed(BOOK, scenario, "Somebody", 1, 9)) == []


def test_a_ship_that_may_go_slower() -> None:
    scenario = load_scenario("3")
    assert list(judge_speed(BOOK, scenario, "Freighter A", 1, 2)) == []
    assert [found.subject for found in judge_speed(BOOK, scenario, "Freighter A", 1, 5)] == ["Freighter A"]


def test_weapons_the_scenario_takes_away() -> None:
    game = state(entries(ships=ALONE, scenario="1"))
    fire = FireOrdered(4, "Constellation", ("PHOT/A", "PH-1/A"), "Drone 1", Moment(1, 1))
    types = {"PHOT/A": "photon", "PH-1/A": "phaser-1"}
    (found,) = judge_shots(BOOK, load_scenario("1"), game, fire, types)
    assert "PHOT/A" in found.subject + found.message
    assert list(judge_shots(BOOK, load_scenario("5"), game, fire, types)) == []
