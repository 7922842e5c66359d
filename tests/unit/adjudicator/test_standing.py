"""How a game begun from a scenario stands."""

from __future__ import annotations

from dataclasses import replace

from referee.adjudicator.standing import has_forms, is_over, standing_in, standing_of
from referee.core.game import DueVolley, GameState
from referee.rulebooks.registry import load_scenario
from tests.unit.adjudicator.recorded import D6, FED, entries, state

DUEL = (("Constellation", FED, "2801E"), ("Destruction", D6, "0216B"))


def without(game: GameState, name: str) -> GameState:
    """The game once a ship is destroyed."""
    ship = game.ships[name]
    return replace(game, ships={**game.ships, name: replace(ship, state=replace(ship.state, dead=True))})


def test_a_game_of_no_scenario_has_no_end() -> None:
    game = state(entries(ships=DUEL))
    assert standing_of(game) is None and not is_over(game) and has_forms(game)


def test_a_duel_is_over_when_a_ship_is_destroyed() -> None:
    game = state(entries(ships=DUEL, scenario="5"))
    assert has_forms(game) and not is_over(game)
    assert is_over(without(game, "Destruction"))


def test_scenarios_without_forms() -> None:
    assert not has_forms(state(entries(ships=(("Constellation", FED, "0111A"),), scenario="1")))


def test_damage_that_has_struck_and_is_not_marked_leaves_it_open() -> None:
    """Scenario 2 is lost by a point through the shields: whether there was one, the volley that waits will tell."""
    game = state(entries(ships=(("Constellation", FED, "0913A"),), scenario="2"))
    struck = replace(game, due=(DueVolley(4, 1, "Constellation", 20, 1),))
    scenario = load_scenario("2")
    assert "whether a point came through the shields" not in standing_in(scenario, game).why
    assert "whether a point came through the shields" in standing_in(scenario, struck).why
