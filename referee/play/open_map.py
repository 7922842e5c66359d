"""A game whose map has no edges: that it is so, and which ships are beyond the hexes that have numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.place_words import place_text

if TYPE_CHECKING:
    from referee.core.game import GameState
    from referee.play.game_file import Game

OPEN = "the map is open (no option `map`): a ship beyond its edge stays in the game"


def map_is_open(game: Game) -> bool:
    """Has the map of a game no edges?"""
    return "map" not in game.rulebook.options or not game.rulebook.option("map")


def beyond(state: GameState) -> dict[str, str]:
    """The ships in hexes that have no number, and where they stand."""
    return {
        ship.name: ship.position
        for ship in state.ships.values()
        if (hex := ship.unit.hex) is not None and not (0 < hex.column < 100 and 0 < hex.row < 100)
    }


def gone_beyond(before: GameState, game: Game) -> list[str]:
    """Of the ships that went beyond the hexes of an open map, a line each."""
    already = beyond(before)
    new = {ship: at for ship, at in beyond(game.state).items() if ship not in already}
    return [f"{ship} is {place_text(at)}; {OPEN}" for ship, at in new.items()] if map_is_open(game) else []
