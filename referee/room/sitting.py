"""The referee in the room: it reads chat and moves there, judges them, and answers in chat."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.core.errors import RefereeError
from referee.core.naming import folded
from referee.formats.vassal.spoken import as_order
from referee.room import session as on_wire
from referee.room.chatting import chat_commands
from referee.room.desk import RoomDesk
from referee.room.following import MessagePlayed, RoomGame, chat_alone
from referee.room.held import Holds
from referee.room.map_play import MapPlay
from referee.room.names import Mode, as_player, in_name_of
from referee.room.orders import RoomOrders
from referee.room.pace import Pace
from referee.room.seats import Seats

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.spoken import TypedLine
    from referee.room.keeping import KeptFiles
    from referee.room.marking import RoomMarking
    from referee.sources.asked import Asked

SAVE_EVERY = 60.0
"""Seconds between two times the game is written down as it stands."""
NO_PROOF = "this network does not prove who speaks: an order counts from the player whose ship it is"


class Sitting:
    """One stay in a room: the game followed, the record kept, chat answered. `log` takes a line of what happened."""

    def __init__(
        self,
        session: on_wire.Session,
        kept: KeptFiles,
        asked: Asked,
        mode: Mode,
        log: Callable[[str], None],
        module: Module | None = None,
        module_map: ModuleMap | None = None,
        marking: RoomMarking | None = None,
        umpire: str = "",
    ) -> None:
        self.session, self.kept, self.asked, self.mode = session, kept, asked, mode
        self.log, self._module, self._module_map, self._marking = log, module, module_map, marking
        self.name = session.info["name"]
        self.game: RoomGame | None = None
        self.desk: RoomDesk | None = None
        self._orders: RoomOrders | None = None
        self._held, self._seats = Holds(umpire), Seats()
        self._answers = Pace(20, 10)
        self._odd = Pace(20, 1)
        self._not_mine = Pace(1, 0.1)
        self._slow_down = Pace(1, 0.1)
        self._map: MapPlay | None = None
        self._changed = False
        self._saved_at = 0.0
        self._now = 0.0
        if kept.begun:
            self._open(RoomDesk(kept.path))

    # -- what happens --------------------------------------------------------------------

    def hear(self, line: str, now: float) -> str:
        """Takes a line of the server's; gives why the stay is over, or an empty text. Nothing that it holds stops the
        referee: what cannot be dealt with is a line of the log."""
        self._now = now
        over = ""
        try:
            for happening in self.session.hear(line, now):
                over = self._happens(happening) or over
        except RefereeError as error:
            self.odd(str(error))
        except Exception as fault:  # whatever a stranger sends, the game of the others goes on
            self.odd(f"internal fault, please report: {type(fault).__name__}: {fault}")
        return over

    def tick(self, now: float) -> str:
        """What is due as time goes by."""
        self._now = now
        over = ""
        for happening in self.session.tick(now):
            over = self._happens(happening) or over
        if self._map is not None:
            self._map.tick(now)
        if held := self._odd.forget():
            self.log(f"{held} more things like that, passed over")
        if held := self._answers.forget():
            self.log(f"{held} orders that came too fast were not answered")
        if self._changed and now - self._saved_at > SAVE_EVERY:
            self.save()
        return over

    def save(self) -> None:
        """Writes down the game as it stands."""
        self._saved_at, self._changed = self._now, False
        if self.game is None:
            return
        try:
            self.kept.save(self.game)
        except (RefereeError, OSError) as error:
            self.log(f"the game is not written down: {error}")

    def leave(self, now: float) -> None:
        """Signs off."""
        self._now = now
        if self._changed:
            self.save()
        self.say("leaves; the record is kept")
        self.session.leave(now)

    def odd(self, what: str) -> None:
        """Something that makes no sense came: one line of the log, and no more than a room can be read with."""
        if self._odd.lets(self._now):
            self.log(f"passed over: {what}")

    def _happens(self, happening: on_wire.Happening) -> str:
        match happening:
            case on_wire.RoomMessage(text):
                self._heard(text)
            case on_wire.GameCame(text, asked):
                self._game_came(text, asked=asked)
            case on_wire.GameWanted(id, name):
                self._serve(id, name)
            case on_wire.Arrived(alone):
                self._arrived(alone=alone)
            case on_wire.Came(name):
                self._log_named(name, "came in")
            case on_wire.Went(name):
                self._log_named(name, "left")
            case on_wire.OwnerChanged(name, ours):
                self._log_named(name, "owns the room now" + (" (the referee itself)" if ours else ""))
            case on_wire.NoGame():
                self.log("nobody here has sent the game")
                if self.game is None:
                    self.say("nobody has sent me the game: load it, then I ask again")
            case on_wire.Odd(what):
                self.odd(what)
            case on_wire.Over(why):
                return why
        return ""

    def _log_named(self, name: str, what: str) -> None:
        if self._odd.lets(self._now):
            self.log(f"{name or 'somebody without a name'} {what}")

    # -- coming in, and the game ---------------------------------------------------------

    def _arrived(self, *, alone: bool) -> None:
        self.log(f"in the room {self.session.room}" + (", alone" if alone else ""))
        if alone and self.game is None:
            try:
                if text := self.kept.last():
                    self._take(text)
                    self.log("the game is the one that stood here last")
            except RefereeError as error:
                self.log(f"the game that stood here last cannot be read: {error}")
        self.say(f"here, to {self.mode.value}; say !help. {NO_PROOF}")
        if self.desk is not None and (away := self.desk.unsigned):
            self.say(
                f"the signing key of {' and '.join(away)} is not kept here: their orders cannot be recorded"
                " until it is lent to me (referee game key --export, --import)"
            )

    def _game_came(self, text: str, *, asked: bool) -> None:
        if not asked and self.game is not None:
            # As in VASSAL, whose player is asked first: both lie on the table until the owner sends his again.
            self._seen(self.game.play(text))
            self.odd("a whole game that nobody asked for; the owner is asked for his")
            if self._slow_down.lets(self._now):
                self.session.ask(self._now)
            return
        self._take(text)
        self.log("the game came")
        if self.desk is None:
            self._begin()

    def _take(self, text: str) -> None:
        self.game = RoomGame(text, self._module, self._module_map)
        self._seats.see(self.game.save.roster)
        self._changed = True
        if self.desk is not None:
            self._watch(self.desk)

    def _begin(self) -> None:
        """Begins a record with the game that came."""
        assert self.game is not None
        try:
            desk, left_out = self.kept.begin(self.game, self.asked)
        except RefereeError as error:
            self.log(f"no record: {error}")
            self.say(f"I keep no record of this game: {error.reason}")
            return
        for left in left_out:
            self.log(f"not taken: {left}")
        self._open(desk)
        waits = ", ".join(desk.game.dice.waiting_for())
        joining = (
            f"; {waits}: say !join and any words of yours, they are your part of the dice" if waits else ""
        )
        self.say(f"the record is begun: head {desk.game.head}{joining}")

    def _open(self, desk: RoomDesk) -> None:
        desk.make_ready()
        self.desk, self._orders = desk, RoomOrders(desk, self._held)
        if self.game is not None:
            self._watch(desk)

    def _watch(self, desk: RoomDesk) -> None:
        assert self.game is not None
        assert self._orders is not None
        self.game.watch(desk.game.state.ships)
        if self._map is None:
            self._map = MapPlay(self.game, desk, self._orders, self.mode, self.asked, self)
            self._orders.on_map = self._map
        else:
            self._map.taken(self.game)
        for name in self._map.meanwhile():
            stand, hex = self.game.stand(name), desk.game.state.ship(name).unit.hex
            self._elsewhere(name, f"stands at {stand.hex}{stand.facing or ''}, in the record at {hex}")

    def _elsewhere(self, ship: str, how: str) -> None:
        """A ship was moved while nobody followed the game, or another game came."""
        if self.mode is Mode.QUIET:
            self.log(f"{ship} {how}")
        else:
            self.say(f"{ship} {how}; put it back, or !accept {ship} takes over where it stands")

    def _serve(self, id: str, name: str) -> None:
        """Sends the game to a player who asks for it."""
        if self.game is None:
            self._log_named(name, "asks for the game: there is none here yet")
            self._tell(id, "I have no game: whoever has it loads it, then everybody joins the room again")
            return
        if self._answers.lets(self._now):
            self.session.tell(id, self.game.text, self._now)
            self._log_named(name, "was sent the game")

    # -- the table -----------------------------------------------------------------------

    def _heard(self, text: str) -> None:
        self._seen(chat_alone(text) if self.game is None else self.game.play(text))

    def _seen(self, seen: MessagePlayed) -> None:
        self._changed = self._changed or seen.changed
        if seen.seated and self.game is not None:
            self._seats.see(self.game.save.roster)
        for why in seen.unread:
            self.odd(why)
        if self._map is not None:
            if seen.clock is not None:
                self._map.clock(self._now)
            for moved in seen.moved:
                self._map.moved(moved, self._now)
        for line in seen.shown:
            if in_name_of(self.name, line):
                self._forged()
        for typed in seen.typed:
            self._typed(typed)

    # -- chat ----------------------------------------------------------------------------

    def _typed(self, line: TypedLine) -> None:
        speaker = html.unescape(line.player)
        if folded(speaker) == folded(self.name):
            self._forged()
            return
        order = as_order(html.unescape(line.text), self._module_map)
        if order is None:
            return
        if not self._answers.lets(self._now):
            if self._slow_down.lets(self._now):
                self.say("too many orders at once: some were not taken; type yours again")
            return
        self.log(f"{speaker}: {order}")
        if self._orders is None:
            self.say(
                "I keep no record of a game yet"
                if self.game
                else "I have no game yet: load it, and I ask for it"
            )
            return
        player, why = self._player(speaker)
        reply = self._orders.answer(player, order.removeprefix("!"), self._umpire(speaker), why)
        self.say(*reply.lines)
        if reply.acted and self._map is not None:
            self._map.acted()
        if reply.struck and self._marking is not None and self.game is not None and self.desk is not None:
            self._mark()

    def _player(self, speaker: str) -> tuple[str, str]:
        """The player of the record that a speaker is; none, and why, where he has no seat, or two in the room have his
        name."""
        assert self.desk is not None
        roster = self.game.save.roster if self.game else None
        members = self.session.members.values()
        player, players = as_player(speaker), self.desk.game.state.players
        if player not in players:
            return "", f"orders are for {', '.join(players)}, each from his own seat"
        if why := self._seats.against(speaker, members, self.session.id, roster):
            self.log(f"{why}: nobody's order")
            return "", why
        return player, ""

    def _umpire(self, speaker: str) -> str:
        """The umpire in the room, where a speaker is he."""
        umpire = self._held.umpire
        if not umpire or as_player(speaker) != as_player(umpire):
            return ""
        members = self.session.members.values()
        why = self._seats.against(speaker, members, self.session.id, None)
        if why:
            self.log(f"{why}: nobody's ruling")
        return "" if why else umpire

    def _mark(self) -> None:
        """Marks damage that was rolled on the displays, by commands as a player's own."""
        assert self._marking is not None and self.game is not None and self.desk is not None
        try:
            commands, remarks = self._marking.commands(self.game, self.desk.game)
        except RefereeError as error:
            self.log(f"damage is not marked: {error}")
            return
        for remark in remarks:
            self.log(f"not marked: {remark}")
        if commands:
            self.game.play(commands)
            self._changed = True
            self.session.say(commands, self._now)

    def _forged(self) -> None:
        self.odd("somebody spoke in the referee's name")
        if self._not_mine.lets(self._now):
            head = f" (head {self.desk.game.head})" if self.desk else ""
            self.say(f"the line above is not mine; what I ruled is in the record{head}")

    # -- speaking ------------------------------------------------------------------------

    def warn(self, ship: str, by: str, *lines: str) -> None:
        """Says something to the player who moved a ship alone, where he is known."""
        player = self.desk.game.state.ship(ship).player if self.desk else ""
        there = self.session.client_with(by) or self.session.client_called(player)
        if there:
            self._tell(there, *lines)
        else:
            self.say(*lines)

    def say(self, *lines: str) -> None:
        """Says something to all in the room."""
        self.session.say(chat_commands(self.name, lines), self._now)
        for line in lines:
            self.log(f"> {line}")

    def _tell(self, id: str, *lines: str) -> None:
        self.session.tell(id, chat_commands(self.name, lines), self._now)
        for line in lines:
            self.log(f"> (to one) {line}")
