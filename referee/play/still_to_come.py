"""What is still to come before a table goes on: forms to be written, moves to be sealed, what is sealed to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.play.sealing import sealed_for_now
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


def left_sealed(game: Game) -> str:
    """What is sealed for now and would be passed over, in words: moves and fire of the impulse, and as the impulses
    begin the forms of ships whose speed nobody said. Empty where there is none."""
    ships, turn = game.state.ships, game.state.turn
    if forms := [seal.ship for seal in hidden_forms(game.state) if turn not in ships[seal.ship].speeds]:
        return f"still sealed: the form of {', '.join(forms)}; `o` opens what is sealed"
    due = [seal for seal in sealed_for_now(game.state) if seal.kind != "eaf"]
    whose = ", ".join(f"{seal.ship}'s {seal.kind}" for seal in due)
    kinds = {seal.kind for seal in due}
    if not kinds:
        return ""
    what = "moves and fire are" if len(kinds) > 1 else "fire is" if "fire" in kinds else "moves are"
    return f"sealed {what} not opened: `o` opens {'it' if kinds == {'fire'} else 'them'} ({whose})"
