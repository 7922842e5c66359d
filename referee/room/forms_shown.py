"""The energy forms that stand on the displays of a room's table, as the record's ships fill them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.naming import folded
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import read_save
from referee.play.save_ships import table_in

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm
    from referee.play.game_file import Game
    from referee.play.save_ships import SaveBeingWritten
    from referee.room.following import RoomGame
    from referee.sources.asked import Asked


def table_shown(game: RoomGame, record: Game, asked: Asked) -> SaveBeingWritten:
    """The ships of a room's table as a save of it would show them, their classes as the record has them. Raises
    BadInput where the game cannot be read back."""
    save = read_save(write_save_bytes(game.text, key=0), game.save.file)
    return table_in(save, asked, {folded(name): ship.state.ship for name, ship in record.state.ships.items()})


def forms_shown(game: RoomGame, record: Game, asked: Asked) -> dict[str, EnergyForm]:
    """The forms that are filled in, by ship."""
    known = {folded(name): name for name in record.state.ships}
    ships = table_shown(game, record, asked).ships
    return {
        known[folded(seen.ship.name)]: seen.form
        for seen in ships
        if seen.form and folded(seen.ship.name) in known
    }
