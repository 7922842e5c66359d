"""What a stay in a room is begun with, checked before anything is opened; each stay after a lost line begins anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.safe import safe_line
from referee.formats.vassal.module import read_module
from referee.room.connection import unique_id
from referee.room.desk import RoomDesk
from referee.room.keeping import KeptFiles
from referee.room.marking import RoomMarking
from referee.room.names import Mode, as_player, client_info
from referee.room.session import Session
from referee.room.sitting import Sitting
from referee.room.wire import MAIN_ROOM
from referee.rulebooks.base import nearest
from referee.sources.inputs import read_input
from referee.sources.saves import map_of, with_map

if TYPE_CHECKING:
    from referee.sources.asked import Asked


class Joining:
    """A room to sit in, as what, with which record. Raises BadInput for what cannot be."""

    def __init__(
        self,
        room: str,
        name: str,
        mode: str,
        game: str,
        asked: Asked,
        log: Callable[[str], None],
        password: str = "",
        *,
        marks: bool = False,
        umpire: str = "",
    ) -> None:
        if mode not in list(Mode):
            raise BadInput(f"no mode {mode}", hint=nearest(mode, [known.value for known in Mode]))
        if room == MAIN_ROOM or not _sayable(room):
            raise BadInput(
                f"--room {room[:60]}", hint="a room of your own: nothing is played in the Main Room"
            )
        if umpire and (not _sayable(umpire) or as_player(umpire) in ("", as_player(name))):
            raise BadInput(f"--umpire {umpire[:60]}", hint="the name of who rules, as he has it in VASSAL")
        if not _sayable(name):
            raise BadInput(f"--as {name[:60]}", hint="letters, digits and spaces, at most 40 of them")
        source = read_input(asked.module)
        self._module = read_module(source.data, source.name)
        if not self._module.name:
            raise BadInput("does not say what it is called", file=asked.module)
        self._module_map = map_of(asked)
        self._asked = with_map(asked, self._module_map)
        path = game or f"{re.sub('[^a-z0-9]+', '-', room.casefold()).strip('-')[:40] or 'room'}.jsonl"
        self._kept = KeptFiles(path, source.data, source.name)
        self._room, self._name, self._mode, self._password = room, name, Mode(mode), password
        self._log, self._marks, self._umpire = log, marks, umpire
        if self._kept.begun:
            RoomDesk(path)  # a record that cannot be played on is said before anybody is disturbed

    def sitting(self) -> Sitting:
        """A new stay, which goes on with the record."""
        info = client_info(self._name, self._module.version)
        session = Session(self._module.name, self._room, unique_id(), info, self._password)
        marking = RoomMarking(self._asked) if self._marks else None
        return Sitting(
            session,
            self._kept,
            self._asked,
            self._mode,
            self._log,
            self._module,
            self._module_map,
            marking,
            self._umpire,
        )


def _sayable(text: str) -> bool:
    """Is a name one that every window shows as it is, and no path of the wire takes for another?"""
    return (
        0 < len(text) <= 40
        and text == safe_line(text) == text.strip()
        and not set(text) & set("/\\<>&\"'*~=|")
    )
