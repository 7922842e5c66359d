"""A robot made ready to play a game by its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.robot import Robot
from referee.core.dice import KeyedDice
from referee.core.scenario import WHOLE_MAP, corners
from referee.sources.dice_cup import chosen_dice

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.rulebooks.base import Rulebook


def ready(rulebook: Rulebook, seed: str) -> tuple[Robot, tuple[Hex, Hex], KeyedDice]:
    """A robot of a rulebook, the map it plays on, and its dice."""
    dice = chosen_dice("", seed, False)
    assert isinstance(dice, KeyedDice)
    bounds = rulebook.option("map") if "map" in rulebook.options else ""
    return Robot(rulebook, dice), corners(bounds) if bounds else WHOLE_MAP, dice
