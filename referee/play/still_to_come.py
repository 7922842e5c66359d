"""What is still to come before a table goes on: forms to be written, moves to be sealed, what is sealed to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.waiting_for import files_forms, unfiled
from referee.core.errors import Refused
from referee.play.sealing import sealed_for_now
from referee.play.table import standing_table
from referee.play.telling import telling
from referee.play.whose import hidden_forms, is_form_in, movers_in, ties_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.play.game_file import Game


def forms_owed(game: Game) -> list[str]:
    """The ships whose energy form is awaited in the step of energy allocation, and of which not even a speed was said:
    a form may be kept on paper. None from the second turn on where the record does not know the forms before."""
    state = game.state
    if state.turn > 1 and not files_forms(state):
        return []
    return [ship for ship in forms_unwritten(game) if state.turn not in state.ships[ship].speeds]


def forms_unwritten(game: Game) -> list[str]:
    """The ships whose energy form is to come, in the record or on paper: not even their speed was said, or others have
    filed or sealed theirs."""
    state = game.state
    steps = game.rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("energy allocation", ())
    if state.own is not None or state.step not in steps:
        return []
    form_in = is_form_in(state)
    return [ship for _, ship in unfiled(state) if form_in or state.turn not in state.ships[ship].speeds]


def moves_unasked(game: Game) -> list[str]:
    """The ships that are called in this impulse and have not moved, where no rule asks for their moves: none is in the
    record so far, and so they may be kept elsewhere. At a table somebody has forgotten to say his."""
    movers = movers_in(game)
    asked = standing_table(game).course.to_move if movers else ()
    return [name for name in movers if name not in asked]


def moves_unsealed(game: Game) -> list[str]:
    """The ships that move at the same time as another's in this impulse, and have not sealed their move."""
    state = game.state
    sealed = {
        seal.ship
        for seal in state.seals.of_turn(state.turn)
        if seal.settles_moves and seal.impulse == state.impulse
    }
    return [name for name in ties_in(game) if name not in sealed]


def forms_sealed(game: Game) -> list[str]:
    """The ships whose form is sealed as the impulses begin, and whose speed nobody said."""
    ships, turn = game.state.ships, game.state.turn
    return [seal.ship for seal in hidden_forms(game.state) if turn not in ships[seal.ship].speeds]


def left_sealed(game: Game, agreed: Collection[str] = ()) -> str:
    """The moves and fire of the impulse that are sealed and would be passed over, in words. Empty where there are none
    but of players who `agreed` to that."""
    due = [seal for seal in sealed_for_now(game.state) if seal.kind != "eaf" and seal.player not in agreed]
    whose = ", ".join(f"{seal.ship}'s {seal.kind}" for seal in due)
    kinds = {seal.kind for seal in due}
    if not kinds:
        return ""
    what = "moves and fire are" if len(kinds) > 1 else "fire is" if "fire" in kinds else "moves are"
    return f"sealed {what} not opened (referee reveal): {whose}"


def must_be_opened(game: Game, agreed: Collection[str] = (), *, force: bool = False) -> None:
    """Says which moves and fire would be passed over unopened. Raises Refused for it, unless forced, or who sealed them
    has `agreed`."""
    left = "" if force else left_sealed(game, agreed)
    if not left:
        return
    telling().line(left)
    who = ",".join(dict.fromkeys([*agreed, *(seal.player for seal in sealed_for_now(game.state))]))
    raise Refused(f"nothing was recorded; --agreed {who} goes on without it, and so does --force")
