"""What the map of a room shows and the record has otherwise, as it is taken over when it is let stand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.play.acting import Answer

if TYPE_CHECKING:
    from referee.room.desk import RoomDesk
    from referee.room.following import Followed
    from referee.room.orders import Waiting
    from referee.room.sitting import Sitting

TRACKER = "the tracker"
"""What is held about the tracker."""
FARTHEST = 30
"""Moves by which a ship may have gone astray."""
_MOST_TURNS = 20
_CHANGED = "the map shows something else by now"


class MapShown:
    """The map of a sitting beside its record."""

    def __init__(self, sitting: Sitting, desk: RoomDesk) -> None:
        self._sitting, self._desk = sitting, desk

    def ship(self, name: str) -> Waiting:
        """Where a ship stands. Raises BadInput where that is not seen, or the record has it there."""
        game, desk = self._game, self._desk
        stand, unit = game.stand(name), desk.game.state.ship(name).unit
        if stand.hex is None or stand.facing is None:
            raise BadInput(f"{name} is not seen on the map")
        if stand.hex == unit.hex:
            raise BadInput(
                f"{name} stands at {unit.hex} in the record, too", hint="turned in place is no move"
            )

        def stands(ruling: str) -> Answer:
            if self._game.stand(name) != stand:
                return Answer(error=_CHANGED)
            return desk.ruled(lambda: desk.moved(name, stand, force=True, most=FARTHEST), ruling)

        return name, f"{name} stands at {stand.hex}{stand.facing} on the map", stands

    def clock(self) -> Waiting:
        """What the tracker shows. Raises BadInput where the record stands there, or further on."""
        shown, desk = self._game.clock, self._desk
        state = desk.game.state
        if shown.turn is None or (shown.turn, shown.impulse or 0) <= (state.turn, state.impulse or 0):
            raise BadInput("the record is as far as the tracker", hint="!undo takes an act back")
        if shown.turn - state.turn > _MOST_TURNS:
            raise BadInput(f"the tracker shows turn {shown.turn}, the record turn {state.turn}")

        def goes_on(ruling: str) -> Answer:
            if self._game.clock != shown or shown.turn is None:
                return Answer(error=_CHANGED)
            return desk.ruled(partial(self._to, shown.turn, shown.impulse), ruling)

        at = f"turn {shown.turn}" + (f", impulse {shown.impulse}" if shown.impulse else "")
        return TRACKER, f"the tracker shows {at}", goes_on

    def _to(self, last: int, impulse: int | None) -> Answer:
        """The record goes on to a moment, turn by turn."""
        desk, answer = self._desk, Answer()
        for turn in range(desk.game.state.turn, last + 1):
            at = impulse if turn == last else None
            state = desk.game.state
            if (turn, at or 0) > (state.turn, state.impulse or 0):
                answer = desk.go_to(turn, at, force=True)
            if not answer.entered:
                break
        return answer

    @property
    def _game(self) -> Followed:
        assert self._sitting.game is not None
        return self._sitting.game
