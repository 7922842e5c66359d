"""A game as the fold of an account that is no record: nobody's right to an event is asked, ships may be moved
elsewhere, and what is not known may be inferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.core.board import LoadShip
from referee.core.combat import Seeker
from referee.core.game import EntryLike
from referee.core.gamefold import GameFold, carry_out
from referee.core.gameorders import take_order
from referee.core.hexgrid import Hex
from referee.core.play import ShipInPlay


class ToldFold(GameFold):
    """A game folded event by event, from its first; `known` are those there are already. Raises as `fold_game`."""

    def __init__(self, known: Sequence[EntryLike], load_ship: LoadShip) -> None:
        super().__init__(known, load_ship)
        self._board.kept = False
        self._rows: dict[str, int] = {}
        """Where the last move of each ship stands among the orders of the game."""

    @property
    def seekers(self) -> Mapping[str, Seeker]:
        """The seekers on the map now."""
        return self._board.seekers

    @property
    def places(self) -> list[Hex | None]:
        """Where the ships stand now."""
        return [ship.unit.hex for ship in self._board.ships.values()]

    def infer(self, event: EntryLike) -> None:
        """Something that is not known and must have happened: an order that nobody gave is none of the game's orders."""
        self._state = None
        if event.type == "order":
            take_order(self._board, event)
        else:
            carry_out(self._board, event)

    def note(self, ship: str, event: EntryLike) -> None:
        """A move that was carried out elsewhere: of each ship the game knows its last one."""
        self._state = None
        rows = self._board.orders.rows
        if ship in self._rows:
            rows[self._rows[ship]] = event.seq, event.data
        else:
            self._rows[ship] = len(rows)
            rows.append((event.seq, event.data))

    def place(self, units: Mapping[str, ShipInPlay]) -> None:
        """Ships stand where they were moved to elsewhere."""
        self._state = None
        ships = self._board.ships
        for name, unit in units.items():
            if ships[name].unit is not unit:
                ships[name] = replace(ships[name], unit=unit)
