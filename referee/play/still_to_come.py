"""What is still to come before a table goes on: forms to be written or opened, moves to be sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.play.whose import hidden_forms, ties_in

if TYPE_CHECKING:
    from referee.play.game_file import Game


def forms_owed(game: Game) -> list[str]:
    """The ships whose energy form is awaited in the step of energy allocation, and of which not even a speed was said:
    a form may be kept on paper. None from the second turn on where the record does not know the forms before."""
    from referee.adjudicator.waiting_for import files_forms

    return [] if game.state.turn > 1 and not files_forms(game.state) else forms_unwritten(game)


def forms_unwritten(game: Game) -> list[str]:
    """The ships whose energy form is to come, in the record or on paper: not even their speed was said."""
    from referee.adjudicator.waiting_for import unfiled

    state = game.state
    steps = game.rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("energy allocation", ())
    if state.own is not None or state.step not in steps:
        return []
    return [ship for _, ship in unfiled(state) if state.turn not in state.ships[ship].speeds]


def moves_unsealed(game: Game) -> list[str]:
    """The ships that move at the same time as another's in this impulse, and have not sealed their move."""
    state = game.state
    sealed = {
        seal.ship
        for seal in state.seals.of_turn(state.turn)
        if seal.settles_moves and seal.impulse == state.impulse
    }
    return [name for name in ties_in(game) if name not in sealed]


def forms_unopened(game: Game) -> list[str]:
    """The ships whose form is sealed and not opened as the impulses begin, and whose speed nobody said."""
    ships = game.state.ships
    return [seal.ship for seal in hidden_forms(game.state) if game.state.turn not in ships[seal.ship].speeds]
