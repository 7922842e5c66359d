"""What a stay in a room leaves on the disk: the record, begun from the game that came, and that game beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.formats.files import write_file
from referee.formats.vassal.container import open_module, open_save, write_save_bytes
from referee.play.append import append_begun
from referee.play.heard import Heard
from referee.play.start import Terms
from referee.play.taken import begin_from
from referee.play.telling import told_to
from referee.room.desk import RoomDesk
from referee.sources.inputs import read_input

if TYPE_CHECKING:
    from referee.room.following import RoomGame
    from referee.sources.asked import Asked

UMPIRE = "referee"
"""Who keeps the seed of the dice in a record that is begun here."""
_KEY = 0x5A
_METADATA = "moduledata"
_MOST_METADATA = 256 * 1024


class KeptFiles:
    """The files of a room's game: `path` is the record; the game it was begun from lies beside it, and the game as
    it stood last, which is served to whoever comes into the room when nobody else is there."""

    def __init__(self, path: str, module: bytes, module_file: str) -> None:
        self.path = path
        base = Path(path)
        self.start = str(base.with_name(f"{base.stem}.start.vsav"))
        self.now = str(base.with_name(f"{base.stem}.now.vsav"))
        archive, _ = open_module(module, module_file)
        self._metadata = archive.read(_METADATA, _MOST_METADATA) if _METADATA in archive else None

    @property
    def begun(self) -> bool:
        """Is there a record?"""
        return Path(self.path).exists()

    def begin(self, game: RoomGame, asked: Asked) -> tuple[RoomDesk, tuple[str, ...]]:
        """Begins the record with a game that came; with what of it the record does not hold. Raises BadInput where
        there is nothing in it to begin with."""
        free = next((path for path in self._starts() if not Path(path).exists()), "")
        if not free:
            raise BadInput("too many games were begun here", file=self.path)
        self._write(free, game)
        terms = Terms(self.path, [], "umpire", UMPIRE, "", "", False)
        with told_to(Heard()):
            begun = begin_from(free, terms, asked, [])
            append_begun(self.path, begun)
        return RoomDesk(self.path), begun.left_out

    def save(self, game: RoomGame) -> None:
        """Writes the game as it stands, in place of what stood there."""
        self._write(self.now, game)

    def last(self) -> str:
        """The command string of the game as it stood last, in a stay before this one; empty for none. Raises BadInput
        where it cannot be read."""
        if not Path(self.now).is_file():
            return ""
        source = read_input(self.now)
        return open_save(source.data, source.name).text

    def _starts(self) -> list[str]:
        base = self.start.removesuffix(".vsav")
        return [self.start, *(f"{base}-{n}.vsav" for n in range(2, 100))]

    def _write(self, path: str, game: RoomGame) -> None:
        """Writes a save whole, or not at all; it holds the players' passwords, so it is for this user's eyes."""
        data = write_save_bytes(game.text, key=_KEY, module_data=self._metadata)
        write_file(Path(path), data, 0o600)
