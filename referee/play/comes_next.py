"""What comes once all have moved: who may still declare fire, or going on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.play.fire_told import fire_said
from referee.play.table import awaited_in
from referee.play.whose import fire_to_come, movers_in, whose_turn

if TYPE_CHECKING:
    from referee.play.game_file import Game


def to_declare(game: Game, may_fire: Iterable[str], may_launch: Iterable[str]) -> str:
    """Who may still declare fire, once all have moved and the dice of nobody fall."""
    declared = fire_said(game.state)
    ready, launch = [name for name in may_fire if name not in declared], list(may_launch)
    phrases = [f"may still fire: {', '.join(ready)}"] if ready else []
    return "; ".join([*phrases, *([f"launch, before fire: {', '.join(launch)}"] if launch else [])])


def fire_comes(game: Game) -> bool:
    """Is fire declared next: have all moved, and do the dice of nobody fall?"""
    state = game.state
    rolled = not state.open_rolls and state.unapplied is None
    return rolled and not movers_in(game) and fire_to_come(game)


def next_told(game: Game) -> str:
    """What comes once all have moved in an impulse, in a line: who may still declare fire, else to go on. Empty where
    nobody has said a speed."""
    state = game.state
    if state.impulse is None or movers_in(game) or not any(ship.speeds for ship in state.ships.values()):
        return ""
    if fire_comes(game):
        from referee.play.may_fire import ready_in  # Only where fire is declared.

        declares = to_declare(game, ready_in(game), ready_in(game, launched=True))
        if declares:
            return declares
    return "" if awaited_in(game) else whose_turn(game, ())
