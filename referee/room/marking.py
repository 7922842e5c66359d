"""Damage that was rolled, marked on the ships' displays by the commands that a player's own clicks would send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import state_text
from referee.formats.vassal.commands import encode_leaf
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.sequence import encode
from referee.play.write_save import mark_damage, states_in
from referee.room.forms_shown import table_shown

if TYPE_CHECKING:
    from referee.play.game_file import Game
    from referee.room.following import RoomGame
    from referee.sources.asked import Asked


class RoomMarking:
    """Works out which pieces have to change for the displays to show a record's damage."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def commands(self, game: RoomGame, record: Game) -> tuple[str, tuple[str, ...]]:
        """One message of commands, empty for none; and what has no mark. Raises BadInput where the game cannot be
        read back."""
        table = table_shown(game, record, self._asked)
        draft = Draft(table.save)
        remarks: list[str] = []
        for name, state in states_in(table, record).items():
            remarks += mark_damage(draft, table, table.ship(name), state)
        before = game.board.chains
        changes = [
            encode_leaf(lv.ChangePiece(id, state_text(chain), state_text(before[id])))
            for id, chain in draft.changed.items()
            if id in before
        ]
        return encode(changes, "\x1b") if changes else "", tuple(remarks)
