"""A stay in a VASSAL room as a state machine: lines of the wire in, lines to send and what happened out.

It opens nothing and knows no clock: who runs it says what came, and when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.room.names import as_player
from referee.room.packing import ZIPPED, unpacked
from referee.room.wire import (
    ASKS_TO_REGISTER,
    GOODBYE,
    Client,
    ask_for_game,
    asking,
    clients_in,
    join,
    register,
    rooms_in,
    tell_again,
    to_others,
    to_player,
)

ANSWER_WITHIN = 20.0
"""Seconds in which a server has to show its roster, and an owner to send the game."""
ASK_AGAIN = 60.0
"""Seconds between two rounds of asking for the game."""
KEEP_ALIVE = 120.0
"""Seconds after which a client that sent nothing sends an empty line."""
_GAME = "begin_save"


@frozen
class Arrived:
    """The room is entered; `alone` where nobody is in it to ask for the game."""

    alone: bool


@frozen
class RoomMessage:
    """A message to the room, or to us alone: commands of VASSAL's."""

    text: str = field(repr=False)


@frozen
class GameCame:
    """A whole game came, because it was `asked` for or not."""

    text: str = field(repr=False)
    asked: bool


@frozen
class GameWanted:
    """Somebody asks for the game."""

    id: str = field(repr=False)
    name: str


@frozen
class Came:
    """A player came into the room."""

    name: str


@frozen
class Went:
    """A player left the room."""

    name: str


@frozen
class OwnerChanged:
    """The room belongs to another player now; `ours` where that is the referee."""

    name: str
    ours: bool


@frozen
class NoGame:
    """Nobody who was asked sent the game."""


@frozen
class Odd:
    """What came and makes no sense: one line for the log."""

    what: str


@frozen
class Over:
    """The stay is over: the server signed off, never answered or never let us in."""

    why: str


Happening = Arrived | RoomMessage | GameCame | GameWanted | Came | Went | OwnerChanged | NoGame | Odd | Over


