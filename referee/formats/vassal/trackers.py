"""The turn trackers of a save by the names their module gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.formats.vassal.turns import TurnState, read_turn

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module


def named_turns(save: Save, module: Module | None) -> tuple[TurnState, ...]:
    """The turn trackers of a save, their levels named when the module is given."""
    states = (read_turn(leaf, module.tracker(leaf.tracker) if module else None) for leaf in save.turn_leaves)
    return tuple([state for state in states if state])