class Session:
    """A stay in one room of a module. `out` are the lines to send; `members` the clients in the room, by id."""

    def __init__(self, module: str, room: str, id: str, info: Mapping[str, str], password: str = "") -> None:
        self.module, self.room, self.id, self.info = module, room, id, {**info, "id": id}
        self.out: list[str] = []
        self.members: dict[str, Client] = {}
        self.owner = ""
        self.inside = False
        self.wants_game = False
        self._password = password
        self._asked: list[str] = []
        self._asked_at: float | None = None
        self._round_over = False
        self._sent_at = self._begun = 0.0
        self._roster_seen = self._entering = False
        self._locked = self._doubted = False

    # -- doing ---------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        """Registers."""
        self._begun = now
        self._send(now, register(self.module, self.id, self.info))

    def say(self, message: str, now: float) -> None:
        """Sends commands to all others in the room."""
        if self.inside and message:
            self._send(now, to_others(self.module, self.room, self.id, message))

    def tell(self, id: str, message: str, now: float) -> None:
        """Sends commands to one player alone."""
        if message:
            self._send(now, to_player(self.module, id, message))

    def ask(self, now: float) -> bool:
        """Asks for the game: the owner, or another member where he has left or did not answer. False where all have
        been asked."""
        self.wants_game = True
        others = [id for id in self.members if id != self.id]
        left = [id for id in (self.owner, *others) if id in others and id not in self._asked]
        if not left:
            self._asked_at, self._asked, self._round_over = now, [], True
            return False
        self._asked.append(left[0])
        self._asked_at, self._round_over = now, False
        self._send(now, to_player(self.module, left[0], ask_for_game(self.info)))
        return True

    def leave(self, now: float) -> None:
        """Signs off."""
        self._send(now, GOODBYE)

    def client_with(self, stored: str) -> str:
        """The client of whoever has a stored id, which its own begins with; empty where that is not one alone."""
        found = [id for id in self.members if stored and id.startswith(f"{stored}.") and id != self.id]
        return found[0] if len(found) == 1 else ""

    def client_called(self, player: str) -> str:
        """The client of a player as a record spells him; empty where that is not one alone."""
        found = [id for id, client in self.members.items() if player and as_player(client.name) == player]
        return found[0] if len(found) == 1 else ""

    def _send(self, now: float, line: str) -> None:
        self._sent_at = now
        self.out.append(line)

    # -- hearing -------------------------------------------------------------------------

    def hear(self, line: str, now: float) -> Iterator[Happening]:
        """What a line of the server's tells."""
        if not line:
            return
        if line.startswith("LIST\t"):
            yield from self._roster(line, now)
        elif line.startswith("ROOM_INFO\t"):
            yield from self._rooms(rooms_in(line) or {}, now)
        elif line == GOODBYE:
            yield Odd(
                "a goodbye, which no server says"
            )  # it closes the connection; any player can send the word
        elif line.startswith(ASKS_TO_REGISTER):
            self._send(now, register(self.module, self.id, self.info))
        elif self.inside:
            yield from self._message(line)

    def tick(self, now: float) -> Iterator[Happening]:
        """What is due as time goes by."""
        if not self._roster_seen and now - self._begun > ANSWER_WITHIN:
            yield Over(f"the server has not answered in {ANSWER_WITHIN:.0f} seconds")
            return
        if self._entering and not self.inside and now - self._begun > 2 * ANSWER_WITHIN:
            hint = " (it is locked)" if self._locked else ""
            yield Over(f"the room {self.room} does not open{hint}")
            return
        if self.wants_game and self._asked_at is not None:
            if not self._round_over and now - self._asked_at > ANSWER_WITHIN:
                if not self.ask(now):
                    yield NoGame()
            elif self._round_over and now - self._asked_at > ASK_AGAIN:
                self.ask(now)
        if now - self._sent_at >= KEEP_ALIVE:
            self._send(now, "")

    def _message(self, line: str) -> Iterator[Happening]:
        try:
            text = unpacked(line)
        except BadInput as error:
            yield Odd(error.reason)
            return
        if not text:
            return
        asks = asking(text) if not line.startswith(ZIPPED) or text.startswith("SYNC") else None
        if asks is not None:
            client = self.members.get(asks.get("id", ""))
            if client is None or client.id == self.id:
                yield Odd("somebody who is not in the room asks for the game")
            else:
                yield GameWanted(client.id, client.name)
        elif text.startswith(_GAME):
            asked, self.wants_game = self.wants_game, False
            self._asked, self._asked_at = [], None
            yield GameCame(text, asked)
        else:
            yield RoomMessage(text)

    # -- the roster ----------------------------------------------------------------------

    def _roster(self, line: str, now: float) -> Iterator[Happening]:
        clients = clients_in(line, self.module) or ()
        first, self._roster_seen = not self._roster_seen, True
        here = {client.id: client for client in clients if client.room == self.room}
        was_inside, self.inside = self.inside, self.id in here
        if first and not self.inside:
            self._entering = True
            self._send(now, join(self.module, self.room, self._password))
        if was_inside and not self.inside and not self._doubted:
            # Any player can send what reads as a roster: the server is asked for its own.
            self.inside = self._doubted = True
            self._send(now, tell_again(self.info))
            yield Odd("a roster in which the referee is not; the server is asked again")
            return
        self._doubted = False
        before, self.members = self.members, here
        if self.inside and not was_inside:
            self._entering = False
            others = [id for id in here if id != self.id]
            if others:
                self.owner = self.owner if self.owner in here else others[0]
                self.ask(now)
            yield Arrived(alone=not others)
        elif was_inside and not self.inside:
            yield Over("put out of the room")
        elif self.inside:
            for id in here.keys() - before.keys():
                yield Came(here[id].name)
            for id in before.keys() - here.keys():
                yield Went(before[id].name)
            if self.wants_game and self._asked and self._asked[-1] not in here:
                self.ask(now)

    def _rooms(self, rooms: Mapping[str, Mapping[str, str]], now: float) -> Iterator[Happening]:
        room = rooms.get(self.room, {})
        self._locked = room.get("locked") == "true"
        owner = room.get("owner", "")
        if owner == self.owner:
            return
        self.owner = owner
        if self.inside and owner in self.members:
            yield OwnerChanged(self.members[owner].name, owner == self.id)
